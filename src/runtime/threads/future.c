// Requests and their futures.
//
// A future is a slot in a table of its asker and only the asker touches it: the
// reply comes as mail.  Threads outside share one table under rt->lock.  A
// future lives until the turn that took its value ends, so that its value may
// be asked for again; one that nobody ever waits for lives as long as its
// asker.
#include "runtime/threads/threads.h"

#include <assert.h>
#include <string.h>
#include <time.h>

enum { NONE = 0 }; // ends lists of slots, which are counted from 1

// ---- the table ------------------------------------------------------------

static uint64_t future_id(struct futures *fs, struct future *f)
{
    return (uint64_t)f->gen << 32 | (uint64_t)(f - fs->at + 1) << 4;
}

static tr_future future_handle(uint64_t id)
{
    return (tr_future)(uintptr_t)id;
}

static struct future *find(struct futures *fs, uint64_t id)
{
    uint32_t i = (uint32_t)id >> 4;
    if (i == NONE || i > fs->n || fs->at[i - 1].gen != id >> 32 ||
        fs->at[i - 1].state == FUTURE_FREE)
        return NULL;
    return &fs->at[i - 1];
}

// Generations begin at a number of the owner's, so that another actor's future
// hardly ever looks like one of its own.
static uint32_t first_gen(const struct futures *fs)
{
    return fs->owner * UINT32_C(0x9e3779b1) & 0x7fffffffu;
}

static bool futures_grow(const tr_config *c, struct futures *fs)
{
    uint32_t n = fs->n ? 2 * fs->n : 4;
    struct future *at = tr__resize(c, fs->at, n * sizeof *at);
    if (!at)
        return false;
    memset(at + fs->n, 0, (n - fs->n) * sizeof *at);
    for (uint32_t i = n; i > fs->n; i--) {
        at[i - 1].gen = first_gen(fs);
        at[i - 1].next = fs->free;
        fs->free = i;
    }
    fs->at = at;
    fs->n = n;
    return true;
}

static struct future *future_open(const tr_config *c, struct futures *fs)
{
    struct future *f;
    if (fs->free == NONE && !futures_grow(c, fs))
        return NULL;
    f = &fs->at[fs->free - 1];
    fs->free = f->next;
    f->gen = (f->gen + 1) & 0x7fffffffu;
    f->state = FUTURE_OPEN;
    f->value = NULL;
    f->waiter = NULL;
    f->limit = 0;
    f->deadline = 0;
    f->taken = false;
    f->next = NONE;
    return f;
}

static void future_close(struct futures *fs, struct future *f)
{
    assert(f && f->state != FUTURE_FREE);
    f->state = FUTURE_FREE;
    f->next = fs->free;
    fs->free = (uint32_t)(f - fs->at + 1);
}

// ---- asking ---------------------------------------------------------------

static struct mail *ask_mail(struct turn *t, const tr_msg *msg,
                             const void *payload)
{
    struct mail *e = tr__mail_new(t->desk, MAIL_ASK, msg, payload, msg->size);
    if (!e)
        return NULL;
    e->from = t->self;
    return e;
}

static tr_future ask_fails(struct turn *t, tr_fault_kind kind, tr_ref to,
                           const tr_msg *msg, const void *payload)
{
    tr__fault_at(t->desk, kind, msg, payload, t->self, to, NULL);
    tr__lose(t, msg, payload);
    return NULL;
}

// Room in the mailbox, then the copy, then the send: from here on nothing can
// fail.
static int ask_send(struct turn *t, tr_ref to, const void *payload,
                    struct mail *e, uint64_t id)
{
    while (tr__reserve(t->desk->rt, to, e))
        if (!tr__wait_for_room(t, to))
            return TR_EFULL;
    tr__own(t, e, payload);
    *mail_id(e) = id;
    if (t->actor)
        bump(&counts_of(t->desk, t->actor->cid)->sent, 1);
    tr__post(t->desk, to, e);
    return 0;
}

// A timer that ends the wait.  The mail it needs is made now.
static bool set_limit(struct turn *t, const tr_msg *msg, uint64_t id,
                      uint64_t ms, struct future *f)
{
    struct mail *e = tr__mail_new(t->desk, MAIL_LIMIT, msg, NULL, 0);
    if (!e)
        return false;
    *mail_id(e) = id;
    f->limit = tr__timer_add(t->desk, t->actor, t->self, ms, false, e);
    if (!f->limit)
        tr__mail_free(t->desk, e);
    return f->limit;
}

static tr_future actor_ask(struct turn *t, tr_ref to, const tr_msg *msg,
                           const void *payload, uint64_t ms)
{
    struct desk *p = t->desk;
    struct mail *e = ask_mail(t, msg, payload);
    struct extra *x = e ? tr__extra(p, t->actor) : NULL;
    struct future *f = x ? future_open(&p->rt->config, &x->futures) : NULL;
    uint64_t id = f ? future_id(&x->futures, f) : 0;
    tr_fault_kind kind = TR_FAULT_NOMEM;
    if (f && (!ms || set_limit(t, msg, id, ms, f))) {
        if (ask_send(t, to, payload, e, id) == 0)
            return future_handle(id);
        kind = TR_FAULT_OVERFLOW;
    }
    if (f && f->limit)
        tr__timer_cancel(p, t->actor, f->limit);
    if (f)
        future_close(&x->futures, f);
    if (e)
        tr__mail_free(p, e);
    return ask_fails(t, kind, to, msg, payload);
}

static tr_future outside_ask(struct turn *t, tr_ref to, const tr_msg *msg,
                             const void *payload, uint64_t ms)
{
    struct runtime *rt = t->desk->rt;
    struct mail *e = ask_mail(t, msg, payload);
    struct future *f;
    uint64_t id = 0;
    pthread_mutex_lock(&rt->lock);
    f = e ? future_open(&rt->config, &rt->futures) : NULL;
    if (f) {
        id = future_id(&rt->futures, f);
        f->deadline = ms ? tr__now() + ms * 1000000u : 0;
    }
    pthread_mutex_unlock(&rt->lock);
    if (f && ask_send(t, to, payload, e, id) == 0)
        return future_handle(id);
    if (f) {
        pthread_mutex_lock(&rt->lock);
        future_close(&rt->futures, find(&rt->futures, id));
        pthread_mutex_unlock(&rt->lock);
    }
    if (e)
        tr__mail_free(t->desk, e);
    return ask_fails(t, f ? TR_FAULT_OVERFLOW : TR_FAULT_NOMEM, to, msg,
                     payload);
}

tr_future tr__ask(tr_ctx *ctx, tr_ref to, const tr_msg *msg,
                  const void *payload, uint64_t within_ms)
{
    struct turn *t = (struct turn *)ctx;
    t->acts++;
    if (!to)
        return ask_fails(t, TR_FAULT_NOBODY, to, msg, payload);
    if (t->actor)
        return actor_ask(t, to, msg, payload, within_ms);
    return outside_ask(t, to, msg, payload, within_ms);
}

// ---- answering ------------------------------------------------------------

void tr__reply(tr_ctx *ctx, const tr_msg *request, const void *payload,
               size_t size)
{
    struct turn *t = (struct turn *)ctx;
    struct mail *ask = t->mail, *e;
    if (!ask || ask->kind != MAIL_ASK || ask->msg != request || t->replied) {
        tr__fault_at(t->desk, TR_FAULT_REPLY, request, payload, t->self,
                     ask ? ask->from : NULL, NULL);
        return;
    }
    t->acts++;
    t->replied = true;
    e = tr__mail_new(t->desk, MAIL_REPLY, request, payload, size);
    if (!e) {
        tr__fault_at(t->desk, TR_FAULT_NOMEM, request, payload, t->self,
                     ask->from, NULL);
        t->refuse = true;
        return;
    }
    e->from = t->self;
    *mail_id(e) = *mail_id(ask);
    if (ask->from)
        tr__post(t->desk, ask->from, e);
    else
        tr__outside_resolve(t->desk, e);
}

struct stack *tr__future_resolve(struct desk *p, struct actor *a,
                                 struct mail *e)
{
    struct future *f = a->x ? find(&a->x->futures, *mail_id(e)) : NULL;
    struct stack *waiter;
    if (!f || f->state != FUTURE_OPEN) { // too late
        tr__mail_retire(p, a, e);
        return NULL;
    }
    waiter = f->waiter;
    f->waiter = NULL;
    f->state = FUTURE_DONE;
    if (f->limit)
        tr__timer_cancel(p, a, f->limit);
    f->limit = 0;
    if (e->kind == MAIL_REPLY && !(e->flags & MAIL_NONE))
        f->value = e;
    else
        tr__mail_retire(p, a, e);
    return waiter;
}

// The mail is not in any mailbox.
void tr__outside_resolve(struct desk *p, struct mail *e)
{
    struct runtime *rt = p->rt;
    struct future *f;
    pthread_mutex_lock(&rt->lock);
    f = find(&rt->futures, *mail_id(e));
    if (f && f->state == FUTURE_OPEN) {
        f->state = FUTURE_DONE;
        if (!(e->flags & MAIL_NONE))
            f->value = e, e = NULL;
        pthread_cond_broadcast(&rt->news);
    }
    pthread_mutex_unlock(&rt->lock);
    if (e)
        tr__mail_free(p, e);
}

// ---- waiting --------------------------------------------------------------

static const void *take_value(struct turn *t, struct future *f)
{
    assert(f);
    if (!f->taken) {
        f->taken = true;
        f->next = t->taken;
        t->taken = (uint32_t)(f - t->actor->x->futures.at + 1);
    }
    return f->value ? mail_payload(f->value) : NULL;
}

static const void *wait_in_actor(struct turn *t, uint64_t id,
                                 enum task_state how)
{
    struct extra *x = t->actor->x;
    struct future *f = x ? find(&x->futures, id) : NULL;
    if (!f) {
        tr__misuse(t, "a future that is another actor's, or used up");
        return NULL;
    }
    if (f->state == FUTURE_DONE)
        return take_value(t, f);
    if (!t->stack || f->waiter) {
        tr__misuse(t, t->stack ? "two tasks wait for one future"
                               : "init and fini cannot wait");
        return NULL;
    }
    f->waiter = t->stack;
    if (!tr__task_suspend(t, how)) {
        f->waiter = NULL;
        tr__fault_at(t->desk, TR_FAULT_NOMEM, t->mail->msg,
                     mail_payload(t->mail), t->mail->from, t->self, t->actor);
        return NULL;
    }
    return take_value(t, find(&t->actor->x->futures, id));
}

static struct timespec timespec_of(uint64_t ns)
{
    return (struct timespec){(time_t)(ns / 1000000000u),
                             (long)(ns % 1000000000u)};
}

// Under rt->lock: false if the answer will not come any more.  When all is
// quiet only another thread outside could still bring it about.
static bool wait_outside(struct runtime *rt, struct future *f)
{
    struct timespec until;
    if (atomic_load(&rt->stopping) || (tr__quiet(rt) && rt->n_outside == 1))
        return false;
    if (!f->deadline) {
        pthread_cond_wait(&rt->news, &rt->lock);
        return true;
    }
    if (tr__now() >= f->deadline)
        return false;
    until = timespec_of(f->deadline);
    pthread_cond_timedwait(&rt->news, &rt->lock, &until);
    return true;
}

static const void *get_outside(struct turn *t, uint64_t id)
{
    struct outside *o = (struct outside *)t;
    struct runtime *rt = t->desk->rt;
    struct future *f;
    struct mail *e = NULL;
    pthread_mutex_lock(&rt->lock);
    while ((f = find(&rt->futures, id)) && f->state == FUTURE_OPEN &&
           wait_outside(rt, f))
        ;
    if (f) {
        e = f->value;
        f->state = FUTURE_DONE; // a late answer finds it so
        if (e && !f->taken) {
            f->taken = true;
            atomic_store_explicit(&e->next, o->values, memory_order_relaxed);
            o->values = e;
        }
        if (!e)
            future_close(&rt->futures, f);
    }
    pthread_mutex_unlock(&rt->lock);
    return e ? mail_payload(e) : NULL;
}

static const void *wait_for(tr_ctx *ctx, tr_future f, enum task_state how)
{
    struct turn *t = (struct turn *)ctx;
    uint64_t id = (uint64_t)(uintptr_t)f;
    if (!f)
        return NULL;
    return t->actor ? wait_in_actor(t, id, how) : get_outside(t, id);
}

const void *tr__await(tr_ctx *ctx, tr_future f)
{
    return wait_for(ctx, f, TASK_AWAITS);
}

const void *tr__get_future(tr_ctx *ctx, tr_future f)
{
    return wait_for(ctx, f, TASK_GETS);
}

// Without memory for a stack there is nothing to do but try again: the handler
// cannot go on, and can be left only when the runtime stops.
void tr__pause(tr_ctx *ctx)
{
    struct turn *t = (struct turn *)ctx;
    struct timespec ms = {0, 1000000};
    if (!t->actor || !t->stack) {
        tr__misuse(t, "only a handler can wait for a condition");
        return;
    }
    if (LIKELY(tr__task_suspend(t, TASK_PAUSED)))
        return;
    tr__fault_at(t->desk, TR_FAULT_NOMEM, t->mail->msg, mail_payload(t->mail),
                 t->mail->from, t->self, t->actor);
    do {
        nanosleep(&ms, NULL);
        if (atomic_load(&t->desk->rt->stopping))
            tr__task_leave(t);
    } while (!tr__task_suspend(t, TASK_PAUSED));
}

// ---- the end --------------------------------------------------------------

void tr__futures_end_turn(struct turn *t)
{
    struct futures *fs = &t->actor->x->futures;
    while (t->taken) {
        struct future *f = &fs->at[t->taken - 1];
        t->taken = f->next;
        if (f->value)
            tr__mail_retire(t->desk, t->actor, f->value);
        future_close(fs, f);
    }
}

void tr__futures_free(struct desk *p, struct actor *a)
{
    struct futures *fs = &a->x->futures;
    for (uint32_t i = 0; i < fs->n; i++)
        if (fs->at[i].state == FUTURE_DONE && fs->at[i].value)
            tr__mail_retire(p, a, fs->at[i].value);
    tr__put(&p->rt->config, fs->at);
}

void tr__outside_values_free(struct outside *o)
{
    struct runtime *rt = o->desk.rt;
    struct mail *e;
    pthread_mutex_lock(&rt->lock);
    while ((e = o->values)) {
        struct future *f = find(&rt->futures, *mail_id(e));
        o->values = mail_next(e);
        future_close(&rt->futures, f);
        tr__mail_free(&o->desk, e);
    }
    pthread_mutex_unlock(&rt->lock);
}

// Values that were handed out belong to a context.
void tr__outside_futures_free(struct runtime *rt)
{
    struct futures *fs = &rt->futures;
    for (uint32_t i = 0; i < fs->n; i++)
        if (fs->at[i].state == FUTURE_DONE && fs->at[i].value &&
            !fs->at[i].taken)
            tr__mail_free(&rt->rest, fs->at[i].value);
    tr__put(&rt->config, fs->at);
}
