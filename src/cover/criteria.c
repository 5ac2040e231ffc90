#include "cover/criteria.h"

#include "base/die.h"
#include "base/hash.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const ids[] = {
#define CRITERION_(name, id, text) id,
    CRITERIA(CRITERION_)
#undef CRITERION_
};

const char *criterion_id(enum criterion c)
{
    return ids[c];
}

static uint64_t hash_text(const char *s)
{
    return hash_bytes(s, strlen(s));
}

enum criterion criterion_of(const char *id)
{
    for (int c = 0; c < CRITERIA_N; c++)
        if (strcmp(ids[c], id) == 0)
            return (enum criterion)c;
    return CRITERIA_N;
}

bool criterion_related(const struct record *r, uint32_t i, uint32_t j,
                       enum criterion c)
{
    const struct event *a = &r->events.at[i], *b = &r->events.at[j];
    if (a->actor != b->actor || !event_counts(a) || !event_counts(b))
        return false;
    return c != CRITERION_PMR || a->changes || b->changes;
}

void coverage_free(struct coverage *c)
{
    vec_free(&c->events.at);
    map_free(&c->events.index);
    vec_free(&c->places.at);
    map_free(&c->places.index);
    map_free(&c->rows);
    map_free(&c->names);
    map_free(&c->kinds);
    vec_free(&c->name_list);
    map_free(&c->met_index);
    map_free(&c->met_of);
    for (uint32_t i = 0; i < c->met.n; i++)
        vec_free(&c->met.at[i].noted);
    vec_free(&c->met);
    arena_free(&c->texts);
}

// ---- goals ----------------------------------------------------------------

bool goal_is_ruled_out(const struct goal *g, bool forth)
{
    uint32_t f = forth ? g->flags : g->flags >> 1;
    if (f & GOAL_FORTH)
        return false;
    if (f & GOAL_NO_FORTH)
        return true;
    return !(f & GOAL_TRIED_FORTH) &&
           (!(f & GOAL_FREE_FORTH) || f & GOAL_HELD_FORTH);
}

// One lookup per pair finds its goals by all criteria: most of the time that
// cover takes is spent here.
static uint64_t pair_key(uint64_t a, uint64_t b)
{
    return a < b ? hash_join(a, b) : hash_join(b, a);
}

static struct goal *by(const struct goal_table *t, uint32_t first,
                       enum criterion cr)
{
    while (first != NO_GOAL && t->at.at[first].criterion != cr)
        first = t->at.at[first].next;
    return first == NO_GOAL ? NULL : &t->at.at[first];
}

static struct goal *find(const struct goal_table *t, uint64_t a, uint64_t b,
                         enum criterion cr)
{
    return by(t, map_get(&t->index, pair_key(a, b)), cr);
}

const struct goal *goal_find(const struct goal_table *t, uint64_t a, uint64_t b,
                             enum criterion cr)
{
    return find(t, a, b, cr);
}

static uint32_t most_of(const struct coverage *c, const struct goal_table *t)
{
    return t == &c->events && c->most ? c->most : MOST_GOALS;
}

static bool has_room(const struct coverage *c)
{
    return c->events.at.n < most_of(c, &c->events);
}

// A new goal of two receives of one schedule, a first.  *first is the first
// goal of the pair.  NULL if there is no room for one more; it has neither
// flags nor names.
static struct goal *add_goal(struct coverage *c, struct goal_table *t,
                             uint32_t *first, uint64_t a, uint64_t b,
                             enum criterion cr)
{
    if (t->at.n >= most_of(c, t)) {
        c->full = true;
        return NULL;
    }
    struct goal g = {.criterion = cr,
                     .flags = a < b ? 0 : GOAL_TURNED,
                     .next = NO_GOAL,
                     .place = NO_GOAL,
                     .a = a < b ? a : b,
                     .b = a < b ? b : a};
    uint32_t *last = first;
    while (*last != NO_GOAL)
        last = &t->at.at[*last].next;
    *last = t->at.n;
    vec_push(&t->at, g);
    if (t == &c->places)
        coverage_count(&c->totals[cr], &g);
    else
        map_put(&c->rows, a, 1);
    return &vec_last(&t->at);
}

static struct goal *known(struct coverage *c, struct goal_table *t, uint64_t a,
                          uint64_t b, enum criterion cr)
{
    struct goal *old = find(t, a, b, cr);
    return old ? old
               : add_goal(c, t, map_at(&t->index, pair_key(a, b)), a, b, cr);
}

static struct coverage_counts counts_of(const struct goal *g)
{
    uint32_t f = g->flags;
    uint32_t seen = !!(f & GOAL_FORTH) + !!(f & GOAL_BACK);
    return (struct coverage_counts){.goals = 2,
                                    .covered = seen,
                                    .pairs = seen == 2,
                                    .impossible =
                                        (uint64_t)goal_is_ruled_out(g, true) +
                                        (uint64_t)goal_is_ruled_out(g, false)};
}

void coverage_count(struct coverage_counts *n, const struct goal *g)
{
    struct coverage_counts more = counts_of(g);
    n->goals += more.goals;
    n->covered += more.covered;
    n->pairs += more.pairs;
    n->impossible += more.impossible;
}

static void learn(struct coverage *c, struct goal_table *t, struct goal *g,
                  uint32_t flags, enum constraint why)
{
    struct coverage_counts *n = &c->totals[g->criterion];
    struct coverage_counts old = counts_of(g);
    g->flags |= flags & ~(uint32_t)GOAL_TURNED;
    if (why != CONSTRAINT_NONE)
        g->why = why;
    if (t != &c->places)
        return;
    struct coverage_counts new = counts_of(g);
    n->covered += new.covered - old.covered;
    n->pairs += new.pairs - old.pairs;
    n->impossible += new.impossible - old.impossible;
}

static uint64_t kind_key(const struct record *r, uint32_t i, uint32_t j,
                         enum criterion cr)
{
    return hash_join(r->events.at[i].kind + (uint64_t)cr, r->events.at[j].kind);
}

bool coverage_has_kind(const struct coverage *c, const struct record *r,
                       uint32_t i, uint32_t j, enum criterion cr)
{
    return map_get(&c->kinds, kind_key(r, i, j, cr)) != MAP_NONE;
}

bool coverage_has(const struct coverage *c, const struct record *r, uint32_t i,
                  uint32_t j, enum criterion cr)
{
    uint64_t a = r->events.at[i].id, b = r->events.at[j].id;
    const struct goal *g = find(&c->events, a, b, cr);
    return g && g->flags & (a == g->a ? GOAL_FORTH : GOAL_BACK);
}

uint32_t coverage_open(const struct coverage *c, const struct record *r,
                       uint32_t i, uint32_t j)
{
    uint64_t a = r->events.at[i].id, b = r->events.at[j].id;
    uint32_t k = map_get(&c->events.index, pair_key(a, b));
    uint32_t open = (1u << 2 * CRITERIA_N) - 1;
    for (; k != NO_GOAL; k = c->events.at.at[k].next) {
        const struct goal *g = &c->events.at.at[k];
        uint32_t seen = g->flags & (GOAL_FORTH | GOAL_BACK);
        bool i_first = seen & (a == g->a ? GOAL_FORTH : GOAL_BACK);
        bool j_first = seen & (a == g->a ? GOAL_BACK : GOAL_FORTH);
        open &= ~((uint32_t)i_first << 2 * g->criterion |
                  (uint32_t)j_first << (2 * g->criterion + 1));
    }
    return open;
}

// ---- places ---------------------------------------------------------------

// The same text is kept once.
static const char *intern(struct coverage *c, const char *s)
{
    uint32_t *at = map_at(&c->names, hash_text(s));
    if (*at == MAP_NONE) {
        *at = c->name_list.n;
        vec_push(&c->name_list, (const char *)arena_text(&c->texts, s));
    }
    return c->name_list.at[*at];
}

static const char *actor_name(struct play *p, const struct record *r,
                              uint32_t actor)
{
    return play_actor_name(p, r->actors.at[actor].id);
}

static uint64_t place_of(struct play *p, const struct record *r, uint32_t i)
{
    const struct event *e = &r->events.at[i];
    uint64_t who = hash_join(hash_text(actor_name(p, r, e->actor)),
                             hash_text(actor_name(p, r, e->sender)));
    return hash_join(hash_join(who, hash_text(r->names.at[i])), e->ordinal);
}

// "flush<terminator#1", "flush:2<terminator#1".
static const char *place_name(struct coverage *c, struct play *p,
                              const struct record *r, uint32_t i)
{
    const struct event *e = &r->events.at[i];
    char number[16] = "", name[256];
    if (e->ordinal > 1)
        snprintf(number, sizeof number, ":%u", e->ordinal);
    snprintf(name, sizeof name, "%s%s<%s", r->names.at[i], number,
             actor_name(p, r, e->sender));
    return intern(c, name);
}

// ---- adding a schedule ----------------------------------------------------

// A pair of a record, i before j, and what the record says of it.
struct seen_pair {
    struct play *play;
    const struct record *r;
    uint32_t i, j;
    uint64_t place_i, place_j;
    enum constraint why; // they must come in this order
    bool apart;          // ... and another receive between them
};

static void name_goal(struct coverage *c, const struct seen_pair *x,
                      struct goal *g)
{
    bool turned = x->place_i != g->a;
    const char *i = place_name(c, x->play, x->r, x->i);
    const char *j = place_name(c, x->play, x->r, x->j);
    uint32_t actor = x->r->events.at[x->i].actor;
    g->actor = intern(c, actor_name(x->play, x->r, actor));
    g->a_name = turned ? j : i;
    g->b_name = turned ? i : j;
}

// Seen if `achieved`; the other way round open unless a constraint is against
// it.  For PCR and PMR they may come nearer to each other in the same order.
static bool note_in(struct coverage *c, struct goal_table *t, struct goal *g,
                    const struct seen_pair *x, bool forth, bool achieved)
{
    uint32_t seen = forth ? GOAL_FORTH : GOAL_BACK;
    uint32_t flags = achieved ? seen : 0;
    if (!achieved && !x->apart)
        flags |= forth ? GOAL_FREE_FORTH : GOAL_FREE_BACK;
    if (x->why == CONSTRAINT_NONE)
        flags |= forth ? GOAL_FREE_BACK : GOAL_FREE_FORTH;
    bool gain = achieved && !(g->flags & seen);
    if ((g->flags & flags) != flags || (x->why && !g->why))
        learn(c, t, g, flags, x->why);
    return gain;
}

// The goal of the places of the pair.  One pair of events mostly has the same
// places in all executions, so the goal of the events remembers it.
static struct goal *place_goal(struct coverage *c, const struct seen_pair *x,
                               struct goal *g)
{
    bool forth = x->place_i < x->place_j;
    uint64_t a = forth ? x->place_i : x->place_j;
    uint64_t b = forth ? x->place_j : x->place_i;
    struct goal *s = g->place == NO_GOAL ? NULL : &c->places.at.at[g->place];
    if (s && s->a == a && s->b == b)
        return s;
    s = known(c, &c->places, x->place_i, x->place_j, g->criterion);
    if (!s)
        return NULL;
    g->place = (uint32_t)(s - c->places.at.at);
    if (!s->actor)
        name_goal(c, x, s);
    return s;
}

// first: the first goal of the events, NO_GOAL if the pair has none yet.
static uint32_t note(struct coverage *c, const struct seen_pair *x,
                     uint32_t *first, enum criterion cr, bool achieved)
{
    uint64_t i = x->r->events.at[x->i].id, j = x->r->events.at[x->j].id;
    struct goal *g = by(&c->events, *first, cr);
    if (!g)
        g = add_goal(c, &c->events, first, i, j, cr);
    struct goal *s = g ? place_goal(c, x, g) : NULL;
    if (!s)
        return 0;
    note_in(c, &c->places, s, x, x->place_i == s->a, achieved);
    bool gain = note_in(c, &c->events, g, x, i == g->a, achieved);
    if (gain)
        map_put(&c->kinds, kind_key(x->r, x->i, x->j, cr), 1);
    return gain;
}

static uint32_t add_pair(struct coverage *c, const struct seen_pair *x,
                         bool next, bool clear)
{
    uint64_t i = x->r->events.at[x->i].id, j = x->r->events.at[x->j].id;
    uint32_t *first = map_at(&c->events.index, pair_key(i, j));
    uint32_t gained = note(c, x, first, CRITERION_PR, true);
    gained += note(c, x, first, CRITERION_PCR, next);
    if (criterion_related(x->r, x->i, x->j, CRITERION_PMR))
        gained += note(c, x, first, CRITERION_PMR, clear);
    return gained;
}

// The receives of one actor that count, in their order.
struct receives {
    struct play *play;
    const struct record *r;
    const struct musthb *m;
    VEC(uint32_t) events;
    VEC(uint64_t) places;
    VEC(uint32_t) met; // of coverage
};

// The number of a receive at a place, for tables.
static uint32_t meet(struct coverage *c, uint64_t actor, uint64_t id,
                     uint64_t place)
{
    uint32_t *at = map_at(&c->met_index, hash_join(id, place));
    if (*at == MAP_NONE) {
        uint32_t *n = map_at(&c->met_of, actor);
        *n = *n == MAP_NONE ? 0 : *n + 1;
        *at = c->met.n;
        vec_push(&c->met, (struct met){.local = *n});
    }
    return *at;
}

static void take_receives(struct coverage *c, struct receives *l,
                          uint32_t actor)
{
    uint64_t who = l->r->actors.at[actor].hash;
    vec_clear(&l->events);
    vec_clear(&l->places);
    vec_clear(&l->met);
    for (uint32_t i = 0; i < l->r->events.n; i++)
        if (l->r->events.at[i].actor == actor &&
            event_counts(&l->r->events.at[i])) {
            vec_push(&l->events, i);
            vec_push(&l->places, place_of(l->play, l->r, i));
            vec_push(&l->met,
                     meet(c, who, l->r->events.at[i].id, vec_last(&l->places)));
        }
}

// Must one of the receives between the two come between them in any case?  The
// nearest are looked at.
enum { BETWEEN = 16 };

static bool are_apart(const struct receives *l, uint32_t x, uint32_t y)
{
    uint32_t i = l->events.at[x], j = l->events.at[y];
    for (uint32_t z = x + 1; z < y && z <= x + BETWEEN; z++)
        if (musthb(l->m, i, l->events.at[z]) &&
            musthb(l->m, l->events.at[z], j))
            return true;
    return false;
}

static struct seen_pair pair_of(const struct receives *l, uint32_t x,
                                uint32_t y)
{
    uint32_t i = l->events.at[x], j = l->events.at[y];
    enum constraint why = musthb_why(l->m, i, j);
    return (struct seen_pair){.play = l->play,
                              .r = l->r,
                              .i = i,
                              .j = j,
                              .place_i = l->places.at[x],
                              .place_j = l->places.at[y],
                              .why = why,
                              .apart = why && are_apart(l, x, y)};
}

// Which of the events have goals of their own row.  Without room for more, two
// events that have none have no goal together.
static bool *rows_of(const struct coverage *c, const struct receives *l)
{
    bool *has = need_zero(l->events.n * sizeof *has);
    for (uint32_t x = 0; x < l->events.n; x++) {
        uint64_t id = l->r->events.at[l->events.at[x]].id;
        has[x] = map_get(&c->rows, id) != MAP_NONE;
    }
    return has;
}

// Most records say of most pairs what others said before.  False: the same was
// noted already, and to note it again would change nothing.  There is a bit for
// each thing that a record can say of two receives.
enum { NOTED_MOST = 16 << 20 }; // words

static bool note_once(struct coverage *c, const struct receives *l, uint32_t x,
                      uint32_t y, const struct seen_pair *one, bool next,
                      bool clear)
{
    struct met *m = &c->met.at[l->met.at[x]];
    uint32_t k = c->met.at[l->met.at[y]].local;
    bool pmr = criterion_related(l->r, one->i, one->j, CRITERION_PMR);
    uint32_t bit =
        1u << (!!one->why + 2 * one->apart + 4 * next + 8 * clear + 16 * pmr);
    if (c->full)
        return true;
    if (k >= m->noted.n) {
        if (c->met_words + k > NOTED_MOST)
            return true;
        c->met_words += k + 1 - m->noted.n;
        while (m->noted.n <= k)
            vec_push(&m->noted, 0);
    }
    bool fresh = !(m->noted.at[k] & bit);
    m->noted.at[k] |= bit;
    return fresh;
}

static uint32_t add_actor(struct coverage *c, const struct receives *l)
{
    uint32_t gained = 0;
    bool *has = NULL; // once there is no room for more goals
    for (uint32_t x = 0; x < l->events.n; x++) {
        bool clear = true; // no change of behaviour strictly between
        if (!has && !has_room(c))
            has = rows_of(c, l);
        for (uint32_t y = x + 1; y < l->events.n; y++) {
            struct seen_pair one = pair_of(l, x, y);
            if (has && !has[x] && !has[y])
                c->full = true;
            else if (note_once(c, l, x, y, &one, y == x + 1, clear))
                gained += add_pair(c, &one, y == x + 1, clear);
            clear &= !l->r->events.at[one.j].changes;
        }
    }
    free(has);
    return gained;
}

uint32_t coverage_add(struct coverage *c, struct play *p,
                      const struct record *r, const struct musthb *m)
{
    struct receives l = {.play = p, .r = r, .m = m};
    uint32_t gained = 0;
    for (uint32_t a = 0; a < r->actors.n; a++) {
        take_receives(c, &l, a);
        gained += add_actor(c, &l);
    }
    vec_free(&l.events);
    vec_free(&l.places);
    vec_free(&l.met);
    return gained;
}

// ---- what else is learnt --------------------------------------------------

static void try_in(struct coverage *c, struct goal_table *t, uint64_t a,
                   uint64_t b, enum criterion cr, uint32_t flag)
{
    struct goal *g = find(t, a, b, cr);
    if (g)
        learn(c, t, g, a == g->a ? flag : flag << 1,
              flag == GOAL_HELD_FORTH && !g->why ? CONSTRAINT_QUEUE
                                                 : CONSTRAINT_NONE);
}

void coverage_try(struct coverage *c, struct play *p, const struct record *r,
                  uint32_t i, uint32_t j, enum criterion cr, bool made)
{
    uint32_t flag = made ? GOAL_TRIED_FORTH : GOAL_HELD_FORTH;
    try_in(c, &c->events, r->events.at[i].id, r->events.at[j].id, cr, flag);
    try_in(c, &c->places, place_of(p, r, i), place_of(p, r, j), cr, flag);
}

void coverage_complete(struct coverage *c)
{
    for (uint32_t i = 0; i < c->places.at.n; i++) {
        struct goal *g = &c->places.at.at[i];
        uint32_t never = (g->flags & GOAL_FORTH ? 0 : GOAL_NO_FORTH) |
                         (g->flags & GOAL_BACK ? 0 : GOAL_NO_BACK);
        if (never)
            learn(c, &c->places, g, never,
                  g->why ? CONSTRAINT_NONE : CONSTRAINT_NEVER);
    }
}

void coverage_merge_goal(struct coverage *c, const struct goal *f)
{
    struct goal_table *t = f->actor ? &c->places : &c->events;
    bool turned = f->flags & GOAL_TURNED;
    struct goal *g =
        known(c, t, turned ? f->b : f->a, turned ? f->a : f->b, f->criterion);
    if (!g)
        return;
    if (f->actor && !g->actor) {
        g->actor = intern(c, f->actor);
        g->a_name = intern(c, f->a_name);
        g->b_name = intern(c, f->b_name);
    }
    learn(c, t, g, f->flags, f->why);
}

void coverage_merge(struct coverage *c, const struct coverage *from)
{
    for (uint32_t i = 0; i < from->events.at.n; i++)
        coverage_merge_goal(c, &from->events.at.at[i]);
    for (uint32_t i = 0; i < from->places.at.n; i++)
        coverage_merge_goal(c, &from->places.at.at[i]);
}
