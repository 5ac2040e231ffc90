// Folded, bounds have no row and column of the present: nothing is known of how
// late the present is at the next receive, and how far a moment lies after the
// last one stands where a row meets its own column.  With one clock for all,
// nothing need be known of how far the present lies after the origin: the next
// run is given the clock.
#include "stage/timers.h"

#include "stage/future.h"
#include "stage/names.h"
#include "stage/tables.h"
#include "stage/verdict.h"

#include <assert.h>

_Static_assert(BOUNDS_WIDE *BOUNDS_WIDE * sizeof(int64_t) <= BOUNDS_ROOM,
               "all moments have room");

// ---- folding --------------------------------------------------------------

// The moments that are folded: the origin perhaps, and n timers.
static uint32_t moment(uint32_t i, uint32_t origin)
{
    return i < origin ? BOUNDS_ORIGIN : BOUNDS_TIMERS + i - origin;
}

static int64_t *live(const struct bounds *b, uint32_t x, uint32_t y,
                     uint32_t origin)
{
    return tr__bound(b, moment(x, origin),
                     x == y ? (uint32_t)BOUNDS_NOW : moment(y, origin));
}

struct folded folded_of(const struct native *n, const struct bound *at,
                        uint32_t n_bounds, const struct timer *timers,
                        uint32_t n_timers)
{
    return (struct folded){.at = at,
                           .timers = timers,
                           .n = n_timers,
                           .origin = n_bounds != n_timers * n_timers,
                           .ticks = n->ticks};
}

static struct folded folded(const struct region *r)
{
    return folded_of(r->native, region_list(r, LIST_BOUNDS),
                     r->head.n[LIST_BOUNDS], region_list(r, LIST_TIMERS),
                     r->head.n[LIST_TIMERS]);
}

static struct bounds *unfold(struct region *r)
{
    struct bounds *b = &r->bounds;
    struct folded f = folded(r);
    uint32_t wide = f.n + f.origin;
    void *memory = region_slot(r) + BOUNDS_AT;
    if (r->timed)
        return b;
    r->timed = true;
    tr__bounds_init(b, memory, BOUNDS_WIDE);
    for (uint32_t i = 0; i < f.n; i++)
        tr__bounds_add(b, 0);
    tr__bounds_pass(b);
    for (uint32_t x = 0; x < wide; x++)
        for (uint32_t y = 0; y < wide; y++)
            *live(b, x, y, f.origin) = f.at[x * wide + y].ms;
    if (r->native->own_clocks)
        tr__bounds_limit(b, BOUNDS_ORIGIN, BOUNDS_NOW, 0);
    return b;
}

void timers_fold(struct region *r)
{
    const struct native *n = r->native;
    struct bounds *b = &r->bounds;
    struct bound *to = region_list(r, LIST_BOUNDS);
    uint32_t timers = r->head.n[LIST_TIMERS];
    uint32_t origin = n->own_clocks || (n->clocked && timers);
    uint32_t wide = timers + origin;
    if (!r->timed)
        return;
    assert(b->n == BOUNDS_TIMERS + timers);
    if (!n->own_clocks)
        *tr__bound(b, BOUNDS_ORIGIN, BOUNDS_NOW) = BOUNDS_NONE;
    for (uint32_t x = 0; x < wide; x++)
        for (uint32_t y = 0; y < wide; y++)
            to[x * wide + y].ms = *live(b, x, y, origin);
    r->head.n[LIST_BOUNDS] = (uint16_t)(wide * wide);
    r->timed = false;
}

// ---- folded bounds --------------------------------------------------------

static int64_t between(const struct folded *f, uint32_t x, uint32_t y)
{
    uint32_t wide = f->n + f->origin;
    return f->at[(x + f->origin) * wide + y + f->origin].ms;
}

int64_t timer_after(const struct folded *f, uint32_t i)
{
    return between(f, i, i);
}

// The same question as tr__bounds_first's.
static bool may_be_first(const struct folded *f, uint32_t x)
{
    for (uint32_t y = 0; y < f->n; y++)
        if (y != x && between(f, y, x) < (x < y ? 0 : 1))
            return false;
    return true;
}

static bool rests(const struct folded *f, uint32_t x)
{
    return f->ticks && f->timers[x].fired >= f->ticks;
}

// How many may be the next to fire, with or without those that rest.
static uint32_t ready_of(const struct folded *f, bool with_rest)
{
    uint32_t k = 0;
    for (uint32_t x = 0; x < f->n; x++)
        k += (with_rest || !rests(f, x)) && may_be_first(f, x);
    return k;
}

uint32_t timers_nth(const struct folded *f, uint32_t k)
{
    for (int rest = 0; rest < 2; rest++)
        for (uint32_t x = 0; x < f->n; x++)
            if (rests(f, x) == rest && may_be_first(f, x) && k-- == 0)
                return x;
    return f->n;
}

uint32_t timers_flags(const struct folded *f)
{
    uint32_t flags = 0, ready = ready_of(f, false);
    for (uint32_t x = 0; x < f->n; x++) {
        if (rests(f, x))
            flags |= STATE_RESTS;
        else if (f->timers[x].every)
            flags |= STATE_EVERY;
        if (!f->timers[x].every)
            flags |= STATE_OWES;
    }
    return flags | state_timer_flags(ready, ready_of(f, true));
}

uint32_t timers_soonest(const struct folded *f)
{
    uint32_t best = 0;
    for (uint32_t x = 1; x < f->n; x++)
        if (timer_after(f, x) < timer_after(f, best))
            best = x;
    return best;
}

// ---- the clock ------------------------------------------------------------

// With one clock for all, the run is not before it: what comes of the run
// depends on that from now on.
static struct bounds *unfold_now(struct native *n, struct region *r)
{
    struct bounds *b = unfold(r);
    if (!n->clocked || n->own_clocks)
        return b;
    tr__bounds_limit(b, BOUNDS_ORIGIN, BOUNDS_NOW, -(int64_t)n->present);
    n->now.flags |= EFFECT_CLOCK;
    return b;
}

static void note_present(struct native *n, const struct bounds *b)
{
    int64_t at = tr__bounds_now(b);
    if (at > (int64_t)n->present)
        n->present = (uint64_t)at;
}

uint64_t clock_look(struct native *n, struct region *r)
{
    if (r == n->judge || !n->clocked)
        return n->present;
    struct bounds *b = unfold_now(n, r);
    int64_t at = tr__bounds_now(b);
    tr__bounds_limit(b, BOUNDS_NOW, BOUNDS_ORIGIN, at);
    note_present(n, b);
    if (!n->own_clocks)
        n->now.flags |= EFFECT_LOOKED;
    return (uint64_t)at;
}

void clock_sleep(struct native *n, struct region *r, uint64_t ms)
{
    if (r == n->judge || !ms)
        return;
    struct bounds *b = unfold_now(n, r);
    tr__bounds_sleep(b, ms);
    if (n->clocked)
        note_present(n, b);
}

// ---- ticks ----------------------------------------------------------------

// The kind of a timer: its limit is told from a message by the type's lowest
// bit.
static struct tick kind_of_timer(struct native *n, const struct region *r,
                                 const struct timer *t)
{
    const struct future *f = t->to ? NULL : future_at(r, t->msg);
    if (f)
        return (struct tick){f->asked, f->request | 1, 0};
    return (struct tick){
        t->to, message_at(n, message_of(n, t->msg))->type & ~UINT64_C(1), 0};
}

static struct tick *find_tick(const struct region *r, const struct tick *kind)
{
    struct tick *all = region_list(r, LIST_TICKS);
    for (uint32_t i = 0; i < r->head.n[LIST_TICKS]; i++)
        if (all[i].to == kind->to && all[i].type == kind->type)
            return &all[i];
    return NULL;
}

static uint64_t ticks_before(struct native *n, const struct region *r,
                             const struct timer *t)
{
    struct tick kind = kind_of_timer(n, r, t), *k = find_tick(r, &kind);
    return n->ticks && k ? k->n : 0;
}

// Timers that were set together count as one.  Beyond the bound nothing is
// counted, so that states recur.
static void count_tick(struct native *n, struct region *r, struct timer *t)
{
    if (!n->ticks || t->fired >= n->ticks)
        return;
    struct tick kind = kind_of_timer(n, r, t), *k = find_tick(r, &kind);
    t->fired++;
    if (!k && (k = list_add(r, LIST_TICKS)))
        *k = kind;
    if (k && k->n < t->fired)
        k->n = t->fired;
}

// ---- setting and firing ---------------------------------------------------

static struct pace pace_of(const struct timer *t)
{
    return (struct pace){t->group, t->again, t->phase, t->every};
}

// The i-th timer, just set, keeps pace with others that are set again; or it is
// the first of a group.
static void find_pace(struct region *r, uint32_t i)
{
    struct timer *t = region_list(r, LIST_TIMERS);
    struct pace pace = {1, 0, 0, t[i].every};
    for (uint32_t k = 0; k < i; k++)
        if (t[k].group >= pace.group)
            pace.group = (uint16_t)(t[k].group + 1);
    for (uint32_t k = 0; k < i; k++) {
        struct pace other = pace_of(&t[k]);
        if (other.group && tr__bounds_pace(&r->bounds, BOUNDS_TIMERS + i,
                                           BOUNDS_TIMERS + k, &other, &pace))
            break;
    }
    t[i].group = pace.group;
    t[i].phase = pace.phase;
}

// The last timer was just set again.
static void keep_pace(struct region *r)
{
    struct timer *t = region_list(r, LIST_TIMERS);
    uint32_t last = r->head.n[LIST_TIMERS] - 1u;
    t[last].again = 1;
    struct pace pace = pace_of(&t[last]);
    for (uint32_t k = 0; k < last; k++) {
        struct pace other = pace_of(&t[k]);
        if (other.group == pace.group)
            tr__bounds_keep_pace(&r->bounds, BOUNDS_TIMERS + last,
                                 BOUNDS_TIMERS + k, &pace, &other);
    }
}

uint64_t timer_set(struct native *n, struct region *r, uint64_t ms, uint64_t to,
                   uint64_t msg, uint64_t every)
{
    if (r->head.n[LIST_TIMERS] == TIMERS_MOST) {
        bug_note(n, BUG_LIMIT,
                 "more than %d timers of one actor are pending: the stage has "
                 "no room for more",
                 TIMERS_MOST);
        return 0;
    }
    struct bounds *b = unfold_now(n, r);
    uint64_t name = name_new(n, r, NAME_TIMER);
    struct timer *t = list_add(r, LIST_TIMERS);
    *t = (struct timer){.id = name, .to = to, .msg = msg, .every = every};
    t->fired = (uint32_t)ticks_before(n, r, t);
    tr__bounds_add(b, ms);
    if (every)
        find_pace(r, r->head.n[LIST_TIMERS] - 1u);
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

bool timer_fire(struct native *n, struct region *r, uint32_t k,
                struct timer *out)
{
    const struct timer *t = region_list(r, LIST_TIMERS);
    struct folded f = folded(r);
    uint32_t i = timers_nth(&f, k);
    if (i == f.n)
        return false;
    struct bounds *b = unfold(r);
    *out = t[i];
    count_tick(n, r, out);
    tr__bounds_fire(b, BOUNDS_TIMERS + i);
    if (n->clocked && !n->own_clocks) {
        n->now.clock = (uint64_t)tr__bounds_now(b);
        note_present(n, b);
    }
    list_remove(r, LIST_TIMERS, i);
    if (out->every) {
        tr__bounds_again(b, BOUNDS_TIMERS + i, out->every);
        *(struct timer *)list_add(r, LIST_TIMERS) = *out;
        keep_pace(r);
    } else {
        tr__bounds_remove(b, BOUNDS_TIMERS + i);
    }
    return true;
}
