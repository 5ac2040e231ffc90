// Mailboxes.
//
// A mailbox is a stack that is read in batches.  To send is one exchange of
// `top`; the exchange tells the sender what lay below its mail, which it links
// afterwards.  NULL below means that the mailbox was empty and the actor
// at rest: this sender puts it into a run queue.  There is no stub and nothing
// to allocate for an idle actor.
//
// The one who runs the actor does not take mail off the stack.  It remembers
// `last`, the newest it has seen, and finds what is newer by following the
// links from top down to last; to leave the actor it exchanges last for NULL,
// which fails if there is more.  So the mail that is `last` must stay
// allocated, though handled, until something newer is seen: MAIL_SPENT.
#include "runtime/threads.h"

#include <sched.h>

// The link of a mail whose sender is between its two steps.
#define PENDING ((struct mail *)16)

void tr__post(struct place *p, tr_ref to, struct mail *e)
{
    struct actor *a = actor_at(p->rt, ref_index(to));
    struct mail *below;
    e->gen = ref_gen(to);
    atomic_store_explicit(&e->next, PENDING, memory_order_relaxed);
    // Release pairs with the load of top in tr__mail_refill(); acquire with
    // the release in tr__mail_idle(), for the one who runs the actor next.
    below = atomic_exchange_explicit(&a->top, e, memory_order_acq_rel);
    // Pairs with the load in link_of().
    atomic_store_explicit(&e->next, below, memory_order_release);
    if (!below)
        tr__schedule(p, a);
}

static struct mail *link_of(struct mail *e)
{
    struct mail *next;
    for (int spins = 0;; spins++) {
        next = atomic_load_explicit(&e->next, memory_order_acquire);
        if (LIKELY(next != PENDING))
            return next;
        if (spins > 100)
            sched_yield(); // its sender lost the processor
    }
}

static void count_batch(struct place *p, struct actor *a, uint32_t n)
{
    struct counts *c = counts_of(p, a->cid);
    if (actor_gen(a) & GEN_BOUNDED)
        n = atomic_load_explicit(&a->waiting, memory_order_relaxed);
    else
        atomic_store_explicit(&a->limit, n, memory_order_relaxed);
    if (n > atomic_load_explicit(&a->most, memory_order_relaxed))
        atomic_store_explicit(&a->most, n, memory_order_relaxed);
    if (n > atomic_load_explicit(&c->high_water, memory_order_relaxed))
        atomic_store_explicit(&c->high_water, n, memory_order_relaxed);
}

// A long queue is a chain of cache misses.  One sender's mail often lies at a
// constant distance, so guess where the chain will be in a few steps.
static void look_ahead(struct mail *e, struct mail *below)
{
    uintptr_t step = (uintptr_t)below - (uintptr_t)e;
    __builtin_prefetch((void *)((uintptr_t)below + 6 * step), 1);
}

// What has arrived since the last look, oldest first.
static struct mail *take_batch(struct place *p, struct actor *a)
{
    struct mail *top = atomic_load_explicit(&a->top, memory_order_acquire);
    struct mail *e = top, *last = a->last, *list = NULL;
    uint32_t n = 0;
    while (e != last) {
        struct mail *below = link_of(e);
        look_ahead(e, below);
        atomic_store_explicit(&e->next, list, memory_order_relaxed);
        list = e;
        e = below;
        n++;
    }
    if (n) {
        a->last = top;
        if (last && last->flags & MAIL_SPENT)
            tr__mail_free(p, last);
        count_batch(p, a, n);
    }
    return list;
}

bool tr__mail_refill(struct place *p, struct actor *a)
{
    a->inbox = take_batch(p, a);
    return a->inbox;
}

bool tr__mail_idle(struct place *p, struct actor *a)
{
    struct mail *last = a->last, *expected = last;
    // Afterwards, one that is not spent may be freed by the next to run a.
    bool spent = last && last->flags & MAIL_SPENT;
    a->last = NULL;
    // Release pairs with the exchange in tr__post() and with slot_used().
    if (atomic_compare_exchange_strong_explicit(&a->top, &expected, NULL,
                                                memory_order_release,
                                                memory_order_relaxed)) {
        if (spent)
            tr__mail_free(p, last);
        return true;
    }
    a->last = last;
    return false;
}

void tr__mail_drop(struct mail *e)
{
    if (UNLIKELY(e->msg->drop != NULL) && !(e->flags & MAIL_MOVED) &&
        e->kind != MAIL_REPLY && e->kind != MAIL_LIMIT)
        e->msg->drop(mail_payload(e));
}

void tr__mail_retire(struct place *p, struct actor *a, struct mail *e)
{
    if (e == a->last)
        e->flags |= MAIL_SPENT;
    else
        tr__mail_free(p, e);
}

void tr__mail_done(struct place *p, struct actor *a, struct mail *e)
{
    tr__mail_drop(e);
    tr__mail_retire(p, a, e);
}

static void append(struct mail **list, struct mail *more)
{
    struct mail *e = *list;
    if (!e) {
        *list = more;
        return;
    }
    while (mail_next(e))
        e = mail_next(e);
    atomic_store_explicit(&e->next, more, memory_order_relaxed);
}

void tr__mail_refill_all(struct place *p, struct actor *a)
{
    append(&a->inbox, take_batch(p, a));
}

void tr__mail_detach(struct place *p, struct actor *a, struct mail *e)
{
    struct mail *expected = e;
    if (e != a->last)
        return;
    if (atomic_compare_exchange_strong_explicit(
            &a->top, &expected, &p->rt->born, memory_order_release,
            memory_order_relaxed))
        a->last = &p->rt->born;
    else
        tr__mail_refill_all(p, a);
}

void tr__mail_uncount(struct place *p, struct actor *a, struct mail *e)
{
    if (LIKELY(!(e->flags & MAIL_COUNTED)))
        return;
    e->flags &= (uint8_t)~MAIL_COUNTED;
    // Both sequentially consistent, as in tr__wait_for_room(): either we see
    // who blocks, or it sees the room.
    atomic_fetch_sub(&a->waiting, 1);
    if (atomic_load(&p->rt->n_blocked))
        tr__news(p->rt);
}

void tr__fault_at(struct place *p, tr_fault_kind kind, const tr_msg *msg,
                  const void *payload, tr_ref from, tr_ref to,
                  struct actor *receiver)
{
    tr_fault f = {
        .kind = kind, .msg = msg, .payload = payload, .from = from, .to = to};
    if (receiver) {
        f.cls = actor_class(receiver);
        if (kind == TR_FAULT_UNHANDLED)
            f.behaviour = receiver->behaviour->name;
    }
    tr__fault(&p->rt->config, &f);
}

void tr__mail_refuse(struct place *p, struct actor *a, struct mail *e)
{
    tr__mail_drop(e);
    tr__mail_detach(p, a, e);
    e->kind = MAIL_REPLY;
    e->flags = MAIL_NONE;
    if (e->from)
        tr__post(p, e->from, e);
    else
        tr__outside_resolve(p, e);
}

// The class of the slot's last actor is known only until the next one comes.
static struct actor *was_in(struct actor *a, struct mail *e)
{
    uint32_t old = e->gen & ~GEN_BOUNDED;
    return !(a->flags & ACTOR_LIVE) && actor_gen(a) == old + 1 ? a : NULL;
}

static void dead_message(struct place *p, struct actor *a, struct mail *e)
{
    struct actor *known = was_in(a, e);
    if (known)
        bump(&counts_of(p, a->cid)->dead, 1);
    if (!p->rt->ending)
        tr__fault_at(p, TR_FAULT_STOPPED, e->msg, mail_payload(e), e->from,
                     ref_of(a->index, e->gen), known);
    if (e->kind == MAIL_ASK)
        tr__mail_refuse(p, a, e);
    else
        tr__mail_done(p, a, e);
}

void tr__mail_dead(struct place *p, struct actor *a, struct mail *e)
{
    tr__mail_uncount(p, a, e);
    switch ((enum mail_kind)e->kind) {
    case MAIL_MESSAGE:
    case MAIL_ASK:
        dead_message(p, a, e);
        break;
    case MAIL_WATCH: { // the notice comes from the one that has stopped
        tr_ref watcher = e->from;
        tr__mail_detach(p, a, e);
        e->kind = MAIL_MESSAGE;
        e->from = ref_of(a->index, e->gen);
        tr__post(p, watcher, e);
        break;
    }
    case MAIL_REPLY:
    case MAIL_LIMIT:
    case MAIL_TIMER:
        tr__mail_done(p, a, e);
        break;
    }
}
