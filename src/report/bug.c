// The report has sections; a section without contents is left out.
#include "report/bug.h"

#include "base/command.h"
#include "base/text.h"
#include "cases/fields.h"
#include "cases/trace.h"
#include "program/source.h"
#include "report/progress.h"
#include "report/source_lines.h"
#include "report/terminal.h"

#include <ctype.h>
#include <string.h>

struct paint {
    const char *red, *bold, *dim, *off;
};

static struct paint paint_of(const struct bug_report *r)
{
    if (!r->colour)
        return (struct paint){"", "", "", ""};
    return (struct paint){"\033[31;1m", "\033[1m", "\033[2m", "\033[0m"};
}

static const char *name_of(const struct trace *t, uint32_t actor)
{
    return t->actors.at[actor].title;
}

// The step in which the bug happened: the last one that tells of such a bug.
static const struct trace_step *bad_step(const struct bug_report *r)
{
    const struct trace *t = r->trace;
    for (uint32_t i = t->steps.n; i > 0; i--) {
        const struct trace_step *s = &t->steps.at[i - 1];
        for (uint32_t j = 0; j < s->n_bugs; j++)
            if (s->bugs[j].kind == r->bug->kind)
                return s;
    }
    return NULL;
}

static void heading(const struct bug_report *r, struct text *to)
{
    struct paint p = paint_of(r);
    size_t from = to->n;
    if (r->bug)
        text_format(to, "%sFAILED%s", p.red, p.off);
    else
        text_add(to, "ok");
    text_format(to, "  %s%s%s", p.bold, r->test, p.off);
    if (r->test_params && *r->test_params)
        text_format(to, " (%s)", r->test_params);
    if (r->file)
        text_format(to, "  %s:%d", r->file, r->line);
    if (r->bug)
        text_format(to, "   bug %s", r->id);
    char n[32];
    if (r->nth)
        text_format(to, "  (schedule %s)", progress_count(n, r->nth));
    text_add(to, "\n\n");
    terminal_wrap(to, from, r->width, 4);
}

// What to underline in the failing line: the assertion, or the first word.
static size_t mark_at(const struct bug_report *r, const char *line)
{
    const char *at =
        r->bug->kind == BUG_ASSERTION ? strstr(line, "assert") : NULL;
    return at ? (size_t)(at - line) : strspn(line, " \t");
}

// The fields of the message; a timer has its message's name before them.
static const char *braces(const struct trace_step *st)
{
    const char *at = st ? strchr(st->fields, '{') : NULL;
    return at ? at : "";
}

// Values that do not fit beside the line, below it: as many in a line as fit.
static void value_lines(const struct bug_report *r, const char *values,
                        struct text *to)
{
    struct paint p = paint_of(r);
    while (*values) {
        size_t n = 0, next;
        for (; values[n]; n = next) {
            const char *comma = strstr(values + n + 1, ", ");
            next = comma ? (size_t)(comma - values) : strlen(values);
            if (n && 10 + next > r->width)
                break;
        }
        text_format(to, "      |   %s%.*s%s\n", p.red, (int)n, values, p.off);
        values += n;
        values += strspn(values, ", ");
    }
}

static void excerpt(const struct bug_report *r, const struct trace_step *st,
                    struct text *to)
{
    struct paint p = paint_of(r);
    const struct bug *b = r->bug;
    size_t begin = to->n;
    for (int line = b->line - 2; line <= b->line + 1; line++) {
        struct text src = {0}, values = {0};
        if (line < 1 || !source_line(b->file, line, &src)) {
            text_free(&src);
            continue;
        }
        if (line == b->line && b->values)
            text_add(&values, b->values);
        else if (line == b->line) // a message stays as it was
            source_values(text_get(&src), "", braces(st), &values);
        bool wide = r->width && 16 + src.n + values.n > r->width;
        text_format(to, "%5d | %s%s%s", line, line == b->line ? p.bold : "",
                    text_get(&src), line == b->line ? p.off : "");
        if (values.n && !wide)
            text_format(to, "        %s%s%s", p.red, text_get(&values), p.off);
        text_char(to, '\n');
        if (line == b->line) {
            size_t from = mark_at(r, text_get(&src));
            size_t n = 0;
            while (isalnum((unsigned char)text_get(&src)[from + n]) ||
                   text_get(&src)[from + n] == '_')
                n++;
            text_add(to, "      | ");
            for (size_t i = 0; i < from; i++) // tabs as in the line
                text_char(to, text_get(&src)[i] == '\t' ? '\t' : ' ');
            text_add(to, p.red);
            for (size_t i = 0; i < (n ? n : 1); i++)
                text_char(to, '^');
            text_format(to, "%s\n", p.off);
            if (values.n && wide)
                value_lines(r, text_get(&values), to);
        }
        text_free(&src);
        text_free(&values);
    }
    terminal_cut(to, begin, r->width);
}

// Who sent the message that was not handled.
static void sent_by(const struct trace *t, const struct trace_step *st,
                    struct text *to)
{
    if (!st || st->sent_at == PLAY_NONE)
        return;
    const struct trace_step *from = &t->steps.at[st->sent_at];
    for (uint32_t i = 0; i < from->sends.n; i++)
        if (from->sends.at[i].number == st->number) {
            text_format(to, "  sent by %s", name_of(t, st->sender));
            if (from->sends.at[i].line)
                text_format(to, ", line %u", from->sends.at[i].line);
            text_char(to, '\n');
        }
}

enum { STATE_SHORT = 60 };

// A state without the fields that never change, unless it is short.
static void add_fields(const struct trace_actor *a, const char *state,
                       struct text *to)
{
    const char *s = state;
    struct field f, was;
    bool left_out = false, some = false;
    struct text kept = {0};
    while (fields_next(&s, &f)) {
        struct text name = {0};
        text_format(&name, " %.*s ", (int)f.name, f.at + 1);
        bool fixed = !strstr(a->changed, text_get(&name)) &&
                     fields_find(a->first, &f, &was) && fields_equal(&f, &was);
        text_free(&name);
        left_out |= fixed;
        if (!fixed)
            text_format(&kept, "%s%.*s", some ? ", " : "{", (int)f.n, f.at);
        some |= !fixed;
    }
    if (!left_out || strlen(state) <= STATE_SHORT)
        text_add(to, state);
    else
        text_format(to, "%s%s...}", text_get(&kept), some ? ", " : "{");
    text_free(&kept);
}

// The state of the actor at the failure, and before it.
static void states(const struct bug_report *r, const struct trace_step *st,
                   struct text *to)
{
    const struct bug *b = r->bug;
    bool entry = st && st->msg && *st->before;
    if (b->state && st) {
        text_add(to, "  state ");
        add_fields(&r->trace->actors.at[st->actor], b->state, to);
        text_char(to, '\n');
    }
    if (entry && (!b->state || strcmp(b->state, st->before) != 0)) {
        text_add(to, "  state ");
        add_fields(&r->trace->actors.at[st->actor], st->before, to);
        text_add(to, "  (on entry)\n");
    }
}

// The functions under way, "" if none.  That of the test body has a name of the
// library's, and stands last.
static const char *calls_of(const struct bug *b, const struct trace_step *st,
                            size_t *n)
{
    bool body = st && !st->msg;
    const char *s = b->chain ? b->chain : b->file && !body ? b->function : NULL;
    s = s ? s : "";
    *n = strlen(s);
    while (body && *n && strncmp(s + *n, " <- ", 4) != 0)
        --*n;
    return s;
}

static void what(const struct bug_report *r, struct text *to)
{
    struct paint p = paint_of(r);
    const struct bug *b = r->bug;
    const struct trace_step *st = bad_step(r);
    size_t n;
    const char *calls = calls_of(b, st, &n);
    size_t from = to->n;
    text_format(to, "%serror:%s %s\n", p.red, p.off,
                b->text ? b->text : bug_kind_text(b->kind));
    terminal_wrap(to, from, r->width, 2);
    if (b->file)
        text_format(to, "  --> %s:%d", b->file, b->line);
    if (n)
        text_format(to, "  in %.*s", (int)n, calls);
    if (st && st->msg)
        text_format(to, "%sactor %s, %s%s%s%s", n || b->file ? ", " : "  in ",
                    name_of(r->trace, st->actor),
                    strcmp(st->msg, "timer") ? "message " : "", st->msg,
                    *st->fields ? " " : "", st->fields);
    else if (st)
        text_add(to, n ? ", in the test body" : "  in the test body");
    else if (b->file && b->cls)
        text_format(to, "%sfini of class %s, when the test ends",
                    n ? ", " : "  in ", b->cls);
    if (b->file || n || st)
        text_char(to, '\n');
    if (b->kind == BUG_UNHANDLED || b->kind == BUG_STOPPED)
        sent_by(r->trace, st, to);
    if (b->thing && !(b->text && strstr(b->text, b->thing)))
        text_format(to, "  about %s\n", b->thing);
    states(r, st, to);
    if (b->file)
        excerpt(r, st, to);
    if (b->kind == BUG_ISOLATION)
        text_add(to, "  Actors must not share memory; --shared explores a "
                     "program whose actors share\n  global variables or memory "
                     "allocated before the test.\n");
    if (b->kind == BUG_NONDET)
        text_add(to, "  On memory that was never set, perhaps, an address, a "
                     "clock, or a file.\n");
    text_char(to, '\n');
}

// ---- who waits -----------------------------------------------------------

static void last_sent(const struct trace *t, uint32_t actor, struct text *to)
{
    const struct trace_send *last = NULL;
    for (uint32_t i = t->steps.n; i > 0 && !last; i--) {
        const struct trace_step *s = &t->steps.at[i - 1];
        for (uint32_t j = 0; j < s->sends.n; j++)
            last = s->sends.at[j].by == actor ? &s->sends.at[j] : last;
    }
    if (!last)
        return;
    text_format(to, "   last sent: %s to %s", last->msg,
                report_title(t, last->to));
    if (last->line)
        text_format(to, " (line %u)", last->line);
}

static bool stuck(const struct trace_actor *a)
{
    return a->flags & STATE_STUCK;
}

// The source lines that an actor's tasks wait in, with the values there.
static void wait_lines(const struct trace_actor *a, struct text *to)
{
    for (uint32_t i = 0; i < a->waits.n; i++) {
        const struct trace_wait *w = &a->waits.at[i];
        struct text line = {0}, values = {0};
        if (source_line(w->file, w->line, &line)) {
            const char *code = text_get(&line);
            code += strspn(code, " ");
            source_values(code, a->state, "", &values);
            text_format(to, "     --> %s:%d: %s%s%s\n", w->file, w->line, code,
                        values.n ? "        " : "", text_get(&values));
        }
        text_free(&line);
        text_free(&values);
    }
}

// The first ring of actors each of which holds on until the next one answers.
static void ring(const struct trace *t, struct text *to)
{
    for (uint32_t i = 0; i < t->actors.n; i++) {
        uint32_t at = i, steps = 0;
        do
            at = t->actors.at[at].held_by;
        while (at != PLAY_NONE && at != i && steps++ < t->actors.n);
        if (at != i)
            continue;
        text_format(to, "   The ring: %s", name_of(t, i));
        do {
            at = t->actors.at[at].held_by;
            text_format(to, " waits for %s", name_of(t, at));
            if (at != i)
                text_add(to, ", which");
        } while (at != i);
        text_add(to, ".\n");
        return;
    }
}

// Is the bug one of the test as a whole: of an invariant, or of its body?
static bool about_all(const struct bug_report *r)
{
    const struct trace_step *st = bad_step(r);
    return r->bug->kind == BUG_INVARIANT || (st && !st->msg);
}

static void actor_line(const struct trace_actor *a, struct text *to)
{
    text_format(to, "   %-16s %-10s ", a->title, a->behaviour);
    add_fields(a, a->state, to);
    text_char(to, '\n');
}

static void waits(const struct bug_report *r, struct text *to)
{
    const struct trace *t = r->trace;
    enum bug_kind k = r->bug->kind;
    bool all = about_all(r);
    if ((k != BUG_DEADLOCK && k != BUG_UNANSWERED && k != BUG_DEFERRED &&
         !all) ||
        t->actors.n < 2)
        return;
    size_t from = to->n;
    text_add(to, all ? "The actors then\n\n" : "Who waits\n\n");
    for (uint32_t i = 0; i < t->actors.n; i++) {
        const struct trace_actor *a = &t->actors.at[i];
        if (!stuck(a) || all)
            continue;
        text_format(to, "   %-16s %-10s", a->title, a->behaviour);
        for (uint32_t j = 0; j < a->waits.n; j++)
            text_format(to, "%s%s", j ? ", " : " waits for ",
                        a->waits.at[j].what);
        if (*a->kept)
            text_format(to, " keeps %s", a->kept);
        last_sent(t, i, to);
        text_char(to, '\n');
        wait_lines(a, to);
    }
    ring(t, to);
    for (uint32_t i = 1; i < t->actors.n; i++) {
        const struct trace_actor *a = &t->actors.at[i];
        bool told = stuck(a) && !all;
        if (!told && !(a->flags & STATE_STOPPED))
            actor_line(a, to);
    }
    text_char(to, '\n');
    terminal_wrap(to, from, r->width, 6);
}

// ---- the race -------------------------------------------------------------

static const struct trace_send *send_of(const struct trace *t, uint32_t step,
                                        uint32_t number)
{
    for (uint32_t i = 0; i < t->steps.n; i++)
        for (uint32_t j = 0; j < t->steps.at[i].sends.n; j++) {
            const struct trace_send *s = &t->steps.at[i].sends.at[j];
            if (step != PLAY_NONE ? s->received_at == step
                                  : s->number == number)
                return s;
        }
    return NULL;
}

// The receive of a step in words: "#3 b (from sender#2)".
static void received(const struct trace *t, uint32_t step, struct text *to)
{
    const struct trace_step *s = &t->steps.at[step];
    if (!s->number)
        text_format(to, "its timer (%s)", s->fields);
    else
        text_format(to, "#%u %s (from %s)", s->number, s->msg,
                    name_of(t, s->sender));
}

static const struct trace_send *second_of(const struct trace *t,
                                          const struct trace_swap *s)
{
    return send_of(t, s->second, s->waiting);
}

// "box#1 got #3 b (from sender#2) before #2 a (from sender#1)"
static void swap_words(const struct trace *t, const struct trace_swap *s,
                       struct text *to)
{
    const struct trace_send *other = second_of(t, s);
    text_format(to, "%s got ", name_of(t, t->steps.at[s->first].actor));
    received(t, s->first, to);
    if (other)
        text_format(to, " before #%u %s (from %s)", other->number, other->msg,
                    name_of(t, other->by));
}

static bool swap_known(const struct trace *t, const struct trace_swap *s)
{
    return s->first < t->steps.n && second_of(t, s);
}

// A message of the same sender that overtook another.
static void overtook(const struct bug_report *r, const struct trace_send *other,
                     struct text *to)
{
    const struct trace_step *first = &r->trace->steps.at[r->race.pair.first];
    if (first->number > other->number && first->sender == other->by)
        text_format(to,
                    "\nBoth were sent by %s, the later one overtook: with "
                    "--delivery=pair this cannot happen.",
                    name_of(r->trace, other->by));
}

// What would have to change for the test to pass.
static void remedy(const struct bug_report *r, const struct trace_send *other,
                   struct text *to)
{
    const struct trace_step *first = &r->trace->steps.at[r->race.pair.first];
    if (!r->race.more) {
        text_add(to, "\nSwapping these two makes the test pass.");
        return;
    }
    text_add(to, "\nIf ");
    if (other)
        text_format(to, "#%u", other->number);
    else
        text_add(to, "it");
    text_format(to, " and %u other message%s arrive before ", r->race.more,
                r->race.more == 1 ? "" : "s");
    if (first->number)
        text_format(to, "#%u", first->number);
    else
        text_add(to, "the timer");
    text_add(to, ", the test passes.");
}

enum { SWAPS_SHOWN = 8 };

static void other_swaps(const struct bug_report *r, struct text *to)
{
    const struct trace_race *race = &r->race;
    uint32_t n = race->n_others;
    if (n)
        text_format(to, "\nSo does swapping %s:",
                    n == 1 ? "these two alone" : "any of these pairs alone");
    for (uint32_t i = 0; i < n && i < SWAPS_SHOWN; i++)
        if (swap_known(r->trace, &race->others[i])) {
            text_add(to, "\n   ");
            swap_words(r->trace, &race->others[i], to);
        }
    if (n > SWAPS_SHOWN)
        text_format(to, "\n   and %u more", n - SWAPS_SHOWN);
}

static void race(const struct bug_report *r, struct text *to)
{
    const struct trace *t = r->trace;
    const struct trace_race *race = &r->race;
    if (!race->known || race->pair.first >= t->steps.n ||
        (!race->unsent && !swap_known(t, &race->pair)))
        return;
    const struct trace_send *other =
        race->unsent ? NULL : second_of(t, &race->pair);
    size_t from = to->n;
    text_add(to, "The race: ");
    swap_words(t, &race->pair, to);
    if (race->unsent)
        text_format(to, " before %s, which was not sent yet", race->unsent);
    text_char(to, '.');
    if (race->other_passes)
        remedy(r, other, to);
    if (other)
        overtook(r, other, to);
    other_swaps(r, to);
    text_add(to, "\n\n");
    terminal_wrap(to, from, r->width, 3);
}

// ---- everything ------------------------------------------------------------

static void commands(const struct bug_report *r, struct text *to)
{
    if (!r->name) {
        text_add(to, "   The case could not be kept: there is nothing to "
                     "replay.\n");
        return;
    }
    const char *tool = command_typed(), *name = r->name;
    int wide = (int)(strlen(tool) + strlen(name)) + 8; // "tool replay name"
    int both = 43 + 2 * wide;                          // of two in a line
    bool columns = wide <= 30 && (!r->width || both <= (int)r->width);
    bool remark = !r->width || r->width >= 90;
    const char *gap = columns ? "           " : "\n   ";
    text_format(to, "   replay   %s replay %s%s%s%s replay %s --gdb\n", tool,
                name, gap, columns ? "step through  " : "step     ", tool,
                name);
    text_format(to, "   shorten  %s shrink %s%s%s%s show %s --html\n", tool,
                name, gap, columns ? "look          " : "look     ", tool,
                name);
    text_format(to, "   keep     %s show %s --test > test_%s.c%s\n", tool, name,
                r->id, remark ? "   (a test that needs no tool)" : "");
}

static void happened(const struct bug_report *r, struct text *to)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < r->trace->steps.n; i++)
        n += r->trace->steps.at[i].msg != NULL;
    size_t from = to->n;
    text_format(to, "What happened (%s%u receive%s; delivery order: %s)\n\n",
                r->shortened ? "shortest schedule found, " : "", n,
                n == 1 ? "" : "s", r->delivery);
    terminal_wrap(to, from, r->width, 4);
    if (n || r->trace->steps.n > 1)
        report_steps(r, to);
    else
        text_add(to, r->bug ? "   the test body fails before any message is "
                              "received\n"
                            : "   no message is received\n");
    text_char(to, '\n');
}

static void chart(const struct bug_report *r, struct text *to)
{
    size_t from = to->n;
    report_chart(r->trace, r->width, to);
    terminal_cut(to, from, r->width);
}

// On a narrow terminal sources, steps and charts are cut, and sentences broken
// between words.  Commands stay whole, so that they can be copied.
static void told_before(const struct bug_report *r, struct text *to)
{
    text_format(to, "error: %s\n  this is the bug of %s above",
                r->bug->text ? r->bug->text : bug_kind_text(r->bug->kind),
                r->told_of);
    if (r->name)
        text_format(to, "; its schedule in this test: %s show %s",
                    command_typed(), r->name);
    text_char(to, '\n');
}

void bug_report_print(const struct bug_report *r, struct text *to)
{
    heading(r, to);
    if (r->told_of) {
        told_before(r, to);
        return;
    }
    what(r, to);
    waits(r, to);
    happened(r, to);
    race(r, to);
    chart(r, to);
    commands(r, to);
}

void pass_report_print(const struct bug_report *r, struct text *to)
{
    heading(r, to);
    happened(r, to);
    chart(r, to);
}
