#include "cover/criteria.h"

#include "base/die.h"
#include "base/hash.h"

#include <stdlib.h>
#include <string.h>

static const char *const ids[] = {
#define CRITERION_(name, id, text) id,
    CRITERIA(CRITERION_)
#undef CRITERION_
};
static const char *const texts[] = {
#define CRITERION_(name, id, text) text,
    CRITERIA(CRITERION_)
#undef CRITERION_
};

const char *criterion_id(enum criterion c)
{
    return ids[c];
}

const char *criterion_text(enum criterion c)
{
    return texts[c];
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
    vec_free(&c->goals);
    map_free(&c->index);
    map_free(&c->rows);
    map_free(&c->names);
    map_free(&c->kinds);
    vec_free(&c->name_list);
    arena_free(&c->texts);
}

static uint64_t key_of(uint64_t a, uint64_t b, enum criterion cr)
{
    return hash_join(hash_join((uint64_t)cr + 1, a), b);
}

static struct goal *find(const struct coverage *c, uint64_t a, uint64_t b,
                         enum criterion cr)
{
    uint32_t i =
        map_get(&c->index, a < b ? key_of(a, b, cr) : key_of(b, a, cr));
    return i == MAP_NONE ? NULL : &c->goals.at[i];
}

struct goal *coverage_goal(const struct coverage *c, uint64_t a, uint64_t b,
                           enum criterion cr)
{
    return find(c, a, b, cr);
}

static bool has_room(const struct coverage *c)
{
    return c->goals.n < (c->most ? c->most : MOST_GOALS);
}

// Where they were met first a came before b.  NULL if there is no room for one
// more.
static struct goal *known(struct coverage *c, uint64_t a, uint64_t b,
                          enum criterion cr)
{
    uint64_t low = a < b ? a : b, high = a < b ? b : a;
    if (!has_room(c) && !find(c, a, b, cr)) {
        c->full = true;
        return NULL;
    }
    uint32_t *at = map_at(&c->index, key_of(low, high, cr));
    if (*at == MAP_NONE) {
        struct goal g = {.criterion = cr,
                         .flags = a < b ? 0 : GOAL_TURNED,
                         .a = low,
                         .b = high};
        *at = c->goals.n;
        c->totals[cr].goals += 2;
        vec_push(&c->goals, g);
        map_put(&c->rows, a, 1);
        return &vec_last(&c->goals);
    }
    return &c->goals.at[*at];
}

// What a goal adds to the numbers but for being one.
static struct coverage_counts counts_of(const struct goal *g)
{
    uint32_t f = g->flags;
    uint32_t seen = !!(f & GOAL_FORTH) + !!(f & GOAL_BACK);
    return (struct coverage_counts){
        .covered = seen,
        .pairs = seen == 2,
        .impossible = (uint32_t)((f & GOAL_NO_FORTH && !(f & GOAL_FORTH)) +
                                 (f & GOAL_NO_BACK && !(f & GOAL_BACK)))};
}

static void learn(struct coverage *c, struct goal *g, uint32_t flags)
{
    struct coverage_counts *n = &c->totals[g->criterion];
    struct coverage_counts old = counts_of(g);
    g->flags |= flags;
    struct coverage_counts new = counts_of(g);
    n->covered += new.covered - old.covered;
    n->pairs += new.pairs - old.pairs;
    n->impossible += new.impossible - old.impossible;
}

static uint64_t kind_key(const struct record *r, uint32_t i, uint32_t j,
                         enum criterion cr)
{
    return key_of(r->events.at[i].kind, r->events.at[j].kind, cr);
}

bool coverage_has_kind(const struct coverage *c, const struct record *r,
                       uint32_t i, uint32_t j, enum criterion cr)
{
    return map_get(&c->kinds, kind_key(r, i, j, cr)) != MAP_NONE;
}

// The same text is kept once.
static const char *intern(struct coverage *c, const char *s)
{
    uint64_t key = hash_bytes(s, strlen(s));
    uint32_t *at = map_at(&c->names, key);
    if (*at == MAP_NONE) {
        *at = c->name_list.n;
        vec_push(&c->name_list, (const char *)arena_text(&c->texts, s));
    }
    return c->name_list.at[*at];
}

// "flush<terminator#1", once per event.
static const char *name_of(struct coverage *c, struct play *p,
                           const struct record *r, uint32_t i, bool *news)
{
    const struct event *e = &r->events.at[i];
    uint32_t *at = map_at(&c->names, e->id);
    if (*at == MAP_NONE) {
        *news = true;
        *at = c->name_list.n;
        vec_push(&c->name_list,
                 (const char *)arena_format(
                     &c->texts, "%s<%s", r->names.at[i],
                     play_actor_name(p, r->actors.at[e->sender].id)));
    }
    return c->name_list.at[*at];
}

static void name_goal(struct coverage *c, struct play *p, struct goal *g,
                      const struct record *r, uint32_t i, uint32_t j)
{
    bool ignored;
    const struct event *e = &r->events.at[i];
    if (g->actor)
        return;
    uint32_t a = e->id == g->a ? i : j, b = e->id == g->a ? j : i;
    g->a_name = name_of(c, p, r, a, &ignored);
    g->b_name = name_of(c, p, r, b, &ignored);
    g->actor = intern(c, play_actor_name(p, r->actors.at[e->actor].id));
}

// What the schedule says of i before j: seen if `achieved`, and the other way
// round impossible if they must be so.
static uint32_t note(struct coverage *c, struct play *p, const struct record *r,
                     uint32_t i, uint32_t j, enum criterion cr, bool achieved,
                     enum constraint why)
{
    struct goal *g = known(c, r->events.at[i].id, r->events.at[j].id, cr);
    if (!g)
        return 0;
    bool forth = r->events.at[i].id == g->a;
    uint32_t seen = forth ? GOAL_FORTH : GOAL_BACK;
    uint32_t never = forth ? GOAL_NO_BACK : GOAL_NO_FORTH;
    bool gain = achieved && !(g->flags & seen);
    name_goal(c, p, g, r, i, j);
    if (gain) {
        learn(c, g, seen);
        map_put(&c->kinds, kind_key(r, i, j, cr), 1);
    }
    if (why != CONSTRAINT_NONE) {
        learn(c, g, never);
        g->why = why;
    }
    return gain;
}

// What holds in every execution is looked for once per pair.
static enum constraint always(const struct coverage *c, const struct musthb *m,
                              const struct record *r, uint32_t i, uint32_t j)
{
    uint64_t a = r->events.at[i].id, b = r->events.at[j].id;
    const struct goal *g = find(c, a, b, CRITERION_PR);
    if (!g)
        return musthb_always(m, i, j);
    uint32_t never = a == g->a ? GOAL_NO_BACK : GOAL_NO_FORTH;
    return g->flags & never ? g->why : CONSTRAINT_NONE;
}

// Which of the events have goals of their own row.  Without room for more, two
// events that have none have no goal together.
static bool *rows_of(const struct coverage *c, const struct record *r,
                     const uint32_t *events, uint32_t n)
{
    bool *has = need_zero(n * sizeof *has);
    for (uint32_t x = 0; x < n; x++) {
        uint64_t id = r->events.at[events[x]].id;
        has[x] = map_get(&c->rows, id) != MAP_NONE;
    }
    return has;
}

static uint32_t add_pair(struct coverage *c, struct play *p,
                         const struct record *r, const struct musthb *m,
                         uint32_t i, uint32_t j, bool next, bool clear)
{
    enum constraint why = always(c, m, r, i, j);
    uint32_t gained = note(c, p, r, i, j, CRITERION_PR, true, why);
    gained += note(c, p, r, i, j, CRITERION_PCR, next, why);
    if (criterion_related(r, i, j, CRITERION_PMR))
        gained += note(c, p, r, i, j, CRITERION_PMR, clear, why);
    return gained;
}

static uint32_t add_actor(struct coverage *c, struct play *p,
                          const struct record *r, const struct musthb *m,
                          const uint32_t *events, uint32_t n)
{
    uint32_t gained = 0;
    bool *has = NULL; // once there is no room for more goals
    for (uint32_t x = 0; x < n; x++) {
        bool clear = true; // no change of behaviour strictly between
        if (!has && !has_room(c))
            has = rows_of(c, r, events, n);
        for (uint32_t y = x + 1; y < n; y++) {
            if (has && !has[x] && !has[y])
                c->full = true;
            else
                gained += add_pair(c, p, r, m, events[x], events[y], y == x + 1,
                                   clear);
            clear &= !r->events.at[events[y]].changes;
        }
    }
    free(has);
    return gained;
}

uint32_t coverage_add(struct coverage *c, struct play *p,
                      const struct record *r, const struct musthb *m,
                      bool *news)
{
    VEC(uint32_t) mine = {0};
    uint32_t gained = 0;
    bool fresh = false;
    for (uint32_t i = 0; i < r->events.n; i++)
        if (event_counts(&r->events.at[i]))
            name_of(c, p, r, i, &fresh);
    for (uint32_t a = 0; a < r->actors.n; a++) {
        vec_clear(&mine);
        for (uint32_t i = 0; i < r->events.n; i++)
            if (r->events.at[i].actor == a && event_counts(&r->events.at[i]))
                vec_push(&mine, i);
        gained += add_actor(c, p, r, m, mine.at, mine.n);
    }
    vec_free(&mine);
    if (news)
        *news = fresh;
    return gained;
}

void coverage_merge(struct coverage *c, const struct coverage *from)
{
    for (uint32_t i = 0; i < from->goals.n; i++) {
        const struct goal *f = &from->goals.at[i];
        bool turned = f->flags & GOAL_TURNED;
        struct goal *g =
            known(c, turned ? f->b : f->a, turned ? f->a : f->b, f->criterion);
        if (!g)
            continue;
        learn(c, g, f->flags);
        if (f->why)
            g->why = f->why;
        if (!g->actor && f->actor) {
            g->actor = intern(c, f->actor);
            g->a_name = intern(c, f->a_name);
            g->b_name = intern(c, f->b_name);
        }
    }
}

bool coverage_has(const struct coverage *c, const struct record *r, uint32_t i,
                  uint32_t j, enum criterion cr)
{
    uint64_t a = r->events.at[i].id, b = r->events.at[j].id;
    const struct goal *g = find(c, a, b, cr);
    return g && g->flags & (a == g->a ? GOAL_FORTH : GOAL_BACK);
}

void coverage_count(struct coverage_counts *n, const struct goal *g)
{
    struct coverage_counts one = counts_of(g);
    n->goals += 2;
    n->covered += one.covered;
    n->pairs += one.pairs;
    n->impossible += one.impossible;
}
