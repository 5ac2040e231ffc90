// What the files of the random runs share: the fuzzer of one function, which
// lives in a process of its own.
#ifndef UNIT_FUZZER_H
#define UNIT_FUZZER_H

#include "base/rng.h"
#include "unit/fuzz.h"
#include "unit/runner.h"
#include "unit/shape.h"

struct text;

enum { FUZZ_WORDS_MOST = 512, FUZZ_PAIRS = 32 };

enum ending { RETURNED, STOPPED, TRAPPED, LATE, BROKEN };

struct pair { // operands of a comparison
    uint64_t a, b;
};

// The simplest run that was seen of something.
struct best {
    uint64_t *values; // NULL: none
    uint64_t steps, weight;
    enum ending end;
    uint32_t trap;
};

struct fuzzer {
    const struct unit_subject *s;
    const struct ir_fn *f;
    const struct sides *sides;
    const struct fuzz_options *o;
    struct arena *a;
    struct shape shape;
    uint32_t n_own; // cells of parameters, which come first
    bool copies;    // memcpy() and the like want pointers that are no null, even
                    // where there is nothing to copy
    struct runner_process *p;
    struct runner_layout layout;
    runner_thunk *call, *pre;
    char *result;
    uint64_t result_size;
    uint8_t *map;
    struct rng rng;
    uint64_t words[FUZZ_WORDS_MOST];
    uint32_t n_words;
    VEC(const char *) texts; // literals of the program
    // Of the run under way:
    uint64_t steps;
    struct pair pairs[FUZZ_PAIRS];
    uint32_t n_pairs;
    uint32_t trap;
    // Kept:
    struct best *of_side; // returning runs; the last one: of any side
    struct best *of_end;  // runs that end otherwise on purpose
    VEC(struct best) of_trap;
    struct best of_late; // the plainest run that did not end
    VEC(uint64_t *) corpus;
    uint64_t runs, late;
    double until; // then inputs are told as they are, not made plainer
    uint64_t **seeds; // of a process before this one
    uint32_t n_seeds;
};

// Run the function with these values, one per cell (fuzz.c).
enum ending fuzz_run(struct fuzzer *w, const uint64_t *values);
// How far values are from plain.
uint64_t fuzz_weight(const struct fuzzer *w, const uint64_t *values);

// Fill the vocabulary (fuzz_change.c).
void fuzz_words(struct fuzzer *w);
// Change some of the values; pairs: what the run with these values compared.
void fuzz_change(struct fuzzer *w, uint64_t *values, const struct pair *pairs,
                 uint32_t n_pairs);

// Make the runs that were kept plain and tell those that add something
// (fuzz_plain.c).  Returns how many.
uint32_t fuzz_tell(struct fuzzer *w, struct text *to);

#endif
