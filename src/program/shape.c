// All structs with a name are indexed first, by the hash of the name; each is
// translated when it is asked for.  A struct may hold a pointer to itself, but
// pointers are leaves here, so translation ends.
#include "program/shape.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/die.h"
#include "base/hash.h"
#include "base/map.h"
#include "base/text.h"
#include "base/vec.h"

struct named {
    const char *name;
    Dwarf_Off at;
    uint32_t size;
    const struct shape *shape; // NULL: not translated yet
};

struct shapes {
    struct arena arena;
    Dwarf *dwarf;
    VEC(struct named) structs; // in order of the file
    struct map found;          // hash of (name, size) -> index in structs
    VEC(const struct shape *) types;
    struct map type_at; // offset in the debug information -> index in types
};

static const struct shape *translate(struct shapes *s, Dwarf_Die *die);

static bool number(Dwarf_Die *die, unsigned name, Dwarf_Word *out)
{
    Dwarf_Attribute a;
    return dwarf_attr_integrate(die, name, &a) && dwarf_formudata(&a, out) == 0;
}

static uint32_t size_of(Dwarf_Die *die)
{
    Dwarf_Word size;
    return dwarf_aggregate_size(die, &size) == 0 ? (uint32_t)size : 0;
}

static bool type_of(Dwarf_Die *die, Dwarf_Die *out)
{
    Dwarf_Attribute a;
    return dwarf_attr_integrate(die, DW_AT_type, &a) &&
           dwarf_formref_die(&a, out);
}

static bool is_qualifier(int tag)
{
    return tag == DW_TAG_const_type || tag == DW_TAG_volatile_type ||
           tag == DW_TAG_atomic_type || tag == DW_TAG_restrict_type;
}

// The type as written: "server_ref", "struct point", "const char *".
static void type_name(Dwarf_Die *die, struct text *out)
{
    Dwarf_Die to;
    int tag = dwarf_tag(die);
    bool has = type_of(die, &to);
    const char *name = dwarf_diename(die);
    if (tag == DW_TAG_pointer_type) {
        if (has)
            type_name(&to, out);
        else
            text_add(out, "void");
        text_add(out, out->at[out->n - 1] == '*' ? "*" : " *");
    } else if (is_qualifier(tag)) {
        text_add(out, tag == DW_TAG_const_type      ? "const "
                      : tag == DW_TAG_volatile_type ? "volatile "
                      : tag == DW_TAG_atomic_type   ? "_Atomic "
                                                    : "");
        if (has)
            type_name(&to, out);
        else
            text_add(out, "void");
    } else if (tag == DW_TAG_array_type && has) {
        type_name(&to, out);
        uint32_t one = size_of(&to);
        text_format(out, "[%u]", one ? size_of(die) / one : 0);
    } else {
        text_add(out, tag == DW_TAG_structure_type     ? "struct "
                      : tag == DW_TAG_union_type       ? "union "
                      : tag == DW_TAG_enumeration_type ? "enum "
                      : tag == DW_TAG_subroutine_type  ? "function"
                                                       : "");
        text_add(out, name ? name : tag == DW_TAG_subroutine_type ? "" : "{}");
    }
}

// ---- members --------------------------------------------------------------

// Both forms of bit-fields: DW_AT_data_bit_offset counts from the start of the
// struct; the older DW_AT_bit_offset counts from the most significant bit of
// the storage unit (DWARF 3, section 5.5.6), here on little-endian machines.
static void place(Dwarf_Die *die, struct shape_field *f)
{
    Dwarf_Word at = 0, bits, bit, unit;
    number(die, DW_AT_data_member_location, &at);
    f->bit = (uint32_t)at * 8;
    f->bits = f->shape->size * 8;
    if (!number(die, DW_AT_bit_size, &bits))
        return;
    f->packed = true;
    f->bits = (uint32_t)bits;
    if (number(die, DW_AT_data_bit_offset, &bit)) {
        f->bit = (uint32_t)bit;
    } else if (number(die, DW_AT_bit_offset, &bit)) {
        if (!number(die, DW_AT_byte_size, &unit))
            unit = f->shape->size;
        // the offset may be negative in packed structs: count in signed
        f->bit = (uint32_t)((int64_t)at * 8 + (int64_t)unit * 8 -
                            (int64_t)(int32_t)bit - (int64_t)bits);
    }
}

static uint32_t count_children(Dwarf_Die *die, int tag)
{
    uint32_t n = 0;
    Dwarf_Die child;
    if (dwarf_child(die, &child) == 0)
        do
            n += dwarf_tag(&child) == tag;
        while (dwarf_siblingof(&child, &child) == 0);
    return n;
}

static void add_member(struct shapes *s, struct shape *to, Dwarf_Die *die)
{
    Dwarf_Die type;
    if (!type_of(die, &type))
        return;
    struct shape_field *f = &to->fields[to->n];
    struct text name = {0};
    type_name(&type, &name);
    *f = (struct shape_field){.name = dwarf_diename(die),
                              .type = arena_text(&s->arena, text_get(&name)),
                              .shape = translate(s, &type)};
    text_free(&name);
    place(die, f);
    to->n += f->bits != 0;
}

static void members(struct shapes *s, struct shape *to, Dwarf_Die *die)
{
    uint32_t n = count_children(die, DW_TAG_member);
    Dwarf_Die child;
    to->fields = arena_zero(&s->arena, (n + 1) * sizeof *to->fields);
    if (dwarf_child(die, &child) != 0)
        return;
    do
        if (dwarf_tag(&child) == DW_TAG_member)
            add_member(s, to, &child);
    while (dwarf_siblingof(&child, &child) == 0);
}

static void enumerators(struct shapes *s, struct shape *to, Dwarf_Die *die)
{
    uint32_t n = count_children(die, DW_TAG_enumerator);
    to->values = arena_zero(&s->arena, (n + 1) * sizeof *to->values);
    Dwarf_Die child;
    if (dwarf_child(die, &child) != 0)
        return;
    do {
        Dwarf_Attribute a;
        Dwarf_Sword v = 0;
        if (dwarf_tag(&child) != DW_TAG_enumerator)
            continue;
        dwarf_formsdata(dwarf_attr(&child, DW_AT_const_value, &a), &v);
        to->is_signed |= v < 0;
        to->values[to->n++] = (struct shape_value){dwarf_diename(&child), v};
    } while (dwarf_siblingof(&child, &child) == 0);
}

// ---- types ----------------------------------------------------------------

// Dimensions of int a[2][3] are two children of one type.
static const struct shape *array_of(struct shapes *s, Dwarf_Die *die)
{
    Dwarf_Die child, type;
    const struct shape *of = NULL;
    uint32_t counts[8], n = 0;
    if (type_of(die, &type))
        of = translate(s, &type);
    if (!of || dwarf_child(die, &child) != 0)
        return NULL;
    do {
        Dwarf_Word count = 0;
        if (dwarf_tag(&child) != DW_TAG_subrange_type || n == 8)
            continue;
        if (!number(&child, DW_AT_count, &count) &&
            number(&child, DW_AT_upper_bound, &count))
            count = (uint32_t)count == UINT32_MAX ? 0 : count + 1;
        counts[n++] = (uint32_t)count;
    } while (dwarf_siblingof(&child, &child) == 0);
    while (n--) {
        struct shape *a = arena_zero(&s->arena, sizeof *a);
        *a = (struct shape){.kind = SHAPE_ARRAY,
                            .size = of->size * counts[n],
                            .n = counts[n],
                            .of = of};
        of = a;
    }
    return of;
}

static enum shape_kind base_kind(Dwarf_Die *die, uint32_t size)
{
    Dwarf_Word encoding = 0;
    const char *name = dwarf_diename(die);
    number(die, DW_AT_encoding, &encoding);
    bool is_float = encoding == DW_ATE_float &&
                    (size == 4 || size == 8 || size == sizeof(long double));
    if (is_float)
        return SHAPE_FLOAT;
    if (size > 8)
        return SHAPE_BYTES;
    if (encoding == DW_ATE_boolean)
        return SHAPE_BOOL;
    if (name && strcmp(name, "char") == 0)
        return SHAPE_CHAR;
    if (encoding == DW_ATE_signed || encoding == DW_ATE_signed_char)
        return SHAPE_INT;
    if (encoding == DW_ATE_unsigned || encoding == DW_ATE_unsigned_char ||
        encoding == DW_ATE_UTF)
        return SHAPE_UNSIGNED;
    return SHAPE_BYTES;
}

static bool ends_in(const char *name, const char *end)
{
    size_t n = strlen(name), k = strlen(end);
    return n >= k && strcmp(name + n - k, end) == 0;
}

static enum shape_kind pointer_kind(Dwarf_Die *die)
{
    Dwarf_Die to;
    if (!type_of(die, &to) || dwarf_peel_type(&to, &to) != 0)
        return SHAPE_POINTER;
    const char *name = dwarf_diename(&to);
    int tag = dwarf_tag(&to);
    if (tag == DW_TAG_base_type && name && strcmp(name, "char") == 0)
        return SHAPE_TEXT;
    bool ref = tag == DW_TAG_union_type && name &&
               (strcmp(name, "tr_any") == 0 || ends_in(name, "_protocol"));
    return ref ? SHAPE_REF : SHAPE_POINTER;
}

static uint64_t target_of(Dwarf_Die *die)
{
    Dwarf_Die to;
    return type_of(die, &to) ? dwarf_dieoffset(&to) : 0;
}

static void fill(struct shapes *s, struct shape *to, Dwarf_Die *die)
{
    switch (dwarf_tag(die)) {
    case DW_TAG_structure_type:
    case DW_TAG_class_type:
        to->kind = SHAPE_STRUCT;
        members(s, to, die);
        break;
    case DW_TAG_union_type:
        to->kind = SHAPE_UNION;
        members(s, to, die);
        break;
    case DW_TAG_enumeration_type:
        to->kind = SHAPE_ENUM;
        enumerators(s, to, die);
        break;
    case DW_TAG_pointer_type:
    case DW_TAG_reference_type:
    case DW_TAG_rvalue_reference_type:
        to->kind = pointer_kind(die);
        to->size = sizeof(void *);
        to->to = target_of(die);
        break;
    case DW_TAG_base_type:
        to->kind = base_kind(die, to->size);
        break;
    }
}

// The library's own names for numbers.
static const char *alias_of(const Dwarf_Die *die)
{
    Dwarf_Die at = *die;
    int tag;
    while ((tag = dwarf_tag(&at)) == DW_TAG_typedef || is_qualifier(tag)) {
        const char *name = tag == DW_TAG_typedef ? dwarf_diename(&at) : NULL;
        if (name && strcmp(name, "tr_time") == 0)
            return "tr_time";
        if (name && strcmp(name, "tr_timer") == 0)
            return "tr_timer";
        if (!type_of(&at, &at))
            break;
    }
    return NULL;
}

static const struct shape *translate(struct shapes *s, Dwarf_Die *die)
{
    Dwarf_Die peeled;
    if (dwarf_peel_type(die, &peeled) != 0)
        peeled = *die;
    const struct shape *array =
        dwarf_tag(&peeled) == DW_TAG_array_type ? array_of(s, &peeled) : NULL;
    if (array)
        return array;
    struct shape *to = arena_zero(&s->arena, sizeof *to);
    to->kind = SHAPE_BYTES;
    to->size = size_of(&peeled);
    to->name = dwarf_diename(&peeled);
    to->alias = alias_of(die);
    fill(s, to, &peeled);
    if (to->alias && strcmp(to->alias, "tr_timer") == 0)
        to->kind = SHAPE_TIMER;
    return to;
}

// ---- the index ------------------------------------------------------------

static void add_structs(struct shapes *s, Dwarf_Die *unit)
{
    Dwarf_Die die;
    if (dwarf_child(unit, &die) != 0)
        return;
    do {
        int tag = dwarf_tag(&die);
        const char *name = dwarf_diename(&die);
        bool whole = !dwarf_hasattr(&die, DW_AT_declaration);
        if (tag == DW_TAG_structure_type && name && whole)
            vec_push(&s->structs, ((struct named){name, dwarf_dieoffset(&die),
                                                  size_of(&die), NULL}));
    } while (dwarf_siblingof(&die, &die) == 0);
}

struct shapes *shapes_new(struct Dwarf *dwarf)
{
    struct shapes *s = need_zero(sizeof *s);
    s->dwarf = dwarf;
    Dwarf_CU *cu = NULL;
    Dwarf_Die die;
    while (dwarf &&
           dwarf_get_units(dwarf, cu, &cu, NULL, NULL, &die, NULL) == 0)
        add_structs(s, &die);
    return s;
}

void shapes_free(struct shapes *s)
{
    vec_free(&s->structs);
    map_free(&s->found);
    vec_free(&s->types);
    map_free(&s->type_at);
    arena_free(&s->arena);
    free(s);
}

static const struct shape *get(struct shapes *s, struct named *n)
{
    Dwarf_Die die;
    if (!n->shape && dwarf_offdie(s->dwarf, n->at, &die))
        n->shape = translate(s, &die);
    return n->shape;
}

const struct shape *shapes_find(struct shapes *s, const char *name, size_t size)
{
    uint64_t key = hash_seeded(name, strlen(name), size);
    uint32_t i = map_get(&s->found, key);
    if (i < s->structs.n && s->structs.at[i].size == size &&
        strcmp(s->structs.at[i].name, name) == 0)
        return get(s, &s->structs.at[i]);
    for (i = 0; i < s->structs.n; i++) {
        struct named *n = &s->structs.at[i];
        if (n->size != size || strcmp(n->name, name) != 0)
            continue;
        map_put(&s->found, key, i);
        return get(s, n);
    }
    return NULL;
}

const struct shape *shapes_at(struct shapes *s, uint64_t type)
{
    Dwarf_Die die;
    if (!type || !dwarf_offdie(s->dwarf, type, &die))
        return NULL;
    uint32_t *at = map_at(&s->type_at, type);
    if (*at == MAP_NONE) {
        *at = s->types.n;
        vec_push(&s->types, translate(s, &die));
    }
    return s->types.at[*at];
}
