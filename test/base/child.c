// Children: what they say, how they end, what they hold.
#include "test.h"

#include "base/child.h"
#include "base/clock.h"
#include "base/descriptor.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static void answer(void *self, int fd)
{
    struct text t = {0};
    wire_begin(&t, 1);
    wire_put32(&t, *(uint32_t *)self);
    wire_send(fd, &t);
    text_free(&t);
}

static void say_nothing(void *self, int fd)
{
    (void)self, (void)fd;
    _exit(3);
}

static void talk_nonsense(void *self, int fd)
{
    (void)self;
    if (write(fd, "READY=1\n", 8) != 8)
        _exit(1);
    pause();
}

static void hang(void *self, int fd)
{
    (void)self, (void)fd;
    pause();
}

TEST(a_child_answers)
{
    uint32_t number = 41;
    int status;
    struct wire_in in = {0};
    struct wire_message m;
    struct child_plan plan = {.body = answer, .self = &number};
    CHECK_EQ(child_ask(&plan, 5, &in, &m, &status), CHILD_ANSWERED);
    CHECK_EQ(wire_get32(&m.body), 41u);
    wire_free(&in);
}

TEST(a_child_that_ends_or_talks_nonsense_has_died)
{
    int status;
    struct wire_in in = {0};
    struct wire_message m;
    struct child_plan plan = {.body = say_nothing};
    CHECK_EQ(child_ask(&plan, 5, &in, &m, &status), CHILD_DIED);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 3);
    plan.body = talk_nonsense;
    CHECK_EQ(child_ask(&plan, 5, &in, &m, &status), CHILD_DIED);
    wire_free(&in);
}

TEST(a_child_that_hangs_is_ended)
{
    int status;
    struct wire_in in = {0};
    struct wire_message m;
    struct child_plan plan = {.body = hang};
    double began = clock_now();
    CHECK_EQ(child_ask(&plan, 0.1, &in, &m, &status), CHILD_LATE);
    CHECK(clock_now() - began < 2);
    CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    wire_free(&in);
}

static void count_open(void *self, int fd)
{
    struct text t = {0};
    uint32_t n = 0, other = 0;
    (void)self;
    for (int i = 3; i < 1024; i++)
        if (fcntl(i, F_GETFD) >= 0)
            *(descriptor_is_aside(i) ? &n : &other) += 1;
    wire_begin(&t, 1);
    wire_put32(&t, n);
    wire_put32(&t, other);
    wire_send(fd, &t);
    text_free(&t);
}

TEST(a_child_holds_no_descriptor_of_the_tool_but_its_own)
{
    int status;
    struct wire_in in = {0};
    struct wire_message m;
    struct child others[2];
    struct child_plan plan = {.body = hang};
    int ours = descriptor_aside(open("/dev/null", O_RDONLY));
    int programs = open("/dev/null", O_RDONLY);
    CHECK(descriptor_is_aside(ours));
    for (int i = 0; i < 2; i++)
        CHECK(child_start(&others[i], &plan));
    plan.body = count_open;
    CHECK_EQ(child_ask(&plan, 5, &in, &m, &status), CHILD_ANSWERED);
    CHECK_EQ(wire_get32(&m.body), 1u);
    CHECK(wire_get32(&m.body) >= 1); // a program's own are left to it
    for (int i = 0; i < 2; i++)
        child_kill(&others[i]);
    close(ours);
    close(programs);
    wire_free(&in);
}

static void start_another(void *self, int fd)
{
    struct child c;
    struct child_plan plan = {.body = hang};
    (void)self;
    struct text t = {0};
    wire_begin(&t, 1);
    child_start(&c, &plan);
    wire_put32(&t, (uint32_t)c.pid);
    wire_send(fd, &t);
    pause();
}

TEST(a_child_dies_with_its_parent)
{
    struct child c;
    struct wire_in in = {0};
    struct wire_message m;
    struct child_plan plan = {.body = start_another};
    CHECK(child_start(&c, &plan));
    while (wire_next(&in, &m) == WIRE_NONE)
        CHECK(wire_receive(c.fd, &in) == 1);
    pid_t grandchild = (pid_t)wire_get32(&m.body);
    CHECK(kill(grandchild, 0) == 0);
    child_kill(&c);
    for (int i = 0; i < 200 && kill(grandchild, 0) == 0; i++)
        usleep(10000);
    CHECK(kill(grandchild, 0) != 0);
    wire_free(&in);
}

TEST_MAIN()
