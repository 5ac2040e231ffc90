// A survey of coverage: what a person, or a program that reads JSON, wants to
// see of it, per criterion and actor.
#ifndef COVER_SURVEY_H
#define COVER_SURVEY_H

#include "cover/criteria.h"

struct json;
struct text;

// Why an order that no constraint excludes was not seen.
#define REASONS(X)                                                             \
    X(TRIED, "tried, but the receives came otherwise")                         \
    X(OPEN, "not tried")

enum reason {
#define REASON_(name, text) REASON_##name,
    REASONS(REASON_)
#undef REASON_
        REASONS_N
};

struct survey_event {
    uint64_t id;
    const char *name; // "cut<room#1", "cut:2<room#1" for its second
    uint32_t actor;
};

struct survey_actor {
    const char *name;
    struct coverage_counts counts[CRITERIA_N];
    VEC(uint32_t) events; // in the order they were first seen
};

// All zero is empty.  Borrows the coverage.
struct survey {
    const struct coverage *coverage;
    VEC(struct survey_actor) actors; // by name, worker#2 before worker#10
    VEC(struct survey_event) events;
    struct map by_id; // in events
};

void survey_make(struct survey *v, const struct coverage *c);
void survey_free(struct survey *v);

// Numbers per criterion and actor.
void survey_numbers(const struct survey *v, const bool *criteria,
                    struct text *to);
// Per actor, which receive was seen before which, which order is impossible and
// by which constraint; at most `most` receives of each actor.
void survey_matrices(const struct survey *v, enum criterion cr, uint32_t most,
                     struct text *to);
// Would all the matrices fit on a screen or two?
bool survey_is_small(const struct survey *v);
// The goals that are left, by reason, at most `most` for each reason.  `ended`
// says why the search ended; NULL: by itself.
void survey_left(const struct survey *v, const bool *criteria,
                 const char *ended, uint32_t most, struct text *to);

// Members of an object: criteria, actors with their matrices, goals left.
void survey_json(const struct survey *v, const bool *criteria, struct json *j);

#endif
