// What invariants read of the actors that they look at, byte by byte.
//
// While an invariant runs, the memory of the actors that it is shown is out of
// reach.  A read of it faults: the address tells which bytes of the struct are
// meant, the instruction how many; the page is opened for that one instruction.
// What was read of one actor counts for its class.  Where more than the struct
// is read (a heap), or where processors cannot go on by one instruction, all of
// the state counts as read.
//
// Two global states that agree in what was read so far are the same to the
// invariants: they take the same way through their code, and read nothing else.
// So one of them is enough to run.
#ifndef STAGE_SIGHT_H
#define STAGE_SIGHT_H

#include "stage/native_inner.h"

struct sight;

// Invariants look at actors of this class from now on.
void sight_class(struct native *n, const tr_class *cls);
// Of what was read so far, a hash: equal for states that look the same.
uint64_t sight_of(struct native *n, uint32_t state);
// Grows whenever more is read than before.
uint64_t sight_grown(const struct native *n);
// States were forgotten: their ids mean something else from now on.
void sight_forget(struct native *n);
void sight_close(struct native *n);

// Is the verdict on the scene known from one that looks the same: do all
// invariants hold?
bool sight_knows(struct native *n);
// Invariants run on the scene, and what they read is noted, until the end.
// holds: all of them do.
void sight_begin(struct native *n);
void sight_end(struct native *n, bool holds);
// The stage itself needs this region, and shows it.
void sight_lift(struct native *n, const struct region *r);
void sight_cover(struct native *n, struct region *r, const tr_class *cls);

// In a signal handler: is this one of ours?  Then the run goes on.
bool sight_fault(struct native *n, uintptr_t address, void *context);
bool sight_step(struct native *n, void *context);

#endif
