// Futures: one per ask, owned by the asker.
//
// A handle is (generation, index), so that a stale one is known.  A future is
// freed when the handler that took its value ends, or with its owner.
#include "runtime/solo/core.h"

static uint64_t handle_of(const struct future *f, uint32_t i)
{
    return (uint64_t)f->generation << 32 | (uint64_t)(i + 1) << 4;
}

struct future *tr__solo_future_of(struct solo *s, uint64_t handle)
{
    uint32_t i = (uint32_t)(handle >> 4 & 0xfffffff) - 1;
    if (!handle || i >= s->n_futures || !s->futures[i].live ||
        s->futures[i].generation != handle >> 32)
        return NULL;
    return &s->futures[i];
}

uint64_t tr__solo_future_new(struct solo *s, struct actor *owner)
{
    uint32_t i = s->free_future;
    struct future *f;
    if (i) {
        s->free_future = s->futures[--i].next;
    } else {
        if (!tr__solo_room(s, &s->futures, &s->cap_futures, s->n_futures + 1,
                           sizeof *s->futures))
            return 0;
        i = s->n_futures++;
        s->futures[i].generation = 0;
    }
    f = &s->futures[i];
    *f = (struct future){
        .generation = f->generation, .owner = owner->id, .live = true};
    return handle_of(f, i);
}

static void free_at(struct solo *s, uint32_t i)
{
    struct future *f = &s->futures[i];
    if (f->limit && !f->done)
        tr__solo_timer_stop(s, s->actors[f->owner], f->limit);
    if (f->value)
        tr__solo_mail_free(s, f->value);
    *f = (struct future){.generation = f->generation + 1,
                         .next = s->free_future};
    s->free_future = i + 1;
}

void tr__solo_future_free(struct solo *s, uint64_t handle)
{
    struct future *f = tr__solo_future_of(s, handle);
    if (f)
        free_at(s, (uint32_t)(f - s->futures));
}

void tr__solo_futures_of(struct solo *s, uint32_t owner)
{
    for (uint32_t i = 0; i < s->n_futures; i++)
        if (s->futures[i].live && s->futures[i].owner == owner)
            free_at(s, i);
}

void tr__solo_future_release(struct solo *s, struct solo_ctx *x)
{
    while (x->taken) {
        uint32_t i = x->taken - 1;
        x->taken = s->futures[i].next;
        free_at(s, i);
    }
}

void tr__solo_future_done(struct solo *s, uint64_t handle, struct mail *m)
{
    struct future *f = tr__solo_future_of(s, handle);
    bool value = m && !m->nothing && f && !f->done;
    if (m && !value)
        tr__solo_mail_free(s, m);
    if (!f || f->done)
        return;
    f->value = value ? m : NULL;
    f->done = true;
    if (f->limit)
        tr__solo_timer_stop(s, s->actors[f->owner], f->limit);
    s->unsettled = true;
}

static const void *take(struct solo_ctx *x, struct future *f)
{
    if (!f->taken) {
        f->taken = true;
        f->next = x->taken;
        x->taken = (uint32_t)(f - x->solo->futures) + 1;
    }
    return f->value ? f->value->payload : NULL;
}

static bool awaited(const struct actor *a, uint64_t handle)
{
    const struct task *t = handle ? a->tasks : NULL;
    while (t && t->future != handle)
        t = t->next;
    return t;
}

static void suspend(struct solo_ctx *x, uint64_t handle, enum task_is how)
{
    if (!x->task || awaited(x->self, handle)) {
        tr__solo_misuse(x->solo, x->task ? "two tasks wait for one future"
                                         : "init and fini cannot wait");
        return;
    }
    x->task->future = handle;
    const struct solo_tale *tale = x->solo->opt.tale;
    if (tale)
        tale->waits(tale->user, x->task);
    tr__solo_task_leave(x->solo, x->task, how);
    if (tale)
        tale->goes_on(tale->user, x->task);
}

static void drain_for(struct solo *s, uint64_t handle)
{
    s->wanted = handle;
    s->drains = true;
    tr__solo_drain(s);
    s->drains = false;
    s->wanted = 0;
}

static const void *wait_for(tr_ctx *ctx, tr_future future, enum task_is how)
{
    struct solo_ctx *x = solo_ctx_of(ctx);
    struct solo *s = x->solo;
    uint64_t handle = (uint64_t)(uintptr_t)future;
    struct future *f = tr__solo_future_of(s, handle);
    if (!future)
        return NULL;
    if (!f || f->owner != x->self->id) {
        tr__solo_misuse(s, "a future that is another actor's, or used up");
        return NULL;
    }
    if (x->self == s->env)
        drain_for(s, handle);
    else if (!f->done)
        suspend(x, handle, how);
    f = tr__solo_future_of(s, handle);
    if (f && f->done)
        return take(x, f);
    if (x->self == s->env && !s->shutdown)
        tr__solo_bug(s, SOLO_DEADLOCK,
                     "the environment waits for a reply that never comes", NULL,
                     0);
    return NULL;
}

const void *tr__solo_await(tr_ctx *ctx, tr_future future)
{
    return wait_for(ctx, future, TASK_AWAITS);
}

const void *tr__solo_get(tr_ctx *ctx, tr_future future)
{
    return wait_for(ctx, future, TASK_GETS);
}

void tr__solo_pause(tr_ctx *ctx)
{
    struct solo_ctx *x = solo_ctx_of(ctx);
    if (x->self != x->solo->env)
        suspend(x, 0, TASK_PAUSED);
    else if (!tr__solo_step(x->solo))
        tr__solo_bug(x->solo, SOLO_DEADLOCK,
                     "the environment waits for a condition that never becomes "
                     "true",
                     NULL, 0);
}
