// An input as a call in C: objects with the fields that matter, arguments,
// variables of the program, results of stubs.
#include "unit/input.h"

#include "base/text.h"
#include "symex/symex.h"
#include "unit/arms.h"
#include "unit/callback.h"
#include "unit/literal.h"
#include "unit/places.h"
#include "unit/spell.h"

#include <stdlib.h>
#include <string.h>

struct telling {
    const struct ir *ir;
    struct arena *a;
    const struct input *in;
    const struct input_object *o;
    uint64_t base; // of the element
    uint64_t element;
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

static void tell_field(void *self, const struct place *p)
{
    struct telling *t = self;
    const struct input_object *o = t->o;
    uint64_t at = t->base + p->offset;
    if (at + p->bytes > o->size || !is_known(o, p, at))
        return;
    struct call_value v = {.kind = places_kind(t->ir, p->type),
                           .place = arena_text(t->a, p->path)};
    struct text s = {0};
    if (v.kind == CALL_POINTER)
        text_add(&s, input_link_text(t->ir, t->a, t->in, input_link_at(o, at),
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
    t->base = t->o->array ? element * input_element_size(t->o) : 0;
    struct arms arms = {t->ir, t->in, t->o, t->base, NULL};
    arms_places(&arms, t->o->type, t->o->more, FIELDS_MOST, tell_field, t);
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

static void add_fields(struct telling *t, struct call_object *out)
{
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
    bool rows = spell_bare(ir, o->type)->kind == IR_D_ARRAY;
    if (o->form != CALL_LOCAL)
        ok = spell_plain(ir, o->type,
                         arena_format(a, rows ? "(*%s)" : "*%s", name), &t);
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
    if (bits == 1) // a bool
        return v & 1;
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
        x.value = l      ? input_link_text(ir, a, in, l, IR_NOTHING)
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
