// The fuzzer: inputs changed at random, and aimed at sides that were not seen.
//
// Kept are inputs that show a new place or a new side, and for each comparison
// with an unseen side those that come nearest to it.  Two thirds of the runs
// change such an input; one third takes one side, sees how its operands follow
// the numbers of the input, and steps to where they would meet.
#ifndef REACH_FUZZ_H
#define REACH_FUZZ_H

#include "base/rng.h"
#include "reach/run.h"

struct fuzz {
    struct runner *runner;
    struct rng rng;
    uint64_t runs;  // bound on the runs of the pool, 0: none
    double seconds; // of processor time, 0: no bound
    uint64_t stale; // runs without news after which it ends; 0: it does not
    uint64_t aimed; // runs that were aimed at a side
    // Asked after a run showed something new: is nothing left to look for?
    // NULL: something always is.
    bool (*done)(void *user);
    void *user;
    uint64_t looked; // run after which done() was asked last
    // Does a target lie behind this comparison?  NULL: nobody knows.
    bool (*leads)(void *user, uint32_t site);
};

// The first inputs of an empty pool.
void fuzz_seed(struct runner *r);
// Fuzz until a bound is reached or the pool says stop.
void fuzz_loop(struct fuzz *f);
// The same, but inputs that came near are not used: random posts, small
// parameters, random order.
void fuzz_random(struct fuzz *f);

// Make the input smaller as long as it passes `hit`, with at most `tries` runs
// that cost `effort` together, as runner_cost() has it.
void fuzz_shrink(struct runner *r, struct input *in, uint32_t hit,
                 uint32_t tries, uint64_t effort);

// ---- for the files of the fuzzer -------------------------------------------

// Make a message that is posted several times into one gene for each post, as
// far as there is room: then each has contents of its own.
void fuzz_unroll(struct input *in, uint32_t at);
// Change an input at random.
void fuzz_mutate(struct fuzz *f, struct input *in);
// A number that some comparison has or had as an operand, 0: none.
uint64_t fuzz_seen(struct fuzz *f);
double fuzz_seen_float(struct fuzz *f);
// Change a text.
void fuzz_text(struct fuzz *f, const struct leaf *l, unsigned char *bytes);
// The first few numbers in a text: how many, the nth from 0, another in place
// of it.
uint32_t fuzz_numbers(const struct leaf *l, const unsigned char *bytes);
uint64_t fuzz_number(const struct leaf *l, const unsigned char *bytes,
                     uint32_t nth);
void fuzz_set_number(const struct leaf *l, unsigned char *bytes, uint32_t nth,
                     uint64_t v);
// A message with random contents for some receptionist; false if there is none.
bool fuzz_gene(struct fuzz *f, struct gene *g);
// Do long runs have their share of receives left?
bool fuzz_long_allowed(const struct pool *p);
// Aim at one open side; false if there is none.
bool fuzz_aim(struct fuzz *f);

#endif
