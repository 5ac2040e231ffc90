// One run of a test, as those see it who must end it: the assertion, the
// fault hook, the signal handler.
#ifndef TESTLIB_RUN_H
#define TESTLIB_RUN_H

#include "base/text.h"
#include "runtime/solo/solo.h"
#include "testlib/script.h"
#include "testlib/sections.h"
#include "testlib/testlib.h"

#include <pthread.h>
#include <setjmp.h>

struct pick {
    uint32_t step, pick; // receives made before; the answer
    bool body;           // asked by the test body; else by the last receive
};

struct receive {
    struct solo_option what;
    uint32_t twin;
    bool early; // it is none: the body goes on before timers that might fire
};

struct run {
    const tr_test *test;
    const struct test_options *options;
    struct report *report;
    struct sections sections;
    bool child;         // a failure ends the process
    pthread_t thread;   // otherwise: that of the jump
    sigjmp_buf *escape; // otherwise: where a failure goes
    sigjmp_buf *owed;   // where a drain goes that would wait for ever
    enum test_manager manager;
    enum solo_delivery delivery;
    tr_runtime *runtime; // NULL between runs, and on threads
    tr_ctx *ctx;
    struct script replay;
    bool replays;
    struct text params;
    VEC(struct receive) trace;
    uint32_t twin; // of the receive that was chosen
    VEC(struct pick) picks;
    uint64_t rng;
};

// The test has failed: fill the report, end the run.
_Noreturn void run_fail(struct run *r, enum bug_kind kind, const char *file,
                        int line, const char *text);
// The same; the text is freed.
_Noreturn void run_fail_text(struct run *r, enum bug_kind kind,
                             struct text *text);
// Note something that does not fail the test.
void run_warn(struct run *r, const char *text);

struct test_case;
// The receives made so far, with names in a, appended to c->steps.
void record_steps(const struct run *r, struct arena *a, struct test_case *c);
// Write the run as a case where the options say so; b NULL: it passed.
void record_run(const struct run *r, const struct bug *b);
// Let signals, the time limit and assertions find this run; NULL: none.
void fail_watch(struct run *r);
// The time limit of the next run starts now.
void fail_limit(uint32_t ms);

#endif
