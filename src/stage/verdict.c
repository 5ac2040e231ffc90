// What goes wrong in a handler: bugs that it is told about, bugs that end it,
// signals, and time that runs out.
//
// A signal handler runs on a stack of its own, writes down what happened and
// goes straight back to the host (task_leave()); the bug is put into words
// there. Leaving from inside the C library may leave its locks and buffers in
// disorder: unless the program's own code or a leaf function called by it was
// running, the native is tainted.
//
// Time: one CPU timer for the process ticks ten times per limit and compares
// the number of the run; a run pays nothing for it.  A run that is too long is
// made again with ten times the limit before it is believed.
//
// A run that waits (a lock, a pipe, a socket) uses no CPU time.  A second timer
// ticks once a second by the clock; a run that used next to nothing between
// several ticks in a row waits for something that no schedule will bring.  A
// call that a tick would end with EINTR, which happens in no real run, gets no
// second tick.
#include "stage/verdict.h"

#include "base/die.h"
#include "stage/raw.h"
#include "stage/check.h"
#include "stage/commons.h"
#include "stage/explain.h"
#include "stage/task.h"
#include "stage/seal.h"
#include "stage/sight.h"
#include "stage/tables.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

enum {
    ALT_SIZE = 256 << 10,
    TICKS = 10,
    CALLERS = 16,
    IDLE_TICKS = 5,
    IDLE_US = 2000
};

static const int signals[] = {SIGSEGV, SIGBUS,  SIGFPE, SIGILL,
                              SIGABRT, SIGTRAP, SIGPROF};
enum { SIGNALS_N = sizeof signals / sizeof *signals };

struct verdicts {
    struct sigaction before[SIGNALS_N];
    stack_t stack_before;
    void *stack;
    uint32_t limit_ms;
    uint64_t run, seen; // numbers of runs
    uint32_t ticks;     // that found the same run
    uint32_t factor;    // 1, or 10 in a repetition
    bool timed_out;
    timer_t clock;     // ticks once a second
    pid_t clock_of;    // the process it belongs to, 0: none
    uint64_t idle_run; // seen by its last tick
    uint64_t used_us;  // CPU time at its last tick
    uint32_t idle;     // ticks in a row that found no CPU time used
    uint32_t waited; // idle ticks after which the run was ended, 0: it was not
    // what a signal handler wrote down
    int signal; // 0: nothing
    uintptr_t address, pc;
    uintptr_t callers[CALLERS]; // of the function there, up to 0
};

// ---- bugs -----------------------------------------------------------------

static bool is_call(const unsigned char *after)
{
    return after[-5] == 0xe8 || (after[-6] == 0xff && after[-5] == 0x15) ||
           (after[-2] == 0xff && (after[-1] & 0x38) == 0x10) ||
           (after[-3] == 0xff && (after[-2] & 0x38) == 0x10) ||
           (after[-3] == 0x41 && after[-2] == 0xff);
}

static bool inside(struct range r, uintptr_t address)
{
    return address - r.from < r.to - r.from;
}

// In a test binary our library's code lies within the program's text: leave it
// out.
bool verdict_in_program(const struct native *n, uintptr_t pc)
{
    return inside(n->text, pc) && !inside(n->program->library, pc);
}

// The nearest return address above sp, on stack k of r, in the program.
RAW static uintptr_t pc_on(const struct native *n, const struct region *r,
                           uint32_t k, const uintptr_t *sp)
{
    const uintptr_t *top = (const uintptr_t *)(const void *)region_stack(r, k);
    if (sp >= top || (const unsigned char *)sp < region_slot(r))
        return 0;
    for (; sp < top; sp++)
        if (*sp - n->text.from >= 8 && verdict_in_program(n, *sp) &&
            is_call((const unsigned char *)*sp))
            return *sp;
    return 0;
}

static uintptr_t pc_above(const struct native *n, const uintptr_t *sp)
{
    return n->region ? pc_on(n, n->region, n->stack, sp) : 0;
}

uintptr_t verdict_waiting_pc(const struct native *n, const struct region *r,
                             const struct task *t)
{
    return pc_on(n, r, t->stack, (const uintptr_t *)(uintptr_t)t->sp);
}

// The return address is found by the chain of frame pointers, which all files
// of the stage and of the program keep.  Other words on the stack may look like
// return addresses, too.  If foreign code breaks the chain, the nearest word
// that looks like one is taken.
RAW uintptr_t verdict_pc(const struct native *n)
{
    const uintptr_t *frame = __builtin_frame_address(0);
    const uintptr_t *top =
        n->region
            ? (const uintptr_t *)(const void *)region_stack(n->region, n->stack)
            : NULL;
    for (const uintptr_t *f = frame, *next; f + 1 < top; f = next) {
        if (verdict_in_program(n, f[1]))
            return f[1];
        next = (const uintptr_t *)f[0];
        if (next <= f || f[0] % sizeof *f)
            break;
    }
    return pc_above(n, frame);
}

uint32_t verdict_place(const struct native *n)
{
    uintptr_t pc = verdict_pc(n);
    return pc ? (uint32_t)(pc - n->text.from) : 0;
}

__attribute__((format(printf, 3, 0))) static struct bug *
push(struct native *n, enum bug_kind kind, const char *format, va_list args)
{
    struct text t = {0};
    text_vformat(&t, format, args);
    const struct region *r = n->region ? n->region : n->receiver;
    const tr_class *cls = r ? n->actors.at[r->actor].cls : NULL;
    struct bug b = {.kind = kind,
                    .warning = bug_kind_warns(kind),
                    .text = keep_text(n, text_get(&t)),
                    .cls = cls ? cls->name : "test"};
    if (n->handling != PLAY_NONE)
        b.msg = message_name(n, n->handling);
    text_free(&t);
    vec_push(&n->now.bugs, b);
    return &vec_last(&n->now.bugs);
}

// Within a function of a header of the system, the nearest of these callers
// that is outside; up to 0.
static void set_where(struct native *n, struct bug *b, uintptr_t pc,
                      const uintptr_t *callers)
{
    struct where w = program_where(n->program, pc);
    while (callers && *callers && where_is_foreign(&w)) {
        struct where from = program_where(n->program, *callers++ - 1);
        w = where_is_foreign(&from) && !*callers ? w : from;
    }
    b->file = w.file ? keep_text(n, w.file) : NULL;
    b->line = w.line;
    b->function = w.function ? keep_text(n, w.function) : NULL;
}

void bug_at_handler(struct native *n, struct bug *b)
{
    if (n->trail->handler)
        set_where(n, b, n->program->bias + n->trail->handler, NULL);
}

struct bug *bug_note(struct native *n, enum bug_kind kind, const char *format,
                     ...)
{
    va_list args;
    va_start(args, format);
    struct bug *b = push(n, kind, format, args);
    va_end(args);
    uintptr_t pc = verdict_pc(n);
    if (pc)
        set_where(n, b, pc - 1, NULL);
    return b;
}

_Noreturn void bug_end(struct native *n, enum bug_kind kind, const char *file,
                       int line, const char *function, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    struct bug *b = push(n, kind, format, args);
    va_end(args);
    uintptr_t pc = verdict_pc(n);
    if (pc)
        set_where(n, b, pc - 1, NULL);
    if (file) {
        b->file = keep_text(n, file);
        b->line = line;
        if (!b->function && function) // some compilers give a signature
            b->function = keep_text(n, function);
    }
    explain_take(n);
    task_leave(n, WHY_OVER);
    abort();
}

static const char *signal_name(int s)
{
    switch (s) {
    case SIGSEGV:
        return "SIGSEGV";
    case SIGBUS:
        return "SIGBUS";
    case SIGFPE:
        return "SIGFPE";
    case SIGILL:
        return "SIGILL";
    case SIGABRT:
        return "SIGABRT";
    case SIGTRAP:
        return "SIGTRAP";
    default:
        return "signal";
    }
}

// Below the lowest address of the stack in use?
static bool overflowed(const struct native *n, const struct region *r,
                       uintptr_t address)
{
    uintptr_t low = (uintptr_t)region_stack(r, n->stack) - region_stack_size(r);
    return address < low && address >= low - STACK_GUARD;
}

__attribute__((format(printf, 4, 5))) static void note(struct native *n,
                                                       enum bug_kind kind,
                                                       uintptr_t pc,
                                                       const char *format, ...)
{
    va_list args;
    va_start(args, format);
    struct bug *b = push(n, kind, format, args);
    va_end(args);
    if (pc)
        set_where(n, b, pc, n->verdicts->callers);
}

// Between a signal and the host: a fault there is a fault of the way back, and
// would come again and again.
static volatile sig_atomic_t leaving;

void verdicts_record(struct native *n, struct region *r)
{
    struct verdicts *v = n->verdicts;
    int s = v->signal;
    uint32_t whose;
    struct region *outer = n->region;
    leaving = false;
    v->signal = 0;
    n->hurry = false;
    n->region = r;
    if (s == SIGPROF && v->waited) {
        note(n, BUG_ENDLESS, v->pc,
             "the handler waits in a call, for more than %u s", v->waited);
        v->waited = 0;
    } else if (s == SIGPROF) {
        v->timed_out = true;
        note(n, BUG_ENDLESS, v->pc, "the handler ran for more than %u ms",
             v->limit_ms * v->factor);
    } else if (s == SIGSEGV && overflowed(n, r, v->address)) {
        note(n, BUG_CRASH, v->pc, "stack overflow");
    } else if (s == SIGSEGV && commons_overrun(n, v->address)) {
        note(n, BUG_ISOLATION, v->pc,
             "memory that all actors share was changed, in many pages");
    } else if (s == SIGSEGV &&
               (whose = seal_owner(n, r, v->address)) != PLAY_NONE) {
        note(n, BUG_ISOLATION, v->pc, "%s touches memory of %s%s",
             actor_name(n, r->actor), whose == PLAY_ENV ? "the " : "",
             whose == PLAY_ENV ? "test body" : actor_name(n, whose));
    } else if (s == SIGSEGV || s == SIGBUS) {
        note(n, BUG_CRASH, v->pc, "%s at %#lx", signal_name(s), v->address);
    } else if (s) {
        note(n, BUG_CRASH, v->pc, "%s", signal_name(s));
    }
    if (n->now.bugs.n)
        explain_bug(n, r, &vec_last(&n->now.bugs));
    n->region = outer;
}

// ---- signals --------------------------------------------------------------

static uintptr_t context_pc(const ucontext_t *c)
{
#if defined __x86_64__
    return (uintptr_t)c->uc_mcontext.gregs[REG_RIP];
#elif defined __aarch64__
    return c->uc_mcontext.pc;
#else
    (void)c;
    return 0; // unknown
#endif
}

// The stack pointer that a signal interrupted; NULL if it is outside the stack
// of the task.
static const uintptr_t *context_sp(const struct native *n, const ucontext_t *c)
{
#if defined __x86_64__
    uintptr_t sp = (uintptr_t)c->uc_mcontext.gregs[REG_RSP];
#elif defined __aarch64__
    uintptr_t sp = c->uc_mcontext.sp;
#endif
    uintptr_t top = (uintptr_t)region_stack(n->region, n->stack);
    bool near =
        sp < top && sp >= top - region_stack_size(n->region) && sp % 8 == 0;
    return near ? (const uintptr_t *)sp : NULL;
}

// The calls under way above sp, from the first frame there that a function of
// the program has made.  A frame's two words are the next frame's place and a
// return address.
RAW static void note_callers(struct native *n, const uintptr_t *sp)
{
    const uintptr_t *top =
        (const uintptr_t *)(const void *)region_stack(n->region, n->stack);
    uintptr_t *to = n->verdicts->callers;
    uint32_t k = 0;
    while (sp && sp + 2 <= top && k + 1 < CALLERS) {
        const uintptr_t *next = (const uintptr_t *)sp[0];
        bool frame = next > sp && next <= top - 2 && sp[0] % 8 == 0 &&
                     verdict_in_program(n, sp[1]) &&
                     is_call((const unsigned char *)sp[1]);
        if (frame)
            to[k++] = sp[1];
        sp = frame ? next : k ? NULL : sp + 1;
    }
    to[k] = 0;
}

// Write down where it happened; can the process be trusted afterwards?
RAW static bool write_down(struct native *n, int s, uintptr_t address,
                           const ucontext_t *c)
{
    struct verdicts *v = n->verdicts;
    v->signal = s;
    v->address = address;
    v->pc = context_pc(c);
    note_callers(n, context_sp(n, c));
    explain_take(n);
    if (verdict_in_program(n, v->pc))
        return true;
    // a function without a frame of its own has its caller on top
    const uintptr_t *sp = context_sp(n, c);
    bool leaf = sp && verdict_in_program(n, *sp);
    uintptr_t pc = sp ? pc_above(n, sp) : 0;
    v->pc = pc ? pc - 1 : 0;
    return leaf;
}

static void on_fault(int s, siginfo_t *info, void *context)
{
    struct native *n = leaving ? NULL : stage_now;
    if (n && s == SIGSEGV && commons_fault(n, (uintptr_t)info->si_addr))
        return;
    if (n && (s == SIGSEGV ? sight_fault(n, (uintptr_t)info->si_addr, context)
                           : s == SIGTRAP && sight_step(n, context)))
        return;
    if (!n || !n->region) { // our own fault: die of it
        signal(s, SIG_DFL);
        raise(s);
        return;
    }
    leaving = true;
    if (!write_down(n, s, (uintptr_t)info->si_addr, context))
        n->tainted = true;
    task_leave(n, WHY_OVER);
}

// Was a system call under way, which now fails because of the signal?
static bool breaks_call(const ucontext_t *c)
{
#if defined __x86_64__
    const unsigned char *pc =
        (const unsigned char *)c->uc_mcontext.gregs[REG_RIP];
    return c->uc_mcontext.gregs[REG_RAX] == -EINTR && pc[-2] == 0x0f &&
           pc[-1] == 0x05;
#else
    (void)c;
    return false;
#endif
}

// For how many seconds has this run used no CPU time?
static uint32_t idle_for(struct verdicts *v)
{
    struct rusage u; // no function that the stage answers
    getrusage(RUSAGE_SELF, &u);
    uint64_t used =
        (uint64_t)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) * 1000000 +
        (uint64_t)(u.ru_utime.tv_usec + u.ru_stime.tv_usec);
    bool idle = v->idle_run == v->run && used - v->used_us < IDLE_US;
    v->idle_run = v->run;
    v->used_us = used;
    v->idle = idle ? v->idle + 1 : 0;
    return v->idle;
}

// Somebody who steps through a handler takes as long as it takes.
static bool is_traced(void)
{
    static const char key[] = "TracerPid:\t";
    char buffer[2048];
    int fd = open("/proc/self/status", O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? 0 : pread(fd, buffer, sizeof buffer - 1, 0);
    if (fd >= 0)
        close(fd);
    buffer[n > 0 ? n : 0] = '\0';
    const char *at = strstr(buffer, key);
    return at && at[sizeof key - 1] != '0';
}

static void on_second(struct native *n, const ucontext_t *context)
{
    struct verdicts *v = n->verdicts;
    uint32_t idle = idle_for(v);
    if (idle < (breaks_call(context) ? 1 : IDLE_TICKS) || is_traced())
        return;
    v->idle = 0;
    v->waited = idle;
    write_down(n, SIGPROF, 0, context);
    n->tainted = true; // a lock may be half taken
    task_leave(n, WHY_OVER);
}

static void on_tick(int s, siginfo_t *info, void *context)
{
    struct native *n = stage_now;
    struct verdicts *v = n ? n->verdicts : NULL;
    int error = errno;
    if (!v || !n->region)
        return;
    if (info->si_code == SI_TIMER) {
        on_second(n, context);
        errno = error;
        return;
    }
    if (v->seen != v->run) {
        v->seen = v->run;
        v->ticks = 0;
        return;
    }
    if (++v->ticks < TICKS * v->factor)
        return;
    // In the middle of the C library its locks may be held: try at the next
    // tick.
    if (!write_down(n, s, 0, context) && v->ticks < 2 * TICKS * v->factor) {
        n->hurry = true;
        errno = error;
        return;
    }
    if (v->ticks >= 2 * TICKS * v->factor)
        n->tainted = true;
    task_leave(n, WHY_OVER);
}

// A child process inherits no timer.
static void start_clock(struct verdicts *v)
{
    struct sigevent e = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGPROF};
    struct itimerspec every = {{1, 0}, {1, 0}};
    if (v->clock_of == getpid())
        return;
    v->clock_of = 0;
    if (timer_create(CLOCK_MONOTONIC, &e, &v->clock))
        return;
    v->clock_of = getpid();
    timer_settime(v->clock, 0, &every, NULL);
}

static void arm(struct native *n)
{
    uint32_t us = n->verdicts->limit_ms * 1000 / TICKS;
    struct itimerval every = {{us / 1000000, us % 1000000},
                              {us / 1000000, us % 1000000}};
    setitimer(ITIMER_PROF, &every, NULL);
    start_clock(n->verdicts);
}

static void in_child(void)
{
    if (stage_now)
        arm(stage_now);
}

void verdicts_open(struct native *n, uint32_t limit_ms)
{
    static bool told;
    struct verdicts *v = need_zero(sizeof *v);
    n->verdicts = v;
    n->text = n->program->text;
    v->limit_ms = limit_ms;
    v->factor = 1;
    v->stack = mmap(NULL, ALT_SIZE, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (v->stack == MAP_FAILED)
        die("no memory for signals");
    stack_t alt = {.ss_sp = v->stack, .ss_size = ALT_SIZE};
    sigaltstack(&alt, &v->stack_before);
    for (int i = 0; i < SIGNALS_N; i++) {
        struct sigaction a = {.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER |
                                          SA_RESTART};
        a.sa_sigaction = signals[i] == SIGPROF ? on_tick : on_fault;
        sigemptyset(&a.sa_mask);
        sigaction(signals[i], &a, &v->before[i]);
    }
    if (!told)
        told = !pthread_atfork(NULL, NULL, in_child);
    arm(n);
}

void verdicts_close(struct native *n)
{
    struct verdicts *v = n->verdicts;
    struct itimerval never = {0};
    setitimer(ITIMER_PROF, &never, NULL);
    if (v->clock_of == getpid())
        timer_delete(v->clock);
    for (int i = 0; i < SIGNALS_N; i++)
        sigaction(signals[i], &v->before[i], NULL);
    sigaltstack(&v->stack_before, NULL);
    munmap(v->stack, ALT_SIZE);
    free(v);
}

uint32_t verdicts_limit(const struct native *n)
{
    return n->verdicts->limit_ms;
}

void verdicts_begin(struct native *n)
{
    n->verdicts->run++;
    n->verdicts->timed_out = false;
}

bool verdicts_catch(const struct native *n, int number,
                    struct sigaction *before)
{
    for (int i = 0; i < SIGNALS_N; i++)
        if (signals[i] == number) {
            *before = n->verdicts->before[i];
            return true;
        }
    return false;
}

void verdicts_hurry(struct native *n)
{
    uintptr_t pc = verdict_pc(n);
    n->verdicts->pc = pc ? pc - 1 : 0;
    task_leave(n, WHY_OVER);
}

bool verdicts_timed_out(const struct native *n)
{
    return n->verdicts->timed_out;
}

bool verdicts_again(struct native *n)
{
    struct verdicts *v = n->verdicts;
    if (!v->timed_out || v->factor != 1) {
        v->factor = 1;
        return false;
    }
    v->factor = 10;
    return true;
}
