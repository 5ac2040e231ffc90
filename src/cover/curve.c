// Points in which nothing changes are left out of the picture: the lines are
// stairs anyway.
#include "cover/curve.h"

#include "base/text.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

void curve_add(struct curve *c, const struct cover_result *r)
{
    struct curve_point p = {.executions = r->executions, .seconds = r->seconds};
    for (int cr = 0; cr < CRITERIA_N; cr++) {
        p.covered[cr] = r->counts[cr].covered;
        p.possible[cr] = r->counts[cr].goals - r->counts[cr].impossible;
    }
    vec_push(&c->points, p);
}

void curve_csv(const struct curve *c, struct text *to)
{
    text_add(to, "executions,seconds");
    for (int cr = 0; cr < CRITERIA_N; cr++)
        text_format(to, ",%s", criterion_id((enum criterion)cr));
    for (int cr = 0; cr < CRITERIA_N; cr++)
        text_format(to, ",%s_possible", criterion_id((enum criterion)cr));
    text_char(to, '\n');
    for (uint32_t i = 0; i < c->points.n; i++) {
        const struct curve_point *p = &c->points.at[i];
        text_format(to, "%" PRIu64 ",%.6f", p->executions, p->seconds);
        for (int cr = 0; cr < CRITERIA_N; cr++)
            text_format(to, ",%" PRIu64, p->covered[cr]);
        for (int cr = 0; cr < CRITERIA_N; cr++)
            text_format(to, ",%" PRIu64, p->possible[cr]);
        text_char(to, '\n');
    }
}

// ---- the picture ----------------------------------------------------------

enum {
    WIDTH = 720,
    LEFT = 70,
    PLOT = 560,
    TOP = 40,
    HEIGHT = 240,
    PANEL = 310
};

struct panel {
    const struct curve *c;
    const char *title;
    bool time;      // the x axis is seconds, else executions
    int top;        // of the plot
    double low, up; // ends of the x axis, powers of ten, as exponents
    double most;    // end of the y axis
};

static double x_of(const struct panel *g, const struct curve_point *p)
{
    double x = g->time ? p->seconds : (double)p->executions;
    double e = x > 0 ? log10(x) : g->low;
    e = e < g->low ? g->low : e;
    return LEFT + PLOT * (e - g->low) / (g->up - g->low);
}

static double y_of(const struct panel *g, double y)
{
    return g->top + HEIGHT * (1 - y / g->most);
}

// The next of 1, 2, 5, 10, 20, ...
static double round_up(double x)
{
    double p = pow(10, floor(log10(x)));
    return x <= p ? p : x <= 2 * p ? 2 * p : x <= 5 * p ? 5 * p : 10 * p;
}

static void measure(struct panel *g)
{
    uint32_t n = g->c->points.n;
    double first = 1, last = 10, most = 1;
    if (n) {
        const struct curve_point *a = &g->c->points.at[0],
                                 *b = &g->c->points.at[n - 1];
        first = g->time ? a->seconds : (double)a->executions;
        last = g->time ? b->seconds : (double)b->executions;
    }
    for (uint32_t i = 0; i < n; i++)
        for (int cr = 0; cr < CRITERIA_N; cr++)
            most = fmax(most, (double)g->c->points.at[i].possible[cr]);
    g->low = floor(log10(fmax(first, 1e-6)));
    g->up = fmax(ceil(log10(fmax(last, 1e-6))), g->low + 1);
    g->most = round_up(most);
}

static void label(struct text *to, double x, double y, const char *anchor,
                  const char *colour, const char *words)
{
    text_format(to,
                "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" fill=\"%s\">",
                x, y, anchor, colour);
    for (; *words; words++)
        if (*words == '<' || *words == '&')
            text_add(to, *words == '<' ? "&lt;" : "&amp;");
        else
            text_char(to, *words);
    text_add(to, "</text>\n");
}

static void axes(const struct panel *g, struct text *to)
{
    char words[40];
    for (int i = 0; i <= 4; i++) {
        double y = y_of(g, g->most * i / 4);
        snprintf(words, sizeof words, "%g", g->most * i / 4);
        text_format(to, "<path d=\"M%d %.1fh%d\" stroke=\"#ddd\"/>\n", LEFT, y,
                    PLOT);
        label(to, LEFT - 6, y + 4, "end", "black", words);
    }
    for (int e = (int)g->low; e <= (int)g->up; e++) {
        double x = LEFT + PLOT * (e - g->low) / (g->up - g->low);
        snprintf(words, sizeof words, "%g", pow(10, e));
        text_format(to, "<path d=\"M%.1f %dv%d\" stroke=\"#ddd\"/>\n", x,
                    g->top, HEIGHT);
        label(to, x, g->top + HEIGHT + 16, "middle", "black", words);
    }
    text_format(to,
                "<path d=\"M%d %dv%dh%d\" fill=\"none\" stroke=\"black\"/>\n",
                LEFT, g->top, HEIGHT, PLOT);
    label(to, LEFT, g->top - 8, "start", "black", g->title);
    label(to, LEFT + PLOT / 2., g->top + HEIGHT + 34, "middle", "black",
          g->time ? "seconds" : "executions");
}

static const uint64_t *values(const struct curve_point *p, bool possible)
{
    return possible ? p->possible : p->covered;
}

// A stair to each point where the value changes, and to the last.
static void stairs(const struct panel *g, int cr, const char *colour,
                   bool possible, struct text *to)
{
    uint64_t before = 0;
    text_format(to, "<path fill=\"none\" stroke=\"%s\"%s d=\"", colour,
                possible ? " stroke-dasharray=\"4 3\"" : "");
    for (uint32_t i = 0; i < g->c->points.n; i++) {
        const struct curve_point *p = &g->c->points.at[i];
        uint64_t y = values(p, possible)[cr];
        if (!i)
            text_format(to, "M%.1f %.1f", x_of(g, p), y_of(g, (double)y));
        else if (y != before || i + 1 == g->c->points.n)
            text_format(to, "H%.1fV%.1f", x_of(g, p), y_of(g, (double)y));
        before = y;
    }
    text_add(to, "\"/>\n");
}

static void draw(struct panel g, struct text *to)
{
    static const char *const colours[] = {"#1f77b4", "#2ca02c", "#d62728"};
    uint32_t n = g.c->points.n;
    measure(&g);
    axes(&g, to);
    for (int cr = 0; cr < CRITERIA_N; cr++) {
        if (n && !g.c->points.at[n - 1].possible[cr])
            continue;
        stairs(&g, cr, colours[cr], true, to);
        stairs(&g, cr, colours[cr], false, to);
        label(to, LEFT + PLOT + 10, g.top + 14 + 18 * cr, "start", colours[cr],
              criterion_id((enum criterion)cr));
    }
}

void curve_svg(const struct curve *c, const char *title, struct text *to)
{
    int height = TOP + 2 * PANEL;
    text_format(to,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" "
                "height=\"%d\" font-family=\"sans-serif\" font-size=\"12\">\n"
                "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n",
                WIDTH, height);
    draw((struct panel){.c = c, .title = title, .top = TOP}, to);
    draw((struct panel){.c = c,
                        .title = "the same over time; dashed: possible goals",
                        .time = true,
                        .top = TOP + PANEL},
         to);
    text_add(to, "</svg>\n");
}
