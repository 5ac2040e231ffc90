// Timers, in logical time: no clock is read.
//
// A timer lives with the actor that set it.  tr_single has one time for all and
// lets it pass only when nothing else is left to deliver: timers are in order
// of due time.  Otherwise any time may pass between receives, and each actor
// knows bounds on the due times of its timers, which are in order of setting:
// those that may be the next to fire may do so whenever the chooser likes
// (play.h says the same).  An actor with more than TIMERS_MOST timers lets them
// fire as if no time passed.
//
// There is one clock.  Only timers and sleeps move it: a receive happens at the
// time it shows, that of a timer not before the timer's due time.
#include "runtime/solo/core.h"

enum { TIMERS_MOST = 254 };

static bool loose(const struct solo *s)
{
    return s->opt.random || s->opt.choose;
}

// When timers are due if no time passes.
static uint64_t *nominal(struct solo *s, struct actor *a)
{
    return loose(s) ? &a->now : &s->now;
}

static uint64_t *clock_of(struct solo *s, struct actor *a)
{
    return s->opt.own_clocks ? &a->time : &s->now;
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

// ---- bounds ---------------------------------------------------------------

// Room for one more timer of an actor that has n; false without memory.
static bool bounds_room(struct solo *s, struct actor *a)
{
    uint32_t room = a->bounds.room ? 2 * a->bounds.room : 8;
    int64_t *at, *old = a->bounds.at;
    if (a->timers.n + BOUNDS_TIMERS < a->bounds.room)
        return true;
    at = tr__get(&s->config, (size_t)room * room * sizeof *at);
    if (!at)
        return false;
    if (old)
        tr__bounds_move(&a->bounds, at, room);
    else
        tr__bounds_init(&a->bounds, at, room);
    tr__put(&s->config, old);
    return true;
}

static void bounds_drop(struct solo *s, struct actor *a)
{
    tr__put(&s->config, a->bounds.at);
    a->bounds = (struct bounds){0};
}

void tr__solo_pass(struct actor *a)
{
    if (a && a->bounds.at)
        tr__bounds_pass(&a->bounds);
}

static uint32_t moment_of(const struct actor *a, const struct mail *m)
{
    uint32_t x = BOUNDS_TIMERS;
    for (const struct mail *t = a->timers.first; t != m; t = t->next)
        x++;
    return x;
}

// Is m sooner than the other, which was set before it, if no time passes?
static bool sooner(const struct actor *a, const struct mail *m, uint32_t x,
                   const struct mail *other, uint32_t y)
{
    return a->bounds.at ? *tr__bound(&a->bounds, x, BOUNDS_NOW) <
                              *tr__bound(&a->bounds, y, BOUNDS_NOW)
                        : m->due < other->due;
}

struct mail *tr__solo_timer_soonest(struct solo *s, const struct actor *a)
{
    struct mail *best = a->timers.first;
    uint32_t at = BOUNDS_TIMERS, x = at;
    if (!loose(s))
        return best;
    for (struct mail *m = best->next; m; m = m->next)
        if (sooner(a, m, ++x, best, at)) {
            best = m;
            at = x;
        }
    return best;
}

struct mail *tr__solo_timer_ready(struct solo *s, const struct actor *a,
                                  uint32_t k)
{
    uint32_t x = BOUNDS_TIMERS;
    if (!a->bounds.at)
        return k ? NULL : tr__solo_timer_soonest(s, a);
    for (struct mail *m = a->timers.first; m; m = m->next)
        if (tr__bounds_first(&a->bounds, x++) && k-- == 0)
            return m;
    return NULL;
}

// ---- setting and firing ---------------------------------------------------

// The present is not before what the clock shows.
static void present(struct solo *s, struct actor *a)
{
    if (a->bounds.at)
        tr__bounds_limit(&a->bounds, BOUNDS_ORIGIN, BOUNDS_NOW,
                         -(int64_t)*clock_of(s, a));
}

static bool set_loose(struct solo *s, struct actor *a, uint64_t ms,
                      struct mail *m)
{
    bool bound = a->bounds.at || !a->timers.n;
    if (bound && a->timers.n == TIMERS_MOST)
        bounds_drop(s, a);
    else if (bound && !bounds_room(s, a))
        return false;
    present(s, a);
    if (a->bounds.at)
        tr__bounds_add(&a->bounds, ms);
    tr__solo_mails_add(&a->timers, m);
    return true;
}

static void set_by_time(struct actor *a, struct mail *m)
{
    struct mail *at = a->timers.last;
    while (at && at->due > m->due)
        at = at->prev;
    tr__solo_mails_before(&a->timers, at ? at->next : a->timers.first, m);
}

uint64_t tr__solo_timer_set(struct solo *s, struct actor *a, uint64_t ms,
                            struct mail *m)
{
    if (!tr__solo_room(s, &s->ticking, &s->cap_ticking, s->n_ticking + 1,
                       sizeof *s->ticking))
        return 0;
    m->what = SOLO_TIMER;
    m->timer = s->last_timer + 1;
    m->nr = s->last_nr + 1;
    if (*nominal(s, a) < s->now)
        *nominal(s, a) = s->now;
    m->due = *nominal(s, a) + ms;
    if (loose(s) && !set_loose(s, a, ms, m))
        return 0;
    if (!loose(s))
        set_by_time(a, m);
    s->last_timer++;
    s->last_nr++;
    s->n_timers++;
    tick_on(s, a);
    s->effects++;
    return m->timer;
}

static void clock_raise(struct solo *s, struct actor *a, uint64_t to)
{
    if (*clock_of(s, a) < to)
        *clock_of(s, a) = to;
}

// Out of the actor's timers; fires: its time has come.
static struct mail *take(struct solo *s, struct actor *a, struct mail *m,
                         bool fires)
{
    if (a->bounds.at) {
        uint32_t x = moment_of(a, m);
        if (fires)
            tr__bounds_fire(&a->bounds, x);
        if (fires)
            clock_raise(s, a, (uint64_t)tr__bounds_now(&a->bounds));
        tr__bounds_remove(&a->bounds, x);
    } else if (fires) {
        clock_raise(s, a, m->due);
    }
    s->n_timers--;
    tr__solo_mails_take(&a->timers, m);
    if (!a->timers.n)
        bounds_drop(s, a);
    return m;
}

void tr__solo_timer_take(struct solo *s, struct mail *m)
{
    take(s, s->actors[m->from], m, true);
}

struct mail *tr__solo_timer_first(struct solo *s)
{
    struct mail *best = NULL;
    for (uint32_t i = 0; i < s->n_ticking; i++) {
        struct mail *m = tr__solo_timer_soonest(s, s->ticking[i]);
        if (!best || m->due < best->due ||
            (m->due == best->due && m->nr < best->nr))
            best = m;
    }
    return best;
}

// m was taken from a's timers.
void tr__solo_timer_fire(struct solo *s, struct actor *a, struct mail *m)
{
    if (*nominal(s, a) < m->due)
        *nominal(s, a) = m->due;
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

static bool stop_in(struct solo *s, struct actor *a, struct mails *l,
                    uint64_t timer)
{
    struct mail *m = l->first;
    while (m && m->timer != timer)
        m = m->next;
    if (!m)
        return false;
    if (l == &a->timers)
        take(s, a, m, false);
    else
        tr__solo_mails_take(l, m);
    tr__solo_mail_drop(s, m);
    return true;
}

// One that has come and was put off has not been handled yet.
void tr__solo_timer_stop(struct solo *s, struct actor *a, uint64_t timer)
{
    if (!timer)
        return;
    if (stop_in(s, a, &a->timers, timer))
        tick_off(s, a);
    else if (!stop_in(s, a, &a->held, timer))
        stop_in(s, a, &a->kept, timer);
    s->effects++;
}

void tr__solo_timers_drop(struct solo *s, struct actor *a)
{
    while (a->timers.first)
        tr__solo_mail_drop(s, take(s, a, a->timers.first, false));
    bounds_drop(s, a);
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

// ---- the clock ------------------------------------------------------------

// Whoever looks at it is as early as it can be.
tr_time tr__solo_time(tr_ctx *ctx)
{
    struct solo_ctx *x = solo_ctx_of(ctx);
    struct solo *s = x->solo;
    present(s, x->self);
    if (x->self->bounds.at)
        tr__bounds_limit(&x->self->bounds, BOUNDS_NOW, BOUNDS_ORIGIN,
                         (int64_t)*clock_of(s, x->self));
    return *clock_of(s, x->self);
}

static struct solo *current; // the one that was opened last

void tr__solo_current(struct solo *s, bool open)
{
    if (open)
        current = s;
    else if (current == s)
        current = NULL;
}

static struct solo_ctx *running(struct solo *s)
{
    return s->running ? &s->running->ctx : &s->env_ctx;
}

bool tr__solo_clock(uint64_t *ms)
{
    if (!current)
        return false;
    *ms = tr__solo_time(&running(current)->face);
    return true;
}

bool tr__solo_sleep(uint64_t ms)
{
    struct actor *a;
    if (!current)
        return false;
    a = running(current)->self;
    present(current, a);
    if (a->bounds.at)
        tr__bounds_sleep(&a->bounds, ms);
    *clock_of(current, a) += ms;
    return true;
}
