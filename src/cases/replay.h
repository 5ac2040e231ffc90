// One schedule again: followed word by word, or made shorter.
#ifndef CASES_REPLAY_H
#define CASES_REPLAY_H

#include "base/arena.h"
#include "base/text.h"
#include "explore/explore.h"
#include "play/words.h"

struct replay_bug {
    struct bug bug; // strings live as long as the replay
    uint32_t step;  // after which step of the schedule
};

struct replay_stop;

// What came of following a schedule.  All zero is empty.
struct replay {
    struct schedule schedule; // as far as it went
    VEC(uint32_t) twins; // per step: the k of "message:k", 1 if there is none
    VEC(const char *) timers; // per step: the words of a timer, else NULL
    bool fits;                // every word could be followed
    bool repeats;    // it ends in a state of the world it was in before
    bool complete;   // nothing is left to receive, the body has returned
    uint32_t at;     // else the word that could not
    struct text why; // else what was possible there, for a person
    VEC(struct replay_bug) bugs;    // warnings included
    VEC(uint32_t) states;           // at the end, per actor
    uint64_t hash;                  // of the states at the end
    const struct replay_stop *stop; // NULL: none, or it has been called
    struct arena texts;
};

void replay_free(struct replay *r);

// Follow the words from the start.  True if all fit.
bool replay_words(struct play *p, enum delivery d,
                  const struct words_step *words, uint32_t n, struct replay *r);
// The same, and once, before step `at` of the schedule is made, a call.
struct replay_stop {
    uint32_t at;
    void (*before)(void *self);
    void *self;
};
bool replay_words_to(struct play *p, enum delivery d,
                     const struct words_step *words, uint32_t n,
                     const struct replay_stop *stop, struct replay *r);
// The same for a program that may have changed: a step that does not fit is
// left until it does, the steps after it go on meanwhile, actors in turn where
// none fits.  Then on to the end, or to the first bug.
void replay_loosely(struct play *p, enum delivery d,
                    const struct words_step *words, uint32_t n,
                    struct replay *r);
// Follow a schedule of this play; at a step that does not fit r->at is its
// index.  rest: afterwards go on, round robin, to the end.
bool replay_schedule(struct play *p, enum delivery d, const struct schedule *s,
                     bool rest, struct replay *r);

// What else could have been received at each step of a schedule, in the words
// of a case; `each` gets `most` of them, and whether there are more.
void replay_others(struct play *p, enum delivery d, const struct schedule *s,
                   uint32_t most, struct arena *a,
                   void (*each)(void *self, uint32_t step,
                                const char *const *others, uint32_t n,
                                bool more),
                   void *self);

// Find a shorter schedule with the same bug (see bug_key): leave out what it
// does not need, then look for the shortest of all as long as time lasts; of
// equally short ones take one in which fewer messages overtake others.
// True if *out is shorter than s, or more in order.
bool schedule_shrink(struct play *p, enum delivery d, const struct schedule *s,
                     const struct bug *bug, double seconds,
                     struct schedule *out);

#endif
