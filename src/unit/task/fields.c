// Each scalar of a type gets the bytes that the cells have there.  Cells need
// not be as the scalars are: those of unions and bit-fields are bytes.  Of a
// union one member is told, that which says best what the cells hold.
#include "unit/literal.h"
#include "unit/places.h"
#include "unit/spell.h"
#include "unit/task/writer.h"

#include <string.h>

struct fields {
    struct writer *w;
    const struct writer_fields *of;
    uint64_t base;        // of the element
    uint8_t *bytes;       // numbers
    bool *known, *told;   // by byte: a cell has it; a field said it
    uint32_t *links;      // by byte: number of a cell with a reference, + 1
    VEC(struct place) at; // scalars of the element
    int64_t points;
};

static bool is_of(const struct fields *f, const struct sx_cell *c)
{
    const struct writer_fields *o = f->of;
    if (c->place.from != o->from)
        return false;
    uint32_t index = o->from == SX_CELL ? writer_number(f->w, c->place.index)
                                        : c->place.index;
    return index == o->index && !(o->skips && o->skips(f->w, o->owner, c));
}

static bool read_cells(struct fields *f)
{
    const struct sx_path *p = f->w->p->path;
    for (uint32_t i = 0; i < p->n_cells; i++) {
        const struct sx_cell *c = &p->cells[i];
        uint64_t at = (uint64_t)c->place.offset;
        if (!is_of(f, c))
            continue;
        if (c->place.offset < 0 || at + c->bytes > f->of->size)
            return writer_fails(f->w,
                                "memory outside what a pointer points to");
        if (c->ref != IR_NOTHING) {
            f->links[at] = i + 1;
            continue;
        }
        u128 v = writer_value(f->w, c->value);
        for (uint32_t k = 0; k < c->bytes; k++) {
            f->known[at + k] = true;
            f->bytes[at + k] = (uint8_t)(v >> 8 * k);
        }
    }
    return true;
}

// ---- members of unions --------------------------------------------------

static bool is_zero(const struct fields *f, uint64_t at, uint32_t bytes)
{
    while (bytes--)
        if (f->bytes[at + bytes])
            return false;
    return true;
}

static void count(void *self, const struct place *p)
{
    struct fields *f = self;
    uint64_t at = f->base + p->offset;
    bool pointer = places_kind(f->w->ir, p->type) == CALL_POINTER;
    uint32_t known = 0;
    if (at + p->bytes > f->of->size)
        return;
    for (uint32_t i = 0; i < p->bytes; i++)
        known += f->known[at + i];
    if (pointer != (f->links[at] != 0) && (f->links[at] || !is_zero(f, at, 8)))
        f->points -= 100;
    else if (pointer || known == p->bytes)
        f->points += 2 * p->bytes;
}

static uint32_t pick(const void *self, uint32_t type, uint64_t at)
{
    const struct fields *f = self;
    const struct ir_dtype *t = &f->w->ir->types.at[type];
    uint32_t best = 0;
    int64_t most = 0;
    for (uint32_t i = 0; i < t->n; i++) {
        struct fields inner = *f;
        inner.base += at;
        inner.points = 0;
        places_picked(f->w->ir, t->members[i].type, 0, FIELDS_MOST, pick,
                      &inner, count, &inner);
        if (i == 0 || inner.points > most) {
            most = inner.points;
            best = i;
        }
    }
    return best;
}

// ---- values -------------------------------------------------------------

// Scalars of which something is known, and what may end a text.
static void add(void *self, const struct place *p)
{
    struct fields *f = self;
    struct place copy = *p;
    uint64_t at = f->base + p->offset;
    bool known = p->bytes == 1 && at && f->known[at - 1];
    if (at + p->bytes > f->of->size)
        return;
    for (uint32_t i = 0; i < p->bytes; i++)
        known |= f->known[at + i] || f->links[at + i];
    if (!known)
        return;
    copy.path = arena_text(f->w->a, p->path);
    vec_push(&f->at, copy);
}

uint32_t writer_characters(const struct writer *w, const struct place *at,
                           uint32_t n)
{
    size_t length = strlen(at->path);
    uint32_t k = 0;
    if (length < 4 || strcmp(at->path + length - 3, "[0]") != 0 ||
        !literal_is_char(w->ir, at->type))
        return 0;
    while (k < n && strncmp(at[k].path, at->path, length - 2) == 0 &&
           at[k].bytes == 1 && at[k].offset == at->offset + k)
        k++;
    return k;
}

// Characters that can be told as a text: how many, 0: they cannot.
static uint32_t text_at(struct fields *f, uint32_t i, const char **path,
                        const char **value)
{
    const struct place *p = &f->at.at[i];
    uint32_t n = f->of->texts ? writer_characters(f->w, p, f->at.n - i) : 0;
    const uint8_t *at = f->bytes + f->base + p->offset;
    uint64_t length;
    if (!n || !literal_is_text(at, n, &length) || !length)
        return 0;
    struct text t = {0};
    literal_text(at, length, &t);
    *path = arena_format(f->w->a, "%.*s", (int)strlen(p->path) - 3, p->path);
    *value = writer_take(f->w, &t);
    memset(f->told + f->base + p->offset, true, n);
    return n;
}

// As C; NULL: it is zero, or (*ok false) cannot be said.
static const char *value_at(struct fields *f, const struct place *p, bool *ok)
{
    uint64_t at = f->base + p->offset;
    uint32_t bits = p->bits ? p->bits : p->bytes * 8;
    bool pointer = places_kind(f->w->ir, p->type) == CALL_POINTER;
    union ir_bits v = {.i = 0};
    *ok = true;
    if (pointer && f->links[at]) {
        const struct sx_cell *c = &f->w->p->path->cells[f->links[at] - 1];
        f->links[at] = 0;
        return writer_cell(f->w, c, f->of->owner, ok);
    }
    if (pointer)
        return NULL;
    for (uint32_t i = 0; i < p->bytes; i++)
        v.i |= (u128)f->bytes[at + i] << 8 * i;
    v.i = v.i >> p->bit & (bits < 128 ? ((u128)1 << bits) - 1 : ~(u128)0);
    for (uint32_t i = 0; i < p->bytes; i++)
        f->told[at + i] = true;
    if (!v.i)
        return NULL;
    struct text t = {0};
    writer_literal(f->w, p->type, bits, v, &t);
    return writer_take(f->w, &t);
}

static bool tell_element(struct fields *f, uint64_t k, writer_each *each,
                         void *self)
{
    uint64_t more =
        f->of->size - f->base - spell_bare(f->w->ir, f->of->type)->size;
    bool ok = places_picked(f->w->ir, f->of->type,
                            places_flexible(f->w->ir, f->of->type) ? more : 0,
                            1u << 20, pick, f, add, f);
    for (uint32_t i = 0; i < f->at.n && ok; i++) {
        const char *path = f->at.at[i].path, *value;
        uint32_t n = text_at(f, i, &path, &value);
        if (n)
            i += n - 1;
        else
            value = value_at(f, &f->at.at[i], &ok);
        if (ok && value)
            each(self, k, path, value);
    }
    vec_free(&f->at);
    return ok;
}

// Is something left that no field has said?
static bool is_all_told(const struct fields *f)
{
    for (uint64_t i = 0; i < f->of->size; i++) {
        if (f->bytes[i] && !f->told[i])
            return false;
        if (f->links[i] &&
            writer_value(f->w, f->w->p->path->cells[f->links[i] - 1].value))
            return false;
    }
    return true;
}

bool writer_fields(struct writer *w, const struct writer_fields *of,
                   writer_each *each, void *self)
{
    uint64_t size = spell_bare(w->ir, of->type)->size, step = size;
    struct fields f = {.w = w, .of = of};
    f.bytes = arena_zero(w->a, of->size + 16);
    f.known = arena_zero(w->a, of->size + 16);
    f.told = arena_zero(w->a, of->size + 16);
    f.links = arena_zero(w->a, (of->size + 16) * sizeof *f.links);
    if (!size || places_flexible(w->ir, of->type))
        step = of->size ? of->size : 1;
    bool ok = read_cells(&f);
    for (uint64_t k = 0; ok && f.base + size <= of->size && f.base < of->size;
         k++) {
        ok = tell_element(&f, k, each, self);
        f.base += step;
    }
    return ok && (is_all_told(&f) ||
                  writer_fails(w, "a part of a struct that has no name"));
}

static void add_to_list(void *self, uint64_t element, const char *path,
                        const char *value)
{
    (void)element;
    text_format(self, ", %s = %s", path, value);
}

bool writer_list(struct writer *w, const struct writer_fields *of,
                 struct text *t)
{
    return writer_fields(w, of, add_to_list, t);
}
