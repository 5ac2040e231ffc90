// Cells of a type: the scalars that the debug type names.
//
// Inside unions, bit-fields and padding, and where the type is unknown, there
// is no scalar to take: such bytes are loose and are cut as the first access
// cuts them.
#include "symex/engine.h"

#include "base/hash.h"

#include <string.h>

static const struct ir_dtype *dtype(const struct ir *ir, uint32_t type)
{
    type = ir_bare_type(ir, type);
    return type == IR_NOTHING ? NULL : &ir->types.at[type];
}

uint64_t layout_size(const struct ir *ir, uint32_t type)
{
    const struct ir_dtype *t = dtype(ir, type);
    return t && t->size ? t->size : 1;
}

uint32_t layout_pointee(const struct ir *ir, uint32_t type)
{
    const struct ir_dtype *t = dtype(ir, type);
    if (!t || t->kind != IR_D_POINTER)
        return IR_NOTHING;
    const struct ir_dtype *to = dtype(ir, t->base);
    bool incomplete = to && to->kind == IR_D_STRUCT && !to->size && !to->n;
    return to && !incomplete ? t->base : IR_NOTHING;
}

bool layout_is_function(const struct ir *ir, uint32_t type)
{
    const struct ir_dtype *t = dtype(ir, type);
    return t && t->kind == IR_D_FUNCTION;
}

enum term_kind layout_kind(const struct ir *ir, uint32_t type)
{
    const struct ir_dtype *t = dtype(ir, type);
    if (t && t->kind == IR_D_FLOAT)
        return TERM_FLOAT;
    if (t && t->size == 1 && strstr(t->name, "char"))
        return TERM_BYTE_TEXT;
    return TERM_INT;
}

// ---- slots --------------------------------------------------------------

static struct slot scalar(const struct ir_dtype *t, uint32_t type,
                          uint64_t start)
{
    return (struct slot){.start = start,
                         .bytes = (uint32_t)t->size,
                         .pointer = t->kind == IR_D_POINTER,
                         .type = type};
}

static bool is_flexible(const struct ir *ir, const struct ir_member *m)
{
    const struct ir_dtype *t = dtype(ir, m->type);
    return t && t->kind == IR_D_ARRAY && !t->count;
}

// The member around a byte, NULL: padding or a bit-field.
static const struct ir_member *
member_at(const struct ir *ir, const struct ir_dtype *t, uint64_t byte)
{
    for (uint32_t i = t->n; i-- > 0;) {
        const struct ir_member *m = &t->members[i];
        uint64_t start = m->bit / 8;
        if (m->bits || byte < start)
            continue;
        if (is_flexible(ir, m) || byte < start + layout_size(ir, m->type))
            return m;
    }
    return NULL;
}

static bool has_bits_at(const struct ir_dtype *t, uint64_t byte)
{
    for (uint32_t i = 0; i < t->n; i++) {
        const struct ir_member *m = &t->members[i];
        if (m->bits && m->bit / 8 <= byte && byte <= (m->bit + m->bits - 1) / 8)
            return true;
    }
    return false;
}

static struct slot loose_at(uint64_t byte)
{
    return (struct slot){
        .start = byte, .bytes = 1, .loose = true, .type = IR_NOTHING};
}

// `byte` is inside `type`, which begins at `start` of the object.
static struct slot slot_in(const struct ir *ir, uint32_t type, uint64_t start,
                           uint64_t byte)
{
    for (;;) {
        const struct ir_dtype *t = dtype(ir, type);
        const struct ir_member *m = NULL;
        if (!t || t->kind == IR_D_UNION || t->kind == IR_D_FUNCTION ||
            t->kind == IR_D_OTHER)
            return loose_at(start + byte);
        if (t->kind != IR_D_STRUCT && t->kind != IR_D_ARRAY)
            return scalar(t, type, start);
        if (t->kind == IR_D_ARRAY) {
            uint64_t size = layout_size(ir, t->base);
            start += byte / size * size;
            byte %= size;
            type = t->base;
            continue;
        }
        m = has_bits_at(t, byte) ? NULL : member_at(ir, t, byte);
        if (!m)
            return loose_at(start + byte);
        start += m->bit / 8;
        byte -= m->bit / 8;
        type = m->type;
    }
}

static bool ends_flexibly(const struct ir *ir, const struct ir_dtype *t,
                          uint64_t *from)
{
    if (!t || t->kind != IR_D_STRUCT || !t->n ||
        !is_flexible(ir, &t->members[t->n - 1]))
        return false;
    *from = t->members[t->n - 1].bit / 8;
    return true;
}

struct slot layout_slot(const struct ir *ir, uint32_t type, uint64_t byte)
{
    const struct ir_dtype *t = dtype(ir, type);
    uint64_t size = layout_size(ir, type), flexible;
    if (!t)
        return loose_at(byte);
    if (ends_flexibly(ir, t, &flexible) && byte >= flexible)
        return slot_in(ir, type, 0, byte);
    return slot_in(ir, type, byte / size * size, byte % size);
}

// ---- unions -------------------------------------------------------------

static uint32_t add_pointer(const struct ir *ir, uint32_t type,
                            uint32_t types[VIEWS_MAX], uint32_t n)
{
    uint32_t to = ir_bare_type(ir, layout_pointee(ir, type));
    for (uint32_t i = 0; i < n; i++)
        if (ir_bare_type(ir, layout_pointee(ir, types[i])) == to)
            return n;
    if (n < VIEWS_MAX)
        types[n++] = type;
    return n;
}

uint32_t layout_pointers(const struct ir *ir, uint32_t type, uint64_t byte,
                         uint32_t types[VIEWS_MAX], uint32_t n)
{
    const struct ir_dtype *t = dtype(ir, type);
    if (!t)
        return n;
    if (t->kind == IR_D_ARRAY && t->base != IR_NOTHING)
        return layout_pointers(ir, t->base, byte % layout_size(ir, t->base),
                               types, n);
    if (t->kind == IR_D_POINTER)
        return byte ? n : add_pointer(ir, type, types, n);
    if (t->kind != IR_D_STRUCT && t->kind != IR_D_UNION)
        return n;
    for (uint32_t i = 0; i < t->n; i++) {
        const struct ir_member *m = &t->members[i];
        uint64_t from = m->bit / 8;
        if (!m->bits && byte >= from &&
            byte < from + layout_size(ir, m->type))
            n = layout_pointers(ir, m->type, byte - from, types, n);
    }
    return n;
}

// ---- regions ------------------------------------------------------------

uint64_t layout_region(const struct ir *ir, uint32_t type)
{
    const struct ir_dtype *t = dtype(ir, type);
    if (!t)
        return 5;
    switch ((enum ir_dkind)t->kind) {
    case IR_D_SIGNED:
    case IR_D_UNSIGNED:
    case IR_D_BOOL:
    case IR_D_ENUM:
        return 1 << 8 | t->size;
    case IR_D_FLOAT:
        return 2 << 8 | t->size;
    case IR_D_POINTER:
        return 3 + 31 * layout_region(ir, t->base);
    case IR_D_ARRAY:
    case IR_D_TYPEDEF:
        return layout_region(ir, t->base);
    case IR_D_STRUCT:
    case IR_D_UNION:
        if (t->name[0])
            return hash_seeded(t->name, strlen(t->name), t->size);
        return (uint64_t)4 << 32 | ir_bare_type(ir, type);
    case IR_D_FUNCTION:
    case IR_D_OTHER:
        break;
    }
    return (uint64_t)6 << 32 | ir_bare_type(ir, type);
}

// ---- names --------------------------------------------------------------

static const char *member_name(struct sx_run *r, const char *base,
                               const char *mark, const struct ir_member *m)
{
    if (!m->name[0])
        return base;
    return arena_format(&r->arena, "%s%s%s", base, mark, m->name);
}

static const char *way_in(struct sx_run *r, const char *name, const char *mark,
                          uint32_t type, uint64_t byte)
{
    for (;;) {
        const struct ir_dtype *t = dtype(r->ir, type);
        const struct ir_member *m = NULL;
        if (t && t->kind == IR_D_ARRAY) {
            uint64_t size = layout_size(r->ir, t->base);
            name = arena_format(&r->arena, "%s[%llu]", name,
                                (unsigned long long)(byte / size));
            byte %= size;
            type = t->base;
        } else if (t && t->kind == IR_D_STRUCT &&
                   (m = member_at(r->ir, t, byte))) {
            name = member_name(r, name, mark, m);
            byte -= m->bit / 8;
            type = m->type;
        } else {
            return byte ? arena_format(&r->arena, "%s+%llu", name,
                                       (unsigned long long)byte)
                        : name;
        }
        mark = ".";
    }
}

const char *layout_name(struct sx_run *r, const char *base, bool behind,
                        uint32_t type, uint64_t byte)
{
    const struct ir_dtype *t = dtype(r->ir, type);
    uint64_t size = layout_size(r->ir, type), flexible;
    if (!behind)
        return way_in(r, base, ".", type, byte);
    if (ends_flexibly(r->ir, t, &flexible) && byte >= flexible)
        return way_in(r, base, "->", type, byte);
    if (t && t->kind == IR_D_STRUCT && byte < size)
        return way_in(r, base, "->", type, byte);
    if (!t || (byte < size && t->kind != IR_D_ARRAY))
        return way_in(r, arena_format(&r->arena, "*%s", base), ".", type, byte);
    base = arena_format(&r->arena, "%s[%llu]", base,
                        (unsigned long long)(byte / size));
    return way_in(r, base, ".", type, byte % size);
}
