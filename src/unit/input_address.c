// Places of objects as C says them: "a.next", "&a[3].n", "a + 3".
#include "unit/input.h"

#include "unit/literal.h"
#include "unit/places.h"
#include "unit/spell.h"

#include <string.h>

const char *input_place(const struct ir *ir, struct arena *a,
                        const struct input_object *o, uint64_t element,
                        const char *path)
{
    (void)ir;
    if (o->array)
        return arena_format(a, "%s[%llu]%s", o->name,
                            (unsigned long long)element, path);
    if (o->role != INPUT_OBJECT || o->form == CALL_LOCAL)
        return arena_format(a, "%s%s", o->name, path);
    if (!*path)
        return arena_format(a, "*%s", o->name);
    return arena_format(a, "%s%s%s", o->name, *path == '.' ? "->" : "[0]",
                        *path == '.' ? path + 1 : path);
}

static const char *inner_address(const struct ir *ir, struct arena *a,
                                 const struct input_object *o, uint64_t offset)
{
    uint64_t size = input_element_size(o);
    for (uint32_t bytes = 8; bytes; bytes /= 2) {
        struct place p = {0};
        if (places_at(ir, a, o->type, o->more,
                      o->array ? offset % size : offset, bytes, &p))
            return arena_format(
                a, "&%s",
                input_place(ir, a, o, o->array ? offset / size : 0, p.path));
    }
    return NULL;
}

const char *input_address(const struct ir *ir, struct arena *a,
                          const struct input_object *o, int64_t offset)
{
    uint64_t size = input_element_size(o);
    bool pointer =
        o->array || (o->role == INPUT_OBJECT && o->form != CALL_LOCAL);
    const char *base = pointer ? o->name : arena_format(a, "&%s", o->name);
    if (offset == 0)
        return base;
    if (o->array && size && offset % (int64_t)size == 0)
        return arena_format(a, "%s + %lld", o->name,
                            (long long)(offset / (int64_t)size));
    const char *inner = offset > 0 && (uint64_t)offset < o->size
                            ? inner_address(ir, a, o, (uint64_t)offset)
                            : NULL;
    if (inner)
        return inner;
    return arena_format(a, "(void *)((char *)%s + %lld)", base,
                        (long long)offset);
}

// The address of the part that a pointer to `type` leads to, if the object is a
// larger one; NULL: it is not.
static const char *part_address(const struct ir *ir, struct arena *a,
                                const struct input_object *o, int64_t offset,
                                uint32_t type)
{
    uint64_t size = input_element_size(o);
    if (offset < 0 || (uint64_t)offset >= o->size || !size ||
        ir_bare_type(ir, o->type) == ir_bare_type(ir, type))
        return NULL;
    uint64_t at = (uint64_t)offset;
    const char *path =
        places_part(ir, a, o->type, o->array ? at % size : at, type);
    return !path ? NULL
                 : arena_format(
                       a, "&%s",
                       input_place(ir, a, o, o->array ? at / size : 0, path));
}

// Do pointers to these differ in C?  Bytes may lie behind a pointer to a
// struct, too, and a signed number behind one to unsigned numbers.
static bool is_other_number(const struct ir *ir, uint32_t object, uint32_t type)
{
    if (ir_bare_type(ir, type) == IR_NOTHING)
        return false;
    enum call_kind is = places_kind(ir, object), as = places_kind(ir, type);
    bool numbers = is != CALL_KINDS_N && is != CALL_POINTER &&
                   as != CALL_KINDS_N && as != CALL_POINTER;
    if (numbers)
        return strcmp(spell_bare(ir, object)->name,
                      spell_bare(ir, type)->name) != 0;
    return as == CALL_KINDS_N && literal_is_char(ir, object);
}

const char *input_link_text(const struct ir *ir, struct arena *a,
                            const struct input *in, const struct input_link *l,
                            uint32_t type)
{
    if (l && l->fn != IR_NOTHING)
        return ir->fns.at[l->fn]->name;
    if (!l || l->object == IR_NOTHING)
        return "NULL";
    const struct input_object *o = &in->objects.at[l->object];
    const char *part = part_address(ir, a, o, l->to, type);
    const char *at = part ? part : input_address(ir, a, o, l->to);
    bool casts = !part && *at != '(' && is_other_number(ir, o->type, type);
    return casts ? arena_format(a, "(void *)%s", at) : at;
}
