// run_here() is the child: it loads the subject, lays the input out, calls and
// sends what came of it.  It may end before: by exit(), by a signal, or because
// its comparisons repeat themselves; what it noted until then is in shared
// memory.
#include "unit/runner.h"

#include "base/child.h"
#include "base/diag.h"
#include "base/hash.h"
#include "base/text.h"
#include "stage/hits.h"
#include "unit/callees.h"
#include "unit/runner_process.h"
#include "unit/spell.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SECONDS = 1 }; // of processor time
enum { WAITS = 4 };   // seconds, for a call that sleeps
enum { ALT_STACK = 1 << 16 };
enum { REPLY = 1 };

// What a child leaves even if it dies.
struct traces {
    uint32_t trap; // 1 + hit of the first failed check
    uint64_t steps;
    uint32_t allocations;
    uint64_t freed; // bit i: object i of the input, for those below 64
    uint64_t fault; // address of a SIGSEGV
    uint32_t repeats[RUNNER_REPEATS], n_repeats;
};
static struct traces *traces;

bool runner_open(const struct unit_subject *s, struct diag *d)
{
    void *p = mmap(NULL, sizeof *traces, PROT_READ | PROT_WRITE,
                   MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED || !hits_open(s->ir->n_hits))
        return diag_set(d, EXIT_FAULT, "no memory for the map of hits");
    traces = p;
    return true;
}

void runner_close(void)
{
    if (traces)
        munmap(traces, sizeof *traces);
    traces = NULL;
    hits_close();
}

void runner_release(struct runner_outcome *o)
{
    vec_free(&o->after);
    vec_free(&o->before);
    vec_free(&o->freed);
}

// ---- one run ----------------------------------------------------------------

struct job {
    const struct unit_subject *s;
    const struct ir_fn *f;
    uint32_t pre;
    const struct input *in;
    uint8_t fill;
    enum runner_guard guard;
};

static int reply_to; // the parent

static _Noreturn void say_end(enum runner_end end, int status)
{
    struct text t = {0};
    wire_begin(&t, REPLY);
    wire_put32(&t, end);
    wire_put32(&t, (uint32_t)status & 0xff);
    for (int i = 0; i < 3; i++)
        wire_put32(&t, 0);
    wire_send(reply_to, &t);
    _exit(0);
}

static void say_exit(int status)
{
    say_end(RUNNER_EXITED, status);
}

static void note_trap(void *user, uint32_t hit)
{
    (void)user;
    ((uint8_t *)hits_map())[hit] = 1;
    if (!traces->trap)
        traces->trap = hit + 1;
}

// ---- runs that do not end ---------------------------------------------------

// After STEPS_LATE comparisons a run that goes on for ever is in its loop: then
// the latest ones are looked at.
enum { STEPS_LATE = 4000000, LATEST = 1 << 16, PERIOD_MOST = 1024 };

static struct {
    uint32_t site;
    uint64_t values;
} latest[LATEST];

static bool has_period(uint32_t period)
{
    for (uint32_t i = period; i < LATEST; i++)
        if (latest[i].site != latest[i - period].site ||
            latest[i].values != latest[i - period].values)
            return false;
    return true;
}

static void note_repeat(uint32_t site)
{
    for (uint32_t i = 0; i < traces->n_repeats; i++)
        if (traces->repeats[i] == site)
            return;
    if (traces->n_repeats < RUNNER_REPEATS)
        traces->repeats[traces->n_repeats++] = site;
}

static void look_for_period(void)
{
    for (uint32_t period = 1; period <= PERIOD_MOST; period++)
        if (has_period(period)) {
            for (uint32_t i = 0; i < period; i++)
                note_repeat(latest[i].site);
            say_end(RUNNER_LATE, 0);
        }
}

// The ring is looked at each time that it is full, so it has no seam.
static void note_step(uint32_t site, uint64_t a, uint64_t b)
{
    uint64_t values[2] = {a, b};
    uint32_t at = (uint32_t)(traces->steps++ % LATEST);
    latest[at].site = site;
    latest[at].values = hash_bytes(values, sizeof values);
    if (traces->steps >= STEPS_LATE && at == LATEST - 1)
        look_for_period();
}

static void note_compare(void *user, uint32_t site, uint32_t op, uint32_t bits,
                         uint64_t a, uint64_t b)
{
    (void)user, (void)op, (void)bits;
    note_step(site, a, b);
}

static void note_floats(void *user, uint32_t site, uint32_t mask, double a,
                        double b)
{
    uint64_t x, y;
    (void)user, (void)mask;
    memcpy(&x, &a, sizeof x);
    memcpy(&y, &b, sizeof y);
    note_step(site, x, y);
}

static void note_cases(void *user, uint32_t site, uint32_t bits, uint64_t v,
                       const uint64_t *cases, uint32_t n)
{
    (void)user, (void)bits, (void)cases, (void)n;
    note_step(site, v, 0);
}

static void note_texts(void *user, uint32_t site, uint32_t how, const void *x,
                       const void *y, size_t n)
{
    (void)user, (void)how, (void)n;
    note_step(site, (uint64_t)(uintptr_t)x, (uint64_t)(uintptr_t)y);
}

static void note_allocation(void)
{
    traces->allocations++;
}

static void note_free(uint32_t object)
{
    if (object < 64)
        traces->freed |= UINT64_C(1) << object;
}

// The signal comes again on return, and ends the process.
static void note_fault(int s, siginfo_t *info, void *context)
{
    (void)s, (void)context;
    if (!traces->fault)
        traces->fault = (uint64_t)(uintptr_t)info->si_addr;
}

static void watch_faults(void)
{
    static char stack[ALT_STACK];
    stack_t alt = {.ss_sp = stack, .ss_size = sizeof stack};
    struct sigaction sa = {.sa_sigaction = note_fault,
                           .sa_flags =
                               (int)(SA_SIGINFO | SA_ONSTACK | SA_RESETHAND)};
    sigaltstack(&alt, NULL);
    sigaction(SIGSEGV, &sa, NULL);
}

static void calm(void)
{
    struct rlimit none = {0, 0}, much = {1 << 20, 1 << 20};
    struct itimerval most = {.it_value = {SECONDS, 0}};
    int nothing = open("/dev/null", O_RDWR);
    setrlimit(RLIMIT_CORE, &none);
    dup2(nothing, STDIN_FILENO);
    for (int s = 1; s < 32; s++)
        signal(s, SIG_DFL);
    setrlimit(RLIMIT_FSIZE, &much);
    signal(SIGXFSZ, SIG_IGN);
    watch_faults();
    setitimer(ITIMER_PROF, &most, NULL);
    alarm(WAITS);
}

// What the call finds on the stack where it has written nothing yet.
__attribute__((noinline)) static void dirty_stack(uint8_t fill)
{
    volatile uint8_t room[16384];
    for (size_t i = 0; i < sizeof room; i++)
        room[i] = fill;
}

// What the precondition passes does not belong to the run.
static void check_pre(struct runner_process *p, const struct job *j,
                      const struct runner_layout *l)
{
    runner_thunk *pre = runner_function(p, j->s->ir->fns.at[j->pre]);
    if (!pre || !runner_allows(p, pre, j->in, l) || traces->trap)
        say_end(RUNNER_REFUSED, 0);
    memset(hits_map(), 0, j->s->ir->n_hits);
    traces->steps = 0;
    traces->allocations = p->allocations = 0;
}

// What static variables of functions hold after them stays.
static void make_earlier(struct runner_process *p, const struct job *j,
                         const struct runner_layout *l, runner_thunk *call)
{
    uint64_t result[2];
    if (!j->in->earlier)
        return;
    for (uint32_t i = 0; i < j->in->earlier; i++)
        call(l->params, result);
    runner_reset(p);
    memset(hits_map(), 0, j->s->ir->n_hits);
    traces->steps = 0;
    traces->allocations = p->allocations = 0;
}

static void send_all(struct runner_process *p, struct arena *a,
                     const struct job *j, const char *result)
{
    struct text t = {0};
    struct runner_values before = {0}, after = {0};
    runner_say(p, a, j->f, result, &before, &after);
    wire_begin(&t, REPLY);
    wire_put32(&t, RUNNER_RETURNED);
    wire_put32(&t, 0);
    wire_put32(&t, p->freed.n);
    for (uint32_t i = 0; i < p->freed.n; i++)
        wire_put32(&t, p->freed.at[i]);
    wire_put32(&t, before.n);
    text_bytes(&t, text_get(&before.wire), before.wire.n);
    wire_put32(&t, after.n);
    text_bytes(&t, text_get(&after.wire), after.wire.n);
    wire_send(reply_to, &t);
}

static void run_here(void *self, int fd)
{
    static const struct hits_watcher watcher = {.trapped = note_trap,
                                                .compare = note_compare,
                                                .floats = note_floats,
                                                .texts = note_texts,
                                                .cases = note_cases};
    const struct job *j = self;
    struct itimerval none = {0};
    struct arena a = {0};
    struct runner_layout l;
    struct runner_process *p = runner_load(j->s, j->fill, j->guard);
    runner_thunk *call = p ? runner_function(p, j->f) : NULL;
    if (!call)
        _exit(EXIT_FAILURE);
    calm();
    reply_to = fd;
    runner_on_exit(p, say_exit);
    p->on_free = note_free;
    p->on_allocation = note_allocation;
    hits_watch(&watcher);
    uint64_t size = spell_bare(j->s->ir, j->f->types[0])->size;
    char *result = arena_zero(&a, size + 16);
    runner_lay_out(p, j->in, &a, &l);
    if (j->pre != IR_NOTHING)
        check_pre(p, j, &l);
    make_earlier(p, j, &l, call);
    p->has_errno = callees_use_errno(j->s->ir, j->f);
    dirty_stack(j->fill);
    errno = 0;
    call(l.params, result);
    p->error = errno;
    alarm(0);
    setitimer(ITIMER_PROF, &none, NULL);
    send_all(p, &a, j, result);
}

static struct call_value take_value(struct wire_reader *r, struct arena *a)
{
    struct call_value v;
    v.kind = (enum call_kind)wire_get_below(r, CALL_KINDS_N);
    const char *place = wire_get_string(r), *value = wire_get_string(r);
    v.place = arena_text(a, place ? place : "");
    v.value = arena_text(a, value ? value : "");
    return v;
}

static void take(struct wire_reader *r, struct arena *a,
                 struct runner_outcome *out)
{
    out->end = (enum runner_end)wire_get_below(r, RUNNER_LATE + 1);
    out->number = (int)wire_get32(r);
    for (uint32_t n = wire_get32(r); n-- && !r->bad;)
        vec_push(&out->freed, wire_get32(r));
    for (uint32_t n = wire_get32(r); n-- && !r->bad;)
        vec_push(&out->before, take_value(r, a));
    for (uint32_t n = wire_get32(r); n-- && !r->bad;) {
        struct call_value v = take_value(r, a);
        if (!r->bad)
            vec_push(&out->after, v);
    }
}

bool runner_run(const struct unit_subject *s, struct arena *a,
                const struct ir_fn *f, uint32_t pre, const struct input *in,
                uint8_t fill, enum runner_guard guard,
                struct runner_outcome *out)
{
    struct job j = {s, f, pre, in, fill, guard};
    struct child_plan plan = {
        .body = run_here, .self = &j, .signals = CHILD_DIES, .quiet = true};
    struct wire_in wire = {0};
    struct wire_message m;
    int status = 0;
    memset(out, 0, sizeof *out);
    memset(hits_map(), 0, s->ir->n_hits);
    traces->trap = 0;
    traces->steps = 0;
    traces->freed = 0;
    traces->allocations = 0;
    traces->fault = 0;
    traces->n_repeats = 0;
    enum child_answer answer = child_ask(&plan, WAITS + 3, &wire, &m, &status);
    if (answer == CHILD_ANSWERED)
        take(&m.body, a, out);
    else if (answer == CHILD_LATE ||
             (WIFSIGNALED(status) &&
              (WTERMSIG(status) == SIGALRM || WTERMSIG(status) == SIGPROF)))
        out->end = RUNNER_LATE;
    else if (WIFSIGNALED(status))
        *out = (struct runner_outcome){.end = RUNNER_SIGNALLED,
                                       .number = WTERMSIG(status)};
    for (uint32_t i = 0; i < 64 && out->end != RUNNER_RETURNED; i++)
        if (traces->freed >> i & 1)
            vec_push(&out->freed, i);
    bool ok =
        answer == CHILD_ANSWERED || answer == CHILD_LATE || WIFSIGNALED(status);
    out->trap = traces->trap ? traces->trap - 1 : IR_NOTHING;
    out->steps = traces->steps;
    out->fault = traces->fault;
    out->allocations = traces->allocations;
    out->n_repeats = out->end == RUNNER_LATE ? traces->n_repeats : 0;
    memcpy(out->repeats, traces->repeats, sizeof out->repeats);
    out->hits = arena_copy(a, hits_map(), s->ir->n_hits + 1ul);
    wire_free(&wire);
    return ok;
}

static const struct call_value *find(const struct runner_outcome *o,
                                     const char *place, enum call_kind kind)
{
    for (uint32_t i = 0; i < o->after.n; i++)
        if (strcmp(o->after.at[i].place, place) == 0 &&
            o->after.at[i].kind == kind)
            return &o->after.at[i];
    return NULL;
}

int runner_agree(struct runner_outcome *a, const struct runner_outcome *b)
{
    uint32_t kept = 0, n = a->after.n;
    if (a->end != b->end || a->number != b->number)
        return -1;
    for (uint32_t i = 0; i < n; i++) {
        struct call_value v = a->after.at[i];
        const struct call_value *w = find(b, v.place, v.kind);
        if (w && strcmp(w->value, v.value) == 0)
            a->after.at[kept++] = v;
    }
    a->after.n = kept;
    return (int)(n - kept);
}
