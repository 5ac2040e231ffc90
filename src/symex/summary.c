// Making summaries: a run of the function alone, in the most general context,
// that writes down its tree.
//
// Memory is not looked at in such a run.  What a load gives is a variable,
// unless the same path surely wrote or read those bytes before.
#include "symex/summary.h"

#include "base/die.h"

#include <stdlib.h>
#include <string.h>

// Beyond these a summary is left partial.  Counts, not seconds: the same
// summaries come out on every machine.
enum { NODES_MAX = 1500, ASKED_MAX = 300, SKIPPED_MAX = 20000 };

// ---- variables ----------------------------------------------------------

// An unknown value; a pointer is object and offset.
static term unknown(struct terms *ts, struct ir_type t)
{
    if (t.kind != IR_PTR)
        return term_var(ts, "value", t.bits,
                        t.kind == IR_FLOAT ? TERM_FLOAT : TERM_INT);
    struct sx_pointer p = {
        .object = term_var(ts, "object", SX_OBJECT_BITS, TERM_REFERENCE),
        .offset = term_var(ts, "offset", SX_OFFSET_BITS, TERM_INT)};
    return sx_address(ts, p);
}

static bool has_terms(struct ir_type t)
{
    return t.kind == IR_PTR || (t.kind == IR_INT && t.bits <= 128) ||
           (t.kind == IR_FLOAT && t.bits <= 64);
}

// ---- memory -------------------------------------------------------------

enum access_kind { READ, WRITTEN, LOCAL, ANYTHING };

// What the path did to memory, newest first.
struct sum_access {
    const struct sum_access *up;
    enum access_kind kind;
    term address, value;
    struct ir_type type;
};

static void note(struct sx_run *r, struct sx_state *s, enum access_kind kind,
                 term address, term value, struct ir_type type)
{
    struct sum_access *new = arena_get(&r->arena, sizeof *new);
    *new = (struct sum_access){s->accesses, kind, address, value, type};
    s->accesses = new;
}

// Where in time an object's variable was made; UINT32_MAX: it is not one.
static uint32_t age(const struct terms *ts, term object)
{
    return term_op(ts, object) == TERM_VAR ? term_var_index(ts, object)
                                           : UINT32_MAX;
}

static bool is_local(const struct sx_state *s, term object)
{
    for (const struct sum_access *a = s->accesses; a; a = a->up)
        if (a->kind == LOCAL && a->value == object)
            return true;
    return false;
}

// Different objects, surely: two constants, two locals, a local and what was
// known before it was there.
static bool objects_differ(struct terms *ts, const struct sx_state *s, term a,
                           term b)
{
    if (term_is_const(ts, a) && term_is_const(ts, b))
        return a != b;
    bool local_a = is_local(s, a), local_b = is_local(s, b);
    if (a == b || (!local_a && !local_b))
        return false;
    if (local_a && local_b)
        return true;
    term local = local_a ? a : b, other = local_a ? b : a;
    return term_is_const(ts, other) ||
           (age(ts, other) != UINT32_MAX && age(ts, other) < age(ts, local));
}

// Do these bytes surely not overlap?
static bool are_apart(struct terms *ts, const struct sx_state *s, term a,
                      uint32_t n_a, term b, uint32_t n_b)
{
    struct sx_pointer x, y;
    if (!sx_pointer(ts, a, &x) || !sx_pointer(ts, b, &y))
        return false;
    if (x.object != y.object)
        return objects_differ(ts, s, x.object, y.object);
    struct term_sum p = term_as_sum(ts, x.offset),
                    q = term_as_sum(ts, y.offset);
    uint64_t mask = (UINT64_C(1) << SX_OFFSET_BITS) - 1;
    return p.base == q.base && ((p.constant - q.constant) & mask) >= n_b &&
           ((q.constant - p.constant) & mask) >= n_a;
}

static bool same_type(struct ir_type a, struct ir_type b)
{
    return a.kind == b.kind && a.bits == b.bits;
}

// The value that the path itself put or found there; TERM_NONE: not known.
static term remembered(struct sx_run *r, const struct sx_state *s, term address,
                       struct ir_type type)
{
    for (const struct sum_access *a = s->accesses; a; a = a->up) {
        if (a->kind == ANYTHING)
            break;
        if (a->kind == LOCAL)
            continue;
        if (a->address == address && same_type(a->type, type))
            return a->value;
        if (a->kind == WRITTEN &&
            !are_apart(r->ts, s, a->address, ir_bytes(a->type), address,
                       ir_bytes(type)))
            break;
    }
    return TERM_NONE;
}

// A constant place in a constant of the program.
static bool is_constant(struct sx_run *r, term address)
{
    if (!term_is_const(r->ts, address))
        return false;
    uint64_t n = (uint64_t)term_value(r->ts, address) >> SX_OFFSET_BITS;
    return n >= SX_GLOBALS && n - SX_GLOBALS < r->ir->globals.n &&
           r->ir->globals.at[n - SX_GLOBALS].constant;
}

// ---- the tree -----------------------------------------------------------

static struct sum_node *node_here(struct sx_run *r, struct sx_state *s,
                                  uint32_t n_next)
{
    struct sum_tree *m = r->making;
    struct sum_node *n = *s->slot;
    if (n)
        return n;
    n = arena_zero(&m->arena, sizeof *n);
    n->top = s->top;
    frame_share(s->top);
    n->depth = s->depth;
    n->skipped = s->skipped;
    n->n_next = n_next;
    n->next = arena_zero(&m->arena, (n_next + 1) * sizeof *n->next);
    vec_push(&m->nodes, n);
    *s->slot = n;
    return n;
}

static bool ends_open(struct sx_run *r, struct sx_state *s)
{
    node_here(r, s, 0)->open = true;
    state_free(s);
    return false;
}

bool sum_ended(struct sx_run *r, struct sx_state *s, enum sx_end end)
{
    if (end != SX_TRAPPED && end != SX_RETURNED)
        return ends_open(r, s);
    state_free(s);
    return false;
}

void sum_side(struct sx_run *r, struct sx_state *s, uint32_t side)
{
    if (r->making) {
        s->slot = &(*s->slot)->next[side];
        s->skipped = 0;
    } else if (s->node) {
        s->node = s->node->next[side];
    }
}

// The node's instruction is done; its value is `result`.
static bool goes_on(struct sx_run *r, struct sx_state *s, struct sum_node *n,
                    term result)
{
    n->result = result;
    sum_side(r, s, 0);
    return advance(r, s, result);
}

// ---- instructions -------------------------------------------------------

static bool record_load(struct sx_run *r, struct sx_state *s,
                        const struct ir_inst *i)
{
    term address = operand(r, s, ir_args(s->top->f, i)[0]);
    if (!address || !has_terms(i->type))
        return ends_open(r, s);
    if (is_constant(r, address)) {
        s->skipped++;
        return step_in_place(r, s);
    }
    term known = remembered(r, s, address, i->type);
    if (known) {
        s->skipped++;
        return advance(r, s, known);
    }
    struct sum_node *n = node_here(r, s, 1);
    known = unknown(r->ts, i->type);
    note(r, s, READ, address, known, i->type);
    return goes_on(r, s, n, known);
}

static bool record_store(struct sx_run *r, struct sx_state *s,
                         const struct ir_inst *i)
{
    const ir_id *args = ir_args(s->top->f, i);
    term value = operand(r, s, args[0]), address = operand(r, s, args[1]);
    struct ir_type type = ir_type_of(r->ir, s->top->f, args[0]);
    if (!value || !address || !has_terms(type))
        return ends_open(r, s);
    struct sum_node *n = node_here(r, s, 1);
    note(r, s, WRITTEN, address, value, type);
    return goes_on(r, s, n, TERM_NONE);
}

static bool record_local(struct sx_run *r, struct sx_state *s,
                         const struct ir_inst *i)
{
    if (i->n)
        return ends_open(r, s);
    struct sum_node *n = node_here(r, s, 1);
    struct sx_pointer p = {
        .object = term_var(r->ts, "local", SX_OBJECT_BITS, TERM_REFERENCE),
        .offset = offset_const(r, 0)};
    note(r, s, LOCAL, TERM_NONE, p.object, i->type);
    return goes_on(r, s, n, sx_address(r->ts, p));
}

static bool record_memory(struct sx_run *r, struct sx_state *s,
                          const struct ir_inst *i)
{
    switch ((enum ir_op)i->op) {
    case IR_ALLOCA:
        return record_local(r, s, i);
    case IR_LOAD:
        return record_load(r, s, i);
    case IR_STORE:
        return record_store(r, s, i);
    case IR_VASTART:
        return ends_open(r, s);
    default:
        break;
    }
    struct sum_node *n = node_here(r, s, 1);
    note(r, s, ANYTHING, TERM_NONE, TERM_NONE, i->type);
    return goes_on(r, s, n, TERM_NONE);
}

// A function whose call the caller's state must do as a whole: it calls back,
// or is an assumption.
static bool is_apart(const struct ir_fn *f)
{
    return strcmp(f->name, "qsort") == 0 || strcmp(f->name, "bsearch") == 0 ||
           strncmp(f->name, "unit_", 5) == 0;
}

// A call of a function whose cases differ in the result alone.
static bool joined_call(struct sx_run *r, struct sx_state *s,
                        const struct ir_inst *i, const struct ir_fn *f,
                        term *value)
{
    struct sum_tree *m = r->o.join ? sum_of(r, s, f) : NULL;
    term args[64];
    if (!m || i->n > 64)
        return false;
    for (uint32_t k = 1; k < i->n; k++)
        args[k - 1] = operand(r, s, ir_args(s->top->f, i)[k]);
    if (!sum_value(r, s, m, args, i->n - 1, value))
        return false;
    m->counts.used++;
    m->counts.joined++;
    return true;
}

static bool record_call(struct sx_run *r, struct sx_state *s,
                        const struct ir_inst *i)
{
    uint32_t fn = i->op == IR_CALL ? ir_as_fn(r->ir, ir_args(s->top->f, i)[0])
                                   : IR_NOTHING;
    const struct ir_fn *f = fn == IR_NOTHING ? NULL : r->ir->fns.at[fn];
    if (!f || is_apart(f) || (f->defined && f->variadic) ||
        (!f->defined && i->type.kind != IR_VOID && !has_terms(i->type)))
        return ends_open(r, s);
    term value;
    if (f->defined && joined_call(r, s, i, f, &value)) {
        s->skipped++;
        return advance(r, s, value);
    }
    struct sum_node *n = node_here(r, s, 1);
    if (f->defined) {
        if (!step_in_place(r, s))
            return false;
        sum_side(r, s, 0);
        return true;
    }
    if (f->noreturn)
        return sum_ended(r, s, SX_TRAPPED);
    note(r, s, ANYTHING, TERM_NONE, TERM_NONE, i->type);
    return goes_on(
        r, s, n, i->type.kind == IR_VOID ? TERM_NONE : unknown(r->ts, i->type));
}

static bool record_end(struct sx_run *r, struct sx_state *s,
                       const struct ir_inst *i)
{
    const struct ir_fn *f = s->top->f;
    uint32_t sides = f->blocks.at[s->top->block].n_succs;
    node_here(r, s, sides ? sides : 1);
    if (i->op != IR_RETURN)
        return step_in_place(r, s);
    if (s->depth == 1)
        return sum_ended(r, s, SX_RETURNED);
    sum_side(r, s, 0);
    return step_in_place(r, s);
}

static bool is_node(const struct sx_run *r, const struct ir_inst *i)
{
    if (i->op == IR_SELECT)
        return r->o.selects;
    return r->o.overflow && i->flags & IR_NSW &&
           (i->op == IR_ADD || i->op == IR_SUB || i->op == IR_MUL);
}

static bool record_value(struct sx_run *r, struct sx_state *s,
                         const struct ir_inst *i)
{
    if (!is_node(r, i)) {
        s->skipped++;
        return s->skipped < SKIPPED_MAX ? step_in_place(r, s) : ends_open(r, s);
    }
    node_here(r, s, i->op == IR_SELECT ? 2 : 1);
    if (i->op == IR_SELECT)
        return step_in_place(r, s);
    if (!step_in_place(r, s))
        return false;
    sum_side(r, s, 0);
    return true;
}

bool sum_record(struct sx_run *r, struct sx_state *s)
{
    const struct ir_inst *i = &s->top->f->insts.at[s->top->at];
    switch (ir_op_group((enum ir_op)i->op)) {
    case IR_G_VALUE:
        return record_value(r, s, i);
    case IR_G_MEM:
        return record_memory(r, s, i);
    case IR_G_CALL:
        return record_call(r, s, i);
    case IR_G_ACTOR:
        return ends_open(r, s);
    case IR_G_END:
        break;
    }
    return record_end(r, s, i);
}

bool sum_may_join(const struct ir_fn *f)
{
    for (uint32_t k = 0; k < f->insts.n; k++) {
        const struct ir_inst *i = &f->insts.at[k];
        bool product = i->op >= IR_MUL && i->op <= IR_SREM;
        if (i->type.kind == IR_FLOAT || i->op == IR_FCMP ||
            (product && !ir_is_const(ir_args(f, i)[0]) &&
             !ir_is_const(ir_args(f, i)[1])))
            return false;
    }
    return true;
}

// ---- making -------------------------------------------------------------

static bool is_enough(struct sx_run *r, uint64_t asked)
{
    r->stopped |= r->x->stop && r->x->stop(r->x->stop_self);
    return r->stopped || r->making->nodes.n >= NODES_MAX ||
           r->x->counts.asked - asked >= ASKED_MAX;
}

static void follow_all(struct sx_run *r)
{
    uint64_t asked = r->x->counts.asked;
    while (r->waiting.n) {
        struct sx_state *s = vec_pop(&r->waiting);
        bool enough = false;
        while (!(enough = is_enough(r, asked)) && step(r, s))
            ;
        if (enough)
            ends_open(r, s);
    }
}

// Joined cases are not to make questions hard that were easy one by one.
static bool is_plain(const struct terms *ts, term t)
{
    return !t || !(term_has(ts, t) &
                   (TERM_HAS_FLOAT | TERM_HAS_DIVISION | TERM_HAS_PRODUCT));
}

// Is what the node decides or returns plain?
static bool decides_plainly(const struct terms *ts, const struct sum_node *n,
                            const struct ir_inst *i)
{
    bool looks = i->op == IR_BRANCH || i->op == IR_SWITCH ||
                 i->op == IR_SELECT || i->op == IR_RETURN;
    for (uint32_t k = 0; looks && k < i->n; k++) {
        ir_id v = ir_args(n->top->f, i)[k];
        if (v != IR_NOTHING && !ir_is_const(v) &&
            !is_plain(ts, n->top->values[v]))
            return false;
    }
    return true;
}

// Which nodes have nothing but decisions below.  Nodes are in the order of
// making, so what lies below a node comes after it.
static void find_joins(const struct ir *ir, const struct terms *ts,
                       struct sum_tree *m)
{
    m->plain = true;
    for (uint32_t k = m->nodes.n; k-- > 0;) {
        struct sum_node *n = m->nodes.at[k];
        const struct ir_fn *f = n->top->f;
        const struct ir_inst *i = &f->insts.at[n->top->at];
        uint32_t fn =
            i->op == IR_CALL ? ir_as_fn(ir, ir_args(f, i)[0]) : IR_NOTHING;
        bool call = fn != IR_NOTHING && ir->fns.at[fn]->defined;
        bool last = i->op == IR_RETURN && n->depth == 1;
        n->joins = !n->open && (ir_op_group((enum ir_op)i->op) == IR_G_END ||
                                i->op == IR_SELECT || call);
        n->leaves = last;
        m->plain &= decides_plainly(ts, n, i);
        for (uint32_t j = 0; j < n->n_next; j++)
            if (n->next[j]) {
                n->joins &= n->next[j]->joins;
                n->leaves += n->next[j]->leaves;
            }
        m->counts.returns += last;
        m->counts.traps += i->op == IR_TRAP;
        m->counts.open += n->open;
    }
}

static struct sum_tree *make(struct sx_run *by, const struct ir_fn *f)
{
    struct sx_start start = {
        .fn = f->id, .pre = IR_NOTHING, .cls = IR_NOTHING, .msg = IR_NOTHING};
    struct sx_run *r = sx_run_new(by->x, &start);
    struct sum_tree *m = need_zero(sizeof *m);
    m->f = f;
    m->counts.fn = f->id;
    r->o = by->o;
    r->o.traps_once = false;
    r->making = m;
    struct sx_state *s = state_new(r);
    s->slot = &m->root;
    for (uint32_t i = 0; i < f->n_params; i++)
        m->params[i] = unknown(r->ts, f->insts.at[i].type);
    if (call_fn(r, s, f, m->params, f->n_params, FOR_CALLER))
        search_add(r, s);
    follow_all(r);
    find_joins(r->ir, r->ts, m);
    bool stopped = r->stopped;
    sx_end(r);
    if (!stopped)
        return m;
    sum_free(m); // the time was up, not a limit of ours
    return NULL;
}

void sum_free(struct sum_tree *m)
{
    if (!m)
        return;
    for (uint32_t i = 0; i < m->nodes.n; i++)
        frame_drop(m->nodes.at[i]->top);
    vec_free(&m->nodes);
    arena_free(&m->arena);
    free(m);
}

static bool is_general(const struct ir_fn *f)
{
    bool ok = !f->variadic && f->n_params <= 64;
    for (uint32_t i = 0; ok && i < f->n_params; i++)
        ok = has_terms(f->insts.at[i].type);
    return ok;
}

struct sum_tree *sum_of(struct sx_run *r, const struct sx_state *s,
                        const struct ir_fn *f)
{
    struct symex *x = r->x;
    if (!r->o.summaries || r->live || r->start.follow || r->start.wide ||
        r->start.stops || s->scene || s->in_pre || !is_general(f))
        return NULL;
    if (!x->summaries[f->id] && !x->busy[f->id] &&
        (++x->calls[f->id] > 1 || r->making)) {
        x->busy[f->id] = true;
        x->summaries[f->id] = make(r, f);
        x->busy[f->id] = false;
    }
    struct sum_tree *m = x->summaries[f->id];
    return m && !m->root->open ? m : NULL;
}

void sums_drop(struct symex *x)
{
    for (uint32_t i = 0; i < x->ir->fns.n; i++) {
        sum_free(x->summaries[i]);
        x->summaries[i] = NULL;
        x->calls[i] = 0;
    }
}

uint32_t sx_summaries(const struct symex *x, struct sx_summary *out,
                      uint32_t max)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < x->ir->fns.n; i++)
        if (x->summaries[i] && n < max)
            out[n++] = x->summaries[i]->counts;
    return n;
}
