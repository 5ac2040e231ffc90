// Marks, checks and traces in LLVM's instructions.
//
// Works on a function that has just been translated.  Conditions of checks
// exist only in our IR; they are built again from it.
#include "ir/probes.h"

#include "ir/lower.h"

#include <string.h>

// ---- hooks ----------------------------------------------------------------

static LLVMValueRef declare(struct hooks *h, LLVMModuleRef m, const char *name,
                            unsigned n, LLVMTypeRef *params)
{
    return LLVMAddFunction(m, name,
                           LLVMFunctionType(h->none, params, n, false));
}

static void make_inline(struct reader *r, LLVMValueRef f)
{
    const char *name = "alwaysinline";
    unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
    LLVMAddAttributeAtIndex(f, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                            LLVMCreateEnumAttribute(r->context, kind, 0));
    LLVMSetLinkage(f, LLVMInternalLinkage);
}

// tr_check_(ok, hit): if (!ok) tr_trapped_(hit);
static void define_check(struct hooks *h, struct reader *r)
{
    LLVMValueRef trapped =
        declare(h, r->module, "tr_trapped_", 1, (LLVMTypeRef[]){h->i32});
    h->check =
        declare(h, r->module, "tr_check_", 2, (LLVMTypeRef[]){h->i1, h->i32});
    make_inline(r, h->check);
    LLVMBasicBlockRef entry =
        LLVMAppendBasicBlockInContext(r->context, h->check, "entry");
    LLVMBasicBlockRef bad =
        LLVMAppendBasicBlockInContext(r->context, h->check, "bad");
    LLVMBasicBlockRef good =
        LLVMAppendBasicBlockInContext(r->context, h->check, "good");
    LLVMValueRef hit = LLVMGetParam(h->check, 1);
    LLVMPositionBuilderAtEnd(h->build, entry);
    LLVMBuildCondBr(h->build, LLVMGetParam(h->check, 0), good, bad);
    LLVMPositionBuilderAtEnd(h->build, bad);
    LLVMBuildCall2(h->build, LLVMGlobalGetValueType(trapped), trapped, &hit, 1,
                   "");
    LLVMBuildBr(h->build, good);
    LLVMPositionBuilderAtEnd(h->build, good);
    LLVMBuildRetVoid(h->build);
}

static void declare_traces(struct hooks *h, LLVMModuleRef m)
{
    h->compare =
        declare(h, m, "tr_compare_", 5,
                (LLVMTypeRef[]){h->i32, h->i32, h->i32, h->i64, h->i64});
    h->floats = declare(h, m, "tr_compare_float_", 4,
                        (LLVMTypeRef[]){h->i32, h->i32, h->f64, h->f64});
    h->texts = declare(h, m, "tr_compare_text_", 5,
                       (LLVMTypeRef[]){h->i32, h->i32, h->ptr, h->ptr, h->i64});
    h->cases = declare(h, m, "tr_cases_", 5,
                       (LLVMTypeRef[]){h->i32, h->i32, h->i64, h->ptr, h->i32});
}

void hooks_init(struct hooks *h, struct reader *r, enum ir_watch watch)
{
    LLVMContextRef c = r->context;
    *h = (struct hooks){.watch = watch, .build = LLVMCreateBuilderInContext(c)};
    h->i1 = LLVMInt1TypeInContext(c);
    h->i8 = LLVMInt8TypeInContext(c);
    h->i32 = LLVMInt32TypeInContext(c);
    h->i64 = LLVMInt64TypeInContext(c);
    h->f64 = LLVMDoubleTypeInContext(c);
    h->ptr = LLVMPointerTypeInContext(c, 0);
    h->none = LLVMVoidTypeInContext(c);
    h->hits = LLVMAddGlobal(r->module, h->ptr, "tr_hits_");
    define_check(h, r);
    if (watch == IR_TRACE)
        declare_traces(h, r->module);
}

void hooks_release(struct hooks *h)
{
    LLVMDisposeBuilder(h->build);
}

static void call(struct hooks *h, LLVMValueRef f, LLVMValueRef *args,
                 unsigned n)
{
    LLVMBuildCall2(h->build, LLVMGlobalGetValueType(f), f, args, n, "");
}

static LLVMValueRef number(struct hooks *h, uint64_t x)
{
    return LLVMConstInt(h->i32, x, false);
}

// ---- marks ----------------------------------------------------------------

static LLVMValueRef cell_of(struct hooks *h, LLVMTypeRef cell, LLVMValueRef hit)
{
    LLVMValueRef map = LLVMBuildLoad2(h->build, h->ptr, h->hits, "");
    hit = LLVMBuildZExt(h->build, hit, h->i64, "");
    return LLVMBuildGEP2(h->build, cell, map, &hit, 1, "");
}

static LLVMValueRef at_once(LLVMValueRef access)
{
    LLVMSetAlignment(access, 4);
    LLVMSetOrdering(access, LLVMAtomicOrderingMonotonic);
    return access;
}

static void mark(struct hooks *h, LLVMValueRef hit)
{
    if (h->watch == IR_TRACE) {
        LLVMBuildStore(h->build, LLVMConstInt(h->i8, 1, false),
                       cell_of(h, h->i8, hit));
        return;
    }
    LLVMValueRef p = cell_of(h, h->i32, hit);
    LLVMValueRef n = at_once(LLVMBuildLoad2(h->build, h->i32, p, ""));
    n = LLVMBuildAdd(h->build, n, number(h, 1), "");
    at_once(LLVMBuildStore(h->build, n, p));
}

static void mark_origins(struct lowering *l, struct hooks *h)
{
    for (uint32_t i = 0; i < l->rpo.n; i++) {
        LLVMValueRef v = LLVMGetFirstInstruction(l->rpo.at[i]);
        while (LLVMIsAPHINode(v))
            v = LLVMGetNextInstruction(v);
        LLVMPositionBuilderBefore(h->build, v);
        mark(h, number(h, l->f->first_hit + i));
    }
}

// Value k of a select, successor k of a branch: 0 where the condition holds.
static void mark_side(struct hooks *h, LLVMValueRef condition, uint32_t site)
{
    if (LLVMTypeOf(condition) != h->i1)
        return; // a vector of conditions
    mark(h, LLVMBuildSelect(h->build, condition, number(h, site),
                            number(h, site + 1), ""));
}

static void mark_switch(struct hooks *h, LLVMValueRef t, uint32_t site)
{
    LLVMValueRef v = LLVMGetOperand(t, 0), hit = number(h, site);
    for (unsigned i = 1; i < LLVMGetNumSuccessors(t); i++) {
        LLVMValueRef is =
            LLVMBuildICmp(h->build, LLVMIntEQ, v, LLVMGetOperand(t, 2 * i), "");
        hit = LLVMBuildSelect(h->build, is, number(h, site + i), hit, "");
    }
    mark(h, hit);
}

// ---- our values as LLVM's -------------------------------------------------

static LLVMValueRef build_const(struct lowering *l, struct hooks *h,
                                const struct ir_const *c)
{
    LLVMContextRef context = l->r->context;
    double f64;
    float f32;
    if (c->kind == IR_C_INT && c->type.kind == IR_PTR)
        return c->lo ? NULL : LLVMConstNull(h->ptr);
    if (c->kind == IR_C_INT)
        return LLVMConstIntOfArbitraryPrecision(
            LLVMIntTypeInContext(context, c->type.bits),
            c->type.bits > 64 ? 2 : 1, (uint64_t[]){c->lo, c->hi});
    if (c->kind != IR_C_FLOAT)
        return NULL;
    memcpy(&f64, &c->lo, sizeof f64);
    memcpy(&f32, &c->lo, sizeof f32);
    return c->type.bits == 64 ? LLVMConstReal(h->f64, f64)
           : c->type.bits == 32
               ? LLVMConstReal(LLVMFloatTypeInContext(context), (double)f32)
               : NULL;
}

static LLVMValueRef build_value(struct lowering *l, struct hooks *h, ir_id v);

static LLVMValueRef build_unary(struct lowering *l, struct hooks *h,
                                const struct ir_inst *i, LLVMValueRef a)
{
    LLVMTypeRef t = LLVMIntTypeInContext(l->r->context, i->type.bits);
    switch ((enum ir_op)i->op) {
    case IR_SEXT:
        return LLVMBuildSExt(h->build, a, t, "");
    case IR_ZEXT:
        return LLVMBuildZExt(h->build, a, t, "");
    case IR_TRUNC:
        return LLVMBuildTrunc(h->build, a, t, "");
    default:
        return NULL;
    }
}

static LLVMValueRef build_binary(struct hooks *h, const struct ir_inst *i,
                                 LLVMValueRef a, LLVMValueRef b)
{
    switch ((enum ir_op)i->op) {
    case IR_OR:
        return LLVMBuildOr(h->build, a, b, "");
    case IR_EQ:
        return LLVMBuildICmp(h->build, LLVMIntEQ, a, b, "");
    case IR_NE:
        return LLVMBuildICmp(h->build, LLVMIntNE, a, b, "");
    case IR_ULT:
        return LLVMBuildICmp(h->build, LLVMIntULT, a, b, "");
    case IR_ULE:
        return LLVMBuildICmp(h->build, LLVMIntULE, a, b, "");
    default:
        return NULL;
    }
}

// NULL if it cannot be had at this place.
static LLVMValueRef build_value(struct lowering *l, struct hooks *h, ir_id v)
{
    if (ir_is_const(v))
        return build_const(l, h, ir_const_at(l->ir, v));
    if (v < l->origin.n && l->origin.at[v])
        return l->origin.at[v];
    const struct ir_inst *i = lower_inst(l, v);
    if (ir_op_group((enum ir_op)i->op) != IR_G_VALUE || i->n < 1 || i->n > 2)
        return NULL;
    LLVMValueRef a = build_value(l, h, ir_args(l->f, i)[0]);
    LLVMValueRef b = i->n == 2 ? build_value(l, h, ir_args(l->f, i)[1]) : NULL;
    if (i->n == 1)
        return a ? build_unary(l, h, i, a) : NULL;
    return a && b ? build_binary(h, i, a, b) : NULL;
}

// ---- traces ---------------------------------------------------------------

static void trace_compare(struct lowering *l, struct hooks *h,
                          const struct ir_inst *i, uint32_t site)
{
    struct ir_type t = ir_type_of(l->ir, l->f, ir_args(l->f, i)[0]);
    LLVMValueRef a = build_value(l, h, ir_args(l->f, i)[0]);
    LLVMValueRef b = build_value(l, h, ir_args(l->f, i)[1]);
    if (!a || !b || t.bits > 64)
        return;
    if (i->op == IR_FCMP) {
        a = LLVMBuildFPCast(h->build, a, h->f64, "");
        b = LLVMBuildFPCast(h->build, b, h->f64, "");
        call(h, h->floats,
             (LLVMValueRef[]){number(h, site), number(h, i->sub), a, b}, 4);
    } else if (t.kind == IR_INT) {
        a = LLVMBuildZExt(h->build, a, h->i64, "");
        b = LLVMBuildZExt(h->build, b, h->i64, "");
        call(h, h->compare,
             (LLVMValueRef[]){number(h, site), number(h, i->op),
                              number(h, t.bits), a, b},
             5);
    }
}

static LLVMValueRef case_table(struct lowering *l, struct hooks *h,
                               LLVMValueRef t, unsigned n)
{
    VEC(LLVMValueRef) values = {0};
    for (unsigned i = 1; i <= n; i++)
        vec_push(&values,
                 LLVMConstInt(
                     h->i64, LLVMConstIntGetZExtValue(LLVMGetOperand(t, 2 * i)),
                     false));
    LLVMValueRef table = LLVMConstArray2(h->i64, values.at, n);
    LLVMValueRef g =
        LLVMAddGlobal(l->r->module, LLVMTypeOf(table), "tr_case_table_");
    LLVMSetInitializer(g, table);
    LLVMSetLinkage(g, LLVMInternalLinkage);
    LLVMSetGlobalConstant(g, true);
    vec_free(&values);
    return g;
}

static void trace_switch(struct lowering *l, struct hooks *h, LLVMValueRef t,
                         const struct ir_inst *i)
{
    LLVMValueRef v = LLVMGetOperand(t, 0);
    unsigned bits = LLVMGetIntTypeWidth(LLVMTypeOf(v));
    unsigned n = LLVMGetNumSuccessors(t) - 1;
    if (bits > 64 || !n)
        return;
    call(h, h->cases,
         (LLVMValueRef[]){number(h, i->count), number(h, bits),
                          LLVMBuildZExt(h->build, v, h->i64, ""),
                          case_table(l, h, t, n), number(h, n)},
         5);
}

// strcmp, strncmp, memcmp...: how many of the bytes count is told by the third
// argument, if there is one.
static void trace_text(struct hooks *h, LLVMValueRef c, uint32_t site,
                       const struct ir_inst *i)
{
    LLVMValueRef n = LLVMGetNumArgOperands(c) > 2
                         ? LLVMGetOperand(c, 2)
                         : LLVMConstInt(h->i64, UINT64_MAX, true);
    if (LLVMTypeOf(n) != h->i64 || LLVMTypeOf(LLVMGetOperand(c, 0)) != h->ptr ||
        LLVMTypeOf(LLVMGetOperand(c, 1)) != h->ptr)
        return;
    call(h, h->texts,
         (LLVMValueRef[]){number(h, site), number(h, i->sub),
                          LLVMGetOperand(c, 0), LLVMGetOperand(c, 1), n},
         5);
}

// ---- all of a function ----------------------------------------------------

static void probe_check(struct lowering *l, struct hooks *h,
                        const struct probe *p)
{
    LLVMValueRef ok = build_value(l, h, p->inst);
    if (ok)
        call(h, h->check, (LLVMValueRef[]){ok, number(h, p->site)}, 2);
}

static void probe_one(struct lowering *l, struct hooks *h,
                      const struct probe *p)
{
    const struct ir_inst *i = lower_inst(l, p->inst);
    switch ((enum ir_op)i->op) {
    case IR_BRANCH:
        mark_side(h, LLVMGetCondition(p->at), p->site);
        return;
    case IR_SELECT:
        mark_side(h, LLVMGetOperand(p->at, 0), p->site);
        return;
    case IR_SWITCH:
        mark_switch(h, p->at, p->site);
        if (h->watch == IR_TRACE)
            trace_switch(l, h, p->at, i);
        return;
    case IR_CALL:
        if (h->watch == IR_TRACE)
            trace_text(h, p->at, p->site, i);
        return;
    default:
        if (h->watch == IR_TRACE)
            trace_compare(l, h, i, p->site);
    }
}

void probe_fn(struct lowering *l)
{
    struct hooks *h = l->r->hooks;
    for (uint32_t k = 0; k < l->probes.n; k++) {
        struct probe p = l->probes.at[k];
        if (LLVMIsAPHINode(p.at))
            continue;
        LLVMPositionBuilderBefore(h->build, p.at);
        if (p.check)
            probe_check(l, h, &p);
        else
            probe_one(l, h, &p);
    }
    mark_origins(l, h);
}
