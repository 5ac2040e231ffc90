// Timers, in logical time: no clock is read.
//
// A timer lives with the actor that set it.  tr_single has one time for all and
// lets it pass only when nothing else is left to deliver; otherwise each actor
// has a time of its own, which its own timers alone move, and its earliest
// timer may fire whenever the chooser likes (play.h says the same).
#include "runtime/solo/core.h"

static uint64_t *clock_of(struct solo *s, struct actor *a)
{
    return s->opt.random || s->opt.choose ? &a->now : &s->now;
}

static void tick_on(struct solo *s, struct actor *a)
{
    if (a->tick)
        return;
    s->ticking[s->n_ticking++] = a;
    a->tick = s->n_ticking;
}

static void tick_off(struct solo *s, struct actor *a)
{
    struct actor *last;
    if (!a->tick || a->timers.first)
        return;
    last = s->ticking[--s->n_ticking];
    s->ticking[a->tick - 1] = last;
    last->tick = a->tick;
    a->tick = 0;
}

uint64_t tr__solo_timer_set(struct solo *s, struct actor *a, uint64_t ms,
                            struct mail *m)
{
    struct mail *at = a->timers.last;
    if (!tr__solo_room(s, &s->ticking, &s->cap_ticking, s->n_ticking + 1,
                       sizeof *s->ticking))
        return 0;
    m->what = SOLO_TIMER;
    m->timer = ++s->last_timer;
    m->nr = ++s->last_nr;
    m->due = *clock_of(s, a) + ms;
    while (at && at->due > m->due)
        at = at->prev;
    tr__solo_mails_before(&a->timers, at ? at->next : a->timers.first, m);
    tick_on(s, a);
    s->effects++;
    return m->timer;
}

struct mail *tr__solo_timer_first(struct solo *s)
{
    struct mail *best = NULL;
    for (uint32_t i = 0; i < s->n_ticking; i++) {
        struct mail *m = s->ticking[i]->timers.first;
        if (!best || m->due < best->due ||
            (m->due == best->due && m->nr < best->nr))
            best = m;
    }
    return best;
}

// m was taken from a's timers.
void tr__solo_timer_fire(struct solo *s, struct actor *a, struct mail *m)
{
    if (*clock_of(s, a) < m->due)
        *clock_of(s, a) = m->due;
    tick_off(s, a);
    if (!m->type) {
        uint64_t future = m->future;
        tr__solo_mail_free(s, m);
        tr__solo_future_done(s, future, NULL);
        s->unsettled = false; // the receiver is settled anyway
        return;
    }
    m->what = SOLO_MESSAGE;
    if (m->to == a->id) {
        tr__solo_actor_receive(s, m);
        return;
    }
    m->timer = 0;
    if (a->cls)
        tr__solo_stats(s, a)->sent++;
    if (!tr__solo_mail_post(s, m)) {
        tr__solo_fault(s, TR_FAULT_NOMEM, m);
        tr__solo_mail_drop(s, m);
    }
}

static bool stop_in(struct solo *s, struct mails *l, uint64_t timer)
{
    for (struct mail *m = l->first; m; m = m->next)
        if (m->timer == timer) {
            tr__solo_mail_drop(s, tr__solo_mails_take(l, m));
            return true;
        }
    return false;
}

// One that has come and was put off has not been handled yet.
void tr__solo_timer_stop(struct solo *s, struct actor *a, uint64_t timer)
{
    if (!timer)
        return;
    if (stop_in(s, &a->timers, timer))
        tick_off(s, a);
    else if (!stop_in(s, &a->held, timer))
        stop_in(s, &a->kept, timer);
    s->effects++;
}

void tr__solo_timers_drop(struct solo *s, struct actor *a)
{
    while (a->timers.first)
        tr__solo_mail_drop(s, tr__solo_mails_take(&a->timers, a->timers.first));
    tick_off(s, a);
}

tr_timer tr__solo_after(tr_ctx *ctx, uint64_t ms, tr_ref ref,
                        const tr_msg *type, const void *payload)
{
    struct solo_ctx *x = solo_ctx_of(ctx);
    uint32_t to = tr__solo_id(ref);
    struct mail *m = tr__solo_mail_take(x, to, type, payload);
    tr_fault_kind kind = TR_FAULT_NOBODY;
    if (!m)
        return 0;
    if (ref && to < x->solo->n_actors) {
        if (!x->solo->ending && tr__solo_timer_set(x->solo, x->self, ms, m))
            return m->timer;
        kind = TR_FAULT_NOMEM;
    }
    m->what = SOLO_MESSAGE;
    tr__solo_fault(x->solo, kind, m);
    tr__solo_mail_drop(x->solo, m);
    return 0;
}

void tr__solo_cancel(tr_ctx *ctx, tr_timer timer)
{
    struct solo_ctx *x = solo_ctx_of(ctx);
    tr__solo_timer_stop(x->solo, x->self, timer);
}
