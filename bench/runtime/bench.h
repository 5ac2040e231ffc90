// What the benchmark programs share: NAME [SIZE...] prints "NAME seconds
// messages processor-seconds".  Two threads, or as many as the environment's
// THREADS says.
#ifndef BENCH_H
#define BENCH_H

#include "troupe_short.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static inline double bench_clock(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static inline double bench_now(void)
{
    return bench_clock(CLOCK_MONOTONIC);
}

// main(): argv are the parameters a and b, otherwise a0 and b0.
#define BENCH_MAIN(name, sys, a0, b0, messages)                                \
    int main(int argc, char **argv)                                            \
    {                                                                          \
        int64_t a = argc > 1 ? atoll(argv[1]) : a0;                            \
        int64_t b = argc > 2 ? atoll(argv[2]) : b0;                            \
        const char *threads = getenv("THREADS");                               \
        char params[80];                                                       \
        double start = bench_now();                                            \
        int error;                                                             \
        snprintf(params, sizeof params, "a=%" PRId64 " b=%" PRId64, a, b);     \
        error = tr_run(sys, .threads = threads ? (uint32_t)atoi(threads) : 2,  \
                       .params = params);                                      \
        printf("%s %.6f %" PRId64 " %.6f\n", name, bench_now() - start,        \
               (int64_t)(messages), bench_clock(CLOCK_PROCESS_CPUTIME_ID));    \
        return error ? 1 : 0;                                                  \
    }

#endif
