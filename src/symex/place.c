// Where memory lies: what a path cannot know.
//
// Objects of a path have numbers, not addresses.  What asks for the order of
// two objects, for an address as a number, or whether a new block is where a
// freed one was, is decided by those numbers, and the path says so (SX_PLACED).
#include "symex/engine.h"
#include "symex/summary.h"

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

// The input reference that a leaf is, MAP_NONE if it is none.
static uint32_t input_of(const struct sx_run *r, const struct leaf *l)
{
    return term_is_const(r->ts, l->object)
               ? map_get(&r->ref_of_own, (uint32_t)term_value(r->ts, l->object))
               : input_ref_of(r, l->object);
}

static bool is_global(const struct sx_run *r, const struct leaf *l)
{
    uint64_t n = term_is_const(r->ts, l->object)
                     ? (uint64_t)term_value(r->ts, l->object)
                     : 0;
    return n >= SX_GLOBALS && n < SX_MADE;
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
    uint32_t c = input_of(r, x), d = input_of(r, y);
    if (c != MAP_NONE && d != MAP_NONE)
        return r->refs.at[c].region != r->refs.at[d].region ||
               x->offset != y->offset;
    if ((c != MAP_NONE && is_global(r, y)) ||
        (d != MAP_NONE && is_global(r, x)))
        return true;
    return (new_a && (!b || b->freed)) || (new_b && (!a || a->freed));
}

static uint32_t global_of(const struct sx_run *r, const struct leaf *l)
{
    return (uint32_t)term_value(r->ts, l->object) - SX_GLOBALS;
}

// Pointers that a function is given lead to the beginning of an object, and to
// one object only if they are of one type.  Can these two be one place all the
// same: in the middle of an object, in one of another type, in a variable?
static bool asks_inputs(struct sx_run *r, struct sx_state *s, enum ir_op op,
                        const struct leaf *x, const struct leaf *y)
{
    (void)s;
    if (!x->object || !y->object || is_null(r, x) || is_null(r, y) ||
        x->object == y->object)
        return false;
    uint32_t a = input_of(r, x), b = input_of(r, y);
    if ((op != IR_EQ && op != IR_NE) || x->offset != y->offset)
        hint_middle(r, a, b);
    if (a != MAP_NONE && b != MAP_NONE &&
        r->refs.at[a].region != r->refs.at[b].region) {
        hint_inside(r, a, b, y->offset);
        hint_inside(r, b, a, x->offset);
    }
    if (a != MAP_NONE && is_global(r, y))
        hint_variable(r, a, global_of(r, y));
    if (b != MAP_NONE && is_global(r, x))
        hint_variable(r, b, global_of(r, x));
    if (op != IR_EQ && op != IR_NE)
        return true;
    if (a == MAP_NONE || b == MAP_NONE)
        return (a != MAP_NONE && is_global(r, y)) ||
               (b != MAP_NONE && is_global(r, x));
    return r->refs.at[a].region != r->refs.at[b].region ||
           x->offset != y->offset;
}

typedef bool asks_fn(struct sx_run *r, struct sx_state *s, enum ir_op op,
                     const struct leaf *x, const struct leaf *y);

static bool compares_places(struct sx_run *r, struct sx_state *s, enum ir_op op,
                            term a, term b, asks_fn *asks)
{
    struct leaf x[LEAVES_MAX], y[LEAVES_MAX];
    uint32_t n = leaves(r, s, a, x), m = leaves(r, s, b, y);
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = 0; k < m; k++)
            if (asks(r, s, op, &x[i], &y[k]))
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

// The difference of two addresses, each a pointer just before.
static bool subtracts_places(struct sx_run *r, struct sx_state *s, term a,
                             term b)
{
    struct sx_pointer x, y;
    bool both = sx_pointer(r->ts, a, &x) && sx_pointer(r->ts, b, &y);
    if (both && x.object == y.object)
        return false;
    if (both)
        hint_middle(r, input_ref_of(r, x.object), input_ref_of(r, y.object));
    return has_memory(r, s, a) && has_memory(r, s, b);
}

// A comparison of two pointers neither of which is null by its form.
static bool compares_two(const struct sx_run *r, const struct ir_inst *i,
                         const struct ir_type *types, const term *a)
{
    return types[0].kind == IR_PTR && i->op >= IR_EQ && i->op <= IR_SLE &&
           !term_is(r->ts, a[0], 0) && !term_is(r->ts, a[1], 0);
}

void note_called(struct sx_run *r, struct sx_state *s, const struct sum_tree *m)
{
    if (!m->placed)
        return;
    s->labels |= SX_PLACED;
    if (r->making)
        r->making->placed = true;
}

bool note_places(struct sx_run *r, struct sx_state *s, const struct ir_inst *i,
                 const struct ir_type *types, const term *a)
{
    bool asks = false;
    if (r->live || s->scene)
        return true;
    if (r->making &&
        (compares_two(r, i, types, a) || is_distance(s->top->f, i)))
        r->making->placed = true; // the caller's pointers are not known here
    asks_fn *which = r->start.handler ? asks_places : asks_inputs;
    if (types[0].kind == IR_PTR && i->op >= IR_EQ && i->op <= IR_SLE)
        asks = compares_places(r, s, (enum ir_op)i->op, a[0], a[1], which);
    else if (types[0].kind == IR_PTR && i->op == IR_PTRTOINT)
        asks = has_memory(r, s, a[0]) && !only_distances(s->top->f, i);
    else if (!r->start.handler && is_distance(s->top->f, i))
        asks = subtracts_places(r, s, a[0], a[1]);
    if (asks)
        s->labels |= SX_PLACED;
    bool orders = types[0].kind == IR_PTR && i->op >= IR_ULT && i->op <= IR_SLE;
    return r->start.handler || !(orders || is_distance(s->top->f, i)) ||
           hint_one_object(r, s, a[0], a[1]);
}
