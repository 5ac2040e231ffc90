#include "unit/shape.h"

#include "base/text.h"
#include "symex/symex.h"
#include "unit/callees.h"
#include "unit/literal.h"
#include "unit/places.h"
#include "unit/spell.h"

#include <string.h>

enum { STRUCTS = 3, ARRAYS = 2, FILES = 2, ELEMENTS = 8, CHARACTERS = 16 };
enum { CELLS_MOST = 2048, OBJECTS_MOST = 60, PLACES_MOST = 256 };

struct builder {
    const struct unit_subject *s;
    const struct ir *ir;
    const struct ir_fn *f;
    struct arena *a;
    struct shape *out;
    bool indexed;          // the program steps through arrays behind pointers
    VEC(uint32_t) regions; // bare pointed-to types
    VEC(uint32_t) first;   // object of each
    VEC(uint32_t) count;
};

// ---- regions --------------------------------------------------------------

static bool steps_through(const struct ir *ir, uint64_t size)
{
    for (uint32_t k = 0; k < ir->fns.n; k++) {
        const struct ir_fn *f = ir->fns.at[k];
        for (uint32_t i = 0; i < f->insts.n; i++)
            if (f->insts.at[i].op == IR_INDEX && !f->insts.at[i].count &&
                f->insts.at[i].imm == (int64_t)size)
                return true;
    }
    return false;
}

static bool reads_number(const struct ir *ir, const struct ir_fn *of,
                         const struct ir_inst *i)
{
    const struct ir_fn *g = callees_called(ir, of, i);
    return g && !g->defined && strstr(g->name, "strto") &&
           !strstr(g->name, "strtok");
}

// Enough to come to the end of the texts and lengths that the function compares
// with, and over the largest number where it reads one.
static uint64_t characters(const struct builder *w)
{
    enum { NUMBER = 21 };
    uint64_t n = callees_text(w->ir, w->f) + 2;
    if (n < NUMBER && callees_find(w->ir, w->f, reads_number, NULL))
        n = NUMBER;
    return n < CHARACTERS ? CHARACTERS : n;
}

static uint64_t elements(const struct builder *w, uint32_t type)
{
    const struct ir *ir = w->ir;
    const struct ir_dtype *t = spell_bare(ir, type);
    if (t->size == 1)
        return characters(w);
    if (places_kind(ir, type) != CALL_KINDS_N)
        return ELEMENTS;
    return steps_through(ir, t->size) ? ELEMENTS / 2 : 1;
}

static const char *object_name(struct builder *w, uint32_t type, uint32_t i)
{
    const struct ir_dtype *t = spell_bare(w->ir, type);
    const char *name = t->name;
    if (t->kind == IR_D_POINTER)
        name = "pointers";
    else if (t->kind != IR_D_STRUCT && t->kind != IR_D_UNION)
        name = t->size == 1 ? "text" : "values";
    return arena_format(w->a, "%s%u", *name ? name : "object", i + 1);
}

static uint32_t add_files(struct builder *w, uint32_t type)
{
    vec_push(&w->regions, ir_bare_type(w->ir, type));
    vec_push(&w->first, w->out->all.objects.n);
    vec_push(&w->count, FILES);
    for (uint32_t i = 0; i < FILES; i++)
        input_add(&w->out->all, w->a, INPUT_OBJECT,
                  arena_format(w->a, "file%u", i + 1), type, 2 * characters(w))
            ->form = CALL_FILE;
    return w->regions.n - 1;
}

static uint32_t add_region(struct builder *w, uint32_t type)
{
    if (spell_is_file(w->ir, type))
        return add_files(w, type);
    uint32_t bare = ir_bare_type(w->ir, type);
    const struct ir_dtype *t = spell_bare(w->ir, type);
    uint64_t n = elements(w, type);
    bool record = t->kind == IR_D_STRUCT || t->kind == IR_D_UNION;
    uint32_t objects = record ? STRUCTS : ARRAYS;
    vec_push(&w->regions, bare);
    vec_push(&w->first, w->out->all.objects.n);
    vec_push(&w->count, objects);
    for (uint32_t i = 0; i < objects; i++) {
        bool flexible = places_flexible(w->ir, type);
        uint64_t more = flexible ? 8 * ELEMENTS : 0;
        struct input_object *o =
            input_add(&w->out->all, w->a, INPUT_OBJECT, object_name(w, type, i),
                      type, t->size * n + more);
        o->more = more;
        o->count = flexible ? 1 : n;
        o->array = !flexible && n > 1;
        o->form = CALL_BEHIND; // what is written outside shall not be lost
    }
    return w->regions.n - 1;
}

static uint32_t region_of(struct builder *w, uint32_t type)
{
    uint32_t bare = ir_bare_type(w->ir, type);
    for (uint32_t i = 0; i < w->regions.n; i++)
        if (w->regions.at[i] == bare)
            return i;
    return add_region(w, type);
}

// ---- cells ----------------------------------------------------------------

struct of_object {
    struct builder *w;
    uint32_t object;
    uint64_t base;
};

static void add_link(struct builder *w, struct shape_cell *c,
                     struct input_link l)
{
    l.offset = c->offset;
    vec_push(&w->out->links, l);
    c->n_links++;
}

static bool same_type(const struct ir *ir, uint32_t function,
                      const struct ir_fn *f)
{
    const struct ir_dtype *t = &ir->types.at[function];
    if (t->n + 1 != f->n_types || t->variadic != f->variadic ||
        ir_bare_type(ir, t->base) != ir_bare_type(ir, f->types[0]))
        return false;
    for (uint32_t i = 0; i < t->n; i++)
        if (ir_bare_type(ir, t->members[i].type) !=
            ir_bare_type(ir, f->types[i + 1]))
            return false;
    return true;
}

static void link_functions(struct builder *w, struct shape_cell *c,
                           uint32_t function)
{
    for (uint32_t i = 0; i < w->s->fns.n; i++) {
        const struct ir_fn *f = w->ir->fns.at[w->s->fns.at[i]];
        if (f != w->f && same_type(w->ir, function, f))
            add_link(w, c,
                     (struct input_link){.object = IR_NOTHING, .fn = f->id});
    }
}

static void link_callbacks(struct builder *w, struct shape_cell *c,
                           uint32_t function)
{
    for (uint32_t i = 0; i < w->s->callbacks.n; i++) {
        uint32_t fn = ir_find_fn(w->ir, w->s->callbacks.at[i].name);
        if (fn != IR_NOTHING && same_type(w->ir, function, w->ir->fns.at[fn]))
            add_link(w, c, (struct input_link){.object = IR_NOTHING, .fn = fn});
    }
}

static void link_objects(struct builder *w, struct shape_cell *c, uint32_t to)
{
    const struct ir_dtype *t = spell_bare(w->ir, to);
    if (t->kind == IR_D_FUNCTION) {
        link_functions(w, c, ir_bare_type(w->ir, to));
        link_callbacks(w, c, ir_bare_type(w->ir, to));
        return;
    }
    if (!t->size || w->out->all.objects.n > OBJECTS_MOST)
        return; // void, or declared only: null
    uint32_t r = region_of(w, to);
    for (uint32_t i = 0; i < w->count.at[r]; i++)
        add_link(w, c,
                 (struct input_link){.object = w->first.at[r] + i,
                                     .fn = IR_NOTHING});
}

static void add_cell(void *self, const struct place *p)
{
    struct of_object *o = self;
    struct builder *w = o->w;
    struct shape_cell c = {.object = o->object,
                           .offset = o->base + p->offset,
                           .bytes = p->bytes,
                           .bit = p->bit,
                           .bits = p->bits,
                           .type = p->type,
                           .kind = places_kind(w->ir, p->type),
                           .in_union = p->in_union,
                           .links = w->out->links.n};
    if (w->out->cells.n >= CELLS_MOST)
        return;
    bool param = w->out->all.objects.at[o->object].role == INPUT_PARAM;
    uint32_t type = param && ir_bare_type(w->ir, p->type) ==
                                 ir_bare_type(w->ir, w->f->types[o->object + 1])
                        ? sx_param_type(w->ir, w->f, o->object)
                        : p->type;
    if (c.kind == CALL_POINTER)
        link_objects(w, &c, spell_bare(w->ir, type)->base);
    vec_push(&w->out->cells, c);
}

static void add_cells(struct builder *w, uint32_t object)
{
    struct input_object o = w->out->all.objects.at[object];
    if (o.form == CALL_FILE) {
        struct of_object self = {w, object, 0};
        for (uint32_t i = 0; i < o.size; i++) {
            struct place p = {
                .offset = i, .bytes = 1, .type = spell_byte_type(w->ir)};
            if (p.type != IR_NOTHING)
                add_cell(&self, &p);
        }
        return;
    }
    uint64_t each = o.count ? o.size / o.count : o.size;
    for (uint64_t i = 0; i < o.count; i++) {
        struct of_object self = {w, object, o.array ? i * each : 0};
        places(w->ir, o.type, o.more, PLACES_MOST, add_cell, &self);
    }
}

// Does the function, or what it calls, look at this variable?
static bool uses(const struct ir *ir, const struct ir_fn *f, uint32_t global,
                 bool *seen)
{
    if (seen[f->id])
        return false;
    seen[f->id] = true;
    for (uint32_t i = 0; i < f->insts.n; i++) {
        const struct ir_inst *in = &f->insts.at[i];
        for (uint32_t k = 0; k < in->n; k++) {
            ir_id v = ir_args(f, in)[k];
            if (!ir_is_const(v))
                continue;
            const struct ir_const *c = ir_const_at(ir, v);
            if (c->kind == IR_C_GLOBAL && c->index == global)
                return true;
            if (c->kind == IR_C_FUNCTION &&
                uses(ir, ir->fns.at[c->index], global, seen))
                return true;
        }
    }
    return false;
}

static void add_variables(struct builder *w)
{
    for (uint32_t i = 0; i < w->s->variables.n; i++) {
        uint32_t g = w->s->variables.at[i];
        const struct ir_global *v = &w->ir->globals.at[g];
        bool *seen = arena_zero(w->a, w->ir->fns.n + 1ul);
        if (uses(w->ir, w->f, g, seen))
            input_add(&w->out->all, w->a, INPUT_GLOBAL, v->name, v->type,
                      v->size);
    }
}

bool shape_of(const struct unit_subject *s, struct arena *a,
              const struct ir_fn *f, struct shape *out, const char **why)
{
    struct builder w = {.s = s, .ir = s->ir, .f = f, .a = a, .out = out};
    memset(out, 0, sizeof *out);
    if (!input_signature(s->ir, a, f, &out->all, why))
        return false;
    add_variables(&w);
    for (uint32_t i = 0; i < out->all.objects.n; i++)
        add_cells(&w, i);
    vec_free(&w.regions);
    vec_free(&w.first);
    vec_free(&w.count);
    return true;
}

// ---- back to an input -----------------------------------------------------

void shape_long_double(void *to, uint64_t bits)
{
    double d;
    memcpy(&d, &bits, 8);
    long double l = d;
    memcpy(to, &l, 10); // the rest is padding
}

static void put_cell(struct input_object *o, const struct shape_cell *c,
                     uint64_t v)
{
    uint8_t bytes[16] = {0};
    if (c->kind == CALL_LONG_DOUBLE) {
        shape_long_double(bytes, v);
        input_put(o, c->offset, bytes, c->bytes);
        return;
    }
    if (!c->bits) {
        memcpy(bytes, &v, 8);
        input_put(o, c->offset, bytes, c->bytes);
        return;
    }
    memcpy(bytes, o->bytes + c->offset, c->bytes);
    u128 all;
    memcpy(&all, bytes, 16);
    u128 mask = (((u128)1 << c->bits) - 1) << c->bit;
    all = (all & ~mask) | (((u128)v << c->bit) & mask);
    memcpy(bytes, &all, 16);
    input_put(o, c->offset, bytes, c->bytes);
}

// Objects that some pointer leads to; the others are left out.
static void mark(const struct shape *s, const uint64_t *values,
                 const bool *matters, bool *wanted)
{
    for (bool more = true; more;) {
        more = false;
        for (uint32_t i = 0; i < s->cells.n; i++) {
            const struct shape_cell *c = &s->cells.at[i];
            if (c->kind != CALL_POINTER || !values[i] || !wanted[c->object] ||
                !(matters[i] ||
                  s->all.objects.at[c->object].role == INPUT_PARAM))
                continue;
            uint32_t to = s->links.at[c->links + values[i] - 1].object;
            if (to != IR_NOTHING && !wanted[to])
                more = wanted[to] = true;
        }
    }
}

void shape_input(const struct shape *s, struct arena *a, const uint64_t *values,
                 const bool *matters, struct input *out)
{
    uint32_t n = s->all.objects.n, *place = arena_get(a, (n + 1ul) * 4);
    bool *wanted = arena_zero(a, n + 1ul);
    for (uint32_t i = 0; i < n; i++)
        wanted[i] = s->all.objects.at[i].role == INPUT_PARAM;
    for (uint32_t i = 0; i < s->cells.n; i++)
        if (s->all.objects.at[s->cells.at[i].object].role == INPUT_GLOBAL &&
            matters[i])
            wanted[s->cells.at[i].object] = true;
    mark(s, values, matters, wanted);
    memset(out, 0, sizeof *out);
    for (uint32_t i = 0; i < n; i++) {
        const struct input_object *o = &s->all.objects.at[i];
        if (!wanted[i])
            continue;
        place[i] = out->objects.n;
        struct input_object *to =
            input_add(out, a, o->role, o->name, o->type, o->size);
        to->count = o->count;
        to->array = o->array;
        to->more = o->more;
        to->form = o->form;
    }
    for (uint32_t i = 0; i < s->cells.n; i++) {
        const struct shape_cell *c = &s->cells.at[i];
        bool param = s->all.objects.at[c->object].role == INPUT_PARAM;
        if (!wanted[c->object] || !(matters[i] || param))
            continue;
        struct input_object *o = &out->objects.at[place[c->object]];
        if (c->kind != CALL_POINTER) {
            put_cell(o, c, values[i]);
            continue;
        }
        if (c->in_union && !values[i])
            continue;
        struct input_link l = {
            .offset = c->offset, .object = IR_NOTHING, .fn = IR_NOTHING};
        if (values[i])
            l = s->links.at[c->links + values[i] - 1];
        if (l.object != IR_NOTHING)
            l.object = place[l.object];
        l.offset = c->offset;
        input_link(o, l);
    }
    for (uint32_t i = 0; i < out->objects.n; i++) {
        struct input_object *o = &out->objects.at[i];
        if (o->form == CALL_FILE)
            o->size = strnlen((const char *)o->bytes, o->size);
    }
}
