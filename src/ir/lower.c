// Functions, blocks, phis and terminators.
//
// Blocks are translated in reverse postorder, so that all operands but those
// of phis are there; blocks that cannot be reached are left out.  A check is
// left out where the same check was made in a block that dominates.
#include "ir/lower.h"

#include "base/die.h"
#include "ir/dominators.h"

#include <llvm-c/DebugInfo.h>
#include <stdlib.h>
#include <string.h>

struct ir_type read_type(struct reader *r, LLVMTypeRef t)
{
    uint64_t bytes;
    switch (LLVMGetTypeKind(t)) {
    case LLVMVoidTypeKind:
        return TYPE_VOID;
    case LLVMIntegerTypeKind:
        if (LLVMGetIntTypeWidth(t) > 128)
            return (struct ir_type){IR_NONE, 0};
        return (struct ir_type){IR_INT, (uint8_t)LLVMGetIntTypeWidth(t)};
    case LLVMFloatTypeKind:
        return (struct ir_type){IR_FLOAT, 32};
    case LLVMDoubleTypeKind:
        return (struct ir_type){IR_FLOAT, 64};
    case LLVMX86_FP80TypeKind:
        return (struct ir_type){IR_FLOAT, 80};
    case LLVMPointerTypeKind:
        return TYPE_PTR;
    case LLVMStructTypeKind:
    case LLVMArrayTypeKind:
    case LLVMVectorTypeKind:
        if (!LLVMTypeIsSized(t))
            return (struct ir_type){IR_NONE, 0};
        bytes = LLVMABISizeOfType(r->layout, t);
        if (bytes > 16)
            return (struct ir_type){IR_NONE, 0};
        return (struct ir_type){IR_BLOB, (uint8_t)(8 * bytes)};
    default:
        return (struct ir_type){IR_NONE, 0};
    }
}

// ---- emitting -----------------------------------------------------------

uint32_t lower_add(struct lowering *l, enum ir_op op, struct ir_type t,
                   uint32_t n, const ir_id *args)
{
    struct ir_inst i = l->place;
    i.op = (uint8_t)op;
    i.type = t;
    i.n = n;
    i.site = IR_NOTHING;
    i.args = l->f->args.n;
    for (uint32_t k = 0; k < n; k++)
        vec_push(&l->f->args, args[k]);
    vec_push(&l->f->insts, i);
    return l->f->insts.n - 1;
}

void lower_bind(struct lowering *l, LLVMValueRef v, ir_id id)
{
    ptr_map_put(&l->values, v, id);
    if (!l->r->hooks || ir_is_const(id))
        return;
    while (l->origin.n <= id)
        vec_push(&l->origin, NULL);
    if (!l->origin.at[id])
        l->origin.at[id] = v;
}

void lower_site(struct lowering *l, uint32_t inst, uint32_t *counter,
                uint32_t n)
{
    lower_inst(l, inst)->site = *counter;
    if (l->r->hooks)
        vec_push(&l->probes, ((struct probe){l->now, inst, *counter, false}));
    *counter += n;
}

static void lower_block_open(struct lowering *l)
{
    struct ir_block b = {.first = l->f->insts.n, .origin = l->here};
    vec_push(&l->f->blocks, b);
    l->closed = false;
}

static void lower_block_close(struct lowering *l, uint32_t n,
                              const uint32_t *succs)
{
    struct ir_block *b = &vec_last(&l->f->blocks);
    b->n = l->f->insts.n - b->first;
    b->succs = l->f->edges.n;
    b->n_succs = n;
    for (uint32_t i = 0; i < n; i++)
        vec_push(&l->f->edges, succs[i]);
    l->closed = true;
}

void lower_trap(struct lowering *l, enum ir_trap kind, const char *text)
{
    uint32_t t = lower_add(l, IR_TRAP, TYPE_VOID, 0, NULL);
    lower_inst(l, t)->sub = (uint8_t)kind;
    lower_inst(l, t)->text = text;
    lower_block_close(l, 0, NULL);
}

void lower_check(struct lowering *l, enum ir_trap kind, ir_id ok)
{
    lower_add(l, IR_BRANCH, TYPE_VOID, 1, &ok);
    uint32_t b = l->f->blocks.n - 1;
    uint32_t succs[2] = {b + 1, 0};
    lower_block_close(l, 2, succs);
    if (l->r->hooks)
        vec_push(&l->probes, ((struct probe){l->now, ok, l->ir->n_hits, true}));
    vec_push(&l->traps,
             ((struct pending_trap){b, (uint8_t)kind, l->ir->n_hits++, l->here,
                                    l->place}));
    lower_block_open(l);
}

static bool block_dominates(const struct lowering *l, uint32_t a, uint32_t b)
{
    while (b > a)
        b = l->idom.at[b];
    return a == b;
}

static bool checked_before(const struct lowering *l, ir_id v, uint8_t kind)
{
    for (uint32_t i = l->checked.n; i-- > 0;) {
        const struct checked *c = &l->checked.at[i];
        if (c->value == v && c->kind == kind &&
            block_dominates(l, c->block, l->here))
            return true;
    }
    return false;
}

// Never null: locals, globals, and what the runtime hands to a handler.
static bool surely_valid(const struct lowering *l, ir_id v)
{
    if (ir_is_const(v)) {
        const struct ir_const *c = ir_const_at(l->ir, v);
        return c->kind == IR_C_FUNCTION || c->kind == IR_C_GLOBAL;
    }
    const struct ir_inst *i = &l->f->insts.at[v];
    return i->op == IR_ALLOCA ||
           (i->op == IR_PARAM && l->f->is_handler && (v == 1 || v == 2));
}

static ir_id root_of(const struct lowering *l, ir_id p)
{
    while (!ir_is_const(p) && (l->f->insts.at[p].op == IR_FIELD ||
                               l->f->insts.at[p].op == IR_INDEX))
        p = l->f->args.at[l->f->insts.at[p].args];
    return p;
}

static bool needs_check(const struct lowering *l, ir_id root)
{
    return !l->r->options->no_checks && !surely_valid(l, root) &&
           !checked_before(l, root, IR_TRAP_NULL);
}

void lower_check_null(struct lowering *l, ir_id p)
{
    p = root_of(l, p);
    if (!needs_check(l, p))
        return;
    ir_id args[2] = {p, ir_const_int(l->ir, TYPE_PTR, 0)};
    lower_check(l, IR_TRAP_NULL, lower_add(l, IR_NE, TYPE_BOOL, 2, args));
    vec_push(&l->checked, ((struct checked){p, l->here, IR_TRAP_NULL}));
}

void lower_check_range(struct lowering *l, ir_id p, ir_id n)
{
    p = root_of(l, p);
    if (ir_is_const(n) && ir_const_at(l->ir, n)->lo) {
        lower_check_null(l, p);
        return;
    }
    if (ir_is_const(n) || !needs_check(l, p))
        return;
    struct ir_type t = ir_type_of(l->ir, l->f, n);
    ir_id a[2] = {p, ir_const_int(l->ir, TYPE_PTR, 0)};
    ir_id b[2] = {n, ir_const_int(l->ir, t, 0)};
    ir_id some = lower_add(l, IR_NE, TYPE_BOOL, 2, a);
    ir_id none = lower_add(l, IR_EQ, TYPE_BOOL, 2, b);
    lower_check(l, IR_TRAP_NULL,
                lower_add(l, IR_OR, TYPE_BOOL, 2, (ir_id[]){some, none}));
}

void lower_unsupported(struct lowering *l, LLVMValueRef v, const char *what)
{
    struct ir_type t = read_type(l->r, LLVMTypeOf(v));
    uint32_t i = lower_add(l, IR_UNSUPPORTED, t, 0, NULL);
    lower_inst(l, i)->text = arena_text(&l->ir->arena, what);
    lower_bind(l, v, i);
}

ir_id lower_value(struct lowering *l, LLVMValueRef v)
{
    uint32_t known = ptr_map_get(&l->values, v);
    if (known != IR_NOTHING)
        return known;
    if (LLVMIsConstant(v)) {
        ir_id c = read_const(l->r, v);
        if (c != IR_NOTHING)
            return c;
        if (LLVMIsAConstantExpr(v))
            return lower_operation(l, v, LLVMGetConstOpcode(v));
    }
    uint32_t u =
        lower_add(l, IR_UNSUPPORTED, read_type(l->r, LLVMTypeOf(v)), 0, NULL);
    lower_inst(l, u)->text = "a kind of constant";
    return u;
}

// ---- the order of blocks ------------------------------------------------

// Number LLVM's blocks in reverse postorder, and find which dominate which.
// Blocks that cannot be reached have no number.
static void order_blocks(struct lowering *l)
{
    struct dominators g = {.n = LLVMCountBasicBlocks(l->fn)};
    LLVMBasicBlockRef *all = need((g.n + 1) * sizeof *all);
    struct map place = {0};
    LLVMGetBasicBlocks(l->fn, all);
    for (uint32_t i = 0; i < g.n; i++)
        ptr_map_put(&place, all[i], i);
    for (uint32_t i = 0; i < g.n; i++) {
        LLVMValueRef t = LLVMGetBasicBlockTerminator(all[i]);
        unsigned n = t ? LLVMGetNumSuccessors(t) : 0;
        for (unsigned k = 0; k < n; k++)
            dominators_edge(&g, i, ptr_map_get(&place, LLVMGetSuccessor(t, k)));
    }
    dominators_find(&g, 0);
    for (uint32_t i = 0; i < g.reached; i++) {
        LLVMBasicBlockRef b = all[g.order[i]];
        vec_push(&l->rpo, b);
        ptr_map_put(&l->order, b, i);
        vec_push(&l->idom, g.number[g.idom[g.order[i]]]);
    }
    map_free(&place);
    dominators_free(&g);
    free(all);
}

// ---- terminators and phis -----------------------------------------------

// Phis of the successors may take constant expressions, which are computed at
// the end of this block.
static void hoist_phi_operands(struct lowering *l, LLVMBasicBlockRef b)
{
    LLVMValueRef t = LLVMGetBasicBlockTerminator(b);
    for (unsigned k = 0; k < LLVMGetNumSuccessors(t); k++) {
        LLVMBasicBlockRef s = LLVMGetSuccessor(t, k);
        for (LLVMValueRef p = LLVMGetFirstInstruction(s);
             p && LLVMIsAPHINode(p); p = LLVMGetNextInstruction(p))
            for (unsigned i = 0; i < LLVMCountIncoming(p); i++) {
                LLVMValueRef v = LLVMGetIncomingValue(p, i);
                if (LLVMGetIncomingBlock(p, i) != b || !LLVMIsConstant(v) ||
                    read_const(l->r, v) != IR_NOTHING)
                    continue;
                ir_id id = lower_value(l, v);
                vec_push(&l->hoisted, ((struct hoisted){v, b, id}));
            }
    }
}

static ir_id phi_operand(struct lowering *l, LLVMValueRef v,
                         LLVMBasicBlockRef from)
{
    for (uint32_t i = 0; i < l->hoisted.n; i++)
        if (l->hoisted.at[i].value == v && l->hoisted.at[i].from == from)
            return l->hoisted.at[i].id;
    return lower_value(l, v);
}

// Successors are LLVM's numbers until finish_edges.
static void lower_switch(struct lowering *l, LLVMValueRef t)
{
    unsigned n = LLVMGetNumSuccessors(t);
    VEC(ir_id) args = {0};
    VEC(uint32_t) to = {0};
    vec_push(&args, lower_value(l, LLVMGetOperand(t, 0)));
    for (unsigned i = 0; i < n; i++) {
        if (i)
            vec_push(&args, lower_value(l, LLVMGetOperand(t, 2 * i)));
        vec_push(&to, ptr_map_get(&l->order, LLVMGetSuccessor(t, i)));
    }
    uint32_t i = lower_add(l, IR_SWITCH, TYPE_VOID, args.n, args.at);
    lower_site(l, i, &l->ir->n_hits, n);
    lower_inst(l, i)->count = l->ir->n_compares;
    l->ir->n_compares += n - 1;
    vec_push(&l->switches, l->f->blocks.n - 1);
    lower_block_close(l, to.n, to.at);
    vec_free(&args);
    vec_free(&to);
}

static void lower_branch(struct lowering *l, LLVMValueRef t)
{
    unsigned n = LLVMGetNumSuccessors(t);
    uint32_t to[2];
    for (unsigned i = 0; i < n; i++)
        to[i] = ptr_map_get(&l->order, LLVMGetSuccessor(t, i));
    if (n == 1) {
        lower_add(l, IR_JUMP, TYPE_VOID, 0, NULL);
    } else {
        ir_id c = lower_value(l, LLVMGetCondition(t));
        uint32_t i = lower_add(l, IR_BRANCH, TYPE_VOID, 1, &c);
        lower_site(l, i, &l->ir->n_hits, 2);
    }
    vec_push(&l->switches, l->f->blocks.n - 1);
    lower_block_close(l, n, to);
}

static void lower_terminator(struct lowering *l, LLVMBasicBlockRef b,
                             LLVMValueRef t)
{
    ir_id v;
    hoist_phi_operands(l, b);
    switch (LLVMGetInstructionOpcode(t)) {
    case LLVMRet:
        if (LLVMGetNumOperands(t)) {
            v = lower_value(l, LLVMGetOperand(t, 0));
            lower_add(l, IR_RETURN, TYPE_VOID, 1, &v);
        } else {
            lower_add(l, IR_RETURN, TYPE_VOID, 0, NULL);
        }
        lower_block_close(l, 0, NULL);
        return;
    case LLVMBr:
        lower_branch(l, t);
        return;
    case LLVMSwitch:
        lower_switch(l, t);
        return;
    case LLVMIndirectBr:
        lower_unsupported(l, t, "computed goto");
        lower_trap(l, IR_TRAP_UNREACHABLE, "computed goto");
        return;
    case LLVMUnreachable:
        lower_trap(l, IR_TRAP_UNREACHABLE, NULL);
        return;
    default:
        lower_unsupported(l, t, "a kind of jump");
        lower_trap(l, IR_TRAP_UNREACHABLE, "a kind of jump");
        return;
    }
}

// ---- blocks -------------------------------------------------------------

static void set_place(struct lowering *l, LLVMValueRef v)
{
    LLVMMetadataRef loc = LLVMInstructionGetDebugLoc(v);
    l->now = v;
    if (!loc)
        return;
    unsigned column = LLVMDILocationGetColumn(loc);
    l->place.line = LLVMDILocationGetLine(loc);
    l->place.column = (uint16_t)(column > 65535 ? 65535 : column);
    l->place.file =
        read_file(l->r, LLVMDIScopeGetFile(LLVMDILocationGetScope(loc)));
}

static void lower_phi(struct lowering *l, LLVMValueRef v)
{
    uint32_t i = lower_add(l, IR_PHI, read_type(l->r, LLVMTypeOf(v)), 0, NULL);
    vec_push(&l->phis, ((struct pending_phi){i, v}));
    lower_bind(l, v, i);
}

static void lower_instruction(struct lowering *l, LLVMValueRef v)
{
    LLVMOpcode op = LLVMGetInstructionOpcode(v);
    set_place(l, v);
    if (op == LLVMPHI) {
        lower_phi(l, v);
        return;
    }
    ir_id id = op == LLVMCall ? lower_call(l, v) : lower_operation(l, v, op);
    if (id != IR_NOTHING)
        lower_bind(l, v, id);
}

// A struct passed by value is the callee's own copy.
static void copy_byval(struct lowering *l, uint32_t param)
{
    LLVMAttributeRef a =
        LLVMGetEnumAttributeAtIndex(l->fn, param + 1, l->r->byval);
    if (!a)
        return;
    uint64_t size =
        LLVMABISizeOfType(l->r->layout, LLVMGetTypeAttributeValue(a));
    uint32_t copy = lower_add(l, IR_ALLOCA, TYPE_PTR, 0, NULL);
    lower_inst(l, copy)->imm = (int64_t)size;
    lower_inst(l, copy)->sub = 4;
    ir_id args[3] = {copy, param, lower_int(l, 64, size)};
    lower_add(l, IR_COPY, TYPE_VOID, 3, args);
    lower_bind(l, LLVMGetParam(l->fn, param), copy);
}

static void lower_block(struct lowering *l, uint32_t at)
{
    LLVMBasicBlockRef b = l->rpo.at[at];
    l->here = at;
    lower_block_open(l);
    vec_push(&l->first, l->f->blocks.n - 1);
    for (uint32_t p = 0; at == 0 && p < l->f->n_params; p++)
        copy_byval(l, p);
    LLVMValueRef v = LLVMGetFirstInstruction(b);
    for (; v && !LLVMIsATerminatorInst(v) && !l->closed;
         v = LLVMGetNextInstruction(v))
        lower_instruction(l, v);
    if (v && !l->closed) {
        set_place(l, v);
        lower_terminator(l, b, v);
    }
    vec_push(&l->last, l->f->blocks.n - 1);
}

static void finish_traps(struct lowering *l)
{
    for (uint32_t i = 0; i < l->traps.n; i++) {
        struct pending_trap t = l->traps.at[i];
        l->place = t.at;
        l->here = t.origin;
        lower_block_open(l);
        l->f->edges.at[l->f->blocks.at[t.block].succs + 1] = l->f->blocks.n - 1;
        lower_trap(l, (enum ir_trap)t.kind, NULL);
        vec_last(&l->f->insts).site = t.hit;
    }
}

static void finish_edges(struct lowering *l)
{
    for (uint32_t i = 0; i < l->switches.n; i++) {
        struct ir_block *b = &l->f->blocks.at[l->switches.at[i]];
        for (uint32_t k = 0; k < b->n_succs; k++) {
            uint32_t *to = &l->f->edges.at[b->succs + k];
            *to = l->first.at[*to];
        }
    }
}

// One argument per predecessor; needs predecessors.
static void finish_phis(struct lowering *l)
{
    for (uint32_t i = 0; i < l->phis.n; i++) {
        struct pending_phi p = l->phis.at[i];
        const struct ir_block *b = &l->f->blocks.at[ir_block_of(l->f, p.inst)];
        l->f->insts.at[p.inst].args = l->f->args.n;
        l->f->insts.at[p.inst].n = b->n_preds;
        for (uint32_t k = 0; k < b->n_preds; k++) {
            uint32_t from = ir_preds(l->f, b)[k];
            ir_id v = IR_NOTHING;
            for (unsigned j = 0; j < LLVMCountIncoming(p.phi); j++) {
                LLVMBasicBlockRef in = LLVMGetIncomingBlock(p.phi, j);
                uint32_t o = ptr_map_get(&l->order, in);
                if (o != IR_NOTHING && l->last.at[o] == from)
                    v = phi_operand(l, LLVMGetIncomingValue(p.phi, j), in);
            }
            vec_push(&l->f->args, v);
        }
    }
}

static void lower_params(struct lowering *l)
{
    l->place = (struct ir_inst){.file = l->f->file, .line = l->f->line};
    for (uint32_t i = 0; i < l->f->n_params; i++) {
        LLVMValueRef p = LLVMGetParam(l->fn, i);
        uint32_t at =
            lower_add(l, IR_PARAM, read_type(l->r, LLVMTypeOf(p)), 0, NULL);
        lower_bind(l, p, at);
    }
}

static void lowering_free(struct lowering *l)
{
    map_free(&l->values);
    map_free(&l->order);
    vec_free(&l->rpo);
    vec_free(&l->idom);
    vec_free(&l->first);
    vec_free(&l->last);
    vec_free(&l->traps);
    vec_free(&l->phis);
    vec_free(&l->hoisted);
    vec_free(&l->checked);
    vec_free(&l->switches);
    vec_free(&l->probes);
    vec_free(&l->origin);
}

void read_fn(struct reader *r, LLVMValueRef fn, struct ir_fn *out)
{
    struct lowering l = {.r = r, .ir = r->ir, .f = out, .fn = fn};
    order_blocks(&l);
    out->first_hit = r->ir->n_hits;
    out->n_origins = l.rpo.n;
    r->ir->n_hits += l.rpo.n;
    lower_params(&l);
    for (uint32_t i = 0; i < l.rpo.n; i++)
        lower_block(&l, i);
    finish_traps(&l);
    finish_edges(&l);
    ir_cfg(out);
    finish_phis(&l);
    if (r->hooks)
        probe_fn(&l);
    lowering_free(&l);
}
