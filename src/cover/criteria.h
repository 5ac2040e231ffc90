// The criteria, and what a set of schedules covers of them.
//
// Bita, section III, definitions 1-4.  An ordering goal is a pair of
// asynchronous receives of one actor in one order; a pair is covered when both
// orders were seen.  What is known grows with every record: pairs seen in one
// order, goals that a constraint excludes.
#ifndef COVER_CRITERIA_H
#define COVER_CRITERIA_H

#include "base/arena.h"
#include "base/map.h"
#include "base/vec.h"
#include "cover/musthb.h"
#include "cover/record.h"

#define CRITERIA(X)                                                            \
    X(PR, "pr", "pairs of receives")                                           \
    X(PMR, "pmr", "pairs of a change of behaviour and a receive")              \
    X(PCR, "pcr", "pairs of consecutive receives")

enum criterion {
#define CRITERION_(name, id, text) CRITERION_##name,
    CRITERIA(CRITERION_)
#undef CRITERION_
        CRITERIA_N
};

const char *criterion_id(enum criterion c);
const char *criterion_text(enum criterion c);
enum criterion criterion_of(const char *id); // CRITERIA_N: none

// Are two receives related by the criterion (IV-B)?
bool criterion_related(const struct record *r, uint32_t i, uint32_t j,
                       enum criterion c);

enum {
    GOAL_FORTH = 1,    // a before b was seen
    GOAL_BACK = 2,     // b before a was seen
    GOAL_NO_FORTH = 4, // a before b is impossible
    GOAL_NO_BACK = 8,
    GOAL_TRIED_FORTH = 16, // a schedule was made for it
    GOAL_TRIED_BACK = 32,
    GOAL_HELD_FORTH = 64, // constraints of a record stood against it
    GOAL_HELD_BACK = 128,
    GOAL_TURNED = 256, // where the pair was met first, b came before a
};

// A pair of receives, a's id below b's.
struct goal {
    enum criterion criterion;
    uint32_t flags;
    enum constraint why;                 // of an impossible order
    uint64_t a, b;                       // events
    const char *actor, *a_name, *b_name; // "writer#1", "flush<terminator#1"
};

// Goals kept at most: those of 2,000 receives by one actor.
enum { MOST_GOALS = 6000000 };

struct coverage_counts {
    uint64_t goals, covered, impossible; // orders: two a pair
    uint64_t pairs;                      // covered in both orders
};

// All zero is empty.
struct coverage {
    VEC(struct goal) goals;
    uint32_t most; // goals to keep; 0: MOST_GOALS
    struct coverage_counts totals[CRITERIA_N];
    bool full;        // there are goals that are not here
    struct map kinds; // orders of kinds of receives that were seen
    struct map index;
    struct map rows; // events that were the earlier one of a pair kept first
    struct arena texts;
    struct map names; // event, or hash of a text -> text, in name_list
    VEC(const char *) name_list;
};

void coverage_free(struct coverage *c);
// Add a schedule.  Returns how many goals were not seen before; news, if not
// NULL, is set if it has receives that were never seen.
uint32_t coverage_add(struct coverage *c, struct play *p,
                      const struct record *r, const struct musthb *m,
                      bool *news);
// Merge what another set has seen.
void coverage_merge(struct coverage *c, const struct coverage *from);

// Was i before j (in this record, by this criterion) seen in some schedule?
bool coverage_has(const struct coverage *c, const struct record *r, uint32_t i,
                  uint32_t j, enum criterion cr);
// Was any receive like i seen before one like j: same class, same messages?
bool coverage_has_kind(const struct coverage *c, const struct record *r,
                       uint32_t i, uint32_t j, enum criterion cr);
// NULL if the two were never in one schedule.
struct goal *coverage_goal(const struct coverage *c, uint64_t a, uint64_t b,
                           enum criterion cr);

// Add what a goal counts for.
void coverage_count(struct coverage_counts *n, const struct goal *g);

#endif
