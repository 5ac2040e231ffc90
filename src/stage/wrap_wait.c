// Wrapped functions that wait.
//
// While a handler runs nothing else does: no other actor posts a semaphore, and
// nobody sends a signal.  So what is not there at once never comes, and a call
// that would wait for it without limit is a verdict, there and then.  A call
// with a time limit is a sleep.
//
// Other calls that wait (for a pipe, a lock, a child) are found by the clock,
// see verdict.c; these here would be ended by its signal.
#include "stage/native_inner.h"
#include "stage/verdict.h"
#include "stage/wrap_time.h"

#include <errno.h>
#include <poll.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

#define WRAP(type, name) TR_API type __wrap_##name

static _Noreturn void waits(const char *what)
{
    bug_end(stage_now, BUG_ENDLESS, NULL, 0, NULL,
            "the handler waits in %s() for what cannot come while it runs",
            what);
}

// ---- files ----------------------------------------------------------------

// Returns n, what a look without waiting found.  If n is 0 the call waits: for
// ms milliseconds, or for ever if ms is below 0.
static int found(int n, int64_t ms, const char *what)
{
    if (n == 0 && ms < 0)
        waits(what);
    if (n == 0)
        wrap_sleep((uint64_t)ms);
    return n;
}

// The same for a call that has waited: logical time passes too.
static int waited(int n, int64_t ms)
{
    if (n == 0 && ms > 0)
        wrap_sleep((uint64_t)ms);
    return n;
}

static int64_t limit_of(const struct timespec *t)
{
    return t ? (int64_t)wrap_ms(t) : -1;
}

static int64_t limit_of_select(const struct timeval *t)
{
    return t ? (int64_t)t->tv_sec * 1000 + (t->tv_usec + 999) / 1000 : -1;
}

WRAP(int, poll)(struct pollfd *, nfds_t, int);
WRAP(int, poll)(struct pollfd *at, nfds_t n, int ms)
{
    if (!on_stage())
        return waited(poll(at, n, ms), ms);
    return found(poll(at, n, 0), ms, "poll");
}

WRAP(int, __poll_chk)(struct pollfd *, nfds_t, int, size_t);
WRAP(int, __poll_chk)(struct pollfd *at, nfds_t n, int ms, size_t size)
{
    (void)size;
    return __wrap_poll(at, n, ms);
}

WRAP(int, ppoll)
(struct pollfd *, nfds_t, const struct timespec *, const sigset_t *);
WRAP(int, ppoll)
(struct pollfd *at, nfds_t n, const struct timespec *t, const sigset_t *mask)
{
    if (!on_stage())
        return waited(ppoll(at, n, t, mask), limit_of(t));
    return found(poll(at, n, 0), limit_of(t), "ppoll");
}

WRAP(int, select)(int, fd_set *, fd_set *, fd_set *, struct timeval *);
WRAP(int, select)
(int n, fd_set *in, fd_set *out, fd_set *odd, struct timeval *t)
{
    struct timeval none = {0};
    int64_t ms = limit_of_select(t); // select may change it
    if (!on_stage())
        return waited(select(n, in, out, odd, t), ms);
    return found(select(n, in, out, odd, &none), ms, "select");
}

WRAP(int, pselect)
(int, fd_set *, fd_set *, fd_set *, const struct timespec *, const sigset_t *);
WRAP(int, pselect)
(int n, fd_set *in, fd_set *out, fd_set *odd, const struct timespec *t,
 const sigset_t *mask)
{
    struct timeval none = {0};
    if (!on_stage())
        return waited(pselect(n, in, out, odd, t, mask), limit_of(t));
    return found(select(n, in, out, odd, &none), limit_of(t), "pselect");
}

WRAP(int, epoll_wait)(int, struct epoll_event *, int, int);
WRAP(int, epoll_wait)(int fd, struct epoll_event *at, int n, int ms)
{
    if (!on_stage())
        return waited(epoll_wait(fd, at, n, ms), ms);
    return found(epoll_wait(fd, at, n, 0), ms, "epoll_wait");
}

// ---- signals --------------------------------------------------------------

WRAP(int, pause)(void);
WRAP(int, pause)(void)
{
    if (on_stage())
        waits("pause");
    return pause();
}

WRAP(int, sigsuspend)(const sigset_t *);
WRAP(int, sigsuspend)(const sigset_t *mask)
{
    if (on_stage())
        waits("sigsuspend");
    return sigsuspend(mask);
}

// One that is pending already, or none.
static int pending(const sigset_t *of, siginfo_t *info)
{
    struct timespec none = {0};
    return sigtimedwait(of, info, &none);
}

WRAP(int, sigtimedwait)
(const sigset_t *, siginfo_t *, const struct timespec *);
WRAP(int, sigtimedwait)
(const sigset_t *of, siginfo_t *info, const struct timespec *t)
{
    if (!on_stage())
        return sigtimedwait(of, info, t);
    int number = pending(of, info);
    if (number < 0 && errno == EAGAIN)
        wrap_sleep(wrap_ms(t));
    return number;
}

WRAP(int, sigwaitinfo)(const sigset_t *, siginfo_t *);
WRAP(int, sigwaitinfo)(const sigset_t *of, siginfo_t *info)
{
    if (!on_stage())
        return sigwaitinfo(of, info);
    int number = pending(of, info);
    if (number < 0)
        waits("sigwaitinfo");
    return number;
}

WRAP(int, sigwait)(const sigset_t *, int *);
WRAP(int, sigwait)(const sigset_t *of, int *out)
{
    if (!on_stage())
        return sigwait(of, out);
    *out = pending(of, NULL);
    if (*out < 0)
        waits("sigwait");
    return 0;
}

// ---- semaphores -----------------------------------------------------------

WRAP(int, sem_wait)(sem_t *);
WRAP(int, sem_wait)(sem_t *s)
{
    if (!on_stage())
        return sem_wait(s);
    int error = sem_trywait(s);
    if (error && errno == EAGAIN)
        waits("sem_wait");
    return error;
}

static int no_more_time(int error, clockid_t id, const struct timespec *t)
{
    if (error && errno == EAGAIN) {
        wrap_sleep_until(id, t);
        errno = ETIMEDOUT;
    }
    return error;
}

WRAP(int, sem_timedwait)(sem_t *, const struct timespec *);
WRAP(int, sem_timedwait)(sem_t *s, const struct timespec *t)
{
    return on_stage() ? no_more_time(sem_trywait(s), CLOCK_REALTIME, t)
                      : sem_timedwait(s, t);
}

WRAP(int, sem_clockwait)(sem_t *, clockid_t, const struct timespec *);
WRAP(int, sem_clockwait)(sem_t *s, clockid_t id, const struct timespec *t)
{
    return on_stage() ? no_more_time(sem_trywait(s), id, t)
                      : sem_clockwait(s, id, t);
}
