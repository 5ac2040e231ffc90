// What the benchmark programs share: sizes from the command line, the clock,
// and the line "NAME seconds messages" that bench/compare reads.
#ifndef BENCH_H
#define BENCH_H

#include "troupe_short.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static inline double bench_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

// main() of a benchmark: NAME [THREADS [N [SIZE]]], the last two as parameters.
#define BENCH_MAIN(name, sys, n0, size0, messages)                             \
    int main(int argc, char **argv)                                            \
    {                                                                          \
        int64_t n = argc > 2 ? atoll(argv[2]) : n0;                            \
        int64_t size = argc > 3 ? atoll(argv[3]) : size0;                      \
        char params[80];                                                       \
        double start = bench_now();                                            \
        int error;                                                             \
        snprintf(params, sizeof params, "n=%" PRId64 " size=%" PRId64, n,      \
                 size);                                                        \
        error = tr_run(sys, .threads = argc > 1 ? (uint32_t)atoi(argv[1]) : 2, \
                       .params = params);                                      \
        printf("%s %.6f %" PRId64 "\n", name, bench_now() - start,             \
               (int64_t)(messages));                                           \
        return error ? 1 : 0;                                                  \
    }

#endif
