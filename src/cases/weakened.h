// Why the verdict of a search says less than it seems to.
#ifndef CASES_WEAKENED_H
#define CASES_WEAKENED_H

#include <stdint.h>

struct arena;
struct program;

enum { WEAKENED_MOST = 10 };

// First what this program does, n_own of them; then what holds for every
// program.
struct weakened {
    const char *at[WEAKENED_MOST];
    uint32_t n, n_own;
};

// `once` of the handler runs were not repeated with other bytes in memory.
// sample: what schedules with other bytes or addresses showed, NULL: nothing.
// Strings live in a.
struct weakened weakened_of(const struct program *p, uint64_t runs,
                            uint64_t once, const char *sample, struct arena *a);

#endif
