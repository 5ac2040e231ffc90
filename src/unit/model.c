// Pointers of a path are numbers of objects with offsets.  First the size that
// each object needs is found, then objects are added, then each cell that the
// path looked at is put where it lies; what a test cannot make is told in *why.
#include "unit/model.h"

#include "unit/literal.h"
#include "unit/places.h"
#include "unit/spell.h"

#include <string.h>

enum { OBJECTS_MOST = 200, UNKNOWN_SIZE = 256 };

struct object {
    uint32_t number; // in the model
    uint32_t type;   // pointed-to debug type
    uint64_t size;   // bytes that the path needs
    bool counted;    // its size is said by the path
    bool bytewise;   // it is looked at byte by byte
    bool file;
    uint32_t at; // in the input
};

struct maker {
    const struct model_of *m;
    const struct ir *ir;
    struct arena *a;
    struct input *out;
    const char **why;
    VEC(struct object) objects;
    VEC(uint32_t) globals; // numbers of those in the input,
    VEC(uint32_t) places;  // and where
};

static u128 value_of(const struct maker *w, term t)
{
    return term_eval(w->m->ts, t, w->m->model);
}

static uint32_t number_of(const struct maker *w, uint32_t ref)
{
    return (uint32_t)value_of(w, sx_run_ref(w->m->run, ref)->var);
}

static bool is_object(uint32_t number)
{
    return number && number < SX_STUB_FN;
}

static struct object *object_of(struct maker *w, uint32_t number)
{
    for (uint32_t i = 0; i < w->objects.n; i++)
        if (w->objects.at[i].number == number)
            return &w->objects.at[i];
    vec_push(&w->objects,
             ((struct object){.number = number, .type = IR_NOTHING}));
    return &vec_last(&w->objects);
}

// ---- sizes ----------------------------------------------------------------

// The object must have what lies before the place that a pointer leads to.
static void reach_to(struct maker *w, uint64_t pointer)
{
    uint32_t number = (uint32_t)(pointer >> SX_OFFSET_BITS);
    uint64_t offset = pointer & ((UINT64_C(1) << SX_OFFSET_BITS) - 1);
    if (!is_object(number) || !offset)
        return;
    struct object *o = object_of(w, number);
    o->size = o->size > offset ? o->size : offset;
}

static void find_objects(struct maker *w)
{
    const struct sx_path *p = w->m->path;
    for (uint32_t i = 0; i < p->n_refs; i++) {
        const struct sx_ref *r = sx_run_ref(w->m->run, p->refs[i]);
        uint32_t n = number_of(w, p->refs[i]);
        if (!is_object(n))
            continue;
        struct object *o = object_of(w, n);
        if (o->type == IR_NOTHING)
            o->type = r->type;
        o->file = o->type != IR_NOTHING && spell_is_file(w->ir, o->type);
        if (r->count == TERM_NONE)
            continue;
        uint64_t size = (uint64_t)value_of(w, r->count);
        o->counted = true;
        o->size = size > o->size ? size : o->size;
    }
    for (uint32_t i = 0; i < p->n_cells; i++) {
        const struct sx_cell *c = &p->cells[i];
        if (c->ref != IR_NOTHING)
            reach_to(w, (uint64_t)value_of(w, c->value));
        if (c->place.from != SX_CELL ||
            !is_object(number_of(w, c->place.index)))
            continue;
        struct object *o = object_of(w, number_of(w, c->place.index));
        if (o->file) {
            if (c->place.offset == SX_FILE_SIZE)
                o->size = (uint64_t)value_of(w, c->value);
            continue;
        }
        uint64_t end = (uint64_t)c->place.offset + c->bytes;
        if (o->type == IR_NOTHING && c->place.offset == 0)
            o->type = c->type; // of a void pointer: as it is looked at
        o->bytewise = c->bytes == 1;
        if (end > o->size)
            o->size = end;
    }
}

static bool add_file(struct maker *w, struct object *o)
{
    o->at = w->out->objects.n;
    struct input_object *to =
        input_add(w->out, w->a, INPUT_OBJECT,
                  arena_format(w->a, "object%u", o->at), o->type, o->size);
    to->form = CALL_FILE;
    return true;
}

static bool add_object(struct maker *w, struct object *o)
{
    if (o->file)
        return add_file(w, o);
    bool unknown = o->type == IR_NOTHING && !o->bytewise;
    if (o->type == IR_NOTHING)
        o->type = spell_byte_type(w->ir);
    if (unknown && o->size < UNKNOWN_SIZE)
        o->size = UNKNOWN_SIZE; // only written to, so nobody says how much
    const struct ir_dtype *t = spell_bare(w->ir, o->type);
    bool flexible = places_flexible(w->ir, o->type);
    uint64_t each = t->size ? t->size : 1;
    if (!t->size || t->kind == IR_D_FUNCTION) {
        *w->why = "an object behind a pointer has a type that is not known";
        return false;
    }
    uint64_t count = (o->size + each - 1) / each;
    count = count ? count : 1;
    if (flexible)
        count = 1;
    uint64_t size = flexible && o->size > each ? o->size : count * each;
    o->at = w->out->objects.n;
    struct input_object *to =
        input_add(w->out, w->a, INPUT_OBJECT,
                  arena_format(w->a, "object%u", o->at), o->type, size);
    to->count = count;
    to->array = count > 1 || (o->counted && count != 1) ||
                (literal_is_char(w->ir, o->type) && !flexible);
    to->more = flexible && size > each ? size - each : 0;
    to->form = flexible || unknown ? CALL_HEAP : CALL_LOCAL;
    return true;
}

static bool add_objects(struct maker *w)
{
    find_objects(w);
    if (w->objects.n > OBJECTS_MOST) {
        *w->why = "too many objects";
        return false;
    }
    for (uint32_t i = 0; i < w->objects.n; i++)
        if (!add_object(w, &w->objects.at[i]))
            return false;
    return true;
}

// ---- contents -------------------------------------------------------------

static bool is_settable(const struct maker *w, uint32_t global)
{
    for (uint32_t i = 0; i < w->m->s->variables.n; i++)
        if (w->m->s->variables.at[i] == global)
            return true;
    return false;
}

static struct input_object *global_object(struct maker *w, uint32_t global)
{
    const struct ir_global *g = &w->ir->globals.at[global];
    for (uint32_t i = 0; i < w->globals.n; i++)
        if (w->globals.at[i] == global)
            return &w->out->objects.at[w->places.at[i]];
    vec_push(&w->globals, global);
    vec_push(&w->places, w->out->objects.n);
    return input_add(w->out, w->a, INPUT_GLOBAL, g->name, g->type, g->size);
}

static bool link_of(struct maker *w, uint64_t pointer, struct input_link *l)
{
    uint32_t number = (uint32_t)(pointer >> SX_OFFSET_BITS);
    int64_t offset = (int64_t)(pointer << SX_OBJECT_BITS) >> SX_OBJECT_BITS;
    *l = (struct input_link){.object = IR_NOTHING, .fn = IR_NOTHING};
    if (number == 0)
        return offset == 0;
    l->to = offset;
    if (number >= SX_MADE || number == SX_STUB_FN) {
        *w->why = "a pointer leads to a function of nobody's";
        return false;
    }
    if (number >= SX_GLOBALS) {
        if (!is_settable(w, number - SX_GLOBALS))
            return false;
        struct input_object *g = global_object(w, number - SX_GLOBALS);
        l->object = (uint32_t)(g - w->out->objects.at);
    } else if (number >= SX_FUNCTIONS) {
        l->fn = number - SX_FUNCTIONS;
    } else {
        l->object = object_of(w, number)->at;
    }
    return true;
}

static bool is_stub(const struct maker *w, const char *name)
{
    for (uint32_t i = 0; i < w->m->s->stubs.n; i++)
        if (strcmp(w->m->s->stubs.at[i], name) == 0)
            return true;
    return false;
}

static uint32_t stub_of(uint32_t index)
{
    return index & SX_WRITES ? (index & (SX_WRITES - 1)) >> 3 : index;
}

static uint32_t stub_object(struct maker *w, uint32_t index)
{
    if (stub_of(index) >= w->ir->fns.n)
        return IR_NOTHING; // a function of nobody's
    const char *name = w->ir->fns.at[stub_of(index)]->name;
    if (!is_stub(w, name))
        return IR_NOTHING;
    if (index & SX_WRITES)
        name = unit_write_name(w->a, name, index & 7);
    for (uint32_t i = 0; i < w->out->objects.n; i++)
        if (w->out->objects.at[i].role == INPUT_STUB &&
            strcmp(w->out->objects.at[i].name, name) == 0)
            return i;
    input_add(w->out, w->a, INPUT_STUB, name, IR_NOTHING,
              8 * CALL_RETURNS_MOST);
    return w->out->objects.n - 1;
}

static bool is_of_file(const struct maker *w, const struct sx_cell *c)
{
    return c->place.from == SX_CELL &&
           spell_is_file(w->ir, sx_run_ref(w->m->run, c->place.index)->type);
}

// Where in its object a cell lies.
static int64_t offset_of(const struct maker *w, const struct sx_cell *c)
{
    if (is_of_file(w, c))
        return c->place.offset - SX_FILE_BYTES;
    return c->place.from == SX_STUB ? 8 * c->place.offset : c->place.offset;
}

// Where a cell lies: an object of the input, by its index; IR_NOTHING: nowhere.
static uint32_t home_of(struct maker *w, const struct sx_cell *c)
{
    switch (c->place.from) {
    case SX_PARAM:
        return c->place.index;
    case SX_GLOBAL:
        if (!is_settable(w, c->place.index))
            return IR_NOTHING;
        return (uint32_t)(global_object(w, c->place.index) -
                          w->out->objects.at);
    case SX_CELL: {
        uint32_t n = number_of(w, c->place.index);
        return is_object(n) ? object_of(w, n)->at : IR_NOTHING;
    }
    case SX_STUB:
        return stub_object(w, c->place.index);
    case SX_SELF:
    case SX_MESSAGE:
    case SX_ANSWER:
    case SX_OPERATION:
        break;
    }
    return IR_NOTHING;
}

// A variable that no test can set must have the value it begins with.
static bool is_initial(const struct maker *w, const struct sx_cell *c)
{
    const struct ir_global *g = &w->ir->globals.at[c->place.index];
    u128 v = value_of(w, c->value);
    uint64_t at = (uint64_t)c->place.offset;
    uint8_t zero[16] = {0};
    return at + c->bytes <= g->size && c->bytes <= 16 &&
           memcmp(g->bytes ? g->bytes + at : zero, &v, c->bytes) == 0;
}

// Does a stub return it as a bool, of which one bit is looked at?
static bool is_bool(const struct maker *w, const struct sx_cell *c)
{
    return !(c->place.index & SX_WRITES) &&
           w->ir->fns.at[stub_of(c->place.index)]->result.bits == 1;
}

static bool put_cell(struct maker *w, const struct sx_cell *c)
{
    uint32_t home = home_of(w, c);
    u128 v = value_of(w, c->value);
    if (home == IR_NOTHING) {
        if (c->place.from == SX_GLOBAL && !is_initial(w, c)) {
            *w->why = "a static variable of a function would have to be set";
            return false;
        }
        if (c->place.from == SX_STUB && v &&
            stub_of(c->place.index) < w->ir->fns.n) {
            const char *name = w->ir->fns.at[stub_of(c->place.index)]->name;
            if (strncmp(name, "__isoc", 6) == 0 && strlen(name) > 9)
                name += 9; // a version of it: __isoc99_fscanf
            *w->why =
                arena_format(w->a, "%s() would have to return a value", name);
            return false;
        }
        return true;
    }
    struct input_object *o = &w->out->objects.at[home];
    int64_t offset = offset_of(w, c);
    if (c->place.from == SX_STUB && is_bool(w, c))
        v &= 1;
    if (is_of_file(w, c) && (offset < 0 || (uint64_t)offset >= o->size))
        return true;
    if (offset < 0 || (uint64_t)offset + c->bytes > o->size || c->bytes > 16) {
        *w->why = "an access lies outside of the object it begins in";
        return false;
    }
    if (c->ref == IR_NOTHING) {
        input_put(o, (uint64_t)offset, &v, c->bytes);
        return true;
    }
    struct input_link l;
    bool ok = link_of(w, (uint64_t)v, &l);
    l.offset = (uint64_t)offset;
    if (ok)
        input_link(&w->out->objects.at[home], l); // globals may have moved it
    return ok;
}

// Pointers that the path did not look at are null.
static void null_parameters(struct maker *w)
{
    for (uint32_t i = 0; i < w->out->objects.n; i++) {
        struct input_object *o = &w->out->objects.at[i];
        if (o->role == INPUT_PARAM &&
            places_kind(w->ir, o->type) == CALL_POINTER && !input_link_at(o, 0))
            input_link(
                o, (struct input_link){.object = IR_NOTHING, .fn = IR_NOTHING});
    }
}

bool model_input(const struct model_of *m, struct arena *a, struct input *out,
                 const char **why)
{
    struct maker w = {.m = m, .ir = m->s->ir, .a = a, .out = out, .why = why};
    *why = "its objects cannot be laid out";
    input_copy(a, m->signature, out);
    bool ok = add_objects(&w);
    for (uint32_t i = 0; i < m->path->n_cells && ok; i++)
        ok = put_cell(&w, &m->path->cells[i]);
    null_parameters(&w);
    vec_free(&w.objects);
    vec_free(&w.globals);
    vec_free(&w.places);
    if (!ok)
        input_release(out);
    return ok;
}

// ---- other than zero ------------------------------------------------------

static bool holds(const struct model_of *m, const struct model *with)
{
    for (uint32_t i = 0; i < m->path->n_conditions; i++)
        if (!term_eval(m->ts, m->path->conditions[i], with))
            return false;
    return true;
}

static void try_value(const struct model_of *m, struct model *to, term var,
                      u128 value)
{
    uint32_t at = term_var_index(m->ts, var);
    u128 was = model_get(to, at);
    if (was)
        return;
    model_set(to, at, value);
    if (!holds(m, to))
        model_set(to, at, was);
}

static bool has_value(const struct ir_dtype *t, int64_t v)
{
    for (uint32_t i = 0; i < t->n; i++)
        if (t->values[i].value == v)
            return true;
    return false;
}

static bool try_enumerator(const struct model_of *m, struct model *to, term var,
                           int64_t v)
{
    uint32_t at = term_var_index(m->ts, var);
    unsigned bits = term_bits(m->ts, var);
    u128 was = model_get(to, at);
    model_set(to, at, ir_cut((u128)(i128)v, bits));
    if (holds(m, to))
        return true;
    model_set(to, at, was);
    return false;
}

void model_name(const struct model_of *m, struct model *to)
{
    for (uint32_t i = 0; i < m->path->n_cells; i++) {
        const struct sx_cell *c = &m->path->cells[i];
        const struct ir_dtype *t =
            c->ref == IR_NOTHING && c->bytes <= 8 && c->type != IR_NOTHING
                ? spell_bare(m->s->ir, c->type)
                : NULL;
        if (!t || t->kind != IR_D_ENUM || !t->n)
            continue;
        u128 v = model_get(to, term_var_index(m->ts, c->value));
        int64_t most = 0;
        bool done = has_value(t, (int64_t)ir_signed(v, 8 * c->bytes));
        for (uint32_t k = 0; k < t->n && !done; k++) {
            done = try_enumerator(m, to, c->value, t->values[k].value);
            most = t->values[k].value > most ? t->values[k].value : most;
        }
        if (!done && most < INT32_MAX)
            try_enumerator(m, to, c->value, most + 1);
    }
}

// Can an object behind it be written in a test?
static bool is_complete(const struct ir *ir, uint32_t type)
{
    return ir_bare_type(ir, type) != IR_NOTHING &&
           spell_bare(ir, type)->size > 0 &&
           spell_bare(ir, type)->kind != IR_D_FUNCTION;
}

void model_fill(const struct model_of *m, struct model *to, bool numbers)
{
    const struct ir *ir = m->s->ir;
    for (uint32_t i = 0; i < m->path->n_refs; i++) {
        const struct sx_ref *r = sx_run_ref(m->run, m->path->refs[i]);
        if (r->place.from == SX_PARAM && is_complete(ir, r->type))
            try_value(m, to, r->var, r->own);
    }
    for (uint32_t i = 0; numbers && i < m->path->n_cells; i++) {
        const struct sx_cell *c = &m->path->cells[i];
        if (c->ref == IR_NOTHING && c->place.from == SX_PARAM &&
            term_var_kind(m->ts, term_var_index(m->ts, c->value)) == TERM_INT)
            try_value(m, to, c->value, 1);
    }
}
