// The functions of the C library that the program calls as __wrap_NAME.
//
// The program is linked with --wrap=NAME for each, and the tool exports
// __wrap_NAME.  In task code they draw on the actor's region or are answered
// alike every time; elsewhere they are the C library's.
#ifndef BASE_LIBC_H
#define BASE_LIBC_H

#define WRAPPED(X)                                                             \
    /* memory, and functions whose result the caller frees */                  \
    X(malloc)                                                                  \
    X(calloc)                                                                  \
    X(realloc)                                                                 \
    X(reallocarray)                                                            \
    X(free)                                                                    \
    X(cfree)                                                                   \
    X(aligned_alloc)                                                           \
    X(posix_memalign)                                                          \
    X(memalign)                                                                \
    X(malloc_usable_size)                                                      \
    X(strdup)                                                                  \
    X(__strdup)                                                                \
    X(strndup)                                                                 \
    X(__strndup)                                                               \
    X(wcsdup)                                                                  \
    X(asprintf)                                                                \
    X(__asprintf_chk)                                                          \
    X(vasprintf)                                                               \
    X(__vasprintf_chk)                                                         \
    X(getline)                                                                 \
    X(getdelim)                                                                \
    X(__getdelim)                                                              \
    X(realpath)                                                                \
    X(getcwd)                                                                  \
    X(open_memstream)                                                          \
    /* chance */                                                               \
    X(rand)                                                                    \
    X(srand)                                                                   \
    X(random)                                                                  \
    X(srandom)                                                                 \
    X(drand48)                                                                 \
    X(lrand48)                                                                 \
    X(mrand48)                                                                 \
    X(srand48)                                                                 \
    X(getrandom)                                                               \
    X(getentropy)                                                              \
    X(arc4random)                                                              \
    X(arc4random_uniform)                                                      \
    /* time */                                                                 \
    X(time)                                                                    \
    X(clock)                                                                   \
    X(clock_gettime)                                                           \
    X(gettimeofday)                                                            \
    X(timespec_get)                                                            \
    /* waiting */                                                              \
    X(sleep)                                                                   \
    X(usleep)                                                                  \
    X(nanosleep)                                                               \
    X(clock_nanosleep)                                                         \
    X(thrd_sleep)                                                              \
    X(poll)                                                                    \
    X(__poll_chk)                                                              \
    X(ppoll)                                                                   \
    X(select)                                                                  \
    X(pselect)                                                                 \
    X(epoll_wait)                                                              \
    X(pause)                                                                   \
    X(sigsuspend)                                                              \
    X(sigtimedwait)                                                            \
    X(sigwaitinfo)                                                             \
    X(sigwait)                                                                 \
    X(sem_wait)                                                                \
    X(sem_timedwait)                                                           \
    X(sem_clockwait)                                                           \
    /* the world outside */                                                    \
    X(getenv)                                                                  \
    X(secure_getenv)                                                           \
    X(getpid)                                                                  \
    X(getppid)                                                                 \
    X(gettid)                                                                  \
    X(read)                                                                    \
    X(write)                                                                   \
    X(fflush)                                                                  \
    /* the end */                                                              \
    X(abort)                                                                   \
    X(exit)                                                                    \
    X(_exit)                                                                   \
    X(_Exit)                                                                   \
    X(quick_exit)                                                              \
    X(kill)                                                                    \
    X(raise)                                                                   \
    X(fork)                                                                    \
    X(vfork)                                                                   \
    X(__assert_fail)                                                           \
    X(__assert_perror_fail)                                                    \
    X(__stack_chk_fail)

// To be mentioned where they shall be taken along from an archive: wrap.c and
// wait.c.
extern const char wrap_here, wait_here;

#endif
