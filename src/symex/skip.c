// Branches that decide about nothing that matters later.
//
// Where both sides of a branch meet again, and all that lies between writes
// only what is not read afterwards, neither side is entered: what they may
// write becomes unknown, and the path goes on where they meet.  That gives more
// paths than there are and leaves none out.  A handler with n marks in a row
// has one way through instead of 2^n.
//
// Whether something is read later is asked of the code by its look; a wrong
// answer costs precision, never truth.
#include "symex/wide.h"

#include "base/die.h"

#include <stdlib.h>
#include <string.h>

enum { BLOCKS_MOST = 400 };

struct skip {
    bool can, local; // local: in the first frame only
    uint32_t to;
    struct writes writes;
};

// ---- where both sides meet ----------------------------------------------

// Blocks that come after `from` without passing `stop`; true if a return is
// among them.
static bool flood(const struct ir_fn *f, uint32_t from, uint32_t stop,
                  bool *seen)
{
    VEC(uint32_t) todo = {0};
    bool returns = false;
    vec_push(&todo, from);
    while (todo.n) {
        uint32_t b = vec_pop(&todo);
        if (b == stop || seen[b])
            continue;
        seen[b] = true;
        const struct ir_block *k = &f->blocks.at[b];
        returns |= f->insts.at[k->first + k->n - 1].op == IR_RETURN;
        for (uint32_t i = 0; i < k->n_succs; i++)
            vec_push(&todo, ir_succs(f, k)[i]);
    }
    vec_free(&todo);
    return returns;
}

static bool comes_to(const struct ir_fn *f, uint32_t from, uint32_t to,
                     uint32_t without)
{
    bool *seen = need_zero(f->blocks.n);
    seen[without] = without != from && without != to;
    flood(f, from, IR_NOTHING, seen);
    bool yes = seen[to];
    free(seen);
    return yes;
}

// The first block behind b that all who return from b pass, and those between.
static uint32_t meeting(const struct ir_fn *f, uint32_t b, bool *between)
{
    const struct ir_block *k = &f->blocks.at[b];
    uint32_t best = IR_NOTHING, least = UINT32_MAX;
    bool *seen = need_zero(f->blocks.n);
    for (uint32_t j = 0; j < f->blocks.n; j++) {
        bool returns = false;
        uint32_t n = 0;
        memset(seen, 0, f->blocks.n);
        for (uint32_t i = 0; i < k->n_succs; i++)
            returns |= flood(f, ir_succs(f, k)[i], j, seen);
        for (uint32_t i = 0; i < f->blocks.n; i++)
            n += seen[i];
        if (j == b || returns || seen[b] || n >= least)
            continue;
        best = j;
        least = n;
        memcpy(between, seen, f->blocks.n);
    }
    free(seen);
    // A side that never comes there is a guard: what it excludes is known
    // after.
    for (uint32_t i = 0; best != IR_NOTHING && i < k->n_succs; i++)
        if (!comes_to(f, ir_succs(f, k)[i], best, b))
            best = IR_NOTHING;
    return best;
}

static bool is_in(const struct ir_fn *f, const bool *blocks, ir_id v)
{
    return !ir_is_const(v) && v != IR_NOTHING && blocks[ir_block_of(f, v)];
}

// Is nothing that is computed there used behind it?
static bool is_closed(const struct ir_fn *f, const bool *between, uint32_t to)
{
    const struct ir_block *k = &f->blocks.at[to];
    for (uint32_t b = 0; b < f->blocks.n; b++)
        for (uint32_t n = 0; !between[b] && n < f->blocks.at[b].n; n++) {
            const struct ir_inst *i = &f->insts.at[f->blocks.at[b].first + n];
            for (uint32_t a = 0; a < i->n; a++)
                if (is_in(f, between, ir_args(f, i)[a]))
                    return false;
        }
    return f->insts.at[k->first].op != IR_PHI;
}

// ---- what is read later -------------------------------------------------

static bool overlap(const struct write *a, const struct write *b)
{
    return !a->to || !b->to || (a->from < b->to && b->from < a->to);
}

static ir_id read_from(const struct ir_fn *f, const struct ir_inst *i)
{
    return i->op == IR_LOAD                       ? ir_args(f, i)[0]
           : i->op == IR_COPY || i->op == IR_MOVE ? ir_args(f, i)[1]
                                                  : IR_NOTHING;
}

static bool reads(const struct ir_fn *f, const struct ir_inst *i, ir_id root,
                  const struct write *w)
{
    ir_id from = read_from(f, i);
    if (from == IR_NOTHING || root_of(f, from) != root)
        return false;
    struct write x = extent(f, from, i->op == IR_LOAD ? ir_bytes(i->type) : 0);
    if (i->op != IR_LOAD)
        x.to = 0;
    return overlap(&x, w);
}

// Does any function read this part of what its k-th parameter, of this type,
// points to?
static bool read_by_param(const struct ir *ir, uint32_t type, bool handlers,
                          const struct write *w)
{
    for (uint32_t n = 0; n < ir->fns.n; n++) {
        const struct ir_fn *g = ir->fns.at[n];
        if (!g->defined || (g->is_handler && !handlers))
            continue;
        for (uint32_t k = 0; k < g->n_params && k + 1 < g->n_types; k++)
            for (uint32_t i = 0;
                 ir_bare_type(ir, g->types[k + 1]) == type && i < g->insts.n;
                 i++)
                if (reads(g, &g->insts.at[i], k, w))
                    return true;
    }
    return false;
}

static bool takes(const struct ir_fn *f, const struct ir_inst *i, ir_id root)
{
    for (uint32_t a = i->op == IR_CALL; a < i->n; a++)
        if (root_of(f, ir_args(f, i)[a]) == root)
            return true;
    return false;
}

static bool is_read(struct sx_run *r, const struct ir_fn *f, const bool *after,
                    const struct write *w)
{
    if (ir_is_const(w->root))
        return true; // a global
    bool param = f->insts.at[w->root].op == IR_PARAM;
    bool local = f->insts.at[w->root].op == IR_ALLOCA;
    uint32_t type = param && w->root + 1 < f->n_types
                        ? ir_bare_type(r->ir, f->types[w->root + 1])
                        : IR_NOTHING;
    bool calls = false;
    if (!param && !local)
        return true;
    for (uint32_t b = 0; b < f->blocks.n; b++)
        for (uint32_t n = 0; after[b] && n < f->blocks.at[b].n; n++) {
            const struct ir_inst *i = &f->insts.at[f->blocks.at[b].first + n];
            enum ir_group g = ir_op_group((enum ir_op)i->op);
            if (reads(f, i, w->root, w))
                return true;
            if ((g == IR_G_CALL || g == IR_G_ACTOR) && takes(f, i, w->root)) {
                if (local)
                    return true;
                calls = true;
            }
        }
    if (!param)
        return false;
    if (type == IR_NOTHING)
        return true;
    return (calls || !r->start.stops) &&
           read_by_param(r->ir, type, !r->start.stops, w);
}

// ---- a branch -----------------------------------------------------------

// May the code between come to the block that the run looks for?
static bool comes_to_goal(struct sx_run *r, const struct ir_fn *f,
                          const bool *between)
{
    bool *seen = need_zero(r->ir->fns.n + 1), yes = false;
    for (uint32_t b = 0; b < f->blocks.n; b++)
        for (uint32_t n = 0; between[b] && n < f->blocks.at[b].n; n++) {
            const struct ir_inst *i = &f->insts.at[f->blocks.at[b].first + n];
            uint32_t to = i->op == IR_CALL ? ir_as_fn(r->ir, ir_args(f, i)[0])
                                           : IR_NOTHING;
            if (to != IR_NOTHING)
                seen[to] = true;
        }
    ir_spread(r->ir, seen);
    yes = r->start.stops &&
          (seen[r->start.stop_fn] ||
           (f->id == r->start.stop_fn && between[r->start.stop_block]));
    free(seen);
    return yes;
}

static void look_at(struct sx_run *r, const struct ir_fn *f, uint32_t block,
                    struct skip *k)
{
    bool *between = need_zero(f->blocks.n), *after = need_zero(f->blocks.n);
    k->to = meeting(f, block, between);
    k->can = k->to != IR_NOTHING && is_closed(f, between, k->to) &&
             !comes_to_goal(r, f, between) &&
             find_writes(r, f, between, !r->start.stops, &k->writes);
    if (k->can)
        flood(f, k->to, IR_NOTHING, after);
    for (uint32_t i = 0; k->can && i < k->writes.n; i++) {
        ir_id root = k->writes.at[i].root;
        k->local |= !ir_is_const(root) && f->insts.at[root].op == IR_PARAM;
        k->can &= !is_read(r, f, after, &k->writes.at[i]);
    }
    free(between);
    free(after);
}

static struct skip *skip_at(struct sx_run *r, const struct ir_fn *f,
                            uint32_t block)
{
    if (!r->skips[f->id])
        r->skips[f->id] =
            arena_zero(&r->arena, f->blocks.n * sizeof *r->skips[f->id]);
    struct skip **at = &r->skips[f->id][block];
    if (!*at) {
        *at = arena_zero(&r->arena, sizeof **at);
        if (f->blocks.n <= BLOCKS_MOST)
            look_at(r, f, block, *at);
    }
    return *at;
}

uint32_t skip_branch(struct sx_run *r, struct sx_state *s)
{
    const struct ir_fn *f = s->top->f;
    if (!r->start.skip || r->live || s->scene)
        return IR_NOTHING;
    const struct skip *k = skip_at(r, f, s->top->block);
    if (!k->can || (k->local && s->depth != 1))
        return IR_NOTHING;
    struct writes w = k->writes;
    return forget_writes(r, s, &w) ? k->to : IR_NOTHING;
}
