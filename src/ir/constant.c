// Constants, and the contents of globals as bytes with relocations.
//
// A constant that is an address plus an offset is one of ours; any other
// constant expression takes instructions (see lower.c).  In a global's
// initialiser an address takes eight bytes, in whatever integer type it is
// written.
#include "ir/read.h"
#include "ir/wide.h"

#include <stdlib.h>
#include <string.h>

static uint32_t bucket_of(const struct ir_const *c)
{
    uint64_t h = c->kind * 31u + c->type.kind * 7u + c->type.bits;
    h = h * 0x100000001b3u ^ c->index;
    h = h * 0x100000001b3u ^ c->lo;
    h = (h ^ c->hi) * 0x9e3779b97f4a7c15u;
    return (uint32_t)(h >> 54);
}

ir_id ir_const_make(struct ir *ir, struct ir_const c)
{
    uint32_t b = bucket_of(&c);
    for (uint32_t i = ir->next_const_[b]; i; i = ir->chain_.at[i - 1]) {
        const struct ir_const *o = &ir->consts.at[i - 1];
        if (o->kind == c.kind && o->type.kind == c.type.kind &&
            o->type.bits == c.type.bits && o->index == c.index &&
            o->lo == c.lo && o->hi == c.hi)
            return (i - 1) | IR_CONST_BIT;
    }
    vec_push(&ir->consts, c);
    vec_push(&ir->chain_, ir->next_const_[b]);
    ir->next_const_[b] = ir->consts.n;
    return (ir->consts.n - 1) | IR_CONST_BIT;
}

ir_id ir_const_int(struct ir *ir, struct ir_type t, uint64_t lo)
{
    if (t.bits < 64)
        lo &= (UINT64_C(1) << t.bits) - 1;
    return ir_const_make(ir, (struct ir_const){IR_C_INT, t, 0, lo, 0});
}

// "i128 -5": the decimal number after the type, as two words.
static void wide_int(LLVMValueRef v, uint64_t *lo, uint64_t *hi)
{
    char *s = LLVMPrintValueToString(v);
    const char *p = strchr(s, ' ');
    u128 x = 0;
    bool minus = p && p[1] == '-';
    for (p = p ? p + 1 + minus : ""; *p >= '0' && *p <= '9'; p++)
        x = x * 10 + (unsigned)(*p - '0');
    if (minus)
        x = -x;
    *lo = (uint64_t)x;
    *hi = (uint64_t)(x >> 64);
    LLVMDisposeMessage(s);
}

// "x86_fp80 0xK3FFF8000000000000000": sign and exponent, then the mantissa.
static void long_double(LLVMValueRef v, uint64_t *lo, uint64_t *hi)
{
    char *s = LLVMPrintValueToString(v), word[17];
    const char *p = strstr(s, "0xK");
    *lo = *hi = 0;
    if (p && strlen(p + 3) >= 20) {
        memcpy(word, p + 3, 4);
        word[4] = 0;
        *hi = strtoull(word, NULL, 16);
        memcpy(word, p + 7, 16);
        word[16] = 0;
        *lo = strtoull(word, NULL, 16);
    }
    LLVMDisposeMessage(s);
}

static void number_bits(struct ir_type t, LLVMValueRef v, uint64_t *lo,
                        uint64_t *hi)
{
    *lo = *hi = 0;
    if (t.kind == IR_INT && t.bits <= 64) {
        *lo = LLVMConstIntGetZExtValue(v);
    } else if (t.kind == IR_INT) {
        wide_int(v, lo, hi);
        if (t.bits < 128)
            *hi &= (UINT64_C(1) << (t.bits - 64)) - 1;
    } else if (t.bits == 80) {
        long_double(v, lo, hi);
    } else {
        LLVMBool lost;
        double d = LLVMConstRealGetDouble(v, &lost);
        float f = (float)d;
        if (t.bits == 32)
            memcpy(lo, &f, 4);
        else
            memcpy(lo, &d, 8);
    }
}

// Where the initialiser's bytes go.
struct contents {
    uint8_t *bytes;
    uint64_t size;
    VEC(struct ir_reloc) relocs;
    bool opaque; // something could not be written down
};

static void put_bytes(struct contents *im, uint64_t at, const void *p,
                      uint32_t n)
{
    if (at + n <= im->size)
        memcpy(im->bytes + at, p, n);
}

static void put(struct reader *r, struct contents *im, uint64_t at,
                LLVMValueRef v);

static void put_elements(struct reader *r, struct contents *im, uint64_t at,
                         LLVMValueRef v, LLVMTypeRef t)
{
    LLVMTypeKind k = LLVMGetTypeKind(t);
    if (k == LLVMStructTypeKind) {
        for (unsigned i = 0; i < LLVMCountStructElementTypes(t); i++)
            put(r, im, at + LLVMOffsetOfElement(r->layout, t, i),
                LLVMGetAggregateElement(v, i));
        return;
    }
    uint64_t n =
        k == LLVMArrayTypeKind ? LLVMGetArrayLength2(t) : LLVMGetVectorSize(t);
    uint64_t step = LLVMABISizeOfType(r->layout, LLVMGetElementType(t));
    for (uint64_t i = 0; i < n; i++)
        put(r, im, at + i * step, LLVMGetAggregateElement(v, (unsigned)i));
}

static void put_address(struct reader *r, struct contents *im, uint64_t at,
                        LLVMValueRef v)
{
    while (LLVMIsAConstantExpr(v) && (LLVMGetConstOpcode(v) == LLVMPtrToInt ||
                                      LLVMGetConstOpcode(v) == LLVMBitCast))
        v = LLVMGetOperand(v, 0);
    ir_id id = read_const(r, v);
    if (id == IR_NOTHING) {
        im->opaque = true;
        return;
    }
    const struct ir_const *c = ir_const_at(r->ir, id);
    if (c->kind == IR_C_GLOBAL || c->kind == IR_C_FUNCTION)
        vec_push(&im->relocs, ((struct ir_reloc){(uint32_t)at, id}));
    else
        put_bytes(im, at, &c->lo, 8);
}

static void put(struct reader *r, struct contents *im, uint64_t at,
                LLVMValueRef v)
{
    LLVMTypeRef lt = LLVMTypeOf(v);
    LLVMTypeKind k = LLVMGetTypeKind(lt);
    size_t n;
    if (LLVMIsNull(v) || LLVMIsUndef(v))
        return;
    if (LLVMIsAConstantDataArray(v) && LLVMIsConstantString(v)) {
        const char *s = LLVMGetAsString(v, &n);
        put_bytes(im, at, s, (uint32_t)n);
    } else if (k == LLVMStructTypeKind || k == LLVMArrayTypeKind ||
               k == LLVMVectorTypeKind) {
        put_elements(r, im, at, v, lt);
    } else if (LLVMIsAConstantInt(v) || LLVMIsAConstantFP(v)) {
        struct ir_type t = read_type(r, lt);
        uint64_t both[2];
        number_bits(t, v, &both[0], &both[1]);
        put_bytes(im, at, both, ir_bytes(t));
    } else {
        put_address(r, im, at, v);
    }
}

static ir_id blob_const(struct reader *r, LLVMValueRef v, struct ir_type t)
{
    uint64_t both[2] = {0, 0};
    struct contents im = {(uint8_t *)both, sizeof both, {0}, false};
    put(r, &im, 0, v);
    bool plain = !im.relocs.n && !im.opaque;
    vec_free(&im.relocs);
    if (!plain)
        return IR_NOTHING;
    return ir_const_make(r->ir,
                         (struct ir_const){IR_C_BLOB, t, 0, both[0], both[1]});
}

static int64_t index_value(LLVMValueRef v)
{
    return LLVMIsAConstantInt(v) ? LLVMConstIntGetSExtValue(v) : 0;
}

static bool gep_offset(struct reader *r, LLVMValueRef gep, int64_t *offset)
{
    LLVMTypeRef t = LLVMGetGEPSourceElementType(gep);
    int n = LLVMGetNumOperands(gep);
    for (int i = 1; i < n; i++) {
        LLVMValueRef op = LLVMGetOperand(gep, (unsigned)i);
        if (!LLVMIsAConstantInt(op))
            return false;
        int64_t k = index_value(op);
        if (i == 1) {
            *offset += k * (int64_t)LLVMABISizeOfType(r->layout, t);
        } else if (LLVMGetTypeKind(t) == LLVMStructTypeKind) {
            *offset += (int64_t)LLVMOffsetOfElement(r->layout, t, (unsigned)k);
            t = LLVMStructGetTypeAtIndex(t, (unsigned)k);
        } else {
            t = LLVMGetElementType(t);
            *offset += k * (int64_t)LLVMABISizeOfType(r->layout, t);
        }
    }
    return true;
}

uint32_t read_address(struct reader *r, LLVMValueRef v, int64_t *offset)
{
    if (LLVMIsAGlobalVariable(v))
        return ptr_map_get(&r->globals, v);
    if (LLVMIsAConstantExpr(v)) {
        LLVMOpcode op = LLVMGetConstOpcode(v);
        if (op == LLVMGetElementPtr && gep_offset(r, v, offset))
            return read_address(r, LLVMGetOperand(v, 0), offset);
        if (op == LLVMBitCast)
            return read_address(r, LLVMGetOperand(v, 0), offset);
    }
    return IR_NOTHING;
}

static ir_id read_pointer(struct reader *r, LLVMValueRef v, struct ir_type t)
{
    while (LLVMIsAGlobalAlias(v))
        v = LLVMAliasGetAliasee(v);
    if (LLVMIsAFunction(v)) {
        uint32_t f = ptr_map_get(&r->fns, v);
        if (f == IR_NOTHING)
            return IR_NOTHING;
        return ir_const_make(r->ir,
                             (struct ir_const){IR_C_FUNCTION, t, f, 0, 0});
    }
    int64_t offset = 0;
    uint32_t g = read_address(r, v, &offset);
    if (g != IR_NOTHING)
        return ir_const_make(
            r->ir, (struct ir_const){IR_C_GLOBAL, t, g, (uint64_t)offset, 0});
    if (LLVMIsAConstantExpr(v) && LLVMGetConstOpcode(v) == LLVMIntToPtr &&
        LLVMIsAConstantInt(LLVMGetOperand(v, 0)))
        return ir_const_int(r->ir, t,
                            LLVMConstIntGetZExtValue(LLVMGetOperand(v, 0)));
    return IR_NOTHING;
}

ir_id read_const(struct reader *r, LLVMValueRef v)
{
    struct ir_type t = read_type(r, LLVMTypeOf(v));
    uint64_t lo, hi;
    if (t.kind == IR_NONE || t.kind == IR_VOID)
        return IR_NOTHING;
    if (LLVMIsUndef(v))
        return ir_const_make(r->ir, (struct ir_const){IR_C_UNDEF, t, 0, 0, 0});
    if (t.kind == IR_BLOB)
        return LLVMIsAConstantExpr(v) ? IR_NOTHING : blob_const(r, v, t);
    if (LLVMIsNull(v))
        return ir_const_make(
            r->ir, (struct ir_const){t.kind == IR_FLOAT ? IR_C_FLOAT : IR_C_INT,
                                     t, 0, 0, 0});
    if (LLVMIsAConstantInt(v) || LLVMIsAConstantFP(v)) {
        number_bits(t, v, &lo, &hi);
        return ir_const_make(
            r->ir, (struct ir_const){t.kind == IR_INT ? IR_C_INT : IR_C_FLOAT,
                                     t, 0, lo, hi});
    }
    return t.kind == IR_PTR ? read_pointer(r, v, t) : IR_NOTHING;
}

static int by_offset(const void *a, const void *b)
{
    const struct ir_reloc *x = a, *y = b;
    return x->offset < y->offset ? -1 : x->offset > y->offset;
}

static void read_initialiser(struct reader *r, struct ir_global *g,
                             LLVMValueRef init)
{
    if (LLVMIsNull(init) || g->size > (UINT64_C(1) << 30))
        return;
    struct contents im = {
        arena_zero(&r->ir->arena, g->size + 1), g->size, {0}, false};
    put(r, &im, 0, init);
    if (im.relocs.n)
        qsort(im.relocs.at, im.relocs.n, sizeof *im.relocs.at, by_offset);
    g->bytes = im.bytes;
    g->n_relocs = im.relocs.n;
    g->relocs = arena_copy(&r->ir->arena, im.relocs.at,
                           im.relocs.n * sizeof *im.relocs.at);
    vec_free(&im.relocs);
}

void read_globals(struct reader *r)
{
    for (LLVMValueRef v = LLVMGetFirstGlobal(r->module); v;
         v = LLVMGetNextGlobal(v)) {
        uint32_t id = ptr_map_get(&r->globals, v);
        LLVMValueRef init = LLVMGetInitializer(v);
        if (id != IR_NOTHING && init)
            read_initialiser(r, &r->ir->globals.at[id], init);
    }
}
