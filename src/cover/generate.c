#include "cover/generate.h"

#include "base/die.h"

#include <stdlib.h>
#include <string.h>

struct generator {
    const struct record *r;
    const struct musthb *m;
    struct coverage *c;
    enum criterion cr;
    event_list all; // the record's events in order
    uint32_t i, j;  // the pair looked at next
    bool back;      // forth was looked at
};

struct making {
    const struct record *r;
    const struct musthb *m;
    const struct coverage *c;
    enum criterion cr;
};

// Must event a be there before event b can be (both of the record, a earlier)?
static bool needs(const struct making *g, uint32_t a, uint32_t b)
{
    if (a > b)
        return false;
    if (g->r->delivery != DELIVERY_MAILBOX)
        return musthb(g->m, a, b);
    const struct event *e = &g->r->events.at[a];
    return e->at < g->m->past.at[(size_t)b * g->m->n + e->actor];
}

static bool wanted(const struct making *g, uint32_t a, uint32_t b)
{
    return !coverage_has(g->c, g->r, a, b, g->cr);
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

static void schedule(const struct making *g, const event_list *s, uint32_t i,
                     uint32_t j, bool swap, event_list *out);

// The events whose order decides about those at i and j of s; false if it is
// fixed.
static bool deciding(const struct making *g, const event_list *s, uint32_t *i,
                     uint32_t *j)
{
    uint32_t a = s->at[*i], b = s->at[*j];
    if (g->r->delivery != DELIVERY_MAILBOX)
        return a > b || !musthb(g->m, a, b);
    uint32_t x = a < b ? a : b, y = a < b ? b : a;
    if (!musthb_runs(g->m, &x, &y) || needs(g, x, y))
        return false;
    uint32_t at_x = PLAY_NONE, at_y = PLAY_NONE;
    for (uint32_t k = 0; k < s->n; k++) {
        if (s->at[k] == x)
            at_x = k;
        if (s->at[k] == y)
            at_y = k;
    }
    if (at_x == PLAY_NONE || at_y == PLAY_NONE || at_x > at_y)
        return false;
    *i = at_x;
    *j = at_y;
    return true;
}

// ---- mailbox: what will happen -------------------------------------------------

// Queues as the record lets us foresee them: each event's message is sent by
// its source, at the end of the queue, in the order of the sends.
struct foresight {
    const struct record *r;
    event_list sent; // events whose message is queued, in order of queueing
    event_list done; // executed, in order
};

static void send_of(struct foresight *f, uint32_t run)
{
    uint32_t n = f->sent.n;
    for (uint32_t e = 0; e < f->r->events.n; e++)
        if (f->r->events.at[e].source == run)
            vec_push(&f->sent, e);
    for (uint32_t x = n + 1; x < f->sent.n; x++) // by number of send
        for (uint32_t y = x; y > n && f->r->events.at[f->sent.at[y - 1]].nth >
                                          f->r->events.at[f->sent.at[y]].nth;
             y--) {
            uint32_t e = f->sent.at[y];
            f->sent.at[y] = f->sent.at[y - 1];
            f->sent.at[y - 1] = e;
        }
}

// Can it be received now: at the head of its queue?
static bool heads(const struct foresight *f, uint32_t event)
{
    const struct event *e = &f->r->events.at[event];
    if (e->body || e->timer)
        return true;
    for (uint32_t k = 0; k < f->sent.n; k++) {
        if (f->sent.at[k] == event)
            return true;
        if (f->r->events.at[f->sent.at[k]].actor == e->actor &&
            !within(&f->done, f->sent.at[k]))
            return false;
    }
    return false;
}

static bool happen(struct foresight *f, uint32_t event)
{
    if (!heads(f, event))
        return false;
    vec_push(&f->done, event);
    send_of(f, event);
    return true;
}

// Does the foreseen order of a and b achieve the goal a before b?
static bool achieves(const struct making *g, const event_list *done, uint32_t a,
                     uint32_t b)
{
    bool seen = false;
    for (uint32_t k = 0; k < done->n; k++) {
        const struct event *e = &g->r->events.at[done->at[k]];
        if (done->at[k] == b)
            return seen;
        if (done->at[k] == a)
            seen = true;
        else if (seen && e->actor == g->r->events.at[a].actor &&
                 event_counts(e) &&
                 (g->cr == CRITERION_PCR ||
                  (g->cr == CRITERION_PMR && e->changes)))
            return false;
    }
    return false;
}

// Cut the plan where it could not be followed.  False if the goal, a before b,
// would not be achieved then.
static bool foresee(const struct making *g, event_list *plan, uint32_t a,
                    uint32_t b)
{
    struct foresight f = {.r = g->r};
    uint32_t n = 0;
    while (n < plan->n && happen(&f, plan->at[n]))
        n++;
    plan->n = n;
    for (bool more = true; more;) {
        more = false;
        for (uint32_t e = 0; e < g->r->events.n && !more; e++)
            more = !within(&f.done, e) && happen(&f, e);
    }
    bool ok = achieves(g, &f.done, a, b);
    vec_free(&f.sent);
    vec_free(&f.done);
    return ok;
}

// Algorithm 3.  p is the prefix, t the tail.
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
    for (uint32_t x = 0; x < t->n; x++)
        for (uint32_t y = x + 1; y < t->n; y++) {
            uint32_t a = t->at[x], b = t->at[y];
            uint32_t i = kept + x, j = kept + y;
            if (!criterion_related(g->r, a, b, g->cr) ||
                !deciding(g, &s, &i, &j) || i < kept)
                continue;
            bool forth = wanted(g, a, b);
            if (!forth && !wanted(g, b, a))
                continue;
            schedule(g, &s, i, j, !forth, out);
            vec_free(&s);
            return;
        }
    copy(out, p);
    vec_free(&s);
}

// Algorithm 2.
static void schedule(const struct making *g, const event_list *s, uint32_t i,
                     uint32_t j, bool swap, event_list *out)
{
    event_list p = {0}, tail = {0};
    uint32_t first = s->at[swap ? j : i], second = s->at[swap ? i : j];
    for (uint32_t k = 0; k < i; k++)
        vec_push(&p, s->at[k]);
    for (uint32_t k = i + 1; k < j; k++)
        if (needs(g, s->at[k], s->at[j]))
            vec_push(&p, s->at[k]);
    vec_push(&p, first);
    vec_push(&p, second);
    if (g->cr == CRITERION_PR)
        vec_push(&tail, second);
    for (uint32_t k = i + 1; k < s->n; k++)
        if (!within(&p, s->at[k]) && !needs(g, s->at[i], s->at[k]) &&
            !needs(g, s->at[j], s->at[k]))
            vec_push(&tail, s->at[k]);
    // An event that needs one left out is left out as well.
    uint32_t n = 0;
    for (uint32_t k = 0; k < tail.n; k++) {
        bool whole = true;
        for (uint32_t x = i + 1; x < s->n && whole; x++)
            whole = s->at[x] == tail.at[k] || within(&p, s->at[x]) ||
                    !needs(g, s->at[x], tail.at[k]) ||
                    within(&(event_list){tail.at, n, n}, s->at[x]);
        if (whole)
            tail.at[n++] = tail.at[k];
    }
    tail.n = n;
    schedule_tail(g, &p, &tail, out);
    vec_free(&p);
    vec_free(&tail);
}

void generate_schedule(const struct record *r, const struct musthb *m,
                       const struct coverage *c, enum criterion cr,
                       const event_list *s, uint32_t i, uint32_t j, bool swap,
                       event_list *out)
{
    struct making g = {r, m, c, cr};
    schedule(&g, s, i, j, swap, out);
}

// ---- algorithm 1, one step at a time -----------------------------------------

struct generator *generator_new(const struct record *r, const struct musthb *m,
                                struct coverage *c, enum criterion cr)
{
    struct generator *g = need_zero(sizeof *g);
    g->r = r;
    g->m = m;
    g->c = c;
    g->cr = cr;
    for (uint32_t i = 0; i < r->events.n; i++)
        vec_push(&g->all, i);
    g->j = 1;
    return g;
}

void generator_free(struct generator *g)
{
    vec_free(&g->all);
    free(g);
}

// Each goal is tried once from each record: a schedule that did not reach it
// would not do so again.
static bool take(struct generator *g, bool back, event_list *out)
{
    struct making k = {g->r, g->m, g->c, g->cr};
    uint32_t i = g->i, j = g->j;
    uint32_t a = back ? j : i, b = back ? i : j;
    if (!wanted(&k, a, b) || !deciding(&k, &g->all, &i, &j))
        return false;
    schedule(&k, &g->all, i, j, back, out);
    if (g->r->delivery == DELIVERY_MAILBOX && !foresee(&k, out, a, b))
        return false;
    struct goal *goal = coverage_goal(g->c, g->r->events.at[a].id,
                                      g->r->events.at[b].id, g->cr);
    if (goal)
        goal->flags |= g->r->events.at[a].id == goal->a ? GOAL_TRIED_FORTH
                                                        : GOAL_TRIED_BACK;
    return true;
}

bool generator_next(struct generator *g, event_list *out)
{
    for (; g->i < g->all.n; g->i++, g->j = g->i + 1, g->back = false)
        for (; g->j < g->all.n; g->j++, g->back = false) {
            if (!criterion_related(g->r, g->i, g->j, g->cr))
                continue;
            if (!g->back) {
                g->back = true;
                if (take(g, false, out))
                    return true;
            }
            bool made = take(g, true, out);
            if (made) {
                g->back = false;
                g->j++;
                return true;
            }
        }
    return false;
}
