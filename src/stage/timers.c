// Folded, bounds have no row and column of the present: nothing is known of how
// late the present is at the next receive, and how far a due time lies after
// the last one stands where a row meets its own column.
#include "stage/timers.h"

#include "stage/names.h"
#include "stage/verdict.h"

#include <assert.h>

_Static_assert(BOUNDS_WIDE *BOUNDS_WIDE * sizeof(int64_t) <= BOUNDS_ROOM,
               "all moments have room");

// ---- folding --------------------------------------------------------------

static struct bounds *unfold(struct region *r)
{
    struct bounds *b = &r->bounds;
    const struct bound *from = region_list(r, LIST_BOUNDS);
    uint32_t n = r->head.n[LIST_TIMERS];
    if (r->timed)
        return b;
    void *live = region_slot(r) + BOUNDS_AT;
    r->timed = true;
    tr__bounds_init(b, live, BOUNDS_WIDE);
    for (uint32_t i = 0; i < n; i++)
        tr__bounds_add(b, 0);
    tr__bounds_pass(b);
    for (uint32_t x = 0; x < n; x++)
        for (uint32_t y = 0; y < n; y++)
            *tr__bound(b, BOUNDS_TIMERS + x,
                       x == y ? BOUNDS_NOW : BOUNDS_TIMERS + y) =
                from[x * n + y].ms;
    return b;
}

void timers_fold(struct region *r)
{
    const struct bounds *b = &r->bounds;
    struct bound *to = region_list(r, LIST_BOUNDS);
    uint32_t n = r->head.n[LIST_TIMERS];
    if (!r->timed)
        return;
    assert(b->n == BOUNDS_TIMERS + n);
    for (uint32_t x = 0; x < n; x++)
        for (uint32_t y = 0; y < n; y++)
            to[x * n + y].ms = *tr__bound(
                b, BOUNDS_TIMERS + x, x == y ? BOUNDS_NOW : BOUNDS_TIMERS + y);
    r->head.n[LIST_BOUNDS] = (uint16_t)(n * n);
    r->timed = false;
}

// The same question as tr__bounds_first's.
static bool may_be_first(const struct bound *b, uint32_t n, uint32_t x)
{
    for (uint32_t y = 0; y < n; y++)
        if (y != x && b[y * n + x].ms < (x < y ? 0 : 1))
            return false;
    return true;
}

uint32_t timers_ready(const struct bound *folded, uint32_t n)
{
    uint32_t k = 0;
    for (uint32_t x = 0; x < n; x++)
        k += may_be_first(folded, n, x);
    return k;
}

uint32_t timers_nth(const struct bound *folded, uint32_t n, uint32_t k)
{
    uint32_t x = 0;
    for (; x < n; x++)
        if (may_be_first(folded, n, x) && k-- == 0)
            break;
    return x;
}

uint32_t timers_soonest(const struct bound *folded, uint32_t n)
{
    uint32_t best = 0;
    for (uint32_t x = 1; x < n; x++)
        if (folded[x * n + x].ms < folded[best * n + best].ms)
            best = x;
    return best;
}

// ---- setting and firing ---------------------------------------------------

uint64_t timer_set(struct native *n, struct region *r, uint64_t ms, uint64_t to,
                   uint64_t msg)
{
    if (r->head.n[LIST_TIMERS] == TIMERS_MOST) {
        bug_note(n, BUG_LIMIT,
                 "more than %d timers of one actor are pending: the stage has "
                 "no room for more",
                 TIMERS_MOST);
        return 0;
    }
    struct bounds *b = unfold(r);
    uint64_t name = name_new(n, r, NAME_TIMER);
    struct timer *t = list_add(r, LIST_TIMERS);
    *t = (struct timer){name, to, msg};
    tr__bounds_add(b, ms);
    n->now.acts++;
    return name;
}

bool timer_remove(struct region *r, uint64_t name)
{
    const struct timer *t = region_list(r, LIST_TIMERS);
    for (uint32_t i = 0; i < r->head.n[LIST_TIMERS]; i++)
        if (t[i].id == name) {
            tr__bounds_remove(unfold(r), BOUNDS_TIMERS + i);
            list_remove(r, LIST_TIMERS, i);
            return true;
        }
    return false;
}

bool timer_fire(struct region *r, uint32_t k, struct timer *out)
{
    const struct timer *t = region_list(r, LIST_TIMERS);
    uint32_t n = r->head.n[LIST_TIMERS];
    uint32_t i = timers_nth(region_list(r, LIST_BOUNDS), n, k);
    if (i == n)
        return false;
    struct bounds *b = unfold(r);
    *out = t[i];
    tr__bounds_fire(b, BOUNDS_TIMERS + i);
    tr__bounds_remove(b, BOUNDS_TIMERS + i);
    list_remove(r, LIST_TIMERS, i);
    return true;
}

void timers_sleep(struct region *r, uint64_t ms)
{
    tr__bounds_sleep(unfold(r), ms);
}
