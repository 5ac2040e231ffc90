// Mailboxes.
//
// A mailbox is a list, oldest first, of which `top` is the newest; the first
// one is `inbox`.  To send is one exchange of top, which tells the sender whom
// its mail comes after, and one store of the link from there.  NULL means that
// the mailbox was empty and the actor at rest: this sender sets inbox and puts
// the actor into a run queue.  There is no stub and nothing to allocate for an
// idle actor.  (The exchange and the late link are those of Vyukov's intrusive
// queue of many producers and one consumer; the state at rest is not.)
//
// The one who runs the actor follows the links.  A mail taken while it had no
// link may be the newest, and the next sender would write to it: it is `last`
// and must stay allocated, though handled (MAIL_SPENT), until its link is seen
// or top was exchanged for NULL, which leaves the actor, or for &rt->born.  The
// latter stands for no mail in a slot that has an owner; all slots share it, so
// a sender who finds it writes to inbox as well, and the owner looks there.
//
// How long a mailbox is nobody knows, unless its class has a bound.  The
// receiver marks the newest mail, and when it has taken that one it knows how
// long the mailbox was then.
#include "runtime/threads/threads.h"

#include <sched.h>

void tr__post(struct desk *p, tr_ref to, struct mail *e)
{
    struct actor *a = actor_at(p->rt, ref_index(to));
    struct mail *before;
    e->gen = ref_gen(to);
    atomic_store_explicit(&e->next, NULL, memory_order_relaxed);
    // Release for the sender who comes next and writes to e, acquire for us
    // who do so, and pairs with the release in tr__mail_idle(), for the one
    // who runs the actor next.
    before = atomic_exchange_explicit(&a->top, e, memory_order_acq_rel);
    // Release pairs with the loads in tr__mail_unlink() and tr__mail_look().
    if (LIKELY(before && before != &p->rt->born)) {
        atomic_store_explicit(&before->next, e, memory_order_release);
        return;
    }
    atomic_store_explicit(&a->inbox, e, memory_order_release);
    if (!before)
        tr__schedule(p, a);
}

// What comes after a->last.  NULL: nothing, or not yet.
static struct mail *after_last(struct desk *p, struct actor *a)
{
    if (a->last == &p->rt->born)
        return atomic_load_explicit(&a->inbox, memory_order_acquire);
    return atomic_load_explicit(&a->last->next, memory_order_acquire);
}

// The same, when something is known to come: its sender is between its two
// steps.
static struct mail *await_link(struct desk *p, struct actor *a)
{
    struct mail *e;
    for (int spins = 0; !(e = after_last(p, a)); spins++)
        if (spins > 100)
            sched_yield(); // it lost the processor
    return e;
}

static struct mail *newest(struct actor *a)
{
    return atomic_load_explicit(&a->top, memory_order_relaxed);
}

// Go on behind a->last.
static void step(struct desk *p, struct actor *a, struct mail *next)
{
    struct mail *last = a->last;
    a->last = NULL;
    atomic_store_explicit(&a->inbox, next, memory_order_relaxed);
    if (last->flags & MAIL_SPENT)
        tr__mail_free(p, last);
}

struct mail *tr__mail_look(struct desk *p, struct actor *a)
{
    struct mail *e = atomic_load_explicit(&a->inbox, memory_order_acquire);
    if (e)
        return e;
    e = after_last(p, a);
    if (!e) {
        if (newest(a) == a->last)
            return NULL;
        e = await_link(p, a);
    }
    step(p, a, e);
    return e;
}

static void high_water_was(struct desk *p, struct actor *a, uint32_t n)
{
    struct counts *c = counts_of(p, a->cid);
    if (n > atomic_load_explicit(&c->high_water, memory_order_relaxed))
        atomic_store_explicit(&c->high_water, n, memory_order_relaxed);
}

// It was n, or at least n.  With a bound, the senders know better.
static void length_was(struct desk *p, struct actor *a, uint32_t n)
{
    uint32_t most = atomic_load_explicit(&a->most, memory_order_relaxed);
    bool bounded = actor_gen(a) & GEN_BOUNDED;
    if (!bounded && n != atomic_load_explicit(&a->limit, memory_order_relaxed))
        atomic_store_explicit(&a->limit, n, memory_order_relaxed);
    if (LIKELY(n <= most && !bounded))
        return;
    if (bounded)
        n = most;
    else
        atomic_store_explicit(&a->most, n, memory_order_relaxed);
    high_water_was(p, a, n);
}

// The mark, or the first mail after a rest, was taken; next comes after it.
static void mark_again(struct worker *w, struct actor *a, struct mail *next)
{
    bool first = !a->mark;
    a->mark = next ? newest(a) : NULL;
    if (first && next)
        return;
    length_was(&w->desk, a, w->taken);
    w->taken = 0;
}

void tr__mail_begin(struct worker *w, struct actor *a)
{
    w->taken = a->taken;
    a->taken = 0;
}

void tr__mail_pause(struct worker *w, struct actor *a)
{
    a->taken = w->taken;
    length_was(&w->desk, a, w->taken);
}

// A long queue is a chain of cache misses.  One sender's mail often lies at a
// constant distance, so guess where the chain will be in a few steps.
static void look_ahead(struct mail *e, struct mail *next)
{
    uintptr_t step = (uintptr_t)next - (uintptr_t)e;
    __builtin_prefetch(next, 1);
    __builtin_prefetch((void *)((uintptr_t)next + 6 * step), 1);
}

void tr__mail_take(struct worker *w, struct actor *a, struct mail *e)
{
    struct mail *next = tr__mail_unlink(a, e);
    if (next)
        look_ahead(e, next);
    w->taken++;
    if (e == a->mark || !a->mark)
        mark_again(w, a, next);
}

bool tr__mail_idle(struct desk *p, struct actor *a)
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

void tr__mail_retire(struct desk *p, struct actor *a, struct mail *e)
{
    if (e == a->last)
        e->flags |= MAIL_SPENT;
    else
        tr__mail_free(p, e);
}

void tr__mail_done(struct desk *p, struct actor *a, struct mail *e)
{
    tr__mail_drop(e);
    tr__mail_retire(p, a, e);
}

void tr__mail_detach(struct desk *p, struct actor *a, struct mail *e)
{
    struct mail *expected = e;
    if (e != a->last)
        return;
    if (atomic_compare_exchange_strong_explicit(
            &a->top, &expected, &p->rt->born, memory_order_release,
            memory_order_relaxed))
        a->last = &p->rt->born;
    else
        step(p, a, await_link(p, a));
}

void tr__mail_uncount(struct desk *p, struct actor *a, struct mail *e)
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

void tr__fault_at(struct desk *p, tr_fault_kind kind, const tr_msg *msg,
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

void tr__mail_refuse(struct desk *p, struct actor *a, struct mail *e)
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

static void dead_message(struct desk *p, struct actor *a, struct mail *e)
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

void tr__mail_dead(struct desk *p, struct actor *a, struct mail *e)
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
