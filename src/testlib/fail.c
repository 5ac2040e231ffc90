// How a run fails: by an assertion, a signal, its time limit, or because one of
// the hooks says so.  The C library calls assertions and signal handlers
// without a context, so this file alone keeps the current run in a variable.
//
// In a child the report is filled and the process ends at once, whatever state
// the program is in.  Without children, for a debugger, the run is left by a
// jump; only another thread's failure ends the process.
#include "testlib/finals.h"
#include "testlib/run.h"
#include "testlib/stack.h"

#include "base/diag.h"
#include "base/text.h"
#include "play/case.h"
#include "program/program.h"
#include "program/values.h"

#include <assert.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <ucontext.h>
#include <unistd.h>

static struct run *current;
// In tests in which memory runs out.
TR_API int tr_no_memory_(void);
static atomic_flag failed = ATOMIC_FLAG_INIT;

int tr_no_memory_(void)
{
    struct solo_now now;
    uint32_t pick = 0;
    if (current && current->replays)
        script_pick(&current->replay, !tr__solo_now(current->runtime, &now), 2,
                    &pick);
    return pick == 1;
}

// ---- what happened --------------------------------------------------------

static bool print_ref(void *user, uintptr_t ref, struct text *to)
{
    const struct run *r = user;
    char name[256];
    uint32_t id = tr__solo_id((tr_ref)ref);
    if (!tr__solo_class(r->runtime, id))
        return false;
    text_add(to, tr__solo_name(r->runtime, id, name, sizeof name));
    return true;
}

// "message deposit {.amount = 50}", by field names from debug information.
static void contents(struct run *r, const struct solo_now *now, struct text *to)
{
    struct diag d = {0};
    struct program *own = r->options->lines ? NULL : program_self(&d);
    const struct program *p = own ? own : r->options->lines;
    const tr_class *cls = tr__solo_class(r->runtime, now->actor);
    diag_free(&d);
    if (!p || !cls)
        return;
    struct values *v = values_new(p);
    struct values_names names = {.ref = print_ref, .user = r};
    text_format(to, "message %s ", now->msg->name);
    values_print(v, now->msg->name, now->payload, now->msg->size, &names, to);
    text_format(to, "\nstate   %s ", cls->name);
    values_print(v, cls->name, now->state, cls->size, &names, to);
    text_char(to, '\n');
    values_free(v);
    program_free(own);
}

static void where(struct run *r, struct text *to)
{
    struct solo_now now;
    char name[256];
    if (!r->runtime || !tr__solo_now(r->runtime, &now))
        return;
    text_add(to, "in ");
    if (now.handler)
        text_format(to, "%s, actor %s, ", now.handler,
                    tr__solo_name(r->runtime, now.actor, name, sizeof name));
    text_format(to, "receive %llu: ", (unsigned long long)now.step);
    script_words(r->runtime, &now.receive, 1, to);
    text_char(to, '\n');
    if (now.handler)
        contents(r, &now, to);
}

// The receives so far in words that TR_REPLAY takes; the last ones if many.
static void schedule(const struct run *r, struct text *to)
{
    struct arena a = {0};
    struct test_case c = {0};
    if (!r->runtime || !r->trace.n)
        return;
    record_steps(r, &a, &c);
    uint32_t from = c.steps.n > 60 ? c.steps.n - 60 : 0;
    text_add(to, from ? "schedule: ...; " : "schedule: ");
    for (uint32_t i = from; i < c.steps.n; i++) {
        text_add(to, i > from ? "; " : "");
        words_print(&c.steps.at[i], to);
    }
    text_char(to, '\n');
    case_release(&c);
    arena_free(&a);
}

static void again(const struct run *r, struct text *to)
{
    static const char *const managers[] = {
#define TEXT_(name, text) text,
        TEST_MANAGERS(TEXT_)
#undef TEXT_
    };
    text_format(to, "again: %s %s", r->options->program, r->test->name);
    if (!r->test->schedule && !r->test->explore)
        text_format(to, " --manager=%s", managers[r->manager]);
    if (r->manager != MANAGER_SINGLE || r->picks.n)
        text_format(to, " --seed=%llu", (unsigned long long)r->report->seed);
    for (const char *s = r->options->params; s && *s; s += strspn(s, " ")) {
        text_format(to, " --param %.*s", (int)strcspn(s, " "), s);
        s += strcspn(s, " ");
    }
    text_char(to, '\n');
}

void run_warn(struct run *r, const char *text)
{
    struct report *p = r->report;
    size_t n = strlen(p->warnings);
    if (!strstr(p->warnings, text))
        snprintf(p->warnings + n, sizeof p->warnings - n, "%s\n", text);
}

static void fill(struct run *r, enum bug_kind kind, const char *file, int line,
                 const char *text)
{
    struct report *p = r->report;
    struct text details = {0};
    struct bug bug = {.kind = kind, .file = file, .line = line, .text = text};
    snprintf(p->file, sizeof p->file, "%s", file ? file : r->test->file);
    p->line = file ? line : r->test->line;
    snprintf(p->text, sizeof p->text, "%s", text);
    p->kind = kind;
    p->told = true;
    where(r, &details);
    schedule(r, &details);
    again(r, &details);
    snprintf(p->details, sizeof p->details, "%s", text_get(&details));
    text_free(&details);
    record_run(r, &bug);
    finals_failed(r, kind);
}

static _Noreturn void jump(void *run)
{
    siglongjmp(*((struct run *)run)->escape, 1);
}

_Noreturn void run_fail(struct run *r, enum bug_kind kind, const char *file,
                        int line, const char *text)
{
    while (atomic_flag_test_and_set(&failed))
        if (r->child || !pthread_equal(pthread_self(), r->thread))
            pause(); // another thread was first: it ends the process
        else
            break;
    fill(r, kind, file, line, text);
    if (r->child)
        _exit(1);
    if (pthread_equal(pthread_self(), r->thread)) {
        atomic_flag_clear(&failed);
        if (r->runtime)
            tr__solo_escape(r->runtime, jump, r);
        jump(r);
    }
    fprintf(stderr, "%s:%d: FAILED %s: %s\n", r->report->file, r->report->line,
            r->test->name, text);
    _exit(1);
}

_Noreturn void run_fail_text(struct run *r, enum bug_kind kind,
                             struct text *text)
{
    char copy[sizeof r->report->text];
    snprintf(copy, sizeof copy, "%s", text_get(text));
    text_free(text);
    run_fail(r, kind, NULL, 0, copy);
}

// ---- assertions -----------------------------------------------------------

// In place of the C library's: assert() is the tests' oracle.
__attribute__((visibility("default"))) void __assert_fail(const char *assertion,
                                                          const char *file,
                                                          unsigned line,
                                                          const char *function)
{
    char text[800];
    if (!current) {
        fprintf(stderr, "%s:%u: %s: assertion '%s' failed\n", file, line,
                function ? function : "?", assertion);
        abort();
    }
    snprintf(text, sizeof text, "assertion '%s' failed", assertion);
    run_fail(current, BUG_ASSERTION, file, (int)line, text);
}

// ---- signals --------------------------------------------------------------

static void registers(void *context, uintptr_t *pc, uintptr_t *sp)
{
    ucontext_t *u = context;
#if defined __x86_64__
    *pc = (uintptr_t)u->uc_mcontext.gregs[REG_RIP];
    *sp = (uintptr_t)u->uc_mcontext.gregs[REG_RSP];
#elif defined __aarch64__
    *pc = (uintptr_t)u->uc_mcontext.pc;
    *sp = (uintptr_t)u->uc_mcontext.sp;
#else
    (void)u;
    *pc = *sp = 0;
#endif
}

static void on_crash(int number, siginfo_t *info, void *context)
{
    uintptr_t pc, sp, at = (uintptr_t)info->si_addr;
    char text[200];
    registers(context, &pc, &sp);
    if (!current)
        _exit(1);
    if (number == SIGABRT)
        snprintf(text, sizeof text, "abort() was called");
    else if (number == SIGSEGV && sp && at - sp + 65536 < 2 * 65536)
        snprintf(text, sizeof text, "stack overflow");
    else
        snprintf(text, sizeof text, "SIG%s at address %#lx",
                 sigabbrev_np(number), (unsigned long)at);
    current->report->pc = stack_pc(current->options->lines, context);
    run_fail(current, BUG_CRASH, NULL, 0, text);
}

// The timer interrupts the main thread.  A handler that does not end may run on
// another thread.
static void on_limit(int number, siginfo_t *info, void *context)
{
    static atomic_flag passed_on = ATOMIC_FLAG_INIT;
    struct solo_now now;
    char text[300];
    (void)info;
    if (!current)
        return;
    uint32_t limit_ms = current->test->timeout_ms
                            ? current->test->timeout_ms
                            : current->options->timeout_ms;
    if (current->manager == MANAGER_THREADS &&
        !atomic_flag_test_and_set(&passed_on) && stack_pass_on(number))
        return;
    current->report->pc = stack_pc(current->options->lines, context);
    if (current->runtime && tr__solo_now(current->runtime, &now) && now.handler)
        snprintf(text, sizeof text, "handler %s does not end", now.handler);
    else
        snprintf(text, sizeof text, "timed out after %g s", limit_ms * 1e-3);
    run_fail(current, BUG_ENDLESS, NULL, 0, text);
}

// exit() is no way out of a test.
static void on_end(int status, void *unused)
{
    char text[100];
    (void)unused;
    if (!current)
        return;
    snprintf(text, sizeof text, "the test ended the process, exit status %d",
             status);
    current->report->pc = stack_pc(current->options->lines, NULL);
    run_fail(current, BUG_EXIT, NULL, 0, text);
}

static void watch_for(int number, void (*handler)(int, siginfo_t *, void *))
{
    struct sigaction a = {.sa_sigaction = handler,
                          .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
    sigaction(number, &a, NULL);
}

// A sanitizer reports crashes better than we do.
extern void __asan_init(void) __attribute__((weak));
extern void __tsan_init(void) __attribute__((weak));

static void catch_all(void)
{
    static char stack[256 * 1024];
    static const int numbers[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
    stack_t s = {.ss_sp = stack, .ss_size = sizeof stack};
    stack_prepare();
    watch_for(SIGALRM, on_limit);
    on_exit(on_end, NULL);
    if (__asan_init || __tsan_init)
        return;
    sigaltstack(&s, NULL);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        watch_for(numbers[i], on_crash);
}

void fail_watch(struct run *r)
{
    current = r;
    if (r && r->child)
        catch_all();
    else if (!r)
        fail_limit(0);
}

void fail_limit(uint32_t ms)
{
    struct itimerval t = {
        .it_value = {.tv_sec = ms / 1000, .tv_usec = ms % 1000 * 1000}};
    setitimer(ITIMER_REAL, &t, NULL);
}
