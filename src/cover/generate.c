// Algorithm 1 is generator_next(), a step at a time; algorithm 2
// generate_schedule(), which puts the prefix of the pair first, then the pair;
// algorithm 3 schedule_tail(), which puts the rest in the order with the most
// uncovered pairs.
#include "cover/generate.h"

#include "base/die.h"
#include "cover/mailbox.h"
#include "cover/in_flight.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { SETTLED_MOST = 1 << 16 }; // words

struct generator {
    struct play *play;
    struct making of;
    uint64_t effort; // see struct making
    bool novel, paper;
    const want_list *wants;
    event_list all;         // the record's events in order
    uint32_t at;            // in `wants`, the pair looked at next
    uint32_t i, j;          // the pair
    bool back;              // the order to try next is j before i
    bool strayed;           // the last schedule's goal was taken out of turn
    bool stays;             // no goal is taken out of turn any more
    uint32_t first, second; // the last schedule's goal
};

// Events by number, to ask whether one is among them.
typedef VEC(bool) marks;

static void mark_none(marks *m, uint32_t n)
{
    vec_clear(m);
    vec_room(m, n);
    m->n = n;
    if (n)
        memset(m->at, 0, n * sizeof *m->at);
}

// Must event a be there before event b can be (both of the record, a earlier)?
static bool needs(const struct making *g, uint32_t a, uint32_t b)
{
    return a < b && musthb(g->m, a, b);
}

static bool wanted(const struct making *g, uint32_t a, uint32_t b)
{
    return !coverage_has(g->c, g->r, a, b, g->cr);
}

static uint64_t bit_of(const struct making *g, uint32_t a, uint32_t b)
{
    return (uint64_t)a * g->r->events.n + b;
}

// Is neither order of the two wanted that the record leaves free?  What is
// covered stays covered, so the answer is kept.
static bool is_settled(const struct making *g, uint32_t a, uint32_t b)
{
    uint64_t bit = bit_of(g, a, b);
    if (g->settled && g->settled[bit / 64] >> bit % 64 & 1)
        return true;
    if (criterion_related(g->r, a, b, g->cr) && !needs(g, a, b) &&
        (wanted(g, a, b) || wanted(g, b, a)))
        return false;
    if (g->settled)
        g->settled[bit / 64] |= UINT64_C(1) << bit % 64;
    return true;
}

static bool within(const event_list *l, uint32_t event)
{
    for (uint32_t i = 0; i < l->n; i++)
        if (l->at[i] == event)
            return true;
    return false;
}

static void copy(event_list *to, const event_list *from)
{
    vec_clear(to);
    for (uint32_t i = 0; i < from->n; i++)
        vec_push(to, from->at[i]);
}

static void fill(event_list *l, uint32_t n, uint32_t value)
{
    vec_clear(l);
    for (uint32_t i = 0; i < n; i++)
        vec_push(l, value);
}

// Algorithm 3.  p is the prefix, t the tail.  It takes a time cubic in the
// length of the schedule, so that after a number of pairs the rest of the tail
// is left open.
static void schedule_tail(const struct making *g, const event_list *p,
                          const event_list *t, event_list *out)
{
    event_list s = {0};
    bool last_moved = p->n && within(t, p->at[p->n - 1]);
    uint32_t kept = p->n - last_moved;
    for (uint32_t k = 0; k < kept; k++)
        vec_push(&s, p->at[k]);
    for (uint32_t k = 0; k < t->n; k++)
        vec_push(&s, t->at[k]);
    for (uint32_t x = 0; x < t->n && *g->effort; x++)
        for (uint32_t y = x + 1; y < t->n && *g->effort; y++) {
            uint32_t a = t->at[x], b = t->at[y];
            --*g->effort;
            if (is_settled(g, a, b))
                continue;
            bool forth = wanted(g, a, b);
            generate_schedule(g, &s, kept + x, kept + y, !forth, out);
            vec_free(&s);
            return;
        }
    copy(out, p);
    vec_free(&s);
}

// What is left out of a schedule: an event that needs one of it is left out as
// well.  Causes are prefixes of an actor's events, so the first one left out of
// each actor decides; the delivery model relates events of one actor.
struct left_out {
    event_list first;  // per actor, the lowest number of receive
    event_list last;   // per actor, the event left out last
    event_list before; // per event, the one left out before it
};

static void leave_out(const struct making *g, struct left_out *o, uint32_t e)
{
    const struct event *x = &g->r->events.at[e];
    if (x->at < o->first.at[x->actor])
        o->first.at[x->actor] = x->at;
    o->before.at[e] = o->last.at[x->actor];
    o->last.at[x->actor] = e;
}

static bool needs_left_out(const struct making *g, const struct left_out *o,
                           uint32_t e)
{
    uint32_t n = g->m->n, actor = g->r->events.at[e].actor;
    const uint32_t *causes = g->m->before.at + (size_t)e * g->m->stride;
    assert(o->first.n == n && (!n || o->first.at));
    for (uint32_t a = 0; a < n; a++)
        if (o->first.at[a] < causes[a])
            return true;
    for (uint32_t x = o->last.at[actor]; x != NO_EVENT; x = o->before.at[x])
        if (x != e && needs(g, x, e))
            return true;
    return false;
}

// The tail: what is not scheduled yet and needs neither of the two.
static void tail_of(const struct making *g, const event_list *s, uint32_t i,
                    uint32_t j, const marks *in_p, event_list *tail)
{
    struct left_out o = {0};
    fill(&o.first, g->r->actors.n, NO_EVENT);
    fill(&o.last, g->r->actors.n, NO_EVENT);
    fill(&o.before, g->r->events.n, NO_EVENT);
    for (uint32_t k = i + 1; k < s->n; k++) {
        uint32_t e = s->at[k];
        assert(e < in_p->n);
        if (in_p->at[e])
            continue;
        if (needs(g, s->at[i], e) || needs(g, s->at[j], e) ||
            needs_left_out(g, &o, e))
            leave_out(g, &o, e);
        else
            vec_push(tail, e);
    }
    vec_free(&o.first);
    vec_free(&o.last);
    vec_free(&o.before);
}

// Algorithm 2.
void generate_schedule(const struct making *g, const event_list *s, uint32_t i,
                       uint32_t j, bool swap, event_list *out)
{
    event_list p = {0}, tail = {0};
    marks in_p = {0};
    uint32_t first = s->at[swap ? j : i], second = s->at[swap ? i : j];
    for (uint32_t k = 0; k < i; k++)
        vec_push(&p, s->at[k]);
    for (uint32_t k = i + 1; k < j; k++)
        if (needs(g, s->at[k], s->at[j]))
            vec_push(&p, s->at[k]);
    vec_push(&p, first);
    vec_push(&p, second);
    mark_none(&in_p, g->r->events.n);
    for (uint32_t k = 0; k < p.n; k++)
        in_p.at[p.at[k]] = true;
    if (g->cr == CRITERION_PR)
        vec_push(&tail, second);
    tail_of(g, s, i, j, &in_p, &tail);
    schedule_tail(g, &p, &tail, out);
    vec_free(&p);
    vec_free(&tail);
    vec_free(&in_p);
}

// ---- algorithm 1, one step at a time ------------------------------------

// Of each event: the actor's next one that counts.
static void link_events(const struct record *r, event_list *next)
{
    event_list last = {0};
    fill(&last, r->actors.n, NO_EVENT);
    fill(next, r->events.n, NO_EVENT);
    for (uint32_t i = 0; i < r->events.n; i++) {
        const struct event *e = &r->events.at[i];
        if (!event_counts(e))
            continue;
        assert(e->actor < last.n);
        if (last.at[e->actor] != NO_EVENT)
            next->at[last.at[e->actor]] = i;
        last.at[e->actor] = i;
    }
    vec_free(&last);
}

// In `mailbox` it is noted of goals that no order of the queues has them.
enum { FIRST_BITS = 0x15 };
_Static_assert(CRITERIA_N == 3, "two bits for each");

// Must another receive of the actor come between the two, because it comes
// before the second in any case?
static bool never_next(const struct musthb *m, const event_list *next,
                       uint32_t i, uint32_t j)
{
    for (uint32_t e = next->at[i]; e != j; e = next->at[e])
        if (musthb(m, e, j))
            return true;
    return false;
}

// Of the orders of two receives that are open, those that may come.
static uint32_t possible(const struct musthb *m, const event_list *next,
                         uint32_t i, uint32_t j, uint32_t open)
{
    if (!open || m->record->delivery == DELIVERY_MAILBOX || !musthb(m, i, j))
        return open;
    open &= FIRST_BITS;
    return open && never_next(m, next, i, j) ? 0 : open;
}

void wants_make(want_list *w, const struct record *r, const struct musthb *m,
                const struct coverage *c)
{
    event_list next = {0};
    vec_clear(w);
    link_events(r, &next);
    for (uint32_t i = 0; i < r->events.n; i++)
        for (uint32_t j = next.at[i]; j != NO_EVENT; j = next.at[j]) {
            uint32_t open = possible(m, &next, i, j, coverage_open(c, r, i, j));
            if (open)
                vec_push(w, ((struct want){i, j, open}));
        }
    vec_free(&next);
}

struct generator *generator_new(struct play *p, const struct making *of,
                                const want_list *w, bool novel, bool paper)
{
    struct generator *g = need_zero(sizeof *g);
    g->play = p;
    g->of = *of;
    g->of.effort = &g->effort;
    g->wants = w;
    g->novel = novel;
    g->paper = paper;
    g->stays = paper || of->r->delivery == DELIVERY_MAILBOX;
    for (uint32_t i = 0; i < of->r->events.n; i++)
        vec_push(&g->all, i);
    return g;
}

void generator_free(struct generator *g)
{
    if (!g)
        return;
    vec_free(&g->all);
    free(g->of.settled);
    free(g);
}

// What became of a goal is kept with it.
static void note(struct generator *g, uint32_t a, uint32_t b, bool tried)
{
    if (tried || g->of.r->delivery == DELIVERY_MAILBOX)
        coverage_try(g->of.c, g->play, g->of.r, a, b, g->of.cr, tried);
    g->first = a;
    g->second = b;
}

bool generator_reached(const struct generator *g)
{
    return coverage_has(g->of.c, g->of.r, g->first, g->second, g->of.cr);
}

// For PCR and PMR: event j directly after event i, before which it cannot come.
// All that must come before the two as recorded, then they.
static bool follow_at_once(const struct making *g, uint32_t i, uint32_t j,
                           event_list *out)
{
    marks in = {0};
    bool next = true;
    mark_none(&in, g->r->events.n);
    assert(i < j && j < in.n);
    in.at[i] = in.at[j] = true;
    for (uint32_t e = j; e-- > 0;)
        for (uint32_t f = e + 1; f <= j && !in.at[e]; f++)
            in.at[e] = in.at[f] && needs(g, e, f);
    for (uint32_t e = i + 1; e < j; e++)
        next &= !in.at[e] || !criterion_related(g->r, i, e, CRITERION_PR);
    vec_clear(out);
    for (uint32_t e = 0; e <= j; e++)
        if (in.at[e])
            vec_push(out, e);
    vec_free(&in);
    return next;
}

// Make a schedule with the events of the pair in this order.  Returns how many
// wanted orders it is known to reach; 0 if there is no such schedule.
static uint32_t plan(struct generator *g, bool back, event_list *out)
{
    uint32_t a = back ? g->j : g->i, b = back ? g->i : g->j, gain = 0;
    if (g->of.r->delivery == DELIVERY_MAILBOX)
        return mailbox_schedule(&g->of, a, b, out);
    if (needs(&g->of, g->i, g->j))
        return g->of.cr != CRITERION_PR && !g->paper && !back &&
               follow_at_once(&g->of, g->i, g->j, out);
    g->of.c->effort += (uint64_t)g->of.r->events.n * g->of.r->actors.n / 2;
    if (g->of.cr == CRITERION_PR && !g->paper)
        gain = in_flight_schedule(g->of.r, g->of.m, g->of.c, a, b, out);
    if (gain)
        return gain;
    size_t words = (size_t)g->all.n * g->all.n / 64 + 1;
    if (!g->of.settled && words <= SETTLED_MOST)
        g->of.settled = need_zero(words * sizeof *g->of.settled);
    g->effort = GENERATE_EFFORT;
    generate_schedule(&g->of, &g->all, g->i, g->j, back, out);
    return 1;
}

// Parts of what is wanted to look for goals in, and pairs to look at in each.
enum { PARTS = 4, PAIRS = 5000 };

static bool is_open(const struct generator *g, const struct want *w, bool back)
{
    return w->open >> (2 * (uint32_t)g->of.cr + back) & 1;
}

// The first pair from `at` on whose other order is wanted and free.
static const struct want *free_pair(const struct generator *g, uint32_t at)
{
    for (uint32_t left = PAIRS; left && at < g->wants->n; left--, at++) {
        const struct want *w = &g->wants->at[at];
        if (is_open(g, w, true) &&
            criterion_related(g->of.r, w->i, w->j, g->of.cr) &&
            !musthb(g->of.m, w->i, w->j) &&
            !coverage_has(g->of.c, g->of.r, w->j, w->i, g->of.cr))
            return w;
    }
    return NULL;
}

// If a goal further on leads to more wanted orders, it is taken first.
static void look_further(struct generator *g, uint32_t gain, event_list *out)
{
    event_list other = {0}, old;
    uint32_t n = g->wants->n;
    for (uint32_t part = 1; part < PARTS; part++) {
        const struct want *w = free_pair(g, (g->at + part * n / PARTS) % n);
        if (!w)
            continue;
        g->of.c->effort += (uint64_t)g->of.r->events.n * g->of.r->actors.n / 2;
        uint32_t more =
            in_flight_schedule(g->of.r, g->of.m, g->of.c, w->j, w->i, &other);
        if (more <= gain)
            continue;
        old = *out;
        *out = other;
        other = old;
        gain = more;
        note(g, w->j, w->i, true);
        g->strayed = true;
    }
    vec_free(&other);
}

// Each goal is tried once from each record: a schedule that did not reach it
// would not do so again.
static bool take(struct generator *g, bool back, bool most, event_list *out)
{
    uint32_t a = back ? g->j : g->i, b = back ? g->i : g->j;
    if (coverage_has(g->of.c, g->of.r, a, b, g->of.cr) ||
        (g->novel && coverage_has_kind(g->of.c, g->of.r, a, b, g->of.cr)))
        return false;
    g->stays |= g->strayed && !generator_reached(g);
    g->strayed = false;
    uint32_t gain = plan(g, back, out);
    note(g, a, b, gain);
    if (gain && most && g->of.cr == CRITERION_PR && !g->stays)
        look_further(g, gain, out);
    return gain;
}

// The next order to look at: forth, back, then the next pair.
static void advance(struct generator *g)
{
    g->at += g->back;
    g->back = !g->back;
}

bool generator_next(struct generator *g, bool most, event_list *out)
{
    while (g->at < g->wants->n) {
        const struct want *w = &g->wants->at[g->at];
        g->i = w->i;
        g->j = w->j;
        bool made = is_open(g, w, g->back) &&
                    criterion_related(g->of.r, g->i, g->j, g->of.cr) &&
                    take(g, g->back, most, out);
        if (!made || !g->strayed)
            advance(g);
        if (made)
            return true;
    }
    return false;
}
