// A message sequence chart in plain characters: a column an actor, time
// downwards, an arrow from the send to its receipt, drawn at the receipt.
#include "report/bug.h"

#include "base/text.h"
#include "cases/trace.h"

#include <string.h>

enum { MOST_ACTORS = 16, MOST_STEPS = 40, WIDTH = 128, NARROW = 10, WIDE = 16 };
enum { LEFT = 6, NARROWEST = 7 }; // the number before a row; a column
enum { ROW = WIDTH + 16 };        // room for a label beside the last column

struct chart {
    const struct trace *t;
    uint32_t columns[MOST_ACTORS]; // actors shown
    uint32_t n;
    uint32_t from; // first step shown
    int column;    // width of one
    bool left_out; // more actors took part
};

static int column_of(const struct chart *c, uint32_t actor)
{
    for (uint32_t i = 0; i < c->n; i++)
        if (c->columns[i] == actor)
            return (int)i;
    return -1;
}

static void take(struct chart *c, uint32_t actor)
{
    if (column_of(c, actor) >= 0)
        return;
    if (c->n < MOST_ACTORS && (int)(c->n + 1) * c->column <= WIDTH)
        c->columns[c->n++] = actor;
    else
        c->left_out = true;
}

static uint32_t actors_of(const struct chart *c)
{
    uint32_t n = 0;
    for (uint32_t a = 0; a < c->t->actors.n; a++) {
        bool there = false;
        for (uint32_t i = c->from; i < c->t->steps.n && !there; i++)
            there =
                c->t->steps.at[i].actor == a || c->t->steps.at[i].sender == a;
        n += there;
    }
    return n;
}

// Make columns as wide as names and labels need, or as a terminal has room for.
static void measure(struct chart *c, uint32_t width)
{
    size_t most = NARROW;
    int room = width > LEFT ? (int)(width - LEFT) / (int)(actors_of(c) + 1) : 0;
    for (uint32_t i = c->from; i < c->t->steps.n; i++) {
        const struct trace_step *s = &c->t->steps.at[i];
        size_t name = strlen(c->t->actors.at[s->actor].title) + 1;
        size_t label = s->msg ? strlen(s->msg) + 4 : 0;
        most = name > most ? name : most;
        most = label > most ? label : most;
    }
    c->column = most > WIDE ? WIDE : (int)(most + most % 2);
    room = room < NARROWEST ? NARROWEST : room;
    if (width && c->column > room)
        c->column = room;
}

// The actors that take part, in order of first appearance from the end's view:
// those of the last steps matter most.
static void choose(struct chart *c)
{
    for (uint32_t i = c->t->steps.n; i > c->from; i--) {
        take(c, c->t->steps.at[i - 1].actor);
        take(c, c->t->steps.at[i - 1].sender);
    }
    for (uint32_t i = 1; i < c->n; i++)
        for (uint32_t j = i; j > 0 && c->columns[j - 1] > c->columns[j]; j--) {
            uint32_t a = c->columns[j];
            c->columns[j] = c->columns[j - 1];
            c->columns[j - 1] = a;
        }
}

static int middle(const struct chart *c, int column)
{
    return column * c->column + c->column / 2;
}

static void put(char *row, int at, const char *s, int most)
{
    for (int i = 0; i < most && s[i]; i++)
        row[at + i] = s[i];
}

static void rails(const struct chart *c, char *row)
{
    memset(row, ' ', ROW + 1);
    row[ROW] = '\0';
    for (uint32_t i = 0; i < c->n; i++)
        row[middle(c, (int)i)] = '|';
}

static void emit(struct text *to, const char *left, char *row)
{
    size_t n = strlen(row);
    while (n && row[n - 1] == ' ')
        row[--n] = '\0';
    text_format(to, "%s%s\n", left, row);
}

static void arrow(char *row, int from, int to, const char *label)
{
    int a = from < to ? from + 1 : to + 1, b = from < to ? to - 1 : from - 1;
    for (int i = a; i <= b; i++)
        row[i] = '-';
    row[from < to ? b : a] = from < to ? '>' : '<';
    int room = b - a - 1, n = (int)strlen(label);
    if (n > room)
        n = room;
    if (n > 0)
        put(row, a + (from > to) + (room - n) / 2, label, n);
}

static void draw(const struct chart *c, uint32_t step, struct text *to)
{
    const struct trace_step *s = &c->t->steps.at[step];
    char row[ROW + 1], left[16];
    rails(c, row);
    int at = column_of(c, s->actor), by = column_of(c, s->sender);
    if (at < 0 || !s->msg)
        return;
    if (by < 0 || by == at) {
        row[middle(c, at)] = 'o';
        put(row, middle(c, at) + 2, s->msg, c->column - 3);
    } else {
        arrow(row, middle(c, by), middle(c, at), s->msg);
    }
    if (s->n_bugs && !s->bugs[s->n_bugs - 1].warning)
        row[middle(c, at)] = 'X';
    snprintf(left, sizeof left, " %4u ", step);
    emit(to, left, row);
}

void report_chart(const struct trace *t, uint32_t width, struct text *to)
{
    struct chart c = {.t = t, .from = 1};
    if (t->steps.n < 2)
        return;
    if (t->steps.n > MOST_STEPS + 1)
        c.from = t->steps.n - MOST_STEPS;
    measure(&c, width);
    choose(&c);
    char row[ROW + 1];
    memset(row, ' ', sizeof row - 1);
    row[sizeof row - 1] = '\0';
    for (uint32_t i = 0; i < c.n; i++) {
        const char *name = t->actors.at[c.columns[i]].title;
        int n = (int)strlen(name);
        if (n > c.column - 1) {
            name += n - (c.column - 1);
            n = c.column - 1;
        }
        put(row, middle(&c, (int)i) - n / 2, name, n);
    }
    emit(to, "      ", row);
    for (uint32_t i = c.from; i < t->steps.n; i++)
        draw(&c, i, to);
    if (c.left_out)
        text_add(to, "      (not all actors are drawn)\n");
    text_char(to, '\n');
}
