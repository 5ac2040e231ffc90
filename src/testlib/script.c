// Words are compared with the names the runtime gives now; so a schedule
// survives changes that do not touch what it tells, and otherwise the first
// step that is not possible is told.
#include "testlib/script.h"

#include "base/text.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

// ---- reading --------------------------------------------------------------

static char *trim(char *s)
{
    size_t n;
    while (isspace((unsigned char)*s))
        s++;
    n = strlen(s);
    while (n && isspace((unsigned char)s[n - 1]))
        s[--n] = '\0';
    return s;
}

static const char *wrong(struct script *p, const char *what, const char *step)
{
    return arena_format(&p->arena, "step %u of the schedule, '%s': %s",
                        p->steps.n + 1, step, what);
}

static bool read_picks(struct script *p, struct script_step *s, char *text)
{
    s->picks = p->picks.n;
    for (char *end; *text; text = trim(end)) {
        unsigned long pick = strtoul(text, &end, 10);
        if (end == text || (*end && !isspace((unsigned char)*end)))
            return false;
        vec_push(&p->picks, (uint32_t)pick);
        s->n_picks++;
    }
    return true;
}

static const char *read_step(struct script *p, char *text)
{
    const char *whole = arena_text(&p->arena, text);
    struct script_step s = {0};
    char *pick = strstr(text, " pick "), *msg, *sender;
    if (pick) {
        *pick = '\0';
        if (!read_picks(p, &s, trim(pick + 6)))
            return wrong(p, "picks are small numbers", whole);
    }
    msg = strpbrk(text, " \t\n");
    if (!msg)
        return wrong(p, "not 'receiver message<sender'", whole);
    *msg++ = '\0';
    sender = strchr(msg, '<');
    if (sender)
        *sender++ = '\0';
    s.actor = trim(text);
    s.msg = trim(msg);
    s.sender = sender ? trim(sender) : NULL;
    if (!sender && strcmp(s.msg, "timer") != 0 && strcmp(s.msg, "body") != 0)
        return wrong(p, "not 'receiver message<sender'", whole);
    vec_push(&p->steps, s);
    return NULL;
}

const char *script_read(struct script *p, const char *schedule)
{
    char *copy = arena_text(&p->arena, schedule), *rest, *s;
    for (s = strtok_r(copy, ";", &rest); s; s = strtok_r(NULL, ";", &rest)) {
        const char *error;
        s = trim(s);
        error = *s ? read_step(p, s) : NULL;
        if (error)
            return error;
    }
    return NULL;
}

void script_free(struct script *p)
{
    vec_free(&p->steps);
    vec_free(&p->picks);
    arena_free(&p->arena);
}

// ---- names ----------------------------------------------------------------

static bool first_of_class(tr_runtime *r, uint32_t actor)
{
    for (uint32_t i = 1; i < actor; i++)
        if (tr__solo_class(r, i) == tr__solo_class(r, actor))
            return false;
    return true;
}

static bool named(tr_runtime *r, uint32_t actor, const char *name)
{
    char buf[512];
    if (!actor)
        return strcmp(name, "test") == 0 || strcmp(name, "env") == 0;
    if (strcmp(tr__solo_name(r, actor, buf, sizeof buf), name) == 0)
        return true;
    return strcmp(tr__solo_class(r, actor)->name, name) == 0 &&
           first_of_class(r, actor);
}

// "deposit:2" is the second of those that look alike.
static uint32_t twin_of(const char *msg, size_t *length)
{
    const char *colon = strrchr(msg, ':');
    char *end = NULL;
    unsigned long k = colon ? strtoul(colon + 1, &end, 10) : 0;
    bool number = colon && end != colon + 1 && !*end && k;
    *length = number ? (size_t)(colon - msg) : strlen(msg);
    return number ? (uint32_t)k : 1;
}

static bool fits(tr_runtime *r, const struct script_step *s,
                 const struct solo_option *o)
{
    const char *word = tr__solo_words(o);
    size_t n;
    if (o->what == SOLO_TIMER)
        return strcmp(s->msg, "timer") == 0 && named(r, o->to, s->actor);
    twin_of(s->msg, &n);
    return s->sender && strlen(word) == n && memcmp(s->msg, word, n) == 0 &&
           named(r, o->to, s->actor) && named(r, o->from, s->sender);
}

uint32_t script_twin(const struct solo_option *o, uint32_t i)
{
    uint32_t k = 1;
    for (uint32_t j = 0; j < i; j++)
        k += o[j].to == o[i].to && o[j].from == o[i].from &&
             o[j].what != SOLO_TIMER && o[i].what != SOLO_TIMER &&
             strcmp(tr__solo_words(&o[j]), tr__solo_words(&o[i])) == 0;
    return k;
}

void script_words(tr_runtime *r, const struct solo_option *o, uint32_t twin,
                  struct text *to)
{
    char buf[512];
    text_format(to, "%s %s", tr__solo_name(r, o->to, buf, sizeof buf),
                tr__solo_words(o));
    if (twin > 1)
        text_format(to, ":%u", twin);
    if (o->what != SOLO_TIMER)
        text_format(to, "<%s", tr__solo_name(r, o->from, buf, sizeof buf));
}

// ---- following ------------------------------------------------------------

static bool is_body(const struct script_step *s)
{
    return !s->sender && strcmp(s->msg, "body") == 0;
}

// Steps that only answer for the test body are met on the way.
static struct script_step *next_step(struct script *p)
{
    while (p->at < p->steps.n && is_body(&p->steps.at[p->at]))
        p->at++;
    return p->at < p->steps.n ? &p->steps.at[p->at] : NULL;
}

bool script_left(struct script *p)
{
    return next_step(p) != NULL;
}

uint32_t script_choose(struct script *p, tr_runtime *r,
                       const struct solo_option *o, uint32_t n)
{
    struct script_step *s = next_step(p);
    size_t length;
    uint32_t k = s ? twin_of(s->msg, &length) : 0;
    p->picked = 0;
    p->current = 0;
    if (!s)
        return 0;
    for (uint32_t i = 0; i < n; i++)
        if (fits(r, s, &o[i]) && --k == 0) {
            p->current = ++p->at;
            return i;
        }
    return UINT32_MAX;
}

// The body's answers stand in its own steps, which come in order.
static bool pick_in_body(struct script *p, uint32_t *pick)
{
    for (; p->body < p->steps.n; p->body++, p->body_picked = 0) {
        const struct script_step *s = &p->steps.at[p->body];
        if (is_body(s) && p->body_picked < s->n_picks) {
            *pick = p->picks.at[s->picks + p->body_picked++];
            return true;
        }
    }
    return false;
}

bool script_pick(struct script *p, bool in_body, uint32_t n, uint32_t *pick)
{
    const struct script_step *s;
    (void)n;
    if (in_body)
        return pick_in_body(p, pick);
    s = p->current ? &p->steps.at[p->current - 1] : NULL;
    if (!s || p->picked >= s->n_picks)
        return false;
    *pick = p->picks.at[s->picks + p->picked++];
    return true;
}

void replay_misfit(struct script *p, tr_runtime *r, const struct solo_option *o,
                   uint32_t n, struct text *to)
{
    const struct script_step *s = &p->steps.at[p->at];
    text_format(to, "step %u of the schedule, '%s %s%s%s', does not fit; %s",
                p->at + 1, s->actor, s->msg, s->sender ? "<" : "",
                s->sender ? s->sender : "",
                n ? "possible here: " : "nothing is left to deliver");
    for (uint32_t i = 0; i < n && i < 20; i++) {
        text_add(to, i ? "; " : "");
        script_words(r, &o[i], script_twin(o, i), to);
    }
    if (n > 20)
        text_format(to, "; and %u more", n - 20);
}
