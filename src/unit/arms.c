// Each member gets points for the bytes that matter: for those that it can say,
// numbers as numbers and pointers as pointers, and the other way round for
// those that it would take for something else.
#include "unit/arms.h"

#include "unit/spell.h"

#include <string.h>

struct points {
    const struct arms *w;
    uint64_t from; // of the member, in the object
    int64_t sum;
};

// How many of its bytes matter: they are known, or changed.
static int64_t matter(const struct arms *w, uint64_t at, uint32_t bytes)
{
    int64_t n = 0;
    for (uint32_t i = 0; i < bytes; i++)
        n += w->of->known[at + i] ||
             (w->now &&
              (uint8_t)w->now[at + i - w->base] != w->of->bytes[at + i]);
    return n;
}

static bool is_zero(const struct arms *w, uint64_t at, uint32_t bytes)
{
    for (uint32_t i = 0; i < bytes; i++)
        if (w->of->bytes[at + i])
            return false;
    return true;
}

// Is it a pointer to the type of the object that lies behind it?
static bool fits(const struct arms *w, const struct place *p,
                 const struct input_link *l)
{
    return l->object != IR_NOTHING &&
           ir_bare_type(w->ir, spell_bare(w->ir, p->type)->base) ==
               ir_bare_type(w->ir, w->in->objects.at[l->object].type);
}

static void count(void *self, const struct place *p)
{
    struct points *s = self;
    const struct arms *w = s->w;
    uint64_t at = s->from + p->offset;
    if (at + p->bytes > w->of->size)
        return;
    const struct input_link *l = input_link_at(w->of, at);
    int64_t n = 2 * matter(w, at, p->bytes);
    bool pointer = places_kind(w->ir, p->type) == CALL_POINTER;
    if (input_link_over(w->of, at) || (l && !pointer) ||
        (!l && pointer && !is_zero(w, at, p->bytes)))
        n = -n;
    s->sum += n + (l && pointer && fits(w, p, l));
}

static bool holds_nothing(const struct arms *w, uint64_t at, uint64_t size)
{
    for (uint64_t i = at; i < at + size && i < w->of->size; i++)
        if (w->of->bytes[i] || input_link_at(w->of, i) ||
            (w->now && w->now[i - w->base]))
            return false;
    return true;
}

// Of members that are equal the first, but none if all is zero: then nobody
// knows which of them is meant.
static uint32_t pick(const void *self, uint32_t type, uint64_t at)
{
    const struct arms *w = self;
    const struct ir_dtype *t = spell_bare(w->ir, type);
    uint32_t best = 0, equals = 0;
    int64_t most = 0;
    for (uint32_t i = 0; i < t->n; i++) {
        struct points s = {w, w->base + at, 0};
        struct arms inner = *w;
        inner.base += at;
        inner.now = w->now ? w->now + at : NULL;
        arms_places(&inner, t->members[i].type, 0, 1u << 16, count, &s);
        equals = i && s.sum == most ? equals + 1 : equals;
        if (i == 0 || s.sum > most) {
            most = s.sum;
            best = i;
            equals = 0;
        }
    }
    if (equals && holds_nothing(w, w->base + at, t->size))
        return t->n;
    return best;
}

bool arms_places(const struct arms *w, uint32_t type, uint64_t more,
                 uint32_t most, places_each *each, void *self)
{
    return places_picked(w->ir, type, more, most, pick, w, each, self);
}

// ---- uncertain bytes --------------------------------------------------------

struct doubt {
    const struct ir *ir;
    const struct input_object *o;
    uint64_t base;
    bool found;
};

static void look(void *self, const struct place *p)
{
    struct doubt *d = self;
    uint64_t at = d->base + p->offset;
    if (!p->in_union || p->bytes != 8 || at + 8 > d->o->size ||
        places_kind(d->ir, p->type) != CALL_POINTER)
        return;
    const struct input_link *l = input_link_at(d->o, at);
    if (l && (l->object != IR_NOTHING || l->fn != IR_NOTHING))
        d->found = true;
    for (uint32_t i = 0; i < 8; i++)
        d->found |= d->o->known[at + i] && d->o->bytes[at + i];
}

bool arms_uncertain(const struct ir *ir, const struct input *in)
{
    struct doubt d = {.ir = ir};
    for (uint32_t i = 0; i < in->objects.n && !d.found; i++) {
        d.o = &in->objects.at[i];
        for (uint64_t k = 0; k < d.o->count && d.o->role != INPUT_STUB; k++) {
            d.base = d.o->array ? k * input_element_size(d.o) : 0;
            places(ir, d.o->type, d.o->more, 4096, look, &d);
        }
    }
    return d.found;
}
