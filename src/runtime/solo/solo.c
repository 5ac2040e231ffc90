// The solo manager: the loop, the table of operations, and the two managers
// that users may name.
#include "runtime/solo/core.h"

#include <stdlib.h>
#include <string.h>

bool tr__solo_room(struct solo *s, void *array, uint32_t *cap, uint32_t n,
                   size_t size)
{
    uint32_t want = *cap ? *cap : 8;
    void **at = array, *p;
    if (n <= *cap)
        return true;
    while (want < n)
        want *= 2;
    p = tr__resize(&s->config, *at, want * size);
    if (!p)
        return false;
    memset((char *)p + *cap * size, 0, (want - *cap) * size);
    *at = p;
    *cap = want;
    return true;
}

void tr__solo_bug(struct solo *s, enum solo_kind kind, const char *text,
                  const char *file, int line)
{
    struct solo_bug bug = {kind, text, file, line};
    if (s->opt.on_bug)
        s->opt.on_bug(s->opt.user, &bug);
    else
        tr__log(&s->config, TR_ERROR, text);
}

void tr__solo_misuse(struct solo *s, const char *text)
{
    tr__solo_bug(s, SOLO_MISUSE, text, NULL, 0);
}

// ---- the loop -------------------------------------------------------------

// After a receive, and after what the environment has done since.
static void check_invariants(struct solo *s)
{
    s->judged = s->effects;
    for (uint32_t i = 0; i < s->opt.n_invariants; i++) {
        const tr_invariant *v = s->opt.invariants[i];
        if (!v->holds(&s->env_ctx.face))
            tr__solo_bug(s, SOLO_INVARIANT, v->name, v->file, v->line);
    }
}

static void settle(struct solo *s, struct actor *a)
{
    if (!a || a == s->env)
        return;
    if (!a->stopped)
        tr__solo_actor_settle(s, a);
    if (a->stopped && !s->opt.testing)
        tr__solo_actor_forget(s, a);
}

// Let tasks go on whose futures were done without a receive: there was no
// memory for the reply.
static void settle_all(struct solo *s)
{
    while (s->unsettled) {
        s->unsettled = false;
        for (uint32_t i = 1; i < s->n_actors; i++)
            settle(s, s->actors[i]);
    }
}

static bool bounded(struct solo *s)
{
    if (!s->opt.max_steps || s->steps < s->opt.max_steps)
        return false;
    tr__solo_bug(s, SOLO_ENDLESS, "the bound on receives is reached", NULL, 0);
    s->shutdown = 1;
    return true;
}

bool tr__solo_step(struct solo *s)
{
    struct mail *m;
    if (s->receiving) {
        tr__solo_misuse(s, "a receive inside a receive");
        return false;
    }
    if (s->judged != s->effects)
        check_invariants(s);
    if (s->shutdown)
        return false;
    m = tr__solo_next(s);
    if (!m && tr__solo_owes(s) && s->opt.on_owed)
        s->opt.on_owed(s->opt.user);
    if (!m && s->drains && s->opt.on_early && tr__solo_ticks(s))
        s->opt.on_early(s->opt.user);
    if (!m || bounded(s))
        return false;
    s->receiving = true;
    if (m->what != SOLO_TIMER)
        tr__solo_pass(s->actors[m->to]);
    tr__solo_pass(s->env);
    s->steps++;
    if (s->opt.on_receive)
        s->opt.on_receive(s->opt.user, &s->receive);
    tr__solo_actor_receive(s, m);
    settle(s, s->actors[s->receive.to]);
    settle_all(s);
    if (s->opt.on_received)
        s->opt.on_received(s->opt.user, &s->receive);
    s->receiving = false;
    check_invariants(s);
    return true;
}

void tr__solo_drain(struct solo *s)
{
    while (tr__solo_step(s))
        ;
}

// ---- small operations -----------------------------------------------------

static void op_become(tr_ctx *ctx, const tr_behaviour *b)
{
    struct solo_ctx *x = solo_ctx_of(ctx);
    if (x->self == x->solo->env) {
        tr__solo_misuse(x->solo, "become outside an actor");
        return;
    }
    x->self->behaviour = b;
    x->self->changed = true;
    x->solo->effects++;
}

static void op_stop(tr_ctx *ctx)
{
    struct solo_ctx *x = solo_ctx_of(ctx);
    if (x->self == x->solo->env)
        tr__solo_misuse(x->solo, "stop outside an actor");
    x->stop = true;
}

static tr_ref op_self(tr_ctx *ctx)
{
    return solo_ref(solo_ctx_of(ctx)->self->id);
}

static tr_ref op_sender(tr_ctx *ctx)
{
    struct solo_ctx *x = solo_ctx_of(ctx);
    return x->mail ? solo_ref(x->mail->from) : NULL;
}

static void op_expose(tr_ctx *ctx, tr_ref ref, const char *name)
{
    struct solo *s = solo_ctx_of(ctx)->solo;
    char *copy = ref ? tr__get_text(&s->config, name) : NULL;
    if (!ref)
        return;
    if (!copy || !tr__solo_room(s, &s->exposed, &s->cap_exposed,
                                s->n_exposed + 1, sizeof *s->exposed)) {
        tr__put(&s->config, copy);
        tr__log(&s->config, TR_ERROR, "expose: out of memory");
        return;
    }
    s->exposed[s->n_exposed++] = (struct exposed){ref, copy};
}

static tr_ref op_receptionist(tr_ctx *ctx, const char *name,
                              const tr_class *cls)
{
    struct solo *s = solo_ctx_of(ctx)->solo;
    for (uint32_t i = s->n_exposed; i-- > 0;) {
        uint32_t id = tr__solo_id(s->exposed[i].ref);
        if (strcmp(s->exposed[i].name, name) == 0)
            return !cls || tr__solo_class(&s->face, id) == cls
                       ? s->exposed[i].ref
                       : NULL;
    }
    return NULL;
}

static uint32_t op_choose(tr_ctx *ctx, uint32_t n)
{
    struct solo *s = solo_ctx_of(ctx)->solo;
    uint32_t pick;
    if (n < 2)
        return 0;
    pick = s->opt.pick ? s->opt.pick(s->opt.user, n) : rng_below(&s->rng, n);
    return pick < n ? pick : n - 1;
}

static int64_t op_param(tr_ctx *ctx, const char *name, int64_t otherwise)
{
    return tr__param(solo_ctx_of(ctx)->solo->params, name, otherwise);
}

static bool op_deliver_one(tr_ctx *ctx)
{
    struct solo_ctx *x = solo_ctx_of(ctx);
    if (x->self == x->solo->env)
        return tr__solo_step(x->solo);
    tr__solo_misuse(x->solo, "drain and deliver_one are for test bodies");
    return false;
}

static void op_drain(tr_ctx *ctx)
{
    struct solo *s = solo_ctx_of(ctx)->solo;
    s->drains = solo_ctx_of(ctx)->self == s->env;
    while (op_deliver_one(ctx))
        ;
    s->drains = false;
}

static void op_log(tr_ctx *ctx, tr_level level, const char *text)
{
    tr__log(&solo_ctx_of(ctx)->solo->config, level, text);
}

static void op_block_when_full(tr_ctx *ctx, bool block)
{
    solo_ctx_of(ctx)->block = block;
}

static void op_leave(tr_ctx *ctx)
{
    struct solo_ctx *x = solo_ctx_of(ctx);
    struct solo *s = x->solo;
    tr__solo_future_release(s, x);
    tr__put(&s->config, x);
}

const struct tr_ops tr__solo_ops = {
    .spawn = tr__solo_spawn,
    .send = tr__solo_send,
    .try_send = tr__solo_try_send,
    .ask = tr__solo_ask,
    .reply = tr__solo_reply,
    .await = tr__solo_await,
    .get = tr__solo_get,
    .pause = tr__solo_pause,
    .after = tr__solo_after,
    .every = tr__solo_every,
    .cancel = tr__solo_cancel,
    .now = tr__solo_time,
    .become = op_become,
    .stop = op_stop,
    .watch = tr__solo_watch,
    .self = op_self,
    .sender = op_sender,
    .expose = op_expose,
    .receptionist = op_receptionist,
    .choose = op_choose,
    .param = op_param,
    .drain = op_drain,
    .deliver_one = op_deliver_one,
    .peek = tr__solo_peek,
    .each = tr__solo_each,
    .flying = tr__solo_flying,
    .log = op_log,
    .block_when_full = op_block_when_full,
    .leave = op_leave,
};

// ---- the manager ----------------------------------------------------------

static struct solo *solo_of(tr_runtime *r)
{
    return (struct solo *)(void *)r;
}

tr_ref tr__solo_exposed(tr_runtime *rt, uint32_t i, const char **name)
{
    struct solo *s = solo_of(rt);
    if (i >= s->n_exposed)
        return NULL;
    *name = s->exposed[i].name;
    return s->exposed[i].ref;
}

static int solo_wait(tr_runtime *r)
{
    struct solo *s = solo_of(r);
    s->waits = true;
    tr__solo_drain(s);
    s->waits = false;
    return s->shutdown ? TR_ESHUTDOWN : 0;
}

static void solo_shutdown(tr_runtime *r)
{
    solo_of(r)->shutdown = 1;
}

static void release(struct solo *s)
{
    tr__solo_current(s, false);
    for (uint32_t i = 0; i < s->n_exposed; i++)
        tr__put(&s->config, s->exposed[i].name);
    tr__put(&s->config, s->exposed);
    tr__put(&s->config, s->futures);
    tr__put(&s->config, s->classes);
    tr__put(&s->config, s->actors);
    tr__put(&s->config, s->rows);
    tr__put(&s->config, s->ticking);
    tr__put(&s->config, s->options);
    tr__put(&s->config, s->option_mail);
    tr__put(&s->config, s->params);
    tr__put(&s->config, s);
}

static void solo_end(tr_runtime *r)
{
    struct solo *s = solo_of(r);
    s->ending = true;
    for (uint32_t i = 1; i < s->n_actors; i++)
        if (s->actors[i])
            tr__solo_actor_end(s, s->actors[i]);
    if (s->env) {
        tr__solo_future_release(s, &s->env_ctx);
        tr__solo_actor_end(s, s->env);
    }
    memset(s->actors, 0, s->n_actors * sizeof *s->actors);
    tr__solo_mail_release(s);
    tr__solo_tasks_release(s);
    for (uint32_t i = 0; i < s->n_classes; i++)
        tr__stats(&s->config, s->classes[i].cls, &s->classes[i].stats);
    release(s);
}

void tr__solo_lose(tr_runtime *r)
{
    struct solo *s = solo_of(r);
    s->escape = s->escape ? s->escape : free; // nothing of the program runs
    if (s->lost) {
        tr__solo_mail_drop(s, s->lost->ctx.mail);
        tr__solo_task_free(s, s->lost);
    }
    tr__solo_mail_drop(s, s->lost_mail);
    solo_end(r);
}

static tr_ctx *solo_enter(tr_runtime *r)
{
    struct solo *s = solo_of(r);
    struct solo_ctx *x = tr__get_zero(&s->config, sizeof *x);
    if (!x)
        return NULL;
    x->face.ops = solo_ops(s);
    x->solo = s;
    x->self = s->env;
    return &x->face;
}

static void solo_stats(tr_runtime *r, const tr_class *cls, tr_stats *out)
{
    struct solo *s = solo_of(r);
    *out = (tr_stats){.spawned = 0};
    for (uint32_t i = 0; i < s->n_classes; i++)
        if (s->classes[i].cls == cls)
            *out = s->classes[i].stats;
}

static int solo_mailbox(tr_runtime *r, tr_ref ref, uint32_t *now,
                        uint32_t *most)
{
    struct actor *a = tr__solo_actor(solo_of(r), ref);
    if (!ref)
        return TR_EINVAL;
    if (!a || a->stopped)
        return TR_ESTOPPED;
    if (now)
        *now = a->waiting;
    if (most)
        *most = a->most;
    return 0;
}

static int open_single(const tr_config *config, tr_runtime **out);
static int open_random(const tr_config *config, tr_runtime **out);

#define SOLO_MANAGER(text, open_)                                              \
    {                                                                          \
        .name = text, .open = open_, .wait = solo_wait,                        \
        .shutdown = solo_shutdown, .end = solo_end, .enter = solo_enter,       \
        .stats = solo_stats, .mailbox = solo_mailbox, .look = tr__solo_look,   \
    }

const tr_manager tr_single = SOLO_MANAGER("single", open_single);
const tr_manager tr_random = SOLO_MANAGER("random", open_random);

int tr__solo_open(const struct solo_options *opt, const tr_config *config,
                  tr_runtime **out)
{
    struct solo *s = tr__get_zero(config, sizeof *s);
    if (!s)
        return TR_ENOMEM;
    s->face.manager = opt->random ? &tr_random : &tr_single;
    s->config = *config;
    s->opt = *opt;
    s->rng = rng_of(config->seed);
    s->env_ctx = (struct solo_ctx){.face = {solo_ops(s)}, .solo = s};
    if (config->params)
        s->params = tr__get_text(config, config->params);
    s->config.params = s->params;
    if (!config->params || s->params)
        s->env = tr__solo_actor_new(s, 0, NULL, NULL);
    if (!s->env) {
        release(s);
        return TR_ENOMEM;
    }
    s->env_ctx.self = s->env;
    tr__solo_current(s, true);
    *out = &s->face;
    return 0;
}

static int open_single(const tr_config *config, tr_runtime **out)
{
    static const struct solo_options opt = {.random = false};
    return tr__solo_open(&opt, config, out);
}

static int open_random(const tr_config *config, tr_runtime **out)
{
    static const struct solo_options opt = {.random = true};
    return tr__solo_open(&opt, config, out);
}
