// libtroupe-test: the main of a test program, and what its files share.
//
// A test runs in a child process, which leaves its outcome in a report that
// both share; so a crash, a failed assertion or an endless handler fails one
// test and the run goes on.
#ifndef TESTLIB_TESTLIB_H
#define TESTLIB_TESTLIB_H

#include "play/play.h"
#include "troupe.h"

#include "base/vec.h"

#include <stdio.h>

// The manager tests run under.
#define TEST_MANAGERS(X)                                                       \
    X(SINGLE, "single")                                                        \
    X(RANDOM, "random")                                                        \
    X(THREADS, "threads")
enum test_manager {
#define MANAGER_(name, text) MANAGER_##name,
    TEST_MANAGERS(MANAGER_)
#undef MANAGER_
};

struct sections;
struct program;
struct test_case;

struct test_options {
    const char *program;             // argv[0], or "troupe run FILE.c"
    const struct sections *sections; // NULL: the executable's
    const struct program *lines;     // for lines of crashes; NULL: the same
    uint32_t threads;                // of the threads manager, 0: its choice
    uint32_t max_steps;              // receives in a run, 0: 10,000
    uint32_t ticks;                  // see play.h
    enum test_manager manager;
    uint64_t seed;
    const char *params; // of --param, "n=3 m=4"; NULL: none
    VEC(const char *) filters;
    uint32_t repeat, jobs;
    uint32_t timeout_ms; // of one run
    const char *junit;   // file, "-": stdout
    const char *record;  // where runs go as cases: a folder, or FILE.case
    const char *finals;  // file that final states are appended to
    const struct test_case *built; // sources and flags of these, NULL: unknown
    // Called before a test runs, where it runs; NULL: nothing.
    void (*before)(void *user, uint32_t test);
    void *user;
    bool strict; // a schedule that does not fit fails
    bool list, tap, no_fork, verbose, help, version;
};

// Fill from arguments and environment.  0, or the exit status after having
// said what is wrong.
int test_options_read(struct test_options *o, int argc, char **argv);
void test_options_free(struct test_options *o);
void test_options_help(FILE *to);

// The result of a test, in memory that parent and child share.
struct report {
    bool told;          // the child has said how it ended
    bool skipped;       // text says why
    bool interrupted;   // and that is why
    enum bug_kind kind; // BUG_NONE: passed
    char file[512];     // "" if unknown
    int line;
    uintptr_t pc;  // of a crash: the parent finds the line; 0: none
    uint64_t seed; // of this run
    uint32_t runs; // begun so far; grows, or the child hangs
    uint32_t ms;   // how long it took in all
    char text[1024];
    char details[64 * 1024]; // lines for the reader
    char warnings[2 * 1024];
    char *output; // what the test printed, NULL: nothing.  The parent's
};

// Why the runs of n tests cannot be recorded as the options say, NULL if they
// can.  Makes the folder.
const char *record_refuses(const struct test_options *o, uint32_t n);

// Run one test here, in this process, as often as the options say, and fill
// the report.  In a child a failure does not return.
void run_test(const tr_test *test, const struct test_options *o,
              struct report *report, bool child);

// Run all of these, in children or here; reports are in the same order.
// `done` is called in that order as they end.
void run_tests(const tr_test *const *tests, uint32_t n,
               const struct test_options *o, struct report *reports,
               void (*done)(void *user, uint32_t i), void *user);

// Does the outcome satisfy the test?  A test that expects a bug fails without.
bool report_passed(const tr_test *test, const struct report *r);

// Explore the test in this process.  True if that is possible; then the report
// has the result.
bool explore_in_process(const tr_test *test, const struct test_options *o,
                        struct report *report);

// The whole program: its exit status.  All else is local to the library.
TR_API int tr_test_main(int argc, char **argv);

#endif
