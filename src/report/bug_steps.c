// The schedule in a bug's report: a line a receive, and what is in flight.
#include "report/bug.h"

#include "base/text.h"
#include "cases/trace.h"
#include "report/terminal.h"

#include <string.h>

const char *report_title(const struct trace *t, const char *name)
{
    for (uint32_t i = 0; i < t->actors.n; i++)
        if (strcmp(t->actors.at[i].name, name) == 0)
            return t->actors.at[i].title;
    return name;
}

static bool races(const struct bug_report *r, uint32_t step)
{
    return r && r->race.known &&
           (step == r->race.pair.first || step == r->race.pair.second);
}

// The change of the state; a change of behaviour, which the stage puts last,
// in words of its own.
static void add_state(const struct trace_step *s, struct text *to)
{
    bool moved = *s->from && *s->to && strcmp(s->from, s->to) != 0;
    size_t n = strlen(s->change);
    struct text move = {0};
    text_add(to, s->kept);
    text_add(to, *s->kept && (n || moved) ? ", " : "");
    text_format(&move, "%s -> %s", s->from, s->to);
    if (moved && n >= move.n &&
        strcmp(s->change + n - move.n, text_get(&move)) == 0)
        n -= move.n;
    text_bytes(to, s->change, n);
    if (moved)
        text_format(to, "%sbecomes %s", n == strlen(s->change) && n ? ", " : "",
                    s->to);
    text_free(&move);
}

static void add_sends(const struct trace_step *s, struct text *to)
{
    for (uint32_t i = 0; i < s->sends.n && i < 6; i++)
        text_format(to, "%s#%u %s", i ? ", " : "sends ", s->sends.at[i].number,
                    s->sends.at[i].msg);
    if (s->sends.n > 6)
        text_format(to, " and %u more", s->sends.n - 6);
}

struct widths {
    int actor, msg, from, state;
    int msg_most; // what a message is cut to, 0: nothing
    bool below;   // the state has a line of its own
};

static void receive_text(const struct trace_step *s, struct text *to)
{
    if (s->number)
        text_format(to, "#%u ", s->number);
    text_format(to, "%s%s%s", s->msg, *s->fields ? " " : "", s->fields);
    for (uint32_t i = 0; i < s->n_picks && i < 4; i++)
        text_format(to, "%s%u", i ? "," : " picks ", s->picks[i]);
}

static int wider(int a, size_t b, int most)
{
    int n = (int)b > most ? most : (int)b;
    return n > a ? n : a;
}

static struct widths measure(const struct trace *t)
{
    struct widths w = {.actor = 8, .msg = 8, .from = 4, .state = 5};
    for (uint32_t i = 0; i < t->steps.n; i++)
        for (uint32_t j = 0; j < t->steps.at[i].sends.n; j++)
            w.actor = wider(
                w.actor, strlen(report_title(t, t->steps.at[i].sends.at[j].to)),
                24);
    for (uint32_t i = 1; i < t->steps.n; i++) {
        const struct trace_step *s = &t->steps.at[i];
        if (!s->msg)
            continue;
        struct text a = {0}, b = {0};
        receive_text(s, &a);
        add_state(s, &b);
        w.actor = wider(w.actor, strlen(t->actors.at[s->actor].title), 24);
        w.msg = wider(w.msg, a.n, 60);
        w.from = wider(w.from, strlen(t->actors.at[s->sender].title), 20);
        w.state = wider(w.state, b.n, 40);
        text_free(&a);
        text_free(&b);
    }
    return w;
}

enum { MSG_LEAST = 24, SENDS_ROOM = 16, BELOW = 10 };

// On a terminal a message gives way to the state, and to the first send.  Where
// even then there is no room for these, they stand below.
static void fit(struct widths *w, uint32_t width)
{
    int ends = 8 + w->actor + 2 + 2 + w->from;
    int room = (int)width - ends - 2 - w->state - 2 - SENDS_ROOM;
    w->below = width && room < MSG_LEAST && w->msg > room;
    if (w->below)
        room = (int)width - ends - (int)strlen("  FAILED");
    room = room < MSG_LEAST ? MSG_LEAST : room;
    if (width && w->msg > room)
        w->msg = w->msg_most = room;
}

// Cut to this number of bytes, not within a character.
static void cut_to(struct text *t, int most)
{
    if (!most || t->n <= (size_t)most)
        return;
    t->n = (size_t)most - 3;
    while (t->n && ((unsigned char)t->at[t->n] & 0xc0) == 0x80)
        t->n--;
    t->at[t->n] = '\0';
    text_add(t, "...");
}

void report_output(const char *indent, const char *output, struct text *to)
{
    for (const char *s = output; *s;) {
        size_t n = strcspn(s, "\n");
        text_format(to, "%s%s%.*s\n", indent,
                    s == output ? "prints: " : "        ", (int)n, s);
        s += n + (s[n] == '\n');
    }
}

static bool failed_in(const struct trace *t, const struct bug_report *r,
                      uint32_t i)
{
    const struct trace_step *s = &t->steps.at[i];
    bool broken =
        r && r->bug && r->bug->kind == BUG_INVARIANT && i + 1 == t->steps.n;
    return broken || (s->n_bugs && !s->bugs[s->n_bugs - 1].warning);
}

static void end_line(struct text *to)
{
    while (to->n && to->at[to->n - 1] == ' ')
        to->at[--to->n] = '\0';
    text_char(to, '\n');
}

// What the step did: its change of the state and its sends.
static void step_effects(const struct trace_step *s, const struct widths *w,
                         bool failed, struct text *to)
{
    struct text state = {0};
    add_state(s, &state);
    if (w->below) {
        if (failed)
            text_add(to, "FAILED");
        if (state.n || s->sends.n) {
            end_line(to);
            text_format(to, "%*s%s%s", BELOW, "", text_get(&state),
                        state.n && s->sends.n ? "  " : "");
            add_sends(s, to);
        }
    } else {
        text_format(to, "%-*s  ", w->state, text_get(&state));
        add_sends(s, to);
        if (failed)
            text_format(to, "%sFAILED", s->sends.n ? "  " : "");
    }
    text_free(&state);
}

static void step_line(const struct trace *t, const struct bug_report *r,
                      uint32_t i, const struct widths *w, struct text *to)
{
    const struct trace_step *s = &t->steps.at[i];
    struct text receives = {0};
    bool failed = failed_in(t, r, i);
    if (!s->msg) {
        text_format(to, "   %4u  %-*s  goes on  ", i, w->actor, "test");
        add_sends(s, to);
        if (failed)
            text_format(to, "%sFAILED", s->sends.n ? "  " : "");
    } else {
        receive_text(s, &receives);
        cut_to(&receives, w->msg_most);
        text_format(to, " %c %4u  %-*s  %-*s  %-*s  ", races(r, i) ? '*' : ' ',
                    i, w->actor, t->actors.at[s->actor].title, w->msg,
                    text_get(&receives), w->from,
                    s->number ? t->actors.at[s->sender].title : "");
        step_effects(s, w, failed, to);
    }
    end_line(to);
    if (s->output)
        report_output("          ", s->output, to);
    text_free(&receives);
}

static void leftovers(const struct trace *t, const struct widths *w,
                      struct text *to)
{
    uint32_t shown = 0, more = 0;
    for (uint32_t i = 0; i < t->steps.n; i++)
        for (uint32_t j = 0; j < t->steps.at[i].sends.n; j++) {
            const struct trace_send *s = &t->steps.at[i].sends.at[j];
            if (s->received_at != PLAY_NONE)
                continue;
            if (shown++ >= 8) {
                more++;
                continue;
            }
            text_format(to, "      -  %-*s  #%u %s%s%s  from %s, in flight\n",
                        w->actor, report_title(t, s->to), s->number, s->msg,
                        *s->fields ? " " : "", s->fields,
                        t->actors.at[s->by].title);
        }
    if (more)
        text_format(to, "      -  and %u more message%s in flight\n", more,
                    more == 1 ? "" : "s");
}

enum { SHOWN_STEPS = 200 };

void report_steps(const struct bug_report *r, struct text *to)
{
    const struct trace *t = r->trace;
    struct widths w = measure(t);
    fit(&w, r->width);
    size_t from = to->n;
    text_format(to, "   %4s  %-*s  %-*s  %-*s  %s\n", "step", w.actor, "actor",
                w.msg, "receives", w.from, "from", w.below ? "" : "state");
    uint32_t skip = t->steps.n > SHOWN_STEPS ? t->steps.n - SHOWN_STEPS : 0;
    if (skip)
        text_format(to, "   ... %u steps before (the case has them all)\n",
                    skip);
    for (uint32_t i = skip ? skip : 1; i < t->steps.n; i++)
        step_line(t, r, i, &w, to);
    leftovers(t, &w, to);
    terminal_cut(to, from, r->width);
}
