// Calls: the library's primitives, what ends a run, LLVM's intrinsics, and
// all others.
#include "ir/lower.h"

#include <stdlib.h>
#include <string.h>

#define ARGS_MAX 64

static struct ir_type type_of(struct lowering *l, LLVMValueRef v)
{
    return read_type(l->r, LLVMTypeOf(v));
}

static ir_id arg(struct lowering *l, LLVMValueRef call, unsigned i)
{
    return lower_value(l, LLVMGetOperand(call, i));
}

static bool starts(const char *s, const char *with)
{
    return strncmp(s, with, strlen(with)) == 0;
}

// ---- the library --------------------------------------------------------

static const struct primitive {
    const char *name;
    enum ir_op op;
} primitives[] = {
    {"tr_spawn_", IR_SPAWN},
    {"tr_send_", IR_SEND},
    {"tr_try_send_", IR_TRY_SEND},
    {"tr_ask_", IR_ASK},
    {"tr_reply_", IR_REPLY},
    {"tr_await_", IR_AWAIT},
    {"tr_get_", IR_GET},
    {"tr_pause_", IR_PAUSE},
    {"tr_after_", IR_AFTER},
    {"tr_cancel_", IR_CANCEL},
    {"tr_now_", IR_NOW},
    {"tr_become_", IR_BECOME},
    {"tr_stop_", IR_STOP},
    {"tr_watch_", IR_WATCH},
    {"tr_self_", IR_SELF},
    {"tr_sender_", IR_SENDER},
    {"tr_expose_", IR_EXPOSE},
    {"tr_receptionist_", IR_RECEPTIONIST},
    {"tr_choose_", IR_CHOOSE},
    {"tr_param_", IR_GETPARAM},
    {"tr_drain_", IR_DRAIN},
    {"tr_deliver_one_", IR_DELIVER_ONE},
    {"tr_peek_", IR_PEEK},
    {"tr_each_", IR_EACH},
    {"tr_flying_", IR_FLYING},
    {"tr_every_", IR_AFTER},
    {"tr_log", IR_LOG},
};

static ir_id lower_plain_call(struct lowering *l, LLVMValueRef call,
                              enum ir_op op, bool with_callee)
{
    unsigned n = LLVMGetNumArgOperands(call);
    VEC(ir_id) args = {0};
    if (with_callee)
        vec_push(&args, lower_value(l, LLVMGetCalledValue(call)));
    for (unsigned i = 0; i < n; i++)
        vec_push(&args, arg(l, call, i));
    if (op == IR_SEND && l->f->is_handler && args.at[3] == 2)
        op = IR_FORWARD;
    if (with_callee)
        lower_check_null(l, args.at[0]);
    struct ir_type t = type_of(l, call);
    if (t.kind == IR_NONE) {
        vec_free(&args);
        lower_unsupported(l, call, "a value of more than 16 bytes");
        return IR_NOTHING;
    }
    uint32_t i = lower_add(l, op, t, args.n, args.at);
    vec_free(&args);
    return t.kind == IR_VOID ? IR_NOTHING : i;
}

static ir_id lower_primitive(struct lowering *l, LLVMValueRef call,
                             const char *name, enum ir_op op)
{
    ir_id id = lower_plain_call(l, call, op, false);
    if (op == IR_AFTER && id != IR_NOTHING && strcmp(name, "tr_every_") == 0)
        lower_inst(l, id)->sub = IR_AGAIN;
    return id;
}

// ---- what ends a run ----------------------------------------------------

// The characters of a constant string, NULL if v is not one.
static const char *literal(struct lowering *l, LLVMValueRef v)
{
    int64_t offset = 0;
    uint32_t g = read_address(l->r, v, &offset);
    if (g == IR_NOTHING)
        return NULL;
    const struct ir_global *o = &l->ir->globals.at[g];
    if (!o->bytes || (uint64_t)offset >= o->size)
        return NULL;
    return arena_format(&l->ir->arena, "%.*s", (int)(o->size - offset),
                        (const char *)o->bytes + offset);
}

static bool lower_ending(struct lowering *l, LLVMValueRef call,
                         const char *name)
{
    static const struct {
        const char *name;
        enum ir_trap kind;
    } endings[] = {
        {"__assert_fail", IR_TRAP_ASSERT}, {"__assert_rtn", IR_TRAP_ASSERT},
        {"abort", IR_TRAP_ABORT},          {"exit", IR_TRAP_EXIT},
        {"_exit", IR_TRAP_EXIT},           {"_Exit", IR_TRAP_EXIT},
        {"quick_exit", IR_TRAP_EXIT},      {"llvm.trap", IR_TRAP_ABORT},
        {"llvm.debugtrap", IR_TRAP_ABORT}, {"llvm.ubsantrap", IR_TRAP_ABORT},
    };
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (strcmp(name, endings[i].name) == 0) {
            const char *text = NULL;
            if (strcmp(name, "__assert_fail") == 0)
                text = literal(l, LLVMGetOperand(call, 0));
            lower_trap(l, endings[i].kind, text);
            return true;
        }
    return false;
}

static const char *const no_meaning[] = {"setjmp",
                                         "_setjmp",
                                         "sigsetjmp",
                                         "__sigsetjmp",
                                         "longjmp",
                                         "siglongjmp",
                                         "pthread_create",
                                         "pthread_join",
                                         "pthread_mutex_lock",
                                         "pthread_mutex_unlock",
                                         "pthread_cond_wait",
                                         "pthread_cond_signal",
                                         "thrd_create",
                                         "thrd_join",
                                         "mtx_lock",
                                         "mtx_unlock",
                                         "fork",
                                         "vfork",
                                         "clone",
                                         "makecontext",
                                         "swapcontext",
                                         "signal",
                                         "sigaction"};

// ---- intrinsics ---------------------------------------------------------

static ir_id lower_math(struct lowering *l, LLVMValueRef call,
                        enum ir_math which, unsigned n)
{
    ir_id args[3];
    struct ir_type t = type_of(l, call);
    if (t.kind == IR_BLOB || t.kind == IR_NONE) {
        lower_unsupported(l, call, "vector arithmetic");
        return IR_NOTHING;
    }
    for (unsigned i = 0; i < n; i++)
        args[i] = arg(l, call, i);
    uint32_t i = lower_add(l, IR_MATH, t, n, args);
    lower_inst(l, i)->sub = (uint8_t)which;
    return i;
}

static ir_id lower_overflow(struct lowering *l, LLVMValueRef call,
                            const char *name)
{
    struct ir_type t = type_of(l, call);
    enum ir_op op = starts(name + 1, "add")   ? IR_ADD
                    : starts(name + 1, "sub") ? IR_SUB
                                              : IR_MUL;
    if (t.kind != IR_BLOB) {
        lower_unsupported(l, call, "128-bit arithmetic with overflow test");
        return IR_NOTHING;
    }
    ir_id args[2] = {arg(l, call, 0), arg(l, call, 1)};
    uint32_t i = lower_add(l, IR_OVERFLOW, t, 2, args);
    lower_inst(l, i)->sub = (uint8_t)op;
    lower_inst(l, i)->flags = name[0] == 's' ? IR_NSW : 0;
    return i;
}

static ir_id lower_memory(struct lowering *l, LLVMValueRef call, enum ir_op op)
{
    ir_id args[3] = {arg(l, call, 0), arg(l, call, 1), arg(l, call, 2)};
    lower_check_range(l, args[0], args[2]);
    if (op != IR_SET)
        lower_check_range(l, args[1], args[2]);
    lower_add(l, op, TYPE_VOID, 3, args);
    return IR_NOTHING;
}

static ir_id lower_muladd(struct lowering *l, LLVMValueRef call)
{
    struct ir_type t = type_of(l, call);
    ir_id a = arg(l, call, 0), b = arg(l, call, 1), c = arg(l, call, 2);
    ir_id m = lower_add(l, IR_FMUL, t, 2, (ir_id[]){a, b});
    return lower_add(l, IR_FADD, t, 2, (ir_id[]){m, c});
}

// The bare type behind a pointer, IR_NOTHING: it is void, or no pointer.
static uint32_t pointee(const struct ir *ir, uint32_t type)
{
    type = ir_bare_type(ir, type);
    return type != IR_NOTHING && ir->types.at[type].kind == IR_D_POINTER
               ? ir_bare_type(ir, ir->types.at[type].base)
               : IR_NOTHING;
}

// What is meant by a parameter "void *self": struct list *l = self.  Where
// variables differ, nobody knows.
static void note_meaning(struct lowering *l, struct ir_inst *param,
                         uint32_t type)
{
    const struct ir *ir = l->r->ir;
    uint32_t to = pointee(ir, type);
    if (to == IR_NOTHING)
        return;
    if (!param->imm)
        param->imm = (int64_t)type + 1;
    else if (param->imm > 0 && pointee(ir, (uint32_t)param->imm - 1) != to)
        param->imm = -1;
}

static void note_variable(struct lowering *l, LLVMValueRef call)
{
    LLVMValueRef v;
    uint32_t type;
    const char *name = read_variable(l->r, call, &v, &type);
    uint32_t id = v && name ? ptr_map_get(&l->values, v) : IR_NOTHING;
    if (id != IR_NOTHING && !ir_is_const(id) &&
        lower_inst(l, id)->op == IR_PARAM)
        note_meaning(l, lower_inst(l, id), type);
    if (id != IR_NOTHING && !ir_is_const(id) && !lower_inst(l, id)->name)
        lower_inst(l, id)->name = name;
}

static ir_id lower_va(struct lowering *l, LLVMValueRef call, const char *name)
{
    if (starts(name, "va_start")) {
        ir_id p = arg(l, call, 0);
        lower_add(l, IR_VASTART, TYPE_VOID, 1, &p);
    } else if (starts(name, "va_copy")) {
        ir_id args[3] = {arg(l, call, 0), arg(l, call, 1),
                         lower_int(l, 64, 24)};
        lower_add(l, IR_COPY, TYPE_VOID, 3, args);
    }
    return IR_NOTHING;
}

static const struct {
    const char *name;
    enum ir_math which;
    unsigned n;
} maths[] = {
    {"fabs.", IR_M_FABS, 1},
    {"sqrt.", IR_M_SQRT, 1},
    {"floor.", IR_M_FLOOR, 1},
    {"ceil.", IR_M_CEIL, 1},
    {"trunc.", IR_M_FTRUNC, 1},
    {"rint.", IR_M_RINT, 1},
    {"nearbyint.", IR_M_RINT, 1},
    {"round.", IR_M_ROUND, 1},
    {"copysign.", IR_M_COPYSIGN, 2},
    {"minnum.", IR_M_FMIN, 2},
    {"maxnum.", IR_M_FMAX, 2},
    {"fma.", IR_M_FMA, 3},
    {"pow.", IR_M_POW, 2},
    {"exp.", IR_M_EXP, 1},
    {"log.", IR_M_LN, 1},
    {"sin.", IR_M_SIN, 1},
    {"cos.", IR_M_COS, 1},
    {"bswap.", IR_M_BSWAP, 1},
    {"ctpop.", IR_M_CTPOP, 1},
    {"ctlz.", IR_M_CTLZ, 1},
    {"cttz.", IR_M_CTTZ, 1},
    {"abs.", IR_M_ABS, 1},
    {"smin.", IR_M_SMIN, 2},
    {"smax.", IR_M_SMAX, 2},
    {"umin.", IR_M_UMIN, 2},
    {"umax.", IR_M_UMAX, 2},
    {"fshl.", IR_M_FSHL, 3},
    {"fshr.", IR_M_FSHR, 3},
    {"is.fpclass", IR_M_FPCLASS, 2},
};

// Those that say nothing about the result of a run.
static const char *const silent[] = {"lifetime.",
                                     "assume",
                                     "donothing",
                                     "prefetch",
                                     "stackrestore",
                                     "va_end",
                                     "experimental.noalias",
                                     "invariant.",
                                     "var.annotation"};

static ir_id lower_intrinsic(struct lowering *l, LLVMValueRef call,
                             const char *name)
{
    struct ir_type t = type_of(l, call);
    if (starts(name, "dbg.declare") || starts(name, "dbg.value")) {
        note_variable(l, call);
        return IR_NOTHING;
    }
    if (starts(name, "dbg."))
        return IR_NOTHING;
    for (size_t i = 0; i < sizeof silent / sizeof *silent; i++)
        if (starts(name, silent[i]))
            return IR_NOTHING;
    for (size_t i = 0; i < sizeof maths / sizeof *maths; i++)
        if (starts(name, maths[i].name))
            return lower_math(l, call, maths[i].which, maths[i].n);
    if (starts(name, "memcpy."))
        return lower_memory(l, call, IR_COPY);
    if (starts(name, "memmove."))
        return lower_memory(l, call, IR_MOVE);
    if (starts(name, "memset."))
        return lower_memory(l, call, IR_SET);
    if (strstr(name, ".with.overflow"))
        return lower_overflow(l, call, name);
    if (starts(name, "fmuladd."))
        return lower_muladd(l, call);
    if (starts(name, "va_"))
        return lower_va(l, call, name);
    if (starts(name, "expect") || starts(name, "threadlocal.address") ||
        starts(name, "ssa.copy") || starts(name, "launder") ||
        starts(name, "ptr.annotation"))
        return arg(l, call, 0);
    if (starts(name, "objectsize"))
        return ir_const_int(l->ir, t, UINT64_MAX);
    if (starts(name, "is.constant") || starts(name, "stacksave"))
        return ir_const_int(l->ir, t, 0);
    lower_unsupported(l, call,
                      arena_format(&l->ir->arena, "intrinsic %s", name));
    return ptr_map_get(&l->values, call);
}

// ---- calls --------------------------------------------------------------

// An empty template is a barrier for the compiler and does nothing.
static ir_id lower_assembler(struct lowering *l, LLVMValueRef call)
{
    size_t n = 0;
    const char *s = LLVMGetInlineAsmAsmString(LLVMGetCalledValue(call), &n);
    if (s && n == 0 && LLVMGetTypeKind(LLVMTypeOf(call)) == LLVMVoidTypeKind)
        return IR_NOTHING;
    lower_unsupported(l, call, "inline assembler");
    return ptr_map_get(&l->values, call);
}

static bool struct_in_varargs(struct lowering *l, LLVMValueRef call)
{
    unsigned fixed = LLVMCountParamTypes(LLVMGetCalledFunctionType(call));
    for (unsigned i = fixed; i < LLVMGetNumArgOperands(call); i++)
        if (LLVMGetCallSiteEnumAttribute(call, i + 1, l->r->byval))
            return true;
    return false;
}

// Functions that compare text have a site, as comparisons have.
static void note_text(struct lowering *l, uint32_t inst, const char *name)
{
    static const struct {
        const char *name;
        enum ir_text how;
    } table[] = {
        {"strcmp", IR_TEXT_EQUAL},    {"strncmp", IR_TEXT_EQUAL},
        {"strcasecmp", IR_TEXT_CASE}, {"strncasecmp", IR_TEXT_CASE},
        {"memcmp", IR_TEXT_BYTES},    {"bcmp", IR_TEXT_BYTES},
        {"strstr", IR_TEXT_INSIDE},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (strcmp(name, table[i].name) == 0) {
            lower_inst(l, inst)->sub = (uint8_t)table[i].how;
            lower_site(l, inst, &l->ir->n_compares, 1);
        }
}

static ir_id lower_named_call(struct lowering *l, LLVMValueRef call,
                              const char *name, bool defined)
{
    if (starts(name, "llvm.") && !lower_ending(l, call, name))
        return lower_intrinsic(l, call, name + 5);
    if (l->closed || (!defined && lower_ending(l, call, name)))
        return IR_NOTHING;
    for (size_t i = 0; i < sizeof primitives / sizeof *primitives; i++)
        if (!defined && strcmp(name, primitives[i].name) == 0)
            return lower_primitive(l, call, name, primitives[i].op);
    for (size_t i = 0; i < sizeof no_meaning / sizeof *no_meaning; i++)
        if (!defined && strcmp(name, no_meaning[i]) == 0) {
            lower_unsupported(l, call,
                              arena_format(&l->ir->arena, "%s()", name));
            return ptr_map_get(&l->values, call);
        }
    ir_id id = lower_plain_call(l, call, IR_CALL, true);
    if (!defined && id != IR_NOTHING)
        note_text(l, id, name);
    return id;
}

ir_id lower_call(struct lowering *l, LLVMValueRef call)
{
    LLVMValueRef callee = LLVMGetCalledValue(call);
    size_t n;
    if (LLVMIsAInlineAsm(callee))
        return lower_assembler(l, call);
    while (LLVMIsAGlobalAlias(callee))
        callee = LLVMAliasGetAliasee(callee);
    if (struct_in_varargs(l, call)) {
        lower_unsupported(l, call, "a struct among variable arguments");
        return ptr_map_get(&l->values, call);
    }
    if (!LLVMIsAFunction(callee))
        return lower_plain_call(l, call, IR_CALL, true);
    return lower_named_call(l, call, LLVMGetValueName2(callee, &n),
                            !LLVMIsDeclaration(callee));
}
