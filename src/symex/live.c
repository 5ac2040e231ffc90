// A run of many activations: one state that goes on from call to call.
//
// The stack of frames belongs to the state; one that waits is taken off and
// kept.  Operations of the library stop the run until they are answered.
#include "symex/engine.h"

#include "base/die.h"

#include <assert.h>
#include <stdlib.h>

struct live {
    struct sx_state *s; // NULL: it has ended
    enum sx_stop stop;
    struct sx_effect operation;
    VEC(struct sx_choice) choices;
    uint64_t value; // of what is being pinned
    bool **entered; // by function, by block; NULL: none of it
};

struct sx_stack {
    struct frame *top;
    uint32_t depth;
};

struct sx_run *sx_live(struct symex *x)
{
    static const struct sx_follow values;
    struct sx_start start = {.pre = IR_NOTHING,
                             .cls = IR_NOTHING,
                             .msg = IR_NOTHING,
                             .follow = &values};
    struct sx_run *r = sx_run_new(x, &start);
    r->live = need_zero(sizeof *r->live);
    r->live->s = state_new(r);
    r->live->entered = need_zero((r->ir->fns.n + 1) * sizeof(bool *));
    return r;
}

// States that ended are the run's.
void live_free(struct sx_run *r)
{
    struct live *l = r->live;
    if (!l)
        return;
    if (l->s)
        state_free(l->s);
    for (uint32_t i = 0; i < r->ir->fns.n; i++)
        free(l->entered[i]);
    free(l->entered);
    vec_free(&l->choices);
    free(l);
}

// ---- values and memory --------------------------------------------------

static struct sx_state *state_of(const struct sx_run *r)
{
    return r->live->s ? r->live->s : r->done.at[0]->state;
}

term sx_variable(struct sx_run *r, const char *name, unsigned bits,
                 enum term_kind kind, u128 value)
{
    term v = term_var(r->ts, name, bits, kind);
    path_set(r->ts, &state_of(r)->path, v, value);
    return v;
}

void sx_suppose(struct sx_run *r, term condition)
{
    learn(r, state_of(r), condition);
}

term sx_object(struct sx_run *r, uint64_t size)
{
    return allocate(r, state_of(r), term_const(r->ts, 64, size), FILL_ZERO,
                    true);
}

void sx_put(struct sx_run *r, term object, uint64_t offset, term value)
{
    struct sx_state *s = state_of(r);
    uint64_t at = (uint64_t)term_value(r->ts, object);
    const struct object *o = object_at(r, s, (uint32_t)(at >> SX_OFFSET_BITS));
    cell_write(r, s, o, offset, value);
}

static bool has_ended(struct sx_run *r)
{
    if (r->done.n)
        r->live->s = NULL;
    return r->done.n;
}

term sx_copy(struct sx_run *r, term from, uint64_t size)
{
    term to = sx_object(r, size ? size : 1);
    if (size && !term_is(r->ts, from, 0))
        copy_bytes(r, state_of(r), to, from, size);
    return has_ended(r) ? TERM_NONE : to;
}

bool sx_pin(struct sx_run *r, term t)
{
    uint64_t value;
    if (t && !term_is_const(r->ts, t))
        pin(r, state_of(r), t, "a value", &value);
    return !has_ended(r);
}

// ---- calls --------------------------------------------------------------

bool sx_call(struct sx_run *r, uint32_t fn, const term *args, uint32_t n)
{
    struct live *l = r->live;
    const struct ir_fn *f = r->ir->fns.at[fn];
    assert(l->s && !l->s->top);
    if (f->defined && call_fn(r, l->s, f, args, n, FOR_CALLER))
        return true;
    if (!f->defined) {
        state_push(r, l->s, f, FOR_CALLER); // an end has a place
        finish_unsupported(r, l->s, "a function without a body");
    }
    l->s = NULL;
    return false;
}

enum sx_stop sx_go(struct sx_run *r)
{
    struct live *l = r->live;
    l->stop = SX_STOP_END;
    while (l->s && step(r, l->s)) {
        if (r->x->stop && r->x->counts.steps % 256 == 0 &&
            r->x->stop(r->x->stop_self))
            finish_spent(r, l->s);
        if (r->done.n)
            break;
    }
    has_ended(r);
    return l->s ? l->stop : SX_STOP_END;
}

bool live_operation(struct sx_run *r, struct sx_state *s,
                    const struct ir_inst *i)
{
    struct live *l = r->live;
    if (effect_of(r, s, i, &l->operation))
        l->stop = SX_STOP_OPERATION;
    return false;
}

bool live_returned(struct sx_run *r, struct sx_state *s)
{
    state_pop(r, s);
    s->split = false;
    r->live->stop = SX_STOP_RETURN;
    return false;
}

const struct sx_effect *sx_operation(const struct sx_run *r)
{
    return &r->live->operation;
}

void sx_answer(struct sx_run *r, term result)
{
    struct sx_state *s = r->live->s;
    const struct ir_inst *i = &s->top->f->insts.at[s->top->at];
    if (i->type.kind == IR_VOID)
        result = TERM_NONE;
    else if (i->type.kind == IR_INT && i->type.bits < term_bits(r->ts, result))
        result = term_slice(r->ts, result, 0, i->type.bits);
    advance(r, s, result);
}

struct sx_stack *sx_aside(struct sx_run *r)
{
    struct sx_state *s = r->live->s;
    struct sx_stack *stack = need(sizeof *stack);
    *stack = (struct sx_stack){s->top, s->depth};
    s->top = NULL;
    s->depth = 0;
    return stack;
}

void sx_back(struct sx_run *r, struct sx_stack *stack)
{
    struct sx_state *s = r->live->s;
    assert(!s->top);
    s->top = stack->top;
    s->depth = stack->depth;
    free(stack);
}

void sx_stack_free(struct sx_stack *stack)
{
    if (!stack)
        return;
    frame_drop(stack->top);
    free(stack);
}

const struct sx_path *sx_ended(const struct sx_run *r)
{
    return r->done.n ? r->done.at[0] : NULL;
}

// ---- choices ------------------------------------------------------------

uint32_t live_count(const struct sx_run *r)
{
    return r->live ? r->live->choices.n : 0;
}

void live_choice(struct sx_run *r, struct sx_state *s, term goal)
{
    if (!r->live || term_is_false(r->ts, goal) || !s->top)
        return;
    struct sx_choice c = {.fn = s->top->f->id,
                          .block = s->top->block,
                          .inst = s->top->at,
                          .side = IR_NOTHING,
                          .goal = goal,
                          .value = r->live->value,
                          .conditions = s->path.n,
                          .facts = s->path.n_facts};
    vec_push(&r->live->choices, c);
}

void live_select(struct sx_run *r, struct sx_state *s, term condition)
{
    uint32_t before = live_count(r);
    if (!r->live || !r->o.selects || term_is_const(r->ts, condition) ||
        path_decides(r->ts, &s->path, condition) >= 0)
        return;
    bool yes = state_eval(r, s, condition) != 0;
    live_choice(r, s, yes ? term_not(r->ts, condition) : condition);
    live_side(r, before, yes);
}

void live_pin(struct sx_run *r, struct sx_state *s, term t, uint64_t n)
{
    if (!r->live)
        return;
    r->live->value = n;
    live_choice(
        r, s, term_eq(r->ts, t, term_const(r->ts, term_bits(r->ts, t), n + 1)));
}

void live_mark(struct sx_run *r, uint64_t what)
{
    if (r->live)
        r->live->value = what;
}

void live_pinned(struct sx_run *r)
{
    if (r->live)
        r->live->value = 0;
}

void live_side(struct sx_run *r, uint32_t before, uint32_t side)
{
    if (!r->live || r->live->choices.n == before)
        return;
    if (side == SX_NO_SIDE)
        r->live->choices.n = before;
    for (uint32_t i = before; i < r->live->choices.n; i++)
        r->live->choices.at[i].side = side;
}

uint32_t sx_choices(const struct sx_run *r, const struct sx_choice **out)
{
    *out = r->live->choices.at;
    return r->live->choices.n;
}

struct path sx_path_before(const struct sx_run *r, const struct sx_choice *c)
{
    struct path p = path_fork(&state_of(r)->path);
    p.n = c->conditions;
    p.n_facts = c->facts;
    return p;
}

const struct model *sx_values(const struct sx_run *r)
{
    const struct model *m = state_of(r)->path.model;
    return m ? m : r->zero;
}

// ---- blocks -------------------------------------------------------------

void live_entered(struct sx_run *r, uint32_t fn, uint32_t block)
{
    struct live *l = r->live;
    if (!l)
        return;
    if (!l->entered[fn])
        l->entered[fn] = need_zero(r->ir->fns.at[fn]->blocks.n + 1);
    l->entered[fn][block] = true;
}

bool sx_entered(const struct sx_run *r, uint32_t fn, uint32_t block)
{
    return r->live->entered[fn] && r->live->entered[fn][block];
}
