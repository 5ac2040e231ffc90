// The program built so that it tells which blocks of its actors' code run.
//
// In troupe-llvm only: in troupe these are weak references, and a command that
// needs them is handed over.
#ifndef CLI_LLVM_BLOCKS_H
#define CLI_LLVM_BLOCKS_H

#include <stdbool.h>
#include <stdint.h>

struct blocks;
struct diag;
struct ir;
struct json;
struct session;
struct text;
struct tr_test;

#define BLOCKS_WEAK_ __attribute__((weak))

// Compile the session's program, instrumented, and load it.  NULL with diag
// set if that fails.
BLOCKS_WEAK_ struct blocks *blocks_program(struct session *s);
BLOCKS_WEAK_ void blocks_free(struct blocks *b);
// A map for each of n tests; false with d set without memory.
BLOCKS_WEAK_ bool blocks_open(struct blocks *b, uint32_t n, struct diag *d);
// Forget all marks.
BLOCKS_WEAK_ void blocks_clear(struct blocks *b, uint32_t n);
// From now on this process marks the map of test i.
BLOCKS_WEAK_ void blocks_use(struct blocks *b, uint32_t i);
// A line for each block, with its hits and the tests that made them.
BLOCKS_WEAK_ void blocks_print(const struct blocks *b,
                               const struct tr_test *const *tests, uint32_t n,
                               struct text *to);
// The same as an array "blocks".
BLOCKS_WEAK_ void blocks_json(const struct blocks *b,
                              const struct tr_test *const *tests, uint32_t n,
                              struct json *j);
// The same lines for lcov, a tracefile: a line counts as often as the block
// that ran most of those that begin there.
BLOCKS_WEAK_ void blocks_lcov(const struct blocks *b, uint32_t n,
                              struct text *to);

#endif
