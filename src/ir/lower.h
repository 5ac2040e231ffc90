// Translating one function: what its three files share.
//
// Instructions are appended to the block that is open.  A check closes it with
// a branch to a trap and opens the next; the trap blocks come at the end.
#ifndef IR_LOWER_H
#define IR_LOWER_H

#include "ir/read.h"

struct pending_trap {
    uint32_t block; // ends in a branch; the trap will be its successor 1
    uint8_t kind;
    uint32_t hit;
    uint32_t origin;
    struct ir_inst at; // file, line, column
};

struct pending_phi {
    uint32_t inst;
    LLVMValueRef phi;
};

struct hoisted { // a constant expression that a phi takes, computed in `from`
    LLVMValueRef value;
    LLVMBasicBlockRef from;
    ir_id id;
};

// A pointer known not to be null in all that `block` dominates.
struct checked {
    ir_id value;
    uint32_t block; // LLVM block, in reverse postorder
    uint8_t kind;
};

// Something of LLVM's that has a site, for probes.c.
struct probe {
    LLVMValueRef at; // the instruction that is being translated
    uint32_t inst;   // ours; of a check the comparison that must hold
    uint32_t site;
    bool check;
};

struct lowering {
    struct reader *r;
    struct ir *ir;
    struct ir_fn *f;
    LLVMValueRef fn;
    struct map values; // LLVM value -> ir_id
    struct map order;  // LLVM block -> its number in rpo
    VEC(LLVMBasicBlockRef) rpo;
    VEC(uint32_t) idom;        // of LLVM blocks
    VEC(uint32_t) first, last; // our blocks of each LLVM block
    VEC(struct pending_trap) traps;
    VEC(struct pending_phi) phis;
    VEC(struct hoisted) hoisted;
    VEC(struct checked) checked;
    VEC(uint32_t) switches; // blocks and targets still LLVM's numbers
    VEC(struct probe) probes;
    VEC(LLVMValueRef) origin; // of our values, NULL: none; with hooks only
    uint32_t here;            // LLVM block being translated
    LLVMValueRef now;         // LLVM instruction being translated
    struct ir_inst place;     // file, line, column of the instruction
    bool closed;              // the open block has its terminator
};

// lower.c
uint32_t lower_add(struct lowering *l, enum ir_op op, struct ir_type t,
                   uint32_t n, const ir_id *args);
ir_id lower_value(struct lowering *l, LLVMValueRef v);
void lower_trap(struct lowering *l, enum ir_trap kind, const char *text);
// Go on only if `ok` (an i1); otherwise trap.
void lower_check(struct lowering *l, enum ir_trap kind, ir_id ok);
// Go on only if pointer p is not null.
void lower_check_null(struct lowering *l, ir_id p);
// Likewise, if n bytes are to be touched and n is not 0.
void lower_check_range(struct lowering *l, ir_id p, ir_id n);
void lower_unsupported(struct lowering *l, LLVMValueRef v, const char *what);
static inline struct ir_inst *lower_inst(struct lowering *l, uint32_t i)
{
    return &l->f->insts.at[i];
}
static inline ir_id lower_int(struct lowering *l, unsigned bits, uint64_t x)
{
    return ir_const_int(l->ir, (struct ir_type){IR_INT, (uint8_t)bits}, x);
}
void lower_bind(struct lowering *l, LLVMValueRef v, ir_id id);
// Give our instruction the next site, n of them, of comparisons or hits.
void lower_site(struct lowering *l, uint32_t inst, uint32_t *counter,
                uint32_t n);

// lower_inst.c: everything but calls, phis and terminators.  v is an
// instruction or a constant expression.
ir_id lower_operation(struct lowering *l, LLVMValueRef v, LLVMOpcode op);

// probes.c: let the LLVM function tell its places.
void probe_fn(struct lowering *l);

// lower_call.c
ir_id lower_call(struct lowering *l, LLVMValueRef call);

#define TYPE_PTR ((struct ir_type){IR_PTR, 64})
#define TYPE_BOOL ((struct ir_type){IR_INT, 1})
#define TYPE_I64 ((struct ir_type){IR_INT, 64})
#define TYPE_VOID ((struct ir_type){IR_VOID, 0})

#endif
