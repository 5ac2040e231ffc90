// What the files of src/ir that read LLVM share: the state of one reading.
#ifndef IR_READ_H
#define IR_READ_H

#include "base/map.h"
#include "ir/ir.h"

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>

// From LLVM's objects to our numbers; addresses are only looked up, never
// ordered.
static inline void ptr_map_put(struct map *m, const void *key, uint32_t value)
{
    map_put(m, (uint64_t)(uintptr_t)key, value);
}
// IR_NOTHING if absent.
static inline uint32_t ptr_map_get(const struct map *m, const void *key)
{
    return map_get(m, (uint64_t)(uintptr_t)key);
}

struct reader {
    struct ir *ir;
    const struct ir_options *options;
    LLVMContextRef context;
    LLVMModuleRef module;
    LLVMTargetDataRef layout;
    struct map globals, fns, types, files;
    unsigned byval; // the attribute's number
    unsigned noreturn;
    struct hooks *hooks; // NULL: nothing is instrumented
};

// types of values (lower.c)
struct ir_type read_type(struct reader *r, LLVMTypeRef t);

// constants (constant.c)

// The constant as one of ours, IR_NOTHING if it takes instructions.
ir_id read_const(struct reader *r, LLVMValueRef v);
// Global addresses with a constant offset: the global's id, *offset added to.
// IR_NOTHING if v is not one.
uint32_t read_address(struct reader *r, LLVMValueRef v, int64_t *offset);
// The bytes and relocations of all globals with an initialiser.
void read_globals(struct reader *r);

// functions (lower.c)
void read_fn(struct reader *r, LLVMValueRef f, struct ir_fn *out);

// debug info (debug.c)
uint16_t read_file(struct reader *r, LLVMMetadataRef file);
// Line, parameter types and file of a function.
void read_fn_debug(struct reader *r, LLVMValueRef f, struct ir_fn *out);
void read_global_debug(struct reader *r, LLVMValueRef g, struct ir_global *out);
// The variable that a dbg.value or dbg.declare speaks of, and the value.
const char *read_variable(struct reader *r, LLVMValueRef call,
                          LLVMValueRef *value, uint32_t *type);

// the library's tables (actors.c); needs globals and functions
void read_actors(struct ir *ir);

// control flow (cfg.c): successors are there; fills in everything else
void ir_cfg(struct ir_fn *f);

#endif
