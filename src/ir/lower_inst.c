// Instructions that compute and those that touch memory.
#include "ir/lower.h"

#include <string.h>

static ir_id operand(struct lowering *l, LLVMValueRef v, unsigned i)
{
    return lower_value(l, LLVMGetOperand(v, i));
}

static struct ir_type type_of(struct lowering *l, LLVMValueRef v)
{
    return read_type(l->r, LLVMTypeOf(v));
}

// ---- arithmetic ---------------------------------------------------------

static uint8_t flags_of(LLVMValueRef v, LLVMOpcode op)
{
    uint8_t flags = 0;
    if (!LLVMIsAInstruction(v))
        return 0;
    if (op == LLVMAdd || op == LLVMSub || op == LLVMMul || op == LLVMShl) {
        flags |= LLVMGetNSW(v) ? IR_NSW : 0;
        flags |= LLVMGetNUW(v) ? IR_NUW : 0;
    }
    if (op == LLVMSDiv || op == LLVMUDiv || op == LLVMLShr || op == LLVMAShr)
        flags |= LLVMGetExact(v) ? IR_EXACT : 0;
    return flags;
}

static bool is_int(const struct lowering *l, ir_id v, uint64_t lo, uint64_t hi)
{
    if (!ir_is_const(v))
        return false;
    const struct ir_const *c = ir_const_at(l->ir, v);
    return c->kind == IR_C_INT && c->lo == lo && c->hi == hi;
}

static ir_id minus_one(struct lowering *l, struct ir_type t)
{
    struct ir_const c = {IR_C_INT, t, 0, UINT64_MAX, UINT64_MAX};
    if (t.bits < 128)
        c.hi = t.bits > 64 ? (UINT64_C(1) << (t.bits - 64)) - 1 : 0;
    if (t.bits < 64)
        c.lo = (UINT64_C(1) << t.bits) - 1;
    return ir_const_make(l->ir, c);
}

static ir_id smallest(struct lowering *l, struct ir_type t)
{
    struct ir_const c = {IR_C_INT, t, 0, 0, 0};
    if (t.bits > 64)
        c.hi = UINT64_C(1) << (t.bits - 65);
    else
        c.lo = UINT64_C(1) << (t.bits - 1);
    return ir_const_make(l->ir, c);
}

static ir_id lower_compare(struct lowering *l, enum ir_op op, ir_id a, ir_id b)
{
    uint32_t i = lower_add(l, op, TYPE_BOOL, 2, (ir_id[]){a, b});
    lower_site(l, i, &l->ir->n_compares, 1);
    return i;
}

static void check_division(struct lowering *l, ir_id a, ir_id b,
                           struct ir_type t, bool is_signed)
{
    bool constant = ir_is_const(b) && ir_const_at(l->ir, b)->kind == IR_C_INT;
    ir_id ones = minus_one(l, t), zero = lower_int(l, t.bits, 0);
    if (l->r->options->no_checks || t.kind != IR_INT)
        return;
    if (!constant || is_int(l, b, 0, 0))
        lower_check(l, IR_TRAP_DIVISION, lower_compare(l, IR_NE, b, zero));
    if (!is_signed || (constant && b != ones))
        return;
    ir_id x = lower_compare(l, IR_NE, b, ones);
    ir_id y = lower_compare(l, IR_NE, a, smallest(l, t));
    lower_check(l, IR_TRAP_DIVISION,
                lower_add(l, IR_OR, TYPE_BOOL, 2, (ir_id[]){x, y}));
}

static ir_id lower_binary(struct lowering *l, LLVMValueRef v, LLVMOpcode op,
                          enum ir_op ours)
{
    struct ir_type t = type_of(l, v);
    ir_id args[2] = {operand(l, v, 0), operand(l, v, 1)};
    if (t.kind == IR_BLOB) {
        lower_unsupported(l, v, "vector arithmetic");
        return IR_NOTHING;
    }
    if (op == LLVMSDiv || op == LLVMSRem || op == LLVMUDiv || op == LLVMURem)
        check_division(l, args[0], args[1], t,
                       op == LLVMSDiv || op == LLVMSRem);
    uint32_t i = lower_add(l, ours, t, 2, args);
    lower_inst(l, i)->flags = flags_of(v, op);
    return i;
}

static ir_id lower_icmp(struct lowering *l, LLVMValueRef v)
{
    static const struct {
        LLVMIntPredicate predicate;
        enum ir_op op;
        bool swap;
    } table[] = {
        {LLVMIntEQ, IR_EQ, false},   {LLVMIntNE, IR_NE, false},
        {LLVMIntULT, IR_ULT, false}, {LLVMIntULE, IR_ULE, false},
        {LLVMIntSLT, IR_SLT, false}, {LLVMIntSLE, IR_SLE, false},
        {LLVMIntUGT, IR_ULT, true},  {LLVMIntUGE, IR_ULE, true},
        {LLVMIntSGT, IR_SLT, true},  {LLVMIntSGE, IR_SLE, true},
    };
    LLVMIntPredicate p = LLVMGetICmpPredicate(v);
    ir_id a = operand(l, v, 0), b = operand(l, v, 1);
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (table[i].predicate == p)
            return lower_compare(l, table[i].op, table[i].swap ? b : a,
                                 table[i].swap ? a : b);
    return lower_int(l, 1, 0);
}

// LLVM's predicates are our mask: false 0, oeq 1, ogt 2, ... true 15.
static ir_id lower_fcmp(struct lowering *l, LLVMValueRef v)
{
    ir_id args[2] = {operand(l, v, 0), operand(l, v, 1)};
    uint32_t i = lower_add(l, IR_FCMP, TYPE_BOOL, 2, args);
    lower_inst(l, i)->sub = (uint8_t)LLVMGetFCmpPredicate(v);
    lower_site(l, i, &l->ir->n_compares, 1);
    return i;
}

static ir_id lower_unary(struct lowering *l, LLVMValueRef v, enum ir_op ours)
{
    struct ir_type t = type_of(l, v);
    ir_id a = operand(l, v, 0);
    if (t.kind == IR_BLOB && ours != IR_BITS) {
        lower_unsupported(l, v, "vector arithmetic");
        return IR_NOTHING;
    }
    return lower_add(l, ours, t, 1, &a);
}

// ---- addresses ----------------------------------------------------------

static ir_id lower_field(struct lowering *l, ir_id p, int64_t offset)
{
    if (!offset)
        return p;
    if (ir_is_const(p) && ir_const_at(l->ir, p)->kind == IR_C_GLOBAL) {
        struct ir_const c = *ir_const_at(l->ir, p);
        c.lo += (uint64_t)offset;
        return ir_const_make(l->ir, c);
    }
    uint32_t i = lower_add(l, IR_FIELD, TYPE_PTR, 1, &p);
    lower_inst(l, i)->imm = offset;
    return i;
}

static ir_id widen(struct lowering *l, ir_id v)
{
    struct ir_type t = ir_type_of(l->ir, l->f, v);
    if (t.bits == 64)
        return v;
    return lower_add(l, t.bits < 64 ? IR_SEXT : IR_TRUNC, TYPE_I64, 1, &v);
}

// Is the address followed, not merely computed?  Then it must be inside.
static bool only_followed(LLVMValueRef gep)
{
    for (LLVMUseRef u = LLVMGetFirstUse(gep); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        bool load = LLVMIsALoadInst(user);
        bool store = LLVMIsAStoreInst(user) && LLVMGetOperand(user, 1) == gep;
        if (!load && !store)
            return false;
    }
    return true;
}

static void check_bounds(struct lowering *l, ir_id index, uint64_t count,
                         bool strict)
{
    if (l->r->options->no_checks || count <= 1)
        return;
    enum ir_op op = strict ? IR_ULT : IR_ULE;
    lower_check(l, IR_TRAP_BOUNDS,
                lower_compare(l, op, index, lower_int(l, 64, count)));
}

static ir_id lower_step(struct lowering *l, ir_id p, LLVMValueRef index,
                        uint64_t size, uint64_t count, bool strict)
{
    ir_id i = widen(l, lower_value(l, index));
    if (count)
        check_bounds(l, i, count, strict);
    uint32_t at = lower_add(l, IR_INDEX, TYPE_PTR, 2, (ir_id[]){p, i});
    lower_inst(l, at)->imm = (int64_t)size;
    lower_inst(l, at)->count = count > UINT32_MAX ? 0 : (uint32_t)count;
    return at;
}

static ir_id lower_gep(struct lowering *l, LLVMValueRef v)
{
    LLVMTypeRef t = LLVMGetGEPSourceElementType(v);
    LLVMTargetDataRef layout = l->r->layout;
    ir_id p = operand(l, v, 0);
    int64_t offset = 0;
    bool strict = only_followed(v);
    unsigned n = (unsigned)LLVMGetNumOperands(v);
    for (unsigned i = 1; i < n; i++) {
        LLVMValueRef index = LLVMGetOperand(v, i);
        uint64_t count = 0;
        if (i > 1 && LLVMGetTypeKind(t) == LLVMStructTypeKind) {
            unsigned k = (unsigned)LLVMConstIntGetZExtValue(index);
            offset += (int64_t)LLVMOffsetOfElement(layout, t, k);
            t = LLVMStructGetTypeAtIndex(t, k);
            continue;
        }
        if (i > 1) {
            count = LLVMGetTypeKind(t) == LLVMArrayTypeKind
                        ? LLVMGetArrayLength2(t)
                        : LLVMGetVectorSize(t);
            t = LLVMGetElementType(t);
        }
        uint64_t size = LLVMABISizeOfType(layout, t);
        if (LLVMIsAConstantInt(index)) {
            offset += LLVMConstIntGetSExtValue(index) * (int64_t)size;
            continue;
        }
        p = lower_field(l, p, offset);
        offset = 0;
        p = lower_step(l, p, index, size, count, strict && i + 1 == n);
    }
    return lower_field(l, p, offset);
}

// ---- memory -------------------------------------------------------------

static uint8_t log2_of(unsigned x)
{
    uint8_t n = 0;
    while (x > 1)
        x /= 2, n++;
    return n;
}

static ir_id lower_alloca(struct lowering *l, LLVMValueRef v)
{
    uint64_t size = LLVMABISizeOfType(l->r->layout, LLVMGetAllocatedType(v));
    LLVMValueRef n = LLVMGetOperand(v, 0);
    ir_id count = IR_NOTHING;
    if (LLVMIsAConstantInt(n))
        size *= LLVMConstIntGetZExtValue(n);
    else
        count = widen(l, lower_value(l, n));
    uint32_t i = lower_add(l, IR_ALLOCA, TYPE_PTR, count != IR_NOTHING, &count);
    lower_inst(l, i)->imm = (int64_t)size;
    lower_inst(l, i)->sub = log2_of(LLVMGetAlignment(v));
    return i;
}

static uint32_t add_load(struct lowering *l, ir_id p, struct ir_type t)
{
    lower_check_null(l, p);
    return lower_add(l, IR_LOAD, t, 1, &p);
}

static void add_store(struct lowering *l, ir_id v, ir_id p, struct ir_type t)
{
    lower_check_null(l, p);
    lower_add(l, IR_STORE, t, 2, (ir_id[]){v, p});
}

static ir_id lower_load(struct lowering *l, LLVMValueRef v)
{
    struct ir_type t = type_of(l, v);
    if (t.kind == IR_NONE) {
        lower_unsupported(l, v, "a value of more than 16 bytes");
        return IR_NOTHING;
    }
    ir_id p = operand(l, v, 0);
    uint32_t i = add_load(l, p, t);
    lower_inst(l, i)->flags = LLVMGetVolatile(v) ? IR_VOLATILE : 0;
    return i;
}

static void lower_store(struct lowering *l, LLVMValueRef v)
{
    struct ir_type t = type_of(l, LLVMGetOperand(v, 0));
    if (t.kind == IR_NONE) {
        lower_unsupported(l, v, "a value of more than 16 bytes");
        return;
    }
    ir_id value = operand(l, v, 0), p = operand(l, v, 1);
    add_store(l, value, p, t);
}

// Handlers run alone: atomics are plain accesses.
static ir_id lower_atomic(struct lowering *l, LLVMValueRef v)
{
    static const struct {
        LLVMAtomicRMWBinOp theirs;
        enum ir_op ours;
    } table[] = {{LLVMAtomicRMWBinOpAdd, IR_ADD},
                 {LLVMAtomicRMWBinOpSub, IR_SUB},
                 {LLVMAtomicRMWBinOpAnd, IR_AND},
                 {LLVMAtomicRMWBinOpOr, IR_OR},
                 {LLVMAtomicRMWBinOpXor, IR_XOR}};
    struct ir_type t = type_of(l, v);
    ir_id p = operand(l, v, 0), x = operand(l, v, 1);
    uint32_t old = add_load(l, p, t);
    ir_id next = x;
    bool known = LLVMGetAtomicRMWBinOp(v) == LLVMAtomicRMWBinOpXchg;
    for (size_t i = 0; i < sizeof table / sizeof *table && !known; i++)
        if (table[i].theirs == LLVMGetAtomicRMWBinOp(v)) {
            next = lower_add(l, table[i].ours, t, 2, (ir_id[]){old, x});
            known = true;
        }
    if (!known) {
        lower_unsupported(l, v, "an atomic operation");
        return IR_NOTHING;
    }
    add_store(l, next, p, t);
    return old;
}

static ir_id lower_cmpxchg(struct lowering *l, LLVMValueRef v)
{
    LLVMTypeRef pair = LLVMTypeOf(v);
    struct ir_type t = type_of(l, LLVMGetOperand(v, 1));
    struct ir_type blob = read_type(l->r, pair);
    if (blob.kind != IR_BLOB) {
        lower_unsupported(l, v, "an atomic operation");
        return IR_NOTHING;
    }
    ir_id p = operand(l, v, 0);
    ir_id expected = operand(l, v, 1), wanted = operand(l, v, 2);
    ir_id old = add_load(l, p, t);
    ir_id same = lower_add(l, IR_EQ, TYPE_BOOL, 2, (ir_id[]){old, expected});
    ir_id next = lower_add(l, IR_SELECT, t, 3, (ir_id[]){same, wanted, old});
    add_store(l, next, p, t);
    ir_id none =
        ir_const_make(l->ir, (struct ir_const){IR_C_UNDEF, blob, 0, 0, 0});
    ir_id both = lower_add(l, IR_INSERT, blob, 2, (ir_id[]){none, old});
    both = lower_add(l, IR_INSERT, blob, 2, (ir_id[]){both, same});
    lower_inst(l, both)->imm =
        (int64_t)LLVMOffsetOfElement(l->r->layout, pair, 1);
    return both;
}

// ---- parts of small structs ---------------------------------------------

static bool part_offset(struct lowering *l, LLVMValueRef v, LLVMTypeRef t,
                        int64_t *offset)
{
    const unsigned *index = LLVMGetIndices(v);
    *offset = 0;
    for (unsigned i = 0; i < LLVMGetNumIndices(v); i++) {
        if (LLVMGetTypeKind(t) == LLVMStructTypeKind) {
            *offset += (int64_t)LLVMOffsetOfElement(l->r->layout, t, index[i]);
            t = LLVMStructGetTypeAtIndex(t, index[i]);
        } else {
            t = LLVMGetElementType(t);
            *offset += (int64_t)(index[i] * LLVMABISizeOfType(l->r->layout, t));
        }
    }
    return true;
}

static ir_id lower_part(struct lowering *l, LLVMValueRef v, bool insert)
{
    LLVMTypeRef whole = LLVMTypeOf(LLVMGetOperand(v, 0));
    int64_t offset;
    if (read_type(l->r, whole).kind != IR_BLOB ||
        !part_offset(l, v, whole, &offset)) {
        lower_unsupported(l, v, "a value of more than 16 bytes");
        return IR_NOTHING;
    }
    ir_id args[2] = {operand(l, v, 0), insert ? operand(l, v, 1) : 0};
    uint32_t i = lower_add(l, insert ? IR_INSERT : IR_EXTRACT, type_of(l, v),
                           insert ? 2 : 1, args);
    lower_inst(l, i)->imm = offset;
    return i;
}

static ir_id lower_element(struct lowering *l, LLVMValueRef v, bool insert)
{
    LLVMTypeRef whole = LLVMTypeOf(LLVMGetOperand(v, 0));
    LLVMValueRef k = LLVMGetOperand(v, insert ? 2 : 1);
    if (read_type(l->r, whole).kind != IR_BLOB || !LLVMIsAConstantInt(k)) {
        lower_unsupported(l, v, "vector arithmetic");
        return IR_NOTHING;
    }
    ir_id args[2] = {operand(l, v, 0), insert ? operand(l, v, 1) : 0};
    uint32_t i = lower_add(l, insert ? IR_INSERT : IR_EXTRACT, type_of(l, v),
                           insert ? 2 : 1, args);
    lower_inst(l, i)->imm =
        (int64_t)(LLVMConstIntGetZExtValue(k) *
                  LLVMABISizeOfType(l->r->layout, LLVMGetElementType(whole)));
    return i;
}

static ir_id lower_select(struct lowering *l, LLVMValueRef v)
{
    ir_id args[3] = {operand(l, v, 0), operand(l, v, 1), operand(l, v, 2)};
    uint32_t i = lower_add(l, IR_SELECT, type_of(l, v), 3, args);
    lower_site(l, i, &l->ir->n_hits, 2);
    return i;
}

ir_id lower_operation(struct lowering *l, LLVMValueRef v, LLVMOpcode op)
{
    static const struct {
        LLVMOpcode theirs;
        enum ir_op ours;
        unsigned arity;
    } plain[] = {
        {LLVMAdd, IR_ADD, 2},           {LLVMSub, IR_SUB, 2},
        {LLVMMul, IR_MUL, 2},           {LLVMUDiv, IR_UDIV, 2},
        {LLVMSDiv, IR_SDIV, 2},         {LLVMURem, IR_UREM, 2},
        {LLVMSRem, IR_SREM, 2},         {LLVMShl, IR_SHL, 2},
        {LLVMLShr, IR_LSHR, 2},         {LLVMAShr, IR_ASHR, 2},
        {LLVMAnd, IR_AND, 2},           {LLVMOr, IR_OR, 2},
        {LLVMXor, IR_XOR, 2},           {LLVMFAdd, IR_FADD, 2},
        {LLVMFSub, IR_FSUB, 2},         {LLVMFMul, IR_FMUL, 2},
        {LLVMFDiv, IR_FDIV, 2},         {LLVMFRem, IR_FREM, 2},
        {LLVMFNeg, IR_FNEG, 1},         {LLVMTrunc, IR_TRUNC, 1},
        {LLVMZExt, IR_ZEXT, 1},         {LLVMSExt, IR_SEXT, 1},
        {LLVMFPToUI, IR_FPTOUI, 1},     {LLVMFPToSI, IR_FPTOSI, 1},
        {LLVMUIToFP, IR_UITOFP, 1},     {LLVMSIToFP, IR_SITOFP, 1},
        {LLVMFPTrunc, IR_FPCONV, 1},    {LLVMFPExt, IR_FPCONV, 1},
        {LLVMBitCast, IR_BITS, 1},      {LLVMPtrToInt, IR_PTRTOINT, 1},
        {LLVMIntToPtr, IR_INTTOPTR, 1},
    };
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
        if (plain[i].theirs == op)
            return plain[i].arity == 1 ? lower_unary(l, v, plain[i].ours)
                                       : lower_binary(l, v, op, plain[i].ours);
    switch (op) {
    case LLVMICmp:
        return lower_icmp(l, v);
    case LLVMFCmp:
        return lower_fcmp(l, v);
    case LLVMGetElementPtr:
        return lower_gep(l, v);
    case LLVMAlloca:
        return lower_alloca(l, v);
    case LLVMLoad:
        return lower_load(l, v);
    case LLVMStore:
        lower_store(l, v);
        return IR_NOTHING;
    case LLVMAtomicRMW:
        return lower_atomic(l, v);
    case LLVMAtomicCmpXchg:
        return lower_cmpxchg(l, v);
    case LLVMFence:
        return IR_NOTHING;
    case LLVMSelect:
        return lower_select(l, v);
    case LLVMFreeze:
        return operand(l, v, 0);
    case LLVMExtractValue:
    case LLVMInsertValue:
        return lower_part(l, v, op == LLVMInsertValue);
    case LLVMExtractElement:
    case LLVMInsertElement:
        return lower_element(l, v, op == LLVMInsertElement);
    default:
        lower_unsupported(l, v, "an instruction without a meaning here");
        return ptr_map_get(&l->values, v);
    }
}
