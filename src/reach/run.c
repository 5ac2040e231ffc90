// A run is: open, setup, posts and receives, end.  Traps, assertions, abort,
// exit and signals leave it by a jump; its memory is freed before the next run.
// Stacks of handlers are kept between runs.
#include "reach/runner.h"

#include "base/clock.h"
#include "base/die.h"
#include "base/diag.h"
#include "program/program.h"
#include "program/values.h"
#include "reach/heap.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <unistd.h>

enum {
    HEAP_ROOM = 1 << 29,
    LONG_RUN = 1000,    // receives
    WORK_MOST = 200000, // comparisons in a run,
    WORK_EACH = 1000,   // and more for each receive it may have
    WORK_BLOCK = 20,    // a block of memory is as many
    CROWD = 64,         // of repeated messages; then all pass after each
    TICK_MS = 100,
    TICKS_MOST = 20,
    GLOBALS_MOST = 1 << 24
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

static void *on_get(void *user, size_t size, size_t align)
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
    void *q = on_get(user, size, 16);
    if (p && q) {
        size_t old = heap_arena_size(r->heap, p);
        memcpy(q, p, old < size ? old : size);
        heap_arena_put(r->heap, p);
    }
    return q;
}

// ---- choices --------------------------------------------------------------

// Is a receive told without those that might have come instead?  A run that is
// recorded must know which of several messages that look alike it is; in `pair`
// only one of them is the next.
static bool is_told(const struct runner *r)
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
    if (is_told(r) && r->ordered == r->in->n_order && !r->in->seed)
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

// ---- one run --------------------------------------------------------------

static uint32_t class_of(const struct reach_model *m, const tr_class *c)
{
    return c ? ir_find_class(m->ir, c->name) : IR_NOTHING;
}

static void on_expose(tr_ctx *ctx, tr_ref ref, const char *name)
{
    struct runner *r = the_runner;
    r->real->expose(ctx, ref, name);
    const tr_class *c = tr__solo_class(r->runtime, tr__solo_id(ref));
    uint32_t k = pool_name(r->o.pool, name, class_of(r->o.model, c));
    if (k < POOL_NAMES)
        r->refs[k] = ref;
}

// A number stands for NULL, or for one of the receptionists of the class.
static tr_ref ref_of(const struct runner *r, const struct leaf *l, uint64_t v)
{
    const struct pool *p = r->o.pool;
    tr_ref fits[POOL_NAMES] = {0};
    uint32_t n = 0;
    for (uint32_t i = 0; i < p->n_names; i++)
        if (r->refs[i] && (l->cls == IR_NOTHING || p->names[i].cls == l->cls))
            fits[n++] = r->refs[i];
    v %= n + 1;
    return v ? fits[v - 1] : NULL;
}

static void fill(struct runner *r, const struct gene *g, unsigned char *to)
{
    const struct model_msg *m = &r->o.model->msgs.at[g->msg];
    uint32_t n = m->size < MODEL_BYTES ? m->size : MODEL_BYTES;
    memcpy(to, g->bytes, n);
    memset(to + n, 0, m->size - n);
    for (uint32_t i = 0; i < m->leaves.n; i++) {
        const struct leaf *l = &m->leaves.at[i];
        void *p = NULL;
        if (l->kind == LEAF_REF)
            p = ref_of(r, l, leaf_get(l, g->bytes));
        else if (l->kind == LEAF_BLOCK && leaf_get(l, g->bytes) & 1)
            p = memcpy(on_get(r, VALUES_BLOCK, 16), g->bytes + l->to, l->room);
        else if (l->kind != LEAF_BLOCK)
            continue;
        if (l->offset + sizeof p <= m->size)
            memcpy(to + l->offset, &p, sizeof p);
    }
}

static bool deliver(struct runner *r, uint32_t n)
{
    for (uint32_t i = 0; n == PASS_ALL || i < n; i++)
        if (!tr_deliver_one_(r->ctx))
            return r->end != RUN_BOUND;
    return true;
}

static bool post(struct runner *r, const struct gene *g, bool passes)
{
    const tr_msg *type = r->types[g->msg];
    if (g->to >= POOL_NAMES || !r->refs[g->to] || !type)
        return true;
    unsigned char *payload = on_get(r, type->size, 16);
    for (uint32_t k = 0; k < g->times; k++) {
        if (r->o.messages && r->posted == r->o.messages)
            return true;
        r->posted++;
        fill(r, g, payload);
        if (r->recording)
            runner_note_post(r, g, payload, k);
        tale_note(r, (struct tale_event){.what = TALE_POST,
                                         .n = (uint32_t)(g - r->in->genes)});
        r->posting = true;
        tr_send_(r->ctx, r->refs[g->to], type, payload);
        r->posting = false;
        tale_note(r, (struct tale_event){.what = TALE_POSTED});
        if (passes && !deliver(r, k < CROWD ? g->pass : PASS_ALL))
            return false;
    }
    return true;
}

static void play(struct runner *r)
{
    tale_note(r, (struct tale_event){.what = TALE_SETUP});
    r->o.system->setup(r->ctx);
    r->set_up = r->o.pool->set_up = true;
    r->ctx->ops = r->real;
    for (uint32_t i = 0; i < r->in->n_genes; i++)
        if (!post(r, &r->in->genes[i], r->o.delivery != DELIVERY_MAILBOX))
            return;
    deliver(r, PASS_ALL);
}

void runner_params(const struct runner *r, char *out, size_t size)
{
    size_t at = 0;
    out[0] = 0;
    for (uint32_t i = 0; i < r->o.model->params.n; i++)
        if (r->in->params >> i & 1 && !(r->o.fixed >> i & 1) && at < size)
            at += (size_t)snprintf(out + at, size - at, "%s=%lld ",
                                   r->o.model->params.at[i],
                                   (long long)r->in->values[i]);
    if (r->o.params && at < size)
        snprintf(out + at, size - at, "%s", r->o.params);
}

static void begin(struct runner *r, const struct input *in)
{
    heap_arena_reset(r->heap);
    if (r->globals)
        memcpy((void *)r->o.program->data.from, r->globals, r->globals_size);
    memset(r->map, 0, r->o.pool->n_hits);
    memset(r->refs, 0, sizeof r->refs);
    vec_clear(&r->touched);
    r->in = in;
    r->rng = rng_of(in->seed);
    r->ordered = r->picked = r->stacks_used = r->steps = 0;
    r->allocations = 0;
    r->posting = false;
    r->in_order = !in->n_order && !in->seed && is_told(r) && !r->wishes;
    r->noted_now = false;
    r->news = r->set_up = false;
    r->receives = 0;
    r->posted = 0;
    r->number++;
    r->end = RUN_DRAINED;
    r->budget = WORK_MOST + (int64_t)in->bound * WORK_EACH;
    r->work = r->budget;
}

static bool open_runtime(struct runner *r, const char *params)
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
    r->real = &tr__solo_ops;
    r->spy = *r->real;
    r->spy.expose = on_expose;
    if (!r->tale)
        r->ctx->ops = &r->spy;
    return true;
}

void runner_play(struct runner *r, const struct input *in)
{
    char params[MODEL_PARAMS * 80];
    begin(r, in);
    runner_params(r, params, sizeof params);
    hits_use(r->map);
    guest_use(&r->host);
    hits_watch(&r->watcher);
    r->running = true;
    if (!sigsetjmp(r->leave, 0) && open_runtime(r, params)) {
        play(r);
        if (r->end == RUN_DRAINED) {
            tr_leave(r->ctx);
            tr_end(r->runtime);
        }
    }
    r->running = false;
    guest_use(NULL);
    hits_watch(NULL);
}

// ---- what a run shows -----------------------------------------------------

uint64_t runner_cost(const struct runner *r)
{
    return (uint64_t)(r->budget - r->work) + 50 * r->receives;
}

static bool new_hits(struct runner *r)
{
    struct pool *p = r->o.pool;
    bool any = false;
    for (uint32_t i = 0; i < p->n_hits; i++)
        if (r->map[i] && !p->hit[i]) {
            p->hit[i] = 1;
            p->first[i] = p->n_inputs;
            p->when[i] = (uint64_t)((clock_now() - p->began) * 1e3);
            any = true;
        }
    return any;
}

// Is the run nearer to the side, or as near and a better base for changes?
static bool nearer(const struct near *n, double d, bool bad, uint64_t cost)
{
    if (d != n->distance)
        return d < n->distance;
    return bad == n->bad ? cost < n->cost - n->cost / 16 : n->bad;
}

static void note_near(struct runner *r, const struct input *in)
{
    struct pool *p = r->o.pool;
    bool bad = r->end != RUN_DRAINED;
    uint64_t cost = runner_cost(r);
    r->nearer = false;
    for (uint32_t k = 0; k < r->touched.n; k++) {
        uint32_t site = r->touched.at[k];
        if (!pool_open(p, site))
            continue;
        for (int i = 0; i < NEAR_N; i++) {
            struct near *n = &p->near[site * NEAR_N + i];
            double d = r->touch[site].distance[i];
            if (n->known && !nearer(n, d, bad, cost))
                continue;
            r->nearer |= !n->known || d < n->distance;
            n->known = true;
            n->bad = bad;
            n->attempts = d < n->distance ? 0 : n->attempts;
            n->distance = d;
            n->cost = cost;
            input_copy(&n->input, in);
        }
    }
}

// Of a text in a block a case tells what stands before its end.
static void end_texts(const struct reach_model *model, struct gene *g)
{
    const struct model_msg *m = &model->msgs.at[g->msg];
    for (uint32_t i = 0; i < m->leaves.n; i++) {
        const struct leaf *l = &m->leaves.at[i];
        if (l->kind != LEAF_TEXT || l->offset < m->size)
            continue;
        size_t n = strnlen((const char *)g->bytes + l->offset, l->size);
        memset(g->bytes + l->offset + n, 0, l->size - n);
    }
}

bool runner_try(struct runner *r, const struct input *from)
{
    struct pool *p = r->o.pool;
    const struct input *in = &p->current;
    input_copy(&p->current, from);
    for (uint32_t i = 0; i < in->n_genes; i++)
        end_texts(r->o.model, &p->current.genes[i]);
    p->runs++;
    runner_play(r, in);
    p->receives += r->receives;
    if (r->receives > LONG_RUN)
        p->long_receives += r->receives;
    bool news = new_hits(r);
    news |= r->news;
    if (news) {
        p->news = p->runs;
        pool_keep(p, in, r->end, (uint32_t)r->receives, runner_cost(r));
    }
    note_near(r, in);
    return news;
}

void runner_tell(struct runner *r, const struct input *in, struct tale *t)
{
    input_copy(&r->o.pool->current, in);
    tale_begin(r, t);
    runner_play(r, in);
    tale_begin(r, NULL);
}

uint32_t runner_actor(const struct runner *r, uint32_t name)
{
    return r->refs[name] ? tr__solo_id(r->refs[name]) : 0;
}

bool runner_nearer(const struct runner *r)
{
    return r->nearer;
}

enum run_end runner_end(const struct runner *r)
{
    return r->end;
}

uint64_t runner_receives(const struct runner *r)
{
    return r->receives;
}

uint32_t runner_allocations(const struct runner *r)
{
    return r->allocations;
}

const unsigned char *runner_map(const struct runner *r)
{
    return r->map;
}

bool runner_hit(const struct runner *r, uint32_t hit)
{
    return r->map[hit];
}

const struct touch *runner_touch(const struct runner *r, uint32_t site)
{
    return r->touch[site].run == r->number ? &r->touch[site] : NULL;
}

const struct run_options *runner_options(const struct runner *r)
{
    return &r->o;
}

// ---- opening --------------------------------------------------------------

static void catch_signals(void)
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

static void save_globals(struct runner *r)
{
    struct range d = r->o.program->data;
    r->globals_size = d.to - d.from;
    if (r->globals_size > GLOBALS_MOST)
        return;
    r->globals = need(r->globals_size + 1);
    memcpy(r->globals, (const void *)d.from, r->globals_size);
}

struct runner *runner_new(const struct run_options *o, struct diag *d)
{
    struct runner *r = need_zero(sizeof *r);
    r->o = *o;
    r->heap = heap_arena_new(HEAP_ROOM);
    if (!r->heap) {
        diag_set(d, EXIT_FAULT, "no memory for runs");
        free(r);
        return NULL;
    }
    r->map = need_zero(o->pool->n_hits + 1);
    r->touch = need_zero((o->pool->n_compares + 1) * sizeof *r->touch);
    r->types = need_zero((o->model->msgs.n + 1) * sizeof *r->types);
    for (uint32_t i = 0; i < o->model->msgs.n; i++)
        r->types[i] = program_msg(o->program, o->model->msgs.at[i].name);
    runner_watch(r);
    r->host = (struct guest_host){.user = r,
                                  .get = on_get,
                                  .put = on_put,
                                  .size = on_size,
                                  .owns = on_owns,
                                  .refuses = o->alloc_fails ? on_refuse : NULL,
                                  .ends = on_end};
    save_globals(r);
    catch_signals();
    the_runner = r;
    return r;
}
