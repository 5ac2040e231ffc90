// Wrapped functions that wait.
//
// While a handler runs nothing else does: no other actor posts a semaphore, and
// nobody sends a signal.  So what is not there at once never comes, and a call
// that would wait for it without limit is a verdict, there and then.  A call
// with a time limit is a sleep: on the stage no time passes, it is over.
//
// Other calls that wait (for a pipe, a lock, a child) are found by the clock,
// see verdict.c; these here would be ended by its signal.
#include "stage/native_inner.h"
#include "stage/verdict.h"

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

// ---- time -----------------------------------------------------------------

WRAP(unsigned, sleep)(unsigned);
WRAP(unsigned, sleep)(unsigned s)
{
    return on_stage() ? 0 : sleep(s);
}

WRAP(int, usleep)(useconds_t);
WRAP(int, usleep)(useconds_t us)
{
    return on_stage() ? 0 : usleep(us);
}

WRAP(int, nanosleep)(const struct timespec *, struct timespec *);
WRAP(int, nanosleep)(const struct timespec *t, struct timespec *left)
{
    return on_stage() ? 0 : nanosleep(t, left);
}

WRAP(int, clock_nanosleep)
(clockid_t, int, const struct timespec *, struct timespec *);
WRAP(int, clock_nanosleep)
(clockid_t id, int flags, const struct timespec *t, struct timespec *left)
{
    return on_stage() ? 0 : clock_nanosleep(id, flags, t, left);
}

WRAP(int, thrd_sleep)(const struct timespec *, struct timespec *);
WRAP(int, thrd_sleep)(const struct timespec *t, struct timespec *left)
{
    return on_stage() ? 0 : thrd_sleep(t, left);
}

// ---- files ----------------------------------------------------------------

// What a look without waiting found; limited: the call would not wait for ever.
static int found(int n, bool limited, const char *what)
{
    if (n == 0 && !limited)
        waits(what);
    return n;
}

WRAP(int, poll)(struct pollfd *, nfds_t, int);
WRAP(int, poll)(struct pollfd *at, nfds_t n, int ms)
{
    if (!on_stage())
        return poll(at, n, ms);
    return found(poll(at, n, 0), ms >= 0, "poll");
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
        return ppoll(at, n, t, mask);
    return found(poll(at, n, 0), t, "ppoll");
}

WRAP(int, select)(int, fd_set *, fd_set *, fd_set *, struct timeval *);
WRAP(int, select)
(int n, fd_set *in, fd_set *out, fd_set *odd, struct timeval *t)
{
    struct timeval none = {0};
    if (!on_stage())
        return select(n, in, out, odd, t);
    return found(select(n, in, out, odd, &none), t, "select");
}

WRAP(int, pselect)
(int, fd_set *, fd_set *, fd_set *, const struct timespec *, const sigset_t *);
WRAP(int, pselect)
(int n, fd_set *in, fd_set *out, fd_set *odd, const struct timespec *t,
 const sigset_t *mask)
{
    struct timeval none = {0};
    if (!on_stage())
        return pselect(n, in, out, odd, t, mask);
    return found(select(n, in, out, odd, &none), t, "pselect");
}

WRAP(int, epoll_wait)(int, struct epoll_event *, int, int);
WRAP(int, epoll_wait)(int fd, struct epoll_event *at, int n, int ms)
{
    if (!on_stage())
        return epoll_wait(fd, at, n, ms);
    return found(epoll_wait(fd, at, n, 0), ms >= 0, "epoll_wait");
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
    return on_stage() ? pending(of, info) : sigtimedwait(of, info, t);
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

static int no_more_time(int error)
{
    if (error && errno == EAGAIN)
        errno = ETIMEDOUT;
    return error;
}

WRAP(int, sem_timedwait)(sem_t *, const struct timespec *);
WRAP(int, sem_timedwait)(sem_t *s, const struct timespec *t)
{
    return on_stage() ? no_more_time(sem_trywait(s)) : sem_timedwait(s, t);
}

WRAP(int, sem_clockwait)(sem_t *, clockid_t, const struct timespec *);
WRAP(int, sem_clockwait)(sem_t *s, clockid_t id, const struct timespec *t)
{
    return on_stage() ? no_more_time(sem_trywait(s)) : sem_clockwait(s, id, t);
}
