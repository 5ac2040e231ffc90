#include "unit/places.h"

#include "base/text.h"
#include "unit/spell.h"

#include <string.h>

struct walk {
    const struct ir *ir;
    places_pick *pick; // NULL: all members of a union
    const void *picker;
    places_each *each;
    void *self;
    uint32_t left;
    bool cut;
    uint64_t end; // of the object, for arrays without a count
    struct text path;
};

enum call_kind places_kind(const struct ir *ir, uint32_t type)
{
    const struct ir_dtype *t = spell_bare(ir, type);
    if (t->size > 8 && t->kind != IR_D_FLOAT)
        return CALL_KINDS_N; // integers of 128 bits have no literals
    switch ((enum ir_dkind)t->kind) {
    case IR_D_SIGNED:
        return CALL_SIGNED;
    case IR_D_ENUM:
        return t->base != IR_NOTHING &&
                       spell_bare(ir, t->base)->kind == IR_D_UNSIGNED
                   ? CALL_UNSIGNED
                   : CALL_SIGNED;
    case IR_D_UNSIGNED:
    case IR_D_BOOL:
        return CALL_UNSIGNED;
    case IR_D_FLOAT:
        return t->size == 4   ? CALL_FLOAT
               : t->size == 8 ? CALL_DOUBLE
                              : CALL_LONG_DOUBLE;
    case IR_D_POINTER:
        return CALL_POINTER;
    case IR_D_STRUCT:
    case IR_D_UNION:
    case IR_D_ARRAY:
    case IR_D_TYPEDEF:
    case IR_D_FUNCTION:
    case IR_D_OTHER:
        break;
    }
    return CALL_KINDS_N;
}

bool places_flexible(const struct ir *ir, uint32_t type)
{
    const struct ir_dtype *t = spell_bare(ir, type);
    if (t->kind == IR_D_ARRAY)
        return !t->count;
    if (t->kind != IR_D_STRUCT || !t->n)
        return false;
    return places_flexible(ir, t->members[t->n - 1].type);
}

static void walk(struct walk *w, uint32_t type, uint64_t at, bool in_union);

static void tell(struct walk *w, const struct place *p)
{
    if (!w->left) {
        w->cut = true;
        return;
    }
    w->left--;
    w->each(w->self, p);
}

static void back_to(struct walk *w, size_t n)
{
    w->path.n = n;
    if (w->path.at)
        w->path.at[n] = '\0';
}

static void bit_field(struct walk *w, const struct ir_member *m, uint64_t at,
                      bool in_union)
{
    uint64_t bit = at * 8 + m->bit;
    struct place p = {.path = text_get(&w->path),
                      .type = m->type,
                      .offset = bit / 8,
                      .bytes = (uint32_t)(bit % 8 + m->bits + 7) / 8,
                      .bit = (uint32_t)(bit % 8),
                      .bits = m->bits,
                      .in_union = in_union};
    tell(w, &p);
}

static void members(struct walk *w, const struct ir_dtype *t, uint64_t at,
                    bool in_union)
{
    size_t n = w->path.n;
    uint32_t only = IR_NOTHING;
    if (t->kind == IR_D_UNION && w->pick)
        only = w->pick(w->picker, (uint32_t)(t - w->ir->types.at), at);
    for (uint32_t i = 0; i < t->n && !w->cut; i++) {
        const struct ir_member *m = &t->members[i];
        if (only != IR_NOTHING && i != only)
            continue;
        if (m->name[0])
            text_format(&w->path, ".%s", m->name);
        if (m->bits && m->name[0])
            bit_field(w, m, at, in_union);
        else if (!m->bits)
            walk(w, m->type, at + m->bit / 8, in_union);
        back_to(w, n);
    }
}

static void elements(struct walk *w, const struct ir_dtype *t, uint64_t at,
                     bool in_union)
{
    size_t n = w->path.n;
    uint64_t size = t->base == IR_NOTHING ? 0 : w->ir->types.at[t->base].size;
    uint64_t count = t->count;
    if (!count && size && w->end > at)
        count = (w->end - at) / size;
    for (uint64_t i = 0; i < count && size && !w->cut; i++) {
        text_format(&w->path, "[%llu]", (unsigned long long)i);
        walk(w, t->base, at + i * size, in_union);
        back_to(w, n);
    }
}

static void walk(struct walk *w, uint32_t type, uint64_t at, bool in_union)
{
    const struct ir_dtype *t = spell_bare(w->ir, type);
    if (t->kind == IR_D_STRUCT || t->kind == IR_D_UNION) {
        members(w, t, at, in_union || t->kind == IR_D_UNION);
    } else if (t->kind == IR_D_ARRAY) {
        elements(w, t, at, in_union);
    } else if (places_kind(w->ir, type) != CALL_KINDS_N) {
        struct place p = {.path = text_get(&w->path),
                          .type = type,
                          .offset = at,
                          .bytes = (uint32_t)t->size,
                          .in_union = in_union};
        tell(w, &p);
    }
}

bool places_picked(const struct ir *ir, uint32_t type, uint64_t more,
                   uint32_t most, places_pick *pick, const void *picker,
                   places_each *each, void *self)
{
    struct walk w = {.ir = ir,
                     .pick = pick,
                     .picker = picker,
                     .each = each,
                     .self = self,
                     .left = most};
    w.end = spell_bare(ir, type)->size + more;
    walk(&w, type, 0, false);
    text_free(&w.path);
    return !w.cut;
}

bool places(const struct ir *ir, uint32_t type, uint64_t more, uint32_t most,
            places_each *each, void *self)
{
    return places_picked(ir, type, more, most, NULL, NULL, each, self);
}

struct search {
    struct arena *arena;
    uint64_t offset;
    uint32_t bytes;
    bool found;
    struct place *out;
};

static void match(void *self, const struct place *p)
{
    struct search *s = self;
    if (s->found || p->bits || p->offset != s->offset || p->bytes != s->bytes)
        return;
    s->found = true;
    *s->out = *p;
    s->out->path = arena_text(s->arena, p->path);
}

bool places_at(const struct ir *ir, struct arena *a, uint32_t type,
               uint64_t more, uint64_t offset, uint32_t bytes,
               struct place *out)
{
    struct search s = {a, offset, bytes, false, out};
    places(ir, type, more, 1u << 20, match, &s);
    return s.found;
}

static bool find_part(const struct ir *ir, uint32_t type, uint64_t at,
                      uint32_t part, struct text *path)
{
    const struct ir_dtype *t = spell_bare(ir, type);
    size_t n = path->n;
    if (at == 0 && ir_bare_type(ir, type) == part)
        return true;
    if (t->kind == IR_D_ARRAY && t->base != IR_NOTHING) {
        uint64_t size = spell_bare(ir, t->base)->size;
        if (!size || at >= t->size)
            return false;
        text_format(path, "[%llu]", (unsigned long long)(at / size));
        return find_part(ir, t->base, at % size, part, path);
    }
    for (uint32_t i = 0;
         (t->kind == IR_D_STRUCT || t->kind == IR_D_UNION) && i < t->n; i++) {
        const struct ir_member *m = &t->members[i];
        uint64_t from = m->bit / 8;
        if (m->bits || at < from || at >= from + spell_bare(ir, m->type)->size)
            continue;
        if (m->name[0])
            text_format(path, ".%s", m->name);
        if (find_part(ir, m->type, at - from, part, path))
            return true;
        path->n = n;
        if (path->at)
            path->at[n] = '\0';
    }
    return false;
}

const char *places_part(const struct ir *ir, struct arena *a, uint32_t type,
                        uint64_t offset, uint32_t part)
{
    struct text path = {0};
    part = ir_bare_type(ir, part);
    const char *out =
        part != IR_NOTHING && find_part(ir, type, offset, part, &path)
            ? arena_text(a, text_get(&path))
            : NULL;
    text_free(&path);
    return out;
}
