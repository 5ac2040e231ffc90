// The graph of one execution: handler runs, what each received, and the order
// in which the search added them.
//
// A run is two events: R, its receive, and B, all its sends at once.  R is
// added first and B directly after it, unless a revisit gave R a new message;
// then R keeps its place in the order and its new B comes last.  At most one
// run, the open one, has its R in the order and its B still to be added; runs
// without sends have no B.  A test body is a run of actor PLAY_ENV that
// receives nothing.
//
// porf is the least transitive relation with: earlier runs of the same actor,
// the run that sent what was received, the run that created the actor.  A run's
// clock has, per actor, how many runs of it are in the porf-prefix, itself
// included; membership is one comparison.  (In `causal` what a message depends
// on is finer: not all sends of a run, but those before the one received, or
// before the end of the new actor's init.)
//
// An inbox lists all sends to an actor: in the order of addition, or, in the
// model `mailbox`, in the order of queueing, which is then a choice of its own
// and part of the graph.  Runs are named by index into a pool and keep it while
// they are out of the graph during a revisit.
//
// After Kokologiannakis et al., Truly Stateless, Optimal Dynamic Partial Order
// Reduction (POPL 2022), and Enea et al., Model Checking Distributed Protocols
// in Must (OOPSLA 2024), cut down to actors.
#ifndef EXPLORE_OPTIMAL_GRAPH_H
#define EXPLORE_OPTIMAL_GRAPH_H

#include "base/debug.h"
#include "base/vec.h"
#include "explore/explore.h"
#include "play/play.h"

#include <stdbool.h>
#include <stdint.h>

#define NO_RUN 0xffffffffu

// Was the receive the default among what it could have received?
enum maximal {
    MAXIMAL_NO,
    MAXIMAL_YES,
    MAXIMAL_ASK, // depends on the revisiting send: see graph_maximal()
};

struct run {
    uint32_t actor, k;   // the k-th run of its actor
    uint32_t from, nth;  // which run's which send; NO_RUN: timer or body
    uint32_t msg;        // play_timer(k): timer, PLAY_NONE: test body
    uint32_t sender;     // of the message; the actor itself if there is none
    uint32_t before;     // state of the actor before
    uint32_t at;         // in the inbox; NO_RUN: timer, body, or not there yet
    uint32_t r_at, b_at; // places in the order, NO_RUN if not in it
    uint32_t picks, n_picks; // answers to choose(): part of graph.picks
    enum maximal maximal;
    bool picked;  // an answer is not 0
    bool early;   // a receive before B in the order reads one of its sends
    bool settled; // effect is complete and its births have happened
    uint32_t mark, link; // scratch
    const struct effect *effect;
    uint32_t sent;  // causal: sends in runs of its actor before
    uint64_t part;  // of the hash of all states, when settled
    uint64_t delta; // how settling changes that hash
    uint32_t flags; // of the state afterwards, when settled
};

struct entry {
    uint32_t run, nth, sender;
    uint32_t reader; // NO_RUN: unread
};

struct inbox {
    uint32_t first;   // first state of the actor, PLAY_NONE if not born
    uint32_t creator; // run
    uint32_t sends;   // of that run before the end of the actor's init
    uint64_t born;    // place of the creating run in the order, and which birth
    uint32_t head;    // all entries below are read
    uint32_t unread;
    bool timer;          // the actor has a timer pending
    uint32_t flags;      // STATE_* of the first state
    uint64_t name, part; // hash of the name; part of the hash of all states
    VEC(uint32_t) runs;
    VEC(struct entry) entries;
    VEC(uint32_t) early; // receives in the order whose send is not
    uint32_t low;        // scratch of graph_mail.c
};

struct graph {
    struct play *play;
    enum delivery delivery;
    VEC(struct inbox) actors;
    VEC(struct run) runs;  // the pool
    VEC(uint32_t) unused;  // of the pool
    uint16_t *clocks;      // of all runs of the pool
    uint32_t *knows;       // causal: sends in runs of each that a run knows of
    uint32_t stride, room; // entries per clock, clocks
    VEC(uint32_t) order;   // run * 2, + 1 for B
    VEC(uint64_t) ready;   // bit set of actors with something to receive
    VEC(uint16_t) picks;
    uint32_t open;     // run, or NO_RUN
    uint32_t body;     // last segment of the test body
    uint32_t floor;    // no revisit below this place in the order
    uint32_t receives; // R's in the order that are not the test body's
    uint64_t hash;     // of all states
    uint32_t mark;     // last one given to a run
};

void graph_init(struct graph *g, struct play *p, enum delivery d);
void graph_release(struct graph *g);

static inline struct run *run_at(const struct graph *g, uint32_t run)
{
    debug_assert(run < g->runs.n);
    return &g->runs.at[run];
}

static inline uint16_t *run_clock(const struct graph *g, uint32_t run)
{
    return g->clocks + (size_t)run * g->stride;
}

// Is run q in the prefix that this clock describes?
static inline bool in_prefix(const struct graph *g, uint32_t q,
                             const uint16_t *clock)
{
    return run_at(g, q)->k < clock[run_at(g, q)->actor];
}

static inline uint32_t *run_knows(const struct graph *g, uint32_t run)
{
    return g->knows + (size_t)run * g->stride;
}

// causal: was the nth send of q sent before the mth of e, as far as e knows?
static inline bool sent_before(const struct graph *g, uint32_t q, uint32_t nth,
                               uint32_t e, uint32_t mth)
{
    const struct run *a = run_at(g, q), *b = run_at(g, e);
    uint32_t known =
        a->actor == b->actor ? b->sent + mth : run_knows(g, e)[a->actor];
    return a->sent + nth < known;
}

static inline bool is_body(const struct run *r)
{
    return r->msg == PLAY_NONE;
}

// The actor with this id; there is room for it afterwards.
struct inbox *graph_actor(struct graph *g, uint32_t actor);
// State and STATE_* flags an actor has after its runs so far.
uint32_t graph_state(const struct graph *g, uint32_t actor);
static inline uint32_t graph_flags(const struct graph *g, uint32_t actor)
{
    const struct inbox *a = &g->actors.at[actor];
    return a->runs.n ? run_at(g, vec_last(&a->runs))->flags : a->flags;
}

// Hash of all states at the end of an execution; equal to states_hash() of
// search.c.
uint64_t graph_final_hash(const struct graph *g);

// A new run, not in the order yet: actor receives what `from` sent as its
// nth, or (from is NO_RUN) its timer or goes on with the test body.
uint32_t run_new(struct graph *g, uint32_t actor, uint32_t from, uint32_t nth,
                 uint32_t msg);
void run_free(struct graph *g, uint32_t run);

// Ask the play for the effect of a run with its picks so far.
void run_ask(struct graph *g, uint32_t run);

// Put R at the end of the order; graph_pop() takes it away.  at: index in the
// inbox if the caller knows it, else NO_RUN.
void graph_link(struct graph *g, uint32_t run, uint32_t at);
// The effect of a run in the order is complete: births happen; and back.
void graph_settle(struct graph *g, uint32_t run);
void graph_unsettle(struct graph *g, uint32_t run);
// The same for B.  In `mailbox` the entries are placed by graph_mail.h.
void graph_link_sends(struct graph *g, uint32_t run);
void graph_unlink_sends(struct graph *g, uint32_t run);
// An actor's inbox has changed.
void graph_update_ready(struct graph *g, uint32_t actor);
// Take the last event from the order, and put it back.
uint32_t graph_pop(struct graph *g);
void graph_push(struct graph *g, uint32_t event);

// Has this actor been created in the present graph?
static inline bool is_born(const struct graph *g, uint32_t actor)
{
    return actor < g->actors.n && g->actors.at[actor].first != PLAY_NONE;
}

// The next index of the inbox, at or after i, of a message that its actor may
// receive now; NO_RUN if there is none.
uint32_t graph_deliverable(struct graph *g, uint32_t actor, uint32_t i);
// The smallest k such that the k-th run of the receiver could receive the nth
// send of run e instead of what it received; NO_RUN if none could.
uint32_t graph_earliest(const struct graph *g, uint32_t e, uint32_t nth);
// No event below this place in the order can be a receive to revisit by e.
uint32_t graph_reach(const struct graph *g, uint32_t e);
// Was this event maximally added, for revisits by the sends of run e?
bool graph_maximal(const struct graph *g, uint32_t event, uint32_t e);

// Which actor receives next; PLAY_NONE if all is quiet.
uint32_t graph_pick(const struct graph *g);

// The runs in the prefix of `run` (NO_RUN: all) in an order in which they can
// happen in the delivery model.
void graph_schedule(const struct graph *g, uint32_t run, struct schedule *out);
// The same for a part of the graph that is closed under porf: the first
// within[a] runs of each actor a, and then the run `last`.
void graph_schedule_part(const struct graph *g, const uint16_t *within,
                         uint32_t last, struct schedule *out);
// Is there a schedule of this graph in which more than `most` messages wait for
// the actor when the run has sent whose send is entry i of the inbox?  Then
// *within, with room for all actors, has what comes before that run.
bool graph_overflows(const struct graph *g, uint32_t actor, uint32_t i,
                     uint32_t most, uint16_t *within);
// The state of every actor that exists, PLAY_NONE for the others.
uint32_t graph_states(const struct graph *g, uint32_t *states, uint32_t room);
// What actors share, as the last segment of the body that touched it left it:
// handlers that touch it end the search.
uint32_t graph_shared(const struct graph *g);

// Let the play forget what no run of the pool needs.
void graph_forget(struct graph *g);

// For debug builds, between two nodes: is everything about the graph in order?
// An assert fails if not.
void graph_check(const struct graph *g);

#endif
