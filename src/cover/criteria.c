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

const struct goal *goal_find(const struct goal_table *t, uint64_t a, uint64_t b,
                             enum criterion cr)
{
    return by(t, map_get(&t->index, pair_key(a, b)), cr);
}

// A new goal of two places that were in one schedule, a first.  *first is the
// first goal of the pair.  NULL if there is no room for one more; it has
// neither flags nor names.
static struct goal *add_place(struct coverage *c, uint32_t *first, uint64_t a,
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

// The same of a receive that an actor makes at a place.
static uint32_t number_at(struct coverage *c, uint64_t id, uint64_t actor,
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

static bool has_room(const struct coverage *c)
{
    return c->pairs.n < (c->most ? c->most : MOST_PAIRS);
}

// The pair of two events that were in one schedule, first before second.
// NO_GOAL: there is no room for one more.
static uint32_t pair_of_numbers(struct coverage *c, uint32_t first,
                                uint32_t second)
{
    uint32_t old = pair_numbered(c, first, second);
    if (old != NO_GOAL || !has_room(c)) {
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

// Which pairs a record has is kept with it, as long as they are not too many.
enum { MOST_OF_RECORD = 1 << 18 };
_Static_assert(MOST_PAIRS < UINT32_MAX / 2, "twice the number, and a bit");

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

static void learn_place(struct coverage *c, struct goal *g, uint32_t flags,
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

static void learn_event(struct event_pair *p, enum criterion cr, uint32_t flags,
                        enum constraint why)
{
    p->flags[cr] |= (uint16_t)(flags & ~(uint32_t)GOAL_TURNED) | GOAL_HERE;
    if (why != CONSTRAINT_NONE)
        p->why[cr] = (uint8_t)why;
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

static uint64_t place_of(struct coverage *c, struct play *p,
                         const struct record *r, uint32_t i)
{
    const struct event *e = &r->events.at[i];
    uint64_t who = hash_join(actor_name_hash(c, p, r, e->actor),
                             actor_name_hash(c, p, r, e->sender));
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

// like: a goal of the same places, which may have its names.
static void name_goal(struct coverage *c, const struct seen_pair *x,
                      const struct goal *like, struct goal *g)
{
    if (like->actor) {
        g->actor = like->actor;
        g->a_name = like->a_name;
        g->b_name = like->b_name;
        return;
    }
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
static uint32_t said_of(const struct seen_pair *x, bool forth, bool achieved)
{
    uint32_t flags = achieved ? forth ? GOAL_FORTH : GOAL_BACK : 0;
    if (!achieved && !x->apart)
        flags |= forth ? GOAL_FREE_FORTH : GOAL_FREE_BACK;
    if (x->why == CONSTRAINT_NONE)
        flags |= forth ? GOAL_FREE_BACK : GOAL_FREE_FORTH;
    return flags;
}

static void note_place(struct coverage *c, struct goal *g,
                       const struct seen_pair *x, bool achieved)
{
    uint32_t flags = said_of(x, x->place_i == g->a, achieved);
    if ((g->flags & flags) != flags || (x->why && !g->why))
        learn_place(c, g, flags, x->why);
}

// Is the order new?
static bool note_event(struct event_pair *p, enum criterion cr,
                       const struct seen_pair *x, bool forth, bool achieved)
{
    uint32_t flags = said_of(x, forth, achieved);
    bool gain = achieved && !(p->flags[cr] & (forth ? GOAL_FORTH : GOAL_BACK));
    if ((p->flags[cr] & flags) != flags || (x->why && !p->why[cr]))
        learn_event(p, cr, flags, x->why);
    return gain;
}

// The first goal of the places of the pair.  Two events mostly have the same
// places in all executions, so the pair remembers it.
static uint32_t *place_of_pair(struct coverage *c, const struct seen_pair *x,
                               struct event_pair *p)
{
    bool forth = x->place_i < x->place_j;
    uint64_t a = forth ? x->place_i : x->place_j;
    uint64_t b = forth ? x->place_j : x->place_i;
    const struct goal *s =
        p->place == NO_GOAL ? NULL : &c->places.at.at[p->place];
    if (s && s->a == a && s->b == b)
        return &p->place;
    uint32_t *first = map_at(&c->places.index, pair_key(a, b));
    p->place = *first;
    return first;
}

static bool note(struct coverage *c, const struct seen_pair *x, uint32_t pair,
                 bool forth, enum criterion cr, bool achieved)
{
    struct event_pair *p = &c->pairs.at[pair];
    uint32_t *first = place_of_pair(c, x, p);
    struct goal *s = by(&c->places, *first, cr);
    if (!s)
        s = add_place(c, first, x->place_i, x->place_j, cr);
    if (!s)
        return false;
    p->place = *first;
    if (!s->actor)
        name_goal(c, x, &c->places.at.at[*first], s);
    note_place(c, s, x, achieved);
    if (!(p->flags[cr] & GOAL_HERE))
        p->flags[cr] = forth ? GOAL_HERE : GOAL_HERE | GOAL_TURNED;
    bool gain = note_event(p, cr, x, forth, achieved);
    if (gain)
        map_put(&c->kinds, kind_key(x->r, x->i, x->j, cr), 1);
    return gain;
}

// What a record says of two receives; a number below 32.
enum {
    SAID_MUST = 1,    // the first must come before the second
    SAID_APART = 2,   // ... and another receive between them
    SAID_NEXT = 4,    // the second came directly after the first
    SAID_CLEAR = 8,   // no change of behaviour came between
    SAID_RELATED = 16 // one of them changes the behaviour
};

// The receives of one actor that count, in their order.
struct receives {
    struct play *play;
    struct record *r;
    const struct musthb *m;
    VEC(uint32_t) events;
    VEC(uint64_t) places;
    VEC(uint32_t) numbers; // of coverage
    // A row of bits for each: those before it that must come before it.
    VEC(uint64_t) must;
    uint32_t words; // in a row
};

static void take_receives(struct coverage *c, struct receives *l,
                          uint32_t actor)
{
    uint64_t who = l->r->actors.at[actor].hash;
    vec_clear(&l->events);
    vec_clear(&l->places);
    vec_clear(&l->numbers);
    for (uint32_t i = 0; i < l->r->events.n; i++)
        if (l->r->events.at[i].actor == actor &&
            event_counts(&l->r->events.at[i])) {
            l->r->rank.at[i] = l->events.n;
            vec_push(&l->events, i);
            vec_push(&l->places, place_of(c, l->play, l->r, i));
            vec_push(&l->numbers, number_at(c, l->r->events.at[i].id, who,
                                            vec_last(&l->places)));
        }
}

static void take_musts(struct receives *l)
{
    uint32_t n = l->events.n;
    l->words = n / 64 + 2;
    vec_clear(&l->must);
    vec_room(&l->must, (size_t)n * l->words);
    l->must.n = n * l->words;
    if (n)
        memset(l->must.at, 0, l->must.n * sizeof *l->must.at);
    for (uint32_t y = 1; y < n; y++) {
        uint64_t *row = l->must.at + (size_t)y * l->words;
        for (uint32_t x = 0; x < y; x++)
            if (musthb(l->m, l->events.at[x], l->events.at[y]))
                row[x / 64] |= UINT64_C(1) << x % 64;
    }
}

static bool must(const struct receives *l, uint32_t x, uint32_t y)
{
    return l->must.at[(size_t)y * l->words + x / 64] >> x % 64 & 1;
}

// Those of the receives after x that must come after it, and that must come
// before y, as bits.  The nearest are looked at.
enum { BETWEEN = 16 };

static uint32_t after(const struct receives *l, uint32_t x)
{
    uint32_t bits = 0;
    for (uint32_t k = 0; k < BETWEEN && x + 1 + k < l->events.n; k++)
        bits |= (uint32_t)must(l, x, x + 1 + k) << k;
    return bits;
}

static uint32_t before(const struct receives *l, uint32_t x, uint32_t y)
{
    const uint64_t *row = l->must.at + (size_t)y * l->words;
    uint32_t from = x + 1, shift = from % 64;
    uint64_t bits = row[from / 64] >> shift;
    if (shift > 64 - BETWEEN)
        bits |= row[from / 64 + 1] << (64 - shift);
    return bits & ((1u << BETWEEN) - 1);
}

// Most records say of most pairs what others said before.  There is a bit for
// each thing that a record can say of two receives.  False: the same was noted
// already, and to note it again would change nothing.
static bool is_news(struct coverage *c, const struct receives *l, uint32_t x,
                    uint32_t y, uint32_t pair, bool forth, uint32_t said)
{
    struct event_pair *p = &c->pairs.at[pair];
    uint32_t *noted = &p->noted[!forth];
    if (c->known.at[l->numbers.at[x]].place != l->places.at[x] ||
        c->known.at[l->numbers.at[y]].place != l->places.at[y])
        return true;
    bool fresh = !(*noted >> said & 1);
    *noted |= 1u << said;
    return fresh;
}

static uint32_t add_pair(struct coverage *c, const struct receives *l,
                         uint32_t x, uint32_t y, uint32_t pair, bool forth,
                         uint32_t said)
{
    uint32_t i = l->events.at[x], j = l->events.at[y];
    struct seen_pair one = {.play = l->play,
                            .r = l->r,
                            .i = i,
                            .j = j,
                            .place_i = l->places.at[x],
                            .place_j = l->places.at[y],
                            .why = musthb_why(l->m, i, j),
                            .apart = said & SAID_APART};
    uint32_t gained = note(c, &one, pair, forth, CRITERION_PR, true);
    gained += note(c, &one, pair, forth, CRITERION_PCR, said & SAID_NEXT);
    if (said & SAID_RELATED)
        gained += note(c, &one, pair, forth, CRITERION_PMR, said & SAID_CLEAR);
    return gained;
}

// Without room for more pairs two events that lead none have none together.
static uint32_t pair_for(struct coverage *c, const struct receives *l,
                         uint32_t x, uint32_t y)
{
    uint32_t first = l->numbers.at[x], second = l->numbers.at[y];
    if (has_room(c) || c->known.at[first].leads || c->known.at[second].leads)
        return pair_of_numbers(c, first, second);
    c->full = true;
    return NO_GOAL;
}

static uint32_t add_actor(struct coverage *c, const struct receives *l,
                          bool keeps)
{
    uint32_t gained = 0, n = l->events.n, at = l->r->pairs.n;
    if (keeps && n) {
        vec_room(&l->r->pairs, n * (n - 1) / 2);
        l->r->pairs.n += n * (n - 1) / 2;
    }
    for (uint32_t x = 0; x < n; x++) {
        const struct event *e = &l->r->events.at[l->events.at[x]];
        uint32_t clear = SAID_CLEAR; // no change of behaviour strictly between
        uint32_t near = after(l, x);
        for (uint32_t y = x + 1; y < n; y++) {
            const struct event *f = &l->r->events.at[l->events.at[y]];
            uint32_t pair = pair_for(c, l, x, y);
            bool forth = e->id < f->id;
            uint32_t said = clear;
            said |= must(l, x, y) ? SAID_MUST : 0;
            said |= said & SAID_MUST && near & before(l, x, y) ? SAID_APART : 0;
            said |= y == x + 1 ? SAID_NEXT : 0;
            said |= e->changes || f->changes ? SAID_RELATED : 0;
            if (keeps)
                l->r->pairs.at[at + y * (y - 1) / 2 + x] =
                    pair == NO_GOAL ? NO_GOAL : pair << 1 | !forth;
            if (pair != NO_GOAL && is_news(c, l, x, y, pair, forth, said))
                gained += add_pair(c, l, x, y, pair, forth, said);
            clear = f->changes ? 0 : clear;
        }
    }
    c->effort += (uint64_t)n * n;
    return gained;
}

// Pairs of receives by one actor that count.
static uint64_t pairs_of(const struct record *r)
{
    uint64_t sum = 0;
    for (uint32_t a = 0; a < r->actors.n; a++)
        sum += (uint64_t)r->actors.at[a].receives * r->actors.at[a].receives;
    return sum / 2;
}

uint32_t coverage_add(struct coverage *c, struct play *p, struct record *r,
                      const struct musthb *m)
{
    struct receives l = {.play = p, .r = r, .m = m};
    uint32_t gained = 0;
    bool keeps = pairs_of(r) <= MOST_OF_RECORD;
    vec_clear(&r->pairs);
    vec_clear(&r->first_pair);
    vec_clear(&r->rank);
    for (uint32_t i = 0; i < r->events.n; i++)
        vec_push(&r->rank, NO_EVENT);
    for (uint32_t a = 0; a < r->actors.n; a++) {
        vec_push(&r->first_pair, r->pairs.n);
        take_receives(c, &l, a);
        take_musts(&l);
        gained += add_actor(c, &l, keeps);
    }
    r->pairs_of = keeps ? c : NULL;
    vec_free(&l.events);
    vec_free(&l.places);
    vec_free(&l.numbers);
    vec_free(&l.must);
    return gained;
}

// ---- what else is learnt --------------------------------------------------

void coverage_try(struct coverage *c, struct play *p, const struct record *r,
                  uint32_t i, uint32_t j, enum criterion cr, bool made)
{
    uint32_t flag = made ? GOAL_TRIED_FORTH : GOAL_HELD_FORTH;
    uint64_t a = place_of(c, p, r, i), b = place_of(c, p, r, j);
    uint32_t first = map_get(&c->places.index, pair_key(a, b)), pair;
    struct goal *g = by(&c->places, first, cr);
    enum constraint why = made ? CONSTRAINT_NONE : CONSTRAINT_QUEUE;
    if (g)
        learn_place(c, g, a == g->a ? flag : flag << 1,
                    g->why ? CONSTRAINT_NONE : why);
    pair = coverage_pair(c, r->events.at[i].id, r->events.at[j].id);
    if (pair == NO_GOAL || !(c->pairs.at[pair].flags[cr] & GOAL_HERE))
        return;
    bool forth = r->events.at[i].id < r->events.at[j].id;
    learn_event(&c->pairs.at[pair], cr, forth ? flag : flag << 1,
                c->pairs.at[pair].why[cr] ? CONSTRAINT_NONE : why);
}

void coverage_complete(struct coverage *c)
{
    for (uint32_t i = 0; i < c->places.at.n; i++) {
        struct goal *g = &c->places.at.at[i];
        uint32_t never = (g->flags & GOAL_FORTH ? 0 : GOAL_NO_FORTH) |
                         (g->flags & GOAL_BACK ? 0 : GOAL_NO_BACK);
        if (never)
            learn_place(c, g, never,
                        g->why ? CONSTRAINT_NONE : CONSTRAINT_NEVER);
    }
}

static void merge_place(struct coverage *c, const struct goal *f)
{
    bool turned = f->flags & GOAL_TURNED;
    uint32_t *first = map_at(&c->places.index, pair_key(f->a, f->b));
    struct goal *g = by(&c->places, *first, f->criterion);
    if (!g)
        g = add_place(c, first, turned ? f->b : f->a, turned ? f->a : f->b,
                      f->criterion);
    if (!g)
        return;
    if (!g->actor) {
        g->actor = intern(c, f->actor);
        g->a_name = intern(c, f->a_name);
        g->b_name = intern(c, f->b_name);
    }
    learn_place(c, g, f->flags, f->why);
}

void coverage_merge_goal(struct coverage *c, const struct goal *f)
{
    if (f->actor) {
        merge_place(c, f);
        return;
    }
    bool turned = f->flags & GOAL_TURNED;
    uint32_t a = number_of(c, f->a), b = number_of(c, f->b);
    uint32_t pair = pair_of_numbers(c, turned ? b : a, turned ? a : b);
    if (pair == NO_GOAL)
        return;
    struct event_pair *p = &c->pairs.at[pair];
    if (!(p->flags[f->criterion] & GOAL_HERE))
        p->flags[f->criterion] = turned ? GOAL_TURNED : 0;
    learn_event(p, f->criterion, f->flags, f->why);
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
