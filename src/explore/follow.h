// A run that tries to follow another schedule and goes on where it can.
//
// Steps of the other schedule are known by their index there; `map` says which
// step of this run they became.  A message is the n-th one sent by the step
// that its sender's step became, whatever it holds now.
#ifndef EXPLORE_FOLLOW_H
#define EXPLORE_FOLLOW_H

#include "explore/search.h"

struct follow {
    struct search search;
    struct explore_options options;
    struct explore_result result;
    struct world world;
    choices choices;
    bool within_ticks; // timers that rest do not fire
    VEC(uint32_t) map; // step of the other schedule -> step here or PLAY_NONE
};

// The sink is borrowed; it is told every bug once, warnings too.
void follow_init(struct follow *f, struct play *p, enum delivery d,
                 const struct explore_sink *sink);
void follow_release(struct follow *f);
// From the start again; bugs told before are told again.
void follow_reset(struct follow *f);

// Let the body go on, or the test end, before timers of every() that are left.
// False if that cannot be here.
bool follow_body_early(struct follow *f, const uint16_t *picks, uint32_t n);
// Let the body go on while it is its turn; picks are answers to choose().
void follow_bodies(struct follow *f, const uint16_t *picks, uint32_t n);
// Make this choice with these picks, zeros where more are asked for.
void follow_make(struct follow *f, struct choice c, const uint16_t *picks,
                 uint32_t n);
// Do what step i of s did.  False if it cannot be done here.
bool follow_step(struct follow *f, const struct schedule *s, uint32_t i);
// The same; if that very message was not sent, one like it: of the same name,
// sender and receiver.
bool follow_alike(struct follow *f, const struct schedule *s, uint32_t i);
// Nothing is left to receive: true, and the ending has been looked at.
bool follow_ended(struct follow *f);
// One step, actors in turn; false at the end, which has been looked at, or at
// the bound on steps.
bool follow_next(struct follow *f);
// Go on to the end, or the bound on steps, actors in turn.
void follow_rest(struct follow *f);

#endif
