#include "testlib/threads_ops.h"

#include <stdio.h>
#include <string.h>

static struct threads_ops *ops_of(const tr_ctx *ctx)
{
    return (struct threads_ops *)(uintptr_t)ctx->ops;
}

static tr_ref op_spawn(tr_ctx *ctx, const tr_class *cls, const void *state,
                       const char *label)
{
    struct threads_ops *o = ops_of(ctx);
    tr_ref creator = o->real->self(ctx);
    tr_ref child = o->real->spawn(ctx, cls, state, label);
    pthread_mutex_lock(&o->lock);
    if (child)
        vec_push(&o->born, ((struct born){creator, child, cls}));
    pthread_mutex_unlock(&o->lock);
    return child;
}

static const void *op_get(tr_ctx *ctx, tr_future f)
{
    const struct tr_ops *real = ops_of(ctx)->real;
    const void *value;
    if (real->self(ctx))
        return real->get(ctx, f);
    real->drain(ctx);
    value = real->get(ctx, f); // a tick may bring it, with other messages
    real->drain(ctx);
    return value;
}

static const void *op_await(tr_ctx *ctx, tr_future f)
{
    const struct tr_ops *real = ops_of(ctx)->real;
    return real->self(ctx) ? real->await(ctx, f) : op_get(ctx, f);
}

static void op_misuse(tr_ctx *ctx, const char *what)
{
    const struct threads_ops *o = ops_of(ctx);
    o->misused(o->user, what);
}

bool threads_ops_init(struct threads_ops *o, tr_runtime *runtime, bool births,
                      void (*misused)(void *user, const char *what), void *user)
{
    tr_ctx *ctx = tr_enter(runtime);
    if (!ctx)
        return false;
    *o = (struct threads_ops){.ops = *ctx->ops,
                              .real = ctx->ops,
                              .misused = misused,
                              .user = user};
    tr_leave(ctx);
    pthread_mutex_init(&o->lock, NULL);
    o->ops.get = op_get;
    o->ops.await = op_await;
    o->ops.misuse = op_misuse;
    if (births)
        o->ops.spawn = op_spawn;
    runtime->manager->through(runtime, &o->ops);
    return true;
}

void threads_ops_release(struct threads_ops *o)
{
    pthread_mutex_destroy(&o->lock);
    vec_free(&o->born);
}

// ---- names ----------------------------------------------------------------

static const struct born *born_of(const struct threads_ops *o, tr_ref ref)
{
    for (uint32_t i = 0; i < o->born.n; i++)
        if (o->born.at[i].child == ref)
            return &o->born.at[i];
    return NULL;
}

const char *threads_ops_name(const struct threads_ops *o, tr_ref ref, char *buf,
                             size_t size)
{
    const struct born *b = ref ? born_of(o, ref) : NULL;
    uint32_t nth = 0;
    size_t used = 0;
    if (!b)
        return NULL;
    for (const struct born *i = o->born.at; i <= b; i++)
        nth += i->creator == b->creator && i->cls == b->cls;
    if (b->creator && threads_ops_name(o, b->creator, buf, size))
        used = strlen(buf);
    snprintf(buf + used, size - used, "%s%s#%u", used ? "/" : "", b->cls->name,
             nth);
    return buf;
}
