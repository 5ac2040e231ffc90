// Futures of an actor: one per ask, in its state.
//
// A future lives until the task that took its value has ended, and one that
// nobody took as long as the program may still name it (names.h).
#ifndef STAGE_FUTURE_H
#define STAGE_FUTURE_H

#include "stage/native_inner.h"

// NULL if there is none.
struct future *future_at(const struct region *r, uint64_t id);
// A reply has come; m NULL: the time limit passed.
void future_done(struct native *n, struct region *r, uint64_t id,
                 const struct message *m);
// Does a task wait for it?
bool future_awaited(const struct region *r, uint64_t id);
void future_remove(struct region *r, uint32_t i);
// The task on stack k has ended: values that it took are used up.
void futures_end(struct region *r, uint32_t k);

#endif
