// Nondeterminism: a sample of runs is made once more, with other bytes in fresh
// memory; a bug is told if the effects differ.
#ifndef STAGE_RECHECK_H
#define STAGE_RECHECK_H

#include "stage/native_inner.h"

typedef uint32_t run_fn(struct native *n, uint32_t state, uint32_t msg,
                        uint32_t sender, const uint16_t *picks,
                        uint32_t n_picks);
// Does this run belong to the sample?
bool recheck_wanted(struct native *n, uint32_t state, uint32_t msg);
// Make the run that led to the state `after` once more.  The state afterwards.
uint32_t recheck_run(struct native *n, uint32_t after, run_fn *run,
                     uint32_t state, uint32_t msg, uint32_t sender,
                     const uint16_t *picks, uint32_t n_picks);

#endif
