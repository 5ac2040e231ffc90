// What the runtime and the program ask for during a run: memory, the next
// receive, a way out.
#include "reach/runner.h"

#include "reach/heap.h"

#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>

enum {
    WORK_BLOCK = 20, // a block of memory is as many comparisons
    TICK_MS = 100,
    TICKS_MOST = 20,
};

struct runner *the_runner;

// ---- leaving a run --------------------------------------------------------

_Noreturn void runner_leave(struct runner *r, enum run_end end)
{
    r->end = end;
    siglongjmp(r->leave, 1);
}

static void on_end(void *user, const char *how)
{
    struct runner *r = user;
    (void)how;
    if (r->running)
        runner_leave(r, RUN_TRAPPED);
}

static void on_signal(int sig)
{
    struct runner *r = the_runner;
    if (r && r->running)
        runner_leave(r, RUN_TRAPPED);
    signal(sig, SIG_DFL);
    raise(sig);
}

// A run is bounded by its comparisons.  The clock ends one that makes too few.
static void on_tick(int sig)
{
    struct runner *r = the_runner;
    (void)sig;
    if (!r || !r->running)
        return;
    if (r->tick_run != r->number) {
        r->tick_run = r->number;
        r->ticks = 0;
    }
    if (++r->ticks > TICKS_MOST)
        runner_leave(r, RUN_LATE);
}

void *runner_get(void *user, size_t size, size_t align)
{
    struct runner *r = user;
    void *p = heap_arena_get(r->heap, size, align);
    r->work -= WORK_BLOCK;
    if ((!p || r->work < 0) && r->running)
        runner_leave(r, RUN_LATE);
    return p;
}

// Blocks that a post takes belong to the body, where a case posts.
static bool on_refuse(void *user)
{
    struct runner *r = user;
    bool no = false;
    r->allocations++;
    for (int i = 0; i < INPUT_FAILS; i++)
        no |= r->in->fails[i] == r->allocations;
    if (r->recording)
        vec_push(&r->picks,
                 ((struct picked){r->posting ? 0 : r->steps, no, true}));
    if (no && r->tale)
        r->tale->cut = true; // the IR has no allocation that fails here
    return no;
}

static void on_put(void *user, void *p)
{
    struct runner *r = user;
    heap_arena_put(r->heap, p);
}

static size_t on_size(void *user, const void *p)
{
    struct runner *r = user;
    return heap_arena_size(r->heap, p);
}

static bool on_owns(void *user, const void *p)
{
    struct runner *r = user;
    return heap_arena_has(r->heap, p);
}

static void *runtime_alloc(void *user, void *p, size_t size)
{
    struct runner *r = user;
    if (!size) {
        if (p)
            heap_arena_put(r->heap, p);
        return NULL;
    }
    void *q = runner_get(user, size, 16);
    if (p && q) {
        size_t old = heap_arena_size(r->heap, p);
        memcpy(q, p, old < size ? old : size);
        heap_arena_put(r->heap, p);
    }
    return q;
}

// ---- choices --------------------------------------------------------------

bool runner_told_alone(const struct runner *r)
{
    return !r->recording || r->o.delivery == DELIVERY_PAIR;
}

// A run that is recorded is asked where the others are in order, and has to
// answer what comes there.
static uint32_t on_choose(void *user, const struct solo_option *o, uint32_t n)
{
    struct runner *r = user;
    uint32_t i = 0;
    r->work -= n / 4; // to list them took as long
    if (r->wishes)
        return runner_wished(r, o, n);
    if (r->ordered == r->in->n_order && !r->in->seed)
        i = tr__solo_oldest(r->runtime, n);
    if (i == (uint32_t)SOLO_NOTHING)
        return i;
    if (n > 1 && r->ordered < r->in->n_order)
        i = r->in->order[r->ordered++] % n;
    else if (n > 1 && r->in->seed)
        i = rng_below(&r->rng, n);
    if (runner_told_alone(r) && r->ordered == r->in->n_order && !r->in->seed)
        r->in_order = true;
    if (r->recording)
        runner_note_step(r, o, i);
    r->noted_now = true;
    return i;
}

static uint32_t on_pick(void *user, uint32_t n)
{
    struct runner *r = user;
    uint32_t k = r->picked++;
    uint32_t pick = k < r->in->n_picks ? r->in->picks[k] % n
                    : r->in->seed      ? rng_below(&r->rng, n)
                                       : 0;
    if (r->recording)
        vec_push(&r->picks, ((struct picked){r->steps, pick, false}));
    return pick;
}

static void on_receive(void *user, const struct solo_option *o)
{
    struct runner *r = user;
    if (r->recording && !r->noted_now)
        runner_note_step(r, o, 0);
    r->noted_now = false;
    r->receives++;
    if (r->o.actors && tr__solo_class(r->runtime, r->o.actors + 1))
        runner_leave(r, RUN_BOUND);
}

static void on_bug(void *user, const struct solo_bug *b)
{
    struct runner *r = user;
    if (b->kind == SOLO_ENDLESS)
        r->end = RUN_BOUND;
}

static void on_fault(void *user, const tr_fault *f)
{
    (void)user;
    (void)f;
}

static void on_log(void *user, tr_level level, const char *text)
{
    (void)user;
    (void)level;
    (void)text;
}

static void on_stats(void *user, const tr_class *c, const tr_stats *s)
{
    (void)user;
    (void)c;
    (void)s;
}

static void *on_stack(void *user, size_t size)
{
    struct runner *r = user;
    if (r->stacks_used == r->stacks.n) {
        size_t page = 4096;
        char *p = mmap(NULL, size + page, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (p == MAP_FAILED || mprotect(p, page, PROT_NONE) != 0)
            return NULL;
        vec_push(&r->stacks, (void *)(p + page));
    }
    return r->stacks.at[r->stacks_used++];
}

static uint32_t class_of(const struct reach_model *m, const tr_class *c)
{
    return c ? ir_find_class(m->ir, c->name) : IR_NOTHING;
}

void runner_meet(struct runner *r)
{
    const char *name;
    tr_ref ref;
    for (uint32_t i = 0; (ref = tr__solo_exposed(r->runtime, i, &name)); i++) {
        const tr_class *c = tr__solo_class(r->runtime, tr__solo_id(ref));
        uint32_t k = pool_name(r->o.pool, name, class_of(r->o.model, c));
        if (k < POOL_NAMES)
            r->refs[k] = ref;
    }
}

// ---- what they are told beforehand ------------------------------------------

bool runner_open_runtime(struct runner *r, const char *params)
{
    static const enum solo_delivery models[] = {[DELIVERY_PAIR] = SOLO_PAIR,
                                                [DELIVERY_ANY] = SOLO_ANY,
                                                [DELIVERY_CAUSAL] = SOLO_CAUSAL,
                                                [DELIVERY_MAILBOX] =
                                                    SOLO_MAILBOX};
    struct solo_options opt = {.user = r,
                               .delivery = models[r->o.delivery],
                               .choose = on_choose,
                               .pick = on_pick,
                               .on_receive = on_receive,
                               .on_bug = on_bug,
                               .max_steps = r->in->bound,
                               .in_order = &r->in_order,
                               .stack = on_stack,
                               .ticks = RUN_TICKS,
                               .testing = r->recording,
                               .tale = r->tale ? &r->teller : NULL};
    tr_config c = {.params = *params ? params : NULL,
                   .user = r,
                   .on_fault = on_fault,
                   .on_log = on_log,
                   .on_stats = on_stats,
                   .alloc = runtime_alloc};
    if (tr__solo_open(&opt, &c, &r->runtime) != 0)
        return false;
    r->ctx = tr_enter(r->runtime);
    return true;
}

void runner_serve(struct runner *r)
{
    r->host =
        (struct guest_host){.user = r,
                            .get = runner_get,
                            .put = on_put,
                            .size = on_size,
                            .owns = on_owns,
                            .refuses = r->o.alloc_fails ? on_refuse : NULL,
                            .ends = on_end};
}

void runner_catch_signals(void)
{
    static const int fatal[] = {SIGSEGV, SIGBUS,  SIGFPE,
                                SIGILL,  SIGABRT, SIGTRAP};
    static char stack[65536];
    stack_t alt = {.ss_sp = stack, .ss_size = sizeof stack};
    struct sigaction act = {.sa_handler = on_signal,
                            .sa_flags = SA_ONSTACK | SA_NODEFER};
    struct sigaction tick = {.sa_handler = on_tick,
                             .sa_flags = SA_ONSTACK | SA_NODEFER | SA_RESTART};
    struct itimerval every = {{0, TICK_MS * 1000}, {0, TICK_MS * 1000}};
    sigaltstack(&alt, NULL);
    for (size_t i = 0; i < sizeof fatal / sizeof *fatal; i++)
        sigaction(fatal[i], &act, NULL);
    sigaction(SIGVTALRM, &tick, NULL);
    setitimer(ITIMER_VIRTUAL, &every, NULL);
}
