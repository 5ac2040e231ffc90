// Conditions: which sides of a condition are possible, and the states that take
// them.
//
// The side that the state's model takes is possible without a question.  Only
// the other side is a question, and most of these are answered by what the path
// knows.
#include "symex/engine.h"

#include <assert.h>

enum { PIN_MAX = 64 }; // values that a term is split into
enum { LENGTH_SHORT = 16, LENGTH_LONG = 4096, LENGTH_MAX = 1 << 16 };

u128 state_eval(struct sx_run *r, const struct sx_state *s, term t)
{
    const struct model *m = s->path.model;
    return term_eval(r->ts, t, m ? m : r->zero);
}

void learn(struct sx_run *r, struct sx_state *s, term condition)
{
    if (path_decides(r->ts, &s->path, condition) != 1)
        path_add(r->ts, &s->path, condition);
}

enum solver_answer ask(struct sx_run *r, const struct sx_state *s,
                       term condition, struct model **m)
{
    r->x->counts.asked++;
    if (r->x->stop && r->x->stop(r->x->stop_self)) {
        r->stopped = true;
        return SOLVER_UNKNOWN;
    }
    return solver_ask(r->solver, &s->path, condition, m);
}

// The state that takes the side that the model does not; NULL if there is none.
static struct sx_state *other_side(struct sx_run *r, struct sx_state *s,
                                   term condition)
{
    struct model *m = NULL;
    switch (ask(r, s, condition, &m)) {
    case SOLVER_UNSAT:
        return NULL;
    case SOLVER_UNKNOWN:
        finish_unknown(r, state_fork(r, s));
        return NULL;
    case SOLVER_SAT:
        break;
    }
    struct sx_state *other = state_fork(r, s);
    path_add(r->ts, &other->path, condition);
    path_take_model(&other->path, m);
    return other;
}

bool decide_both(struct sx_run *r, struct sx_state *s, term condition,
                 struct sx_state **other)
{
    struct terms *ts = r->ts;
    struct sx_counts *c = &r->x->counts;
    *other = NULL;
    c->questions++;
    int known = path_decides(ts, &s->path, condition);
    if (known >= 0) {
        c->folded++;
        return known;
    }
    bool side = path_holds(ts, &s->path, condition);
    term not = term_not(ts, condition);
    if (!r->start.follow)
        *other = other_side(r, s, side ? not : condition);
    if (*other)
        s->split = (*other)->split = true;
    if (r->start.follow)
        s->split = true;
    live_choice(r, s, side ? not : condition);
    path_add(ts, &s->path, side ? condition : not );
    return side;
}

bool decide(struct sx_run *r, struct sx_state *s, term condition)
{
    struct sx_state *other;
    bool side = decide_both(r, s, condition, &other);
    if (other)
        search_add(r, other);
    return side;
}

bool assume(struct sx_run *r, struct sx_state *s, term condition)
{
    struct model *m = NULL;
    int known = path_decides(r->ts, &s->path, condition);
    if (known == 1)
        return true;
    if (known == 0)
        return drop(r, s);
    if (!path_holds(r->ts, &s->path, condition)) {
        enum solver_answer a =
            r->start.follow ? SOLVER_UNSAT : ask(r, s, condition, &m);
        if (a == SOLVER_UNSAT)
            return drop(r, s);
        if (a == SOLVER_UNKNOWN)
            return finish_unknown(r, s);
        path_take_model(&s->path, m);
    }
    path_add(r->ts, &s->path, condition);
    return true;
}

bool trap_if(struct sx_run *r, struct sx_state *s, term bad, uint32_t trap)
{
    struct sx_state *other;
    uint32_t before = live_count(r);
    bool side = decide_both(r, s, bad, &other);
    live_side(r, before, SX_NO_SIDE);
    if (side) {
        if (other)
            search_add(r, other);
        return finish_trap(r, s, trap, NULL);
    }
    if (other)
        finish_trap(r, other, trap, NULL);
    return true;
}

bool pin(struct sx_run *r, struct sx_state *s, term t, const char *what,
         uint64_t *value)
{
    t = path_value(r->ts, &s->path, t);
    if (!term_is_const(r->ts, t)) {
        uint64_t n = (uint64_t)state_eval(r, s, t);
        struct frame *f = state_frame(r, s);
        if (f->pins++ >= PIN_MAX)
            return finish_unsupported(r, s, what);
        live_pin(r, s, t, n);
        // f->pins was counted before: the copy has its own frame and needs the
        // count, too.
        bool is = decide(
            r, s, term_eq(r->ts, t, term_const(r->ts, term_bits(r->ts, t), n)));
        assert(is);
        (void)is;
        live_pinned(r);
        *value = n;
    } else {
        *value = (uint64_t)term_value(r->ts, t);
    }
    state_frame(r, s)->pins = 0;
    return true;
}

static term at_most(struct sx_run *r, term t, uint64_t n)
{
    return term_binary(r->ts, IR_ULE, t,
                       term_const(r->ts, term_bits(r->ts, t), n));
}

bool pin_length(struct sx_run *r, struct sx_state *s, term t, const char *what,
                uint64_t *n)
{
    t = path_value(r->ts, &s->path, t);
    if (!term_is_const(r->ts, t) && !r->start.follow &&
        !decide(r, s, at_most(r, t, LENGTH_SHORT)) &&
        !decide(r, s, at_most(r, t, LENGTH_LONG)))
        return finish_unsupported(r, s, what);
    if (!pin(r, s, t, what, n))
        return false;
    if (!*n)
        s->labels |= SX_NO_BYTES;
    return *n <= LENGTH_MAX || finish_unsupported(r, s, what);
}
