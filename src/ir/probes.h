// What an instrumented module calls and writes to: stage/hits.h has the other
// side of it.
#ifndef IR_PROBES_H
#define IR_PROBES_H

#include "ir/instrument.h"
#include "ir/read.h"

struct hooks {
    enum ir_watch watch;
    LLVMBuilderRef build;
    LLVMTypeRef i1, i8, i32, i64, f64, ptr, none;
    LLVMValueRef hits;                          // the pointer to the map
    LLVMValueRef check;                         // inlined
    LLVMValueRef compare, floats, texts, cases; // NULL unless traced
};

void hooks_init(struct hooks *h, struct reader *r, enum ir_watch watch);
void hooks_release(struct hooks *h);

#endif
