// Memory that may be seen through two pointers.
//
// Input pointers of different types are taken to lead to different objects, and
// those of one type to the beginning of one object or of two.  A program may do
// otherwise: a pointer to a member is kept beside one to its struct, one to the
// middle of an array beside one to its beginning, void * beside all others.
// That matters where something is read after something else was written; then
// the path says so (SX_APART).
#include "symex/engine.h"

// A reference or a global that was written to.
struct touch {
    const struct touch *up;
    uint32_t ref; // MAP_NONE: a global
    bool far;     // beyond its first element
};

static bool is_followed(const struct sx_run *r, const struct sx_state *s)
{
    return r->start.handler && !r->live && !s->scene;
}

static bool is_far(const struct sx_run *r, uint32_t ref, uint64_t end)
{
    return ref != MAP_NONE && end > layout_size(r->ir, r->refs.at[ref].type);
}

void touch_write(struct sx_run *r, struct sx_state *s, uint32_t ref,
                 uint64_t end)
{
    bool far = is_far(r, ref, end);
    if (!is_followed(r, s))
        return;
    for (const struct touch *t = s->touched; t; t = t->up)
        if (t->ref == ref && t->far == far)
            return;
    struct touch *new = arena_get(&r->arena, sizeof *new);
    *new = (struct touch){s->touched, ref, far};
    s->touched = new;
}

// May the write have changed what is read through `ref`, although the engine
// takes them to be apart?
static bool may_overlap(struct sx_run *r, struct sx_state *s,
                        const struct touch *t, uint32_t ref, bool far)
{
    if (t->ref == ref)
        return false;
    if (t->ref == MAP_NONE || ref == MAP_NONE)
        return true;
    const struct sx_ref *a = &r->refs.at[t->ref], *b = &r->refs.at[ref];
    if (a->region != b->region)
        return true;
    return (far || t->far) &&
           path_decides(r->ts, &s->path, term_eq(r->ts, a->var, b->var)) != 1;
}

void touch_read(struct sx_run *r, struct sx_state *s, uint32_t ref,
                uint64_t end)
{
    if (!s->touched || s->labels & SX_APART || !is_followed(r, s))
        return;
    bool far = is_far(r, ref, end);
    for (const struct touch *t = s->touched; t; t = t->up)
        if (may_overlap(r, s, t, ref, far)) {
            s->labels |= SX_APART;
            return;
        }
}
