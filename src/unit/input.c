#include "unit/input.h"

#include "base/text.h"
#include "unit/condition.h"
#include "unit/literal.h"
#include "unit/places.h"
#include "unit/spell.h"

#include <string.h>

struct input_object *input_add(struct input *in, struct arena *a,
                               enum input_role role, const char *name,
                               uint32_t type, uint64_t size)
{
    struct input_object o = {.role = role,
                             .name = name,
                             .type = type,
                             .count = 1,
                             .size = size,
                             .bytes = arena_zero(a, size + 1),
                             .known = arena_zero(a, size + 1)};
    vec_push(&in->objects, o);
    return &vec_last(&in->objects);
}

void input_put(struct input_object *o, uint64_t offset, const void *bytes,
               uint32_t n)
{
    assert(offset + n <= o->size);
    memcpy(o->bytes + offset, bytes, n);
    memset(o->known + offset, true, n);
}

const struct input_link *input_link_at(const struct input_object *o,
                                       uint64_t offset)
{
    for (uint32_t i = 0; i < o->links.n; i++)
        if (o->links.at[i].offset == offset)
            return &o->links.at[i];
    return NULL;
}

bool input_link_over(const struct input_object *o, uint64_t offset)
{
    for (uint32_t i = 0; i < o->links.n; i++)
        if (o->links.at[i].offset < offset &&
            offset < o->links.at[i].offset + 8)
            return true;
    return false;
}

void input_link(struct input_object *o, struct input_link link)
{
    assert(link.offset + 8 <= o->size);
    memset(o->known + link.offset, true, 8);
    for (uint32_t i = 0; i < o->links.n; i++)
        if (o->links.at[i].offset == link.offset) {
            o->links.at[i] = link;
            return;
        }
    vec_push(&o->links, link);
}

void input_copy(struct arena *a, const struct input *from, struct input *to)
{
    memset(to, 0, sizeof *to);
    to->fails = from->fails;
    to->earlier = from->earlier;
    for (uint32_t i = 0; i < from->objects.n; i++) {
        struct input_object o = from->objects.at[i];
        o.bytes = arena_copy(a, o.bytes, o.size + 1);
        o.known = arena_copy(a, o.known, o.size + 1);
        memset(&o.links, 0, sizeof o.links);
        for (uint32_t k = 0; k < from->objects.at[i].links.n; k++)
            vec_push(&o.links, from->objects.at[i].links.at[k]);
        vec_push(&to->objects, o);
    }
}

void input_release(struct input *in)
{
    for (uint32_t i = 0; i < in->objects.n; i++)
        vec_free(&in->objects.at[i].links);
    vec_free(&in->objects);
}

// ---- the signature --------------------------------------------------------

static bool is_keyword(const char *s)
{
    static const char *const words[] = {
        "auto",     "break",    "case",     "char",   "const",   "continue",
        "default",  "do",       "double",   "else",   "enum",    "extern",
        "float",    "for",      "goto",     "if",     "inline",  "int",
        "long",     "register", "restrict", "return", "short",   "signed",
        "sizeof",   "static",   "struct",   "switch", "typedef", "union",
        "unsigned", "void",     "volatile", "while",  "state",   "result",
        "failed",   "tests",    "traps",    "main"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(words[i], s) == 0)
            return true;
    return false;
}

// Would a local of this name hide something that a test speaks of?
static bool is_taken(const struct ir *ir, const char *s)
{
    if (is_keyword(s) || ir_find_fn(ir, s) != IR_NOTHING ||
        ir_find_global(ir, s) != IR_NOTHING)
        return true;
    for (uint32_t i = 0; i < ir->types.n; i++)
        if (ir->types.at[i].kind == IR_D_TYPEDEF &&
            strcmp(ir->types.at[i].name, s) == 0)
            return true;
    return false;
}

static const char *own_name(const struct ir *ir, struct arena *a, const char *s)
{
    while (is_taken(ir, s))
        s = arena_format(a, "%s_", s);
    return s;
}

// The name of a parameter in the source.
static const char *param_name(const struct ir *ir, struct arena *a,
                              const struct ir_fn *f,
                              struct condition_file *file, uint32_t i)
{
    const char *name = condition_parameter(file, a, ir->files.at[f->file],
                                           f->line, f->name, i);
    return own_name(ir, a, *name ? name : arena_format(a, "arg%u", i + 1));
}

bool input_signature(const struct ir *ir, struct arena *a,
                     const struct ir_fn *f, struct input *in, const char **why)
{
    struct condition_file file = {0};
    struct text t = {0};
    bool ok = true;
    for (uint32_t i = 1; i < f->n_types && ok; i++) {
        const struct ir_dtype *type = spell_bare(ir, f->types[i]);
        const char *name = param_name(ir, a, f, &file, i - 1);
        ok = spell_plain(ir, f->types[i], name, &t);
        if (!ok)
            *why = arena_format(a, "the type of parameter %u has no name", i);
        if (ok && type->kind == IR_D_OTHER)
            ok = false, *why = "a parameter has a type that is not known";
        if (ok)
            input_add(in, a, INPUT_PARAM, name, f->types[i], type->size);
    }
    text_free(&t);
    return ok;
}

// ---- declared counts --------------------------------------------------------

static void widen(struct arena *a, struct input_object *o, uint64_t count)
{
    uint64_t each = input_element_size(o);
    if (o->role != INPUT_OBJECT || o->form != CALL_LOCAL || o->more || !each ||
        o->count >= count)
        return;
    uint8_t *bytes = arena_zero(a, count * each + 1);
    bool *known = arena_zero(a, count * each + 1);
    memcpy(bytes, o->bytes, o->size);
    memcpy(known, o->known, o->size);
    o->bytes = bytes;
    o->known = known;
    o->size = count * each;
    o->count = count;
    o->array = true;
}

void input_widen(const struct ir *ir, struct arena *a, const struct ir_fn *f,
                 struct condition_file *file, struct input *in)
{
    enum { COUNT_MOST = 1024 };
    uint32_t n = 0;
    for (uint32_t i = 0; i < in->objects.n; i++) {
        if (in->objects.at[i].role != INPUT_PARAM)
            continue;
        uint64_t count = condition_count(file, a, ir->files.at[f->file],
                                         f->line, f->name, n++);
        const struct input_link *l = input_link_at(&in->objects.at[i], 0);
        if (count > 1 && count <= COUNT_MOST && l && l->object != IR_NOTHING &&
            l->to == 0)
            widen(a, &in->objects.at[l->object], count);
    }
}

// ---- how plain it is ------------------------------------------------------

struct weighing {
    const struct ir *ir;
    const struct input_object *o;
    uint64_t base, sum;
};

static uint64_t weight_of_file(const struct input_object *o)
{
    uint64_t sum = o->size;
    for (uint64_t i = 0; i < o->size; i++)
        sum += literal_char_weight(o->bytes[i]);
    return sum;
}

static void weigh(void *self, const struct place *p)
{
    struct weighing *w = self;
    uint64_t at = w->base + p->offset, v = 0, minus;
    uint32_t bytes = p->bytes < 8 ? p->bytes : 8;
    if (at + p->bytes > w->o->size || input_link_at(w->o, at))
        return;
    memcpy(&v, w->o->bytes + at, bytes);
    if (literal_is_char(w->ir, p->type)) {
        w->sum += literal_char_weight((uint8_t)v);
        return;
    }
    minus = bytes < 8 ? (~v + 1) & ((UINT64_C(1) << 8 * bytes) - 1) : ~v + 1;
    for (v = v < minus ? v : minus; v; v >>= 1)
        w->sum++;
}

static uint64_t weigh_links(const struct input *in)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < in->objects.n; i++)
        for (uint32_t k = 0; k < in->objects.at[i].links.n; k++)
            sum += in->objects.at[i].links.at[k].object != IR_NOTHING ? 2 : 0;
    for (uint32_t t = 0; t < in->objects.n; t++) {
        uint64_t to = 0;
        for (uint32_t i = 0; i < in->objects.n; i++)
            for (uint32_t k = 0; k < in->objects.at[i].links.n; k++)
                to += in->objects.at[i].links.at[k].object == t;
        sum += to > 1 ? 8 * (to - 1) : 0;
    }
    return sum;
}

uint64_t input_weight(const struct ir *ir, const struct input *in)
{
    struct weighing w = {.ir = ir};
    for (uint32_t i = 0; i < in->objects.n; i++) {
        w.o = &in->objects.at[i];
        if (w.o->form == CALL_FILE) {
            w.sum += weight_of_file(w.o);
            continue;
        }
        for (uint64_t k = 0; k < w.o->count && w.o->role != INPUT_STUB; k++) {
            w.base = w.o->array ? k * (w.o->size / w.o->count) : 0;
            places(ir, w.o->type, w.o->more, 4096, weigh, &w);
        }
    }
    return w.sum + weigh_links(in);
}

// ---- names ------------------------------------------------------------------

static const char *stem_of(const struct ir *ir, const struct input_object *o)
{
    const struct ir_dtype *t = spell_bare(ir, o->type);
    if (o->form == CALL_FILE)
        return "file";
    if (t->kind == IR_D_STRUCT || t->kind == IR_D_UNION)
        return *t->name ? t->name : "object";
    if (t->kind == IR_D_POINTER)
        return "pointers";
    return t->size == 1 ? "text" : "values";
}

static uint32_t count_stems(const struct ir *ir, const struct input *in,
                            const bool *named, const char *stem, uint32_t end)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < end; i++)
        n += in->objects.at[i].role == INPUT_OBJECT && !named[i] &&
             strcmp(stem_of(ir, &in->objects.at[i]), stem) == 0;
    return n;
}

void input_rename(const struct ir *ir, struct arena *a, struct input *in)
{
    bool *named = arena_zero(a, in->objects.n + 1ul);
    for (uint32_t i = 0; i < in->objects.n; i++) {
        const struct input_link *l = input_link_at(&in->objects.at[i], 0);
        if (in->objects.at[i].role != INPUT_PARAM || !l ||
            l->object == IR_NOTHING || named[l->object] ||
            in->objects.at[l->object].role != INPUT_OBJECT ||
            places_kind(ir, in->objects.at[i].type) != CALL_POINTER)
            continue;
        named[l->object] = true;
        in->objects.at[l->object].name = in->objects.at[i].name;
    }
    for (uint32_t i = 0; i < in->objects.n; i++) {
        struct input_object *o = &in->objects.at[i];
        if (o->role != INPUT_OBJECT || named[i])
            continue;
        const char *stem = stem_of(ir, o);
        uint32_t all = count_stems(ir, in, named, stem, in->objects.n);
        uint32_t before = count_stems(ir, in, named, stem, i);
        o->name = own_name(
            ir, a, all > 1 ? arena_format(a, "%s%u", stem, before + 1) : stem);
    }
    for (uint32_t i = 0; i < in->objects.n; i++) // a type named as a parameter
        for (uint32_t k = 0; k < i; k++)
            if (!named[i] && in->objects.at[i].role == INPUT_OBJECT &&
                strcmp(in->objects.at[i].name, in->objects.at[k].name) == 0)
                in->objects.at[i].name =
                    arena_format(a, "%s_", in->objects.at[i].name);
}
