// What a run shows of comparisons: sides seen, and how near it came to others.
#include "reach/runner.h"

#include "reach/distance.h"

#include <string.h>

static void on_trap(void *user, uint32_t hit)
{
    struct runner *r = user;
    r->map[hit] = 1;
    if (r->running)
        runner_leave(r, RUN_TRAPPED);
}

static bool counts(struct runner *r)
{
    if (!r->running)
        return false;
    if (--r->work < 0)
        runner_leave(r, RUN_LATE);
    return true;
}

// The side is noted; true if the other one is open and this is the first or the
// nearest time that the run comes here.
static struct touch *touch_of(struct runner *r, uint32_t site, bool holds,
                              const double *distance)
{
    struct pool *p = r->o.pool;
    unsigned char side = holds ? SIDE_TRUE : SIDE_FALSE;
    struct touch *t = &r->touch[site];
    if (!(p->side[site] & side)) {
        p->side[site] |= side;
        r->news = true;
    }
    if (p->side[site] == (SIDE_TRUE | SIDE_FALSE))
        return NULL;
    if (t->run != r->number) {
        t->run = r->number;
        t->distance[0] = t->distance[1] = HUGE_DISTANCE;
        vec_push(&r->touched, site);
    }
    bool nearer = distance[0] < t->distance[0] || distance[1] < t->distance[1];
    for (int k = 0; k < NEAR_N; k++)
        if (distance[k] < t->distance[k])
            t->distance[k] = distance[k];
    return nearer ? t : NULL;
}

static bool both_seen(const struct runner *r, uint32_t site)
{
    return r->o.pool->side[site] == (SIDE_TRUE | SIDE_FALSE);
}

static void on_compare(void *user, uint32_t site, uint32_t op, uint32_t bits,
                       uint64_t a, uint64_t b)
{
    struct runner *r = user;
    double distance[NEAR_N];
    if (!counts(r) || both_seen(r, site))
        return;
    bool holds = distance_numbers((enum ir_op)op, bits, a, b, distance);
    struct touch *t = touch_of(r, site, holds, distance);
    if (!t)
        return;
    t->is_float = false;
    t->bits = bits;
    t->a = a;
    t->b = b;
    pool_number(r->o.pool, a, rng_next(&r->dice));
    pool_number(r->o.pool, b, rng_next(&r->dice));
}

static void on_floats(void *user, uint32_t site, uint32_t mask, double a,
                      double b)
{
    struct runner *r = user;
    double distance[NEAR_N];
    if (!counts(r) || both_seen(r, site))
        return;
    bool holds = distance_floats(mask, a, b, distance);
    struct touch *t = touch_of(r, site, holds, distance);
    if (!t)
        return;
    t->is_float = true;
    t->x = a;
    t->y = b;
    pool_float(r->o.pool, a, rng_next(&r->dice));
    pool_float(r->o.pool, b, rng_next(&r->dice));
}

static void on_texts(void *user, uint32_t site, uint32_t how, const void *a,
                     const void *b, size_t n)
{
    struct runner *r = user;
    double distance[NEAR_N];
    if (!counts(r) || !a || !b || both_seen(r, site))
        return;
    bool holds = distance_texts((enum ir_text)how, a, b, n, distance);
    struct touch *t = touch_of(r, site, holds, distance);
    if (!t)
        return;
    t->is_float = false;
    t->bits = 0;
    size_t most = how == IR_TEXT_BYTES ? n : POOL_TEXT;
    most = most < n ? most : n;
    pool_text(r->o.pool, a, how == IR_TEXT_BYTES ? most : strnlen(a, most),
              rng_next(&r->dice));
    pool_text(r->o.pool, b, how == IR_TEXT_BYTES ? most : strnlen(b, most),
              rng_next(&r->dice));
}

static void on_cases(void *user, uint32_t site, uint32_t bits, uint64_t v,
                     const uint64_t *cases, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        on_compare(user, site + i, IR_EQ, bits, v, cases[i]);
}

void runner_watch(struct runner *r)
{
    r->watcher = (struct hits_watcher){.user = r,
                                       .trapped = on_trap,
                                       .compare = on_compare,
                                       .floats = on_floats,
                                       .texts = on_texts,
                                       .cases = on_cases};
}
