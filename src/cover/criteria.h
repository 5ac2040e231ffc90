// The criteria, and what a set of schedules covers of them.
//
// Bita, section III, definitions 1-4.  An ordering goal is a pair of
// asynchronous receives of one actor in one order; a pair is covered when both
// orders were seen.  What is known grows with every record: pairs seen in one
// order, and orders that a record leaves open.
//
// Goals are kept twice.  Those of events, as the paper has them, guide the
// search: the same messages in another past are other goals.  Those of places
// (record.h) are counted and shown.
//
// An order that was not seen is *ruled out* if every schedule with both
// receives stands against it: by a constraint (musthb.h) or, in `mailbox`,
// because no schedule can be made for it.  That it is impossible is known for
// sure only when every execution was recorded.
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
enum criterion criterion_of(const char *id); // CRITERIA_N: none

// Are two receives related by the criterion (IV-B)?
bool criterion_related(const struct record *r, uint32_t i, uint32_t j,
                       enum criterion c);

// The flag of b before a is twice that of a before b.
enum {
    GOAL_FORTH = 1,    // a before b was seen
    GOAL_BACK = 2,     // b before a was seen
    GOAL_NO_FORTH = 4, // a before b is impossible: every execution was recorded
    GOAL_NO_BACK = 8,
    GOAL_TRIED_FORTH = 16, // a schedule was made for it
    GOAL_TRIED_BACK = 32,
    GOAL_HELD_FORTH = 64, // none could be made, though no constraint forbids it
    GOAL_HELD_BACK = 128,
    GOAL_FREE_FORTH = 256, // a record with both has no constraint against it
    GOAL_FREE_BACK = 512,
    GOAL_TURNED = 1024, // where the pair was met first, b came before a
    GOAL_HERE = 2048,   // of struct event_pair: there is such a goal
};

// A pair of receives, a's id below b's.
struct goal {
    enum criterion criterion;
    uint32_t flags;
    enum constraint why; // against an order that is ruled out
    uint32_t next;       // of places: goal of the same pair, another criterion
    uint64_t a, b;       // events, or places
    // of places: "writer#1", "flush:2<terminator#1"
    const char *actor, *a_name, *b_name;
};

// Is the order a before b (b before a, if not forth) ruled out or impossible?
bool goal_is_ruled_out(const struct goal *g, bool forth);

#define NO_GOAL UINT32_MAX

// Goals of places.
struct goal_table {
    VEC(struct goal) at;
    struct map index; // of a pair: its first goal; the others by `next`
};

// NULL if the two were never in one schedule.
const struct goal *goal_find(const struct goal_table *t, uint64_t a, uint64_t b,
                             enum criterion cr);

// A receive that is known: it has a number, and pairs are found by two numbers.
struct known_event {
    uint64_t id, place;  // place: where it was first
    uint32_t local;      // number among those of its actor; NO_EVENT: not known
    bool leads;          // it was the earlier one of a pair that was kept
    VEC(uint32_t) pairs; // by local number of one with a higher number
};

// Two events and their goals by all criteria.  Most of the time that cover
// takes is spent here, so it is small.
struct event_pair {
    uint32_t a, b;  // numbers of events, a's id below b's
    uint32_t place; // first goal of their places; NO_GOAL: not known
    // Bits: what a record said of the two, a first and b first; see is_news().
    uint32_t noted[2];
    uint16_t flags[CRITERIA_N]; // GOAL_HERE if there is such a goal
    uint8_t why[CRITERIA_N];
};

// Goals of places kept at most, and pairs of events: those of 2,000 receives by
// one actor.
enum { MOST_GOALS = 6000000, MOST_PAIRS = 2000000 };

struct coverage_counts {
    uint64_t goals, covered; // orders: two a pair
    uint64_t impossible;     // or ruled out
    uint64_t pairs;          // covered in both orders
};

// All zero is empty.
struct coverage {
    VEC(struct known_event) known;
    struct map known_index; // by id
    VEC(struct event_pair) pairs;
    struct map pair_index; // by two numbers, the lower first: pairs that are
                           // not found by local numbers
    struct map locals;     // of an actor: receives that have a local number
    uint64_t local_words;  // in all known
    struct goal_table places;
    uint32_t most; // pairs of events to keep; 0: MOST_PAIRS
    struct coverage_counts totals[CRITERIA_N]; // of places
    bool full;        // there are goals that are not here
    struct map kinds; // orders of kinds of receives that were seen
    struct arena texts;
    struct map names; // place, or hash of a text -> text, in name_list
    VEC(const char *) name_list;
    VEC(uint64_t) actor_names; // of the play's actors: hashes; 0: not known
    const struct play *names_of;
    uint64_t effort; // about how many pairs of receives were looked at
};

void coverage_free(struct coverage *c);
// Add a schedule.  Returns how many goals of events were not seen before.  The
// record is told where its pairs are, so that they are found without a search.
uint32_t coverage_add(struct coverage *c, struct play *p, struct record *r,
                      const struct musthb *m);
// A schedule with event i before event j was made, or cannot be.
void coverage_try(struct coverage *c, struct play *p, const struct record *r,
                  uint32_t i, uint32_t j, enum criterion cr, bool made);
// Every execution was added: what was not seen is impossible.
void coverage_complete(struct coverage *c);
// Merge what another set has seen.
void coverage_merge(struct coverage *c, const struct coverage *from);
// Merge one goal of events or, if it has names, of places.
void coverage_merge_goal(struct coverage *c, const struct goal *g);

// Was i before j (in this record, by this criterion) seen in some schedule?
bool coverage_has(const struct coverage *c, const struct record *r, uint32_t i,
                  uint32_t j, enum criterion cr);
// Which orders of two receives of a record are not covered yet: bit 2 * cr for
// i first, the next one for j first.
uint32_t coverage_open(const struct coverage *c, const struct record *r,
                       uint32_t i, uint32_t j);
// Was any receive like i seen before one like j: same class, same messages?
bool coverage_has_kind(const struct coverage *c, const struct record *r,
                       uint32_t i, uint32_t j, enum criterion cr);

// The goal of a pair of events by a criterion; false if there is none.
bool coverage_goal(const struct coverage *c, uint32_t pair, enum criterion cr,
                   struct goal *out);
// The pair of two events, NO_GOAL if they were never in one schedule.
uint32_t coverage_pair(const struct coverage *c, uint64_t a, uint64_t b);

// Add what a goal counts for.
void coverage_count(struct coverage_counts *n, const struct goal *g);

#endif
