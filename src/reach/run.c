// A run is: open, setup, posts and receives, end.  Traps, assertions, abort,
// exit and signals leave it by a jump; what it allocated is set back before the
// next one.  Stacks of handlers are kept between runs.
#include "reach/run.h"

#include "base/clock.h"
#include "base/die.h"
#include "base/diag.h"
#include "base/hash.h"
#include "base/rng.h"
#include "base/text.h"
#include "play/case.h"
#include "program/program.h"
#include "program/values.h"
#include "reach/distance.h"
#include "reach/heap.h"
#include "runtime/seam.h"
#include "runtime/solo/solo.h"
#include "stage/guest.h"
#include "stage/hits.h"
#include "testlib/script.h"

#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
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
    GLOBALS_MOST = 1 << 16
};

struct picked {
    uint32_t step, pick;
};

struct runner {
    struct run_options o;
    struct heap_arena *heap;
    struct hits_watcher watcher;
    struct guest_host host;
    struct tr_ops spy; // notes what the setup exposes
    const struct tr_ops *real;
    unsigned char *map; // places passed, by hit
    struct touch *touch;
    VEC(uint32_t) touched;
    VEC(void *) stacks;
    uint32_t stacks_used;
    unsigned char *globals; // as they are before a run; NULL: too many
    size_t globals_size;
    const tr_msg **types; // by model message
    sigjmp_buf leave;
    // The run under way:
    const struct input *in;
    tr_runtime *runtime;
    tr_ctx *ctx;
    tr_ref refs[POOL_NAMES];
    struct rng rng;  // of the input: the same in every run of it
    struct rng dice; // of the pool
    uint32_t ordered, picked;
    bool in_order;
    bool running;
    bool set_up;
    int64_t work, budget; // comparisons left, and at the beginning
    uint64_t number;
    uint64_t receives;
    uint32_t posted;
    uint32_t ticks;
    uint64_t tick_run;
    bool news;
    enum run_end end;
    // Making a case of it:
    bool recording;
    struct solo_option noted; // the last step
    uint32_t noted_twin;
    uint32_t steps;
    VEC(struct picked) picks;
    struct arena *case_arena;
    struct test_case *c;
};

static struct runner *the_runner; // for signal handlers

// ---- leaving a run --------------------------------------------------------

static _Noreturn void leave_run(struct runner *r, enum run_end end)
{
    r->end = end;
    siglongjmp(r->leave, 1);
}

static void on_trap(void *user, uint32_t hit)
{
    struct runner *r = user;
    r->map[hit] = 1;
    if (r->running)
        leave_run(r, RUN_TRAPPED);
}

static void on_end(void *user, const char *how)
{
    struct runner *r = user;
    (void)how;
    if (r->running)
        leave_run(r, RUN_TRAPPED);
}

static void on_signal(int sig)
{
    struct runner *r = the_runner;
    if (r && r->running)
        leave_run(r, RUN_TRAPPED);
    signal(sig, SIG_DFL);
    raise(sig);
}

// The clock ends only what comparisons do not count.
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
        leave_run(r, RUN_LATE);
}

static void *on_get(void *user, size_t size, size_t align)
{
    struct runner *r = user;
    void *p = heap_arena_get(r->heap, size, align);
    r->work -= WORK_BLOCK;
    if ((!p || r->work < 0) && r->running)
        leave_run(r, RUN_LATE);
    return p;
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

// ---- comparisons ----------------------------------------------------------

static bool counts(struct runner *r)
{
    if (!r->running)
        return false;
    if (--r->work < 0)
        leave_run(r, RUN_LATE);
    return true;
}

// The side is noted; true if the other one is open and this is the first or the
// nearest time that the run comes here.
static struct touch *touch_of(struct runner *r, uint32_t site, bool holds,
                              const double *distance)
{
    struct pool *p = r->o.pool;
    unsigned char side = holds ? SIDE_TRUE : SIDE_FALSE;
    struct touch *t = &r->touch[site];
    if (!(p->side[site] & side)) {
        p->side[site] |= side;
        r->news = true;
    }
    if (p->side[site] == (SIDE_TRUE | SIDE_FALSE))
        return NULL;
    if (t->run != r->number) {
        t->run = r->number;
        t->distance[0] = t->distance[1] = HUGE_DISTANCE;
        vec_push(&r->touched, site);
    }
    bool nearer = distance[0] < t->distance[0] || distance[1] < t->distance[1];
    for (int k = 0; k < NEAR_N; k++)
        if (distance[k] < t->distance[k])
            t->distance[k] = distance[k];
    return nearer ? t : NULL;
}

static bool both_seen(const struct runner *r, uint32_t site)
{
    return r->o.pool->side[site] == (SIDE_TRUE | SIDE_FALSE);
}

static void on_compare(void *user, uint32_t site, uint32_t op, uint32_t bits,
                       uint64_t a, uint64_t b)
{
    struct runner *r = user;
    double distance[NEAR_N];
    if (!counts(r) || both_seen(r, site))
        return;
    bool holds = distance_numbers((enum ir_op)op, bits, a, b, distance);
    struct touch *t = touch_of(r, site, holds, distance);
    if (!t)
        return;
    t->is_float = false;
    t->bits = bits;
    t->a = a;
    t->b = b;
    pool_number(r->o.pool, a, rng_next(&r->dice));
    pool_number(r->o.pool, b, rng_next(&r->dice));
}

static void on_floats(void *user, uint32_t site, uint32_t mask, double a,
                      double b)
{
    struct runner *r = user;
    double distance[NEAR_N];
    if (!counts(r) || both_seen(r, site))
        return;
    bool holds = distance_floats(mask, a, b, distance);
    struct touch *t = touch_of(r, site, holds, distance);
    if (!t)
        return;
    t->is_float = true;
    t->x = a;
    t->y = b;
    pool_float(r->o.pool, a, rng_next(&r->dice));
    pool_float(r->o.pool, b, rng_next(&r->dice));
}

static void on_texts(void *user, uint32_t site, uint32_t how, const void *a,
                     const void *b, size_t n)
{
    struct runner *r = user;
    double distance[NEAR_N];
    if (!counts(r) || !a || !b || both_seen(r, site))
        return;
    bool holds = distance_texts((enum ir_text)how, a, b, n, distance);
    struct touch *t = touch_of(r, site, holds, distance);
    if (!t)
        return;
    t->is_float = false;
    t->bits = 0;
    size_t most = how == IR_TEXT_BYTES ? n : POOL_TEXT;
    most = most < n ? most : n;
    pool_text(r->o.pool, a, how == IR_TEXT_BYTES ? most : strnlen(a, most),
              rng_next(&r->dice));
    pool_text(r->o.pool, b, how == IR_TEXT_BYTES ? most : strnlen(b, most),
              rng_next(&r->dice));
}

static void on_cases(void *user, uint32_t site, uint32_t bits, uint64_t v,
                     const uint64_t *cases, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        on_compare(user, site + i, IR_EQ, bits, v, cases[i]);
}

// ---- choices --------------------------------------------------------------

static bool same_option(const struct solo_option *a,
                        const struct solo_option *b)
{
    return a->what == b->what && a->to == b->to && a->from == b->from &&
           a->msg == b->msg && a->soonest == b->soonest &&
           a->brings == b->brings && a->nth == b->nth;
}

static void note_words(struct runner *r, const struct solo_option *o,
                       uint32_t i)
{
    struct text words = {0};
    struct words_step step;
    uint32_t twin = script_twin(o, i);
    if (r->steps && twin == r->noted_twin && same_option(&r->noted, &o[i])) {
        step = vec_last(&r->c->steps);
        vec_push(&r->c->steps, step);
        r->steps++;
        return;
    }
    r->noted = o[i];
    r->noted_twin = twin;
    script_words(r->runtime, &o[i], twin, &words);
    if (!words_parse(r->case_arena, text_get(&words), &step))
        vec_push(&r->c->steps, step);
    r->steps++;
    text_free(&words);
}

static uint32_t on_choose(void *user, const struct solo_option *o, uint32_t n)
{
    struct runner *r = user;
    uint32_t i = 0;
    r->work -= n / 4; // to list them took as long
    if (n > 1 && r->ordered < r->in->n_order)
        i = r->in->order[r->ordered++] % n;
    else if (n > 1 && r->in->seed)
        i = rng_below(&r->rng, n);
    if (!r->recording && r->ordered == r->in->n_order && !r->in->seed)
        r->in_order = true;
    if (r->recording)
        note_words(r, o, i);
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
        vec_push(&r->picks, ((struct picked){r->steps, pick}));
    return pick;
}

static void on_receive(void *user, const struct solo_option *o)
{
    struct runner *r = user;
    (void)o;
    r->receives++;
    if (r->o.actors && tr__solo_class(r->runtime, r->o.actors + 1))
        leave_run(r, RUN_BOUND);
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

static void note_post(struct runner *r, const struct gene *g,
                      const unsigned char *payload);

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
        if (!k && r->recording)
            note_post(r, g, payload);
        tr_send_(r->ctx, r->refs[g->to], type, payload);
        if (passes && !deliver(r, k < CROWD ? g->pass : PASS_ALL))
            return false;
    }
    return true;
}

static void play(struct runner *r)
{
    r->o.system->setup(r->ctx);
    r->set_up = true;
    r->ctx->ops = r->real;
    for (uint32_t i = 0; i < r->in->n_genes; i++)
        if (!post(r, &r->in->genes[i], r->o.delivery != DELIVERY_MAILBOX))
            return;
    deliver(r, PASS_ALL);
}

static void params_text(const struct runner *r, char *out, size_t size)
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
    r->in_order = !in->n_order && !in->seed && !r->recording;
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
                               .testing = r->recording};
    tr_config c = {.params = *params ? params : NULL,
                   .user = r,
                   .on_fault = on_fault,
                   .on_log = on_log,
                   .on_stats = on_stats,
                   .alloc = runtime_alloc};
    if (tr__solo_open(&opt, &c, &r->runtime) != 0)
        return false;
    r->ctx = tr_enter(r->runtime);
    r->real = r->ctx->ops;
    r->spy = *r->real;
    r->spy.expose = on_expose;
    r->ctx->ops = &r->spy;
    return true;
}

static void run(struct runner *r, const struct input *in)
{
    char params[MODEL_PARAMS * 80];
    begin(r, in);
    params_text(r, params, sizeof params);
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

// Nearer, or as near and better to go on from.
static bool nearer(const struct near *n, double d, bool bad, uint64_t cost)
{
    if (d != n->distance)
        return d < n->distance;
    return bad == n->bad ? cost < n->cost / 2 : n->bad;
}

static void note_near(struct runner *r, const struct input *in)
{
    struct pool *p = r->o.pool;
    bool bad = r->end != RUN_DRAINED;
    uint64_t cost = runner_cost(r);
    for (uint32_t k = 0; k < r->touched.n; k++) {
        uint32_t site = r->touched.at[k];
        if (!pool_open(p, site))
            continue;
        for (int i = 0; i < NEAR_N; i++) {
            struct near *n = &p->near[site * NEAR_N + i];
            double d = r->touch[site].distance[i];
            if (n->known && !nearer(n, d, bad, cost))
                continue;
            n->known = true;
            n->bad = bad;
            n->attempts = d < n->distance ? 0 : n->attempts;
            n->distance = d;
            n->cost = cost;
            input_copy(&n->input, in);
        }
    }
}

bool runner_try(struct runner *r, const struct input *in)
{
    struct pool *p = r->o.pool;
    input_copy(&p->current, in);
    p->runs++;
    run(r, in);
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

uint64_t runner_receives(const struct runner *r)
{
    return r->receives;
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

// ---- as a case ------------------------------------------------------------

static size_t read_block(void *user, uintptr_t at, char *out, size_t most)
{
    struct runner *r = user;
    if (!heap_arena_has(r->heap, (const void *)at))
        return 0;
    size_t n = heap_arena_size(r->heap, (const void *)at);
    n = n < most ? n : most;
    memcpy(out, (const void *)at, n);
    return n;
}

static bool is_word(const char *s)
{
    return *s && !strpbrk(s, " \t\"{},");
}

static bool print_ref(void *user, uintptr_t ref, struct text *out)
{
    const struct runner *r = user;
    for (uint32_t i = 0; i < r->o.pool->n_names; i++)
        if ((uintptr_t)r->refs[i] == ref) {
            const char *name = r->o.pool->names[i].name;
            text_format(out, is_word(name) ? "%s" : "\"%s\"", name);
            return true;
        }
    return false;
}

static void note_post(struct runner *r, const struct gene *g,
                      const unsigned char *payload)
{
    const tr_msg *type = r->types[g->msg];
    struct text fields = {0};
    struct values_names names = {
        .user = r, .ref = print_ref, .read = read_block, .exact = true};
    struct values *v = values_new(r->o.program);
    values_print(v, type->name, payload, type->size, &names, &fields);
    struct case_post p = {
        .to = arena_text(r->case_arena, r->o.pool->names[g->to].name),
        .msg = arena_text(r->case_arena, type->name),
        .fields = arena_text(r->case_arena, text_get(&fields)),
        .times = g->times};
    vec_push(&r->c->posts, p);
    text_free(&fields);
    values_free(v);
}

// Picks go to the step that was under way; before the first, to the body.
static void note_picks(struct runner *r)
{
    for (uint32_t i = 0; i < r->picks.n;) {
        uint32_t step = r->picks.at[i].step, n = 0;
        while (i + n < r->picks.n && r->picks.at[i + n].step == step)
            n++;
        uint16_t *list = arena_zero(r->case_arena, n * sizeof *list);
        for (uint32_t k = 0; k < n; k++)
            list[k] = (uint16_t)r->picks.at[i + k].pick;
        i += n;
        if (step && step <= r->c->steps.n) {
            r->c->steps.at[step - 1].picks = list;
            r->c->steps.at[step - 1].n_picks = n;
        } else if (!step) {
            struct words_step body = {
                .actor = "test", .msg = "body", .picks = list, .n_picks = n};
            vec_push(&r->c->steps, body);
            for (uint32_t k = r->c->steps.n - 1; k > 0; k--) {
                r->c->steps.at[k] = r->c->steps.at[k - 1];
                r->c->steps.at[k - 1] = body;
            }
            for (uint32_t k = i; k < r->picks.n; k++)
                r->picks.at[k].step++;
        }
    }
}

bool runner_case(struct runner *r, const struct input *in, uint32_t hit,
                 struct arena *a, struct test_case *c)
{
    char params[MODEL_PARAMS * 80];
    r->recording = true;
    r->case_arena = a;
    r->c = c;
    vec_clear(&r->picks);
    run(r, in);
    r->recording = false;
    note_picks(r);
    for (uint32_t i = 0; i < c->steps.n; i++)
        if (words_is_timer(&c->steps.at[i]))
            c->ticks = RUN_TICKS;
    params_text(r, params, sizeof params);
    case_params(a, c, params);
    return r->map[hit];
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
    r->watcher = (struct hits_watcher){.user = r,
                                       .trapped = on_trap,
                                       .compare = on_compare,
                                       .floats = on_floats,
                                       .texts = on_texts,
                                       .cases = on_cases};
    r->host = (struct guest_host){.user = r,
                                  .get = on_get,
                                  .put = on_put,
                                  .size = on_size,
                                  .owns = on_owns,
                                  .ends = on_end};
    save_globals(r);
    catch_signals();
    the_runner = r;
    return r;
}
