// What came of a call, in the process that made it: as C values.
#include "unit/arms.h"
#include "unit/runner_process.h"

#include "base/wire.h"
#include "unit/literal.h"
#include "unit/places.h"
#include "unit/spell.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

enum { PLACES_MOST = 512, DEPTH_MOST = 3, TEXT_MOST = 200 };

// ---- what came of it --------------------------------------------------------

struct teller {
    struct runner_process *p;
    struct arena *a;
    const struct input *in;
    const struct runner_layout *l;
    struct runner_values *out;
    bool initial;      // values that nothing has changed yet
    const char **told; // by block: the place that it was told as, NULL: none
    uint32_t depth;
};

static void put_value(struct teller *t, enum call_kind kind, const char *place,
                      const char *value)
{
    wire_put32(&t->out->wire, kind);
    wire_put_string(&t->out->wire, place);
    wire_put_string(&t->out->wire, value);
    t->out->n++;
}

static void tell_type(struct teller *t, uint32_t type, const char *memory,
                      const char *place, uint64_t room);

// New memory that a pointer leads to, by the names "place->field".
static void tell_new(struct teller *t, uint32_t type, const char *at,
                     uint64_t room, const char *place)
{
    const struct ir *ir = t->p->s->ir;
    uint32_t to = spell_bare(ir, type)->base;
    const struct ir_dtype *b = spell_bare(ir, to);
    if (literal_is_char(ir, to)) {
        struct text s = {0};
        uint64_t n = strnlen(at, room);
        literal_text((const uint8_t *)at, n < room ? n + 1 : n, &s);
        if (n < room && n < TEXT_MOST)
            put_value(t, CALL_TEXT, place, text_get(&s));
        text_free(&s);
        return;
    }
    if (!b->size || b->size > room || t->depth >= DEPTH_MOST)
        return;
    t->depth++;
    if (b->kind == IR_D_STRUCT)
        tell_type(t, to, at, arena_format(t->a, "%s->", place), room);
    else
        for (uint64_t i = 0; i < room / b->size && i < 64; i++)
            tell_type(
                t, to, at + i * b->size,
                arena_format(t->a, "%s[%llu]", place, (unsigned long long)i),
                b->size);
    t->depth--;
}

static bool tell_link(struct teller *t, const char *p, const char *place)
{
    for (uint32_t i = 0; i < t->in->objects.n; i++) {
        const struct input_object *o = &t->in->objects.at[i];
        const char *at = t->l->at[i];
        if (t->l->files[i] && t->l->files[i] == (const void *)p) {
            put_value(t, CALL_POINTER, place, o->name);
            return true;
        }
        if (o->form == CALL_FILE || o->role == INPUT_PARAM ||
            o->role == INPUT_STUB || p < at ||
            p >= at + o->size + (o->array ? 1 : 0))
            continue;
        put_value(t, CALL_POINTER, place,
                  input_address(t->p->s->ir, t->a, o, p - at));
        return true;
    }
    return false;
}

// Is it in what was loaded of the program: a constant, a variable?
static bool is_loaded(const struct teller *t, const char *at)
{
    Dl_info object, here;
    return dladdr(dlsym(t->p->object, "unit_hooks"), &object) &&
           dladdr(at, &here) && here.dli_fbase == object.dli_fbase;
}

// Text of the program's own.  No page is read that may not be there.
static void tell_own_text(struct teller *t, const char *at, const char *place)
{
    size_t page = 4096, room = page - (uintptr_t)at % page;
    if (room < TEXT_MOST && is_loaded(t, at + room))
        room += page;
    room = room < TEXT_MOST ? room : TEXT_MOST;
    size_t n = strnlen(at, room);
    struct text s = {0};
    if (n == room)
        return;
    literal_text((const uint8_t *)at, n + 1, &s);
    put_value(t, CALL_TEXT, place, text_get(&s));
    text_free(&s);
}

static void tell_pointer(struct teller *t, uint32_t type, const char *p,
                         const char *place)
{
    if (!p) {
        put_value(t, CALL_POINTER, place, "NULL");
        return;
    }
    if (t->initial || tell_link(t, p, place))
        return;
    for (uint32_t i = 0; i < t->p->blocks.n; i++) {
        const struct block *b = &t->p->blocks.at[i];
        if (p != b->at || !b->live)
            continue;
        put_value(t, CALL_POINTER, place, t->told[i] ? t->told[i] : "new");
        if (t->told[i])
            return; // the same memory
        t->told[i] = place;
        tell_new(t, type, b->at, b->size, place);
        return;
    }
    const struct ir *ir = t->p->s->ir;
    if (literal_is_char(ir, spell_bare(ir, type)->base) && is_loaded(t, p))
        tell_own_text(t, p, place);
}

struct scalars {
    struct teller *t;
    const char *memory, *prefix;
    const struct input_object *was; // NULL: tell all
    uint64_t base;
    uint64_t
        told; // bytes before this one, where no member of a union is chosen
};

static bool concerns(const struct scalars *s, const struct place *p)
{
    uint64_t at = s->base + p->offset;
    if (!s->was)
        return true;
    for (uint32_t i = 0; i < p->bytes; i++)
        if (s->was->known[at + i])
            return true;
    if (input_link_at(s->was, at))
        return true;
    return memcmp(s->was->bytes + at, s->memory + p->offset, p->bytes) != 0;
}

// Is it a part of a word that holds the address of an object or of memory that
// was allocated?  A pointer may lie in what is declared as bytes.
static bool is_of_address(const struct teller *t, const char *at)
{
    const char *word = at - (uintptr_t)at % sizeof(void *);
    uintptr_t v;
    memcpy(&v, word, sizeof v);
    for (uint32_t i = 0; i < t->in->objects.n; i++)
        if (v - (uintptr_t)t->l->at[i] <= t->in->objects.at[i].size)
            return true;
    for (uint32_t i = 0; i < t->p->blocks.n; i++)
        if (v - (uintptr_t)t->p->blocks.at[i].at <= t->p->blocks.at[i].size)
            return true;
    return false;
}

static void tell_scalar(void *self, const struct place *p)
{
    struct scalars *s = self;
    struct teller *t = s->t;
    const struct ir *ir = t->p->s->ir;
    if (!concerns(s, p) || (p->in_union && !s->was && p->offset < s->told))
        return;
    s->told = p->offset + p->bytes;
    const char *path = p->path;
    size_t n = strlen(s->prefix);
    if (n > 1 && s->prefix[n - 1] == '>' && *path == '.')
        path++;
    const char *place = arena_format(t->a, "%s%s", s->prefix, path);
    union ir_bits v = {.i = 0};
    memcpy(v.b, s->memory + p->offset, p->bytes < 16 ? p->bytes : 16);
    if (p->bits)
        v.i = ir_cut(v.i >> p->bit, p->bits);
    enum call_kind kind = places_kind(ir, p->type);
    if (kind == CALL_POINTER) {
        tell_pointer(t, p->type, (const char *)(uintptr_t)v.i, place);
        return;
    }
    if (is_of_address(t, s->memory + p->offset))
        return;
    struct text text = {0};
    literal(ir, p->type, p->bits ? p->bits : p->bytes * 8, v, &text);
    put_value(t, kind, place, text_get(&text));
    text_free(&text);
}

static void tell_type(struct teller *t, uint32_t type, const char *memory,
                      const char *place, uint64_t room)
{
    uint64_t size = spell_bare(t->p->s->ir, type)->size;
    struct scalars s = {.t = t, .memory = memory, .prefix = place};
    places(t->p->s->ir, type, room > size ? room - size : 0, PLACES_MOST,
           tell_scalar, &s);
}

// What it holds, if something was written; else how far it was read.
static void tell_file(struct teller *t, uint32_t i)
{
    const struct input_object *o = &t->in->objects.at[i];
    char *now = arena_zero(t->a, TEXT_MOST + 1);
    FILE *f = t->l->files[i];
    long at = ftell(f);
    fflush(f);
    rewind(f);
    size_t n = fread(now, 1, TEXT_MOST, f);
    if (n == TEXT_MOST)
        return;
    if (n == o->size && memcmp(now, o->bytes, n) == 0) {
        if (at > 0)
            put_value(t, CALL_SIGNED, arena_format(t->a, "ftell(%s)", o->name),
                      arena_format(t->a, "%ld", at));
        return;
    }
    struct text s = {0};
    literal_text((const uint8_t *)now, n + 1, &s);
    put_value(t, CALL_TEXT, arena_format(t->a, "text_of(%s)", o->name),
              text_get(&s));
    text_free(&s);
}

static void tell_object(struct teller *t, uint32_t i)
{
    const struct ir *ir = t->p->s->ir;
    const struct input_object *o = &t->in->objects.at[i];
    uint64_t each = o->count ? o->size / o->count : o->size;
    for (uint32_t k = 0; k < t->p->freed.n; k++)
        if (t->p->freed.at[k] == i)
            return;
    if (o->form == CALL_FILE) {
        tell_file(t, i);
        return;
    }
    for (uint64_t k = 0; k < o->count; k++) {
        const char *place = input_place(ir, t->a, o, k, "");
        if (!o->array && o->role == INPUT_OBJECT && o->form != CALL_LOCAL &&
            spell_bare(ir, o->type)->kind == IR_D_STRUCT)
            place = arena_format(t->a, "%s->", o->name);
        struct scalars s = {.t = t,
                            .memory = t->l->at[i] + k * each,
                            .prefix = place,
                            .was = o,
                            .base = o->array ? k * each : 0};
        struct arms arms = {ir, t->in, o, s.base, s.memory};
        arms_places(&arms, o->type, o->more, PLACES_MOST, tell_scalar, &s);
    }
}

static bool is_input(const struct input *in, const char *name)
{
    for (uint32_t i = 0; i < in->objects.n; i++)
        if (in->objects.at[i].role == INPUT_GLOBAL &&
            strcmp(in->objects.at[i].name, name) == 0)
            return true;
    return false;
}

// What a variable holds in memory, where that is not what it holds in `other`.
static void tell_variable(struct teller *t, const struct variable *v,
                          const char *memory, const char *other)
{
    const struct ir *ir = t->p->s->ir;
    const struct ir_global *g = &ir->globals.at[v->global];
    bool *none = arena_zero(t->a, v->size + 1);
    uint8_t *bytes = arena_copy(t->a, other, v->size);
    struct input_object was = {.bytes = bytes, .known = none, .size = v->size};
    struct scalars s = {
        .t = t, .memory = memory, .prefix = g->name, .was = &was};
    struct arms arms = {ir, t->in, &was, 0, memory};
    arms_places(&arms, g->type, 0, PLACES_MOST, tell_scalar, &s);
}

// Variables that the call changed, though it was given none of them.
static void tell_variables(struct teller *t, struct runner_values *before)
{
    const struct ir *ir = t->p->s->ir;
    struct teller first = *t;
    first.out = before;
    first.initial = true;
    for (uint32_t i = 0; i < t->p->variables.n; i++) {
        const struct variable *v = &t->p->variables.at[i];
        if (is_input(t->in, ir->globals.at[v->global].name) ||
            memcmp(v->at, v->first, v->size) == 0)
            continue;
        tell_variable(t, v, v->at, v->first);
        tell_variable(&first, v, v->first, v->at);
    }
}

// errno, which is 0 before the call.
static void tell_errno(struct teller *t, struct runner_values *before)
{
    struct teller first = *t;
    const char *name = strerrorname_np(t->p->error);
    first.out = before;
    put_value(&first, CALL_SIGNED, "errno", "0");
    put_value(t, CALL_SIGNED, "errno",
              t->p->error && name ? name
                                  : arena_format(t->a, "%d", t->p->error));
}

static void tell_all(struct teller *t, const struct ir_fn *f,
                     const char *result, struct runner_values *before)
{
    const struct ir *ir = t->p->s->ir;
    if (ir_bare_type(ir, f->types[0]) != IR_NOTHING)
        tell_type(t, f->types[0], result, "result", 0);
    for (uint32_t i = 0; i < t->in->objects.n; i++)
        if (t->in->objects.at[i].role == INPUT_OBJECT ||
            t->in->objects.at[i].role == INPUT_GLOBAL)
            tell_object(t, i);
    tell_variables(t, before);
    if (t->p->has_errno)
        tell_errno(t, before);
}

void runner_say(struct runner_process *p, struct arena *a,
                const struct ir_fn *f, const char *result,
                struct runner_values *before, struct runner_values *after)
{
    struct teller t = {.p = p,
                       .a = a,
                       .in = p->in,
                       .l = p->layout,
                       .out = after,
                       .told =
                           arena_zero(a, (p->blocks.n + 1ul) * sizeof *t.told)};
    tell_all(&t, f, result, before);
}
