#include "report/diagram.h"

#include "base/die.h"
#include "base/json.h"
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
        text_format(to, "participant \"%s\" as a%u\n", t->actors.at[i].title,
                    i);
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

// ---- Chrome's trace format -------------------------------------------------

enum { STEP_US = 1000 }; // a step is drawn as a millisecond

static void event_head(struct json *j, const char *phase, const char *name,
                       uint32_t actor, uint64_t at)
{
    json_object(j, NULL);
    json_text(j, "ph", phase);
    json_text(j, "name", name);
    json_number(j, "pid", 1);
    json_number(j, "tid", actor);
    json_number(j, "ts", (int64_t)at);
}

static void flow_event(struct json *j, const char *phase, const char *msg,
                       uint32_t number, uint32_t actor, uint64_t at)
{
    event_head(j, phase, msg, actor, at);
    json_text(j, "cat", "message");
    json_number(j, "id", number);
    if (*phase == 'f')
        json_text(j, "bp", "e");
    json_end(j);
}

static void step_events(const struct trace *t, uint32_t i, struct json *j)
{
    const struct trace_step *s = &t->steps.at[i];
    uint64_t at = (uint64_t)i * STEP_US;
    event_head(j, "X", s->msg ? s->msg : "test body", s->actor, at);
    json_number(j, "dur", STEP_US * 9 / 10);
    json_object(j, "args");
    json_number(j, "step", i);
    json_text(j, "fields", s->fields);
    json_text(j, "change", s->change);
    if (s->n_bugs)
        json_text(j, "bug", s->bugs[s->n_bugs - 1].text);
    json_end(j);
    json_end(j);
    if (s->number)
        flow_event(j, "f", s->msg, s->number, s->actor, at + 1);
    for (uint32_t k = 0; k < s->sends.n; k++)
        if (s->sends.at[k].received_at != PLAY_NONE)
            flow_event(j, "s", s->sends.at[k].msg, s->sends.at[k].number,
                       s->actor, at + STEP_US / 2);
}

void diagram_perfetto(const struct trace *t, struct text *to)
{
    struct json j = {.to = to, .compact = true};
    json_object(&j, NULL);
    json_text(&j, "displayTimeUnit", "ms");
    json_array(&j, "traceEvents");
    for (uint32_t i = 0; i < t->actors.n; i++) {
        event_head(&j, "M", "thread_name", i, 0);
        json_object(&j, "args");
        json_text(&j, "name", t->actors.at[i].title);
        json_end(&j);
        json_end(&j);
    }
    for (uint32_t i = 0; i < t->steps.n; i++)
        step_events(t, i, &j);
    json_end(&j);
    json_end(&j);
    text_char(to, '\n');
}
