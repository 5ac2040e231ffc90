// Facts that may hold under a condition on another cell: in one mode of an
// actor, or of the part of an array that is in use.
#include "reach/proof/guess.h"

#include <stdlib.h>
#include <string.h>

enum {
    VALUES_MOST = 8, // of one mode
    MODES_MOST = 3,  // of one state
    CELLS_TRIED = 6, // that a mode may decide about
    ELEMENTS_MOST = 16,
    COUNTS_MOST = 3
};

// A cell that is only ever set to constants: a number of a state machine.
struct mode {
    uint32_t cell, n;
    uint64_t values[VALUES_MOST];
};

// ---- modes --------------------------------------------------------------

static bool add_value(struct mode *m, uint64_t v)
{
    for (uint32_t i = 0; i < m->n; i++)
        if (m->values[i] == v)
            return true;
    if (m->n == VALUES_MOST)
        return false;
    m->values[m->n++] = v;
    return true;
}

// A condition on which bytes of the term depend, TERM_NONE: none is seen.
static term choice_in(struct terms *ts, term t)
{
    if (term_op(ts, t) == IR_SELECT)
        return term_arg(ts, t, 0);
    if (term_op(ts, t) != TERM_CONCAT)
        return TERM_NONE;
    term c = choice_in(ts, term_arg(ts, t, 0));
    return c ? c : choice_in(ts, term_arg(ts, t, 1));
}

static term chosen(struct terms *ts, term t, term c, uint32_t side)
{
    if (term_op(ts, t) == IR_SELECT && term_arg(ts, t, 0) == c)
        return term_arg(ts, t, side);
    if (term_op(ts, t) != TERM_CONCAT)
        return t;
    return term_concat(ts, chosen(ts, term_arg(ts, t, 0), c, side),
                       chosen(ts, term_arg(ts, t, 1), c, side));
}

// Is the term `kept`, or one of some constants?  These are noted.  Of a choice
// one side is enough: the other may be a write beyond an array.
static bool add_values(struct terms *ts, struct mode *m, term t,
                       const term *kept, uint32_t n_kept)
{
    for (uint32_t i = 0; i < n_kept; i++)
        if (kept[i] == t)
            return true;
    if (term_is_const(ts, t))
        return add_value(m, (uint64_t)term_value(ts, t));
    if (term_op(ts, t) == IR_SELECT) {
        bool one = add_values(ts, m, term_arg(ts, t, 1), kept, n_kept);
        return add_values(ts, m, term_arg(ts, t, 2), kept, n_kept) || one;
    }
    term c = choice_in(ts, t);
    if (term_op(ts, t) == TERM_CONCAT && c)
        return add_values(ts, m, chosen(ts, t, c, 1), kept, n_kept) &&
               add_values(ts, m, chosen(ts, t, c, 2), kept, n_kept);
    struct term_range range = term_range(ts, t);
    return range.lo == 0 && range.hi == 1 && add_value(m, 0) && add_value(m, 1);
}

static bool mode_of_rule(struct proofs *p, const struct shape *shape,
                         const struct rule *r, struct mode *m)
{
    term kept[8];
    uint32_t n = 0;
    for (uint32_t i = 0; i < r->n_ifs && n < 8; i++)
        if (subject_of(p, r->ifs[i].subject)->shape == shape)
            kept[n++] = r->ifs[i].values[m->cell];
    for (uint32_t i = 0; i < r->n_thens; i++)
        if (subject_of(p, r->thens[i].subject)->shape == shape &&
            !add_values(p->ts, m, r->thens[i].values[m->cell], kept, n))
            return false;
    return true;
}

static bool is_mode(struct making *g, uint32_t cell, struct mode *m)
{
    const struct shape *shape = g->s->shape;
    *m = (struct mode){.cell = cell};
    if (!shape->wanted[cell] || !guess_is_number(&shape->at[cell]))
        return false;
    for (uint32_t i = 0; i < g->p->rules.n; i++)
        if (!mode_of_rule(g->p, shape, &g->p->rules.at[i], m))
            return false;
    return m->n > 1;
}

static void guarded(struct making *g, term unless, term t)
{
    guess_fact(g, term_or(g->p->ts, unless, t));
}

static void of_modes(struct making *g, const struct mode *a,
                     const struct mode *b)
{
    struct terms *ts = g->p->ts;
    const struct cell *ca = &g->s->shape->at[a->cell];
    const struct cell *cb = &g->s->shape->at[b->cell];
    for (uint32_t i = 0; i < a->n; i++)
        for (uint32_t k = 0; k < b->n; k++) {
            guarded(g, term_ne(ts, ca->var, guess_number(g, ca, a->values[i])),
                    term_ne(ts, cb->var, guess_number(g, cb, b->values[k])));
            guess_chain(g);
        }
}

static void of_cell(struct making *g, term unless, const struct cell *c)
{
    struct terms *ts = g->p->ts;
    term zero = guess_number(g, c, 0);
    guarded(g, unless, term_eq(ts, c->var, zero));
    guess_chain(g);
    guarded(g, unless, term_ne(ts, c->var, zero));
    guess_chain(g);
    if (c->kind != CELL_SIGNED)
        return;
    guarded(g, unless, term_binary(ts, IR_SLT, zero, c->var));
    guarded(g, unless, term_binary(ts, IR_SLE, zero, c->var));
    guess_chain(g);
}

static void of_pair(struct making *g, term unless, const struct cell *a,
                    const struct cell *b)
{
    struct terms *ts = g->p->ts;
    if (a->bytes != b->bytes || a->kind != b->kind)
        return;
    bool is_signed = a->kind == CELL_SIGNED;
    enum ir_op lt = is_signed ? IR_SLT : IR_ULT;
    enum ir_op le = is_signed ? IR_SLE : IR_ULE;
    for (int turn = 0; turn < 2; turn++) {
        const struct cell *x = turn ? b : a, *y = turn ? a : b;
        guarded(g, unless, term_binary(ts, lt, x->var, y->var));
        guarded(g, unless, term_binary(ts, le, x->var, y->var));
        guess_chain(g);
    }
    guarded(g, unless, term_eq(ts, a->var, b->var));
    guess_chain(g);
}

static bool is_one_of(const struct mode *modes, uint32_t n, uint32_t cell)
{
    for (uint32_t i = 0; i < n; i++)
        if (modes[i].cell == cell)
            return true;
    return false;
}

static void in_mode(struct making *g, const struct mode *m, const uint32_t *at,
                    uint32_t n)
{
    struct terms *ts = g->p->ts;
    const struct cell *cells = g->s->shape->at, *c = &cells[m->cell];
    term one_of = term_bool(ts, false);
    for (uint32_t v = 0; v < m->n; v++) {
        term value = guess_number(g, c, m->values[v]);
        term unless = term_ne(ts, c->var, value);
        one_of = term_or(ts, one_of, term_eq(ts, c->var, value));
        for (uint32_t i = 0; i < n; i++) {
            of_cell(g, unless, &cells[at[i]]);
            for (uint32_t k = i + 1; k < n; k++)
                of_pair(g, unless, &cells[at[i]], &cells[at[k]]);
        }
    }
    guess_fact(g, one_of);
    guess_chain(g);
}

static void of_all_modes(struct making *g)
{
    const struct shape *shape = g->s->shape;
    struct mode modes[MODES_MOST];
    uint32_t n = 0, others[CELLS_TRIED], n_others = 0;
    for (uint32_t i = 0; i < shape->n && n < MODES_MOST; i++)
        n += is_mode(g, i, &modes[n]);
    for (uint32_t i = 0; i < shape->n && n_others < CELLS_TRIED; i++)
        if (shape->wanted[i] && shape->at[i].kind != CELL_FLOAT &&
            !is_one_of(modes, n, i))
            others[n_others++] = i;
    for (uint32_t i = 0; i < n; i++) {
        in_mode(g, &modes[i], others, n_others);
        for (uint32_t k = i + 1; k < n; k++)
            of_modes(g, &modes[i], &modes[k]);
    }
}

// ---- arrays -------------------------------------------------------------

// The index of an element by its name, "self->row[3].key"; false: it is none.
static bool index_of(const struct cell *c, uint64_t *index)
{
    const char *at = strrchr(c->name, '[');
    if (!at || strchr(c->name, '[') != at)
        return false;
    *index = strtoull(at + 1, NULL, 10);
    return true;
}

// The same element but for the index?
static bool is_next(const struct cell *a, const struct cell *b)
{
    uint64_t i, k;
    if (!index_of(a, &i) || !index_of(b, &k) || k != i + 1)
        return false;
    size_t stem = (size_t)(strrchr(a->name, '[') - a->name);
    return strncmp(a->name, b->name, stem + 1) == 0 &&
           strcmp(strchr(a->name, ']'), strchr(b->name, ']')) == 0 &&
           a->bytes == b->bytes && a->kind == b->kind;
}

static term not_above(struct making *g, const struct cell *count, uint64_t v)
{
    enum ir_op le = count->kind == CELL_SIGNED ? IR_SLE : IR_ULE;
    return term_binary(g->p->ts, le, count->var, guess_number(g, count, v));
}

static void of_element(struct making *g, const struct cell *count,
                       const struct cell *c, uint64_t index)
{
    struct terms *ts = g->p->ts;
    term unless = not_above(g, count, index);
    of_cell(g, unless, c);
    if (c->kind == CELL_POINTER)
        return;
    term bit = guess_number(g, c, 1);
    for (uint64_t odd = 0; odd < 2; odd++) {
        guarded(g, unless,
                term_eq(ts, term_binary(ts, IR_AND, c->var, bit),
                        guess_number(g, c, odd)));
        guess_chain(g);
    }
}

static void of_order(struct making *g, const struct cell *count,
                     const struct cell *a, const struct cell *b, uint64_t next)
{
    enum ir_op le = a->kind == CELL_SIGNED ? IR_SLE : IR_ULE;
    guarded(g, not_above(g, count, next),
            term_binary(g->p->ts, le, a->var, b->var));
    guess_chain(g);
}

// What lies below a number that may count the elements in use.
static void in_use(struct making *g, const struct cell *count)
{
    const struct shape *shape = g->s->shape;
    uint32_t n = 0;
    for (uint32_t i = 0; i < shape->n && n < ELEMENTS_MOST; i++) {
        const struct cell *c = &shape->at[i];
        uint64_t index;
        if (!shape->wanted[i] || c->kind == CELL_FLOAT || !index_of(c, &index))
            continue;
        n++;
        of_element(g, count, c, index);
        for (uint32_t k = i + 1; k < shape->n; k++)
            if (guess_is_number(c) && is_next(c, &shape->at[k]) &&
                shape->wanted[k])
                of_order(g, count, c, &shape->at[k], index + 1);
    }
}

void guess_conditional(struct making *g)
{
    const struct shape *shape = g->s->shape;
    uint64_t index;
    uint32_t counts = 0;
    if (g->s->about != ABOUT_STATE)
        return;
    of_all_modes(g);
    for (uint32_t i = 0; i < shape->n && counts < COUNTS_MOST; i++)
        if (shape->wanted[i] && guess_is_number(&shape->at[i]) &&
            !index_of(&shape->at[i], &index)) {
            counts++;
            in_use(g, &shape->at[i]);
        }
}
