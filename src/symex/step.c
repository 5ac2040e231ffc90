// One instruction.
#include "symex/summary.h"

#include <assert.h>
#include <string.h>

// ---- operands -----------------------------------------------------------

static term make_const(struct sx_run *r, const struct ir_const *c)
{
    unsigned bits = c->type.kind == IR_PTR ? 64 : c->type.bits;
    switch ((enum ir_const_kind)c->kind) {
    case IR_C_GLOBAL:
        return address_of(r, SX_GLOBALS + c->index, c->lo);
    case IR_C_FUNCTION:
        return address_of(r, SX_FUNCTIONS + c->index, 0);
    case IR_C_UNDEF:
        return term_const(r->ts, bits ? bits : 1, 0);
    case IR_C_INT:
    case IR_C_FLOAT:
    case IR_C_BLOB:
        break;
    }
    return term_const(r->ts, bits ? bits : 1, (u128)c->hi << 64 | c->lo);
}

term const_term(struct sx_run *r, ir_id v)
{
    uint32_t i = ir_const_index(v);
    if (!r->consts[i])
        r->consts[i] = make_const(r, &r->ir->consts.at[i]);
    return r->consts[i];
}

term operand(struct sx_run *r, const struct sx_state *s, ir_id v)
{
    if (v == IR_NOTHING)
        return TERM_NONE;
    return ir_is_const(v) ? const_term(r, v) : s->top->values[v];
}

bool advance(struct sx_run *r, struct sx_state *s, term result)
{
    struct frame *f = state_frame(r, s);
    f->values[f->at] = result;
    f->at++;
    s->split = false;
    return true;
}

// ---- values -------------------------------------------------------------

// By ir_eval() where terms cannot say it: 80-bit floats that are constants.
static term by_value(struct sx_run *r, const struct ir_inst *i,
                     const struct ir_type *types, const term *args)
{
    union ir_bits a[4], out = {.i = 0};
    if (i->n > 4)
        return TERM_NONE;
    for (uint32_t k = 0; k < i->n; k++) {
        if (!args[k] || !term_is_const(r->ts, args[k]))
            return TERM_NONE;
        a[k].i = term_value(r->ts, args[k]);
    }
    if (!ir_eval(i, types, a, &out))
        return TERM_NONE;
    return term_const(r->ts, i->type.kind == IR_PTR ? 64 : i->type.bits, out.i);
}

static term widen(struct sx_run *r, term t)
{
    return term_bits(r->ts, t) < 64 ? term_convert(r->ts, IR_SEXT, 64, t) : t;
}

static term index_address(struct sx_run *r, const struct ir_inst *i,
                          const term *a)
{
    term size = term_const(r->ts, 64, (uint64_t)i->imm);
    return address_add(r, a[0],
                       term_binary(r->ts, IR_MUL, widen(r, a[1]), size));
}

static term compute(struct sx_run *r, const struct ir_inst *i,
                    const struct ir_type *types, const term *a)
{
    term t = TERM_NONE;
    switch ((enum ir_op)i->op) {
    case IR_FIELD:
        return address_add(r, a[0], term_const(r->ts, 64, (uint64_t)i->imm));
    case IR_INDEX:
        return index_address(r, i, a);
    case IR_EQ:
    case IR_NE:
    case IR_ULT:
    case IR_ULE:
    case IR_SLT:
    case IR_SLE:
        if (types[0].kind == IR_PTR)
            return compare_pointers(r, (enum ir_op)i->op, a[0], a[1]);
        t = address_arithmetic(r, (enum ir_op)i->op, a[0], a[1]);
        break;
    case IR_ADD:
    case IR_SUB:
    case IR_AND:
        t = address_arithmetic(r, (enum ir_op)i->op, a[0], a[1]);
        break;
    default:
        break;
    }
    if (t == TERM_NONE)
        t = term_apply(r->ts, i, types, a);
    return t ? t : by_value(r, i, types, a);
}

static bool overflow_trap(struct sx_run *r, struct sx_state *s,
                          const struct ir_inst *i, const term *a)
{
    if (!r->o.overflow || !(i->flags & IR_NSW) ||
        (i->op != IR_ADD && i->op != IR_SUB && i->op != IR_MUL))
        return true;
    return trap_if(r, s,
                   term_overflows(r->ts, (enum ir_op)i->op, true, a[0], a[1]),
                   SX_TRAP_OVERFLOW);
}

static void record(struct sx_run *r, struct sx_state *s, uint32_t side,
                   term condition);

static void record_known(struct sx_run *r, struct sx_state *s, uint32_t side);

// A select is a pair of sides where that is asked for.
static bool select_value(struct sx_run *r, struct sx_state *s, const term *a)
{
    if (!r->o.selects || r->live) {
        live_select(r, s, a[0]);
        return advance(r, s, term_ite(r->ts, a[0], a[1], a[2]));
    }
    bool yes = decide(r, s, a[0]);
    if (!term_is_const(r->ts, a[0]))
        record(r, s, !yes, yes ? a[0] : term_not(r->ts, a[0]));
    else
        record_known(r, s, !yes);
    search_took(r, s, !yes);
    sum_side(r, s, !yes);
    return advance(r, s, yes ? a[1] : a[2]);
}

static bool step_value(struct sx_run *r, struct sx_state *s,
                       const struct ir_inst *i)
{
    struct ir_type types[4] = {{0}};
    term a[4] = {TERM_NONE};
    const struct ir_fn *f = s->top->f;
    assert(i->n <= 4);
    for (uint32_t k = 0; k < i->n; k++) {
        a[k] = operand(r, s, ir_args(f, i)[k]);
        types[k] = ir_type_of(r->ir, f, ir_args(f, i)[k]);
        if (!a[k])
            return finish_unsupported(r, s, "a value that is not known");
    }
    if (i->op == IR_SELECT)
        return select_value(r, s, a);
    if (!overflow_trap(r, s, i, a))
        return false;
    if (!note_places(r, s, i, types, a))
        return false;
    term t = compute(r, i, types, a);
    if (!t)
        return finish_unsupported(r, s, "arithmetic on long double");
    return advance(r, s, t);
}

// ---- memory -------------------------------------------------------------

static bool step_alloca(struct sx_run *r, struct sx_state *s,
                        const struct ir_inst *i)
{
    term size = term_const(r->ts, 64, (uint64_t)i->imm);
    if (i->n) {
        term n = operand(r, s, ir_args(s->top->f, i)[0]);
        n = term_convert(r->ts, IR_ZEXT, 64, n);
        size = term_binary(r->ts, IR_MUL, size, n);
    }
    term p = allocate(r, s, size, FILL_UNDEFINED, false);
    frame_owns(state_frame(r, s), SX_MADE + s->made - 1);
    return advance(r, s, p);
}

static bool step_load(struct sx_run *r, struct sx_state *s,
                      const struct ir_inst *i)
{
    term v, p = operand(r, s, ir_args(s->top->f, i)[0]);
    uint32_t bytes = ir_bytes(i->type);
    if (!load(r, s, p, bytes, i->type.kind == IR_PTR, &v))
        return false;
    if (i->type.kind == IR_INT && i->type.bits < bytes * 8)
        v = term_slice(r->ts, v, 0, i->type.bits);
    return advance(r, s, v);
}

static bool step_store(struct sx_run *r, struct sx_state *s,
                       const struct ir_inst *i)
{
    const ir_id *args = ir_args(s->top->f, i);
    term v = operand(r, s, args[0]), p = operand(r, s, args[1]);
    if (!v)
        return finish_unsupported(r, s, "a value that is not known");
    if (term_bits(r->ts, v) % 8)
        v = term_convert(r->ts, IR_ZEXT, ir_bytes(i->type) * 8, v);
    return store(r, s, p, v) && advance(r, s, TERM_NONE);
}

static bool step_range(struct sx_run *r, struct sx_state *s,
                       const struct ir_inst *i)
{
    const ir_id *args = ir_args(s->top->f, i);
    term to = operand(r, s, args[0]), from = operand(r, s, args[1]);
    uint64_t n;
    if (!pin_length(r, s, operand(r, s, args[2]), "a copy of unknown length",
                    &n))
        return false;
    bool ok = i->op == IR_SET
                  ? set_bytes(r, s, to, term_slice(r->ts, from, 0, 8), n)
                  : copy_bytes(r, s, to, from, n);
    return ok && advance(r, s, TERM_NONE);
}

// As the interpreter does it: registers used up, arguments in memory, eight
// bytes each (sixteen for what is aligned so).
static bool step_vastart(struct sx_run *r, struct sx_state *s,
                         const struct ir_inst *i)
{
    const struct frame *f = s->top;
    term list = operand(r, s, ir_args(f->f, i)[0]), area;
    uint64_t at = 0;
    area = allocate(r, s, term_const(r->ts, 64, f->n_varargs * 32u + 8),
                    FILL_ZERO, false);
    frame_owns(state_frame(r, s), SX_MADE + s->made - 1);
    for (uint32_t k = 0; k < s->top->n_varargs; k++) {
        term v = s->top->varargs[k];
        unsigned bits = term_bits(r->ts, v);
        if (bits > 64)
            at = (at + 15) & ~UINT64_C(15);
        if (bits % 8)
            v = term_convert(r->ts, IR_ZEXT, (bits + 7) / 8 * 8, v);
        if (!store(r, s, address_add(r, area, term_const(r->ts, 64, at)), v))
            return false;
        at += bits > 64 ? 16 : 8;
    }
    term eight = term_const(r->ts, 64, 8), second = address_add(r, list, eight);
    return store(r, s, list, term_const(r->ts, 64, UINT64_C(176) << 32 | 48)) &&
           store(r, s, second, area) &&
           store(r, s, address_add(r, second, eight),
                 term_const(r->ts, 64, 0)) &&
           advance(r, s, TERM_NONE);
}

static bool step_memory(struct sx_run *r, struct sx_state *s,
                        const struct ir_inst *i)
{
    switch ((enum ir_op)i->op) {
    case IR_ALLOCA:
        return step_alloca(r, s, i);
    case IR_LOAD:
        return step_load(r, s, i);
    case IR_STORE:
        return step_store(r, s, i);
    case IR_VASTART:
        return step_vastart(r, s, i);
    default:
        return step_range(r, s, i);
    }
}

// ---- control flow -------------------------------------------------------

static void note_decision(struct sx_run *r, struct sx_state *s, uint32_t side,
                          term condition)
{
    const struct frame *f = s->top;
    struct decision *d = arena_get(&r->arena, sizeof *d);
    *d = (struct decision){s->decisions,
                           {.fn = f->f->id,
                            .block = f->block,
                            .side = side,
                            .inst = f->at,
                            .depth = s->depth - 1,
                            .task = s->scene ? scene_running(s->scene) : 0,
                            .condition = condition,
                            .implied = !s->split}};
    if (s->in_pre)
        return;
    s->decisions = d;
    s->n_decisions++;
}

static void record(struct sx_run *r, struct sx_state *s, uint32_t side,
                   term condition)
{
    note_decision(r, s, side, condition);
    s->n_real += s->split;
    s->n_symbolic++;
}

// With tasks what others did may make a condition a constant: its side tells
// one order from another.
static void record_known(struct sx_run *r, struct sx_state *s, uint32_t side)
{
    if (s->scene)
        note_decision(r, s, side, term_bool(r->ts, true));
}

// The phis of a block read their arguments all at once.
static void enter(struct sx_run *r, struct sx_state *s, uint32_t from,
                  uint32_t to)
{
    struct frame *f = state_frame(r, s);
    live_entered(r, f->f->id, to);
    const struct ir_block *b = &f->f->blocks.at[to];
    const uint32_t *preds = ir_preds(f->f, b);
    uint32_t k = 0, n = 0;
    VEC(term) values = {0};
    while (k + 1 < b->n_preds && preds[k] != from)
        k++;
    for (; f->f->insts.at[b->first + n].op == IR_PHI; n++)
        vec_push(
            &values,
            operand(r, s, ir_args(f->f, &f->f->insts.at[b->first + n])[k]));
    if (n)
        memcpy(f->values + b->first, values.at, n * sizeof(term));
    vec_free(&values);
    f->block = to;
    f->at = b->first + n;
    search_entered(r, s, f->f->id, to);
    s->split = false;
}

// In the frame of the function itself: is this the side that is asked for?
static bool on_trace(struct sx_run *r, struct sx_state *s, uint32_t side)
{
    if (s->depth != 1 || s->in_pre || s->trace >= r->start.n_trace)
        return true;
    const struct sx_side *want = &r->start.trace[s->trace];
    if (want->block != s->top->block)
        return true;
    s->trace++;
    return want->side == side;
}

// condition TERM_NONE: there was no choice.
static bool take_edge(struct sx_run *r, struct sx_state *s, uint32_t side,
                      term condition)
{
    const struct frame *f = s->top;
    uint32_t from = f->block;
    uint32_t to = ir_succs(f->f, &f->f->blocks.at[from])[side];
    if (!loop_edge(r, s, from, to))
        return false;
    if (condition && !term_is_const(r->ts, condition))
        record(r, s, side, condition);
    else if (condition)
        record_known(r, s, side);
    if (condition) {
        search_took(r, s, side);
        if (!on_trace(r, s, side))
            return drop(r, s);
    }
    enter(r, s, from, to);
    loop_entered(r, s, from, to);
    sum_side(r, s, side);
    return !s->over || finish_spent(r, s);
}

// To a block that is no successor, and begins with no phi.
static bool take_jump(struct sx_run *r, struct sx_state *s, uint32_t to)
{
    uint32_t from = s->top->block;
    if (!loop_edge(r, s, from, to))
        return false;
    enter(r, s, from, to);
    loop_entered(r, s, from, to);
    return true;
}

// A side that leads to a trap ends here and now.
static void end_in_trap(struct sx_run *r, struct sx_state *s, uint32_t side,
                        term condition)
{
    if (take_edge(r, s, side, condition))
        step(r, s);
}

// Was a trap in this block found already, and is one enough?
static bool trap_is_known(struct sx_run *r, const struct ir_fn *f,
                          uint32_t block)
{
    const struct ir_block *b = &f->blocks.at[block];
    return r->o.traps_once && is_trap_block(f, block) &&
           map_get(&r->trapped, map_pair(f->id, b->first + b->n - 1)) !=
               MAP_NONE;
}

static bool step_branch(struct sx_run *r, struct sx_state *s,
                        const struct ir_inst *i)
{
    const struct ir_fn *f = s->top->f;
    ir_id id = ir_args(f, i)[0];
    term c = operand(r, s, id), not ;
    const uint32_t *to = ir_succs(f, &f->blocks.at[s->top->block]);
    struct sx_state *other = NULL;
    if (!c)
        return finish_unsupported(r, s, "a value that is not known");
    bool symbolic = !term_is_const(r->ts, c);
    not = term_not(r->ts, c);
    loop_branch(r, s, id, symbolic);
    uint32_t behind = symbolic ? skip_branch(r, s) : IR_NOTHING;
    if (behind != IR_NOTHING)
        return take_jump(r, s, behind);
    for (uint32_t k = 0; k < 2 && symbolic; k++)
        if (trap_is_known(r, f, to[k]) &&
            path_decides(r->ts, &s->path, k ? not : c) < 0)
            if (!assume(r, s, k ? c : not ))
                return false;
    if (r->live && symbolic && take_both(r, s, c))
        return true;
    uint32_t before = live_count(r);
    int only = symbolic ? sum_only(s) : -1;
    if (only >= 0)
        learn(r, s, only ? not : c);
    bool yes = decide_both(r, s, c, &other);
    live_side(r, before, yes);
    if (other && is_trap_block(f, to[yes]))
        end_in_trap(r, other, yes, yes ? not : c);
    else if (other)
        search_add(r, other);
    return take_edge(r, s, !yes, yes ? c : not );
}

// The condition under which a switch goes to this block.
term switch_condition(struct sx_run *r, struct sx_state *s,
                      const struct ir_inst *i, uint32_t block)
{
    const struct ir_fn *f = s->top->f;
    const uint32_t *to = ir_succs(f, &f->blocks.at[s->top->block]);
    term v = operand(r, s, ir_args(f, i)[0]);
    term any = term_bool(r->ts, false), none = term_bool(r->ts, true);
    for (uint32_t k = 1; k < i->n; k++) {
        term is = term_eq(r->ts, v, operand(r, s, ir_args(f, i)[k]));
        if (to[k] == block)
            any = term_or(r->ts, any, is);
        none = term_and(r->ts, none, term_not(r->ts, is));
    }
    return to[0] == block ? term_or(r->ts, any, none) : any;
}

// The label of a value that is followed; every other one is a choice.
static bool follow_switch(struct sx_run *r, struct sx_state *s,
                          const struct ir_inst *i, term v)
{
    const struct ir_fn *f = s->top->f;
    const uint32_t *to = ir_succs(f, &f->blocks.at[s->top->block]);
    uint32_t taken = 0;
    u128 now = state_eval(r, s, v);
    for (uint32_t k = 1; k < i->n && !taken; k++)
        if (term_is(r->ts, operand(r, s, ir_args(f, i)[k]), now))
            taken = k;
    term c = switch_condition(r, s, i, to[taken]);
    for (uint32_t k = 0; k < i->n; k++) {
        bool first = to[k] != to[taken];
        for (uint32_t j = 0; j < k; j++)
            first &= to[j] != to[k];
        uint32_t before = live_count(r);
        if (first)
            live_choice(r, s, switch_condition(r, s, i, to[k]));
        live_side(r, before, k);
    }
    s->split = true;
    learn(r, s, c);
    return take_edge(r, s, taken, c);
}

// One side per case label: each is a side that a reader sees.
static bool step_switch(struct sx_run *r, struct sx_state *s,
                        const struct ir_inst *i)
{
    const struct ir_fn *f = s->top->f;
    const uint32_t *to = ir_succs(f, &f->blocks.at[s->top->block]);
    term v = operand(r, s, ir_args(f, i)[0]);
    bool symbolic = v && !term_is_const(r->ts, v);
    if (!v)
        return finish_unsupported(r, s, "a value that is not known");
    loop_branch(r, s, ir_args(f, i)[0], symbolic);
    uint32_t behind = symbolic ? skip_branch(r, s) : IR_NOTHING;
    if (behind != IR_NOTHING)
        return take_jump(r, s, behind);
    if (r->live && symbolic)
        return follow_switch(r, s, i, v);
    for (uint32_t k = 1; k < i->n; k++) {
        bool first = true;
        for (uint32_t j = 1; j < k; j++)
            first &= to[j] != to[k];
        if (!first && !r->o.labels)
            continue;
        term c = r->o.labels
                     ? term_eq(r->ts, v, operand(r, s, ir_args(f, i)[k]))
                     : switch_condition(r, s, i, to[k]);
        if (to[k] == to[0] && !r->o.labels)
            continue; // with the default
        if (decide(r, s, c))
            return take_edge(r, s, k, c);
    }
    return take_edge(r, s, 0, switch_condition(r, s, i, to[0]));
}

static bool step_end(struct sx_run *r, struct sx_state *s,
                     const struct ir_inst *i)
{
    switch ((enum ir_op)i->op) {
    case IR_JUMP:
        return take_edge(r, s, 0, TERM_NONE);
    case IR_BRANCH:
        return step_branch(r, s, i);
    case IR_SWITCH:
        return step_switch(r, s, i);
    case IR_RETURN:
        return call_return(
            r, s, i->n ? operand(r, s, ir_args(s->top->f, i)[0]) : TERM_NONE);
    default:
        return finish_trap(r, s, i->sub, i->text);
    }
}

bool step_in_place(struct sx_run *r, struct sx_state *s)
{
    const struct ir_inst *i = &s->top->f->insts.at[s->top->at];
    switch (ir_op_group((enum ir_op)i->op)) {
    case IR_G_VALUE:
        return step_value(r, s, i);
    case IR_G_MEM:
        return step_memory(r, s, i);
    case IR_G_CALL:
        return i->op == IR_UNSUPPORTED ? finish_unsupported(r, s, i->text)
                                       : call(r, s, i);
    case IR_G_ACTOR:
        return actor_operation(r, s, i);
    case IR_G_END:
        break;
    }
    return step_end(r, s, i);
}

bool step(struct sx_run *r, struct sx_state *s)
{
    r->x->counts.steps++;
    if (s->dead)
        return drop(r, s);
    if (s->there)
        return finish_reached(r, s);
    if (++s->steps > r->o.path_steps)
        return finish_spent(r, s);
    return r->making ? sum_record(r, s)
           : s->node ? sum_step(r, s)
                     : step_in_place(r, s);
}
