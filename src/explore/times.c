// Moments are the origin of the clock, the end of each step, and due times.
// Steps that are not ordered may have happened in any order: the same values
// would have been read.
#include "explore/times.h"

#include "base/hash.h"
#include "base/map.h"
#include "explore/order.h"

// Moment x is at most ms after moment y.
struct limit {
    uint32_t x, y;
    int64_t ms;
};

enum { ORIGIN };

struct times {
    struct world world;
    struct order order;
    VEC(struct limit) limits;
    VEC(int64_t) at;    // a solution, by moment
    VEC(uint32_t) step; // moment, by step
    struct map due;     // (actor, name of a timer) -> its moment
};

static void limit(struct times *t, uint32_t x, uint32_t y, int64_t ms)
{
    vec_push(&t->limits, ((struct limit){x, y, ms}));
}

static uint32_t moment(struct times *t)
{
    vec_push(&t->at, 0);
    return t->at.n - 1;
}

static uint32_t *due_of(struct times *t, uint32_t actor, uint64_t name)
{
    return map_at(&t->due, hash_join(actor, name));
}

// Fill *out if a timer of this name is pending.
static bool pends(struct play *p, uint32_t state, uint64_t name,
                  struct play_due *out)
{
    for (uint32_t i = 0; play_due(p, state, i, out); i++)
        if (out->name == name)
            return true;
    return false;
}

// Timers of `after` that `before` (PLAY_NONE: nothing) has not were set in a
// step that ends now.
static void set(struct times *t, uint32_t actor, uint32_t before,
                uint32_t after, uint32_t now)
{
    struct play *p = t->world.play;
    struct play_due d, old;
    for (uint32_t i = 0; play_due(p, after, i, &d); i++) {
        if (before != PLAY_NONE && pends(p, before, d.name, &old))
            continue;
        uint32_t due = moment(t);
        *due_of(t, actor, d.name) = due;
        limit(t, due, now, d.after);
        limit(t, now, due, -d.after);
    }
}

// It is set again, as tr__bounds_again says.
static void again(struct times *t, uint32_t actor, const struct play_due *d,
                  uint32_t now)
{
    uint32_t *at = due_of(t, actor, d->name), last = *at;
    *at = moment(t);
    limit(t, last, *at, -(int64_t)d->every);
    limit(t, *at, now, (int64_t)d->every);
}

static void fired(struct times *t, const struct trail_step *step, uint32_t now)
{
    struct play *p = t->world.play;
    uint32_t k = play_timer_index(step->flight);
    uint64_t name = play_timer_of(p, step->state, k).name;
    uint32_t due = *due_of(t, step->actor, name);
    int64_t lead = -1; // to those set before
    struct play_due d;
    limit(t, due, now, 0);
    for (uint32_t i = 0; play_due(p, step->state, i, &d); i++) {
        if (d.name == name)
            lead = 0;
        else
            limit(t, due, *due_of(t, step->actor, d.name), lead);
    }
    if (pends(p, step->state, name, &d) && d.every)
        again(t, step->actor, &d, now);
}

static void after_others(struct times *t, uint32_t now)
{
    const struct order_event *e = &vec_last(&t->order.events);
    limit(t, ORIGIN, now, 0);
    for (uint32_t i = 0; i < e->n_preds; i++)
        limit(t, t->step.at[t->order.preds.at[e->preds + i]], now, 0);
}

static void note(struct times *t, const struct effect *e, uint32_t now)
{
    const struct trail_step *step = &vec_last(&t->world.trail);
    after_others(t, now);
    if (play_is_timer(step->flight))
        fired(t, step, now);
    if (e->flags & EFFECT_LOOKED) {
        limit(t, now, ORIGIN, (int64_t)e->clock);
        limit(t, ORIGIN, now, -(int64_t)e->clock);
    }
    set(t, step->actor, step->state, e->state, now);
    for (uint32_t i = 0; i < e->n_births; i++)
        set(t, e->births[i].actor, PLAY_NONE, e->births[i].state, now);
}

// Bellman and Ford: is there no cycle below zero?
static bool solvable(struct times *t)
{
    bool changed = true;
    for (uint32_t round = 0; changed && round <= t->at.n; round++) {
        changed = false;
        for (uint32_t i = 0; i < t->limits.n; i++) {
            const struct limit *l = &t->limits.at[i];
            if (t->at.at[l->y] + l->ms < t->at.at[l->x]) {
                t->at.at[l->x] = t->at.at[l->y] + l->ms;
                changed = true;
            }
        }
    }
    return !changed;
}

static const struct effect *make(struct world *w, const struct schedule *s,
                                 const struct step *t)
{
    struct choice c = {t->actor, t->msg, 0, 0};
    if (is_flight(t->msg))
        c.flight = world_flight(w, t->actor, t->source, t->nth);
    for (uint32_t i = 0; i < t->n_picks; i++)
        c = world_pick(w, &c, s->picks.at[t->picks + i]);
    return world_do(w, &c);
}

bool times_possible(struct play *p, enum delivery d, const struct schedule *s)
{
    struct times t = {0};
    moment(&t); // the origin
    world_init(&t.world, p, d);
    order_init(&t.order, d == DELIVERY_MAILBOX);
    t.world.guest = true;
    for (uint32_t i = 0; i < s->steps.n; i++) {
        const struct effect *e = make(&t.world, s, &s->steps.at[i]);
        order_push(&t.order, &t.world);
        vec_push(&t.step, moment(&t));
        note(&t, e, t.step.at[i]);
    }
    bool possible = solvable(&t);
    world_release(&t.world);
    order_release(&t.order);
    vec_free(&t.limits);
    vec_free(&t.at);
    vec_free(&t.step);
    map_free(&t.due);
    return possible;
}
