// New schedules from a recorded one: feasible, and each raises coverage.
//
// Bita, section IV, algorithms 1-3.  A generated schedule is a list of events
// of the record, in a new order; what is left out comes afterwards, in any
// order.  mustHB is that of the record throughout.
// PR has a way to more goals at once (in_flight.h), and so has the model
// `mailbox` (mailbox.h), where the paper's would not be feasible.
#ifndef COVER_GENERATE_H
#define COVER_GENERATE_H

#include "cover/criteria.h"

typedef VEC(uint32_t) event_list;

struct generator; // opaque

// What a schedule is made from, and for.
struct making {
    const struct record *r;
    const struct musthb *m; // of the record
    struct coverage *c;
    enum criterion cr;
    uint64_t *effort; // pairs of tails to look at still
    // Bits, by two events: there is nothing to want of these two in this order,
    // and never will be.  NULL: not needed yet.
    uint64_t *settled;
};
enum { GENERATE_EFFORT = 2000000 }; // for one schedule

// Two receives of a record that one actor made, and what was open of them.
struct want {
    uint32_t i, j;
    uint32_t open; // see coverage_open()
};
// All zero is empty; vec_free() frees it.
typedef VEC(struct want) want_list;

// What a record may be used for: its pairs of which an order is not covered and
// may come.  What is covered stays covered, so there is never more.
void wants_make(want_list *w, const struct record *r, const struct musthb *m,
                const struct coverage *c);

// Goals of the record by the criterion; with `novel` only those that no
// receives of the same class and messages reached; with `paper` by the paper's
// algorithms alone.  Borrows all but *of.
struct generator *generator_new(struct play *p, const struct making *of,
                                const want_list *w, bool novel, bool paper);
void generator_free(struct generator *g);
// The next schedule (algorithm 1, one step at a time, so that coverage may be
// brought up to date in between); false when there is none.  With `most`,
// goals out of turn come first if they bring more with them.
bool generator_next(struct generator *g, bool most, event_list *out);
// Is the order that the last schedule was made for covered now?
bool generator_reached(const struct generator *g);

// Algorithm 2: events as a list, positions in it.
void generate_schedule(const struct making *g, const event_list *s, uint32_t i,
                       uint32_t j, bool swap, event_list *out);

#endif
