// What is known: goals of places, pairs of events, and what a schedule, another
// set or the end of all executions adds to them.
#include "cover/criteria_inner.h"

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
    for (uint32_t i = 0; i < c->known.n; i++)
        vec_free(&c->known.at[i].pairs);
    vec_free(&c->known);
    map_free(&c->locals);
    map_free(&c->known_index);
    vec_free(&c->pairs);
    map_free(&c->pair_index);
    vec_free(&c->places.at);
    map_free(&c->places.index);
    map_free(&c->names);
    map_free(&c->kinds);
    vec_free(&c->name_list);
    vec_free(&c->actor_names);
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

uint64_t goal_key(uint64_t a, uint64_t b)
{
    return a < b ? hash_join(a, b) : hash_join(b, a);
}

struct goal *goal_of(const struct goal_table *t, uint32_t first,
                     enum criterion cr)
{
    while (first != NO_GOAL && t->at.at[first].criterion != cr)
        first = t->at.at[first].next;
    return first == NO_GOAL ? NULL : &t->at.at[first];
}

const struct goal *goal_find(const struct goal_table *t, uint64_t a, uint64_t b,
                             enum criterion cr)
{
    return goal_of(t, map_get(&t->index, goal_key(a, b)), cr);
}

struct goal *goal_add(struct coverage *c, uint32_t *first, uint64_t a,
                      uint64_t b, enum criterion cr)
{
    struct goal_table *t = &c->places;
    if (t->at.n >= MOST_GOALS) {
        c->full = true;
        return NULL;
    }
    struct goal g = {.criterion = cr,
                     .flags = a < b ? 0 : GOAL_TURNED,
                     .next = NO_GOAL,
                     .a = a < b ? a : b,
                     .b = a < b ? b : a};
    uint32_t *last = first;
    while (*last != NO_GOAL)
        last = &t->at.at[*last].next;
    *last = t->at.n;
    vec_push(&t->at, g);
    coverage_count(&c->totals[cr], &g);
    return &vec_last(&t->at);
}

// ---- pairs of events --------------------------------------------------------

static uint32_t number_of(struct coverage *c, uint64_t id)
{
    uint32_t *at = map_at(&c->known_index, id);
    if (*at == MAP_NONE) {
        *at = c->known.n;
        vec_push(&c->known,
                 ((struct known_event){.id = id, .local = NO_EVENT}));
    }
    return *at;
}

uint32_t coverage_number(struct coverage *c, uint64_t id, uint64_t actor,
                         uint64_t place)
{
    uint32_t number = number_of(c, id);
    struct known_event *k = &c->known.at[number];
    if (k->local != NO_EVENT)
        return number;
    uint32_t *n = map_at(&c->locals, actor);
    k->place = place;
    k->local = *n = *n == MAP_NONE ? 0 : *n + 1;
    return number;
}

// Pairs lie in rows, in which those of one record are near each other; once the
// rows take too much room, in a map.
enum { LOCAL_MOST = 4 << 20 }; // words

// Where the pair has its place in a row; NULL: in the map.
static uint32_t *place_in_row(struct coverage *c, uint32_t low, uint32_t high)
{
    struct known_event *k = &c->known.at[low];
    uint32_t local = c->known.at[high].local;
    if (local < k->pairs.n)
        return &k->pairs.at[local];
    if (local == NO_EVENT || k->local == NO_EVENT ||
        c->local_words >= LOCAL_MOST)
        return NULL;
    c->local_words += local + 1 - k->pairs.n;
    while (k->pairs.n <= local)
        vec_push(&k->pairs, (uint32_t)NO_GOAL);
    return &k->pairs.at[local];
}

// The pair of two numbers, NO_GOAL if there is none.
static uint32_t pair_numbered(const struct coverage *c, uint32_t a, uint32_t b)
{
    uint32_t low = a < b ? a : b, high = a < b ? b : a, at = NO_GOAL;
    const struct known_event *k = &c->known.at[low];
    if (c->known.at[high].local < k->pairs.n)
        at = k->pairs.at[c->known.at[high].local];
    return at == NO_GOAL ? map_get(&c->pair_index, map_pair(low, high)) : at;
}

uint32_t coverage_pair(const struct coverage *c, uint64_t a, uint64_t b)
{
    uint32_t x = map_get(&c->known_index, a), y = map_get(&c->known_index, b);
    return x == MAP_NONE || y == MAP_NONE ? NO_GOAL : pair_numbered(c, x, y);
}

bool coverage_has_room(const struct coverage *c)
{
    return c->pairs.n < (c->most ? c->most : MOST_PAIRS);
}

uint32_t coverage_make_pair(struct coverage *c, uint32_t first, uint32_t second)
{
    uint32_t old = pair_numbered(c, first, second);
    if (old != NO_GOAL || !coverage_has_room(c)) {
        c->full |= old == NO_GOAL;
        return old;
    }
    uint32_t low = first < second ? first : second;
    uint32_t high = first < second ? second : first;
    uint32_t *at = place_in_row(c, low, high);
    bool turned = c->known.at[first].id > c->known.at[second].id;
    struct event_pair p = {.a = turned ? second : first,
                           .b = turned ? first : second,
                           .place = NO_GOAL};
    if (!at)
        at = map_at(&c->pair_index, map_pair(low, high));
    *at = c->pairs.n;
    vec_push(&c->pairs, p);
    c->known.at[first].leads = true;
    return *at;
}

bool coverage_goal(const struct coverage *c, uint32_t pair, enum criterion cr,
                   struct goal *out)
{
    const struct event_pair *p = &c->pairs.at[pair];
    *out = (struct goal){.criterion = cr,
                         .flags = p->flags[cr] & ~(uint32_t)GOAL_HERE,
                         .why = (enum constraint)p->why[cr],
                         .next = NO_GOAL,
                         .a = c->known.at[p->a].id,
                         .b = c->known.at[p->b].id};
    return p->flags[cr] & GOAL_HERE;
}

// A record keeps twice the number of a pair, and a bit.
_Static_assert(MOST_PAIRS < UINT32_MAX / 2, "too many pairs");

// Pair of the record's events i and j, i earlier: its number, and whether i is
// its b.
static uint32_t pair_at(const struct record *r, uint32_t i, uint32_t j)
{
    uint32_t x = r->rank.at[i], y = r->rank.at[j];
    return r->first_pair.at[r->events.at[i].actor] + y * (y - 1) / 2 + x;
}

// The pair of two events of a record by one actor, in any order; NULL: never
// seen.  *turned: i is its b.
static const struct event_pair *pair_in(const struct coverage *c,
                                        const struct record *r, uint32_t i,
                                        uint32_t j, bool *turned)
{
    if (i == j)
        return NULL;
    if (r->pairs_of == c) {
        uint32_t low = i < j ? i : j, high = i < j ? j : i;
        uint32_t at = r->pairs.at[pair_at(r, low, high)];
        *turned = (at & 1) ^ (i > j);
        return at == NO_GOAL ? NULL : &c->pairs.at[at >> 1];
    }
    uint64_t a = r->events.at[i].id, b = r->events.at[j].id;
    uint32_t at = coverage_pair(c, a, b);
    *turned = a > b;
    return at == NO_GOAL ? NULL : &c->pairs.at[at];
}

// ---- what is known of a goal ------------------------------------------------

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

void goal_learn(struct coverage *c, struct goal *g, uint32_t flags,
                enum constraint why)
{
    struct coverage_counts *n = &c->totals[g->criterion];
    struct coverage_counts old = counts_of(g);
    g->flags |= flags & ~(uint32_t)GOAL_TURNED;
    if (why != CONSTRAINT_NONE)
        g->why = why;
    struct coverage_counts new = counts_of(g);
    n->covered += new.covered - old.covered;
    n->pairs += new.pairs - old.pairs;
    n->impossible += new.impossible - old.impossible;
}

void pair_learn(struct event_pair *p, enum criterion cr, uint32_t flags,
                enum constraint why)
{
    p->flags[cr] |= (uint16_t)(flags & ~(uint32_t)GOAL_TURNED) | GOAL_HERE;
    if (why != CONSTRAINT_NONE)
        p->why[cr] = (uint8_t)why;
}

uint64_t coverage_kind_key(const struct record *r, uint32_t i, uint32_t j,
                           enum criterion cr)
{
    return hash_join(r->events.at[i].kind + (uint64_t)cr, r->events.at[j].kind);
}

bool coverage_has_kind(const struct coverage *c, const struct record *r,
                       uint32_t i, uint32_t j, enum criterion cr)
{
    return map_get(&c->kinds, coverage_kind_key(r, i, j, cr)) != MAP_NONE;
}

bool coverage_has(const struct coverage *c, const struct record *r, uint32_t i,
                  uint32_t j, enum criterion cr)
{
    bool turned;
    const struct event_pair *p = pair_in(c, r, i, j, &turned);
    return p && p->flags[cr] & (turned ? GOAL_BACK : GOAL_FORTH);
}

uint32_t coverage_open(const struct coverage *c, const struct record *r,
                       uint32_t i, uint32_t j)
{
    bool turned;
    const struct event_pair *p = pair_in(c, r, i, j, &turned);
    uint32_t open = (1u << 2 * CRITERIA_N) - 1;
    for (int cr = 0; p && cr < CRITERIA_N; cr++) {
        bool i_first = p->flags[cr] & (turned ? GOAL_BACK : GOAL_FORTH);
        bool j_first = p->flags[cr] & (turned ? GOAL_FORTH : GOAL_BACK);
        open &=
            ~((uint32_t)i_first << 2 * cr | (uint32_t)j_first << (2 * cr + 1));
    }
    return open;
}

// ---- places ---------------------------------------------------------------

const char *coverage_intern(struct coverage *c, const char *s)
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

// To put an actor's name together takes longer than to hash it.
static uint64_t actor_name_hash(struct coverage *c, struct play *p,
                                const struct record *r, uint32_t actor)
{
    uint32_t id = r->actors.at[actor].id;
    if (c->names_of != p)
        vec_clear(&c->actor_names);
    c->names_of = p;
    while (c->actor_names.n <= id)
        vec_push(&c->actor_names, 0);
    uint64_t *known = &c->actor_names.at[id];
    if (!*known)
        *known = hash_text(actor_name(p, r, actor));
    return *known;
}

uint64_t coverage_place(struct coverage *c, struct play *p,
                        const struct record *r, uint32_t i)
{
    const struct event *e = &r->events.at[i];
    uint64_t who = hash_join(actor_name_hash(c, p, r, e->actor),
                             actor_name_hash(c, p, r, e->sender));
    return hash_join(hash_join(who, hash_text(r->names.at[i])), e->ordinal);
}

const char *coverage_place_name(struct coverage *c, struct play *p,
                                const struct record *r, uint32_t i)
{
    const struct event *e = &r->events.at[i];
    char number[16] = "", name[256];
    if (e->ordinal > 1)
        snprintf(number, sizeof number, ":%u", e->ordinal);
    snprintf(name, sizeof name, "%s%s<%s", r->names.at[i], number,
             actor_name(p, r, e->sender));
    return coverage_intern(c, name);
}

// ---- what else is learnt --------------------------------------------------

void coverage_try(struct coverage *c, struct play *p, const struct record *r,
                  uint32_t i, uint32_t j, enum criterion cr, bool made)
{
    uint32_t flag = made ? GOAL_TRIED_FORTH : GOAL_HELD_FORTH;
    uint64_t a = coverage_place(c, p, r, i), b = coverage_place(c, p, r, j);
    uint32_t first = map_get(&c->places.index, goal_key(a, b)), pair;
    struct goal *g = goal_of(&c->places, first, cr);
    enum constraint why = made ? CONSTRAINT_NONE : CONSTRAINT_QUEUE;
    if (g)
        goal_learn(c, g, a == g->a ? flag : flag << 1,
                   g->why ? CONSTRAINT_NONE : why);
    pair = coverage_pair(c, r->events.at[i].id, r->events.at[j].id);
    if (pair == NO_GOAL || !(c->pairs.at[pair].flags[cr] & GOAL_HERE))
        return;
    bool forth = r->events.at[i].id < r->events.at[j].id;
    pair_learn(&c->pairs.at[pair], cr, forth ? flag : flag << 1,
               c->pairs.at[pair].why[cr] ? CONSTRAINT_NONE : why);
}

void coverage_complete(struct coverage *c)
{
    for (uint32_t i = 0; i < c->places.at.n; i++) {
        struct goal *g = &c->places.at.at[i];
        uint32_t never = (g->flags & GOAL_FORTH ? 0 : GOAL_NO_FORTH) |
                         (g->flags & GOAL_BACK ? 0 : GOAL_NO_BACK);
        if (never)
            goal_learn(c, g, never,
                       g->why ? CONSTRAINT_NONE : CONSTRAINT_NEVER);
    }
}

static void merge_place(struct coverage *c, const struct goal *f)
{
    bool turned = f->flags & GOAL_TURNED;
    uint32_t *first = map_at(&c->places.index, goal_key(f->a, f->b));
    struct goal *g = goal_of(&c->places, *first, f->criterion);
    if (!g)
        g = goal_add(c, first, turned ? f->b : f->a, turned ? f->a : f->b,
                     f->criterion);
    if (!g)
        return;
    if (!g->actor) {
        g->actor = coverage_intern(c, f->actor);
        g->a_name = coverage_intern(c, f->a_name);
        g->b_name = coverage_intern(c, f->b_name);
    }
    goal_learn(c, g, f->flags, f->why);
}

void coverage_merge_goal(struct coverage *c, const struct goal *f)
{
    if (f->actor) {
        merge_place(c, f);
        return;
    }
    bool turned = f->flags & GOAL_TURNED;
    uint32_t a = number_of(c, f->a), b = number_of(c, f->b);
    uint32_t pair = coverage_make_pair(c, turned ? b : a, turned ? a : b);
    if (pair == NO_GOAL)
        return;
    struct event_pair *p = &c->pairs.at[pair];
    if (!(p->flags[f->criterion] & GOAL_HERE))
        p->flags[f->criterion] = turned ? GOAL_TURNED : 0;
    pair_learn(p, f->criterion, f->flags, f->why);
}

void coverage_merge(struct coverage *c, const struct coverage *from)
{
    for (uint32_t i = 0; i < from->pairs.n; i++)
        for (int cr = 0; cr < CRITERIA_N; cr++) {
            struct goal g;
            if (coverage_goal(from, i, (enum criterion)cr, &g))
                coverage_merge_goal(c, &g);
        }
    for (uint32_t i = 0; i < from->places.at.n; i++)
        coverage_merge_goal(c, &from->places.at.at[i]);
}
