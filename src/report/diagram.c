#include "report/diagram.h"

#include "base/die.h"
#include "base/text.h"
#include "cases/trace.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

// '#', ';' and quotes mean something to these formats.
static void plain(struct text *to, const char *s)
{
    for (; *s; s++)
        text_char(to, strchr("#;\"\n", *s) ? (*s == '#' ? '_' : ' ') : *s);
}

static void participants(const struct trace *t, const char *word,
                         struct text *to)
{
    for (uint32_t i = 0; i < t->actors.n; i++) {
        text_format(to, "    %s a%u as ", word, i);
        plain(to, t->actors.at[i].title);
        text_char(to, '\n');
    }
}

void diagram_mermaid(const struct trace *t, struct text *to)
{
    text_add(to, "sequenceDiagram\n");
    participants(t, "participant", to);
    for (uint32_t i = 1; i < t->steps.n; i++) {
        const struct trace_step *s = &t->steps.at[i];
        if (!s->msg)
            continue;
        text_format(to, "    a%u->>a%u: ", s->sender, s->actor);
        plain(to, s->msg);
        text_char(to, ' ');
        plain(to, s->fields);
        text_char(to, '\n');
        if (s->n_bugs && !s->bugs[s->n_bugs - 1].warning) {
            text_format(to, "    Note over a%u: ", s->actor);
            plain(to, s->bugs[s->n_bugs - 1].text);
            text_char(to, '\n');
        }
    }
}

void diagram_plantuml(const struct trace *t, struct text *to)
{
    text_add(to, "@startuml\n");
    for (uint32_t i = 0; i < t->actors.n; i++)
        text_format(to, "participant \"%s\" as a%u\n", t->actors.at[i].title, i);
    for (uint32_t i = 1; i < t->steps.n; i++) {
        const struct trace_step *s = &t->steps.at[i];
        if (!s->msg)
            continue;
        text_format(to, "a%u -> a%u : %s %s\n", s->sender, s->actor, s->msg,
                    s->fields);
        if (s->n_bugs && !s->bugs[s->n_bugs - 1].warning)
            text_format(to, "note over a%u : %s\n", s->actor,
                        s->bugs[s->n_bugs - 1].text);
    }
    text_add(to, "@enduml\n");
}

static void join(uint32_t *into, const uint32_t *from, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (from[i] > into[i])
            into[i] = from[i];
}

static void clock_text(const struct trace *t, const uint32_t *clock,
                       struct text *to)
{
    bool some = false;
    text_char(to, '{');
    for (uint32_t i = 0; i < t->actors.n; i++)
        if (clock[i]) {
            text_format(to, "%s\"%s\":%u", some ? "," : "",
                        t->actors.at[i].title, clock[i]);
            some = true;
        }
    text_char(to, '}');
}

void diagram_shiviz(const struct trace *t, struct text *to)
{
    uint32_t n = t->actors.n;
    uint32_t *actors = need_zero((size_t)n * n * sizeof *actors);
    uint32_t *steps = need_zero((size_t)t->steps.n * n * sizeof *steps);
    for (uint32_t i = 0; i < t->steps.n; i++) {
        const struct trace_step *s = &t->steps.at[i];
        uint32_t *mine = actors + (size_t)s->actor * n;
        if (s->sent_at != PLAY_NONE)
            join(mine, steps + (size_t)s->sent_at * n, n);
        mine[s->actor]++;
        memcpy(steps + (size_t)i * n, mine, n * sizeof *mine);
        text_format(to, "%s ", t->actors.at[s->actor].title);
        clock_text(t, mine, to);
        text_format(to, "\n%s %s\n", s->msg ? s->msg : "test body", s->fields);
    }
    free(actors);
    free(steps);
}
