// There may be millions of pairs, so their lines are short, and written and
// read by hand.
#include "cover/coverage_text.h"

#include "base/hash.h"
#include "base/text.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

// ---- writing --------------------------------------------------------------

struct writer {
    struct text *to;
    struct map actors, places, events;
    uint32_t n_actors, n_places, n_events;
};

static void put_number(struct text *to, uint32_t n)
{
    char digits[12];
    int at = sizeof digits;
    do
        digits[--at] = (char)('0' + n % 10);
    while (n /= 10);
    digits[--at] = ' ';
    text_bytes(to, digits + at, sizeof digits - (size_t)at);
}

static uint32_t actor_number(struct writer *w, const char *name)
{
    uint64_t key = hash_bytes(name, strlen(name));
    uint32_t *at = map_at(&w->actors, key);
    if (*at == MAP_NONE) {
        *at = w->n_actors++;
        text_format(w->to, "a %s\n", name);
    }
    return *at;
}

static uint32_t place_number(struct writer *w, const struct goal *g, bool b)
{
    uint64_t id = b ? g->b : g->a;
    uint32_t *at = map_at(&w->places, id);
    if (*at == MAP_NONE) {
        uint32_t actor = actor_number(w, g->actor);
        *at = w->n_places++;
        text_format(w->to, "r %016" PRIx64 " %u %s\n", id, actor,
                    b ? g->b_name : g->a_name);
    }
    return *at;
}

static uint32_t event_number(struct writer *w, uint64_t id)
{
    uint32_t *at = map_at(&w->events, id);
    if (*at == MAP_NONE) {
        *at = w->n_events++;
        text_format(w->to, "e %016" PRIx64 "\n", id);
    }
    return *at;
}

static void put_goal(struct writer *w, const struct goal *g, uint32_t a,
                     uint32_t b)
{
    text_add(w->to, g->actor ? "" : "+");
    text_add(w->to, criterion_id(g->criterion));
    put_number(w->to, g->flags);
    put_number(w->to, g->why);
    put_number(w->to, a);
    put_number(w->to, b);
    text_char(w->to, '\n');
}

void coverage_print(const struct coverage *c, struct text *to)
{
    struct writer w = {.to = to};
    for (uint32_t i = 0; i < c->places.at.n; i++) {
        const struct goal *g = &c->places.at.at[i];
        uint32_t a = place_number(&w, g, false), b = place_number(&w, g, true);
        put_goal(&w, g, a, b);
    }
    for (uint32_t i = 0; i < c->pairs.n; i++)
        for (int cr = 0; cr < CRITERIA_N; cr++) {
            struct goal g;
            if (!coverage_goal(c, i, (enum criterion)cr, &g))
                continue;
            uint32_t a = event_number(&w, g.a), b = event_number(&w, g.b);
            put_goal(&w, &g, a, b);
        }
    if (c->full)
        text_add(to, "full\n");
    map_free(&w.actors);
    map_free(&w.places);
    map_free(&w.events);
}

// ---- reading --------------------------------------------------------------

struct read_place {
    uint64_t id;
    uint32_t actor;
    const char *name;
};

struct reader {
    struct coverage *c;
    struct arena texts;
    VEC(const char *) actors;
    VEC(struct read_place) places;
    VEC(uint64_t) events;
};

static const char *rest_of(struct reader *r, const char *line)
{
    size_t n = strcspn(line, "\n");
    char *copy = arena_copy(&r->texts, line, n + 1);
    copy[n] = '\0';
    return copy;
}

// A space and a number; false if there is none.
static bool take_number(const char **line, uint32_t *out)
{
    const char *s = *line;
    uint64_t n = 0;
    if (*s++ != ' ' || !isdigit((unsigned char)*s))
        return false;
    for (; isdigit((unsigned char)*s) && n <= UINT32_MAX; s++)
        n = 10 * n + (uint64_t)(*s - '0');
    *line = s;
    *out = (uint32_t)n;
    return n <= UINT32_MAX;
}

static bool take_id(const char **line, uint64_t *out)
{
    char *end;
    *out = strtoull(*line, &end, 16);
    bool ok = end == *line + 16;
    *line = end;
    return ok;
}

static bool read_place(struct reader *r, const char *line)
{
    struct read_place p = {0};
    if (!take_id(&line, &p.id) || !take_number(&line, &p.actor) ||
        *line != ' ' || p.actor >= r->actors.n)
        return false;
    p.name = rest_of(r, line + 1);
    vec_push(&r->places, p);
    return true;
}

static bool read_event(struct reader *r, const char *line)
{
    uint64_t id;
    if (!take_id(&line, &id) || (*line && *line != '\n'))
        return false;
    vec_push(&r->events, id);
    return true;
}

// Flags, constraint and the numbers of the two.
static bool read_numbers(const char *line, struct goal *g, uint32_t *a,
                         uint32_t *b)
{
    size_t n = strcspn(line, " \n");
    char id[8] = "";
    uint32_t why;
    if (n < sizeof id)
        memcpy(id, line, n);
    line += n;
    g->criterion = criterion_of(id);
    if (g->criterion == CRITERIA_N || !take_number(&line, &g->flags) ||
        !take_number(&line, &why) || !take_number(&line, a) ||
        !take_number(&line, b) || (*line && *line != '\n') ||
        why >= CONSTRAINTS_N)
        return false;
    g->why = (enum constraint)why;
    return true;
}

static bool read_goal(struct reader *r, const char *line)
{
    struct goal g = {0};
    uint32_t a, b;
    bool of_events = *line == '+';
    if (!read_numbers(line + of_events, &g, &a, &b) ||
        a >= (of_events ? r->events.n : r->places.n) ||
        b >= (of_events ? r->events.n : r->places.n))
        return false;
    g.a = of_events ? r->events.at[a] : r->places.at[a].id;
    g.b = of_events ? r->events.at[b] : r->places.at[b].id;
    if (!of_events) {
        g.actor = r->actors.at[r->places.at[a].actor];
        g.a_name = r->places.at[a].name;
        g.b_name = r->places.at[b].name;
    }
    if (g.a < g.b)
        coverage_merge_goal(r->c, &g);
    return g.a < g.b;
}

static bool read_line(struct reader *r, const char *line)
{
    if (strncmp(line, "a ", 2) == 0) {
        vec_push(&r->actors, rest_of(r, line + 2));
        return true;
    }
    if (strncmp(line, "r ", 2) == 0)
        return read_place(r, line + 2);
    if (strncmp(line, "e ", 2) == 0)
        return read_event(r, line + 2);
    if (strcspn(line, "\n") == 4 && strncmp(line, "full", 4) == 0)
        return r->c->full = true;
    return read_goal(r, line);
}

uint32_t coverage_read(struct coverage *c, const char *lines)
{
    struct reader r = {.c = c};
    uint32_t number = 0, wrong = 0;
    while (*lines && !wrong) {
        number++;
        if (!read_line(&r, lines))
            wrong = number;
        lines += strcspn(lines, "\n");
        lines += *lines == '\n';
    }
    vec_free(&r.actors);
    vec_free(&r.places);
    vec_free(&r.events);
    arena_free(&r.texts);
    return wrong;
}
