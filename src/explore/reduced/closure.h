// What can still happen while some actors stand still.
//
// Freeze a set of actors.  The others may receive what is in flight to them,
// and what that sends, and so on, as far as facts tell; a receive that was
// never run counts as sending nothing.  How often a message exists and in which
// order messages come is ignored, so the answer is a superset of what the known
// runs can do.
//
// Facts are read in one of two ways.  Coarsely, an actor that gets a message of
// some type may do whatever it ever did with one: that is quick.  Finely, what
// it does follows from the states it may be in by then and from the contents:
// only that tells a fork that is held from one that is free.
#ifndef EXPLORE_REDUCED_CLOSURE_H
#define EXPLORE_REDUCED_CLOSURE_H

#include "explore/reduced/facts.h"
#include "explore/world.h"

// Somebody may send this.  mover is the actor whose receive sends it, sender
// the one in whose name: they differ for an init hook.  Coarse: msg is
// PLAY_NONE.
struct arrival {
    uint32_t mover, sender, to, msg;
};

// Coarse: msg is a type, and there is one of each.
struct mail {
    uint32_t msg, sender;
};

// What one actor may become and get.
struct prospect {
    VEC(uint32_t) states;
    VEC(struct mail) mail;
    uint32_t states_done, mail_done;
    uint32_t creator; // who may make it; PLAY_NONE: it is born
    bool touched, frozen, queued, shows;
};

struct closure {
    struct world *world;
    struct facts *facts;
    bool coarse;
    // Does this fact change what an invariant looks at?  NULL: there are none.
    bool (*shows)(void *self, uint32_t fact, uint32_t state, uint32_t msg);
    void *shows_self;
    VEC(struct prospect) actors; // prospects[i].shows: it may make such a run
    VEC(struct arrival) arrivals;
    VEC(uint32_t) queue, touched;
    VEC(uint32_t) marks; // by state: the closure it is in
    uint32_t serial;     // of this closure
    uint32_t steps;
    uint64_t *all_steps; // of all closures
};

// Begin with all actors free.  Then freeze some, then run.
void closure_begin(struct closure *c);
void closure_freeze(struct closure *c, uint32_t actor);
// Follow everything that may happen.  without: a flight that nobody receives,
// PLAY_NONE for none.  everything: all sends become arrivals, not only those to
// frozen actors. False: too many steps; what is there is only a part.
bool closure_run(struct closure *c, uint32_t without, bool everything);
void closure_free(struct closure *c);

#endif
