// What all strategies share while they run: budgets, bugs, final states.
//
// A strategy calls search_effect() after each receive and search_ending() for
// each complete execution, and ends as soon as `over` is set.
#ifndef EXPLORE_SEARCH_H
#define EXPLORE_SEARCH_H

#include "base/arena.h"
#include "base/rng.h"
#include "explore/explore.h"
#include "base/hashset.h"
#include "explore/seen.h"
#include "explore/world.h"

struct search {
    struct play *play;
    const struct explore_options *options;
    const struct explore_sink *sink;
    struct explore_result *result;
    uint64_t at_bug;      // schedules counted when a bug ended the search
    bool over;            // result->stopped_by says why
    bool guest;           // shares the play, others hold its ids: forgets none
    uint64_t pause_at;    // receives and executions after which it pauses
    uint64_t known;       // receives that led to states seen before
    uint64_t looks_ahead; // reduced: remembered runs that it followed
    bool invariants;      // there are some, and they are to be checked
    bool watched;         // and what they look at is to be noted
    uint32_t steps;       // bound on the receives of an execution
    struct rng rng;
    struct hashset told;      // keys of bugs
    struct hashset finals;    // hashes of final states, if the sink keeps none
    struct seen checked;      // global states whose invariants hold
    struct cuts *cuts;        // NULL until needed
    struct endless *endless;  // likewise
    struct waiting *waiting;  // likewise
    struct schedule schedule; // scratch
    struct arena texts;
    double began, next_look;
    double next_estimate; // estimates take a tenth of the time at most
    const struct play_counts *counts; // of the play
    uint64_t runs_seen;               // counts->runs at the last look
    uint32_t ticks;                   // search_tick() since the last look
    // If set, brings estimate and progress of the result up to date.
    void (*estimate)(void *self, struct explore_result *r);
    void *estimate_self;
};

void search_init(struct search *s, struct play *p,
                 const struct explore_options *o,
                 const struct explore_sink *sink, struct explore_result *r);
// Fill in what the result still lacks, and give everything back.
void search_release(struct search *s);

// Must the strategy leave its loop, to pause or to end?
static inline bool search_pauses(const struct search *s)
{
    const struct explore_result *r = s->result;
    return s->over || r->receives + r->executions >= s->pause_at;
}

// End the search.  The first reason given is kept.
void search_stop(struct search *s, enum stop why);
// End the search, because the strategy cannot explore this test.
void search_refuse(struct search *s, enum refusal why);

// Of an actor's flags at the end of an execution, those that say whether
// somebody waits and whether timers might help.
static inline uint32_t search_rest_flags(uint32_t actor, uint32_t flags)
{
    if (flags & STATE_STOPPED)
        return 0;
    return actor != PLAY_ENV
               ? flags
               : flags & (STATE_BODY_WAITS | STATE_RESTS | STATE_TIMER);
}

// Count a receive that was made with `pending` messages in flight.  Looks at
// the clock now and then.
void search_tick(struct search *s, uint32_t pending);
// Must all of the search end?  For long looks at one execution, which are lost
// if they are left: looks at the clock and asks the sink's `ends`.
bool search_ends(struct search *s);
// Look at the clock, at the sink's wish to stop, and tell of progress.
void search_look(struct search *s);

// The world has just made a step with this effect: count it, tell its bugs,
// check invariants if check is set.
void search_effect(struct search *s, struct world *w, const struct effect *e,
                   bool check);
// The world has nothing left to receive and the body has returned: count it,
// look for actors that wait for ever, tell the sink.
void search_ending(struct search *s, struct world *w);

// The world reached the bound on steps and its execution is given up: look for
// a cycle on it (endless.h), and count it.
void search_give_up(struct search *s, struct world *w);

// Strategies that visit one execution of a class: check the invariants in all
// global states that the class passes through, if there are invariants.
void search_check_cuts(struct search *s, const struct schedule *schedule);

// Does somebody want to know of this message in a mailbox that is full?  Not if
// it was told before.  *b gets all but its text.
bool search_wants_full(struct search *s, uint32_t to, uint32_t msg,
                       struct bug *b);
// Its text: the mailbox has `most` messages and takes no more.
void search_full(struct search *s, uint32_t to, uint32_t most, struct bug *b);
// For strategies that keep no world.  search_final checks the cuts.
void search_bug(struct search *s, const struct bug *b,
                const struct schedule *schedule);
void search_final(struct search *s, const struct schedule *schedule,
                  const uint32_t *states, uint32_t n, uint32_t shared);
// Will the schedule of an execution given up now be looked at?  If not, the
// caller may give NULL.
bool search_wants_given_up(struct search *s);
void search_give_up_schedule(struct search *s, const struct schedule *schedule);
// For strategies that keep no world.  The test ends with actors in these
// states, and what actors share in the state `shared`.  Does a fini hook show a
// new bug?
bool search_fini(struct search *s, const uint32_t *states, uint32_t n,
                 uint32_t shared);
// Only count an execution that nobody wants to see and in which nobody waits.
void search_count(struct search *s, uint64_t hash, uint32_t receives);

// A strategy that can pause between two receives.  An execution counts as a
// receive, because some executions have none.
struct engine {
    void *(*begin)(struct search *s);
    // Go on until search_pauses().  False: nothing is left.
    bool (*go)(void *self);
    // Free self.  Called before the search is released.
    void (*end)(void *self);
};

extern const struct engine engine_exhaustive, engine_source, engine_stateful,
    engine_reduced, engine_samples, engine_optimal;

// NULL: the strategy cannot pause, or is not there.
const struct engine *engine_of(const struct explore_options *o,
                               enum strategy s);
// Run an engine from begin to end.
void engine_run(const struct engine *e, struct search *s);
// Refuse the search if the program has a clock that the strategy would ignore.
// True if it was refused.
bool search_clock_refused(struct search *s);

// The strategies that cannot pause.
void explore_eta(struct search *s);
// exhaustive or, with reduce, eta, in the order ORDER_SCATTER: nodes from
// anywhere in the tree, so all that wait are kept.
void explore_scattered(struct search *s, bool reduce);

#endif
