// Clocks count the steps of each actor (Lamport; Fidge and Mattern).  All
// steps of an actor are ordered, and so are all that send to one actor, hence
// joining with the last one of each kind is enough.
#include "explore/order.h"

#include <assert.h>

void order_init(struct order *o, bool sends)
{
    *o =
        (struct order){.sends = sends, .whole = PLAY_NONE, .shared = PLAY_NONE};
}

void order_release(struct order *o)
{
    vec_free(&o->events);
    vec_free(&o->clocks);
    vec_free(&o->preds);
    vec_free(&o->last);
    vec_free(&o->last_to);
    vec_free(&o->log);
}

void order_clear(struct order *o)
{
    vec_clear(&o->events);
    vec_clear(&o->clocks);
    vec_clear(&o->preds);
    vec_clear(&o->last);
    vec_clear(&o->last_to);
    vec_clear(&o->log);
    o->whole = o->shared = PLAY_NONE;
}

static void add_pred(struct order *o, struct order_event *e, uint32_t pred)
{
    if (pred == PLAY_NONE)
        return;
    for (uint32_t i = 0; i < e->n_preds; i++)
        if (o->preds.at[e->preds + i] == pred)
            return;
    vec_push(&o->preds, pred);
    e->n_preds++;
    const struct order_event *p = &o->events.at[pred];
    uint32_t *mine = o->clocks.at + e->clock;
    const uint32_t *its = o->clocks.at + p->clock;
    for (uint32_t i = 0; i < p->n_clock; i++)
        if (its[i] > mine[i])
            mine[i] = its[i];
}

// Steps that send to the same actor follow each other.
static void add_sends(struct order *o, struct order_event *e,
                      const struct world *w, uint32_t self)
{
    for (uint32_t i = w->trail.at[self].flights; i < w->flights.n; i++) {
        uint32_t to = w->flights.at[i].to;
        if (o->last_to.at[to] == self)
            continue;
        add_pred(o, e, o->last_to.at[to]);
        vec_push(&o->log, to);
        vec_push(&o->log, o->last_to.at[to]);
        o->last_to.at[to] = self;
    }
}

// Steps that only look at the clock, or only move it, commute: it shows the
// latest of all times.
static void add_clock(struct order *o, struct order_event *e)
{
    for (uint32_t i = 0; i < o->events.n; i++) {
        const struct order_event *p = &o->events.at[i];
        if ((e->by_clock && p->moves_clock) || (e->moves_clock && p->by_clock))
            add_pred(o, e, i);
    }
}

static void add_preds(struct order *o, struct order_event *e,
                      const struct world *w, uint32_t self)
{
    const struct trail_step *t = &w->trail.at[self];
    if (e->is_whole)
        for (uint32_t a = 0; a < w->n; a++)
            add_pred(o, e, o->last.at[a]);
    if (o->last.at[t->actor] != PLAY_NONE)
        add_pred(o, e, o->last.at[t->actor]);
    else
        add_pred(o, e, w->seats.at[t->actor].creator);
    add_pred(o, e, o->whole);
    if (is_flight(t->flight))
        add_pred(o, e, w->flights.at[t->flight].source);
    if (t->effect_flags & EFFECT_SHARED)
        add_pred(o, e, o->shared);
    if (e->by_clock || e->moves_clock)
        add_clock(o, e);
    if (o->sends)
        add_sends(o, e, w, self);
}

void order_push(struct order *o, const struct world *w)
{
    uint32_t self = o->events.n;
    assert(self + 1 == w->trail.n);
    const struct trail_step *t = &w->trail.at[self];
    while (o->last.n < w->n) {
        vec_push(&o->last, PLAY_NONE);
        vec_push(&o->last_to, PLAY_NONE);
    }
    uint32_t prev = o->last.at[t->actor];
    struct order_event e = {
        .actor = t->actor,
        .index = prev == PLAY_NONE ? 0 : o->events.at[prev].index + 1,
        .clock = o->clocks.n,
        .n_clock = w->n,
        .preds = o->preds.n,
        .log = o->log.n,
        .whole = o->whole,
        .shared = o->shared,
        .is_whole = t->flight == CHOICE_BODY || (t->body & EFFECT_BODY_ONE),
        .by_clock = t->effect_flags & EFFECT_CLOCK,
        .moves_clock = t->moves_clock,
    };
    for (uint32_t i = 0; i < w->n; i++)
        vec_push(&o->clocks, 0);
    add_preds(o, &e, w, self);
    o->clocks.at[e.clock + e.actor] = e.index + 1;
    if (e.is_whole)
        o->whole = self;
    if (t->effect_flags & EFFECT_SHARED)
        o->shared = self;
    o->last.at[t->actor] = self;
    vec_push(&o->events, e);
}

static uint32_t previous(const struct order *o, uint32_t actor, uint32_t from)
{
    while (from-- > 0)
        if (o->events.at[from].actor == actor)
            return from;
    return PLAY_NONE;
}

void order_pop(struct order *o)
{
    struct order_event e = vec_pop(&o->events);
    while (o->log.n > e.log) {
        uint32_t before = vec_pop(&o->log);
        o->last_to.at[vec_pop(&o->log)] = before;
    }
    o->last.at[e.actor] =
        e.index ? previous(o, e.actor, o->events.n) : PLAY_NONE;
    o->clocks.n = e.clock;
    o->preds.n = e.preds;
    o->whole = e.whole;
    o->shared = e.shared;
}

bool order_may_overtake(const struct world *w, uint32_t i, uint32_t j)
{
    uint32_t a = w->trail.at[i].flight, b = w->trail.at[j].flight;
    if (!is_flight(b))
        return false; // a timer is no message
    if (!is_flight(a))
        return true;
    switch (w->delivery) {
    case DELIVERY_ANY:
        return true;
    case DELIVERY_PAIR:
        return w->flights.at[a].sender != w->flights.at[b].sender;
    case DELIVERY_CAUSAL:
        return !world_before(w, a, b);
    case DELIVERY_MAILBOX:
    case DELIVERIES_N:
        break;
    }
    return false;
}
