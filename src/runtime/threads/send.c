// Sending: messages, watches, timers.
//
// In a handler a send cannot fail as far as the handler can see: what goes
// wrong is told to the fault hook and the message is lost.  tr_try_send tells
// instead, and then the message still belongs to the caller.
#include "runtime/threads/threads.h"

static bool is_current(struct turn *t, const void *payload)
{
    return t->mail && payload == mail_payload(t->mail);
}

void tr__own(struct turn *t, struct mail *e, const void *payload)
{
    if (LIKELY(!e->msg->copy && !e->msg->drop))
        return;
    if (e->msg->copy)
        e->msg->copy(mail_payload(e), payload);
    else if (is_current(t, payload))
        t->mail->flags |= MAIL_MOVED;
}

// With .drop alone the send has taken over what the payload owns; but what is
// forwarded is still dropped by its handler's end.
void tr__lose(struct turn *t, const tr_msg *msg, const void *payload)
{
    if (msg->drop && !msg->copy && !is_current(t, payload))
        msg->drop((void *)(uintptr_t)payload);
}

static void fails(struct turn *t, tr_fault_kind kind, tr_ref to,
                  const tr_msg *msg, const void *payload)
{
    tr__fault_at(t->desk, kind, msg, payload, t->self, to, NULL);
    tr__lose(t, msg, payload);
}

// Senders count before they send, the receiver when it takes; see
// tr__mail_uncount().
int tr__reserve(struct runtime *rt, tr_ref to, struct mail *e)
{
    struct actor *a;
    uint32_t now, most;
    if (LIKELY(!(ref_gen(to) & GEN_BOUNDED)))
        return 0;
    a = actor_at(rt, ref_index(to));
    if (actor_gen(a) != ref_gen(to))
        return 0; // dead letters need no room
    now = atomic_fetch_add(&a->waiting, 1) + 1;
    if (now > atomic_load_explicit(&a->limit, memory_order_relaxed)) {
        atomic_fetch_sub(&a->waiting, 1);
        return TR_EFULL;
    }
    e->flags |= MAIL_COUNTED;
    most = atomic_load_explicit(&a->most, memory_order_relaxed);
    while (now > most && !atomic_compare_exchange_weak_explicit(
                             &a->most, &most, now, memory_order_relaxed,
                             memory_order_relaxed))
        ;
    return 0;
}

static int try_send(struct turn *t, tr_ref to, const tr_msg *msg,
                    const void *payload)
{
    struct desk *p = t->desk;
    struct mail *e = tr__mail_new(p, MAIL_MESSAGE, msg, payload, msg->size);
    if (UNLIKELY(!e))
        return TR_ENOMEM;
    if (UNLIKELY(tr__reserve(p->rt, to, e))) {
        tr__mail_free(p, e);
        return TR_EFULL;
    }
    if (UNLIKELY(msg->copy || msg->drop))
        tr__own(t, e, payload);
    e->from = t->self;
    t->acts++;
    if (LIKELY(t->actor != NULL))
        bump(&counts_of(p, t->actor->cid)->sent, 1);
    tr__post(p, to, e);
    return 0;
}

bool tr__wait_for_room(struct turn *t, tr_ref to)
{
    struct runtime *rt = t->desk->rt;
    struct actor *a = actor_at(rt, ref_index(to));
    if (t->actor || !((struct outside *)t)->block)
        return false;
    atomic_fetch_add(&rt->n_blocked, 1);
    pthread_mutex_lock(&rt->lock);
    while (atomic_load(&a->waiting) >= atomic_load(&a->limit) &&
           actor_gen(a) == ref_gen(to) && !atomic_load(&rt->stopping))
        pthread_cond_wait(&rt->news, &rt->lock);
    pthread_mutex_unlock(&rt->lock);
    atomic_fetch_sub(&rt->n_blocked, 1);
    return !atomic_load(&rt->stopping);
}

void tr__send(tr_ctx *ctx, tr_ref to, const tr_msg *msg, const void *payload)
{
    struct turn *t = (struct turn *)ctx;
    int error;
    if (UNLIKELY(!to)) {
        fails(t, TR_FAULT_NOBODY, to, msg, payload);
        return;
    }
    do {
        error = try_send(t, to, msg, payload);
    } while (UNLIKELY(error == TR_EFULL) && tr__wait_for_room(t, to));
    if (UNLIKELY(error))
        fails(t, error == TR_EFULL ? TR_FAULT_OVERFLOW : TR_FAULT_NOMEM, to,
              msg, payload);
}

int tr__try_send(tr_ctx *ctx, tr_ref to, const tr_msg *msg, const void *payload)
{
    struct turn *t = (struct turn *)ctx;
    int error;
    if (!to)
        return TR_EINVAL;
    do {
        if (atomic_load(&t->desk->rt->stopping))
            return TR_ESHUTDOWN;
        if (actor_gen(actor_at(t->desk->rt, ref_index(to))) != ref_gen(to))
            return TR_ESTOPPED;
        error = try_send(t, to, msg, payload);
    } while (error == TR_EFULL && tr__wait_for_room(t, to));
    return error;
}

// A watch is mail to the watched; it comes back as the notice.
void tr__watch(tr_ctx *ctx, tr_ref who, const tr_msg *msg, const void *payload)
{
    struct turn *t = (struct turn *)ctx;
    struct mail *e;
    if (!t->actor) {
        tr__misuse(t, "only an actor can watch");
        tr__lose(t, msg, payload);
        return;
    }
    if (!who) {
        fails(t, TR_FAULT_NOBODY, who, msg, payload);
        return;
    }
    e = tr__mail_new(t->desk, MAIL_WATCH, msg, payload, msg->size);
    if (!e) {
        fails(t, TR_FAULT_NOMEM, who, msg, payload);
        return;
    }
    tr__own(t, e, payload);
    t->acts++;
    e->from = t->self;
    tr__post(t->desk, who, e);
}

static tr_timer set_timer(struct turn *t, uint64_t ms, bool every, tr_ref to,
                          const tr_msg *msg, const void *payload)
{
    struct mail *e;
    tr_timer id = 0;
    if (!to) {
        fails(t, TR_FAULT_NOBODY, to, msg, payload);
        return 0;
    }
    e = tr__mail_new(t->desk, MAIL_TIMER, msg, payload, msg->size);
    if (!e) {
        fails(t, TR_FAULT_NOMEM, to, msg, payload);
        return 0;
    }
    e->from = t->self;
    if (to != t->self)
        e->flags |= MAIL_ONWARD;
    tr__own(t, e, payload); // before it can fire
    id = tr__timer_add(t->desk, t->actor, to, ms, every, e);
    if (!id) {
        tr__fault_at(t->desk, TR_FAULT_NOMEM, msg, payload, t->self, to, NULL);
        tr__mail_drop(e);
        tr__mail_free(t->desk, e);
    }
    t->acts++;
    return id;
}

tr_timer tr__after(tr_ctx *ctx, uint64_t ms, tr_ref to, const tr_msg *msg,
                   const void *payload)
{
    return set_timer((struct turn *)ctx, ms, false, to, msg, payload);
}

tr_timer tr__every(tr_ctx *ctx, uint64_t ms, tr_ref to, const tr_msg *msg,
                   const void *payload)
{
    struct turn *t = (struct turn *)ctx;
    if (!tr__is_unique(msg))
        return set_timer(t, ms, true, to, msg, payload);
    tr__misuse(t, "every: the message owns memory, without .copy");
    tr__lose(t, msg, payload);
    return 0;
}

void tr__cancel(tr_ctx *ctx, tr_timer timer)
{
    struct turn *t = (struct turn *)ctx;
    if (timer)
        t->acts++;
    tr__timer_cancel(t->desk, t->actor, timer);
}
