// The threads manager: open, end and what is asked of the whole.  The parts are
// described in threads.h.
#include "runtime/threads/threads.h"

#include <errno.h>
#include <sched.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

// ---- the operations that need no file of their own ------------------------

static tr_ref op_spawn(tr_ctx *ctx, const tr_class *cls, const void *state,
                       const char *label)
{
    (void)label; // names are for reports of the tools
    return tr__actor_spawn((struct turn *)ctx, cls, state);
}

static void op_become(tr_ctx *ctx, const tr_behaviour *b)
{
    struct turn *t = (struct turn *)ctx;
    if (!t->actor) {
        tr__misuse(t, "only an actor has behaviours");
        return;
    }
    t->acts++;
    t->actor->behaviour = b;
    if (t->actor->x)
        t->actor->x->became = true;
}

static void op_stop(tr_ctx *ctx)
{
    struct turn *t = (struct turn *)ctx;
    if (t->actor)
        t->stop = true;
    else
        tr__misuse(t, "only an actor can stop");
}

static tr_ref op_self(tr_ctx *ctx)
{
    return ((struct turn *)ctx)->self;
}

static tr_ref op_sender(tr_ctx *ctx)
{
    struct turn *t = (struct turn *)ctx;
    return t->mail ? t->mail->from : NULL;
}

static uint32_t op_choose(tr_ctx *ctx, uint32_t n)
{
    struct turn *t = (struct turn *)ctx;
    return n ? rng_below(&t->desk->rng, n) : 0;
}

static int64_t op_param(tr_ctx *ctx, const char *name, int64_t otherwise)
{
    return tr__param(((struct turn *)ctx)->desk->rt->params, name, otherwise);
}

static void op_log(tr_ctx *ctx, tr_level level, const char *text)
{
    tr__log(&((struct turn *)ctx)->desk->rt->config, level, text);
}

static void op_misuse(tr_ctx *ctx, const char *what)
{
    op_log(ctx, TR_ERROR, what);
}

static void op_leave(tr_ctx *ctx)
{
    struct turn *t = (struct turn *)ctx;
    if (t->actor)
        tr__misuse(t, "only a thread that entered can leave");
    else
        tr__outside_leave(ctx);
}

// The clock stands still while a handler runs.  A thread outside sees it move.
static tr_time op_now(tr_ctx *ctx)
{
    struct turn *t = (struct turn *)ctx;
    tr_time now = t->now;
    if (!now || !t->actor)
        now = (tr__now() - t->desk->rt->began) / 1000000u + 1;
    t->now = now;
    return now - 1;
}

static const struct tr_ops thread_ops = {
    .spawn = op_spawn,
    .send = tr__send,
    .try_send = tr__try_send,
    .ask = tr__ask,
    .reply = tr__reply,
    .await = tr__await,
    .get = tr__get_future,
    .pause = tr__pause,
    .after = tr__after,
    .every = tr__every,
    .cancel = tr__cancel,
    .now = op_now,
    .become = op_become,
    .stop = op_stop,
    .watch = tr__watch,
    .self = op_self,
    .sender = op_sender,
    .expose = tr__expose,
    .receptionist = tr__receptionist,
    .choose = op_choose,
    .param = op_param,
    .drain = tr__drain,
    .deliver_one = tr__deliver_one,
    .peek = tr__peek,
    .each = tr__each,
    .flying = tr__flying,
    .log = op_log,
    .block_when_full = tr__block_when_full,
    .leave = op_leave,
    .misuse = op_misuse,
};

// ---- counters -------------------------------------------------------------

static void stats_add(struct desk *p, uint32_t cid, tr_stats *s)
{
    // Acquire pairs with the release in tr__counts_make().
    struct counts *c =
        atomic_load_explicit(&p->pages[cid / PAGE], memory_order_acquire);
    uint64_t most;
    if (!c)
        return;
    c += cid % PAGE;
    s->spawned += atomic_load_explicit(&c->spawned, memory_order_relaxed);
    s->stopped += atomic_load_explicit(&c->stopped, memory_order_relaxed);
    s->received += atomic_load_explicit(&c->received, memory_order_relaxed);
    s->sent += atomic_load_explicit(&c->sent, memory_order_relaxed);
    s->deferred += atomic_load_explicit(&c->deferred, memory_order_relaxed);
    s->dead += atomic_load_explicit(&c->dead, memory_order_relaxed);
    s->unhandled += atomic_load_explicit(&c->unhandled, memory_order_relaxed);
    most = atomic_load_explicit(&c->high_water, memory_order_relaxed);
    if (most > s->high_water)
        s->high_water = most;
}

static void threads_stats(tr_runtime *r, const tr_class *cls, tr_stats *out)
{
    struct runtime *rt = (struct runtime *)r;
    uint32_t i = 0;
    memset(out, 0, sizeof *out);
    pthread_mutex_lock(&rt->lock);
    while (i < rt->n_classes && rt->classes[i] != cls)
        i++;
    if (i < rt->n_classes) {
        stats_add(&rt->rest, i, out);
        for (uint32_t k = 0; k < rt->n_workers; k++)
            stats_add(&rt->workers[k].desk, i, out);
        for (struct desk *p = rt->outside; p; p = p->next)
            stats_add(p, i, out);
    }
    pthread_mutex_unlock(&rt->lock);
}

static int threads_mailbox(tr_runtime *r, tr_ref ref, uint32_t *now,
                           uint32_t *most)
{
    struct runtime *rt = (struct runtime *)r;
    struct actor *a;
    if (!ref)
        return TR_EINVAL;
    a = actor_at(rt, ref_index(ref));
    if (actor_gen(a) != ref_gen(ref))
        return TR_ESTOPPED;
    if (ref_gen(ref) & GEN_BOUNDED)
        *now = atomic_load(&a->waiting);
    else
        *now = atomic_load(&a->top) ? atomic_load(&a->limit) : 0;
    *most = atomic_load(&a->most);
    return 0;
}

// ---- open -----------------------------------------------------------------

static uint32_t processors(void)
{
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0)
        return (uint32_t)CPU_COUNT(&set);
    return 1;
}

static uint64_t seed_of(const tr_config *c)
{
    return c->seed ? c->seed : tr__now() ^ (uint64_t)getpid() << 40;
}

static void shut(struct runtime *rt)
{
    // Workers see it before they start the next handler.
    atomic_store(&rt->stopping, true);
    for (uint32_t i = 0; rt->workers && i < rt->n_workers; i++)
        tr__worker_wake(&rt->workers[i]);
}

static void *signals_main(void *runtime)
{
    struct runtime *rt = runtime;
    sigset_t set;
    int got;
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGTERM);
    sigwait(&set, &got);
    shut(rt);
    return NULL;
}

// SIGINT and SIGTERM are blocked here and in the threads made from here on, and
// a thread of their own waits for them: no handler, no global.
static bool signals_start(struct runtime *rt)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &set, &rt->old_signals);
    if (pthread_create(&rt->signals, NULL, signals_main, rt) != 0) {
        pthread_sigmask(SIG_SETMASK, &rt->old_signals, NULL);
        return false;
    }
    rt->has_signals = true;
    return true;
}

static void signals_stop(struct runtime *rt)
{
    if (!rt->has_signals)
        return;
    pthread_kill(rt->signals, SIGINT); // taken by sigwait, if still there
    pthread_join(rt->signals, NULL);
    pthread_sigmask(SIG_SETMASK, &rt->old_signals, NULL);
}

static void locks_init(struct runtime *rt)
{
    pthread_condattr_t attr;
    pthread_mutex_init(&rt->lock, NULL);
    pthread_mutex_init(&rt->pool_lock, NULL);
    pthread_condattr_init(&attr);
    pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
    pthread_cond_init(&rt->news, &attr);
    pthread_condattr_destroy(&attr);
    tr__timers_init(&rt->timers);
}

static struct worker *workers_new(struct runtime *rt)
{
    size_t size = rt->n_workers * sizeof(struct worker);
    char *memory = tr__get_zero(&rt->config, size + 128);
    struct worker *w;
    if (!memory)
        return NULL;
    rt->worker_memory = memory;
    w = (struct worker *)(((uintptr_t)memory + 63) & ~(uintptr_t)63);
    for (uint32_t i = 0; i < rt->n_workers; i++) {
        w[i].number = i;
        tr__desk_init(&w[i].desk, rt, &w[i], rng_next(&rt->rest.rng));
    }
    return w;
}

static int workers_start(struct runtime *rt)
{
    for (uint32_t i = 0; i < rt->n_workers; i++) {
        rt->workers[i].stack = tr__stack_get(&rt->workers[i]);
        if (!rt->workers[i].stack)
            return TR_ENOMEM;
    }
    if (rt->config.handle_signals && !signals_start(rt))
        return TR_ESYS;
    for (; rt->n_started < rt->n_workers; rt->n_started++) {
        struct worker *w = &rt->workers[rt->n_started];
        if (pthread_create(&w->thread, NULL, tr__worker_main, w) != 0)
            return TR_ESYS;
    }
    return 0;
}

static void threads_end(tr_runtime *);

static int threads_open(const tr_config *config, tr_runtime **out)
{
    struct runtime *rt = tr__get_zero(config, sizeof *rt);
    int error = TR_ENOMEM;
    if (!rt)
        return TR_ENOMEM;
    rt->base.manager = &tr_threads;
    rt->ops = &thread_ops;
    rt->began = tr__now();
    rt->config = *config;
    rt->n_workers = config->threads ? config->threads : processors();
    rt->slice = config->slice ? config->slice : SLICE;
    locks_init(rt);
    tr__desk_init(&rt->rest, rt, NULL, seed_of(config));
    if (config->params)
        rt->params = tr__get_text(config, config->params);
    rt->workers = workers_new(rt);
    if (rt->workers && (rt->params || !config->params))
        error = workers_start(rt);
    if (error) {
        threads_end(&rt->base);
        return error;
    }
    *out = &rt->base;
    return 0;
}

// ---- end ------------------------------------------------------------------

static void threads_shutdown(tr_runtime *r)
{
    shut((struct runtime *)r);
}

static void join(struct runtime *rt)
{
    shut(rt);
    for (uint32_t i = 0; i < rt->n_started; i++)
        pthread_join(rt->workers[i].thread, NULL);
    for (uint32_t i = rt->n_started; rt->workers && i < rt->n_workers; i++)
        if (rt->workers[i].stack)
            tr__stack_free(rt, rt->workers[i].stack);
    tr__timers_stop(rt);
    signals_stop(rt);
}

static void end_actors(struct runtime *rt)
{
    uint32_t n = atomic_load(&rt->n_slots);
    for (uint32_t i = 0; i < n; i++) {
        struct actor *a = actor_at(rt, i);
        if (a->flags & ACTOR_LIVE)
            tr__actor_end(&rt->rest, a, true);
    }
}

// Nobody handles what is left.
static void lose_mail(struct runtime *rt, struct actor *a)
{
    struct mail *e;
    if (!atomic_load(&a->top))
        return;
    while ((e = tr__mail_look(&rt->rest, a))) {
        tr__mail_unlink(a, e);
        tr__mail_done(&rt->rest, a, e);
    }
    tr__mail_idle(&rt->rest, a);
}

static void report(struct runtime *rt)
{
    if (!tr__stats_wanted(&rt->config))
        return;
    for (uint32_t i = 0; i < rt->n_classes; i++) {
        tr_stats s;
        threads_stats(&rt->base, rt->classes[i], &s);
        tr__stats(&rt->config, rt->classes[i], &s);
    }
}

static void free_desk(struct runtime *rt, struct desk *p)
{
    for (int i = 0; i < PAGES; i++)
        tr__put(&rt->config, atomic_load(&p->pages[i]));
}

static void free_workers(struct runtime *rt)
{
    for (uint32_t i = 0; rt->workers && i < rt->n_workers; i++) {
        struct worker *w = &rt->workers[i];
        struct stack *s;
        while ((s = w->pool)) {
            w->pool = s->next;
            tr__stack_free(rt, s);
        }
        free_desk(rt, &w->desk);
    }
    tr__put(&rt->config, rt->worker_memory);
}

static void free_tables(struct runtime *rt)
{
    struct name *n;
    while ((n = rt->names)) {
        rt->names = n->next;
        tr__put(&rt->config, n->text);
        tr__put(&rt->config, n);
    }
    tr__put(&rt->config, (void *)rt->classes);
    tr__put(&rt->config, rt->params);
}

static void threads_end(tr_runtime *r)
{
    struct runtime *rt = (struct runtime *)r;
    tr_config config = rt->config;
    join(rt);
    rt->ending = true;
    end_actors(rt);
    for (uint32_t i = 0; i < atomic_load(&rt->n_slots); i++)
        lose_mail(rt, actor_at(rt, i));
    report(rt);
    tr__outside_futures_free(rt);
    tr__timers_release(rt);
    free_workers(rt);
    free_desk(rt, &rt->rest);
    free_tables(rt);
    tr__pools_free(rt);
    pthread_cond_destroy(&rt->news);
    pthread_mutex_destroy(&rt->lock);
    pthread_mutex_destroy(&rt->pool_lock);
    tr__put(&config, rt);
}

static void threads_through(tr_runtime *r, const struct tr_ops *ops)
{
    struct runtime *rt = (struct runtime *)r;
    rt->ops = ops;
    for (uint32_t i = 0; i < rt->n_workers; i++)
        rt->workers[i].stack->turn.base.ops = ops;
}

const tr_manager tr_threads = {
    .name = "threads",
    .open = threads_open,
    .wait = tr__threads_wait,
    .shutdown = threads_shutdown,
    .end = threads_end,
    .enter = tr__outside_enter,
    .stats = threads_stats,
    .mailbox = threads_mailbox,
    .look = tr__threads_look,
    .rest = tr__threads_rest,
    .through = threads_through,
};
