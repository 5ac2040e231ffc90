// A run made once more with other contents of fresh memory.
#ifndef STAGE_RECHECK_H
#define STAGE_RECHECK_H

#include "stage/native_inner.h"

typedef uint32_t run_fn(struct native *n, uint32_t state, uint32_t msg,
                        uint32_t sender, const uint16_t *picks,
                        uint32_t n_picks);
bool recheck_wanted(struct native *n, uint32_t state, uint32_t msg);
// Run once more with other contents of fresh memory; the state afterwards.
uint32_t recheck_run(struct native *n, uint32_t after, run_fn *run, uint32_t state,
               uint32_t msg, uint32_t sender, const uint16_t *picks,
               uint32_t n_picks);

#endif
