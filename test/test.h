// The unit tests' harness: one executable per file.
//
//     TEST(vec_keeps_what_was_pushed)
//     {
//         CHECK(v.n == 3);
//     }
//     TEST_MAIN()
//
// CHECK goes on after a failure; the executable ends with "N passed, N failed"
// and exits 1 if a test failed.  An argument runs only tests whose name
// contains it.  TEST_SHARE in the environment changes how many random samples
// are drawn, in percent: a sanitizer needs each path once, and `make check`
// takes a batch of what `make check-full` takes whole.  TEST_SEED says which
// batch.
#ifndef TEST_H
#define TEST_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct test_case_ {
    const char *name;
    void (*run)(void);
    struct test_case_ *next;
};

static struct test_case_ *test_first_, **test_last_ = &test_first_;
static int test_failures_;

// How many of n samples to take, at least one.
static inline uint64_t test_share(uint64_t n)
{
    const char *share = getenv("TEST_SHARE");
    n = share ? n * strtoull(share, NULL, 10) / 100 : n;
    return n ? n : 1;
}

static inline uint64_t test_seed_(void)
{
    const char *seed = getenv("TEST_SEED");
    return strtoull(seed ? seed : "0", NULL, 10);
}

// Is the i-th of many that differ taken?  Which ones rotates with TEST_SEED.
static inline bool test_takes(uint64_t i)
{
    uint64_t every = 100 / test_share(100);
    return every < 2 || i % every == test_seed_() % every;
}

// The first of the batch of n samples that are numbered from 0.
static inline uint64_t test_first(uint64_t n)
{
    uint64_t share = test_share(n);
    return share < n ? test_seed_() % (n / share) * share : 0;
}

// for each seed of a batch of 1..n
#define TEST_SEEDS(seed, n)                                                    \
    for (uint64_t seed = test_first(n) + 1, end_##seed = seed + test_share(n); \
         seed < end_##seed; seed++)

// Are no samples left out?  Then there must be enough of each kind.
static inline bool test_whole(void)
{
    return test_share(100) >= 100;
}

#define TEST(t)                                                                \
    static void t(void);                                                       \
    __attribute__((constructor)) static void test_add_##t(void)                \
    {                                                                          \
        static struct test_case_ c = {#t, t, NULL};                            \
        *test_last_ = &c;                                                      \
        test_last_ = &c.next;                                                  \
    }                                                                          \
    static void t(void)

#define CHECK(...)                                                             \
    ((__VA_ARGS__) ? (void)0                                                   \
                   : (void)(test_failures_++,                                  \
                            fprintf(stderr, "%s:%d: CHECK(%s) failed\n",       \
                                    __FILE__, __LINE__, #__VA_ARGS__)))
#define CHECK_EQ(a, b)                                                         \
    do {                                                                       \
        long long a_ = (long long)(a), b_ = (long long)(b);                    \
        if (a_ != b_) {                                                        \
            test_failures_++;                                                  \
            fprintf(stderr, "%s:%d: %s is %lld, not %s = %lld\n", __FILE__,    \
                    __LINE__, #a, a_, #b, b_);                                 \
        }                                                                      \
    } while (0)
#define CHECK_TEXT(a, b)                                                       \
    do {                                                                       \
        const char *a_ = (a), *b_ = (b);                                       \
        if (!a_ || !b_ || strcmp(a_, b_) != 0) {                               \
            test_failures_++;                                                  \
            fprintf(stderr, "%s:%d: %s is '%s', not '%s'\n", __FILE__,         \
                    __LINE__, #a, a_ ? a_ : "(null)", b_ ? b_ : "(null)");     \
        }                                                                      \
    } while (0)

// The name of a test that failed, and the command that fails again.
static inline void test_tell_(const char *program, const char *name)
{
    const char *share = getenv("TEST_SHARE");
    fprintf(stderr, "FAILED %s\n  again: ", name);
    if (share)
        fprintf(stderr, "TEST_SHARE=%s TEST_SEED=%llu ", share,
                (unsigned long long)test_seed_());
    fprintf(stderr, "%s %s\n", program, name);
}

#define TEST_MAIN()                                                            \
    int main(int argc, char **argv)                                            \
    {                                                                          \
        int passed = 0, failed = 0;                                            \
        for (struct test_case_ *t = test_first_; t; t = t->next) {             \
            if (argc > 1 && !strstr(t->name, argv[1]))                         \
                continue;                                                      \
            test_failures_ = 0;                                                \
            t->run();                                                          \
            if (test_failures_) {                                              \
                test_tell_(argv[0], t->name);                                  \
                failed++;                                                      \
            } else                                                             \
                passed++;                                                      \
        }                                                                      \
        printf("%d passed, %d failed\n", passed, failed);                      \
        return failed ? 1 : 0;                                                 \
    }

#endif
