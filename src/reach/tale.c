// The manager's table of operations is wrapped: each operation notes that it
// begins, calls the real one, and notes what came of it.
#include "reach/tale.h"

#include "base/die.h"
#include "ir/ir.h"
#include "reach/runner.h"

#include <stdlib.h>
#include <string.h>

// A run may be left at any moment, so nothing is allocated on the way.
void tale_note(struct runner *r, struct tale_event e)
{
    struct tale *t = r->tale;
    if (!t)
        return;
    if (t->n < TALE_MOST)
        t->at[t->n++] = e;
    else
        t->cut = true;
}

static void begins(enum ir_op op)
{
    tale_note(the_runner,
              (struct tale_event){.what = TALE_BEGINS, .op = (uint8_t)op});
}

static void ends(enum ir_op op, uint64_t a)
{
    tale_note(the_runner, (struct tale_event){
                              .what = TALE_ENDS, .op = (uint8_t)op, .a = a});
}

// ---- operations -------------------------------------------------------------

static const struct tr_ops *real(void)
{
    return &tr__solo_ops;
}

static tr_ref on_spawn(tr_ctx *x, const tr_class *c, const void *state,
                       const char *label)
{
    begins(IR_SPAWN);
    tr_ref ref = real()->spawn(x, c, state, label);
    ends(IR_SPAWN, tr__solo_id(ref));
    return ref;
}

static void on_send(tr_ctx *x, tr_ref to, const tr_msg *m, const void *p)
{
    begins(IR_SEND);
    real()->send(x, to, m, p);
    ends(IR_SEND, 0);
}

static int on_try_send(tr_ctx *x, tr_ref to, const tr_msg *m, const void *p)
{
    begins(IR_TRY_SEND);
    int error = real()->try_send(x, to, m, p);
    ends(IR_TRY_SEND, (uint64_t)(int64_t)error);
    return error;
}

static tr_future on_ask(tr_ctx *x, tr_ref to, const tr_msg *m, const void *p,
                        uint64_t ms)
{
    begins(IR_ASK);
    tr_future f = real()->ask(x, to, m, p, ms);
    ends(IR_ASK, (uintptr_t)f);
    return f;
}

static void on_reply(tr_ctx *x, const tr_msg *m, const void *p, size_t n)
{
    begins(IR_REPLY);
    real()->reply(x, m, p, n);
    ends(IR_REPLY, 0);
}

static const void *on_await(tr_ctx *x, tr_future f)
{
    begins(IR_AWAIT);
    const void *p = real()->await(x, f);
    ends(IR_AWAIT, (uintptr_t)p);
    return p;
}

static const void *on_get(tr_ctx *x, tr_future f)
{
    begins(IR_GET);
    const void *p = real()->get(x, f);
    ends(IR_GET, (uintptr_t)p);
    return p;
}

static void on_pause(tr_ctx *x)
{
    begins(IR_PAUSE);
    real()->pause(x);
    ends(IR_PAUSE, 0);
}

static tr_timer on_after(tr_ctx *x, uint64_t ms, tr_ref to, const tr_msg *m,
                         const void *p)
{
    begins(IR_AFTER);
    tr_timer t = real()->after(x, ms, to, m, p);
    ends(IR_AFTER, t);
    return t;
}

static tr_timer on_every(tr_ctx *x, uint64_t ms, tr_ref to, const tr_msg *m,
                         const void *p)
{
    begins(IR_AFTER);
    tr_timer t = real()->every(x, ms, to, m, p);
    ends(IR_AFTER, t);
    return t;
}

static void on_cancel(tr_ctx *x, tr_timer t)
{
    begins(IR_CANCEL);
    real()->cancel(x, t);
    ends(IR_CANCEL, 0);
}

static tr_time on_now(tr_ctx *x)
{
    begins(IR_NOW);
    tr_time t = real()->now(x);
    ends(IR_NOW, t);
    return t;
}

static void on_become(tr_ctx *x, const tr_behaviour *b)
{
    begins(IR_BECOME);
    real()->become(x, b);
    ends(IR_BECOME, 0);
}

static void on_stop(tr_ctx *x)
{
    begins(IR_STOP);
    real()->stop(x);
    ends(IR_STOP, 0);
}

static void on_watch(tr_ctx *x, tr_ref to, const tr_msg *m, const void *p)
{
    begins(IR_WATCH);
    real()->watch(x, to, m, p);
    ends(IR_WATCH, 0);
}

static tr_ref on_self(tr_ctx *x)
{
    begins(IR_SELF);
    tr_ref ref = real()->self(x);
    ends(IR_SELF, tr__solo_id(ref));
    return ref;
}

static tr_ref on_sender(tr_ctx *x)
{
    begins(IR_SENDER);
    tr_ref ref = real()->sender(x);
    ends(IR_SENDER, tr__solo_id(ref));
    return ref;
}

static void on_expose(tr_ctx *x, tr_ref ref, const char *name)
{
    begins(IR_EXPOSE);
    real()->expose(x, ref, name);
    ends(IR_EXPOSE, 0);
}

static tr_ref on_receptionist(tr_ctx *x, const char *name, const tr_class *c)
{
    begins(IR_RECEPTIONIST);
    tr_ref ref = real()->receptionist(x, name, c);
    ends(IR_RECEPTIONIST, tr__solo_id(ref));
    return ref;
}

static uint32_t on_choose(tr_ctx *x, uint32_t n)
{
    begins(IR_CHOOSE);
    uint32_t which = n < 2 ? IR_NOTHING : the_runner->picked;
    uint32_t pick = real()->choose(x, n);
    tale_note(
        the_runner,
        (struct tale_event){
            .what = TALE_ENDS, .op = IR_CHOOSE, .n = which, .a = pick, .b = n});
    return pick;
}

static uint32_t param_of(const struct reach_model *m, const char *name)
{
    for (uint32_t i = 0; i < m->params.n; i++)
        if (strcmp(m->params.at[i], name) == 0)
            return i;
    return IR_NOTHING;
}

static int64_t on_param(tr_ctx *x, const char *name, int64_t otherwise)
{
    begins(IR_GETPARAM);
    int64_t v = real()->param(x, name, otherwise);
    tale_note(the_runner,
              (struct tale_event){.what = TALE_ENDS,
                                  .op = IR_GETPARAM,
                                  .n = param_of(the_runner->o.model, name),
                                  .a = (uint64_t)v});
    return v;
}

// ---- what the manager does --------------------------------------------------

static void on_copied(void *user, const void *to, const void *from, size_t size)
{
    tale_note(user, (struct tale_event){.what = TALE_COPIED,
                                        .n = (uint32_t)size,
                                        .a = (uintptr_t)to,
                                        .b = (uintptr_t)from});
}

static void on_enters(void *user, enum solo_code code, uint32_t actor,
                      const void *of, const void *a, const void *b)
{
    tale_note(user, (struct tale_event){.what = TALE_ENTERS,
                                        .op = (uint8_t)code,
                                        .n = actor,
                                        .of = of,
                                        .a = (uintptr_t)a,
                                        .b = (uintptr_t)b});
}

static void on_waits(void *user, const void *task)
{
    tale_note(user,
              (struct tale_event){.what = TALE_WAITS, .a = (uintptr_t)task});
}

static void on_goes_on(void *user, const void *task)
{
    tale_note(user,
              (struct tale_event){.what = TALE_GOES_ON, .a = (uintptr_t)task});
}

// Operations that only tests have, and the log, are not told.
static const struct tr_ops *told(void)
{
    static struct tr_ops ops;
    ops = tr__solo_ops;
    ops.spawn = on_spawn;
    ops.send = on_send;
    ops.try_send = on_try_send;
    ops.ask = on_ask;
    ops.reply = on_reply;
    ops.await = on_await;
    ops.get = on_get;
    ops.pause = on_pause;
    ops.after = on_after;
    ops.every = on_every;
    ops.cancel = on_cancel;
    ops.now = on_now;
    ops.become = on_become;
    ops.stop = on_stop;
    ops.watch = on_watch;
    ops.self = on_self;
    ops.sender = on_sender;
    ops.expose = on_expose;
    ops.receptionist = on_receptionist;
    ops.choose = on_choose;
    ops.param = on_param;
    return &ops;
}

void tale_begin(struct runner *r, struct tale *t)
{
    r->tale = t;
    if (!t)
        return;
    t->n = 0;
    t->cut = false;
    if (!t->at)
        t->at = need(TALE_MOST * sizeof *t->at);
    r->teller = (struct solo_tale){.user = r,
                                   .ops = told(),
                                   .copied = on_copied,
                                   .enters = on_enters,
                                   .waits = on_waits,
                                   .goes_on = on_goes_on};
}

void tale_free(struct tale *t)
{
    free(t->at);
    *t = (struct tale){0};
}
