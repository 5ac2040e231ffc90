// What is received next.
//
// tr_single: the oldest mail; timers when there is none.  tr_random: each head
// of a channel and each actor's timers together with the same probability.  A
// chooser is shown all receives that its delivery model allows.
#include "runtime/solo/core.h"

#include <stdlib.h>

// What a timer brings, or the request whose limit it is.
static const tr_msg *brings(struct solo *s, const struct mail *m)
{
    struct future *f = m->type ? NULL : tr__solo_future_of(s, m->future);
    return f ? f->request : m->type;
}

static void timer_option(struct solo *s, const struct mail *m,
                         struct solo_option *o)
{
    const struct actor *a = s->actors[m->from];
    const struct mail *t;
    o->soonest = tr__solo_timer_soonest(s, a) == m;
    o->brings = brings(s, m);
    o->rests = tr__solo_timer_rests(s, m);
    o->every = m->every != 0;
    o->nth = 1;
    for (uint32_t k = 0; (t = tr__solo_timer_ready(s, a, k)) && t != m; k++)
        o->nth += brings(s, t) == o->brings;
}

static struct solo_option option_of(struct solo *s, const struct mail *m)
{
    struct solo_option o = {
        .what = m->what,
        .to = m->what == SOLO_TIMER ? m->from : m->to,
        .from = m->from,
        .msg = m->type,
        .payload = m->nothing ? NULL : m->payload,
        .nr = m->nr,
    };
    if (m->what == SOLO_TIMER)
        timer_option(s, m, &o);
    return o;
}

// Does m's send depend on that of the earlier mail?
static bool after(const struct mail *m, const struct mail *earlier)
{
    return m->clock && earlier->clock && earlier->from < m->n_clock &&
           m->clock[earlier->from] >= earlier->clock[earlier->from];
}

static bool causal(const struct solo *s, const struct mail *m)
{
    for (const struct mail *e = s->flight.first; e != m; e = e->next)
        if (e->to == m->to && after(m, e))
            return false;
    return true;
}

static bool allowed(struct solo *s, struct mail *m)
{
    struct actor *to = s->actors[m->to];
    switch (s->opt.delivery) {
    case SOLO_PAIR: // see list_heads()
        return m->channel->first == m;
    case SOLO_ANY:
        return true;
    case SOLO_CAUSAL:
        return causal(s, m);
    case SOLO_MAILBOX:
        if (!to)
            return m->channel->first == m;
        if (to->seen == s->stamp)
            return false;
        to->seen = s->stamp;
        return true;
    }
    return false;
}

static uint32_t list_timers(struct solo *s, const struct actor *a, uint32_t n)
{
    struct mail *m;
    for (uint32_t k = 0; (m = tr__solo_timer_ready(s, a, k)); k++) {
        s->option_mail[n] = m;
        s->options[n++] = option_of(s, m);
    }
    return n;
}

static int by_number(const void *x, const void *y)
{
    const struct mail *a = *(struct mail *const *)x,
                      *b = *(struct mail *const *)y;
    return a->nr < b->nr ? -1 : a->nr > b->nr;
}

// Heads of channels, in the order of their sends: thousands of mails may be
// behind them.
static uint32_t list_heads(struct solo *s)
{
    for (uint32_t i = 0; i < s->n_channels; i++)
        s->option_mail[i] = s->channels[i]->first;
    if (s->n_channels > 1)
        qsort(s->option_mail, s->n_channels, sizeof *s->option_mail, by_number);
    return s->n_channels;
}

static uint32_t list_mails(struct solo *s)
{
    uint32_t n = 0;
    s->stamp++;
    for (struct mail *m = s->flight.first; m; m = m->next)
        if (allowed(s, m))
            s->option_mail[n++] = m;
    return n;
}

static uint32_t list(struct solo *s)
{
    bool heads =
        s->opt.delivery == SOLO_PAIR && s->n_channels < s->flight.n / 4;
    uint32_t n = heads ? list_heads(s) : list_mails(s);
    for (uint32_t i = 0; i < n; i++)
        s->options[i] = option_of(s, s->option_mail[i]);
    for (uint32_t i = 0; i < s->n_ticking; i++)
        n = list_timers(s, s->ticking[i], n);
    return n;
}

static struct mail *oldest(struct solo *s)
{
    return s->flight.first ? s->flight.first : tr__solo_timer_first(s);
}

static struct mail *chosen(struct solo *s)
{
    uint32_t most = s->flight.n + s->n_timers, n, i, cap = s->cap_options;
    if (!tr__solo_room(s, &s->options, &cap, most, sizeof *s->options) ||
        !tr__solo_room(s, &s->option_mail, &s->cap_options, most,
                       sizeof *s->option_mail))
        return oldest(s);
    n = list(s);
    if (!n)
        return NULL;
    i = s->opt.choose(s->opt.user, s->options, n);
    if (i == (uint32_t)SOLO_NOTHING)
        return NULL;
    return s->option_mail[i < n ? i : 0];
}

// Timers of an actor that may be the next and do not rest: how many?
static uint32_t timers_of(struct solo *s, const struct actor *a)
{
    const struct mail *m;
    uint32_t n = 0;
    while ((m = tr__solo_timer_ready(s, a, n)) && !tr__solo_timer_rests(s, m))
        n++;
    return n;
}

static struct mail *drawn_timer(struct solo *s, const struct actor *a)
{
    uint32_t n = timers_of(s, a);
    return tr__solo_timer_ready(s, a, n > 1 ? rng_below(&s->rng, n) : 0);
}

// The i-th actor with timers that do not all rest; NULL if there are fewer.
static const struct actor *ticking(struct solo *s, uint32_t i)
{
    for (uint32_t k = 0; k < s->n_ticking; k++)
        if (timers_of(s, s->ticking[k]) && i-- == 0)
            return s->ticking[k];
    return NULL;
}

// Nothing is left but timers of every(): need the body not wait for them?
static bool may_return(struct solo *s)
{
    const struct future *f =
        s->wanted ? tr__solo_future_of(s, s->wanted) : NULL;
    return s->drains && !s->flight.n && s->n_timers == s->n_every &&
           (!f || f->done);
}

static struct mail *drawn(struct solo *s)
{
    uint32_t n = s->n_channels, i;
    for (uint32_t k = 0; k < s->n_ticking; k++)
        n += timers_of(s, s->ticking[k]) > 0;
    if (!n)
        return NULL;
    i = rng_below(&s->rng, n + may_return(s));
    if (i == n)
        return NULL;
    return i < s->n_channels ? s->channels[i]->first
                             : drawn_timer(s, ticking(s, i - s->n_channels));
}

bool tr__solo_ticks(struct solo *s)
{
    return ticking(s, 0);
}

// Without a bound on ticks, timers that are set again are nothing to wait for.
static bool only_ticks(const struct solo *s)
{
    return !s->opt.ticks && !s->waits && !s->flight.n &&
           s->n_timers == s->n_every;
}

uint32_t tr__solo_oldest(tr_runtime *r, uint32_t n)
{
    struct solo *s = (struct solo *)(void *)r;
    const struct mail *m = oldest(s);
    for (uint32_t i = 0; m && i < n; i++)
        if (s->option_mail[i] == m)
            return i;
    return (uint32_t)SOLO_NOTHING;
}

struct mail *tr__solo_next(struct solo *s)
{
    bool asks = s->opt.choose && !(s->opt.in_order && *s->opt.in_order);
    struct mail *m = only_ticks(s)   ? NULL
                     : asks          ? chosen(s)
                     : s->opt.random ? drawn(s)
                                     : oldest(s);
    if (m)
        s->receive = option_of(s, m);
    if (m && m->what == SOLO_TIMER)
        tr__solo_timer_take(s, m);
    else if (m)
        tr__solo_mail_landed(s, m);
    return m;
}
