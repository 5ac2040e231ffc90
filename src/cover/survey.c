// One pass over the goals sorts them by actor; everything shown follows from
// that.
#include "cover/survey.h"

#include "base/hash.h"
#include "base/json.h"
#include "base/text.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char *const reasons[] = {
#define REASON_(name, text) text,
    REASONS(REASON_)
#undef REASON_
};

// ---- sorting --------------------------------------------------------------

static uint32_t actor_of(struct survey *v, struct map *by_name,
                         const char *name)
{
    uint32_t *at = map_at(by_name, hash_bytes(name, strlen(name)));
    if (*at == MAP_NONE) {
        struct survey_actor a = {.name = name};
        *at = v->actors.n;
        vec_push(&v->actors, a);
    }
    return *at;
}

static void note_event(struct survey *v, uint32_t actor, const struct goal *g,
                       bool b)
{
    uint64_t id = b ? g->b : g->a;
    uint32_t *at = map_at(&v->by_id, id);
    if (*at != MAP_NONE)
        return;
    *at = v->events.n;
    vec_push(&v->actors.at[actor].events, v->events.n);
    struct survey_event e = {id, b ? g->b_name : g->a_name, actor};
    vec_push(&v->events, e);
}

// Numbers in names count as numbers.
static int by_name(const void *x, const void *y)
{
    const char *a = ((const struct survey_actor *)x)->name;
    const char *b = ((const struct survey_actor *)y)->name;
    while (*a && *b) {
        if (isdigit((unsigned char)*a) && isdigit((unsigned char)*b)) {
            char *end_a, *end_b;
            unsigned long i = strtoul(a, &end_a, 10),
                          j = strtoul(b, &end_b, 10);
            if (i != j)
                return i < j ? -1 : 1;
            a = end_a;
            b = end_b;
        } else if (*a++ != *b++) {
            return (unsigned char)a[-1] - (unsigned char)b[-1];
        }
    }
    return (unsigned char)*a - (unsigned char)*b;
}

static void sort_actors(struct survey *v)
{
    if (v->actors.n)
        qsort(v->actors.at, v->actors.n, sizeof *v->actors.at, by_name);
    for (uint32_t i = 0; i < v->actors.n; i++)
        for (uint32_t k = 0; k < v->actors.at[i].events.n; k++)
            v->events.at[v->actors.at[i].events.at[k]].actor = i;
}

void survey_make(struct survey *v, const struct coverage *c)
{
    struct map names = {0};
    *v = (struct survey){.coverage = c};
    for (uint32_t i = 0; i < c->places.at.n; i++) {
        const struct goal *g = &c->places.at.at[i];
        uint32_t a = actor_of(v, &names, g->actor);
        coverage_count(&v->actors.at[a].counts[g->criterion], g);
        note_event(v, a, g, g->flags & GOAL_TURNED);
        note_event(v, a, g, !(g->flags & GOAL_TURNED));
    }
    sort_actors(v);
    map_free(&names);
}

void survey_free(struct survey *v)
{
    for (uint32_t i = 0; i < v->actors.n; i++)
        vec_free(&v->actors.at[i].events);
    vec_free(&v->actors);
    vec_free(&v->events);
    map_free(&v->by_id);
}

static const struct survey_event *event(const struct survey *v, uint64_t id)
{
    return &v->events.at[map_get(&v->by_id, id)];
}

// ---- numbers --------------------------------------------------------------

static void number_row(const char *actor, enum criterion cr,
                       const struct coverage_counts *n, struct text *to)
{
    uint64_t possible = n->goals - n->impossible;
    if (!n->goals)
        return;
    text_format(
        to, "   %-20s %-4s %8" PRIu64 " %8" PRIu64 " %10" PRIu64 " %8" PRIu64,
        actor, criterion_id(cr), n->goals, n->covered, n->impossible,
        possible - n->covered);
    if (possible)
        text_format(to, " %6.1f", 100. * (double)n->covered / (double)possible);
    text_char(to, '\n');
}

void survey_numbers(const struct survey *v, const bool *criteria,
                    struct text *to)
{
    const struct coverage *c = v->coverage;
    if (c->places.at.n)
        text_format(to, "   %-20s %-4s %8s %8s %10s %8s %6s\n", "actor", "",
                    "goals", "covered", "ruled out", "left", "%");
    else
        text_add(to, "   no actor receives two messages\n");
    for (int cr = 0; cr < CRITERIA_N; cr++) {
        for (uint32_t i = 0; criteria[cr] && i < v->actors.n; i++)
            number_row(v->actors.at[i].name, (enum criterion)cr,
                       &v->actors.at[i].counts[cr], to);
        if (criteria[cr])
            number_row("all", (enum criterion)cr, &c->totals[cr], to);
    }
    if (c->full)
        text_format(to, "   there are more goals than the %d kept\n",
                    MOST_GOALS);
}

// ---- matrices -------------------------------------------------------------

enum { SMALL_TABLE = 8, SMALL_NUMBER = 6, MOST_JSON = 50 };

// What is known of x before y: NULL if they never were in one schedule, else
// "yes", "-", or the constraint against it.
static const char *order(const struct survey *v, enum criterion cr, uint32_t x,
                         uint32_t y)
{
    uint64_t a = v->events.at[x].id, b = v->events.at[y].id;
    const struct goal *g = goal_find(&v->coverage->places, a, b, cr);
    if (x == y || !g)
        return NULL;
    bool forth = a == g->a;
    if (g->flags & (forth ? GOAL_FORTH : GOAL_BACK))
        return "yes";
    return goal_is_ruled_out(g, forth) ? constraint_id(g->why) : "-";
}

static void matrix_row(const struct survey *v, const struct survey_actor *a,
                       enum criterion cr, uint32_t y, uint32_t n,
                       struct text *to)
{
    text_format(to, "   %2u %-25.25s", y + 1,
                v->events.at[a->events.at[y]].name);
    for (uint32_t x = 0; x < n; x++) {
        const char *s = order(v, cr, a->events.at[y], a->events.at[x]);
        bool word = s && (strcmp(s, "yes") == 0 || strcmp(s, "-") == 0);
        if (!s || word)
            text_format(to, " %4s", x == y ? "." : s ? s : "");
        else
            text_format(to, " no:%c", *s);
    }
    text_char(to, '\n');
}

static void matrix(const struct survey *v, const struct survey_actor *a,
                   enum criterion cr, uint32_t most, struct text *to)
{
    uint32_t n = a->events.n < most ? a->events.n : most;
    text_format(to, "%s: a receive (row) before another (column), %s\n",
                a->name, criterion_id(cr));
    text_format(to, "   %28s", "");
    for (uint32_t x = 0; x < n; x++)
        text_format(to, " %4u", x + 1);
    text_char(to, '\n');
    for (uint32_t y = 0; y < n; y++)
        matrix_row(v, a, cr, y, n, to);
    if (a->events.n > n)
        text_format(to, "   and %u more receives\n", a->events.n - n);
}

void survey_matrices(const struct survey *v, enum criterion cr, uint32_t most,
                     struct text *to)
{
    for (uint32_t i = 0; i < v->actors.n; i++)
        if (v->actors.at[i].counts[cr].goals)
            matrix(v, &v->actors.at[i], cr, most, to);
    if (v->coverage->totals[cr].goals)
        text_add(to,
                 "   yes: seen; -: not seen; empty: never in one schedule; no: "
                 "ruled out in\n   every schedule with both, by causality "
                 "(c), sender and receiver (s),\n   timers (t), queues (q), or "
                 "not seen in any execution (e)\n");
}

bool survey_is_small(const struct survey *v)
{
    bool small = v->actors.n <= SMALL_NUMBER;
    for (uint32_t i = 0; i < v->actors.n; i++)
        small &= v->actors.at[i].events.n <= SMALL_TABLE;
    return small;
}

// ---- what is left ---------------------------------------------------------

// REASONS_N: it is not left.
static enum reason why_left(const struct goal *g, bool forth)
{
    uint32_t f = g->flags;
    if (f & (forth ? GOAL_FORTH : GOAL_BACK) || goal_is_ruled_out(g, forth))
        return REASONS_N;
    return f & (forth ? GOAL_TRIED_FORTH : GOAL_TRIED_BACK) ? REASON_TRIED
                                                            : REASON_OPEN;
}

// Call each with the goals of a criterion that are left for a reason, `most` of
// them; returns how many there are.
static uint64_t each_left(const struct survey *v, enum criterion cr,
                          enum reason why, uint32_t most,
                          void (*each)(void *to, const struct survey *v,
                                       const struct goal *g, bool forth),
                          void *to)
{
    uint64_t n = 0;
    for (uint32_t i = 0; i < v->coverage->places.at.n; i++) {
        const struct goal *g = &v->coverage->places.at.at[i];
        for (int way = 0; way < 2 && g->criterion == cr; way++)
            if (why_left(g, !way) == why && n++ < most)
                each(to, v, g, !way);
    }
    return n;
}

static void text_goal(void *to, const struct survey *v, const struct goal *g,
                      bool forth)
{
    const struct survey_event *a = event(v, forth ? g->a : g->b);
    const struct survey_event *b = event(v, forth ? g->b : g->a);
    text_format(to, "   %-4s %s: %s before %s\n", criterion_id(g->criterion),
                v->actors.at[a->actor].name, a->name, b->name);
}

// The orders that are ruled out, by what rules them out: a line each for what
// only schedules recorded so far say, and for what all executions say.
static void text_ruled_out(const struct survey *v, const bool *criteria,
                           struct text *to)
{
    uint64_t by[CONSTRAINTS_N] = {0}, all = 0, never = 0;
    bool first = true;
    for (uint32_t i = 0; i < v->coverage->places.at.n; i++) {
        const struct goal *g = &v->coverage->places.at.at[i];
        for (int way = 0; way < 2 && criteria[g->criterion]; way++) {
            bool forth = !way;
            if (g->flags & (forth ? GOAL_FORTH : GOAL_BACK) ||
                !goal_is_ruled_out(g, forth))
                continue;
            bool known = g->flags & (forth ? GOAL_NO_FORTH : GOAL_NO_BACK);
            if (known && g->why == CONSTRAINT_NEVER) {
                never++;
            } else {
                by[g->why]++;
                all++;
            }
        }
    }
    if (all) {
        text_format(to,
                    "not covered: ruled out by other constraints in every "
                    "recorded schedule: %" PRIu64 " goal%s (",
                    all, all == 1 ? "" : "s");
        for (int c = 0; c < CONSTRAINTS_N; c++) {
            if (!by[c])
                continue;
            text_format(to, "%s%s %" PRIu64, first ? "" : ", ",
                        constraint_id((enum constraint)c), by[c]);
            first = false;
        }
        text_add(to, ")\n");
    }
    if (never)
        text_format(to,
                    "not covered: no execution has this order: %" PRIu64
                    " goal%s\n",
                    never, never == 1 ? "" : "s");
}

void survey_left(const struct survey *v, const bool *criteria,
                 const char *ended, uint32_t most, struct text *to)
{
    text_ruled_out(v, criteria, to);
    for (int why = 0; why < REASONS_N; why++) {
        struct text some = {0};
        uint64_t n = 0;
        for (int cr = 0; cr < CRITERIA_N; cr++)
            if (criteria[cr])
                n += each_left(v, (enum criterion)cr, (enum reason)why,
                               n < most ? most - (uint32_t)n : 0, text_goal,
                               &some);
        if (n) {
            text_format(to, "not covered: %s%s%s: %" PRIu64 " goal%s\n",
                        reasons[why], why == REASON_OPEN && ended ? ": " : "",
                        why == REASON_OPEN && ended ? ended : "", n,
                        n == 1 ? "" : "s");
            text_add(to, text_get(&some));
        }
        if (n > most)
            text_format(to, "   and %" PRIu64 " more\n", n - most);
        text_free(&some);
    }
}

// ---- JSON -----------------------------------------------------------------

static void json_counts(struct json *j, const struct coverage_counts *counts)
{
    json_object(j, "criteria");
    for (int cr = 0; cr < CRITERIA_N; cr++) {
        json_object(j, criterion_id((enum criterion)cr));
        json_number(j, "goals", (int64_t)counts[cr].goals);
        json_number(j, "covered", (int64_t)counts[cr].covered);
        json_number(j, "impossible", (int64_t)counts[cr].impossible);
        json_end(j);
    }
    json_end(j);
}

static void json_matrix(const struct survey *v, const struct survey_actor *a,
                        enum criterion cr, struct json *j)
{
    uint32_t n = a->events.n < MOST_JSON ? a->events.n : MOST_JSON;
    json_array(j, "receives");
    for (uint32_t i = 0; i < n; i++)
        json_text(j, NULL, v->events.at[a->events.at[i]].name);
    json_end(j);
    json_number(j, "more_receives", a->events.n - n);
    json_array(j, "before");
    for (uint32_t y = 0; y < n; y++) {
        bool compact = j->compact;
        json_array(j, NULL);
        j->compact = true; // a row on a line
        for (uint32_t x = 0; x < n; x++)
            json_text(j, NULL, order(v, cr, a->events.at[y], a->events.at[x]));
        json_end(j);
        j->compact = compact;
    }
    json_end(j);
}

static void json_goal(void *to, const struct survey *v, const struct goal *g,
                      bool forth)
{
    const struct survey_event *a = event(v, forth ? g->a : g->b);
    const struct survey_event *b = event(v, forth ? g->b : g->a);
    json_object(to, NULL);
    json_text(to, "criterion", criterion_id(g->criterion));
    json_text(to, "actor", v->actors.at[a->actor].name);
    json_text(to, "first", a->name);
    json_text(to, "second", b->name);
    json_text(to, "reason", reasons[why_left(g, forth)]);
    json_end(to);
}

static void json_left(const struct survey *v, const bool *criteria,
                      struct json *j)
{
    uint64_t n = 0, shown = 0;
    json_array(j, "left");
    for (int k = 0; k < CRITERIA_N * REASONS_N; k++) {
        int cr = k / REASONS_N;
        uint32_t most = (uint32_t)(20 * MOST_JSON - shown);
        uint64_t some = criteria[cr] ? each_left(v, (enum criterion)cr,
                                                 (enum reason)(k % REASONS_N),
                                                 most, json_goal, j)
                                     : 0;
        n += some;
        shown += some < most ? some : most;
    }
    json_end(j);
    json_number(j, "more_left", (int64_t)(n - shown));
}

void survey_json(const struct survey *v, const bool *criteria, struct json *j)
{
    enum criterion cr = 0;
    while (cr + 1 < CRITERIA_N && !criteria[cr])
        cr++;
    json_counts(j, v->coverage->totals);
    json_bool(j, "full", v->coverage->full);
    json_array(j, "actors");
    for (uint32_t i = 0; i < v->actors.n; i++) {
        const struct survey_actor *a = &v->actors.at[i];
        json_object(j, NULL);
        json_text(j, "actor", a->name);
        json_counts(j, a->counts);
        json_text(j, "matrix", criterion_id(cr));
        json_matrix(v, a, cr, j);
        json_end(j);
    }
    json_end(j);
    json_left(v, criteria, j);
}
