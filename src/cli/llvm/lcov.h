// Which lines ran, as a tracefile for lcov and genhtml.
#ifndef CLI_LLVM_LCOV_H
#define CLI_LLVM_LCOV_H

#include "ir/targets.h"

struct text;

// A line counts as often as the block that ran most of those that begin there;
// hits[i] is how often block i did.  Checks are left out.
void lcov_print(const struct ir *ir, const struct ir_target *at,
                const uint64_t *hits, uint32_t n, struct text *to);

#endif
