// Adding a record: what it says of each two receives of an actor.
//
// Most of the time that `cover` takes is spent here, and most records say of
// most pairs what others said before: is_news() leaves those out.
#include "cover/criteria_inner.h"

#include <string.h>

// ---- one pair of a record ---------------------------------------------------

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
    const char *i = coverage_place_name(c, x->play, x->r, x->i);
    const char *j = coverage_place_name(c, x->play, x->r, x->j);
    uint32_t actor = x->r->events.at[x->i].actor;
    g->actor =
        coverage_intern(c, play_actor_name(x->play, x->r->actors.at[actor].id));
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
        goal_learn(c, g, flags, x->why);
}

// Is the order new?
static bool note_event(struct event_pair *p, enum criterion cr,
                       const struct seen_pair *x, bool forth, bool achieved)
{
    uint32_t flags = said_of(x, forth, achieved);
    bool gain = achieved && !(p->flags[cr] & (forth ? GOAL_FORTH : GOAL_BACK));
    if ((p->flags[cr] & flags) != flags || (x->why && !p->why[cr]))
        pair_learn(p, cr, flags, x->why);
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
    uint32_t *first = map_at(&c->places.index, goal_key(a, b));
    p->place = *first;
    return first;
}

static bool note(struct coverage *c, const struct seen_pair *x, uint32_t pair,
                 bool forth, enum criterion cr, bool achieved)
{
    struct event_pair *p = &c->pairs.at[pair];
    uint32_t *first = place_of_pair(c, x, p);
    struct goal *s = goal_of(&c->places, *first, cr);
    if (!s)
        s = goal_add(c, first, x->place_i, x->place_j, cr);
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
        map_put(&c->kinds, coverage_kind_key(x->r, x->i, x->j, cr), 1);
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
            vec_push(&l->places, coverage_place(c, l->play, l->r, i));
            vec_push(&l->numbers, coverage_number(c, l->r->events.at[i].id, who,
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
    if (coverage_has_room(c) || c->known.at[first].leads ||
        c->known.at[second].leads)
        return coverage_make_pair(c, first, second);
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

// Which pairs a record has is kept with it, as long as they are not too many.
enum { MOST_OF_RECORD = 1 << 18 };

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
