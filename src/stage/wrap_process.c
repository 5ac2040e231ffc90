// What belongs to the whole process: environment, locale, working folder,
// signals, descriptors, threads, mappings.
//
// A handler that changes such a setting changes it for all actors: that is a
// verdict, as for a global variable.  What the stage cannot put back or follow
// (threads, copies of the process, mappings) is a limit of ours.  The test body
// may do both before anything is received: it comes first in every order.
#include "stage/native_inner.h"

#include "base/descriptor.h"
#include "stage/early.h"
#include "stage/tables.h"
#include "stage/verdict.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <locale.h>
#include <pthread.h>
#include <search.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

#define WRAP(type, name) TR_API type __wrap_##name

// Does the call concern task code that must not make it?
static bool is_restricted(void)
{
    return on_stage() && !stage_now->setting_up;
}

static void refuse_setting(const char *call, const char *what)
{
    if (is_restricted())
        bug_end(stage_now, stage_now->shared ? BUG_LIMIT : BUG_ISOLATION, NULL,
                0, NULL, "%s() changes %s, which all actors share", call, what);
}

static void refuse(const char *call, const char *why)
{
    if (is_restricted())
        bug_end(stage_now, BUG_LIMIT, NULL, 0, NULL,
                "%s() in a handler is not supported: %s", call, why);
}

// ---- environment, locale, folder ------------------------------------------

WRAP(int, setenv)(const char *, const char *, int);
WRAP(int, setenv)(const char *name, const char *value, int replace)
{
    refuse_setting("setenv", "the environment");
    return setenv(name, value, replace);
}

WRAP(int, unsetenv)(const char *);
WRAP(int, unsetenv)(const char *name)
{
    refuse_setting("unsetenv", "the environment");
    return unsetenv(name);
}

WRAP(int, putenv)(char *);
WRAP(int, putenv)(char *setting)
{
    refuse_setting("putenv", "the environment");
    return putenv(setting);
}

WRAP(int, clearenv)(void);
WRAP(int, clearenv)(void)
{
    refuse_setting("clearenv", "the environment");
    return clearenv();
}

WRAP(char *, setlocale)(int, const char *);
WRAP(char *, setlocale)(int category, const char *name)
{
    if (name)
        refuse_setting("setlocale", "the locale");
    return setlocale(category, name);
}

WRAP(locale_t, uselocale)(locale_t);
WRAP(locale_t, uselocale)(locale_t l)
{
    if (l)
        refuse_setting("uselocale", "the locale of the thread");
    return uselocale(l);
}

WRAP(int, chdir)(const char *);
WRAP(int, chdir)(const char *path)
{
    refuse_setting("chdir", "the working folder");
    return chdir(path);
}

WRAP(int, fchdir)(int);
WRAP(int, fchdir)(int fd)
{
    refuse_setting("fchdir", "the working folder");
    return fchdir(fd);
}

WRAP(mode_t, umask)(mode_t);
WRAP(mode_t, umask)(mode_t mask)
{
    refuse_setting("umask", "the mask of new files");
    return umask(mask);
}

// ---- texts that the C library keeps in a buffer ---------------------------

// The same text for the same number, where it stays.
static char *lasting(const char *text, const char *what, int number)
{
    char words[64];
    if (!text)
        snprintf(words, sizeof words, "Unknown %s %d", what, number);
    const char *kept = text ? text : keep_text(stage_now, words);
    return (char *)(uintptr_t)kept;
}

WRAP(char *, strerror)(int);
WRAP(char *, strerror)(int error)
{
    return on_stage()
               ? lasting(strerrordesc_np(error), "error", error)
               : strerror(error);
}

WRAP(char *, strsignal)(int);
WRAP(char *, strsignal)(int number)
{
    return on_stage()
               ? lasting(sigdescr_np(number), "signal", number)
               : strsignal(number);
}

// Where another run left off is lost to this one; natively it is whatever the
// thread did last.
WRAP(char *, strtok)(char *, const char *);
WRAP(char *, strtok)(char *s, const char *ends)
{
    struct region *r = on_stage();
    if (!r)
        return strtok(s, ends);
    if (!s && !stage_now->token)
        bug_end(stage_now,
                stage_now->shared || r->actor == PLAY_ENV ? BUG_LIMIT
                                                          : BUG_ISOLATION,
                NULL, 0, NULL,
                "strtok(NULL) goes on with a text of an earlier handler, "
                "which any other may have changed");
    return strtok_r(s, ends, &stage_now->token);
}

// ---- values and tables that the C library keeps ---------------------------

static const char of_thread[] = "a value of the thread";

WRAP(int, pthread_setspecific)(pthread_key_t, const void *);
WRAP(int, pthread_setspecific)(pthread_key_t key, const void *value)
{
    if (pthread_getspecific(key) != value)
        refuse_setting("pthread_setspecific", of_thread);
    return pthread_setspecific(key, value);
}

WRAP(int, pthread_key_create)(pthread_key_t *, void (*)(void *));
WRAP(int, pthread_key_create)(pthread_key_t *key, void (*drop)(void *))
{
    refuse_setting("pthread_key_create", "the keys of the process");
    return pthread_key_create(key, drop);
}

WRAP(int, pthread_key_delete)(pthread_key_t);
WRAP(int, pthread_key_delete)(pthread_key_t key)
{
    refuse_setting("pthread_key_delete", "the keys of the process");
    return pthread_key_delete(key);
}

WRAP(int, tss_set)(tss_t, void *);
WRAP(int, tss_set)(tss_t key, void *value)
{
    if (tss_get(key) != value)
        refuse_setting("tss_set", of_thread);
    return tss_set(key, value);
}

WRAP(int, tss_create)(tss_t *, tss_dtor_t);
WRAP(int, tss_create)(tss_t *key, tss_dtor_t drop)
{
    refuse_setting("tss_create", "the keys of the process");
    return tss_create(key, drop);
}

WRAP(void, tss_delete)(tss_t);
WRAP(void, tss_delete)(tss_t key)
{
    refuse_setting("tss_delete", "the keys of the process");
    tss_delete(key);
}

static const char table[] = "the hash table of the process";

WRAP(int, hcreate)(size_t);
WRAP(int, hcreate)(size_t n)
{
    refuse_setting("hcreate", table);
    return hcreate(n);
}

WRAP(void, hdestroy)(void);
WRAP(void, hdestroy)(void)
{
    refuse_setting("hdestroy", table);
    hdestroy();
}

// To enter what is there already changes nothing.
WRAP(ENTRY *, hsearch)(ENTRY, ACTION);
WRAP(ENTRY *, hsearch)(ENTRY entry, ACTION action)
{
    ENTRY *is = hsearch(entry, FIND);
    if (is || action == FIND)
        return is;
    refuse_setting("hsearch", table);
    return hsearch(entry, action);
}

// ---- what is done when the process ends ------------------------------------

static const char at_end[] = "what is done when the process ends";

WRAP(int, atexit)(void (*)(void));
WRAP(int, atexit)(void (*fn)(void))
{
    refuse_setting("atexit", at_end);
    return atexit(fn);
}

WRAP(int, on_exit)(void (*)(int, void *), void *);
WRAP(int, on_exit)(void (*fn)(int, void *), void *arg)
{
    refuse_setting("on_exit", at_end);
    return on_exit(fn, arg);
}

WRAP(int, at_quick_exit)(void (*)(void));
WRAP(int, at_quick_exit)(void (*fn)(void))
{
    refuse_setting("at_quick_exit", at_end);
    return at_quick_exit(fn);
}

// The C library's own, from its ABI: a static variable of C++ was made in a
// function.  That it changed is told; the one that is there when the tool ends
// is another.
int __cxa_atexit(void (*fn)(void *), void *arg, void *object);

WRAP(int, __cxa_atexit)(void (*)(void *), void *, void *);
WRAP(int, __cxa_atexit)(void (*fn)(void *), void *arg, void *object)
{
    return is_restricted() ? 0 : __cxa_atexit(fn, arg, object);
}

// ---- signals --------------------------------------------------------------

static const char handling[] = "how the process takes signals";

// No signal comes on the stage but those that task code sends to itself.  The
// ones that the stage itself catches stay as they are.
WRAP(int, sigaction)(int, const struct sigaction *, struct sigaction *);
WRAP(int, sigaction)
(int number, const struct sigaction *new, struct sigaction *old)
{
    struct sigaction was = {0};
    if (new)
        refuse_setting("sigaction", handling);
    if (!on_stage() || !verdicts_catch(stage_now, number, &was))
        return sigaction(number, new, old);
    if (old)
        *old = was;
    return 0;
}

WRAP(sighandler_t, signal)(int, sighandler_t);
WRAP(sighandler_t, signal)(int number, sighandler_t handler)
{
    struct sigaction was = {0};
    refuse_setting("signal", handling);
    if (!on_stage() || !verdicts_catch(stage_now, number, &was))
        return signal(number, handler);
    return was.sa_handler;
}

WRAP(sighandler_t, __sysv_signal)(int, sighandler_t);
WRAP(sighandler_t, __sysv_signal)(int number, sighandler_t handler)
{
    return __wrap_signal(number, handler);
}

WRAP(int, sigprocmask)(int, const sigset_t *, sigset_t *);
WRAP(int, sigprocmask)(int how, const sigset_t *new, sigset_t *old)
{
    if (new)
        refuse_setting("sigprocmask", handling);
    return sigprocmask(how, new, old);
}

WRAP(int, pthread_sigmask)(int, const sigset_t *, sigset_t *);
WRAP(int, pthread_sigmask)(int how, const sigset_t *new, sigset_t *old)
{
    if (new)
        refuse_setting("pthread_sigmask", handling);
    return pthread_sigmask(how, new, old);
}

WRAP(int, sigaltstack)(const stack_t *, stack_t *);
WRAP(int, sigaltstack)(const stack_t *new, stack_t *old)
{
    if (new)
        refuse_setting("sigaltstack", handling);
    return sigaltstack(new, old);
}

// Does this end the process if nobody cares?
static bool is_deadly(int number)
{
    return number != SIGCHLD && number != SIGURG && number != SIGWINCH &&
           number != SIGCONT;
}

// A signal that task code sends to itself.  That a worker ignores SIGINT and
// SIGTERM is our doing.
static int send_here(int number)
{
    struct sigaction a;
    if (number <= 0 || sigaction(number, NULL, &a))
        return raise(number); // it is refused
    bool ours = verdicts_catch(stage_now, number, &a);
    if ((number == SIGINT || number == SIGTERM) && a.sa_handler == SIG_IGN)
        a.sa_handler = SIG_DFL;
    if (a.sa_handler == SIG_IGN ||
        (a.sa_handler == SIG_DFL && !is_deadly(number)))
        return 0;
    if (a.sa_handler != SIG_DFL && !ours)
        return raise(number);
    const char *name = sigabbrev_np(number);
    bug_end(stage_now, BUG_CRASH, NULL, 0, NULL, "%s%s, sent by itself",
            name ? "SIG" : "a signal", name ? name : "");
}

WRAP(int, raise)(int);
WRAP(int, raise)(int number)
{
    return on_stage() ? send_here(number) : raise(number);
}

WRAP(int, kill)(pid_t, int);
WRAP(int, kill)(pid_t pid, int number)
{
    extern pid_t __wrap_getpid(void);
    if (!on_stage())
        return kill(pid, number);
    if (pid != __wrap_getpid())
        refuse("kill", "other processes are not part of the state");
    return number ? send_here(number) : 0;
}

static const char time_passes[] = "signals by the clock come at no point of a "
                                  "schedule";

WRAP(unsigned, alarm)(unsigned);
WRAP(unsigned, alarm)(unsigned seconds)
{
    if (seconds)
        refuse("alarm", time_passes);
    return alarm(seconds);
}

WRAP(int, setitimer)
(__itimer_which_t, const struct itimerval *, struct itimerval *);
WRAP(int, setitimer)
(__itimer_which_t which, const struct itimerval *new, struct itimerval *old)
{
    refuse("setitimer", time_passes);
    return setitimer(which, new, old);
}

WRAP(int, timer_create)(clockid_t, struct sigevent *, timer_t *);
WRAP(int, timer_create)(clockid_t clock, struct sigevent *e, timer_t *out)
{
    refuse("timer_create", time_passes);
    return timer_create(clock, e, out);
}

// ---- copies, threads, code ------------------------------------------------

static const char copy[] = "the copy would go on as a second stage";

WRAP(pid_t, fork)(void);
WRAP(pid_t, fork)(void)
{
    if (on_stage())
        refuse("fork", copy);
    return fork();
}

// As fork: a function that returns cannot call vfork for another.
WRAP(pid_t, vfork)(void);
WRAP(pid_t, vfork)(void)
{
    if (on_stage())
        refuse("vfork", copy);
    return fork();
}

static const char beside[] = "threads are not part of a schedule";

// Not renamed at link time: libgcc has a __wrap_pthread_create of its own.
TR_API __attribute__((weak)) int pthread_create(pthread_t *t,
                                                const pthread_attr_t *how,
                                                void *(*fn)(void *), void *arg)
{
    static _Atomic(uintptr_t) next;
    typedef int create(pthread_t *, const pthread_attr_t *, void *(*)(void *),
                       void *);
    refuse("pthread_create", beside);
    if (!next)
        next = (uintptr_t)dlsym(RTLD_NEXT, "pthread_create");
    return ((create *)next)(t, how, fn, arg);
}

WRAP(int, thrd_create)(thrd_t *, thrd_start_t, void *);
WRAP(int, thrd_create)(thrd_t *t, thrd_start_t fn, void *arg)
{
    refuse("thrd_create", beside);
    return thrd_create(t, fn, arg);
}

WRAP(void *, dlopen)(const char *, int);
WRAP(void *, dlopen)(const char *path, int flags)
{
    refuse("dlopen", "variables of the library are not part of the state");
    return dlopen(path, flags);
}

// ---- memory that is nobody's ----------------------------------------------

static const char unmanaged[] = "such memory is not part of the state";

WRAP(void *, mmap)(void *, size_t, int, int, int, off_t);
WRAP(void *, mmap)
(void *at, size_t size, int access, int flags, int fd, off_t from)
{
    refuse("mmap", unmanaged);
    void *p = mmap(at, size, access, flags, fd, from);
    if (p != MAP_FAILED && early_now())
        early_mapped(p, size);
    return p;
}

WRAP(void *, mmap64)(void *, size_t, int, int, int, off_t);
WRAP(void *, mmap64)
(void *at, size_t size, int access, int flags, int fd, off_t from)
{
    return __wrap_mmap(at, size, access, flags, fd, from);
}

WRAP(void *, sbrk)(intptr_t);
WRAP(void *, sbrk)(intptr_t more)
{
    if (more)
        refuse("sbrk", unmanaged);
    void *p = sbrk(more);
    if (p != (void *)-1 && more > 0 && early_now())
        early_mapped(p, (size_t)more);
    return p;
}

WRAP(void *, shmat)(int, const void *, int);
WRAP(void *, shmat)(int id, const void *at, int flags)
{
    refuse("shmat", unmanaged);
    void *p = shmat(id, at, flags);
    struct shmid_ds is;
    if (p != (void *)-1 && early_now() && !shmctl(id, IPC_STAT, &is))
        early_mapped(p, is.shm_segsz);
    return p;
}

// ---- descriptors ----------------------------------------------------------

// Those of the tool are not there for the program.
static bool is_hidden(int fd)
{
    if (!descriptor_is_aside(fd))
        return false;
    errno = EBADF;
    return true;
}

// Standard input is at its end.
WRAP(ssize_t, read)(int, void *, size_t);
WRAP(ssize_t, read)(int fd, void *p, size_t size)
{
    if (is_hidden(fd))
        return -1;
    return on_stage() && fd == 0 ? 0 : read(fd, p, size);
}

WRAP(ssize_t, write)(int, const void *, size_t);
WRAP(ssize_t, write)(int fd, const void *p, size_t size)
{
    if (is_hidden(fd))
        return -1;
    if (!on_stage() || (fd != 1 && fd != 2))
        return write(fd, p, size);
    return (ssize_t)fwrite(p, 1, size, fd == 1 ? stdout : stderr);
}

// The standard ones stay open: every order starts with them.
static bool is_standard(int fd)
{
    return on_stage() && fd >= 0 && fd <= 2;
}

WRAP(int, close)(int);
WRAP(int, close)(int fd)
{
    if (is_hidden(fd))
        return -1;
    if (is_standard(fd))
        refuse_setting("close", "the standard descriptors");
    return close(fd);
}

WRAP(int, dup2)(int, int);
WRAP(int, dup2)(int from, int to)
{
    if (is_hidden(from) || is_hidden(to))
        return -1;
    if (is_standard(to) && from != to)
        refuse_setting("dup2", "the standard descriptors");
    return dup2(from, to);
}

WRAP(int, dup3)(int, int, int);
WRAP(int, dup3)(int from, int to, int flags)
{
    if (is_hidden(from) || is_hidden(to))
        return -1;
    if (is_standard(to))
        refuse_setting("dup3", "the standard descriptors");
    return dup3(from, to, flags);
}

WRAP(int, close_range)(unsigned, unsigned, int);
WRAP(int, close_range)(unsigned from, unsigned to, int flags)
{
    if (on_stage() && from <= 2)
        refuse_setting("close_range", "the standard descriptors");
    if (on_stage() && to >= DESCRIPTOR_ASIDE)
        to = DESCRIPTOR_ASIDE - 1;
    return from > to ? 0 : close_range(from, to, flags);
}

WRAP(void, closefrom)(int);
WRAP(void, closefrom)(int from)
{
    if (on_stage())
        __wrap_close_range(from < 0 ? 0 : (unsigned)from, UINT_MAX, 0);
    else
        closefrom(from);
}
