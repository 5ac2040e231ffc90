// A long case replayed by a live manager on one thread.
//
// The stage keeps the state before every step, which a million steps do not
// need.  Posts are sent when the first step wants them; between one sender and
// one receiver that is the same as sending them all first.
#ifndef REACH_LIVE_H
#define REACH_LIVE_H

#include "play/case.h"
#include "play/delivery.h"

struct program;

struct live_outcome {
    bool fits;
    bool died;   // the process that ran it did
    uint32_t at; // else the step that does not fit
};

// In a process of its own.  False if that cannot be had.
bool live_replay(const struct program *p, const struct test_case *c,
                 enum delivery d, struct live_outcome *out);

#endif
