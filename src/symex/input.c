// Inputs: the variables that a path looks at, made when it first does.
//
// An input is known by its place, so all states of a run share one variable
// for it; what a state must know of it (the objects a pointer can be, what
// follows from references that are equal) is added to each state's conditions
// when that state meets it.
#include "symex/engine.h"

#include <assert.h>
#include <stdio.h>

enum { REFS_PER_REGION = 4096 };

uint32_t region_for(struct sx_run *r, uint32_t type)
{
    uint32_t cls;
    bool actor = r->start.tasks && ir_is_actor(r->ir, type, &cls);
    uint64_t key = actor ? 7 : layout_region(r->ir, type);
    uint32_t at = map_get(&r->region_at, key);
    if (at != MAP_NONE)
        return at;
    at = region_new(r, type);
    map_put(&r->region_at, key, at);
    return at;
}

uint32_t region_new(struct sx_run *r, uint32_t type)
{
    const struct ir_dtype *t;
    while ((type = ir_bare_type(r->ir, type)) != IR_NOTHING &&
           (t = &r->ir->types.at[type])->kind == IR_D_ARRAY)
        type = t->base; // elements, however many
    vec_push(&r->regions, ((struct input_region){.type = type}));
    return r->regions.n - 1;
}

static uint64_t place_key(struct sx_place p, const struct slot *s)
{
    uint64_t low = (uint64_t)p.offset & ((UINT64_C(1) << 36) - 1);
    return (uint64_t)p.from << 60 | (uint64_t)s->pointer << 59 |
           (uint64_t)(p.index & 0x1fffff) << 38 | (uint64_t)s->view << 36 | low;
}

// ---- references ---------------------------------------------------------

uint32_t input_ref_of(const struct sx_run *r, term var)
{
    return map_get(&r->ref_of_var, var);
}

static uint32_t make_ref(struct sx_run *r, struct sx_place at, uint32_t type,
                         const char *name)
{
    uint64_t part;
    uint32_t to = hint_whole(r, layout_pointee(r->ir, type), &part);
    struct sx_ref ref = {.place = at,
                         .type = to,
                         .pointee = layout_pointee(r->ir, type),
                         .name = name};
    ref.region = region_for(r, to);
    struct input_region *g = &r->regions.at[ref.region];
    ref.own = (ref.region + 1) * REFS_PER_REGION + g->n_refs++;
    ref.var = term_var(r->ts, name, SX_OBJECT_BITS, TERM_REFERENCE);
    ref.count = TERM_NONE;
    hint_index(r, &ref);
    map_put(&r->ref_of_var, ref.var, r->refs.n);
    map_put(&r->ref_of_own, ref.own, r->refs.n);
    vec_push(&r->refs, ref);
    return r->refs.n - 1;
}

static term is_number(struct sx_run *r, term var, uint32_t number)
{
    return term_eq(r->ts, var, term_const(r->ts, SX_OBJECT_BITS, number));
}

// Functions whose address is taken and that this pointer may call.
static term function_domain(struct sx_run *r, const struct sx_ref *ref)
{
    const struct ir_dtype *t = &r->ir->types.at[ir_bare_type(r->ir, ref->type)];
    term any = is_number(r, ref->var, 0);
    bool some = false;
    for (uint32_t i = 0; i < r->ir->fns.n; i++)
        if (fn_fits(r, i, t)) {
            any = term_or(r->ts, any, is_number(r, ref->var, SX_FUNCTIONS + i));
            some = true;
        }
    return some ? any : term_or(r->ts, any, is_number(r, ref->var, SX_STUB_FN));
}

// Is `ref` below the place that `root` was found at?
bool ref_is_below(const struct sx_run *r, uint32_t ref, uint32_t root)
{
    while (ref != root && r->refs.at[ref].place.from == SX_CELL)
        ref = r->refs.at[ref].place.index;
    return ref == root;
}

bool refs_apart(const struct sx_run *r, const struct sx_state *s, uint32_t a,
                uint32_t b)
{
    for (const struct apart *p = s->aparts; p; p = p->up)
        if ((ref_is_below(r, a, p->a) && ref_is_below(r, b, p->b)) ||
            (ref_is_below(r, a, p->b) && ref_is_below(r, b, p->a)))
            return true;
    return false;
}

// With tasks: can two references to actors be the same?  References of one
// class are to actors of that class.
static bool may_meet(const struct sx_run *r, uint32_t type, uint32_t other)
{
    uint32_t a, b;
    if (!r->start.tasks || !ir_is_actor(r->ir, type, &a) ||
        !ir_is_actor(r->ir, other, &b))
        return true;
    return !r->start.tasks->distinct &&
           (a == b || a == IR_NOTHING || b == IR_NOTHING);
}

// With tasks: the actor under test, if this can be a reference to it.
static term or_self(struct sx_run *r, const struct sx_ref *ref, term any)
{
    uint32_t cls;
    if (!r->start.tasks || r->start.tasks->distinct ||
        !ir_is_actor(r->ir, ref->type, &cls) ||
        (cls != IR_NOTHING && cls != r->start.cls))
        return any;
    return term_or(r->ts, any, is_number(r, ref->var, r->self));
}

// Null, its own object, or one that was met before.
static term object_domain(struct sx_run *r, const struct sx_state *s,
                          uint32_t n)
{
    const struct sx_ref *ref = &r->refs.at[n];
    term any = term_or(r->ts, is_number(r, ref->var, 0),
                       is_number(r, ref->var, ref->own));
    for (const struct number *p = s->refs; p; p = p->up) {
        const struct sx_ref *other = &r->refs.at[p->n];
        if (p->n != n && other->region == ref->region &&
            may_meet(r, ref->type, other->type) && !refs_apart(r, s, n, p->n))
            any = term_or(r->ts, any, term_eq(r->ts, ref->var, other->var));
    }
    return or_self(r, ref, any);
}

// The domain with sx_options.lazy: any object of the region.
static term lazy_domain(struct sx_run *r, const struct sx_ref *ref)
{
    struct terms *ts = r->ts;
    uint32_t first = (ref->region + 1) * REFS_PER_REGION;
    term at_least =
        term_not(ts, term_binary(ts, IR_ULT, ref->var,
                                 term_const(ts, SX_OBJECT_BITS, first)));
    term below =
        term_binary(ts, IR_ULT, ref->var,
                    term_const(ts, SX_OBJECT_BITS, first + REFS_PER_REGION));
    return term_or(ts, is_number(r, ref->var, 0),
                   term_and(ts, at_least, below));
}

static void meet_ref(struct sx_run *r, struct sx_state *s, uint32_t n)
{
    struct sx_ref *ref = &r->refs.at[n];
    if (state_meets(s, met_key(MET_REF, n)))
        return;
    term domain = layout_is_function(r->ir, ref->type) ? function_domain(r, ref)
                  : r->o.lazy                          ? lazy_domain(r, ref)
                                                       : object_domain(r, s, n);
    struct number *new = arena_get(&r->arena, sizeof *new);
    *new = (struct number){s->refs, n};
    s->refs = new;
    s->n_refs++;
    learn(r, s, domain);
    hint_meet(r, s, n);
}

// ---- cells --------------------------------------------------------------

static uint32_t make_cell(struct sx_run *r, struct sx_place at,
                          const struct slot *slot, const char *name)
{
    struct sx_cell c = {.place = at,
                        .type = slot->type,
                        .bytes = slot->bytes,
                        .ref = IR_NOTHING,
                        .name = name};
    if (slot->pointer) {
        c.ref = make_ref(r, at, slot->type, name);
        const struct sx_ref *ref = &r->refs.at[c.ref];
        uint64_t part;
        hint_whole(r, layout_pointee(r->ir, slot->type), &part);
        c.value = hint_address(r, ref, part);
    } else {
        c.value = term_var(r->ts, name, slot->bytes * 8,
                           layout_kind(r->ir, slot->type));
    }
    vec_push(&r->cells, c);
    return r->cells.n - 1;
}

static bool is_bool(const struct ir *ir, uint32_t type)
{
    type = ir_bare_type(ir, type);
    return type != IR_NOTHING && ir->types.at[type].kind == IR_D_BOOL;
}

static term variable_of(const struct sx_run *r, const struct sx_cell *c)
{
    return c->ref == IR_NOTHING ? c->value : r->refs.at[c->ref].var;
}

// The object of a reference that the run follows: the caller's number becomes
// that of the first reference that had it.
static uint32_t followed_object(struct sx_run *r, uint32_t ref)
{
    const struct sx_follow *f = r->start.follow;
    uint32_t n = f->object(f->self, r, &r->refs.at[ref]);
    if (n == 0 || n >= SX_FUNCTIONS)
        return n;
    uint32_t *own = map_at(&r->followed, n);
    if (*own == MAP_NONE)
        *own = r->refs.at[ref].own;
    return *own;
}

// The value that this state's model has for a new input: what the run follows,
// else that of `alike`, else 0.
static void choose_value(struct sx_run *r, struct sx_state *s,
                         const struct sx_cell *c, uint32_t alike)
{
    const struct sx_follow *f = r->start.follow;
    union ir_bits v = {.i = 0};
    if (f && c->ref != IR_NOTHING && f->object)
        v.i = followed_object(r, c->ref);
    else if (f && c->ref == IR_NOTHING && f->value)
        f->value(f->self, r, c, &v);
    else if (alike != IR_NOTHING)
        v.i = state_eval(r, s, variable_of(r, &r->cells.at[alike]));
    path_set(r->ts, &s->path, variable_of(r, c), v.i);
    if (c->ref != IR_NOTHING) {
        uint32_t other =
            alike == IR_NOTHING ? IR_NOTHING : r->cells.at[alike].ref;
        hint_choose(r, s, &r->refs.at[c->ref],
                    other == IR_NOTHING ? NULL : &r->refs.at[other]);
    }
}

static void meet_cell(struct sx_run *r, struct sx_state *s, uint32_t n,
                      uint32_t alike)
{
    const struct sx_cell *c = &r->cells.at[n];
    struct number *new = arena_get(&r->arena, sizeof *new);
    *new = (struct number){s->inputs, n};
    s->inputs = new;
    s->n_inputs++;
    choose_value(r, s, c, alike);
    if (c->ref != IR_NOTHING)
        meet_ref(r, s, c->ref);
    else if (is_bool(r->ir, c->type))
        learn(r, s,
              term_binary(r->ts, IR_ULT, c->value,
                          term_const(r->ts, c->bytes * 8, 2)));
}

// A reference to an actor is a number where that is asked for.
static bool is_plain(const struct sx_run *r, const struct slot *slot)
{
    uint32_t type = ir_bare_type(r->ir, slot->type), cls;
    return r->o.plain_refs && slot->pointer && type != IR_NOTHING &&
           ir_is_actor(r->ir, r->ir->types.at[type].base, &cls);
}

uint32_t input_cell(struct sx_run *r, struct sx_state *s, struct sx_place at,
                    const struct slot *slot, uint32_t alike, bool *is_new)
{
    struct slot plain = *slot;
    if (is_plain(r, slot)) {
        plain.pointer = false;
        slot = &plain;
    }
    uint64_t key = place_key(at, slot);
    uint32_t n = map_get(&r->cell_at, key);
    if (n == MAP_NONE) {
        n = make_cell(r, at, slot, input_name(r, at));
        map_put(&r->cell_at, key, n);
    }
    *is_new = !state_meets(s, met_key(MET_CELL, n));
    if (*is_new)
        meet_cell(r, s, n, alike);
    return n;
}

term input_value(struct sx_run *r, struct sx_state *s, struct sx_place at,
                 const struct slot *slot)
{
    bool is_new;
    uint32_t n = input_cell(r, s, at, slot, IR_NOTHING, &is_new);
    return known_value(r, s, r->cells.at[n].value);
}

// ---- names --------------------------------------------------------------

static const char *param_name(struct sx_run *r, uint32_t index)
{
    const struct ir_fn *f = r->ir->fns.at[r->start.fn];
    const char *name = param_source_name(r->ir, f, index);
    return name ? name : arena_format(&r->arena, "arg%u", index);
}

const char *input_name(struct sx_run *r, struct sx_place at)
{
    uint64_t offset = (uint64_t)at.offset;
    switch (at.from) {
    case SX_PARAM:
        return layout_name(r, param_name(r, at.index), false,
                           param_type(r, at.index), offset);
    case SX_GLOBAL:
        return layout_name(r, r->ir->globals.at[at.index].name, false,
                           r->ir->globals.at[at.index].type, offset);
    case SX_CELL:
        return layout_name(r, r->refs.at[at.index].name, true,
                           r->refs.at[at.index].type, offset);
    case SX_STUB:
        if (at.index != SX_CALLBACK && at.index & SX_WRITES)
            return arena_format(
                &r->arena, "%s writes %u#%lld",
                r->ir->fns.at[(at.index & (SX_WRITES - 1)) >> 3]->name,
                at.index & 7, (long long)at.offset);
        return arena_format(&r->arena, "%s#%lld",
                            at.index == SX_CALLBACK
                                ? "callback"
                                : r->ir->fns.at[at.index]->name,
                            (long long)at.offset);
    case SX_SELF:
        if (r->start.tasks)
            return layout_name(r, r->actors.at[at.index].name, true,
                               r->actors.at[at.index].type, offset);
        return layout_name(
            r, at.index ? arena_format(&r->arena, "self#%u", at.index) : "self",
            true, r->self_type, offset);
    case SX_MESSAGE:
        if (r->start.tasks)
            return layout_name(r, r->messages.at[at.index].name, true,
                               r->messages.at[at.index].type, offset);
        return layout_name(r, "msg", true, r->message_type, offset);
    case SX_ANSWER:
        return arena_format(&r->arena, "answer%u+%lld", at.index,
                            (long long)at.offset);
    case SX_OPERATION:
        break;
    }
    return arena_format(&r->arena, "operation%u", at.index);
}
