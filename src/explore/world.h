// The world: all actors of one execution, and the messages in flight.
//
// A world holds one prefix of an execution and can go one receive forward or
// back.  Both cost about as much as the messages sent in it; nothing is
// allocated once the stacks have grown.  Which messages may be received next
// depends on the delivery model; which effects they have, on the play.
//
// Flights and trails are stacks: a message in flight has the same index as
// long as the step that sent it is not undone, so indices may be kept at any
// node of a depth first search for all of its subtree.
#ifndef EXPLORE_WORLD_H
#define EXPLORE_WORLD_H

#include "explore/explore.h"

#define CHOICE_BODY PLAY_NONE // instead of a flight

// In world.body: the test has ended although timers of every() go on.
enum { WORLD_OVER = 1 << 15 };

// Something that may happen next.
struct choice {
    uint32_t actor;
    uint32_t flight;         // or play_timer(k), or CHOICE_BODY
    uint32_t picks, n_picks; // a part of world.picks
};

// Is it a message, not a timer or the body?
static inline bool is_flight(uint32_t flight)
{
    return flight < PLAY_TIMERS;
}

// A message sent; unlinked while it is received.
struct flight {
    uint32_t to, msg, sender, line;
    uint32_t source, nth;    // as in struct step
    uint32_t next, prev;     // in the receiver's list, in order of sending
    uint32_t clock, n_clock; // causal: the sending run's vector clock
    uint32_t index;          // causal: sends in runs of that actor before
    struct digest name;      // see world_flight_hash(); low 0: not known yet
};

// An actor.
struct seat {
    uint32_t state;       // PLAY_NONE: not born
    uint32_t flags;       // of play_state
    uint32_t first, last; // messages in flight to it
    uint32_t n_flights;
    uint32_t receives;
    uint32_t creator;        // step, PLAY_NONE: the environment
    uint32_t clock, n_clock; // causal: vector clock, of sends in runs of each
    uint32_t sends;          // causal: sent in its runs so far
    uint32_t stamp;          // scratch
    bool hashed;             // name_hash is known
    uint64_t name_hash;      // of the actor's name
    struct digest part;      // of the states' hash
};

// One step done, and what undoing it takes.
struct trail_step {
    uint32_t actor, flight; // as in struct choice
    uint32_t picks, n_picks;
    uint32_t effect_flags;
    bool moves_clock;                 // may move it, whatever it shows
    uint32_t state, flags;            // before
    uint32_t clock, n_clock, sends;   // before
    uint32_t flights, births, clocks; // heights before
    uint16_t body;                    // before
    bool due;                         // before
    bool early;                       // the body goes on, and timers might fire
    struct digest part;               // before
    uint32_t shared;                  // before
    uint64_t time;                    // before
};

// A message in flight: who sent it, its number among that sender's, and a sum
// of names.
struct known {
    uint32_t by, index;
    struct digest sum;
};

struct world {
    struct play *play;
    enum delivery delivery;
    uint32_t n;                // seats in use
    uint32_t pending;          // messages in flight
    uint32_t timers;           // actors with a timer
    uint32_t every;            // actors with one of every() that does not rest
    struct digest hash;        // of all states, whatever is in flight
    uint32_t shared;           // memory that actors share; PLAY_NONE: untouched
    struct digest shared_part; // of the hash
    bool clocked;              // there is a clock for all actors
    uint64_t time;             // what it shows
    uint16_t body; // EFFECT_BODY_* of its last segment; 0: not begun;
                   // WORLD_OVER
    bool due;      // the body goes on next
    bool guest;    // others use the play too: never make it forget
    bool tireless; // timers that rest may fire, too
    uint32_t stamp;
    VEC(struct seat) seats;
    VEC(uint32_t) states; // as play_body wants them
    VEC(struct flight) flights;
    VEC(struct trail_step) trail;
    VEC(uint32_t) births;
    VEC(uint32_t) clocks;
    VEC(uint16_t) picks; // of choices: pushed and popped by their owner
    VEC(struct send) scratch;
    struct effect over; // of the test's early end
    // Scratch of world_hash.c:
    VEC(uint32_t) places;     // by sender: its messages so far
    VEC(struct digest) names; // by flight
    VEC(struct known) known;  // what is in flight, by who sent it and when
    struct digest sum;
};

void world_init(struct world *w, struct play *p, enum delivery d);
void world_release(struct world *w);
// Back to the state before the body began.
void world_reset(struct world *w);

typedef VEC(struct choice) choices;

// Append what may happen next, by actor, then in order of sending, timers
// last.  None: the execution is complete, or the bound on ticks ends it while
// the body waits.  Where nothing is left but timers of every() the body need
// not wait for them: it comes last then, or the end does if the body has
// returned (play_early_ends).
void world_choices(struct world *w, choices *out);
// Is there a timer of every() that the body, or the end, does not wait for?
// Then what follows does not only depend on the order of each actor's receives.
static inline bool world_beside_ticks(const struct world *w)
{
    return w->every && !(w->body & WORLD_OVER) &&
           (w->body & EFFECT_BODY_DRAIN ||
            (w->body & EFFECT_BODY_DONE && play_early_ends(w->play)));
}
// May this flight be received now?
bool world_deliverable(struct world *w, uint32_t flight);
// Was flight a sent before b in the eyes of b's sender (causal)?
bool world_before(const struct world *w, uint32_t a, uint32_t b);

// Make one step.  If the effect has EFFECT_PICK, nothing has happened and the
// choice must be made again with one more pick (see world_pick).
const struct effect *world_do(struct world *w, const struct choice *c);
void world_undo(struct world *w);
// For debug builds: is everything about it in order?  An assert fails if not.
void world_check(const struct world *w);
// The choice with pick p appended.
struct choice world_pick(struct world *w, const struct choice *c, uint16_t p);

// The flight to `actor` that is the n-th send of a step; PLAY_NONE: none.
uint32_t world_flight(const struct world *w, uint32_t actor, uint32_t source,
                      uint32_t nth);

// The lower half of a timer's name.  msg: what fires it in this state.
uint32_t timer_number(struct play *p, uint32_t state, uint32_t msg);

// Receives so far: steps that are not the body's.
uint32_t world_receives(const struct world *w);
// All steps so far as a schedule.
void world_schedule(const struct world *w, struct schedule *out);
// Hash of the states alone.  With a clock, relative to it.  final: timers that
// rest, and counts of ticks, are left out.
struct digest world_states_hash(struct world *w, bool final);
// Hash of states and messages in flight: equal for worlds that differ in
// nothing the delivery model can tell apart.  loose: their order is left out.
struct digest world_hash(struct world *w, bool loose);
// Of one message, wherever it is in its queue.
struct digest world_flight_hash(struct world *w, uint32_t flight);
// Likewise, with its place in its channel in `pair`.
struct digest world_flight_name(struct world *w, uint32_t flight);
// The first broken invariant.  watched: what they look at is noted (play.h).
const struct bug *world_invariant(struct world *w, bool watched);

// In whose run was it sent?  The sender's, or that of the sender's creator.
static inline uint32_t world_sent_by(const struct world *w,
                                     const struct flight *f)
{
    return w->trail.at[f->source].actor;
}

// The entry of an actor in a vector clock of n entries.
static inline uint32_t world_clock(const struct world *w, uint32_t clock,
                                   uint32_t n, uint32_t actor)
{
    return actor < n ? w->clocks.at[clock + actor] : 0;
}

// What one actor's state adds to world.hash.
static inline uint64_t world_half(uint64_t state_hash, uint64_t name_hash)
{
    uint64_t part = state_hash * 0x9e3779b97f4a7c15u ^ name_hash;
    part = (part ^ (part >> 32)) * 0xd6e8feb86659fd93u;
    return part ^ (part >> 32);
}

static inline struct digest world_part(struct digest state, uint64_t name_hash)
{
    return (struct digest){world_half(state.low, name_hash),
                           world_half(state.high, name_hash)};
}

#endif
