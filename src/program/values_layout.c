// Where the fields of a type lie, and which bytes are none: fields by number,
// by offset and by type; padding.
#include "program/values.h"

#include <string.h>

#include "base/hash.h"
#include "base/text.h"
#include "program/values_inner.h"

// ---- fields and padding ----------------------------------------------------

bool values_field(struct values *v, const char *type, size_t size, uint32_t i,
                  struct values_field *out)
{
    const struct shape *s = shapes_find(v->shapes, type, size);
    if (!s || values_is_signal(s) || i >= s->n)
        return false;
    const struct shape_field *f = &s->fields[i];
    *out = (struct values_field){f->type, f->name ? f->name : "", f->bit / 8,
                                 f->packed ? f->bits : 0};
    return true;
}

static bool field_at(const struct shape *s, size_t offset, struct text *out)
{
    if (s->kind == SHAPE_ARRAY && s->of->size && offset < s->size) {
        text_format(out, "[%zu]", offset / s->of->size);
        return field_at(s->of, offset % s->of->size, out);
    }
    if (s->kind != SHAPE_STRUCT && s->kind != SHAPE_UNION)
        return true;
    for (uint32_t i = 0; i < s->n; i++) {
        const struct shape_field *f = &s->fields[i];
        size_t from = f->bit / 8, to = (f->bit + f->bits + 7) / 8;
        if (offset < from || offset >= to)
            continue;
        if (f->name)
            text_format(out, "%s%s", out->n ? "." : "", f->name);
        return f->packed || field_at(f->shape, offset - from, out);
    }
    return false;
}

bool values_field_at(struct values *v, const char *type, size_t size,
                     size_t offset, struct text *out)
{
    const struct shape *s = shapes_find(v->shapes, type, size);
    struct text path = {0};
    bool ok = s && offset < size && field_at(s, offset, &path);
    if (ok)
        text_add(out, text_get(&path));
    text_free(&path);
    return ok;
}

static void mask_bits(unsigned char *to, uint32_t bit, uint32_t bits)
{
    for (uint32_t i = bit; i < bit + bits; i++)
        to[i / 8] |= (unsigned char)(1u << i % 8);
}

static void mask(unsigned char *to, const struct shape *s);

void values_tell(unsigned char *to, const struct shape_field *f)
{
    if (f->packed)
        mask_bits(to, f->bit, f->bits);
    else
        mask(to + f->bit / 8, f->shape);
}

static void mask(unsigned char *to, const struct shape *s)
{
    if (s->kind == SHAPE_ARRAY) {
        for (uint32_t i = 0; i < s->n; i++)
            mask(to + i * s->of->size, s->of);
    } else if (s->kind == SHAPE_STRUCT || s->kind == SHAPE_UNION) {
        for (uint32_t i = 0; i < s->n; i++)
            values_tell(to, &s->fields[i]);
    } else {
        memset(to, 0xff, s->kind == SHAPE_FLOAT && s->size > 10 ? 10 : s->size);
    }
}

const unsigned char *values_mask(struct values *v, const char *type,
                                 size_t size)
{
    const struct shape *s = shapes_find(v->shapes, type, size);
    if (!s)
        return NULL;
    uint64_t key = hash_seeded(type, strlen(type), size);
    uint32_t *at = map_at(&v->mask_of, key);
    if (*at == MAP_NONE) {
        unsigned char *m = arena_zero(&v->arena, size + 1);
        mask(m, s);
        *at = v->masks.n;
        vec_push(&v->masks, m);
    }
    return v->masks.at[*at];
}

static void find_loose(const struct shape *s, bool *out)
{
    if (s->kind == SHAPE_UNION || (s->kind == SHAPE_ARRAY && s->of->size == 1))
        memset(out, true, s->size);
    else if (s->kind == SHAPE_ARRAY)
        for (uint32_t i = 0; i < s->n; i++)
            find_loose(s->of, out + i * s->of->size);
    else if (s->kind == SHAPE_STRUCT)
        for (uint32_t i = 0; i < s->n; i++)
            if (!s->fields[i].packed)
                find_loose(s->fields[i].shape, out + s->fields[i].bit / 8);
}

void values_loose(struct values *v, const char *type, size_t size, bool *out)
{
    const struct shape *s = shapes_find(v->shapes, type, size);
    memset(out, !s, size);
    if (s)
        find_loose(s, out);
}

// ---- fields of a type -----------------------------------------------------

typedef VEC(uint32_t) offsets;

static void find_type(const struct shape *s, uint32_t at, const char *alias,
                      offsets *out)
{
    if (s->alias && strcmp(s->alias, alias) == 0)
        vec_push(out, at);
    if (s->kind == SHAPE_STRUCT)
        for (uint32_t i = 0; i < s->n; i++)
            if (!s->fields[i].packed)
                find_type(s->fields[i].shape, at + s->fields[i].bit / 8, alias,
                          out);
    if (s->kind == SHAPE_ARRAY)
        for (uint32_t i = 0; i < s->n; i++)
            find_type(s->of, at + i * s->of->size, alias, out);
}

const uint32_t *values_of_type(struct values *v, const char *type, size_t size,
                               const char *alias, uint32_t *n)
{
    const struct shape *s = shapes_find(v->shapes, type, size);
    offsets found = {0};
    if (s)
        find_type(s, 0, alias, &found);
    const uint32_t *kept =
        found.n ? arena_copy(&v->arena, found.at, found.n * sizeof *found.at)
                : NULL;
    *n = found.n;
    vec_free(&found);
    return kept;
}
