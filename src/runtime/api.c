// The library's face: every public function, as a call through the table of
// its context or its runtime's manager (seam.h).  Nothing here knows how actors
// are run; what concerns every manager alike is checked here once.
#include "troupe.h"
#include "runtime/common.h"
#include "runtime/seam.h"

#include <errno.h>
#include <stdio.h>

const char *tr_strerror(int error)
{
    switch (error) {
    case TR_OK:
        return "no error";
#define TEXT(name, code, text)                                                 \
    case name:                                                                 \
        return text;
        TR_ERRORS_(TEXT)
#undef TEXT
    }
    return "unknown error";
}

// ---- running a system -----------------------------------------------------

// The bounds of the section that TR_MESSAGE fills in the executable; both are
// NULL in one without messages.
extern const tr_seen *const __start_tr_msgs[] __attribute__((weak));
extern const tr_seen *const __stop_tr_msgs[] __attribute__((weak));

// Weak descriptors of one name were merged into one by the linker; the records
// were not.
static int check_seen(const tr_config *config)
{
    for (const tr_seen *const *p = __start_tr_msgs; p != __stop_tr_msgs; p++) {
        char text[256];
        if ((*p)->size == (*p)->msg->size)
            continue;
        snprintf(text, sizeof text,
                 "message '%s' has two different structs: one of them in %s",
                 (*p)->msg->name, (*p)->file);
        tr__log(config, TR_ERROR, text);
        return TR_EMISMATCH;
    }
    return 0;
}

static int setup(const tr_system *system, tr_runtime *r)
{
    tr_ctx *ctx;
    if (!system)
        return 0;
    ctx = tr_enter(r);
    if (!ctx)
        return TR_ENOMEM;
    system->setup(ctx);
    tr_leave(ctx);
    return 0;
}

int tr_start_(const tr_system *system, const tr_config *config,
              tr_runtime **out)
{
    static const tr_config none;
    const tr_manager *m;
    tr_runtime *r = NULL;
    int error;
    if (!config)
        config = &none;
    m = config->manager ? config->manager : &tr_threads;
    error = check_seen(config);
    if (!error)
        error = tr__params(config->params);
    if (!error)
        error = m->open(config, &r);
    if (error)
        return error;
    error = setup(system, r);
    if (error) {
        tr_end(r);
        return error;
    }
    *out = r;
    return 0;
}

int tr_run_(const tr_system *system, const tr_config *config)
{
    tr_runtime *r;
    int error = tr_start_(system, config, &r);
    if (error)
        return error;
    error = tr_wait(r);
    tr_end(r);
    return error;
}

int tr_wait(tr_runtime *r)
{
    return r->manager->wait(r);
}

void tr_shutdown(tr_runtime *r)
{
    r->manager->shutdown(r);
}

void tr_end(tr_runtime *r)
{
    if (r)
        r->manager->end(r);
}

tr_ctx *tr_enter(tr_runtime *r)
{
    return r->manager->enter(r);
}

void tr_leave(tr_ctx *ctx)
{
    if (ctx)
        ctx->ops->leave(ctx);
}

void tr_stats_of(tr_runtime *r, const tr_class *cls, tr_stats *out)
{
    r->manager->stats(r, cls, out);
}

int tr_mailbox_of(tr_runtime *r, tr_ref ref, uint32_t *now, uint32_t *most)
{
    return r->manager->mailbox(r, ref, now, most);
}

void tr_log(tr_ctx *ctx, tr_level level, const char *format, ...)
{
    char text[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    ctx->ops->log(ctx, level, text);
}

// ---- primitives -----------------------------------------------------------

tr_ref tr_spawn_(tr_ctx *ctx, const tr_class *cls, const void *state,
                 const char *label)
{
    return ctx->ops->spawn(ctx, cls, state, label);
}

void tr_send_(tr_ctx *ctx, tr_ref to, const tr_msg *msg, const void *payload)
{
    ctx->ops->send(ctx, to, msg, payload);
}

int tr_try_send_(tr_ctx *ctx, tr_ref to, const tr_msg *msg, const void *payload)
{
    return ctx->ops->try_send(ctx, to, msg, payload);
}

tr_future tr_ask_(tr_ctx *ctx, tr_ref to, const tr_msg *msg,
                  const void *payload, uint64_t within_ms)
{
    return ctx->ops->ask(ctx, to, msg, payload, within_ms);
}

void tr_reply_(tr_ctx *ctx, const tr_msg *request, const void *payload,
               size_t size)
{
    ctx->ops->reply(ctx, request, payload, size);
}

const void *tr_await_(tr_ctx *ctx, tr_future f)
{
    const void *value = ctx->ops->await(ctx, f);
    errno = 0; // the task may be on another thread now
    return value;
}

const void *tr_get_(tr_ctx *ctx, tr_future f)
{
    const void *value = ctx->ops->get(ctx, f);
    errno = 0;
    return value;
}

void tr_pause_(tr_ctx *ctx)
{
    ctx->ops->pause(ctx);
    errno = 0;
}

tr_timer tr_after_(tr_ctx *ctx, uint64_t ms, tr_ref to, const tr_msg *msg,
                   const void *payload)
{
    return ctx->ops->after(ctx, ms, to, msg, payload);
}

tr_timer tr_every_(tr_ctx *ctx, uint64_t ms, tr_ref to, const tr_msg *msg,
                   const void *payload)
{
    return ctx->ops->every(ctx, ms ? ms : 1, to, msg, payload);
}

void tr_cancel_(tr_ctx *ctx, tr_timer timer)
{
    ctx->ops->cancel(ctx, timer);
}

tr_time tr_now_(tr_ctx *ctx)
{
    return ctx->ops->now(ctx);
}

void tr_become_(tr_ctx *ctx, const tr_behaviour *b)
{
    ctx->ops->become(ctx, b);
}

void tr_stop_(tr_ctx *ctx)
{
    ctx->ops->stop(ctx);
}

void tr_watch_(tr_ctx *ctx, tr_ref who, const tr_msg *msg, const void *payload)
{
    ctx->ops->watch(ctx, who, msg, payload);
}

tr_ref tr_self_(tr_ctx *ctx)
{
    return ctx->ops->self(ctx);
}

tr_ref tr_sender_(tr_ctx *ctx)
{
    return ctx->ops->sender(ctx);
}

void tr_expose_(tr_ctx *ctx, tr_ref ref, const char *name)
{
    ctx->ops->expose(ctx, ref, name);
}

tr_ref tr_receptionist_(tr_ctx *ctx, const char *name, const tr_class *cls)
{
    return ctx->ops->receptionist(ctx, name, cls);
}

void tr_block_when_full(tr_ctx *ctx, bool block)
{
    ctx->ops->block_when_full(ctx, block);
}

uint32_t tr_choose_(tr_ctx *ctx, uint32_t n)
{
    return ctx->ops->choose(ctx, n);
}

int64_t tr_param_(tr_ctx *ctx, const char *name, int64_t otherwise)
{
    return ctx->ops->param(ctx, name, otherwise);
}

void tr_drain_(tr_ctx *ctx)
{
    ctx->ops->drain(ctx);
}

bool tr_deliver_one_(tr_ctx *ctx)
{
    return ctx->ops->deliver_one(ctx);
}

const void *tr_peek_(tr_ctx *ctx, tr_ref ref, const tr_class *cls)
{
    return ctx->ops->peek(ctx, ref, cls);
}

const void *tr_each_(tr_ctx *ctx, const tr_class *cls, const void *before)
{
    return ctx->ops->each(ctx, cls, before);
}

const void *tr_flying_(tr_ctx *ctx, const tr_msg *msg, const void *before)
{
    return ctx->ops->flying(ctx, msg, before);
}
