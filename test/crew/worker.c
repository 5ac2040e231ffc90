// A worker's process: words that come with an order, in one piece.
#include "test.h"

#include "base/clock.h"
#include "base/wire.h"
#include "crew/shared_set.h"
#include "crew/words.h"
#include "crew/worker.h"

#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WAIT_SECONDS = 20 };

static bool open_nothing(void *self, bool isolated)
{
    (void)self, (void)isolated;
    return true;
}

// Go on until somebody ends it: then one execution is told.
static bool run_until_asked(void *self, const struct explore_options *o,
                            const struct work *units, uint32_t n,
                            const struct explore_sink *sink,
                            struct explore_result *r, struct work_list *rest)
{
    double until = clock_now() + WAIT_SECONDS;
    (void)self, (void)o, (void)units, (void)n, (void)rest;
    while (!sink->ends(sink->self) && clock_now() < until)
        ;
    r->executions = sink->ends(sink->self);
    return true;
}

static const struct play_counts *no_counts(void *self)
{
    static const struct play_counts none;
    (void)self;
    return &none;
}

static uint64_t executions_told(int fd)
{
    struct wire_in in = {0};
    struct wire_message m = {0};
    struct crew_return r = {0};
    uint64_t n = 0;
    while (wire_receive(fd, &in) && wire_next(&in, &m) == WIRE_NONE)
        ;
    CHECK_EQ(m.kind, WORD_DONE);
    if (m.kind == WORD_DONE && crew_return_get(&m.body, &r))
        n = r.result.executions;
    work_list_free(&r.rest);
    wire_free(&in);
    return n;
}

TEST(an_end_that_comes_with_the_order_is_heard)
{
    const struct crew_job job = {
        .open = open_nothing, .run = run_until_asked, .counts = no_counts};
    struct crew_order order = {.options.strategy = STRATEGY_OPTIMAL};
    struct text both = {0}, end = {0};
    struct shared_set *finals = shared_set_new();
    int fd[2];
    CHECK_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, fd), 0);
    crew_order_put(&both, &order);
    wire_end(&both);
    wire_begin(&end, WORD_END);
    wire_end(&end);
    text_bytes(&both, end.at, end.n);
    CHECK_EQ(write(fd[0], both.at, both.n), both.n);
    pid_t pid = fork();
    if (!pid) {
        close(fd[0]);
        worker_serve(&job, fd[1], finals, false);
        _exit(0);
    }
    close(fd[1]);
    CHECK_EQ(executions_told(fd[0]), 1);
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
    close(fd[0]);
    shared_set_free(finals);
    text_free(&both);
    text_free(&end);
}

TEST_MAIN()
