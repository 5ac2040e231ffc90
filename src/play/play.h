// A play: the program under test as a function.
//
//     (state of one actor, message) -> effect
//
// Actors share nothing and a handler runs to completion, so an actor's state
// follows from the messages it has handled, in order, and the outcome of a
// receive can be remembered.  All engines speak only of this function.  The
// memo in front of it lives here; behind it stands the stage, which runs the
// compiled C code, or in tests a toy program written as a table.
//
// What makes every receive a function of (state, message):
//   - Every actor accepts every message at any time.  A message its behaviour
//     defers, or that comes while a task holds the actor in get(), is received
//     and kept in the actor's state; it is handled, in order of receipt, within
//     the same receive that makes it acceptable.  A stopped or crashed actor
//     absorbs what it still gets.
//   - A reply is a message from the replier to the asker; receiving it resumes
//     the task that waits for it.  await_until conditions are tested again at
//     the end of every receive of that actor.
//   - Timers live in the state of the actor that set them, with what is known
//     of the differences between their due times (runtime/bounds.h).  Several
//     may be the next to fire.  While a state has such timers, the actor may at
//     any time receive play_timer(k): the k-th of them, in order of setting,
//     fires.  Which timers those are follows from the state alone.
//   - watch is a message to the watched actor; the notice is a message back.
//   - At the end of a test the fini hooks of living actors run: an actor with
//     STATE_FINI receives PLAY_FINI.  Only bugs come of it; nobody is told
//     anything any more, and its state does not matter.
//   - choose(n) is answered from `picks`, a list given with the request.
//   - Programs that look at the clock have one for all actors, in milliseconds,
//     which never goes back along an execution.  A receive happens when the
//     clock shows, or later if a timer fires; whoever looks at the clock is as
//     early as that allows.  Only timers and sleeps move it.  What it shows is
//     part of the request for a run that depends on it (play_clock), and the
//     effect says what it shows at least afterwards.
//
// Ids are small integers, dense, in order of first sight.  A state belongs to
// one actor.  Equal contents have equal ids until play_forget().  Names of
// actors come from creation history (creator, its n-th creation) and hashes of
// contents are the same in every process.
#ifndef PLAY_PLAY_H
#define PLAY_PLAY_H

#include "base/hash.h"
#include "play/bug.h"

#include <stdbool.h>
#include <stdint.h>

enum { PLAY_ENV = 0 };                 // the actor that is the test body
#define PLAY_NONE UINT32_C(0xffffffff) // no actor, state or message

// Message ids of timers: play_timer(k) for k below PLAY_TIMERS_MOST, from the
// top.  Ids of messages are below PLAY_FINI.
enum { PLAY_TIMERS_MOST = 4096 };
#define PLAY_TIMERS (PLAY_NONE - PLAY_TIMERS_MOST)
#define PLAY_FINI (PLAY_TIMERS - 1) // message id: the test is over

// The k-th of those timers of a state that may be the next fires.
static inline uint32_t play_timer(uint32_t k)
{
    return PLAY_NONE - 1 - k;
}

static inline bool play_is_timer(uint32_t msg)
{
    return msg >= PLAY_TIMERS && msg != PLAY_NONE;
}

static inline uint32_t play_timer_index(uint32_t msg)
{
    return PLAY_NONE - 1 - msg;
}

// The bound on ticks: how often a timer that is set again and again, or by
// every(), fires on one execution before it rests.  In options and in cases 0
// is TICKS_USUAL.
enum { TICKS_USUAL = 3 };
#define TICKS_ANY UINT32_MAX // no bound

// What a `ticks` of options or a case means as a bound; 0: no bound.
static inline uint32_t ticks_bound(uint32_t ticks)
{
    return ticks == TICKS_ANY ? 0 : ticks ? ticks : TICKS_USUAL;
}

// A new actor's init hook runs within the receive that creates it, but what it
// sends is the new actor's.  All other sends are the receiver's.
struct send {
    uint32_t sender, to; // actors
    uint32_t msg;  // message id; type, payload, and what a reply must know
    uint32_t line; // where in the source it was sent, 0 if unknown
};

struct birth {
    uint32_t actor;
    uint32_t state; // its first state
    uint32_t sends; // how many of the run's sends came before its init ended
};

enum {
    EFFECT_SENDER = 1, // the run asked who sent the message
    EFFECT_PICK = 2,   // the run asked for choose(n) beyond the picks given:
                       // nothing else but `pick` is valid
    EFFECT_SHARED = 4, // the run touched memory that actors share (--shared)
    EFFECT_BODY_DRAIN = 8, // test body: goes on when nothing is left to deliver
                           // but timers of every(), which it need not wait for
    EFFECT_BODY_ONE = 16,  // test body: goes on after one more receive
    EFFECT_BODY_DONE = 32, // test body: has returned
    EFFECT_CLOCK = 64,     // the run depends on the clock
    EFFECT_LOOKED = 128,   // it looked at the clock: it ends at `clock` exactly
    EFFECT_ONCE = 256,     // the run was not repeated with other memory
};

// The outcome of one receive.  Valid until play_forget(); never written to.
// There is one for each run, so it is kept to 64 bytes.
struct effect {
    uint32_t state; // of the actor afterwards
    uint32_t n_sends;
    uint16_t n_births, n_bugs;
    uint16_t flags;
    uint16_t pick;              // with EFFECT_PICK: the n of choose(n)
    const struct send *sends;   // in the order of the calls
    const struct birth *births; // likewise
    const struct bug *bugs;     // n_bugs of them, NULL if none
    uint32_t handlers;  // handler functions that ran to an end or a wait
    uint32_t shared;    // with EFFECT_SHARED: memory that actors share, as
                        // the run leaves it: a state without an actor
    uint64_t clock;     // what the clock shows at least afterwards
    const char *output; // what the run printed, NULL if nothing
};

enum {
    STATE_TIMER = 1,    // a timer may fire: play_timer(0) may be received
    STATE_HOT = 2,      // rests in a hot behaviour
    STATE_WAITS = 4,    // a reply to an ask of its own has not come
    STATE_KEPT = 8,     // deferred messages are kept
    STATE_STOPPED = 16, // absorbs
    STATE_CRASHED = 32, // absorbs
    STATE_UNTIL = 64,   // a task waits for a condition, in await_until
    STATE_FINI = 128,   // lives, and its class has a fini hook
    STATE_RESTS = 256,  // a timer has fired as often as the bound on ticks
                        // allows, and is pending
    STATE_OWES = 512,   // a timer is pending that fires once: a test body that
                        // drains waits for it, also if it can never fire since
                        // others rest
    STATE_TIMED = 1024, // timers are pending or were counted
    STATE_EVERY = 2048, // a timer of every() is pending that does not rest: a
                        // body that drains need not wait for it
    STATE_BODY_WAITS = 4096, // of the environment: the body waits for a reply
                             // that has not come
    // An actor with one of these flags when nothing is left to deliver has it
    // for ever.
    STATE_STUCK =
        STATE_HOT | STATE_UNTIL | STATE_WAITS | STATE_KEPT | STATE_BODY_WAITS,
    STATE_TIMERS_SHIFT = 16,     // above, 8 bits: timers that may be the next
    STATE_ALL_TIMERS_SHIFT = 24, // above: with those that rest
};

// Flags of a state in which n timers may be the next to fire, and `all` with
// those that rest.
static inline uint32_t state_timer_flags(uint32_t n, uint32_t all)
{
    return (n ? STATE_TIMER : 0u) | n << STATE_TIMERS_SHIFT |
           all << STATE_ALL_TIMERS_SHIFT;
}

// How many timers may be the next to fire, by the flags of a state.
static inline uint32_t state_timers(uint32_t flags)
{
    return flags >> STATE_TIMERS_SHIFT & 0xff;
}

// The same without the bound on ticks: play_timer(k) for these k may be run.
static inline uint32_t state_all_timers(uint32_t flags)
{
    return flags >> STATE_ALL_TIMERS_SHIFT;
}

struct play_state {
    uint32_t actor;
    uint32_t flags;
    struct digest hash; // of the contents, the same in every process
};

// A timer that may be the next to fire.
struct play_pending {
    uint64_t name;  // tells it from others of its actor that are pending
    uint32_t msg;   // what it brings; PLAY_NONE: it is the limit of an ask
    const char *of; // the message's name; the request's
    bool first;     // it is the next if no time passes between receives
};

// A pending timer, when it is due.
struct play_due {
    uint64_t name;
    int64_t after;  // its actor's last receive at most, in milliseconds
    uint64_t every; // when it fires it is set again for this much later; 0: not
};

struct play;

// Behind the memo: runs the code.  `self` is the implementation's.
struct play_ops {
    // Fill *out for one receive; its arrays must live until forget().  sender
    // is valid whether or not the run asks for it.
    void (*run)(void *self, uint32_t state, uint32_t msg, uint32_t sender,
                const uint16_t *picks, uint32_t n_picks, struct effect *out);
    // Go on with the test body: env is its state; states has one state per
    // actor (PLAY_NONE for those not born); of in_flight, only to and msg
    // count.
    void (*body)(void *self, uint32_t env, const uint32_t *states, uint32_t n,
                 const struct send *in_flight, uint32_t n_in_flight,
                 const uint16_t *picks, uint32_t n_picks, struct effect *out);
    // The first broken invariant in this global state, or NULL.
    const struct bug *(*invariant)(void *self, const uint32_t *states,
                                   uint32_t n, const struct send *in_flight,
                                   uint32_t n_in_flight);
    // The same, and note what of the actors' states invariants look at.  NULL:
    // it may be anything.
    const struct bug *(*watched_invariant)(void *self, const uint32_t *states,
                                           uint32_t n,
                                           const struct send *in_flight,
                                           uint32_t n_in_flight);
    // Are two states of one actor the same in everything that watched
    // invariants have looked at so far?  NULL: only a state itself is.
    bool (*alike)(void *self, uint32_t a, uint32_t b);
    // Have invariants looked at this actor so far, or at messages like this
    // one?  NULL: they may look at everything.
    bool (*watches_actor)(void *self, uint32_t actor);
    bool (*watches_msg)(void *self, uint32_t msg);
    uint64_t (*watches)(void *self); // how much in all; it only grows
    const struct play_state *(*state)(void *self, uint32_t state);
    // The timer that play_timer(k) fires.  NULL if there are never two of one
    // actor that may be the next.
    void (*timer)(void *self, uint32_t state, uint32_t k,
                  struct play_pending *out);
    // How many messages may wait for an actor, 0: any number.  NULL: always.
    uint32_t (*mailbox)(void *self, uint32_t actor);
    // Names for reports: "server#1", "master#1/worker#2", "test".
    const char *(*actor_name)(void *self, uint32_t actor);
    const char *(*actor_class)(void *self, uint32_t actor);
    const char *(*msg_name)(void *self, uint32_t msg);
    // An actor by name, PLAY_NONE if no such actor was seen yet.
    uint32_t (*actor_named)(void *self, const char *name);
    // Hash of an actor's name and of a message, the same in every process.
    uint64_t (*actor_hash)(void *self, uint32_t actor);
    struct digest (*msg_hash)(void *self, uint32_t msg);
    // Drop everything but these states and messages, whose ids stay valid.
    void (*forget)(void *self, const uint32_t *states, uint32_t n_states,
                   const uint32_t *msgs, uint32_t n_msgs);
    uint64_t (*bytes)(void *self); // memory held
    // The clock shows this from now on.  NULL if there is none for all actors.
    void (*clock)(void *self, uint64_t clock);
    // The hash of a state or a message relative to what the clock shows: equal
    // for those that differ only by a shift of all times.  NULL without clock.
    struct digest (*state_hash)(void *self, uint32_t state, uint64_t clock);
    struct digest (*message_hash)(void *self, uint32_t msg, uint64_t clock);
    // The hash of a state at the end of an execution: timers that still rest
    // and how often they fired make no difference.  NULL: as state_hash.
    struct digest (*final_hash)(void *self, uint32_t state, uint64_t clock);
    // The i-th pending timer of a state, in order of setting.  False: no more.
    bool (*due)(void *self, uint32_t state, uint32_t i, struct play_due *out);
    // The memory that actors share is in this state from now on; PLAY_NONE: as
    // at the start.  NULL if actors share nothing.
    void (*share)(void *self, uint32_t shared);
};

struct play_counts {
    uint64_t runs;   // distinct (state, message[, sender][, picks]) run
    uint64_t once;   // of these, not repeated to look for what they must not
                     // depend on
    uint64_t hits;   // answered from the memo
    uint64_t bodies; // continuations of the test body that were run
};

// A play in front of self.  limit bounds the bytes that memo and
// implementation hold before play_full() says so; 0: 1 GiB.
struct play *play_new(const struct play_ops *ops, void *self, uint64_t limit);
void play_free(struct play *p);

// The effect of one receive, from the memo or by running it.
const struct effect *play_run(struct play *p, uint32_t state, uint32_t msg,
                              uint32_t sender, const uint16_t *picks,
                              uint32_t n_picks);
// With memory that actors share: runs and bodies from now on find it in this
// state (effect.shared of the last one that touched it; PLAY_NONE at first).
void play_share(struct play *p, uint32_t shared);
// Is there a clock for all actors?
bool play_clocked(const struct play *p);
// Runs, bodies and invariants from now on find the clock so.
void play_clock(struct play *p, uint64_t clock);
// Hashes relative to a clock, or plain ones if there is none.
struct digest play_state_hash(struct play *p, uint32_t state, uint64_t clock);
struct digest play_message_hash(struct play *p, uint32_t msg, uint64_t clock);
// The hash that stands for a state at the end of an execution: not the same as
// play_state_hash() only if the state has STATE_TIMED.
struct digest play_final_hash(struct play *p, uint32_t state, uint64_t clock);
bool play_due(struct play *p, uint32_t state, uint32_t i, struct play_due *out);
// Does it matter when a test ends whose body has returned, while timers of
// every() go on?  It does if fini hooks run then, or somebody wants to see all
// final states.
void play_set_early_ends(struct play *p, bool matter);
bool play_early_ends(const struct play *p);
// Has any state so far had STATE_RESTS: did the bound on ticks leave out
// something?
bool play_rested(const struct play *p);
// The first segment of the test body (env PLAY_NONE, no states), and those
// after: the same arguments as play_ops.body.
const struct effect *play_body(struct play *p, uint32_t env,
                               const uint32_t *states, uint32_t n,
                               const struct send *in_flight,
                               uint32_t n_in_flight, const uint16_t *picks,
                               uint32_t n_picks);
const struct bug *play_invariant(struct play *p, const uint32_t *states,
                                 uint32_t n, const struct send *in_flight,
                                 uint32_t n_in_flight);
const struct bug *play_watched_invariant(struct play *p, const uint32_t *states,
                                         uint32_t n,
                                         const struct send *in_flight,
                                         uint32_t n_in_flight);
bool play_alike(struct play *p, uint32_t a, uint32_t b);
bool play_has_invariants(const struct play *p);
// The bound on messages that wait for an actor, 0: none.
uint32_t play_mailbox(const struct play *p, uint32_t actor);
bool play_watches_actor(const struct play *p, uint32_t actor);
bool play_watches_msg(const struct play *p, uint32_t msg);
uint64_t play_watches(const struct play *p);
const struct play_state *play_state(struct play *p, uint32_t state);
struct play_pending play_timer_of(struct play *p, uint32_t state, uint32_t k);
const char *play_actor_name(struct play *p, uint32_t actor);
const char *play_actor_class(struct play *p, uint32_t actor);
const char *play_msg_name(struct play *p, uint32_t msg);
uint32_t play_actor_named(struct play *p, const char *name);
uint64_t play_actor_hash(struct play *p, uint32_t actor);
struct digest play_msg_hash(struct play *p, uint32_t msg);
const struct play_counts *play_counts(const struct play *p);
uint64_t play_bytes(struct play *p);

// What was run is run again when it is asked for: a debugger wants to see it.
// Ids and effects stay valid.
void play_again(struct play *p);

// Time to forget: the limit is reached.  Afterwards, only the given ids and
// no effect pointer are valid.
bool play_full(struct play *p);
void play_forget(struct play *p, const uint32_t *states, uint32_t n_states,
                 const uint32_t *msgs, uint32_t n_msgs);

// Is each remembered run found by its key, and is there room left?
void play_check(const struct play *p);

#endif
