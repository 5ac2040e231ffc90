// Looking at a system between receives: states, messages in flight, names, and
// who waits for what will never come.
#include "runtime/solo/core.h"

#include <stdio.h>
#include <string.h>

static bool outside(struct solo_ctx *x, const char *what)
{
    if (x->self == x->solo->env)
        return true;
    tr__solo_misuse(x->solo, what);
    return false;
}

const void *tr__solo_peek(tr_ctx *ctx, tr_ref ref, const tr_class *cls)
{
    struct solo_ctx *x = solo_ctx_of(ctx);
    struct actor *a = tr__solo_actor(x->solo, ref);
    if (!outside(x, "peek is for tests: an actor sees its own state only") ||
        !a || a->stopped)
        return NULL;
    if (a->cls != cls) {
        tr__solo_misuse(x->solo, "peek at an actor of another class");
        return NULL;
    }
    return a->state;
}

// The cursor remembers where `before` was.
const void *tr__solo_each(tr_ctx *ctx, const tr_class *cls, const void *before)
{
    struct solo_ctx *x = solo_ctx_of(ctx);
    struct solo *s = x->solo;
    uint32_t i = 1;
    if (!outside(x, "each is for tests and invariants"))
        return NULL;
    if (before) {
        i = s->each_at;
        if (i >= s->n_actors || !s->actors[i] || s->actors[i]->state != before)
            for (i = 1; i < s->n_actors; i++)
                if (s->actors[i] && s->actors[i]->state == before)
                    break;
        i++;
    }
    for (; i < s->n_actors; i++)
        if (s->actors[i] && !s->actors[i]->stopped && s->actors[i]->cls == cls)
            return s->actors[s->each_at = i]->state;
    return NULL;
}

const void *tr__solo_flying(tr_ctx *ctx, const tr_msg *type, const void *before)
{
    struct solo_ctx *x = solo_ctx_of(ctx);
    struct solo *s = x->solo;
    struct mail *m = s->flight.first;
    if (!outside(x, "flying is for tests and invariants"))
        return NULL;
    if (before) {
        if (s->flying_at && s->flying_at->payload == before)
            m = s->flying_at;
        while (m && m->payload != before)
            m = m->next;
        m = m ? m->next : NULL;
    }
    while (m && (m->type != type || m->what != SOLO_MESSAGE))
        m = m->next;
    s->flying_at = m;
    return m ? m->payload : NULL;
}

// ---- names ----------------------------------------------------------------

uint32_t tr__solo_id(tr_ref ref)
{
    return (uint32_t)((uintptr_t)ref >> 4);
}

static struct solo *solo_of(tr_runtime *r)
{
    return (struct solo *)(void *)r;
}

const char *tr__solo_name(tr_runtime *r, uint32_t id, char *buf, size_t size)
{
    struct solo *s = solo_of(r);
    struct actor *a = id < s->n_actors ? s->actors[id] : NULL;
    uint32_t nth = 0;
    size_t used = 0;
    if (!id || !a) {
        snprintf(buf, size, "%s", id ? "?" : "test");
        return buf;
    }
    for (uint32_t i = 1; i <= id; i++)
        nth += s->actors[i] && s->actors[i]->creator == a->creator &&
               s->actors[i]->cls == a->cls;
    if (a->creator) {
        tr__solo_name(r, a->creator, buf, size);
        used = strlen(buf);
    }
    snprintf(buf + used, size - used, "%s%s#%u", used ? "/" : "", a->cls->name,
             nth);
    return buf;
}

void tr__solo_look(tr_runtime *r, tr_ref ref, struct tr_look *out)
{
    struct actor *a = tr__solo_actor(solo_of(r), ref);
    *out = (struct tr_look){0};
    if (!a || a->stopped)
        return;
    out->state = a->state;
    out->behaviour = a->behaviour;
    out->kept = a->kept.n + a->held.n;
    for (struct task *t = a->tasks; t; t = t->next)
        out->tasks++;
}

const tr_class *tr__solo_class(tr_runtime *r, uint32_t id)
{
    struct solo *s = solo_of(r);
    return id && id < s->n_actors ? s->classes[s->rows[id]].cls : NULL;
}

const char *tr__solo_words(const struct solo_option *o)
{
    switch (o->what) {
    case SOLO_MESSAGE:
        return o->msg->name;
    case SOLO_REPLY:
        return o->msg->reply;
    case SOLO_WATCH:
        return "watch";
    case SOLO_TIMER:
        return "timer";
    }
    return "?";
}

bool tr__solo_now(tr_runtime *r, struct solo_now *out)
{
    struct solo *s = solo_of(r);
    struct task *t = s->running;
    *out = (struct solo_now){.receive = s->receive, .step = s->steps};
    if (t) {
        out->actor = t->ctx.self->id;
        out->handler = t->row->fn_name;
        out->msg = t->ctx.mail->type;
        out->payload = t->ctx.mail->payload;
        out->state = t->ctx.self->state;
    }
    return s->receiving;
}

// ---- who waits ------------------------------------------------------------

struct telling {
    struct solo *s;
    void (*each)(void *, const struct solo_rest *);
    void *user;
    uint32_t n;
};

static void tell(struct telling *t, const struct actor *a, enum solo_kind kind,
                 const char *why, const tr_msg *msg, uint32_t on)
{
    struct solo_rest r = {kind, a->id, a->behaviour ? a->behaviour->name : NULL,
                          why,  msg,   on};
    t->n++;
    if (t->each)
        t->each(t->user, &r);
}

static void tell_hot(struct telling *t, const struct actor *a,
                     const tr_hot *const *hots, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (hots[i]->cls == a->cls && hots[i]->behaviour == a->behaviour)
            tell(t, a, SOLO_DEADLOCK, "rests in a hot behaviour", NULL, 0);
}

static void tell_tasks(struct telling *t, const struct actor *a)
{
    for (const struct task *k = a->tasks; k; k = k->next) {
        struct future *f = tr__solo_future_of(t->s, k->future);
        tell(t, a, k->is == TASK_PAUSED ? SOLO_DEADLOCK : SOLO_UNANSWERED,
             k->is == TASK_PAUSED   ? "waits in await_until"
             : k->is == TASK_AWAITS ? "waits in await"
                                    : "waits in get",
             k->is != TASK_PAUSED && f ? f->request : NULL,
             k->is != TASK_PAUSED && f ? f->asked : 0);
    }
}

static bool waited_for(const struct solo *s, const struct actor *a, uint32_t i)
{
    uint64_t handle =
        (uint64_t)s->futures[i].generation << 32 | (uint64_t)(i + 1) << 4;
    for (const struct task *k = a->tasks; k; k = k->next)
        if (k->is != TASK_PAUSED && k->future == handle)
            return true;
    return false;
}

static void tell_asks(struct telling *t)
{
    for (uint32_t i = 0; i < t->s->n_futures; i++) {
        const struct future *f = &t->s->futures[i];
        const struct actor *a = f->live ? t->s->actors[f->owner] : NULL;
        if (a && !f->done && !waited_for(t->s, a, i))
            tell(t, a, SOLO_UNANSWERED, "asked and is never answered",
                 f->request, f->asked);
    }
}

uint32_t tr__solo_rest(tr_runtime *r, const tr_hot *const *hots, uint32_t n,
                       void (*each)(void *, const struct solo_rest *),
                       void *user)
{
    struct solo *s = solo_of(r);
    struct telling t = {s, each, user, 0};
    if (s->n_timers) // one more tick might help
        return 0;
    for (uint32_t i = 1; i < s->n_actors; i++) {
        const struct actor *a = s->actors[i];
        if (!a || a->stopped)
            continue;
        tell_hot(&t, a, hots, n);
        tell_tasks(&t, a);
    }
    tell_asks(&t);
    for (uint32_t i = 1; i < s->n_actors; i++)
        if (s->actors[i] && !s->actors[i]->stopped)
            for (struct mail *m = s->actors[i]->kept.first; m; m = m->next)
                tell(&t, s->actors[i], SOLO_DEFERRED,
                     "keeps a deferred message", m->type, m->from);
    return t.n;
}
