// Bounds against the whole history: random sequences of receives, sleeps,
// cancels and timers, in which every moment that ever was is a variable of one
// system of differences.  A timer may fire next iff that system, with the
// firing in it, has a solution.
#include "runtime/bounds.h"
#include "base/rng.h"
#include "test.h"

#include <stdlib.h>

enum { MOMENTS = 64, LIMITS = 1024, ROOM = 12 };

// x - y <= ms
struct limit {
    int x, y;
    int64_t ms;
};

struct history {
    struct limit at[LIMITS];
    int n, moments;
};

static void limit(struct history *h, int x, int y, int64_t ms)
{
    h->at[h->n++] = (struct limit){x, y, ms};
}

// Bellman and Ford: is there no cycle below zero?
static bool solvable(const struct history *h)
{
    int64_t d[MOMENTS] = {0};
    bool changed = true;
    for (int round = 0; changed && round <= h->moments; round++) {
        changed = false;
        for (int i = 0; i < h->n; i++) {
            const struct limit *l = &h->at[i];
            if (d[l->y] + l->ms < d[l->x]) {
                d[l->x] = d[l->y] + l->ms;
                changed = true;
            }
        }
    }
    return !changed;
}

struct timer {
    int due; // moment
    int every;
};

struct scene {
    struct rng rng;
    struct history h;
    struct bounds b;
    int64_t memory[ROOM * ROOM];
    struct timer timers[ROOM];
    int n, now, origin;
};

static void next_receive(struct scene *s)
{
    int t = s->h.moments++;
    limit(&s->h, s->now, t, 0);
    s->now = t;
}

// The present is a moment before or after itself by so much.
static int moment_after(struct scene *s, int from, int64_t ms)
{
    int t = s->h.moments++;
    limit(&s->h, t, from, ms);
    limit(&s->h, from, t, -ms);
    return t;
}

static void fires(struct history *h, const struct scene *s, int i, int now)
{
    for (int j = 0; j < s->n; j++)
        if (j != i)
            limit(h, s->timers[i].due, s->timers[j].due, i < j ? 0 : -1);
    limit(h, s->timers[i].due, now, 0);
}

static bool may_fire(const struct scene *s, int i)
{
    struct history h = s->h;
    int t = h.moments++;
    limit(&h, s->now, t, 0);
    fires(&h, s, i, t);
    return solvable(&h);
}

static void drop_timer(struct scene *s, int i)
{
    s->n--;
    for (; i < s->n; i++)
        s->timers[i] = s->timers[i + 1];
}

static void fire(struct scene *s, int i)
{
    struct timer t = s->timers[i];
    uint32_t x = BOUNDS_TIMERS + (uint32_t)i;
    next_receive(s);
    fires(&s->h, s, i, s->now);
    tr__bounds_fire(&s->b, x);
    drop_timer(s, i);
    if (!t.every) {
        tr__bounds_remove(&s->b, x);
        return;
    }
    int due = s->h.moments++;
    limit(&s->h, t.due, due, -t.every);
    limit(&s->h, due, s->now, t.every);
    limit(&s->h, s->now, due, -1);
    t.due = due;
    s->timers[s->n++] = t;
    tr__bounds_again(&s->b, x, (uint64_t)t.every);
}

static void look(struct scene *s)
{
    int64_t v = tr__bounds_now(&s->b);
    if (v < -1000000)
        return;
    limit(&s->h, s->now, s->origin, v);
    limit(&s->h, s->origin, s->now, -v);
    tr__bounds_limit(&s->b, BOUNDS_NOW, BOUNDS_ORIGIN, v);
}

// What a handler may do.
static void act(struct scene *s)
{
    uint64_t ms = 10 * rng_below(&s->rng, 12);
    switch (rng_below(&s->rng, 8)) {
    case 0:
        s->now = moment_after(s, s->now, (int64_t)ms);
        tr__bounds_sleep(&s->b, ms);
        return;
    case 1:
        look(s);
        return;
    case 2:
        if (s->n) {
            uint32_t i = rng_below(&s->rng, (uint32_t)s->n);
            drop_timer(s, (int)i);
            tr__bounds_remove(&s->b, BOUNDS_TIMERS + i);
        }
        return;
    default:
        if (s->n == ROOM - 3)
            return;
        s->timers[s->n++] =
            (struct timer){moment_after(s, s->now, (int64_t)ms),
                           rng_below(&s->rng, 4) || !ms ? 0 : (int)ms};
        tr__bounds_add(&s->b, ms);
    }
}

static void begin(struct scene *s, uint64_t seed)
{
    *s = (struct scene){.rng = rng_of(seed), .origin = 0, .now = 1};
    s->h.moments = 2;
    limit(&s->h, s->origin, s->now, 0);
    tr__bounds_init(&s->b, s->memory, ROOM);
    tr__bounds_limit(&s->b, BOUNDS_ORIGIN, BOUNDS_NOW, 0);
}

static void check_first(struct scene *s)
{
    for (int i = 0; i < s->n; i++)
        CHECK_EQ(tr__bounds_first(&s->b, BOUNDS_TIMERS + (uint32_t)i),
                 may_fire(s, i));
}

TEST(who_may_be_first_agrees_with_the_whole_history)
{
    TEST_SEEDS (seed, 20000) {
        struct scene s;
        begin(&s, seed);
        for (int step = 0; step < 10; step++) {
            check_first(&s);
            uint32_t i = rng_below(&s.rng, (uint32_t)s.n + 2);
            if (i < (uint32_t)s.n &&
                tr__bounds_first(&s.b, BOUNDS_TIMERS + i)) {
                fire(&s, (int)i);
            } else {
                next_receive(&s);
                tr__bounds_pass(&s.b);
            }
            for (uint32_t k = rng_below(&s.rng, 3); k > 0; k--)
                act(&s);
        }
        if (test_failures_)
            return;
    }
}

// ---- timers that fire in real time ----------------------------------------

// x of 100 ms is set at 0, y of 60 ms at t.
TEST(orders_that_happen_are_possible)
{
    for (int t = 0; t < 100; t++) {
        struct bounds b;
        int64_t memory[16];
        tr__bounds_init(&b, memory, 4);
        uint32_t x = tr__bounds_add(&b, 100);
        tr__bounds_pass(&b);
        uint32_t y = tr__bounds_add(&b, 60);
        CHECK(tr__bounds_first(&b, 100 <= t + 60 ? x : y));
    }
}

// An actor that is late at random, in real time, by the rule of the threads
// manager: due times that passed before a timer was handled are left out.
struct real {
    struct rng rng;
    struct bounds b;
    int64_t memory[ROOM * ROOM], now;
    int64_t due[ROOM], every[ROOM]; // in the order of setting
    struct pace pace[ROOM];
    uint32_t n;
    uint16_t groups;
};

static void set_real(struct real *r, int64_t ms, int64_t every)
{
    r->due[r->n] = r->now + ms;
    r->every[r->n] = every;
    r->pace[r->n] = (struct pace){0, 0, 0, (uint64_t)every};
    if (every)
        r->pace[r->n].group = ++r->groups;
    uint32_t x = tr__bounds_add(&r->b, (uint64_t)ms);
    for (uint32_t i = 0; every && i < r->n; i++)
        if (r->every[i] && tr__bounds_pace(&r->b, x, BOUNDS_TIMERS + i,
                                           &r->pace[i], &r->pace[r->n]))
            break;
    r->n++;
}

// The last timer was set again.
static void keep_pace(struct real *r)
{
    uint32_t last = r->n - 1;
    r->pace[last].fired = 1;
    for (uint32_t i = 0; i < last; i++)
        if (r->pace[i].group == r->pace[last].group)
            tr__bounds_keep_pace(&r->b, BOUNDS_TIMERS + last, BOUNDS_TIMERS + i,
                                 &r->pace[last], &r->pace[i]);
}

static uint32_t first_due(const struct real *r)
{
    uint32_t best = 0;
    for (uint32_t i = 1; i < r->n; i++)
        if (r->due[i] < r->due[best])
            best = i;
    return best;
}

static void fire_real(struct real *r)
{
    uint32_t i = first_due(r);
    int64_t due = r->due[i], every = r->every[i];
    struct pace pace = r->pace[i];
    CHECK(tr__bounds_first(&r->b, BOUNDS_TIMERS + i));
    r->now = due > r->now ? due : r->now;
    r->now += rng_below(&r->rng, 3) ? 0 : rng_below(&r->rng, 40);
    tr__bounds_fire(&r->b, BOUNDS_TIMERS + i);
    r->n--;
    for (uint32_t k = i; k < r->n; k++) {
        r->due[k] = r->due[k + 1];
        r->every[k] = r->every[k + 1];
        r->pace[k] = r->pace[k + 1];
    }
    if (!every) {
        tr__bounds_remove(&r->b, BOUNDS_TIMERS + i);
        return;
    }
    tr__bounds_again(&r->b, BOUNDS_TIMERS + i, (uint64_t)every);
    do
        due += every;
    while (due <= r->now);
    r->due[r->n] = due;
    r->pace[r->n] = pace;
    r->every[r->n++] = every;
    keep_pace(r);
}

TEST(ticks_that_happen_are_possible)
{
    TEST_SEEDS (seed, 20000) {
        struct real r = {.rng = rng_of(seed)};
        tr__bounds_init(&r.b, r.memory, ROOM);
        for (int step = 0; step < 12 && !test_failures_; step++) {
            if (r.n && rng_below(&r.rng, 3)) {
                fire_real(&r);
            } else {
                r.now += rng_below(&r.rng, 30);
                tr__bounds_pass(&r.b);
            }
            for (uint32_t k = rng_below(&r.rng, 3); k > 0 && r.n < 6; k--) {
                int64_t ms = 5 * (1 + rng_below(&r.rng, 4));
                set_real(&r, ms, rng_below(&r.rng, 2) ? ms : 0);
                if (rng_below(&r.rng, 4) == 0) {
                    r.now += 3;
                    tr__bounds_sleep(&r.b, 3);
                }
            }
        }
    }
}

TEST(order_is_known_of_timers_set_together)
{
    struct bounds b;
    int64_t memory[25];
    tr__bounds_init(&b, memory, 5);
    uint32_t x = tr__bounds_add(&b, 100), y = tr__bounds_add(&b, 60);
    uint32_t z = tr__bounds_add(&b, 60);
    tr__bounds_pass(&b);
    CHECK(!tr__bounds_first(&b, x));
    CHECK(tr__bounds_first(&b, y)); // the first of two at one time
    CHECK(!tr__bounds_first(&b, z));
    tr__bounds_fire(&b, y);
    CHECK_EQ(*tr__bound(&b, x, BOUNDS_NOW), 40);
}

// A duration beyond all bounds stays a bound.
TEST(endless_durations_are_late)
{
    struct bounds b;
    int64_t memory[16];
    tr__bounds_init(&b, memory, 4);
    uint32_t x = tr__bounds_add(&b, UINT64_MAX), y = tr__bounds_add(&b, 5);
    CHECK(!tr__bounds_first(&b, x));
    CHECK(tr__bounds_first(&b, y));
}
TEST_MAIN()
