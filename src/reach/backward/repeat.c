// Counters: one handler many times, as one step.
//
// All ways of a handler that change each demanded cell by the same constant are
// one group, whatever else they do: the one that a test `x == 100` in the
// handler lets through only once, and the one for all other values.  n turns
// add n times the constant, in the cell's own width.  Where the group does not
// take every state and message, its condition is asked for at the first and at
// the last turn; a replay decides about those between.
#include "reach/backward/backward.h"

#include "base/die.h"

#include <stdlib.h>

enum { CASES_MOST = 64, CELLS_MOST = 64 };

struct counting {
    struct backward *b;
    const struct node *n;
    uint32_t cast, handler;
    uint32_t n_cells;
    const struct demand *cells[CELLS_MOST]; // demanded of the actor
    uint64_t delta[CELLS_MOST];
    uint32_t n_cases;
    const struct sx_path *cases[CASES_MOST]; // of the group
    struct summary_case one;                 // of the group
};

static bool plain(const struct summary_case *c)
{
    const struct sx_path *p = c->path;
    return !c->heap && p->n_segments == 1 && !p->segments[0].stopped &&
           p->segments[0].behaviour == IR_NOTHING && !c->n_children;
}

// How the case changes a cell; false: not by a constant.
static bool change(struct counting *g, const struct sx_path *p,
                   const struct demand *d, uint64_t *delta)
{
    struct terms *ts = g->b->ts;
    const struct sx_segment *s = &p->segments[0];
    *delta = 0;
    if (!writes_touch(ts, s->writes, s->n_writes, d->offset, d->bytes))
        return true;
    for (uint32_t k = 0; k < p->n_cells; k++) {
        const struct sx_cell *c = &p->cells[k];
        if (c->place.from != SX_SELF || c->place.index != 0 ||
            c->place.offset != d->offset || c->bytes != d->bytes ||
            d->bytes > 8)
            continue;
        term now = writes_read(ts, s->writes, s->n_writes, d->offset, d->bytes,
                               c->value);
        struct term_sum sum = term_as_sum(ts, now);
        *delta = sum.constant;
        return sum.base == c->value;
    }
    return false;
}

static bool changes(struct counting *g, const struct sx_path *p,
                    uint64_t *delta)
{
    bool any = false;
    for (uint32_t i = 0; i < g->n_cells; i++) {
        if (!change(g, p, g->cells[i], &delta[i]))
            return false;
        any |= delta[i] != 0;
    }
    return any;
}

static bool same(const struct counting *g, const uint64_t *delta)
{
    for (uint32_t i = 0; i < g->n_cells; i++)
        if (g->delta[i] != delta[i])
            return false;
    return true;
}

// The `which`-th group of the handler's cases.
static bool find_group(struct counting *g, uint32_t which)
{
    struct backward *b = g->b;
    const struct summary_case *c;
    uint64_t delta[CELLS_MOST], seen[4][CELLS_MOST];
    uint32_t n_seen = 0;
    for (uint32_t i = 0;
         i < CASES_MOST && (c = backward_case(b, g->handler, i)); i++) {
        if (!plain(c) || !changes(g, c->path, delta))
            continue;
        uint32_t k = 0;
        for (; k < n_seen; k++) {
            for (uint32_t j = 0; j < g->n_cells; j++)
                g->delta[j] = seen[k][j];
            if (same(g, delta))
                break;
        }
        if (k == 4)
            continue;
        for (uint32_t j = 0; k == n_seen && j < g->n_cells; j++)
            seen[k][j] = delta[j];
        n_seen += k == n_seen;
        if (k != which)
            continue;
        g->cases[g->n_cases++] = c->path;
        g->one = *c;
    }
    for (uint32_t j = 0; which < n_seen && j < g->n_cells; j++)
        g->delta[j] = seen[which][j];
    return g->n_cases > 0;
}

// ---- the step of n turns --------------------------------------------------

struct turning {
    struct counting *g;
    struct node *to;
    struct instance *of; // its cells are those of the message
    term times;
    term cells[CELLS_MOST]; // before the first turn
};

static term times_delta(struct turning *t, uint32_t cell, term times)
{
    struct terms *ts = t->g->b->ts;
    unsigned bits = t->g->cells[cell]->bytes * 8;
    term n = bits < 32   ? term_slice(ts, times, 0, bits)
             : bits > 32 ? term_convert(ts, IR_ZEXT, bits, times)
                         : times;
    return term_binary(ts, IR_MUL, n, term_const(ts, bits, t->g->delta[cell]));
}

static term cell_in_turn(struct turning *t, const struct sx_cell *c, term turn)
{
    for (uint32_t i = 0; i < t->g->n_cells; i++)
        if (t->g->cells[i]->offset == (uint64_t)c->place.offset &&
            t->g->cells[i]->bytes == c->bytes)
            return term_binary(t->g->b->ts, IR_ADD, t->cells[i],
                               times_delta(t, i, turn));
    return TERM_NONE;
}

static term variable(struct terms *ts, term like)
{
    uint32_t v = term_var_index(ts, like);
    return term_var(ts, term_var_name(ts, v), term_bits(ts, like),
                    term_var_kind(ts, v));
}

// The condition of one case in a turn, counted from 0.
static term case_in_turn(struct turning *t, const struct sx_path *p, term turn)
{
    struct terms *ts = t->g->b->ts;
    struct term_subst *s = term_subst_new(ts);
    term all = term_bool(ts, true);
    for (uint32_t k = 0; k < p->n_cells; k++) {
        const struct sx_cell *c = &p->cells[k];
        term v = TERM_NONE;
        if (c->place.from == SX_SELF)
            v = cell_in_turn(t, c, turn);
        else if (c->place.from == SX_MESSAGE)
            v = instance_cell(t->of, SX_MESSAGE, 0, c->place.offset, c->bytes);
        else if (c->place.from == SX_OPERATION && c->place.index == SX_ME)
            v = term_const(ts, 64, t->of->actor);
        term_subst_set(s, c->value, v ? v : variable(ts, c->value));
    }
    for (uint32_t i = 0; i < p->n_conditions; i++)
        all = term_and(ts, all, term_subst(s, p->conditions[i]));
    term_subst_free(s);
    return all;
}

static term group_in_turn(struct turning *t, term turn)
{
    struct terms *ts = t->g->b->ts;
    term any = term_bool(ts, false);
    for (uint32_t i = 0; i < t->g->n_cases; i++)
        any = term_or(ts, any, case_in_turn(t, t->g->cases[i], turn));
    return any;
}

// Cells of the message that any case of the group looks at.
static struct instance *message_of(struct counting *g)
{
    struct backward *b = g->b;
    struct sx_path *p = arena_copy(&b->arena, g->one.path, sizeof *p);
    VEC(struct sx_cell) cells = {0};
    struct summary_case c = g->one;
    for (uint32_t i = 0; i < g->n_cases; i++)
        for (uint32_t k = 0; k < g->cases[i]->n_cells; k++) {
            const struct sx_cell *cell = &g->cases[i]->cells[k];
            bool known = cell->place.from != SX_MESSAGE;
            for (uint32_t j = 0; j < cells.n; j++)
                known |= cells.at[j].value == cell->value;
            if (!known)
                vec_push(&cells, *cell);
        }
    p->cells = arena_copy(&b->arena, cells.at, cells.n * sizeof *cells.at);
    p->n_cells = cells.n;
    vec_free(&cells);
    c.path = p;
    return instance_new(b, g->n->cast.at[g->cast].number, g->handler, &c);
}

static void count_cells(struct turning *t)
{
    struct counting *g = t->g;
    struct terms *ts = g->b->ts;
    struct node *to = t->to;
    struct term_subst *s = term_subst_new(ts);
    for (uint32_t i = 0; i < g->n_cells; i++) {
        t->cells[i] = variable(ts, g->cells[i]->var);
        term_subst_set(
            s, g->cells[i]->var,
            term_binary(ts, IR_ADD, t->cells[i], times_delta(t, i, t->times)));
    }
    for (uint32_t i = 0; i < to->conditions.n; i++)
        to->conditions.at[i] = term_subst(s, to->conditions.at[i]);
    for (uint32_t i = 0; i < to->demands.n; i++)
        for (uint32_t k = 0; k < g->n_cells; k++)
            if (to->demands.at[i].var == g->cells[k]->var)
                to->demands.at[i].var = t->cells[k];
    term_subst_free(s);
}

// Guards are left out where the group takes everything.
static void guard_turns(struct turning *t)
{
    struct terms *ts = t->g->b->ts;
    term first = group_in_turn(t, term_const(ts, 32, 0));
    term none = term_not(ts, first);
    if (term_is_true(ts, first) ||
        solver_check(t->g->b->solver, &none, 1, NULL) == SOLVER_UNSAT)
        return;
    term last = term_binary(ts, IR_SUB, t->times, term_const(ts, 32, 1));
    vec_push(&t->to->conditions, first);
    vec_push(&t->to->conditions, group_in_turn(t, last));
}

static bool blocks_channels(const struct counting *g)
{
    uint32_t actor = g->n->cast.at[g->cast].number;
    for (uint32_t i = 0; i < g->n->channels.n; i++)
        if (g->n->channels.at[i].from == actor)
            return g->b->delivery != DELIVERY_ANY;
    return false;
}

struct node *node_repeat(struct backward *b, const struct node *n,
                         uint32_t cast, uint32_t handler, uint32_t which)
{
    struct counting g = {.b = b, .n = n, .cast = cast, .handler = handler};
    const struct cast *a = &n->cast.at[cast];
    uint32_t row = b->handlers.at[handler].behaviour;
    for (uint32_t i = 0; i < n->demands.n && g.n_cells < CELLS_MOST; i++)
        if (n->demands.at[i].actor == a->number)
            g.cells[g.n_cells++] = &n->demands.at[i];
    for (uint32_t i = 0; i < n->pendings.n; i++)
        if (n->pendings.at[i].of->actor == a->number)
            return NULL;
    if (!g.n_cells || a->made ||
        (a->behaviour != IR_NOTHING && a->behaviour != row) ||
        !find_group(&g, which) || blocks_channels(&g))
        return NULL;
    struct turning t = {.g = &g, .to = node_copy(b, n)};
    t.of = message_of(&g);
    t.times = term_var(b->ts, "times", 32, TERM_INT);
    count_cells(&t);
    guard_turns(&t);
    vec_push(&t.to->conditions,
             term_ne(b->ts, t.times, term_const(b->ts, 32, 0)));
    vec_push(&t.to->counts, t.times);
    node_outside(b, t.to, t.of);
    struct path_step *step = arena_zero(&b->arena, sizeof *step);
    *step = (struct path_step){.later = n->path,
                               .kind = STEP_POST,
                               .of = t.of,
                               .position = n->length + 1,
                               .times = t.times};
    t.to->path = step;
    t.to->length++;
    t.to->cast.at[cast].behaviour = row;
    t.to->cast.at[cast].steps++;
    t.to->repeated = handler;
    if (node_tidy(b, t.to))
        return t.to;
    node_free(t.to);
    return NULL;
}
