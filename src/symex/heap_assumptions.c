// Assumptions on the heap that a precondition makes: unit_distinct(),
// unit_apart(), unit_acyclic(), unit_count() of troupe_unit.h.
//
// Natively these functions walk the objects and return whether the assumption
// holds.  Here they make it hold, also for objects that the path looks at
// later.
#include "symex/engine.h"

#include <string.h>

// The input reference that an argument is, MAP_NONE if it is none.
static uint32_t ref_of(struct sx_run *r, term address)
{
    struct sx_pointer p;
    return sx_pointer(r->ts, address, &p) ? input_ref_of(r, p.object)
                                          : MAP_NONE;
}

static term is_null(struct sx_run *r, term address)
{
    return compare_pointers(r, IR_EQ, address, term_const(r->ts, 64, 0));
}

// Not one object, unless both are null.
static int distinct(struct sx_run *r, const term *a, term *result)
{
    *result = term_or(r->ts, is_null(r, a[0]),
                      compare_pointers(r, IR_NE, a[0], a[1]));
    return 1;
}

// Nothing below one is below the other: also of what is met from now on.
static int apart(struct sx_run *r, struct sx_state *s, const term *a,
                 term *result)
{
    uint32_t x = ref_of(r, a[0]), y = ref_of(r, a[1]);
    *result = term_bool(r->ts, true);
    if (x == MAP_NONE || y == MAP_NONE)
        return 1;
    struct apart *new = arena_get(&r->arena, sizeof *new);
    *new = (struct apart){s->aparts, x, y};
    s->aparts = new;
    for (const struct number *p = s->refs; p; p = p->up)
        for (const struct number *q = p->up; q; q = q->up) {
            const struct sx_ref *b = &r->refs.at[p->n], *c = &r->refs.at[q->n];
            if (b->region != c->region || !refs_apart(r, s, p->n, q->n))
                continue;
            term null =
                term_eq(r->ts, b->var, term_const(r->ts, SX_OBJECT_BITS, 0));
            term ok = term_or(r->ts, null, term_ne(r->ts, b->var, c->var));
            if (!assume(r, s, ok))
                return -1;
        }
    return 1;
}

static int acyclic(struct sx_run *r, struct sx_state *s, term address,
                   term *result)
{
    uint32_t ref = ref_of(r, address);
    *result = term_bool(r->ts, true);
    if (ref != MAP_NONE)
        acyclic_from(r, s, ref);
    return 1;
}

// p points to n elements of `size` bytes.
static int count(struct sx_run *r, struct sx_state *s, const term *a,
                 uint32_t n, term *result)
{
    uint32_t ref = ref_of(r, a[0]);
    term elements = term_convert(r->ts, IR_ZEXT, 64, a[1]);
    uint64_t size = 1;
    *result = term_bool(r->ts, true);
    if (ref == MAP_NONE)
        return 1;
    if (n > 2 && term_is_const(r->ts, a[2]))
        size = (uint64_t)term_value(r->ts, a[2]);
    else if (n == 2)
        size = layout_size(r->ir, r->refs.at[ref].type);
    uint64_t most = (UINT64_C(1) << 16) / (size ? size : 1);
    if (!assume(
            r, s,
            term_binary(r->ts, IR_ULE, elements, term_const(r->ts, 64, most))))
        return -1;
    term bytes =
        term_binary(r->ts, IR_MUL, elements, term_const(r->ts, 64, size));
    region_count(r, s, ref, term_slice(r->ts, bytes, 0, SX_OFFSET_BITS));
    return 1;
}

static term as_result(struct sx_run *r, const struct ir_fn *f, term t)
{
    unsigned bits = f->result.bits;
    return bits > 1 ? term_convert(r->ts, IR_ZEXT, bits, t) : t;
}

int unit_assumption(struct sx_run *r, struct sx_state *s, const struct ir_fn *f,
                    const term *args, uint32_t n, term *result)
{
    int done = 0;
    if (strncmp(f->name, "unit_", 5) != 0 || n < 1)
        return 0;
    if (strcmp(f->name, "unit_distinct") == 0 && n == 2)
        done = distinct(r, args, result);
    else if (strcmp(f->name, "unit_apart") == 0 && n == 2)
        done = apart(r, s, args, result);
    else if (strcmp(f->name, "unit_acyclic") == 0)
        done = acyclic(r, s, args[0], result);
    else if (strcmp(f->name, "unit_count") == 0 && n >= 2)
        done = count(r, s, args, n, result);
    if (done == 1)
        *result = as_result(r, f, *result);
    return done;
}
