// Exploration: what every strategy is asked, what it tells, what it returns.
//
// A strategy walks the executions of a play under a delivery model.  It speaks
// to its caller through a sink while it runs and through a result at the end.
// Nothing it holds grows with the number of executions, but the set of final
// states (64 bits each, capped) and, in `stateful`, the visited states.
#ifndef EXPLORE_EXPLORE_H
#define EXPLORE_EXPLORE_H

#include "play/delivery.h"
#include "play/play.h"
#include "play/schedule.h"

#include <stdbool.h>
#include <stdint.h>

struct engine; // search.h
struct work_list;

#define STRATEGIES(X)                                                          \
    X(AUTO, "auto", "several of these in turn")                                \
    X(OPTIMAL, "optimal", "one execution per class")                           \
    X(SOURCE, "source", "source-DPOR with sleep sets")                         \
    X(ETA, "eta", "evil ancestors and good siblings, after Eta")               \
    X(EXHAUSTIVE, "exhaustive", "every schedule")                              \
    X(STATEFUL, "stateful", "every global state")                              \
    X(REDUCED, "reduced", "the global states that matter")                     \
    X(RANDOM, "random", "each step one of those possible")                     \
    X(PCT, "pct", "random priorities with a few changes")                      \
    X(POS, "pos", "partial order sampling")                                    \
    X(URW, "urw", "random walk weighted towards uniform schedules")            \
    X(COVER, "cover", "pairs of receives in orders not seen yet")              \
    X(ROUNDROBIN, "roundrobin", "actors in turn")

// Why a search ended.  DONE: there was nothing left to look at.
#define STOPS(X)                                                               \
    X(DONE, "", "complete")                                                    \
    X(BUG, "bug", "stopped at the first bug")                                  \
    X(TIME, "time", "stopped at the time limit")                               \
    X(SCHEDULES, "schedules", "stopped at the limit of schedules")             \
    X(STEPS, "steps", "not complete")                                          \
    X(DELAYS, "delay-bound", "schedules with more delays were left out")       \
    X(MEMORY, "memory", "no room for more visited states")                     \
    X(ASKED, "interrupt", "interrupted")                                       \
    X(SAMPLED, "samples", "a sample")                                          \
    X(LIMIT, "limit", "stopped at a limit of troupe")                          \
    X(CLOCK, "clock", "not complete")                                          \
    X(REFUSED, "refused", "the strategy cannot explore this test")             \
    X(LOST, "workers", "worker processes keep dying")                          \
    X(ASIDE, "set-aside", "parts whose process died three times are left out")

// Why a strategy cannot explore a test.
#define REFUSALS(X)                                                            \
    X(NONE, "")                                                                \
    X(SINGLE, "the test body goes on after single receives")                   \
    X(SHARED, "actors share memory or exposed actors")                         \
    X(CLOCK, "the program looks at a clock that actors share")                 \
    X(TICKS, "the test body goes on, or ends, beside timers of every()")       \
    X(DELAYS, "only exhaustive and roundrobin bound delays")                   \
    X(UNIT, "a unit of work does not fit the program")                         \
    X(NOT_OPENED, "the test cannot be opened")                                 \
    X(ABSENT, "the strategy is not part of this program")                      \
    X(UNDIVIDED, "what is left of it cannot be divided")                       \
    X(NO_ESTIMATE,                                                             \
      "there is no estimate for it; optimal, exhaustive and eta have one")

enum strategy {
#define EXPLORE_X_(name, id, text) STRATEGY_##name,
    STRATEGIES(EXPLORE_X_)
#undef EXPLORE_X_
        STRATEGIES_N
};
enum stop {
#define EXPLORE_X_(name, id, text) STOP_##name,
    STOPS(EXPLORE_X_)
#undef EXPLORE_X_
        STOPS_N
};

enum refusal {
#define EXPLORE_X_(name, text) REFUSAL_##name,
    REFUSALS(EXPLORE_X_)
#undef EXPLORE_X_
        REFUSALS_N
};

const char *strategy_id(enum strategy s);
const char *stop_id(enum stop s);
const char *stop_text(enum stop s);
const char *refusal_text(enum refusal r);
// Does the strategy search states?  Then a schedule of it is only the way on
// which it met a state first.
bool strategy_by_state(enum strategy s);
// The strategy with this id, or STRATEGIES_N.
enum strategy strategy_of(const char *id);

// Order in which the siblings of a choice are visited (exhaustive, eta).
enum branch_order {
    ORDER_FIRST,   // as they come
    ORDER_RANDOM,  // shuffled at each node, by the seed
    ORDER_SCATTER, // anywhere in the tree, by the seed: space grows with it
};

// Which part of `auto` a process searches.
enum part {
    PART_ALL,
    PART_UNITS,  // units of `optimal`, and samples
    PART_STATES, // the strategies that keep states
    PARTS_N
};

// A strategy of a part above this one, with what its search begins with.
struct engine_above {
    const struct engine *engine;
    const void *self;
};

struct explore_options {
    enum delivery delivery;
    enum strategy strategy;
    enum branch_order order;
    uint64_t seed;
    uint32_t steps;      // longest schedule; 0: 10,000
    uint64_t schedules;  // executions at most, cut ones too; 0: no bound,
                         // but 10,000 samples if time has none either
    double seconds;      // time at most; 0: no bound
    bool bounded_delays; // no more than `delays` deviations from round robin
    uint32_t delays;
    uint32_t depth;         // pct: priority changes; 0: 3
    bool keep_going;        // all distinct bugs, not only the first
    bool guest;             // another search holds ids of the play: nothing is
                            // forgotten
    bool no_warm_up;        // auto: no samples to begin with
    enum part part;         // auto
    uint32_t turn;          // auto: distinguishes samples of several processes
    uint32_t slice;         // auto: receives of a first slice; 0: 200,000
    bool no_invariants;     // do not check invariants
    bool no_final_states;   // do not count final states
    bool shared;            // receives flagged EFFECT_SHARED are dependent
    bool own_clocks;        // each actor has a clock of its own
    uint32_t ticks;         // see play.h; whoever opens the play reads it
    bool warnings;          // tell the sink about bugs that are warnings
    uint64_t ignore;        // 1 << enum bug_kind
    uint32_t reduction_off; // reduced: rules left out, for tests
    uint64_t max_states;    // stateful: visited at most; 0: 2^24
    uint64_t max_finals;    // final states remembered, if the sink does not;
                            // 0: 2^22
    const struct engine_above *cover; // auto, cover; NULL: there is none
};

// Figures of a search, so far or at the end.
struct explore_result {
    uint64_t executions; // complete: nothing left to receive, body returned
    uint64_t broken_off; // of these: at a bug, in the middle; what is left
                         // of a search has them again
    uint64_t warm_up;    // auto: schedules of other strategies beside these
    uint64_t share[STRATEGIES_N]; // auto: schedules made by each
    enum strategy decided;        // auto: the one that ended the search
    uint64_t blocked;             // given up as redundant
    uint64_t cut;                 // cut at the step bound
    uint64_t receives;            // made by the search; undone ones count
    uint64_t final_states;        // distinct
    bool more_final_states;       // there are more than final_states
    uint64_t finals_hash; // of the set of final states; order does not matter
    uint64_t states;      // stateful, reduced: visited
    uint64_t bugs;        // distinct, warnings not counted
    uint64_t warnings;
    uint64_t ruled_out; // findings whose times contradict each other
    uint32_t max_depth; // receives of the longest execution
    bool rested;        // the bound on ticks left out something
    bool complete;
    enum stop stopped_by;
    enum refusal refused; // with STOP_REFUSED: why; auto: why not `optimal`
    double estimate;      // executions in all, < 0 if unknown
    double estimate_low;  // and between which numbers it is, nine times of ten
    double estimate_high; // <= 0: not known
    double growth;        // stateful, reduced: part of the last receives that
                          // led to states not seen before; 0: not known
    double progress;      // part of the search done, 0..1, < 0 if unknown
    double seconds;
};

// Schedules made: executions, and those that were cut.  A bug is told before
// the schedule it shows in is counted.
static inline uint64_t explore_schedules(const struct explore_result *r)
{
    return r->executions + r->cut;
}

// The same, with those of the other strategies of auto.
static inline uint64_t explore_made(const struct explore_result *r)
{
    return explore_schedules(r) + r->warm_up;
}

// Add the counts of a part of a search.  Final states are not added, because
// some may be the same in both.
void explore_result_add(struct explore_result *sum,
                        const struct explore_result *r);

// One complete execution.
struct ending {
    const struct schedule *schedule;
    const uint32_t *states; // per actor, PLAY_NONE if it was never born
    uint32_t n;
    uint64_t hash; // of the final state, the same in every process
};

// What a search tells.  Any member but self may be NULL.
struct explore_sink {
    void *self;
    // A bug not told before (see bug_key).  Borrowed until the call returns.
    void (*bug)(void *self, const struct bug *bug, const struct schedule *s);
    void (*execution)(void *self, const struct ending *e);
    // About five times a second.
    void (*progress)(void *self, const struct explore_result *so_far);
    bool (*stop)(void *self); // true: end the search
    // True: all of the search ends, not only this part of it.  An execution
    // that is looked at more closely is left only then.  NULL: as stop.
    bool (*ends)(void *self);
    // A final state, by its hash.  The callee remembers all of them; false if
    // this one was met before.
    bool (*final)(void *self, uint64_t hash);
    // Asked between executions of a search that can be divided (work.h).  If
    // true, `rest` is told what was done and what is left; the search goes on.
    bool (*wants_rest)(void *self);
    void (*rest)(void *self, const struct explore_result *so_far,
                 const struct work_list *left);
};

// Run the strategy of the options; auto is portfolio.h.  The result says how it
// ended.
void explore(struct play *p, const struct explore_options *o,
             const struct explore_sink *sink, struct explore_result *r);

#endif
