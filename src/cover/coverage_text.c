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
    struct map actors, events;
    uint32_t n_actors, n_events;
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

static uint32_t event_number(struct writer *w, const struct goal *g, bool b)
{
    uint64_t id = b ? g->b : g->a;
    const char *name = b ? g->b_name : g->a_name;
    uint32_t *at = map_at(&w->events, id);
    if (*at == MAP_NONE) {
        uint32_t actor = actor_number(w, g->actor ? g->actor : "?");
        *at = w->n_events++;
        text_format(w->to, "e %016" PRIx64 " %u %s\n", id, actor,
                    name ? name : "?");
    }
    return *at;
}

void coverage_print(const struct coverage *c, struct text *to)
{
    struct writer w = {.to = to};
    for (uint32_t i = 0; i < c->goals.n; i++) {
        const struct goal *g = &c->goals.at[i];
        uint32_t a = event_number(&w, g, false), b = event_number(&w, g, true);
        text_add(to, criterion_id(g->criterion));
        put_number(to, g->flags);
        put_number(to, g->why);
        put_number(to, a);
        put_number(to, b);
        text_char(to, '\n');
    }
    if (c->full)
        text_add(to, "full\n");
    map_free(&w.actors);
    map_free(&w.events);
}

// ---- reading --------------------------------------------------------------

struct read_event {
    uint64_t id;
    uint32_t actor;
    const char *name;
};

struct reader {
    struct coverage *c;
    struct arena texts;
    VEC(const char *) actors;
    VEC(struct read_event) events;
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

static bool read_event(struct reader *r, const char *line)
{
    char *end;
    struct read_event e = {.id = strtoull(line, &end, 16)};
    const char *s = end;
    if (end != line + 16 || !take_number(&s, &e.actor) || *s != ' ' ||
        e.actor >= r->actors.n)
        return false;
    e.name = rest_of(r, s + 1);
    vec_push(&r->events, e);
    return true;
}

static bool read_goal(struct reader *r, const char *line)
{
    size_t n = strcspn(line, " \n");
    char id[8] = "";
    uint32_t why, a, b;
    struct goal g = {0};
    if (n < sizeof id)
        memcpy(id, line, n);
    line += n;
    g.criterion = criterion_of(id);
    if (g.criterion == CRITERIA_N || !take_number(&line, &g.flags) ||
        !take_number(&line, &why) || !take_number(&line, &a) ||
        !take_number(&line, &b) || (*line && *line != '\n') ||
        why >= CONSTRAINTS_N || a >= r->events.n || b >= r->events.n)
        return false;
    const struct read_event *x = &r->events.at[a], *y = &r->events.at[b];
    g.why = (enum constraint)why;
    g.a = x->id;
    g.b = y->id;
    g.actor = r->actors.at[x->actor];
    g.a_name = x->name;
    g.b_name = y->name;
    struct coverage one = {.goals = {.at = &g, .n = 1}};
    coverage_merge(r->c, &one);
    return x->id < y->id;
}

static bool read_line(struct reader *r, const char *line)
{
    if (strncmp(line, "a ", 2) == 0) {
        vec_push(&r->actors, rest_of(r, line + 2));
        return true;
    }
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
    vec_free(&r.events);
    arena_free(&r.texts);
    return wrong;
}
