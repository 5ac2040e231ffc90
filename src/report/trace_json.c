#include "report/trace_json.h"

#include "base/hash.h"
#include "base/json.h"
#include "base/map.h"
#include "cases/confirm.h"
#include "cases/trace.h"

#include <string.h>

// ---- strings that repeat --------------------------------------------------

struct strings {
    struct map at; // hash -> index
    VEC(const char *) list;
};

static uint32_t string_index(struct strings *s, const char *text)
{
    uint64_t key = hash_bytes(text, strlen(text));
    for (;; key++) {
        uint32_t found = map_get(&s->at, key);
        if (found == MAP_NONE) {
            map_put(&s->at, key, s->list.n);
            vec_push(&s->list, text);
            return s->list.n - 1;
        }
        if (strcmp(s->list.at[found], text) == 0)
            return found;
    }
}

// ---- parts ----------------------------------------------------------------

static void index_json(struct json *j, const char *key, uint32_t i)
{
    if (i == PLAY_NONE)
        json_text(j, key, NULL);
    else
        json_number(j, key, i);
}

// A member only where there is something to say.
static void some_text(struct json *j, const char *key, const char *s)
{
    if (s && *s)
        json_text(j, key, s);
}

static void actor_json(const struct trace_actor *a, struct json *j)
{
    json_object(j, NULL);
    json_text(j, "name", a->name);
    json_text(j, "title", a->title);
    json_text(j, "class", a->cls);
    some_text(j, "first", a->first);
    some_text(j, "state", a->state);
    some_text(j, "behaviour", a->behaviour);
    some_text(j, "kept", a->kept);
    json_bool(j, "stopped", a->flags & STATE_STOPPED);
    json_array(j, "waits");
    for (uint32_t i = 0; i < a->waits.n; i++)
        json_text(j, NULL, a->waits.at[i].what);
    json_end(j);
    json_end(j);
}

static void send_json(const struct trace_send *s, struct json *j)
{
    json_object(j, NULL);
    json_number(j, "number", s->number);
    json_number(j, "by", s->by);
    json_text(j, "to", s->to);
    json_text(j, "message", s->msg);
    some_text(j, "fields", s->fields);
    if (s->line)
        json_number(j, "line", s->line);
    index_json(j, "received_at", s->received_at);
    json_end(j);
}

static void bugs_json(const struct trace_step *s, struct json *j)
{
    if (!s->n_bugs)
        return;
    json_array(j, "bugs");
    for (uint32_t i = 0; i < s->n_bugs; i++) {
        const struct bug *b = &s->bugs[i];
        json_object(j, NULL);
        json_text(j, "kind", bug_kind_id(b->kind));
        json_bool(j, "warning", b->warning);
        json_text(j, "text", b->text);
        some_text(j, "file", b->file);
        json_number(j, "line", b->line);
        some_text(j, "values", b->values);
        some_text(j, "state", b->state);
        json_end(j);
    }
    json_end(j);
}

static void others_json(const struct trace_step *s, struct json *j)
{
    if (!s->others)
        return;
    json_array(j, "others");
    for (uint32_t i = 0; i < s->n_others; i++)
        json_text(j, NULL, s->others[i]);
    json_end(j);
    if (s->more_others)
        json_bool(j, "more_others", true);
}

static void lists_json(const struct trace_step *s, struct json *j)
{
    json_array(j, "sends");
    for (uint32_t i = 0; i < s->sends.n; i++)
        send_json(&s->sends.at[i], j);
    json_end(j);
    if (s->births.n) {
        json_array(j, "births");
        for (uint32_t i = 0; i < s->births.n; i++)
            json_number(j, NULL, s->births.at[i]);
        json_end(j);
    }
    if (s->n_picks) {
        json_array(j, "picks");
        for (uint32_t i = 0; i < s->n_picks && i < 4; i++)
            json_number(j, NULL, s->picks[i]);
        json_end(j);
    }
}

static void step_json(const struct trace_step *s, struct strings *states,
                      struct json *j)
{
    json_object(j, NULL);
    json_number(j, "actor", s->actor);
    json_text(j, "message", s->msg);
    some_text(j, "fields", s->fields);
    json_number(j, "sender", s->sender);
    index_json(j, "sent_at", s->sent_at);
    json_number(j, "number", s->number);
    some_text(j, "change", s->change);
    some_text(j, "kept", s->kept);
    if (*s->after)
        json_number(j, "state", string_index(states, s->after));
    some_text(j, "from", s->from);
    some_text(j, "to", s->to);
    some_text(j, "output", s->output);
    if (s->file) {
        json_text(j, "file", s->file);
        json_number(j, "line", s->line);
    }
    lists_json(s, j);
    others_json(s, j);
    bugs_json(s, j);
    json_end(j);
}

// ---- whole ----------------------------------------------------------------

void trace_json(const struct trace *t, const char *key, struct json *j)
{
    struct strings states = {0};
    json_object(j, key);
    json_array(j, "actors");
    for (uint32_t i = 0; i < t->actors.n; i++)
        actor_json(&t->actors.at[i], j);
    json_end(j);
    json_array(j, "steps");
    for (uint32_t i = 0; i < t->steps.n; i++)
        step_json(&t->steps.at[i], &states, j);
    json_end(j);
    json_array(j, "states");
    for (uint32_t i = 0; i < states.list.n; i++)
        json_text(j, NULL, states.list.at[i]);
    json_end(j);
    json_end(j);
    map_free(&states.at);
    vec_free(&states.list);
}

static void swap_json(const struct trace_swap *s, const char *key,
                      struct json *j)
{
    json_object(j, key);
    json_number(j, "first", s->first);
    index_json(j, "second", s->second);
    if (s->second == PLAY_NONE)
        json_number(j, "waiting", s->waiting);
    json_end(j);
}

void race_json(const struct trace_race *r, const char *key, struct json *j)
{
    if (!r->known)
        return;
    json_object(j, key);
    swap_json(&r->pair, "pair", j);
    json_array(j, "others");
    for (uint32_t i = 0; i < r->n_others; i++)
        swap_json(&r->others[i], NULL, j);
    json_end(j);
    some_text(j, "unsent", r->unsent);
    json_number(j, "more", r->more);
    json_end(j);
}
