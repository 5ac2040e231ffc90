// Where memory lies: what a path cannot know.
//
// Objects of a path have numbers, not addresses.  What asks for the order of
// two objects, for an address as a number, or whether a new block is where a
// freed one was, is decided by those numbers, and the path says so (SX_PLACED).
#include "symex/engine.h"

static bool is_distance(const struct ir_fn *f, const struct ir_inst *i)
{
    if (i->op != IR_SUB)
        return false;
    for (uint32_t k = 0; k < 2; k++) {
        ir_id v = ir_args(f, i)[k];
        if (ir_is_const(v) || f->insts.at[v].op != IR_PTRTOINT)
            return false;
    }
    return true;
}

// Is the number used for distances only?
static bool only_distances(const struct ir_fn *f, const struct ir_inst *number)
{
    ir_id v = (ir_id)(number - f->insts.at);
    for (uint32_t n = 0; n < f->insts.n; n++) {
        const struct ir_inst *i = &f->insts.at[n];
        for (uint32_t k = 0; k < i->n; k++)
            if (ir_args(f, i)[k] == v && !is_distance(f, i))
                return false;
    }
    return true;
}

static const struct object *made(struct sx_run *r, struct sx_state *s,
                                 const struct leaf *l)
{
    if (!l->object || !term_is_const(r->ts, l->object))
        return NULL;
    return object_at(r, s, (uint32_t)term_value(r->ts, l->object));
}

static bool is_null(const struct sx_run *r, const struct leaf *l)
{
    return l->object && term_is(r->ts, l->object, 0);
}

// Does the answer depend on places?
static bool asks_places(struct sx_run *r, struct sx_state *s, enum ir_op op,
                        const struct leaf *x, const struct leaf *y)
{
    const struct object *a = made(r, s, x), *b = made(r, s, y);
    if (!x->object || !y->object || is_null(r, x) || is_null(r, y) ||
        x->object == y->object)
        return false;
    if (op != IR_EQ && op != IR_NE)
        return true;
    // A block that is there now is another one than all that are there; one
    // that is gone, or a pointer from before, may have been in its place.
    bool new_a = a && a->heap, new_b = b && b->heap;
    return (new_a && (!b || b->freed)) || (new_b && (!a || a->freed));
}

static bool compares_places(struct sx_run *r, struct sx_state *s, enum ir_op op,
                            term a, term b)
{
    struct leaf x[LEAVES_MAX], y[LEAVES_MAX];
    uint32_t n = leaves(r, s, a, x), m = leaves(r, s, b, y);
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = 0; k < m; k++)
            if (asks_places(r, s, op, &x[i], &y[k]))
                return true;
    return !n || !m;
}

static bool has_memory(struct sx_run *r, struct sx_state *s, term a)
{
    struct leaf x[LEAVES_MAX];
    uint32_t n = leaves(r, s, a, x);
    for (uint32_t i = 0; i < n; i++)
        if (x[i].object && !is_null(r, &x[i]))
            return true;
    return !n;
}

void note_places(struct sx_run *r, struct sx_state *s, const struct ir_inst *i,
                 const struct ir_type *types, const term *a)
{
    if (!r->start.handler || r->live || s->scene || types[0].kind != IR_PTR)
        return;
    bool asks = false;
    if (i->op >= IR_EQ && i->op <= IR_SLE)
        asks = compares_places(r, s, (enum ir_op)i->op, a[0], a[1]);
    else if (i->op == IR_PTRTOINT)
        asks = has_memory(r, s, a[0]) && !only_distances(s->top->f, i);
    if (asks)
        s->labels |= SX_PLACED;
}
