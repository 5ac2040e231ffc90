#include "cover/keep.h"

#include "base/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- lines
// -------------------------------------------------------------------

void coverage_print(const struct coverage *c, struct text *to)
{
    for (uint32_t i = 0; i < c->goals.n; i++) {
        const struct goal *g = &c->goals.at[i];
        text_format(to, "%s %u %u %016" PRIx64 " %016" PRIx64 " %s\t%s\t%s\n",
                    criterion_id(g->criterion), g->flags, (unsigned)g->why,
                    g->a, g->b, g->actor ? g->actor : "",
                    g->a_name ? g->a_name : "", g->b_name ? g->b_name : "");
    }
}

static bool read_line(struct coverage *c, char *line)
{
    char id[8];
    unsigned flags, why;
    uint64_t a, b;
    int at = 0;
    if (sscanf(line, "%7s %u %u %" SCNx64 " %" SCNx64 " %n", id, &flags, &why,
               &a, &b, &at) != 5 ||
        !at || criterion_of(id) == CRITERIA_N || why >= CONSTRAINTS_N)
        return false;
    char *first = strchr(line + at, '\t');
    char *second = first ? strchr(first + 1, '\t') : NULL;
    if (!second)
        return false;
    *first = *second = '\0';
    struct coverage one = {0};
    struct goal g = {
        criterion_of(id), flags,     (enum constraint)why, a, b, line + at,
        first + 1,        second + 1};
    vec_push(&one.goals, g);
    coverage_merge(c, &one);
    vec_free(&one.goals);
    return true;
}

bool coverage_read(struct coverage *c, const char *lines)
{
    struct text line = {0};
    bool ok = true;
    while (*lines && ok) {
        size_t n = strcspn(lines, "\n");
        text_clear(&line);
        text_bytes(&line, lines, n);
        ok = read_line(c, line.at);
        lines += n + (lines[n] != '\0');
    }
    text_free(&line);
    return ok;
}

// ---- numbers
// -------------------------------------------------------------------

typedef VEC(const char *) texts;

static void note_text(texts *l, const char *s)
{
    for (uint32_t i = 0; i < l->n; i++)
        if (strcmp(l->at[i], s) == 0)
            return;
    vec_push(l, s);
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void actors_of(const struct coverage *c, texts *out)
{
    for (uint32_t i = 0; i < c->goals.n; i++)
        if (c->goals.at[i].actor)
            note_text(out, c->goals.at[i].actor);
    if (out->n)
        qsort(out->at, out->n, sizeof *out->at, by_text);
}

static void number_row(const struct coverage *c, enum criterion cr,
                       const char *actor, struct text *to)
{
    struct coverage_counts n = coverage_counts(c, cr, actor);
    if (!n.goals)
        return;
    text_format(to,
                "   %-20s %-4s %8" PRIu64 " %8" PRIu64 " %10" PRIu64
                " %8" PRIu64 "\n",
                actor ? actor : "all", criterion_id(cr), n.goals, n.covered,
                n.impossible, n.goals - n.covered - n.impossible);
}

void coverage_numbers(const struct coverage *c, const bool *criteria,
                      struct text *to)
{
    texts actors = {0};
    actors_of(c, &actors);
    text_format(to, "   %-20s %-4s %8s %8s %10s %8s\n", "actor", "", "goals",
                "covered", "impossible", "left");
    for (int cr = 0; cr < CRITERIA_N; cr++) {
        if (!criteria[cr])
            continue;
        for (uint32_t i = 0; i < actors.n; i++)
            number_row(c, (enum criterion)cr, actors.at[i], to);
        number_row(c, (enum criterion)cr, NULL, to);
    }
    vec_free(&actors);
}

// ---- matrices ------------------------------------------------------------

// The row before the column.
static const char *cell(const struct goal *g, bool turned)
{
    static const char *const never[] = {"no", "no:c", "no:s", "no:t"};
    uint32_t f = g->flags;
    bool forth = f & (turned ? GOAL_BACK : GOAL_FORTH);
    bool excluded = f & (turned ? GOAL_NO_BACK : GOAL_NO_FORTH);
    return forth ? "yes" : excluded ? never[g->why] : "-";
}

enum { MOST_COLUMNS = 16, SMALL_TABLE = 8, SMALL_NUMBER = 6 };

struct event_name {
    uint64_t id;
    const char *name;
};
typedef VEC(struct event_name) event_names;

static void note_event(event_names *l, uint64_t id, const char *name)
{
    for (uint32_t i = 0; i < l->n; i++)
        if (l->at[i].id == id)
            return;
    vec_push(l, ((struct event_name){id, name}));
}

static void events_of(const struct coverage *c, const char *actor,
                      event_names *out)
{
    vec_clear(out);
    for (uint32_t i = 0; i < c->goals.n; i++) {
        const struct goal *g = &c->goals.at[i];
        if (g->criterion != CRITERION_PR || strcmp(g->actor, actor) != 0)
            continue;
        note_event(out, g->a, g->a_name);
        note_event(out, g->b, g->b_name);
    }
}

static void matrix(const struct coverage *c, const char *actor, struct text *to)
{
    event_names events = {0};
    events_of(c, actor, &events);
    uint32_t n = events.n < MOST_COLUMNS ? events.n : MOST_COLUMNS;
    text_format(to, "%s: a receive (row) before another (column)\n", actor);
    text_format(to, "   %28s", "");
    for (uint32_t x = 0; x < n; x++)
        text_format(to, " %4u", x + 1);
    text_char(to, '\n');
    for (uint32_t y = 0; y < n; y++) {
        text_format(to, "   %2u %-25.25s", y + 1, events.at[y].name);
        for (uint32_t x = 0; x < n; x++) {
            uint64_t a = events.at[y].id, b = events.at[x].id;
            const struct goal *g =
                x == y ? NULL : coverage_goal(c, a, b, CRITERION_PR);
            text_format(to, " %4s", x == y ? "." : g ? cell(g, a != g->a) : "");
        }
        text_char(to, '\n');
    }
    if (events.n > n)
        text_format(to, "   and %u more receives\n", events.n - n);
    vec_free(&events);
}

bool coverage_is_small(const struct coverage *c)
{
    texts actors = {0};
    event_names events = {0};
    actors_of(c, &actors);
    bool small = actors.n <= SMALL_NUMBER;
    for (uint32_t i = 0; i < actors.n && small; i++) {
        events_of(c, actors.at[i], &events);
        small = events.n <= SMALL_TABLE;
    }
    vec_free(&actors);
    vec_free(&events);
    return small;
}

void coverage_matrices(const struct coverage *c, struct text *to)
{
    texts actors = {0};
    actors_of(c, &actors);
    for (uint32_t i = 0; i < actors.n; i++)
        matrix(c, actors.at[i], to);
    if (actors.n)
        text_add(to,
                 "   yes: seen; -: not seen; no: impossible, by causality "
                 "(c), sender and\n   receiver (s), timers (t); empty: never "
                 "in one schedule\n");
    vec_free(&actors);
}

// ---- what is left
// ------------------------------------------------------------

static bool left_of(const struct goal *g, bool forth)
{
    uint32_t seen = forth ? GOAL_FORTH : GOAL_BACK;
    uint32_t never = forth ? GOAL_NO_FORTH : GOAL_NO_BACK;
    return !(g->flags & (seen | never));
}

static const char *why_left(const struct goal *g, bool forth, const char *ended)
{
    if (g->flags & (forth ? GOAL_TRIED_FORTH : GOAL_TRIED_BACK))
        return "tried, but the receives came otherwise";
    if (g->flags & (forth ? GOAL_HELD_FORTH : GOAL_HELD_BACK))
        return "constraints of every schedule recorded stand against it";
    return ended;
}

enum { MOST_LEFT = 20 };

void coverage_left(const struct coverage *c, const bool *criteria,
                   const char *ended, struct text *to)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < c->goals.n; i++) {
        const struct goal *g = &c->goals.at[i];
        for (int way = 0; way < 2 && criteria[g->criterion]; way++) {
            bool forth = way == 0;
            if (!left_of(g, forth) || ++n > MOST_LEFT)
                continue;
            text_format(to, "   %-4s %s: %s before %s: %s\n",
                        criterion_id(g->criterion), g->actor,
                        forth ? g->a_name : g->b_name,
                        forth ? g->b_name : g->a_name,
                        why_left(g, forth, ended));
        }
    }
    if (n > MOST_LEFT)
        text_format(to, "   and %u more\n", n - MOST_LEFT);
}

// ---- curves
// --------------------------------------------------------------------

void curve_add(struct curve *c, const struct cover_result *r)
{
    struct curve_point p = {.executions = r->executions, .seconds = r->seconds};
    for (int cr = 0; cr < CRITERIA_N; cr++)
        p.covered[cr] = r->counts[cr].covered;
    vec_push(&c->points, p);
}

void curve_csv(const struct curve *c, struct text *to)
{
    text_add(to, "executions,seconds,pr,pmr,pcr\n");
    for (uint32_t i = 0; i < c->points.n; i++) {
        const struct curve_point *p = &c->points.at[i];
        text_format(to, "%" PRIu64 ",%.6f", p->executions, p->seconds);
        for (int cr = 0; cr < CRITERIA_N; cr++)
            text_format(to, ",%" PRIu64, p->covered[cr]);
        text_char(to, '\n');
    }
}

enum { WIDTH = 640, HEIGHT = 360, MARGIN = 50 };

void curve_svg(const struct curve *c, const char *title, struct text *to)
{
    static const char *const colours[] = {"#1f77b4", "#2ca02c", "#d62728"};
    uint64_t most = 1, last = 1;
    for (uint32_t i = 0; i < c->points.n; i++) {
        last = c->points.at[i].executions;
        for (int cr = 0; cr < CRITERIA_N; cr++)
            if (c->points.at[i].covered[cr] > most)
                most = c->points.at[i].covered[cr];
    }
    text_format(to,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" "
                "height=\"%d\" font-family=\"sans-serif\" font-size=\"12\">\n"
                "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n"
                "<text x=\"%d\" y=\"20\" font-size=\"14\">%s</text>\n"
                "<path d=\"M%d %dV%dH%d\" fill=\"none\" stroke=\"black\"/>\n"
                "<text x=\"%d\" y=\"%d\">executions (%" PRIu64 ")</text>\n"
                "<text x=\"4\" y=\"%d\">%" PRIu64 "</text>\n",
                WIDTH, HEIGHT, MARGIN, title, MARGIN, MARGIN / 2 + 10,
                HEIGHT - MARGIN, WIDTH - 20, WIDTH / 2 - 40, HEIGHT - 15, last,
                MARGIN / 2 + 16, most);
    for (int cr = 0; cr < CRITERIA_N; cr++) {
        text_format(to, "<polyline fill=\"none\" stroke=\"%s\" points=\"",
                    colours[cr]);
        for (uint32_t i = 0; i < c->points.n; i++) {
            const struct curve_point *p = &c->points.at[i];
            double x = MARGIN + (double)p->executions / (double)last *
                                    (WIDTH - MARGIN - 20);
            double y =
                HEIGHT - MARGIN -
                (double)p->covered[cr] / (double)most * (HEIGHT - 2 * MARGIN);
            text_format(to, "%.1f,%.1f ", x, y);
        }
        text_format(to, "\"/>\n<text x=\"%d\" y=\"%d\" fill=\"%s\">%s</text>\n",
                    WIDTH - 60, MARGIN + 15 * cr, colours[cr],
                    criterion_id((enum criterion)cr));
    }
    text_add(to, "</svg>\n");
}
