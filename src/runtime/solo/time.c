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
// Timers of one kind that are set one after the other rest when they have fired
// as often as the bound on ticks says; they stay pending, and so do those that
// are certainly due after them.  stage/timers.h says the same.
//
// There is one clock.  Only timers and sleeps move it: a receive happens at the
// time it shows, that of a timer not before the timer's due time.
#include "runtime/solo/core.h"

#include <string.h>

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

bool tr__solo_timer_rests(const struct solo *s, const struct mail *m)
{
    return s->opt.ticks && m->fired >= s->opt.ticks;
}

// Those that rest come last.
struct mail *tr__solo_timer_ready(struct solo *s, const struct actor *a,
                                  uint32_t k)
{
    if (!a->bounds.at)
        return k ? NULL : tr__solo_timer_soonest(s, a);
    for (int rests = 0; rests < 2; rests++) {
        uint32_t x = BOUNDS_TIMERS;
        for (struct mail *m = a->timers.first; m; m = m->next, x++)
            if (tr__solo_timer_rests(s, m) == rests &&
                tr__bounds_first(&a->bounds, x) && k-- == 0)
                return m;
    }
    return NULL;
}

bool tr__solo_owes(const struct solo *s)
{
    return s->opt.ticks && s->n_timers > s->n_every;
}

// ---- ticks ----------------------------------------------------------------

static struct solo_tick kind_of(struct solo *s, const struct mail *m)
{
    const struct future *f = m->type ? NULL : tr__solo_future_of(s, m->future);
    if (f)
        return (struct solo_tick){f->asked, f->request, true, 0};
    return (struct solo_tick){m->to, m->type, false, 0};
}

static struct solo_tick *find_tick(struct actor *a, const struct solo_tick *k)
{
    for (uint32_t i = 0; i < a->n_ticks; i++)
        if (a->ticks[i].to == k->to && a->ticks[i].type == k->type &&
            a->ticks[i].limit == k->limit)
            return &a->ticks[i];
    return NULL;
}

static uint32_t ticks_before(struct solo *s, struct actor *a,
                             const struct mail *m)
{
    struct solo_tick kind = kind_of(s, m), *k = find_tick(a, &kind);
    return k ? k->n : 0;
}

// Without memory it is not counted.
static void count_tick(struct solo *s, struct actor *a, struct mail *m)
{
    struct solo_tick kind, *k;
    if (!s->opt.ticks || tr__solo_timer_rests(s, m))
        return;
    kind = kind_of(s, m);
    k = find_tick(a, &kind);
    m->fired++;
    if (!k && tr__solo_room(s, &a->ticks, &a->cap_ticks, a->n_ticks + 1,
                            sizeof *a->ticks)) {
        k = &a->ticks[a->n_ticks++];
        *k = kind;
    }
    if (k && k->n < m->fired)
        k->n = m->fired;
}

// ---- setting and firing ---------------------------------------------------

// The present is not before what the clock shows.
static void present(struct solo *s, struct actor *a)
{
    if (a->bounds.at)
        tr__bounds_limit(&a->bounds, BOUNDS_ORIGIN, BOUNDS_NOW,
                         -(int64_t)*clock_of(s, a));
}

// m, just added, keeps pace with others that are set again; or it is the first
// of a group.
static void find_pace(struct actor *a, struct mail *m)
{
    uint32_t x = BOUNDS_TIMERS + a->timers.n - 1, y = BOUNDS_TIMERS;
    m->pace = (struct pace){1, 0, 0, m->every};
    for (const struct mail *t = a->timers.first; t != m; t = t->next)
        if (t->pace.group >= m->pace.group)
            m->pace.group = (uint16_t)(t->pace.group + 1);
    for (const struct mail *t = a->timers.first; t != m; t = t->next, y++)
        if (t->pace.group &&
            tr__bounds_pace(&a->bounds, x, y, &t->pace, &m->pace))
            return;
}

// m, the last one, was just set again.
static void keep_pace(struct actor *a, struct mail *m)
{
    uint32_t x = BOUNDS_TIMERS + a->timers.n - 1, y = BOUNDS_TIMERS;
    m->pace.fired = 1;
    for (const struct mail *t = a->timers.first; t != m; t = t->next, y++)
        if (t->pace.group == m->pace.group)
            tr__bounds_keep_pace(&a->bounds, x, y, &m->pace, &t->pace);
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
    if (a->bounds.at && m->every)
        find_pace(a, m);
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
    m->fired = ticks_before(s, a, m);
    if (loose(s) && !set_loose(s, a, ms, m))
        return 0;
    if (!loose(s))
        set_by_time(a, m);
    s->last_timer++;
    s->last_nr++;
    s->n_timers++;
    s->n_every += m->every != 0;
    tick_on(s, a);
    s->effects++;
    return m->timer;
}

static void clock_raise(struct solo *s, struct actor *a, uint64_t to)
{
    if (*clock_of(s, a) < to)
        *clock_of(s, a) = to;
}

// Out of the actor's timers; again: another takes its place, NULL: none.
static struct mail *take(struct solo *s, struct actor *a, struct mail *m,
                         struct mail *again)
{
    if (a->bounds.at && again)
        tr__bounds_again(&a->bounds, moment_of(a, m), m->every);
    else if (a->bounds.at)
        tr__bounds_remove(&a->bounds, moment_of(a, m));
    tr__solo_mails_take(&a->timers, m);
    if (again && loose(s))
        tr__solo_mails_add(&a->timers, again);
    else if (again)
        set_by_time(a, again);
    if (again && a->bounds.at)
        keep_pace(a, again);
    s->n_timers -= !again;
    s->n_every -= m->every && !again;
    if (!a->timers.n)
        bounds_drop(s, a);
    return m;
}

// The next message of a timer that is set again.  NULL without memory: told as
// a fault, and the timer ends.
static struct mail *next_tick(struct solo *s, const struct mail *m)
{
    struct mail *next =
        tr__solo_mail_new(s, m->type, m->type->size, m->type->align);
    if (!next) {
        tr__solo_fault(s, TR_FAULT_NOMEM, m);
        return NULL;
    }
    memcpy(next->payload, m->payload, m->type->size);
    solo_copied(s, next->payload, m->payload, m->type->size);
    if (m->type->copy) {
        solo_enters(s, SOLO_COPY, 0, m->type, next->payload, m->payload);
        m->type->copy(next->payload, m->payload);
    }
    next->what = SOLO_TIMER;
    next->to = m->to;
    next->from = m->from;
    next->timer = m->timer;
    next->nr = ++s->last_nr;
    next->every = m->every;
    next->pace = m->pace;
    next->due = m->due + m->every;
    next->fired = m->fired;
    return next;
}

void tr__solo_timer_take(struct solo *s, struct mail *m)
{
    struct actor *a = s->actors[m->from];
    if (a->bounds.at) {
        tr__bounds_fire(&a->bounds, moment_of(a, m));
        clock_raise(s, a, (uint64_t)tr__bounds_now(&a->bounds));
    } else {
        clock_raise(s, a, m->due);
    }
    count_tick(s, a, m);
    take(s, a, m, m->every ? next_tick(s, m) : NULL);
}

struct mail *tr__solo_timer_first(struct solo *s)
{
    struct mail *best = NULL;
    for (uint32_t i = 0; i < s->n_ticking; i++) {
        struct mail *m = tr__solo_timer_soonest(s, s->ticking[i]);
        if (tr__solo_timer_rests(s, m))
            continue;
        if (!best || m->due < best->due ||
            (m->due == best->due && m->nr < best->nr))
            best = m;
    }
    return best;
}

static bool is_in(const struct mails *l, uint64_t timer)
{
    for (const struct mail *m = l->first; m; m = m->next)
        if (m->timer == timer)
            return true;
    return false;
}

// m was taken from a's timers.  Of one that is set again, one message waits at
// most: others are left out.
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
    if (m->every && (is_in(&a->kept, m->timer) || is_in(&a->held, m->timer))) {
        tr__solo_mail_drop(s, m);
        return;
    }
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
        take(s, a, m, NULL);
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
    if (!stop_in(s, a, &a->held, timer))
        stop_in(s, a, &a->kept, timer);
    s->effects++;
}

void tr__solo_timers_drop(struct solo *s, struct actor *a)
{
    while (a->timers.first)
        tr__solo_mail_drop(s, take(s, a, a->timers.first, NULL));
    bounds_drop(s, a);
    tr__put(&s->config, a->ticks);
    a->ticks = NULL;
    a->n_ticks = a->cap_ticks = 0;
    tick_off(s, a);
}

static tr_timer set(tr_ctx *ctx, uint64_t ms, tr_ref ref, const tr_msg *type,
                    const void *payload, uint64_t every)
{
    struct solo_ctx *x = solo_ctx_of(ctx);
    uint32_t to = tr__solo_id(ref);
    struct mail *m = tr__solo_mail_take(x, to, type, payload);
    tr_fault_kind kind = TR_FAULT_NOBODY;
    if (!m)
        return 0;
    if (every && tr__is_unique(type)) {
        tr__solo_misuse(x->solo,
                        "every: the message owns memory, without .copy");
        tr__solo_mail_drop(x->solo, m);
        return 0;
    }
    m->every = every;
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

tr_timer tr__solo_after(tr_ctx *ctx, uint64_t ms, tr_ref ref,
                        const tr_msg *type, const void *payload)
{
    return set(ctx, ms, ref, type, payload, 0);
}

tr_timer tr__solo_every(tr_ctx *ctx, uint64_t ms, tr_ref ref,
                        const tr_msg *type, const void *payload)
{
    return set(ctx, ms, ref, type, payload, ms);
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
