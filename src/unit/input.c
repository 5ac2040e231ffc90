#include "unit/input.h"

#include "base/text.h"
#include "symex/symex.h"
#include "unit/callback.h"
#include "unit/condition.h"
#include "unit/literal.h"
#include "unit/places.h"
#include "unit/spell.h"

#include <stdlib.h>
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
    uint64_t each = o->count ? o->size / o->count : o->size;
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

// ---- in C -----------------------------------------------------------------

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

static uint64_t element_size(const struct input_object *o)
{
    return o->count ? o->size / o->count : o->size;
}

static const char *inner_address(const struct ir *ir, struct arena *a,
                                 const struct input_object *o, uint64_t offset)
{
    uint64_t size = element_size(o);
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
    uint64_t size = element_size(o);
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
    uint64_t size = element_size(o);
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

static const char *link_text(const struct ir *ir, struct arena *a,
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
    bool bytes = !part && ir_bare_type(ir, type) != IR_NOTHING &&
                 places_kind(ir, type) == CALL_KINDS_N &&
                 literal_is_char(ir, o->type) && *at != '(';
    return bytes ? arena_format(a, "(void *)%s", at) : at;
}

struct telling {
    const struct ir *ir;
    struct arena *a;
    const struct input *in;
    const struct input_object *o;
    uint64_t base; // of the element
    uint64_t element;
    uint64_t seen; // bytes before this one are told
    uint64_t last; // where the last value lies,
    bool fits;     // and its member has the type of what it points to
    VEC(struct call_value) values;
};

static bool is_known(const struct input_object *o, const struct place *p,
                     uint64_t at)
{
    for (uint32_t i = 0; i < p->bytes; i++)
        if (o->known[at + i])
            return true;
    return false;
}

static union ir_bits bits_at(const struct input_object *o,
                             const struct place *p, uint64_t at)
{
    union ir_bits v = {.i = 0};
    memcpy(v.b, o->bytes + at, p->bytes < 16 ? p->bytes : 16);
    if (p->bits)
        v.i = ir_cut(v.i >> p->bit, p->bits);
    return v;
}

// Is it a pointer to the type of the object that lies behind it?
static bool fits(const struct telling *t, const struct place *p, uint64_t at)
{
    const struct input_link *l = input_link_at(t->o, at);
    if (!l || l->object == IR_NOTHING || p->bytes != 8 ||
        places_kind(t->ir, p->type) != CALL_POINTER)
        return false;
    return ir_bare_type(t->ir, spell_bare(t->ir, p->type)->base) ==
           ir_bare_type(t->ir, t->in->objects.at[l->object].type);
}

static void tell_field(void *self, const struct place *p)
{
    struct telling *t = self;
    const struct input_object *o = t->o;
    uint64_t at = t->base + p->offset;
    if (at + p->bytes > o->size || !is_known(o, p, at))
        return;
    if (p->in_union && at < t->seen) { // another member has told these bytes
        if (t->values.n && at == t->last && !t->fits && fits(t, p, at)) {
            vec_last(&t->values).place = arena_text(t->a, p->path);
            t->fits = true;
        }
        return;
    }
    if (p->in_union && ((places_kind(t->ir, p->type) == CALL_POINTER) !=
                            (input_link_at(o, at) != NULL) ||
                        input_link_over(o, at)))
        return; // the other view of them
    t->seen = at + p->bytes;
    t->last = at;
    t->fits = fits(t, p, at);
    struct call_value v = {.kind = places_kind(t->ir, p->type),
                           .place = arena_text(t->a, p->path)};
    struct text s = {0};
    if (v.kind == CALL_POINTER)
        text_add(&s, link_text(t->ir, t->a, t->in, input_link_at(o, at),
                               spell_bare(t->ir, p->type)->base));
    else
        literal(t->ir, p->type, p->bits ? p->bits : p->bytes * 8,
                bits_at(o, p, at), &s);
    v.value = arena_text(t->a, text_get(&s));
    text_free(&s);
    vec_push(&t->values, v);
}

enum { FIELDS_MOST = 4096 };

static void tell_element(struct telling *t, uint64_t element)
{
    t->element = element;
    t->base = t->o->array ? element * element_size(t->o) : 0;
    t->seen = t->base;
    places(t->ir, t->o->type, t->o->more, FIELDS_MOST, tell_field, t);
}

// An array of characters up to a zero, and none inside: a literal.
static bool is_text(const struct ir *ir, const struct input_object *o,
                    uint64_t *n)
{
    uint64_t end = 0;
    if (!o->array || spell_bare(ir, o->type)->size != 1 ||
        !(literal_is_char(ir, o->type) ||
          spell_bare(ir, o->type)->kind == IR_D_UNSIGNED))
        return false;
    while (end < o->size && o->bytes[end])
        end++;
    for (uint64_t i = end; i < o->size; i++)
        if (o->bytes[i])
            return false;
    *n = end;
    return end < o->size && literal_is_char(ir, o->type);
}

static void text_fields(const struct ir *ir, struct arena *a,
                        const struct input_object *o, uint64_t n,
                        struct call_object *out)
{
    struct text s = {0};
    literal_text(o->bytes, n, &s);
    vec_push(&out->fields,
             ((struct call_value){CALL_TEXT, "", arena_text(a, text_get(&s))}));
    text_free(&s);
    (void)ir;
}

// Behind its end a text has nothing but zeros: the first value that is none of
// them.
static uint32_t zeros_end(const struct call_value *v, uint32_t n, uint32_t i,
                          uint32_t k, size_t stem)
{
    for (; k < n; k++) {
        char place[32];
        snprintf(place, sizeof place, "[%u]", k - i);
        if (strncmp(v[k].place, v[i].place, stem) != 0 ||
            strcmp(v[k].place + stem, place) != 0 ||
            strcmp(v[k].value, "'\\0'") != 0)
            break;
    }
    return k;
}

// ".name[0] = 'a', .name[1] = '\0'" as ".name = "a"": elements from 0 to a
// zero.
static bool merges(const struct call_value *v, uint32_t n, uint32_t i,
                   uint32_t *end, size_t *stem)
{
    const char *at = strstr(v[i].place, "[0]");
    while (at && strstr(at + 1, "[0]"))
        at = strstr(at + 1, "[0]");
    if (!at || at[3] || v[i].value[0] != '\'')
        return false;
    *stem = (size_t)(at - v[i].place);
    for (uint32_t k = i; k < n; k++) {
        char place[32];
        snprintf(place, sizeof place, "[%u]", k - i);
        if (strncmp(v[k].place, v[i].place, *stem) != 0 ||
            strcmp(v[k].place + *stem, place) != 0 || v[k].value[0] != '\'')
            return false;
        if (strcmp(v[k].value, "'\\0'") == 0) {
            *end = zeros_end(v, n, i, k + 1, *stem);
            return true;
        }
    }
    return false;
}

static struct call_value merged(struct arena *a, const struct call_value *v,
                                uint32_t i, uint32_t end, size_t stem)
{
    struct text s = {0};
    text_char(&s, '"');
    for (uint32_t k = i; k < end && strcmp(v[k].value, "'\\0'") != 0; k++) {
        size_t n = strlen(v[k].value);
        if (strcmp(v[k].value, "'\\''") == 0)
            text_char(&s, '\'');
        else if (strcmp(v[k].value, "'\"'") == 0)
            text_add(&s, "\\\"");
        else
            text_bytes(&s, v[k].value + 1, n - 2);
    }
    text_char(&s, '"');
    struct call_value out = {CALL_TEXT,
                             arena_format(a, "%.*s", (int)stem, v[i].place),
                             arena_text(a, text_get(&s))};
    text_free(&s);
    return out;
}

static const char *field_place(struct arena *a, const struct input_object *o,
                               uint64_t element, const char *path)
{
    if (o->array)
        return arena_format(a, "[%llu]%s", (unsigned long long)element, path);
    if (o->form != CALL_LOCAL && *path == '.')
        return arena_format(a, "->%s", path + 1);
    return path;
}

// Do two paths from a type lead to different members of one union?
static bool clash(const struct ir *ir, uint32_t type, const char *p,
                  const char *q)
{
    while (*p && *q) {
        const struct ir_dtype *t = spell_bare(ir, type);
        size_t n = 1 + strcspn(p + 1, ".["), k = 1 + strcspn(q + 1, ".[");
        uint32_t next = IR_NOTHING;
        if (n != k || strncmp(p, q, n) != 0)
            return t->kind == IR_D_UNION;
        for (uint32_t i = 0; i < t->n && *p == '.'; i++)
            if (strlen(t->members[i].name) == n - 1 &&
                strncmp(t->members[i].name, p + 1, n - 1) == 0)
                next = t->members[i].type;
        if (*p == '[')
            next = t->base;
        if (next == IR_NOTHING) // a member of one without a name
            return false;
        type = next;
        p += n;
        q += n;
    }
    return false;
}

// A zero that another member of its union would take back need not be told.
static void drop_zeros(struct telling *t)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < t->values.n; i++) {
        const struct call_value *v = &t->values.at[i];
        bool zero = strcmp(v->value, "0") == 0 || strcmp(v->value, "NULL") == 0;
        bool is = false;
        for (uint32_t k = i + 1; k < t->values.n && zero && !is; k++)
            is = clash(t->ir, t->o->type, v->place, t->values.at[k].place);
        if (!is)
            t->values.at[kept++] = *v;
    }
    t->values.n = kept;
}

static void add_fields(struct telling *t, struct call_object *out)
{
    drop_zeros(t);
    for (uint32_t i = 0; i < t->values.n; i++) {
        uint32_t end;
        size_t stem;
        struct call_value v = t->values.at[i];
        if (merges(t->values.at, t->values.n, i, &end, &stem)) {
            v = merged(t->a, t->values.at, i, end, stem);
            i = end - 1;
        }
        if (t->o->form != CALL_LOCAL && t->o->array &&
            (strcmp(v.value, "'\\0'") == 0 || strcmp(v.value, "0") == 0))
            continue; // as it is anyway
        v.place = field_place(t->a, t->o, t->element, v.place);
        vec_push(&out->fields, v);
    }
    vec_clear(&t->values);
}

static bool declare(const struct ir *ir, struct arena *a,
                    const struct input_object *o, struct call_object *out)
{
    struct text t = {0};
    const char *name = o->name;
    bool ok;
    if (o->form != CALL_LOCAL)
        ok = spell_plain(ir, o->type, arena_format(a, "*%s", name), &t);
    else if (o->array)
        ok = spell_array(ir, o->type, o->count, name, &t);
    else
        ok = spell_plain(ir, o->type, name, &t);
    out->declaration = arena_text(a, text_get(&t));
    text_free(&t);
    if (o->form == CALL_LOCAL)
        return ok;
    if (o->array)
        out->size = arena_format(a, "%llu * sizeof *%s",
                                 (unsigned long long)o->count, name);
    else if (o->more)
        out->size = arena_format(a, "sizeof *%s + %llu", name,
                                 (unsigned long long)o->more);
    else
        out->size = arena_format(a, "sizeof *%s", name);
    return ok;
}

static bool tell_file(const struct ir *ir, struct arena *a,
                      const struct input_object *o, struct call_case *c)
{
    struct call_object out = {
        .form = CALL_FILE,
        .name = o->name,
        .declaration = arena_format(a, "FILE *%s", o->name),
        .size = arena_format(a, "%llu", (unsigned long long)o->size)};
    text_fields(ir, a, o, o->size, &out);
    vec_push(&c->objects, out);
    return true;
}

static bool tell_object(const struct ir *ir, struct arena *a,
                        const struct input *in, const struct input_object *o,
                        struct call_case *c)
{
    if (o->form == CALL_FILE)
        return tell_file(ir, a, o, c);
    struct telling t = {.ir = ir, .a = a, .in = in, .o = o};
    struct call_object out = {.form = o->form, .name = o->name};
    uint64_t n;
    if (!declare(ir, a, o, &out))
        return false;
    if (o->form == CALL_LOCAL && is_text(ir, o, &n))
        text_fields(ir, a, o, n, &out);
    else
        for (uint64_t i = 0; i < o->count; i++) {
            tell_element(&t, i);
            add_fields(&t, &out);
        }
    vec_free(&t.values);
    vec_push(&c->objects, out);
    return true;
}

static void tell_global(const struct ir *ir, struct arena *a,
                        const struct input *in, const struct input_object *o,
                        struct call_case *c)
{
    struct telling t = {.ir = ir, .a = a, .in = in, .o = o};
    tell_element(&t, 0);
    for (uint32_t i = 0; i < t.values.n; i++) {
        struct call_value v = t.values.at[i];
        v.place = arena_format(a, "%s%s", o->name, v.place);
        vec_push(&c->before, v);
    }
    vec_free(&t.values);
}

// A scalar stands in the call itself; a struct is a local of its own.
static bool tell_param(const struct ir *ir, struct arena *a,
                       const struct input *in, const struct input_object *o,
                       struct call_case *c)
{
    struct telling t = {.ir = ir, .a = a, .in = in, .o = o};
    if (places_kind(ir, o->type) == CALL_KINDS_N) {
        vec_push(&c->arguments, o->name);
        return tell_object(ir, a, in, o, c);
    }
    memset(o->known, true, o->size);
    tell_element(&t, 0);
    assert(t.values.n == 1);
    vec_push(&c->arguments, t.values.at[0].value);
    vec_free(&t.values);
    return true;
}

static int64_t cut_to(int64_t v, unsigned bits)
{
    return bits < 64 ? (int64_t)ir_signed((u128)(uint64_t)v, bits) : v;
}

// Of values that a stub writes, by their name; 0: it is no such name.
static unsigned written_bits(const struct ir *ir, struct arena *a,
                             const char *name)
{
    const char *at = strstr(name, "_writes_"), *next = at;
    while (next && (next = strstr(next + 1, "_writes_")))
        at = next;
    uint32_t fn =
        at ? ir_find_fn(ir, arena_format(a, "%.*s", (int)(at - name), name))
           : IR_NOTHING;
    return fn == IR_NOTHING
               ? 0
               : 8 * sx_written(ir, fn, (uint32_t)atoi(at + 8) - 1);
}

static void tell_stub(const struct ir *ir, struct arena *a,
                      const struct input *in, const struct input_object *o,
                      struct call_case *c)
{
    uint32_t fn = ir_find_fn(ir, o->name);
    const char *name =
        callback_name(o->name) ? callback_name(o->name) : o->name;
    bool real = fn != IR_NOTHING && ir->fns.at[fn]->result.kind == IR_FLOAT;
    unsigned written = written_bits(ir, a, o->name);
    unsigned bits = written            ? written
                    : fn == IR_NOTHING ? 64
                                       : ir->fns.at[fn]->result.bits;
    for (uint64_t i = 0; i < o->size; i += 8) {
        const struct input_link *l = input_link_at(o, i);
        int64_t v;
        double d;
        memcpy(&v, o->bytes + i, 8);
        memcpy(&d, o->bytes + i, 8);
        struct call_value x = {l      ? CALL_POINTER
                               : real ? CALL_DOUBLE
                                      : CALL_SIGNED,
                               arena_format(a, "%s%s[%llu]", name,
                                            written ? "" : "_returns",
                                            (unsigned long long)i / 8),
                               NULL};
        x.value = l      ? link_text(ir, a, in, l, IR_NOTHING)
                  : real ? arena_format(a, "%a", d)
                         : arena_format(a, "%lld", (long long)cut_to(v, bits));
        if (o->known[i])
            vec_push(&c->before, x);
    }
}

static bool tell(const struct ir *ir, struct arena *a, const struct input *in,
                 const struct input_object *o, struct call_case *c)
{
    switch (o->role) {
    case INPUT_STUB:
        tell_stub(ir, a, in, o, c);
        return true;
    case INPUT_PARAM:
        return tell_param(ir, a, in, o, c);
    case INPUT_GLOBAL:
        tell_global(ir, a, in, o, c);
        return true;
    case INPUT_OBJECT:
        return tell_object(ir, a, in, o, c);
    }
    return false;
}

bool input_call(const struct ir *ir, struct arena *a, const struct ir_fn *f,
                const struct input *in, struct call_case *c, const char **why)
{
    struct text t = {0};
    bool ok = true;
    c->function = f->name;
    c->file = ir->files.at[f->file];
    c->line = f->line;
    c->fails = in->fails;
    c->earlier = in->earlier;
    for (uint32_t i = 0; i < in->objects.n; i++)
        if (!tell(ir, a, in, &in->objects.at[i], c)) {
            *why = arena_format(a, "the type of '%s' has no name",
                                in->objects.at[i].name);
            return false;
        }
    if (f->n_types && ir_bare_type(ir, f->types[0]) != IR_NOTHING) {
        ok = spell_plain(ir, f->types[0], "result", &t);
        c->result = arena_text(a, text_get(&t));
        if (!ok)
            *why = "the type of the result has no name";
    }
    text_free(&t);
    return ok;
}
