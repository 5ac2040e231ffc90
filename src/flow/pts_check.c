// What must hold when the points-to solver has come to its end: nothing is left
// to do, and every copy, load and store is satisfied.  Debug builds look after
// each time (base/debug.h).
#include "flow/pts_inner.h"

#include <assert.h>

static bool is_within(const struct set *a, const struct set *b)
{
    for (struct set_walk w = {.of = a}; set_next(&w);)
        if (!set_has(b, w.x))
            return false;
    return true;
}

static uint32_t standing_for(const struct pts *p, uint32_t node)
{
    for (uint32_t n = 0; p->nodes.at[node].merged != node; n++) {
        node = p->nodes.at[node].merged;
        assert(node < p->nodes.n && n < p->nodes.n);
    }
    return node;
}

// Regions are not empty, the widest stride comes first.
static void check_object(const struct pts_object *o)
{
    assert(!o->is_one || o->blurred);
    assert(!o->blurred || !o->regions.n);
    for (uint32_t i = 0; i < o->regions.n; i++) {
        const struct pts_region *r = &o->regions.at[i];
        assert(r->from < r->to && r->stride);
        assert(!i || r[-1].stride >= r->stride);
    }
}

// What is loaded from a place, or stored there, has come over.
static void check_access(const struct pts *p, const struct pts_constraint *c,
                         uint32_t loc)
{
    const struct pts_object *o = pts_object_at(p, loc);
    bool is_memory = o->kind != OBJECT_FUNCTION && o->kind != OBJECT_REF &&
                     o->kind != OBJECT_NUMBER;
    if (!is_memory)
        return;
    uint32_t cell =
        pts_cell_find(p, p->locs.at[loc].object, pts_at(p, loc).offset);
    assert(cell != IR_NOTHING);
    const struct set *there = pts_of(p, cell), *here = pts_of(p, c->other);
    assert(c->kind == ON_LOAD ? is_within(there, here)
                              : is_within(here, there));
}

static void check_node(const struct pts *p, uint32_t node)
{
    const struct pts_node *n = &p->nodes.at[node];
    assert(!n->queued && !n->todo.n);
    for (uint32_t i = 0; i < n->copies.n; i++)
        assert(is_within(&n->has, pts_of(p, n->copies.at[i])));
    for (struct set_walk w = {.of = &n->has}; set_next(&w);) {
        assert(w.x < p->locs.n);
        for (uint32_t i = 0; i < n->on.n; i++)
            if (n->on.at[i].kind == ON_LOAD || n->on.at[i].kind == ON_STORE)
                check_access(p, &n->on.at[i], w.x);
    }
}

void pts_check(const struct pts *p)
{
    assert(p->head == p->queue.n);
    for (uint32_t i = 0; i < p->objects.n; i++)
        check_object(&p->objects.at[i]);
    for (uint32_t i = 0; i < p->nodes.n; i++)
        if (standing_for(p, i) == i)
            check_node(p, i);
}
