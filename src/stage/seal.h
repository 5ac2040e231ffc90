// Memory of others, out of reach while an actor's code runs.
//
// The heap of the test body always is, if it has one: nobody else looks at it
// while handlers run.  To protect the memory of all other actors costs more
// than a run, so that is done in a sample of runs only (recheck.h).
#ifndef STAGE_SEAL_H
#define STAGE_SEAL_H

#include "stage/native_inner.h"

// The test body ran, and left its memory open.
void seal_body_later(struct native *n, const struct region *body);
// A run begins.
void seal_body(struct native *n);
// Everybody's memory but that of `own`, and again as it was.
void seal_others(struct native *n, const struct region *own);
void seal_lift_others(struct native *n);
// The stage itself needs the memory of one actor.
void seal_lift(struct native *n, const struct region *r);
// All regions are gone.
void seal_forget(struct native *n);
// The actor whose memory has this address, if code in `own` must not touch it;
// else PLAY_NONE.
uint32_t seal_owner(const struct native *n, const struct region *own,
                    uintptr_t address);

#endif
