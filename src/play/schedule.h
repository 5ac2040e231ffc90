// A schedule: what was received, in order.
//
// Its first step is always the test body's first segment; later segments are
// steps too, so every message was sent by an earlier step of the same schedule:
// it is (step, n-th send).
#ifndef PLAY_SCHEDULE_H
#define PLAY_SCHEDULE_H

#include "base/vec.h"

#include <stdint.h>

// One receive, or one segment of the test body (msg is PLAY_NONE).
struct step {
    uint32_t actor;  // who receives
    uint32_t msg;    // what; play_timer(k): a timer; PLAY_NONE: body
    uint32_t sender; // who sent it; the actor itself for a timer or the body
    uint32_t source; // the step that sent it; PLAY_NONE for timer and body
    uint32_t nth;    // which of that step's sends, from 0; of a timer: the
                     // lower half of its name
    uint32_t picks, n_picks; // answers to choose(): a part of schedule.picks
};

// All zero is an empty schedule.  Ids are the play's.
struct schedule {
    VEC(struct step) steps;
    VEC(uint16_t) picks;
};

void schedule_clear(struct schedule *s);
void schedule_free(struct schedule *s);
void schedule_copy(struct schedule *to, const struct schedule *from);
// Append a step; picks are copied, those in the step are set.
void schedule_add(struct schedule *s, struct step step, const uint16_t *picks);

#endif
