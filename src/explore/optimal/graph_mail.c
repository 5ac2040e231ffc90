// Places without trying all combinations.
//
// The targets get their places one after the other.  `Later` is the set of runs
// that must come after e: all that is queued behind the places chosen, and what
// follows from that.  inbox.low is the first index whose sender is in Later.  A
// place is possible if nothing in front of it is in Later and e is not in it
// either; moving a place forward by one only adds to Later.  Placed last
// everywhere, which is the usual case, Later is empty.
#include "explore/optimal/graph_mail.h"

#include <assert.h>
#include <string.h>

struct later {
    struct graph *g;
    uint32_t e, r;
    uint32_t limit; // events at or after this place in the order are dropped
    const uint16_t *clock;
    bool cycle; // e must come after itself
};

void mail_targets(const struct graph *g, uint32_t e, places *out)
{
    const struct effect *f = run_at(g, e)->effect;
    uint32_t base = out->n;
    for (uint32_t i = 0; i < f->n_sends; i++) {
        uint32_t to = f->sends[i].to, j = base;
        while (j < out->n && out->at[j].to != to)
            j++;
        if (j == out->n && is_born(g, to))
            vec_push(out, ((struct mail_place){to, 0}));
    }
}

// ---- what must come later -------------------------------------------------

static bool keeps_receive(const struct later *l, uint32_t q)
{
    return run_at(l->g, q)->r_at < l->limit || in_prefix(l->g, q, l->clock);
}

static bool keeps_sends(const struct later *l, uint32_t q)
{
    return run_at(l->g, q)->b_at < l->limit || in_prefix(l->g, q, l->clock);
}

static void later_begin(struct later *l, struct graph *g, uint32_t e,
                        uint32_t r)
{
    *l = (struct later){.g = g, .e = e, .r = r};
    l->limit = r == NO_RUN ? NO_RUN : run_at(g, r)->r_at;
    l->clock = run_clock(g, e);
    g->mark++;
    for (uint32_t i = 0; i < g->actors.n; i++)
        g->actors.at[i].low = g->actors.at[i].entries.n;
}

// The runs added are a list threaded through the pool: `link` of the newest is
// the one before.
static void later_add(struct later *l, uint32_t q, uint32_t *todo)
{
    struct run *r = run_at(l->g, q);
    if (q == l->e)
        l->cycle = true;
    if (q == l->r || r->mark == l->g->mark)
        return;
    r->mark = l->g->mark;
    r->link = *todo;
    *todo = q;
}

static void later_cover(struct later *l, uint32_t to, uint32_t from,
                        uint32_t *todo)
{
    struct inbox *a = &l->g->actors.at[to];
    for (uint32_t i = from; i < a->low; i++) {
        const struct entry *t = &a->entries.at[i];
        if (!keeps_sends(l, t->run))
            continue;
        later_add(l, t->run, todo);
        if (t->reader != NO_RUN && keeps_receive(l, t->reader))
            later_add(l, t->reader, todo);
    }
    if (from < a->low)
        a->low = from;
}

static uint32_t first_entry(const struct inbox *a, uint32_t q)
{
    uint32_t i = 0;
    while (a->entries.at[i].run != q)
        i++;
    return i;
}

static void later_follow(struct later *l, uint32_t q, uint32_t *todo)
{
    const struct graph *g = l->g;
    const struct run *r = run_at(g, q);
    const struct inbox *own = &g->actors.at[r->actor];
    const struct effect *f = r->effect;
    if (r->k + 1 < own->runs.n && keeps_receive(l, own->runs.at[r->k + 1]))
        later_add(l, own->runs.at[r->k + 1], todo);
    for (uint32_t i = 0; i < f->n_births; i++) {
        const struct inbox *kid = &g->actors.at[f->births[i].actor];
        if (kid->runs.n && keeps_receive(l, kid->runs.at[0]))
            later_add(l, kid->runs.at[0], todo);
    }
    if (r->b_at == NO_RUN || !keeps_sends(l, q))
        return;
    for (uint32_t i = 0; i < f->n_sends; i++) {
        uint32_t to = f->sends[i].to;
        if (is_born(g, to) && g->actors.at[to].low)
            later_cover(l, to, first_entry(&g->actors.at[to], q), todo);
    }
}

// Everything from this index on, and what follows from it, comes later.
static void later_than(struct later *l, uint32_t to, uint32_t from)
{
    uint32_t todo = NO_RUN;
    later_cover(l, to, from, &todo);
    while (todo != NO_RUN && !l->cycle) {
        uint32_t q = todo;
        todo = run_at(l->g, q)->link;
        later_follow(l, q, &todo);
    }
}

static bool later_fits(const struct later *l, const struct mail_place *p,
                       uint32_t n)
{
    for (uint32_t i = 0; i < n && !l->cycle; i++)
        if (l->g->actors.at[p[i].to].low < p[i].at)
            return false;
    return !l->cycle;
}

// ---- places ---------------------------------------------------------------

// How many messages an actor has received in what is kept.
static uint32_t received(const struct later *l, uint32_t actor)
{
    const struct inbox *a = &l->g->actors.at[actor];
    uint32_t n = a->head;
    if (l->r == NO_RUN)
        return n;
    while (n) {
        uint32_t q = a->entries.at[n - 1].reader;
        if (q != l->r && keeps_receive(l, q))
            break;
        n--;
    }
    return n;
}

// The place just before the nearest kept sends in front of `at`, all those of
// one run together.
static uint32_t one_forward(const struct later *l, const struct mail_place *p)
{
    const struct entry *t = l->g->actors.at[p->to].entries.at;
    uint32_t end = received(l, p->to), i = p->at;
    while (i > end && !keeps_sends(l, t[i - 1].run))
        i--;
    if (i == end)
        return NO_RUN;
    uint32_t run = t[i - 1].run;
    while (i > end && t[i - 1].run == run)
        i--;
    // Some of them are received: nothing can come in front of those.
    return i && t[i - 1].run == run ? NO_RUN : i;
}

// The place in the inbox of r that makes r read it: found, not chosen.
static uint32_t place_of(const struct later *l)
{
    uint32_t actor = run_at(l->g, l->r)->actor;
    const struct inbox *a = &l->g->actors.at[actor];
    uint32_t i = received(l, actor);
    while (i < a->entries.n && !keeps_sends(l, a->entries.at[i].run))
        i++;
    return i;
}

static bool fixed(const struct later *l, const struct mail_place *p)
{
    return l->r != NO_RUN && run_at(l->g, l->r)->actor == p->to;
}

// The last possible places for targets i and after.
static bool place_rest(struct later *l, struct mail_place *p, uint32_t i,
                       uint32_t n)
{
    for (; i < n; i++) {
        if (fixed(l, &p[i]))
            continue;
        p[i].at = l->g->actors.at[p[i].to].low;
        if (p[i].at < received(l, p[i].to))
            return false;
    }
    return true;
}

static void later_again(struct later *l, struct graph *g, uint32_t e,
                        uint32_t r, const struct mail_place *p, uint32_t n,
                        uint32_t chosen)
{
    later_begin(l, g, e, r);
    for (uint32_t i = 0; i < n; i++)
        if (i < chosen || fixed(l, &p[i]))
            later_than(l, p[i].to, p[i].at);
}

bool mail_first(struct graph *g, uint32_t e, uint32_t r, struct mail_place *p,
                uint32_t n)
{
    struct later l;
    later_begin(&l, g, e, r);
    for (uint32_t i = 0; i < n; i++) {
        if (!fixed(&l, &p[i]))
            continue;
        p[i].at = place_of(&l);
        later_than(&l, p[i].to, p[i].at);
        if (!later_fits(&l, &p[i], 1))
            return false;
    }
    return place_rest(&l, p, 0, n);
}

// Do places up to i fit, and those fixed after it?
static bool fits_so_far(const struct later *l, const struct mail_place *p,
                        uint32_t i, uint32_t n)
{
    if (!later_fits(l, p, i + 1))
        return false;
    for (uint32_t j = i + 1; j < n; j++)
        if (fixed(l, &p[j]) && !later_fits(l, &p[j], 1))
            return false;
    return true;
}

bool mail_next(struct graph *g, uint32_t e, uint32_t r, struct mail_place *p,
               uint32_t n)
{
    struct later l;
    for (uint32_t i = n; i-- > 0;) {
        later_begin(&l, g, e, r);
        if (fixed(&l, &p[i]) || one_forward(&l, &p[i]) == NO_RUN)
            continue;
        later_again(&l, g, e, r, p, n, i + 1);
        uint32_t at;
        while ((at = one_forward(&l, &p[i])) != NO_RUN) {
            p[i].at = at;
            later_than(&l, p[i].to, at);
            if (!fits_so_far(&l, p, i, n))
                break;
            if (place_rest(&l, p, i + 1, n))
                return true;
        }
    }
    return false;
}

// ---- inboxes --------------------------------------------------------------

static void refresh(struct graph *g, uint32_t actor)
{
    struct inbox *a = &g->actors.at[actor];
    a->unread = a->entries.n - a->head;
    graph_update_ready(g, actor);
}

static uint32_t count_sends(const struct effect *f, uint32_t to)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < f->n_sends; i++)
        n += f->sends[i].to == to;
    return n;
}

static void insert(struct graph *g, uint32_t e, uint32_t to, uint32_t at)
{
    struct inbox *a = &g->actors.at[to];
    const struct effect *f = run_at(g, e)->effect;
    uint32_t n = count_sends(f, to);
    vec_room(&a->entries, n);
    memmove(a->entries.at + at + n, a->entries.at + at,
            (a->entries.n - at) * sizeof *a->entries.at);
    for (uint32_t i = 0; i < f->n_sends; i++)
        if (f->sends[i].to == to)
            a->entries.at[at++] =
                (struct entry){e, i, f->sends[i].sender, NO_RUN};
    a->entries.n += n;
    refresh(g, to);
}

void mail_insert(struct graph *g, uint32_t e, const struct mail_place *p,
                 uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        insert(g, e, p[i].to, p[i].at);
}

void mail_remove(struct graph *g, uint32_t e, const struct mail_place *p,
                 uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        struct inbox *a = &g->actors.at[p[i].to];
        uint32_t len = count_sends(run_at(g, e)->effect, p[i].to);
        uint32_t end = p[i].at + len;
        memmove(a->entries.at + p[i].at, a->entries.at + end,
                (a->entries.n - end) * sizeof *a->entries.at);
        a->entries.n -= len;
        refresh(g, p[i].to);
    }
}

// ---- revisits -------------------------------------------------------------

static bool kept(const struct graph *g, uint32_t q, const uint16_t *clock)
{
    return run_at(g, q)->b_at != NO_RUN || in_prefix(g, q, clock);
}

static const struct mail_place *place_in(const struct mail_place *p, uint32_t n,
                                         uint32_t to)
{
    for (uint32_t i = 0; i < n; i++)
        if (p[i].to == to)
            return &p[i];
    return NULL;
}

static bool changes(const struct graph *g, const struct inbox *a,
                    const uint16_t *clock)
{
    for (uint32_t i = a->head; i < a->entries.n; i++)
        if (!kept(g, a->entries.at[i].run, clock))
            return true;
    return false;
}

// Save an inbox: its entries, then one with actor and length.
static void save(const struct inbox *a, uint32_t actor, entries *saved)
{
    uint32_t n = a->entries.n;
    vec_room(saved, n + 1);
    memcpy(saved->at + saved->n, a->entries.at, n * sizeof *saved->at);
    saved->n += n;
    vec_push(saved, ((struct entry){.run = actor, .nth = n}));
}

// Drop entries; returns what an index `at` becomes.
static uint32_t filter(const struct graph *g, struct inbox *a,
                       const uint16_t *clock, uint32_t at)
{
    uint32_t n = a->head, moved = at;
    for (uint32_t i = a->head; i < a->entries.n; i++) {
        if (kept(g, a->entries.at[i].run, clock))
            a->entries.at[n++] = a->entries.at[i];
        else if (i < at)
            moved--;
    }
    a->entries.n = n;
    return moved;
}

void mail_cut(struct graph *g, uint32_t e, const struct mail_place *p,
              uint32_t n, entries *saved)
{
    const uint16_t *clock = run_clock(g, e);
    for (uint32_t i = 0; i < g->actors.n; i++) {
        struct inbox *a = &g->actors.at[i];
        const struct mail_place *here = place_in(p, n, i);
        if (!here && !changes(g, a, clock))
            continue;
        save(a, i, saved);
        uint32_t at = filter(g, a, clock, here ? here->at : 0);
        if (here)
            insert(g, e, i, at);
        else
            refresh(g, i);
    }
}

void mail_restore(struct graph *g, entries *saved, uint32_t base)
{
    while (saved->n > base) {
        struct entry end = vec_pop(saved);
        struct inbox *a = &g->actors.at[end.run];
        saved->n -= end.nth;
        vec_clear(&a->entries);
        vec_room(&a->entries, end.nth);
        memcpy(a->entries.at, saved->at + saved->n,
               end.nth * sizeof *saved->at);
        a->entries.n = end.nth;
        refresh(g, end.run);
    }
}
