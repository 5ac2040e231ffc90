// The loop: record, generate, force, learn.
//
// Initial schedules are recorded; schedules are generated from them and forced;
// each execution is recorded in turn, and one that reached a goal becomes a
// source of schedules itself (the paper stops at the initial schedule and names
// that as its weakness).  Goals of a kind never reached, the same messages at
// the same class, are tried in turns with the others; when none is left, and
// now and then before, another sampled schedule is recorded.
//
// When no goal is left to try, all executions are explored, one per class, up
// to a number that grows from time to time.  If that comes to an end, what was
// not seen is impossible, and nothing more is to be done.  If all goals that
// are known are covered by then, the loop ends.  Otherwise the search goes on
// to the end of its budget, or without one until many recorded schedules in a
// row brought nothing.
#ifndef COVER_COVER_H
#define COVER_COVER_H

#include "cover/criteria.h"
#include "explore/explore.h"

// Schedules without a new goal, after which a search without a bound ends.
enum { COVER_PATIENCE = 5000 };

struct cover_options {
    enum delivery delivery;
    bool criteria[CRITERIA_N]; // tried in the order of the table
    uint64_t seed;
    uint32_t steps;   // longest schedule; 0: 10,000
    uint32_t initial; // random initial schedules; 0: 1
    uint32_t sources; // records with goals left to keep, at most; 0: 200
    uint64_t budget;  // executions; 0: no bound
    double seconds;   // 0: no bound
    double goal;      // stop at this part of the possible goals; 0: at all
    bool keep_going;
    bool once;       // do not learn from forced schedules: the paper's way
    bool beside;     // another strategy explores all executions, on this play
    uint64_t ignore; // 1 << enum bug_kind
};

struct cover_result {
    uint64_t executions;
    uint64_t receives;          // of all executions
    uint64_t effort;            // pairs of receives that were looked at
    uint64_t initial_schedules; // recorded, not forced
    uint64_t generated;         // schedules forced
    uint64_t infeasible;        // could not be followed to their end
    uint64_t cut;               // came to the bound on steps
    uint64_t missed;            // the order it was made for did not come about
    uint64_t missed_changes;    // of these: for PMR, its receives change the
                                // behaviour in the other order only
    uint64_t idle;              // raised nothing
    uint64_t sources;           // records generated from
    uint64_t bugs;
    bool complete;            // every execution was recorded
    enum criterion criterion; // tried last
    enum stop stopped_by;
    double seconds;
    struct coverage_counts counts[CRITERIA_N];
};

struct cover_sink {
    void *self;
    void (*bug)(void *self, const struct bug *b, const struct schedule *s);
    // After every execution.
    void (*execution)(void *self, const struct cover_result *so_far);
    // A generated schedule could not be followed; why is one line.
    void (*infeasible)(void *self, const char *why);
    bool (*stop)(void *self);
    // A final state, by its hash; may be NULL.
    bool (*final)(void *self, uint64_t hash);
};

// Raise coverage; *c keeps what was known before and learns.  extra are more
// initial schedules of this play, n of them.
void cover(struct play *p, const struct cover_options *o,
           const struct look *look, const struct schedule *const *extra,
           uint32_t n, const struct cover_sink *sink, struct coverage *c,
           struct cover_result *r);

// The same a step at a time, for those that do something else in between.
struct cover_loop; // opaque

// Borrows all; the result is brought up to date after each execution.
struct cover_loop *cover_begin(struct play *p, const struct cover_options *o,
                               const struct look *look,
                               const struct cover_sink *sink,
                               struct coverage *c, struct cover_result *r);
// One execution, or all that there are up to a number.  False: the loop is
// over.
bool cover_step(struct cover_loop *l);
// Is no goal left to try?  Then a step records one more sample.
bool cover_is_idle(const struct cover_loop *l);
void cover_end(struct cover_loop *l);

#endif
