// A long case replayed by a live manager on one thread.
//
// For a million steps the stage would take too much memory: it keeps the state
// before every step.  A post is sent when the first step needs it.  Between one
// sender and one receiver that is the same as sending all posts first.
#ifndef REACH_LIVE_H
#define REACH_LIVE_H

#include "play/case.h"
#include "play/delivery.h"

struct program;

struct live_outcome {
    bool fits;
    bool died;   // the process that ran the case died
    uint32_t at; // if !fits && !died: the step that does not fit
};

// Replay in a process of its own.  False if that cannot be started.
bool live_replay(const struct program *p, const struct test_case *c,
                 enum delivery d, struct live_outcome *out);

#endif
