// The pair of receives that decides whether a schedule shows its bug.
#ifndef CASES_RACE_H
#define CASES_RACE_H

#include "base/vec.h"
#include "play/delivery.h"
#include "play/schedule.h"

#include <stdbool.h>

struct play;

// Two messages to one actor.
struct race_swap {
    uint32_t first;       // step of the failing schedule
    uint32_t second;      // likewise; PLAY_NONE: its message is still in flight
    uint32_t source, nth; // who sent the second message
};

// Two receives of one actor whose order decides.
struct race {
    struct race_swap pair;
    uint32_t unsent; // PLAY_NONE; or the failing run did not come to send the
                     // second message, which this step of `passes` receives
    uint32_t more;   // messages that must come before the first, besides
    struct schedule passes; // the other way round, to the end
    // All swaps of two messages that pass, the earliest first.
    VEC(struct race_swap) swaps;
};

// Two messages of s that, received the other way round, do without any bug: of
// the failing actor and near each other if there are such.  False if there are
// none.
bool schedule_race(struct play *p, enum delivery d, const struct schedule *s,
                   struct race *race);
void race_release(struct race *race);

#endif
