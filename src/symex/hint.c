// What input pointers may be besides the beginning of an object of their type.
//
// A run begins with the plain view.  Where the program orders or subtracts two
// pointers of one type, or looks at what lies before an object, that view
// cannot be right: it is noted, and the next run lets such pointers lead into
// the middle of an array, or to a part of a larger struct.
#include "symex/engine.h"

enum { INDEX_BITS = 8, CALLS_MAX = 4, HINTS_MAX = 8, OTHERS_MAX = 3 };

// ---- noting -------------------------------------------------------------

static const struct sx_hint *find(const struct sx_run *r, enum sx_hint_kind k,
                                  uint32_t type)
{
    type = ir_bare_type(r->ir, type);
    for (uint32_t i = 0; r->o.hints && i < r->o.hints->at.n; i++)
        if (r->o.hints->at.at[i].kind == k && r->o.hints->at.at[i].type == type)
            return &r->o.hints->at.at[i];
    return NULL;
}

static bool is_same(const struct sx_hint *a, const struct sx_hint *b)
{
    return a->kind == b->kind && a->type == b->type && a->whole == b->whole &&
           a->offset == b->offset;
}

static void add(struct sx_run *r, struct sx_hint h)
{
    if (!r->o.hints || r->o.hints->at.n == HINTS_MAX)
        return;
    h.type = ir_bare_type(r->ir, h.type);
    for (uint32_t i = 0; i < r->o.hints->at.n; i++)
        if (is_same(&r->o.hints->at.at[i], &h))
            return;
    vec_push(&r->o.hints->at, h);
}

void hint_middle(struct sx_run *r, uint32_t a, uint32_t b)
{
    if (a == MAP_NONE || b == MAP_NONE ||
        r->refs.at[a].region != r->refs.at[b].region ||
        r->refs.at[a].type == IR_NOTHING || r->refs.at[b].type == IR_NOTHING)
        return;
    add(r, (struct sx_hint){.kind = SX_MIDDLE, .type = r->refs.at[a].type});
    add(r, (struct sx_hint){.kind = SX_MIDDLE, .type = r->refs.at[b].type});
}

// The functions that f calls, itself among them.
static void find_called(const struct ir *ir, const struct ir_fn *f,
                        bool *called)
{
    if (called[f->id])
        return;
    called[f->id] = true;
    for (uint32_t n = 0; n < f->insts.n; n++)
        for (uint32_t k = 0; k < f->insts.at[n].n; k++) {
            uint32_t g = ir_as_fn(ir, ir_args(f, &f->insts.at[n])[k]);
            if (g != IR_NOTHING)
                find_called(ir, ir->fns.at[g], called);
        }
}

// The bytes that an instruction steps back; 0: it does not.
static uint64_t step_back(const struct ir *ir, const struct ir_fn *f,
                          const struct ir_inst *i)
{
    int64_t by = 0;
    if (i->op == IR_FIELD)
        by = i->imm;
    else if (i->op == IR_INDEX && ir_is_const(ir_args(f, i)[1]))
        by = (int64_t)ir_const_at(ir, ir_args(f, i)[1])->lo * i->imm;
    return by < 0 ? (uint64_t)-by : 0;
}

static bool has_member(const struct ir_dtype *t, uint64_t at)
{
    for (uint32_t k = 0; k < t->n; k++)
        if (t->members[k].bit / 8 == at)
            return true;
    return false;
}

// Is what the program looks at, from this pointer on, a member of the struct?
static bool uses_members(const struct ir_fn *f, ir_id pointer,
                         const struct ir_dtype *t)
{
    for (uint32_t n = 0; n < f->insts.n; n++) {
        const struct ir_inst *i = &f->insts.at[n];
        if (i->n && ir_args(f, i)[0] == pointer &&
            (i->op == IR_LOAD || i->op == IR_FIELD) &&
            !has_member(t, i->op == IR_FIELD ? (uint64_t)i->imm : 0))
            return false;
    }
    return true;
}

// Does the program step back by this many bytes, and then look at the struct?
static bool steps_back(const struct ir *ir, const bool *called, uint64_t bytes,
                       const struct ir_dtype *t)
{
    bool found = false;
    for (uint32_t k = 0; k < ir->fns.n; k++) {
        const struct ir_fn *f = ir->fns.at[k];
        for (uint32_t n = 0; called[k] && n < f->insts.n; n++) {
            if (step_back(ir, f, &f->insts.at[n]) != bytes)
                continue;
            if (!uses_members(f, n, t))
                return false;
            found = true;
        }
    }
    return found;
}

void hint_part(struct sx_run *r, uint32_t ref, int64_t offset)
{
    uint32_t part = ir_bare_type(r->ir, r->refs.at[ref].type);
    bool *called = arena_zero(&r->arena, r->ir->fns.n + 1ul);
    find_called(r->ir, r->ir->fns.at[r->start.fn], called);
    for (uint32_t i = 0; part != IR_NOTHING && i < r->ir->types.n; i++) {
        const struct ir_dtype *t = &r->ir->types.at[i];
        if (t->kind != IR_D_STRUCT || !t->size)
            continue;
        for (uint32_t k = 0; k < t->n; k++) {
            uint64_t at = t->members[k].bit / 8;
            if (at && ir_bare_type(r->ir, t->members[k].type) == part &&
                (int64_t)at + offset >= 0 && steps_back(r->ir, called, at, t) &&
                !find(r, SX_PART, part))
                add(r, (struct sx_hint){SX_PART, part, i, at});
        }
    }
}

// What a pointer to this type points to is a byte, or unknown.
static bool is_bytes(const struct ir *ir, uint32_t type)
{
    type = ir_bare_type(ir, type);
    return type == IR_NOTHING || ir->types.at[type].size <= 1;
}

static bool is_same_type(const struct ir *ir, uint32_t a, uint32_t b)
{
    a = ir_bare_type(ir, a);
    b = ir_bare_type(ir, b);
    if (a == b || a == IR_NOTHING || b == IR_NOTHING)
        return a == b;
    const struct ir_dtype *x = &ir->types.at[a], *y = &ir->types.at[b];
    return x->kind == IR_D_POINTER && y->kind == IR_D_POINTER &&
           ir_bare_type(ir, x->base) == ir_bare_type(ir, y->base);
}

// Does a part of this type lie at this byte of the whole?
static bool has_part(const struct ir *ir, uint32_t whole, uint64_t at,
                     uint32_t type)
{
    whole = ir_bare_type(ir, whole);
    if (whole == IR_NOTHING)
        return false;
    const struct ir_dtype *t = &ir->types.at[whole];
    if (at == 0 && is_same_type(ir, whole, type))
        return true;
    if (t->kind == IR_D_ARRAY)
        return at < t->size &&
               has_part(ir, t->base, at % layout_size(ir, t->base), type);
    for (uint32_t k = 0; t->kind == IR_D_STRUCT && k < t->n; k++) {
        uint64_t from = t->members[k].bit / 8;
        if (at >= from && at < from + layout_size(ir, t->members[k].type) &&
            has_part(ir, t->members[k].type, at - from, type))
            return true;
    }
    return false;
}

void hint_inside(struct sx_run *r, uint32_t ref, uint32_t other, term offset)
{
    const struct sx_ref *a = &r->refs.at[ref], *b = &r->refs.at[other];
    uint32_t whole = ir_bare_type(r->ir, b->type);
    if (!term_is_const(r->ts, offset) || whole == IR_NOTHING ||
        r->ir->types.at[whole].kind != IR_D_STRUCT)
        return;
    uint32_t type = a->pointee;
    uint64_t at = (uint64_t)term_value(r->ts, offset);
    if (at < layout_size(r->ir, whole) &&
        (is_bytes(r->ir, type) || has_part(r->ir, whole, at, type)))
        add(r, (struct sx_hint){SX_INSIDE, type, whole, at});
}

void hint_variable(struct sx_run *r, uint32_t ref, uint32_t global)
{
    uint32_t type = r->refs.at[ref].pointee;
    const struct ir_global *g = &r->ir->globals.at[global];
    if (!g->constant && !g->external && type != IR_NOTHING &&
        has_part(r->ir, g->type, 0, type))
        add(r, (struct sx_hint){SX_VARIABLE, type, global, 0});
}

// ---- is a pointer followed? ---------------------------------------------

struct flow {
    struct sx_run *r;
    uint32_t depth; // of calls
};

static bool flows(struct flow *w, const struct ir_fn *f, ir_id v, bool *seen);

// Does a callee look at memory through what it is given as v?
static bool flows_down(struct flow *w, const struct ir_fn *f,
                       const struct ir_inst *call, ir_id v)
{
    uint32_t to = ir_as_fn(w->r->ir, ir_args(f, call)[0]);
    const struct ir_fn *g = to == IR_NOTHING ? NULL : w->r->ir->fns.at[to];
    bool found = !g || !g->defined || w->depth == CALLS_MAX;
    w->depth++;
    for (uint32_t k = 1; k < call->n && !found; k++)
        if (ir_args(f, call)[k] == v)
            found =
                k > g->n_params ||
                flows(w, g, k - 1, arena_zero(&w->r->arena, g->insts.n + 1ul));
    w->depth--;
    return found;
}

// Is memory looked at through v, or what is computed from it?
static bool flows(struct flow *w, const struct ir_fn *f, ir_id v, bool *seen)
{
    if (seen[v])
        return false;
    seen[v] = true;
    for (uint32_t n = 0; n < f->insts.n; n++) {
        const struct ir_inst *i = &f->insts.at[n];
        bool uses = false;
        for (uint32_t k = 0; k < i->n; k++)
            uses |= ir_args(f, i)[k] == v && !(i->op == IR_STORE && k == 0);
        if (!uses)
            continue;
        if (i->op == IR_CALL ? flows_down(w, f, i, v)
                             : ir_op_group((enum ir_op)i->op) == IR_G_MEM)
            return true;
        if ((i->op == IR_FIELD || i->op == IR_INDEX || i->op == IR_PHI ||
             i->op == IR_SELECT) &&
            flows(w, f, n, seen))
            return true;
    }
    return false;
}

static bool is_loaded_from(const struct ir_fn *f, const struct ir_inst *load,
                           int64_t offset)
{
    ir_id from = ir_args(f, load)[0];
    if (ir_is_const(from))
        return ir_is_const(from) && offset == 0;
    const struct ir_inst *p = &f->insts.at[from];
    return p->op == IR_FIELD ? p->imm == offset : offset == 0;
}

// Does the program follow the pointer that lies there?
static bool is_followed(struct sx_run *r, struct sx_place at)
{
    const struct ir *ir = r->ir;
    struct flow w = {r, 0};
    bool found = false, *called = arena_zero(&r->arena, ir->fns.n + 1ul);
    find_called(ir, ir->fns.at[r->start.fn], called);
    for (uint32_t k = 0; k < ir->fns.n && !found; k++) {
        const struct ir_fn *f = ir->fns.at[k];
        if (!called[k])
            continue;
        bool *seen = arena_zero(&r->arena, f->insts.n + 1ul);
        for (uint32_t n = 0; n < f->insts.n && !found; n++) {
            const struct ir_inst *i = &f->insts.at[n];
            if (at.from == SX_PARAM
                    ? i->op == IR_PARAM && n == at.index && k == r->start.fn
                    : i->op == IR_LOAD && i->type.kind == IR_PTR &&
                          is_loaded_from(f, i, at.offset))
                found = flows(&w, f, n, seen);
        }
    }
    return found;
}

// ---- using --------------------------------------------------------------

uint32_t hint_whole(const struct sx_run *r, uint32_t type, uint64_t *offset)
{
    const struct sx_hint *h = find(r, SX_PART, type);
    *offset = h ? h->offset : 0;
    return h ? h->whole : type;
}

// The places of the hints for pointers to this type.
static void find_others(struct sx_run *r, struct sx_ref *ref)
{
    struct sx_other *all = arena_get(&r->arena, OTHERS_MAX * sizeof *all);
    uint32_t bare = ir_bare_type(r->ir, ref->pointee), n = 0;
    for (uint32_t i = 0; r->o.hints && i < r->o.hints->at.n; i++) {
        const struct sx_hint *h = &r->o.hints->at.at[i];
        if (h->type != bare)
            continue;
        if (h->kind == SX_VARIABLE && n < OTHERS_MAX)
            all[n++] = (struct sx_other){IR_NOTHING, h->whole, 0, 0};
        for (uint32_t k = 0; h->kind == SX_INSIDE && k < r->refs.n; k++)
            if (ir_bare_type(r->ir, r->refs.at[k].type) == h->whole &&
                n < OTHERS_MAX)
                all[n++] = (struct sx_other){k, 0, h->offset,
                                             layout_size(r->ir, h->whole)};
    }
    ref->n_others = n;
    ref->others = all;
}

static term variable(struct sx_run *r, const struct sx_ref *ref,
                     const char *what)
{
    return term_var(r->ts, arena_format(&r->arena, "%s's %s", ref->name, what),
                    INDEX_BITS, TERM_INT);
}

void hint_index(struct sx_run *r, struct sx_ref *ref)
{
    ref->index = ref->which = ref->behind = TERM_NONE;
    ref->followed = true;
    if (r->making)
        return;
    find_others(r, ref);
    if (ref->n_others)
        ref->which = variable(r, ref, "object");
    if (ref->n_others && is_bytes(r->ir, ref->pointee))
        ref->behind = variable(r, ref, "byte");
    if (!find(r, SX_MIDDLE, ref->type) || ref->type == IR_NOTHING)
        return;
    ref->followed = is_followed(r, ref->place);
    ref->index = variable(r, ref, "element");
}

static term offset_of(struct sx_run *r, const struct sx_ref *ref, uint64_t from)
{
    term c = offset_const(r, from);
    if (ref->index == TERM_NONE)
        return c;
    term n = term_convert(r->ts, IR_ZEXT, SX_OFFSET_BITS, ref->index);
    uint64_t size = layout_size(r->ir, ref->type);
    return term_binary(r->ts, IR_ADD, c,
                       term_binary(r->ts, IR_MUL, n, offset_const(r, size)));
}

static term is_other(struct sx_run *r, const struct sx_ref *ref, uint32_t k)
{
    return term_eq(r->ts, ref->which, term_const(r->ts, INDEX_BITS, k + 1));
}

static term is_null(struct sx_run *r, term object)
{
    return term_eq(r->ts, object, term_const(r->ts, SX_OBJECT_BITS, 0));
}

term hint_address(struct sx_run *r, const struct sx_ref *ref, uint64_t from)
{
    struct terms *ts = r->ts;
    term all =
        sx_address(ts, (struct sx_pointer){ref->var, offset_of(r, ref, from)});
    if (from) // null has no parts
        all = term_ite(ts, is_null(r, ref->var), term_const(ts, 64, 0), all);
    for (uint32_t k = 0; k < ref->n_others; k++) {
        const struct sx_other *o = &ref->others[k];
        term object = o->ref == IR_NOTHING ? term_const(ts, SX_OBJECT_BITS,
                                                        SX_GLOBALS + o->global)
                                           : r->refs.at[o->ref].var;
        term offset = offset_const(r, o->offset);
        if (ref->behind != TERM_NONE)
            offset = term_binary(
                ts, IR_ADD, offset,
                term_convert(ts, IR_ZEXT, SX_OFFSET_BITS, ref->behind));
        all =
            term_ite(ts, is_other(r, ref, k),
                     sx_address(ts, (struct sx_pointer){object, offset}), all);
    }
    return all;
}

static void set_alike(struct sx_run *r, struct sx_state *s, term var,
                      term alike)
{
    if (var != TERM_NONE)
        path_set(r->ts, &s->path, var,
                 alike == TERM_NONE ? 0 : state_eval(r, s, alike));
}

void hint_choose(struct sx_run *r, struct sx_state *s, const struct sx_ref *ref,
                 const struct sx_ref *alike)
{
    set_alike(r, s, ref->index, alike ? alike->index : TERM_NONE);
    set_alike(r, s, ref->which, alike ? alike->which : TERM_NONE);
    set_alike(r, s, ref->behind, alike ? alike->behind : TERM_NONE);
}

static bool is_met(const struct sx_state *s, uint32_t ref)
{
    for (const struct number *p = s->refs; p; p = p->up)
        if (p->n == ref)
            return true;
    return false;
}

// What a reference that leads elsewhere can be on this path.
static void meet_others(struct sx_run *r, struct sx_state *s,
                        const struct sx_ref *ref)
{
    struct terms *ts = r->ts;
    term none = term_const(ts, INDEX_BITS, 0);
    term can = term_eq(ts, ref->which, none);
    if (ref->behind != TERM_NONE)
        can = term_and(ts, can, term_eq(ts, ref->behind, none));
    for (uint32_t k = 0; k < ref->n_others; k++) {
        const struct sx_other *o = &ref->others[k];
        if (o->ref != IR_NOTHING && !is_met(s, o->ref))
            continue;
        term so = term_and(ts, is_other(r, ref, k), is_null(r, ref->var));
        if (o->ref != IR_NOTHING)
            so = term_and(ts, so,
                          term_not(ts, is_null(r, r->refs.at[o->ref].var)));
        uint64_t most = o->size - o->offset;
        if (ref->behind != TERM_NONE && most < 1u << INDEX_BITS)
            so = term_and(ts, so,
                          term_binary(ts, IR_ULT, ref->behind,
                                      term_const(ts, INDEX_BITS, most)));
        can = term_or(ts, can, so);
    }
    learn(r, s, can);
}

// A pointer that is followed leads to the beginning, unless another that is
// leads there.
void hint_meet(struct sx_run *r, struct sx_state *s, uint32_t n)
{
    struct terms *ts = r->ts;
    const struct sx_ref *ref = &r->refs.at[n];
    if (ref->which != TERM_NONE)
        meet_others(r, s, ref);
    if (ref->index == TERM_NONE)
        return;
    uint64_t most = layout_size(r->ir, ref->type) == 1 ? r->o.text : r->o.array;
    if (most >= 1u << INDEX_BITS)
        most = (1u << INDEX_BITS) - 1;
    term zero = term_const(ts, INDEX_BITS, 0);
    term null = is_null(r, ref->var);
    term other = term_bool(ts, !ref->followed);
    for (const struct number *p = s->refs; p && ref->followed; p = p->up)
        if (p->n != n && r->refs.at[p->n].region == ref->region &&
            r->refs.at[p->n].followed)
            other =
                term_or(ts, other, term_eq(ts, ref->var, r->refs.at[p->n].var));
    term inside =
        term_not(ts, term_binary(ts, IR_ULT, term_const(ts, INDEX_BITS, most),
                                 ref->index));
    learn(
        r, s,
        term_or(ts, term_eq(ts, ref->index, zero),
                term_and(ts, term_and(ts, term_not(ts, null), other), inside)));
}

bool hint_one_object(struct sx_run *r, struct sx_state *s, term a, term b)
{
    struct sx_pointer x, y;
    if (!r->o.hints || r->making || !sx_pointer(r->ts, a, &x) ||
        !sx_pointer(r->ts, b, &y) || x.object == y.object)
        return true;
    uint32_t p = input_ref_of(r, x.object), q = input_ref_of(r, y.object);
    if (p == MAP_NONE || q == MAP_NONE ||
        r->refs.at[p].region != r->refs.at[q].region ||
        r->refs.at[p].index == TERM_NONE)
        return true;
    return assume(r, s, term_eq(r->ts, x.object, y.object));
}
