// What input pointers may be besides the beginning of an object of their type.
//
// A run begins with the plain view.  Where the program orders or subtracts two
// pointers of one type, or looks at what lies before an object, that view
// cannot be right: it is noted, and the next run lets such pointers lead into
// the middle of an array, or to a part of a larger struct.
#include "symex/engine.h"

enum { INDEX_BITS = 8, CALLS_MAX = 4 };

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

static void add(struct sx_run *r, struct sx_hint h)
{
    h.type = ir_bare_type(r->ir, h.type);
    if (r->o.hints && h.type != IR_NOTHING && !find(r, h.kind, h.type))
        vec_push(&r->o.hints->at, h);
}

void hint_middle(struct sx_run *r, uint32_t a, uint32_t b)
{
    if (a == MAP_NONE || b == MAP_NONE ||
        r->refs.at[a].region != r->refs.at[b].region)
        return;
    add(r, (struct sx_hint){.kind = SX_MIDDLE, .type = r->refs.at[a].type});
    add(r, (struct sx_hint){.kind = SX_MIDDLE, .type = r->refs.at[b].type});
}

// Does the program step back by this many bytes?
static bool steps_back(const struct ir *ir, uint64_t bytes)
{
    for (uint32_t k = 0; k < ir->fns.n; k++) {
        const struct ir_fn *f = ir->fns.at[k];
        for (uint32_t i = 0; i < f->insts.n; i++) {
            const struct ir_inst *in = &f->insts.at[i];
            if (in->op == IR_FIELD && in->imm == -(int64_t)bytes)
                return true;
            if (in->op != IR_INDEX || !ir_is_const(ir_args(f, in)[1]))
                continue;
            const struct ir_const *c = ir_const_at(ir, ir_args(f, in)[1]);
            if ((int64_t)c->lo * in->imm == -(int64_t)bytes)
                return true;
        }
    }
    return false;
}

void hint_part(struct sx_run *r, uint32_t ref, int64_t offset)
{
    uint32_t part = ir_bare_type(r->ir, r->refs.at[ref].type);
    for (uint32_t i = 0; part != IR_NOTHING && i < r->ir->types.n; i++) {
        const struct ir_dtype *t = &r->ir->types.at[i];
        if (t->kind != IR_D_STRUCT || !t->size)
            continue;
        for (uint32_t k = 0; k < t->n; k++) {
            uint64_t at = t->members[k].bit / 8;
            if (at && ir_bare_type(r->ir, t->members[k].type) == part &&
                (int64_t)at + offset >= 0 && steps_back(r->ir, at))
                add(r, (struct sx_hint){SX_PART, part, i, at});
        }
    }
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

void hint_index(struct sx_run *r, struct sx_ref *ref)
{
    ref->index = TERM_NONE;
    ref->followed = true;
    if (!find(r, SX_MIDDLE, ref->type) || r->making)
        return;
    ref->followed = is_followed(r, ref->place);
    ref->index =
        term_var(r->ts, arena_format(&r->arena, "%s's place", ref->name),
                 INDEX_BITS, TERM_INT);
}

term hint_offset(struct sx_run *r, const struct sx_ref *ref, uint64_t from)
{
    term c = offset_const(r, from);
    if (ref->index == TERM_NONE)
        return c;
    term n = term_convert(r->ts, IR_ZEXT, SX_OFFSET_BITS, ref->index);
    uint64_t size = layout_size(r->ir, ref->type);
    return term_binary(r->ts, IR_ADD, c,
                       term_binary(r->ts, IR_MUL, n, offset_const(r, size)));
}

// A pointer that is followed leads to the beginning, unless another that is
// leads there.
void hint_meet(struct sx_run *r, struct sx_state *s, uint32_t n)
{
    struct terms *ts = r->ts;
    const struct sx_ref *ref = &r->refs.at[n];
    if (ref->index == TERM_NONE)
        return;
    uint64_t most = layout_size(r->ir, ref->type) == 1 ? r->o.text : r->o.array;
    term zero = term_const(ts, INDEX_BITS, 0);
    term null = term_eq(ts, ref->var, term_const(ts, SX_OBJECT_BITS, 0));
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
