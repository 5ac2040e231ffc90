#include "base/child.h"

#include "base/clock.h"
#include "base/descriptor.h"
#include "base/interrupt.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static void set_signals(enum child_signals s)
{
    if (s == CHILD_AS_PARENT)
        return;
    signal(SIGINT, s == CHILD_IGNORES ? SIG_IGN : SIG_DFL);
    signal(SIGTERM, s == CHILD_IGNORES ? SIG_IGN : SIG_DFL);
}

static void set_output(const struct child_plan *plan)
{
    int to = plan->quiet ? open("/dev/null", O_WRONLY) : plan->output;
    if (to <= 0)
        return;
    dup2(to, STDOUT_FILENO);
    dup2(to, STDERR_FILENO);
    if (plan->quiet)
        close(to);
}

static _Noreturn void be_child(const struct child_plan *plan, int fd,
                               pid_t parent)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(EXIT_FAILURE);
    if (plan->group)
        setpgid(0, 0);
    set_signals(plan->signals);
    set_output(plan);
    descriptors_close_aside(fd);
    plan->body(plan->self, fd);
    _exit(EXIT_SUCCESS);
}

bool child_start(struct child *c, const struct child_plan *plan)
{
    int ends[2];
    pid_t parent = getpid();
    *c = (struct child){.group = plan->group};
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends))
        return false;
    for (int i = 0; i < 2; i++)
        ends[i] = descriptor_aside(ends[i]);
    fflush(NULL); // or parent and child both write what is buffered
    c->pid = fork();
    if (c->pid == 0) {
        close(ends[0]);
        be_child(plan, ends[1], parent);
    }
    close(ends[1]);
    c->fd = ends[0];
    if (c->pid > 0)
        return true;
    int error = errno;
    close(c->fd);
    *c = (struct child){0};
    errno = error;
    return false;
}

int child_wait(struct child *c)
{
    int status = 0;
    if (!c->pid)
        return 0;
    while (waitpid(c->pid, &status, 0) < 0 && errno == EINTR)
        continue;
    if (c->group)
        kill(-c->pid, SIGKILL); // processes that the child started
    close(c->fd);
    *c = (struct child){0};
    return status;
}

void child_end(const struct child *c)
{
    if (c->pid && c->group)
        kill(-c->pid, SIGKILL);
    if (c->pid)
        kill(c->pid, SIGKILL);
}

int child_kill(struct child *c)
{
    child_end(c);
    return child_wait(c);
}

// Milliseconds left of the time for an answer, as poll() wants them.
static int left_ms(double began, double seconds)
{
    double left = began + seconds - clock_now();
    if (seconds <= 0)
        return -1;
    return left > 0 ? (int)(left * 1e3) + 1 : 0;
}

enum { LAST_WORDS_MS = 1000 };

// Nothing is ever said to such a child: what it can read is the end.
bool child_is_hushed(int fd)
{
    struct pollfd p = {.fd = fd, .events = POLLIN};
    return poll(&p, 1, 0) > 0;
}

static enum child_answer hear(int fd, double seconds, int last_ms,
                              struct wire_in *in, struct wire_message *m)
{
    double began = clock_now();
    struct pollfd p = {.fd = fd, .events = POLLIN};
    for (;;) {
        enum wire_state s = wire_next(in, m);
        if (s != WIRE_NONE)
            return s == WIRE_HERE ? CHILD_ANSWERED : CHILD_DIED;
        int ms = left_ms(began, seconds);
        if (interrupted()) {
            shutdown(fd, SHUT_WR);
            ms = last_ms ? last_ms : LAST_WORDS_MS;
        }
        int ready = poll(&p, 1, ms);
        if (ready == 0)
            return CHILD_LATE;
        if (ready > 0 && !wire_receive(fd, in))
            return CHILD_DIED;
    }
}

enum child_answer child_ask(const struct child_plan *plan, double seconds,
                            struct wire_in *in, struct wire_message *m,
                            int *status)
{
    struct child c;
    *status = 0;
    wire_clear(in);
    if (!child_start(&c, plan))
        return CHILD_DIED;
    enum child_answer a = hear(c.fd, seconds, plan->last_ms, in, m);
    *status = child_kill(&c);
    return a;
}
