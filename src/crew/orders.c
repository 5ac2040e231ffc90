// Handing out: who gets which units, how many, and for how long.
//
// Near workers get few units at a time and are asked to yield when others are
// idle.  A far one hears nothing while it works, so its order has an end: a
// slice of time, after which it returns what is left.  An order has small units
// first, or their number would grow and grow, and then a large one, so that
// there is work for all of the slice.  If many orders are done long before
// their slices are over, each gets more units.  Slices are short while there
// are few units, at the beginning and at the end of a search.  They grow with
// the time that the search takes, so that what it costs to send orders stays a
// small part.
#include "crew/inner.h"

#include "base/clock.h"
#include "base/wire.h"

#include <string.h>

enum {
    ENOUGH = 4,    // units for each core: no need to split fast
    FAR_PARTS = 4, // an order is this part of a far worker's share of the queue
    NEAR_PARTS = 32,
};

#define SHORTEST_SLICE 0.25
#define SHORT_SLICE 1.0
#define LONGEST_SLICE 10.0
#define SLICES_OF_TIME 10 // a slice is at most this part of the search so far

static bool is_short_of(const struct crew *c, uint32_t units)
{
    return c->queue.units.list.n < units * (c->places.cores + c->places.near);
}

static double slice(const struct crew *c, bool whole)
{
    double s = (clock_now() - c->began) / SLICES_OF_TIME;
    double least = SHORTEST_SLICE, most = SHORT_SLICE;
    if (!whole && !is_short_of(c, ENOUGH)) {
        least = SHORT_SLICE;
        most = LONGEST_SLICE;
    }
    return s < least ? least : s > most ? most : s;
}

// How many units an order gets: few, so that no worker still has a large share
// when the others are done; more if the queue is long.  Far workers get
// suspects one by one: if a process dies, the unit that killed it is known.
static uint32_t portion(const struct crew *c, const struct queue *q, bool far)
{
    uint32_t n = q->units.list.n, all = c->places.near + c->places.far;
    if (!n || (far && (q == &c->suspect || is_short_of(c, ENOUGH))))
        return n ? 1 : 0;
    uint32_t parts = !far              ? NEAR_PARTS
                     : c->early > 0.5  ? 1
                     : c->early > 0.25 ? FAR_PARTS / 2
                                       : FAR_PARTS;
    return 1 + n / (parts * (all ? all : 1));
}

// The front of the queue holds the largest: what was split off first, or has
// the shortest path from the root.
static void take_front(struct queue *q, struct work_list *out, uint32_t n)
{
    struct work *all = q->units.list.at;
    for (uint32_t k = 0; k < n; k++)
        vec_push(&out->list, all[k]);
    q->units.list.n -= n;
    if (n)
        memmove(all, all + n, q->units.list.n * sizeof *all);
}

// The back holds what is soon done.
static void take_back(struct queue *q, struct work_list *out, uint32_t n)
{
    uint32_t left = q->units.list.n - n;
    for (uint32_t k = 0; k < n; k++)
        vec_push(&out->list, q->units.list.at[left + k]);
    q->units.list.n = left;
}

// How many schedules may still be made, besides those that busy workers may
// make already.
static uint64_t not_allowed_yet(const struct crew *c)
{
    uint64_t most = c->options->schedules;
    uint64_t used = explore_made(&c->out->result);
    for (uint32_t i = 0; i < c->n; i++)
        used += c->members[i].busy ? c->members[i].allowed : 0;
    return most > used ? most - used : 0;
}

enum { LEAST_ALLOWED = 1000 };

// How many schedules a worker may make.  A far one gets a part of what is left,
// because far workers do not know of each other.
static uint64_t allowed(const struct crew *c, const struct member *m)
{
    uint64_t left = not_allowed_yet(c);
    uint64_t part = left / (2 * c->places.far + 1);
    if (!m->far || left <= LEAST_ALLOWED)
        return left;
    return part > LEAST_ALLOWED ? part : LEAST_ALLOWED;
}

// An order with the options of the search, less the time and schedules that
// were used up.
static struct crew_order next_order(struct crew *c, struct member *m,
                                    enum part part)
{
    struct crew_order order = {.options = *c->options,
                               .divisible = c->co->divisible && !c->undivided};
    struct explore_options *o = &order.options;
    double used = clock_now() - c->began;
    if (o->seconds > 0)
        o->seconds = o->seconds > used ? o->seconds - used : 0.001;
    if (o->schedules && m->far) {
        m->allowed = o->schedules = allowed(c, m);
    } else if (o->schedules) {
        uint64_t made = explore_made(&c->out->result);
        o->schedules = o->schedules > made ? o->schedules - made : 1;
    }
    o->part = part;
    o->turn = c->orders++;
    if (m->far) {
        order.slice = m->slice = slice(c, m->whole);
        order.isolated = m->isolated;
    }
    return order;
}

static void give_order(struct crew *c, struct member *m,
                       struct crew_order *order)
{
    uint64_t at = 0, key;
    while (m->far && hashset_next(&c->bugs, &at, &key))
        vec_push(&order->known, key);
    member_begin(c, m);
    crew_order_put(&c->message, order);
    vec_free(&order->known);
    member_give(c, m);
}

static void start(struct crew *c, struct member *m, struct queue *q)
{
    member_idle(c, m);
    m->whole = q->whole;
    q->whole = false;
    struct crew_order order =
        next_order(c, m, m->whole ? PART_ALL : PART_UNITS);
    uint32_t n = m->whole ? 0 : portion(c, q, m->far);
    uint32_t small = m->far && n ? n - 1 : 0;
    take_back(q, &m->holds, small);
    take_front(q, &m->holds, n - small);
    order.units = m->holds;
    give_order(c, m, &order);
}

static void start_aside(struct crew *c, struct member *m)
{
    member_idle(c, m);
    c->aside = false;
    m->aside = true;
    struct crew_order order = next_order(c, m, PART_STATES);
    order.divisible = false;
    give_order(c, m, &order);
}

static void give_work(struct crew *c, uint32_t i)
{
    struct member *m = &c->members[i];
    bool isolated = queue_has_work(&c->suspect), far = i >= c->places.near;
    struct queue *q = isolated ? &c->suspect : &c->queue;
    if (m->busy || !queue_has_work(q) || (c->undivided && far))
        return;
    if (m->isolated != isolated)
        member_dismiss(c, m);
    if (!m->here && !member_hire(c, m, isolated))
        return;
    if (c->aside && !isolated && !q->whole && !far)
        start_aside(c, m);
    else
        start(c, m, q);
}

// Are all schedules made, or allowed to busy workers?
static bool is_used_up(const struct crew *c)
{
    return c->options->schedules && c->places.far && !not_allowed_yet(c);
}

void crew_hand_out(struct crew *c)
{
    uint32_t near = c->places.near;
    for (uint32_t i = 0; i < near; i++)
        give_work(c, i);
    for (uint32_t i = near; i < CREW_PLACES; i++) {
        if (c->far_busy >= c->places.far || is_used_up(c) ||
            (!queue_has_work(&c->queue) && !queue_has_work(&c->suspect)))
            break;
        if (i >= c->n)
            c->n = i + 1;
        give_work(c, i);
    }
}

bool crew_wants_work(const struct crew *c)
{
    return c->co->divisible && !c->undivided && !queue_has_work(&c->queue) &&
           !queue_has_work(&c->suspect) && c->busy &&
           c->busy < c->places.near + c->places.far;
}
