#include "testlib/trace_text.h"

#include "base/text.h"
#include "cases/trace.h"

#include <string.h>

enum { STEPS_SHOWN = 100 };

static void tell_step(const struct trace *t, uint32_t i, struct text *to)
{
    const struct trace_step *s = &t->steps.at[i];
    if (!s->msg) {
        text_format(to, "%5u  the test body goes on\n", i);
        return;
    }
    text_format(to, "%5u  %s: %s", i, t->actors.at[s->actor].name, s->msg);
    if (*s->fields)
        text_format(to, " %s", s->fields);
    for (uint32_t k = 0; k < s->n_picks && k < 4; k++)
        text_format(to, "%s%u", k ? ", " : ", picks ", s->picks[k]);
    if (s->number)
        text_format(to, " from %s", t->actors.at[s->sender].name);
    if (*s->change)
        text_format(to, "; %s", s->change);
    text_char(to, '\n');
    if (s->output)
        text_format(to, "       prints: %s%s", s->output,
                    s->output[strlen(s->output) - 1] == '\n' ? "" : "\n");
}

static void tell_waits(const struct trace *t, struct text *to)
{
    for (uint32_t i = 0; i < t->actors.n; i++) {
        const struct trace_actor *a = &t->actors.at[i];
        if (!(a->flags & STATE_STUCK))
            continue;
        text_format(to, "%s rests in '%s'", a->name, a->behaviour);
        for (uint32_t k = 0; k < a->waits.n; k++)
            text_format(to, ", waits for %s (line %d)", a->waits.at[k].what,
                        a->waits.at[k].line);
        if (*a->kept)
            text_format(to, ", keeps %s", a->kept);
        text_char(to, '\n');
    }
}

void trace_text(const struct trace *t, const struct bug *b, struct text *to)
{
    uint32_t n = t->steps.n, from = n > STEPS_SHOWN ? n - STEPS_SHOWN : 1;
    const struct trace_step *last = &t->steps.at[n - 1]; // the body's at least
    if (b->function)
        text_format(to, "in %s\n", b->function);
    if (last->n_bugs && *last->before)
        text_format(to, "state   %s\n", last->before);
    if (b->kind == BUG_DEADLOCK || b->kind == BUG_UNANSWERED ||
        b->kind == BUG_DEFERRED)
        tell_waits(t, to);
    text_format(to, "the shortest schedule found, %u receive%s:\n", n - 1,
                n == 2 ? "" : "s");
    if (from > 1)
        text_format(to, "       ... %u before\n", from - 1);
    for (uint32_t i = from; i < n; i++)
        tell_step(t, i, to);
}
