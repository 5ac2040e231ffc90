// Which state goes on next.
//
// Distances are counted in blocks: from a block to the nearest side that is
// wanted, through calls and out of the frames on the stack.
#include "symex/engine.h"

#include "base/die.h"

#include <stdlib.h>

#define FAR 1000000u

struct distances {
    uint32_t *to_goal;   // per block, inside the function and its callees
    uint32_t *to_return; // per block
};

static uint64_t side_key(uint32_t fn, uint32_t inst, uint32_t side)
{
    return (uint64_t)fn << 44 | (uint64_t)inst << 16 | side;
}

void sx_goal(struct sx_run *r, uint32_t fn, uint32_t inst, uint32_t side,
             bool wanted)
{
    uint32_t *g = map_at(&r->goals, side_key(fn, inst, side));
    bool was = *g == 1;
    *g = wanted;
    r->n_goals += (uint32_t)wanted - (uint32_t)was;
    r->stale = true;
    if (!wanted || was)
        return;
    while (r->aside.n)
        vec_push(&r->waiting, vec_pop(&r->aside));
}

void sx_set_order(struct sx_run *r, enum sx_order order, uint64_t seed)
{
    r->order = order;
    r->rng = rng_of(seed);
    r->stale = true;
    while (r->aside.n)
        vec_push(&r->waiting, vec_pop(&r->aside));
}

static bool is_stop(const struct sx_run *r, uint32_t fn, uint32_t block)
{
    return r->start.stops && fn == r->start.stop_fn &&
           block == r->start.stop_block;
}

void search_entered(struct sx_run *r, struct sx_state *s, uint32_t fn,
                    uint32_t block)
{
    s->trail = sx_trail(s->trail, fn, block);
    s->there |= !s->in_pre && is_stop(r, fn, block);
}

void search_took(struct sx_run *r, struct sx_state *s, uint32_t side)
{
    uint32_t fn = s->top->f->id, inst = s->top->at;
    if (!r->n_goals || s->in_pre ||
        map_get(&r->goals, side_key(fn, inst, side)) != 1)
        return;
    struct sx_goal_met g = {fn, inst, side};
    s->news = true;
    for (const struct goal_met *p = s->goals; p; p = p->up)
        if (p->g.fn == fn && p->g.inst == inst && p->g.side == side)
            return;
    struct goal_met *new = arena_get(&r->arena, sizeof *new);
    *new = (struct goal_met){s->goals, g};
    s->goals = new;
    s->n_goals++;
}

void sx_trap_again(struct sx_run *r, uint32_t fn, uint32_t inst)
{
    map_put(&r->trapped, map_pair(fn, inst), MAP_NONE);
    r->stale = true;
}

bool search_yields(const struct sx_run *r)
{
    return r->order != SX_ALL && r->waiting.n > 0;
}

// ---- distances ----------------------------------------------------------

// An operation that may be the first to overflow.
static bool may_overflow(struct sx_run *r, const struct ir_fn *f, uint32_t i)
{
    const struct ir_inst *in = &f->insts.at[i];
    return r->o.overflow && in->flags & IR_NSW &&
           (in->op == IR_ADD || in->op == IR_SUB || in->op == IR_MUL) &&
           map_get(&r->trapped, map_pair(f->id, i)) == MAP_NONE;
}

static bool has_new_trap(struct sx_run *r, const struct ir_fn *f,
                         const struct ir_block *b)
{
    uint32_t last = b->first + b->n - 1;
    for (uint32_t i = b->first; i <= last; i++)
        if (may_overflow(r, f, i))
            return true;
    return f->insts.at[last].op == IR_TRAP &&
           map_get(&r->trapped, map_pair(f->id, last)) == MAP_NONE;
}

// Is a side of this block wanted: a goal, or a trap that nobody has found?
static bool has_goal(struct sx_run *r, const struct ir_fn *f, uint32_t block)
{
    const struct ir_block *b = &f->blocks.at[block];
    uint32_t last = b->first + b->n - 1;
    if (is_stop(r, f->id, block))
        return true;
    if (r->order == SX_TRAPS)
        return has_new_trap(r, f, b);
    for (uint32_t i = b->first; i <= last; i++) {
        uint32_t sides = i == last                        ? b->n_succs
                         : f->insts.at[i].op == IR_SELECT ? 2
                                                          : 0;
        for (uint32_t k = 0; k < sides; k++)
            if (map_get(&r->goals, side_key(f->id, i, k)) == 1)
                return true;
    }
    return false;
}

static uint32_t goal_in(const struct sx_run *r, uint32_t fn)
{
    return fn != IR_NOTHING && r->ir->fns.at[fn]->defined
               ? r->distances[fn].to_goal[0]
               : FAR;
}

// A function whose address is taken: a pointer may be any of them.
static uint32_t goal_of_taken(const struct sx_run *r)
{
    uint32_t best = FAR;
    for (uint32_t i = 0; i < r->ir->fns.n; i++)
        if (r->x->taken[i] && goal_in(r, i) < best)
            best = goal_in(r, i);
    return best;
}

// A call, also of what it is given (qsort), and of the init of a new actor.
static uint32_t goal_of_call(struct sx_run *r, const struct ir_fn *f,
                             const struct ir_inst *in)
{
    uint32_t best = FAR;
    if (in->op == IR_SPAWN) {
        uint32_t g = ir_as_global(r->ir, ir_args(f, in)[1]);
        uint32_t c = g == IR_NOTHING ? g : ir_class_of(r->ir, g);
        return c == IR_NOTHING ? FAR : goal_in(r, r->ir->classes.at[c].init);
    }
    if (in->op != IR_CALL)
        return FAR;
    if (ir_as_fn(r->ir, ir_args(f, in)[0]) == IR_NOTHING)
        best = goal_of_taken(r);
    for (uint32_t k = 0; k < in->n; k++) {
        uint32_t d = goal_in(r, ir_as_fn(r->ir, ir_args(f, in)[k]));
        best = d < best ? d : best;
    }
    return best;
}

// The nearest goal inside a function that this block calls.
static uint32_t goal_of_calls(struct sx_run *r, const struct ir_fn *f,
                              uint32_t block)
{
    const struct ir_block *b = &f->blocks.at[block];
    uint32_t best = FAR;
    for (uint32_t i = b->first; i < b->first + b->n; i++) {
        uint32_t d = goal_of_call(r, f, &f->insts.at[i]);
        best = d + 1 < best ? d + 1 : best;
    }
    return best;
}

static uint32_t nearer(const struct ir_fn *f, uint32_t block,
                       const uint32_t *of, uint32_t best)
{
    const struct ir_block *b = &f->blocks.at[block];
    for (uint32_t i = 0; i < b->n_succs; i++) {
        uint32_t d = of[ir_succs(f, b)[i]];
        best = d + 1 < best ? d + 1 : best;
    }
    return best;
}

static bool improve(struct sx_run *r, const struct ir_fn *f, uint32_t block)
{
    struct distances *d = &r->distances[f->id];
    const struct ir_block *b = &f->blocks.at[block];
    uint32_t goal = has_goal(r, f, block) ? 0 : goal_of_calls(r, f, block);
    uint32_t last = f->insts.at[b->first + b->n - 1].op == IR_RETURN ? 0 : FAR;
    goal = nearer(f, block, d->to_goal, goal);
    last = nearer(f, block, d->to_return, last);
    bool better = goal < d->to_goal[block] || last < d->to_return[block];
    d->to_goal[block] = goal;
    d->to_return[block] = last;
    return better;
}

static void make_distances(struct sx_run *r)
{
    r->distances = need_zero((r->ir->fns.n + 1) * sizeof *r->distances);
    for (uint32_t i = 0; i < r->ir->fns.n; i++) {
        uint32_t n = r->ir->fns.at[i]->blocks.n + 1;
        r->distances[i].to_goal = need(n * sizeof(uint32_t));
        r->distances[i].to_return = need(n * sizeof(uint32_t));
    }
}

static void measure(struct sx_run *r)
{
    bool better = true;
    if (!r->distances)
        make_distances(r);
    for (uint32_t i = 0; i < r->ir->fns.n; i++)
        for (uint32_t b = 0; b <= r->ir->fns.at[i]->blocks.n; b++)
            r->distances[i].to_goal[b] = r->distances[i].to_return[b] = FAR;
    while (better) {
        better = false;
        for (uint32_t i = 0; i < r->ir->fns.n; i++) {
            const struct ir_fn *f = r->ir->fns.at[i];
            for (uint32_t b = f->defined ? f->blocks.n : 0; b-- > 0;)
                better |= improve(r, f, b);
        }
    }
    r->stale = false;
}

void search_free(struct sx_run *r)
{
    for (uint32_t i = 0; r->distances && i < r->ir->fns.n; i++) {
        free(r->distances[i].to_goal);
        free(r->distances[i].to_return);
    }
    free(r->distances);
    map_free(&r->goals);
}

// From where a state stands, through the frames on its stack.
static uint32_t distance(struct sx_run *r, const struct sx_state *s)
{
    uint32_t best = FAR, way = 0;
    if (s->in_pre)
        return 0;
    for (const struct frame *f = s->top; f && way < FAR; f = f->up) {
        const struct distances *d = &r->distances[f->f->id];
        if (way + d->to_goal[f->block] < best)
            best = way + d->to_goal[f->block];
        way += d->to_return[f->block];
    }
    return best;
}

static uint32_t way_out(struct sx_run *r, const struct sx_state *s)
{
    uint32_t way = 0;
    for (const struct frame *f = s->top; f && way < FAR; f = f->up)
        way += r->distances[f->f->id].to_return[f->block];
    return way;
}

// ---- picking ------------------------------------------------------------

void search_add(struct sx_run *r, struct sx_state *s)
{
    vec_push(&r->waiting, s);
}

static double score(struct sx_run *r, const struct sx_state *s)
{
    uint32_t d = distance(r, s);
    switch (r->order) {
    case SX_WIDE:
        return s->n_real + 0.5 * (s->news ? 0 : d);
    case SX_DEEP:
        return s->news ? -1e6 + way_out(r, s) : d + 0.3 * s->n_real;
    case SX_TRAPS:
        return d + 0.1 * s->n_real;
    case SX_ALL:
        break;
    }
    return 0;
}

static struct sx_state *take(struct sx_run *r, uint32_t i)
{
    struct sx_state *s = r->waiting.at[i];
    r->waiting.at[i] = vec_last(&r->waiting);
    r->waiting.n--;
    return s;
}

static uint32_t oldest(const struct sx_run *r)
{
    uint32_t best = 0;
    for (uint32_t i = 1; i < r->waiting.n; i++)
        if (r->waiting.at[i]->id < r->waiting.at[best]->id)
            best = i;
    return best;
}

static uint32_t best_of(struct sx_run *r)
{
    uint32_t best = 0;
    double least = score(r, r->waiting.at[0]);
    for (uint32_t i = 1; i < r->waiting.n; i++) {
        double x = score(r, r->waiting.at[i]);
        if (x < least ||
            (x <= least && r->waiting.at[i]->id < r->waiting.at[best]->id)) {
            least = x;
            best = i;
        }
    }
    return best;
}

bool search_leaves(struct sx_run *r, struct sx_state *s)
{
    if (!r->start.stops || !r->distances || r->stale || s->there || s->news ||
        distance(r, s) < FAR)
        return false;
    vec_push(&r->aside, s);
    return true;
}

// States that can come to nothing that is wanted wait apart.
static void set_aside(struct sx_run *r)
{
    for (uint32_t i = 0; i < r->waiting.n;) {
        const struct sx_state *s = r->waiting.at[i];
        if (s->news || distance(r, s) < FAR)
            i++;
        else
            vec_push(&r->aside, take(r, i));
    }
}

struct sx_state *search_next(struct sx_run *r)
{
    if (!r->waiting.n)
        return NULL;
    if (r->order == SX_ALL)
        return vec_pop(&r->waiting);
    if (r->stale)
        measure(r);
    if (r->n_goals || r->order == SX_TRAPS || r->start.stops)
        set_aside(r);
    if (!r->waiting.n)
        return NULL;
    r->picks++;
    if (r->order == SX_WIDE && r->picks % 4 == 0)
        return take(r, oldest(r));
    if (r->order == SX_DEEP && r->picks % 3 == 0)
        return take(r, rng_below(&r->rng, r->waiting.n));
    return take(r, best_of(r));
}
