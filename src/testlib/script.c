// The words of a schedule are compared with the names that the runtime gives
// now. So a schedule still fits after a change of the program that leaves these
// names. If it does not fit, the first step that is not possible is told.
#include "testlib/script.h"

#include "base/text.h"

#include <string.h>

// ---- reading --------------------------------------------------------------

// Steps from the first one of `from` on, so often; they may be those before.
static void repeat(struct script *p, uint32_t from, uint32_t n, uint32_t times)
{
    for (uint64_t i = 0; i < (uint64_t)n * times; i++) {
        struct words_step step = p->steps.at[from + i % n];
        vec_push(&p->steps, step);
        vec_push(&p->done, script_passes(&step));
    }
}

// What is wrong with the step; NULL: nothing, it is read.
static const char *read_step(struct script *p, char *s)
{
    struct words_step step;
    uint32_t times;
    if (!words_times(s, &times))
        return WORDS_TIMES_WRONG;
    uint32_t last = words_again(s);
    if (last) {
        if (last > p->steps.n || (uint64_t)last * times > WORDS_TIMES)
            return "it repeats the last steps, of which there are not as many";
        repeat(p, p->steps.n - last, last, times);
        return NULL;
    }
    const char *wrong = words_parse(&p->arena, s, &step);
    for (uint32_t i = 0; !wrong && i < times; i++) {
        vec_push(&p->steps, step);
        vec_push(&p->done, script_passes(&step));
    }
    return wrong;
}

const char *script_read(struct script *p, const char *schedule)
{
    char *copy = arena_text(&p->arena, schedule), *rest, *s;
    for (s = strtok_r(copy, ";", &rest); s; s = strtok_r(NULL, ";", &rest)) {
        s += strspn(s, " \t\n");
        const char *wrong = *s ? read_step(p, s) : NULL;
        if (wrong)
            return arena_format(&p->arena, "step %u of the schedule, '%s': %s",
                                p->steps.n + 1, s, wrong);
    }
    return NULL;
}

void script_free(struct script *p)
{
    vec_free(&p->steps);
    vec_free(&p->done);
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

static const char *brings(const struct solo_option *o)
{
    return o->brings ? o->brings->name : "";
}

static bool fits(tr_runtime *r, const struct words_step *s,
                 const struct solo_option *o)
{
    const char *word = tr__solo_words(o);
    size_t n;
    if (o->what == SOLO_TIMER)
        return words_mean_timer(s, brings(o), o->soonest) &&
               named(r, o->to, s->actor);
    words_twin(s->msg, &n);
    return s->sender && strlen(word) == n && memcmp(s->msg, word, n) == 0 &&
           named(r, o->to, s->actor) && named(r, o->from, s->sender);
}

uint32_t script_twin(const struct solo_option *o, uint32_t i)
{
    uint32_t k = 1;
    if (o[i].what == SOLO_TIMER)
        return o[i].nth;
    for (uint32_t j = 0; j < i; j++)
        k += o[j].to == o[i].to && o[j].from == o[i].from &&
             o[j].what != SOLO_TIMER &&
             strcmp(tr__solo_words(&o[j]), tr__solo_words(&o[i])) == 0;
    return k;
}

void script_words(tr_runtime *r, const struct solo_option *o, uint32_t twin,
                  struct text *to)
{
    char buf[512];
    bool soonest = o->what == SOLO_TIMER && o->soonest;
    text_format(to, "%s %s", tr__solo_name(r, o->to, buf, sizeof buf),
                tr__solo_words(o));
    if (o->what == SOLO_TIMER && !soonest)
        text_format(to, " %s", brings(o));
    if (twin > 1 && !soonest)
        text_format(to, ":%u", twin);
    if (o->what != SOLO_TIMER)
        text_format(to, "<%s", tr__solo_name(r, o->from, buf, sizeof buf));
}

// ---- following ------------------------------------------------------------

enum { AHEAD = 1000 }; // steps tried where one is not possible

// Pass steps that hold only the answers of the test body.
bool script_left(struct script *p)
{
    while (p->at < p->steps.n && p->done.at[p->at])
        p->at++;
    return p->at < p->steps.n;
}

// The option that a step names, UINT32_MAX if it is not there.
static uint32_t option_of(const struct words_step *s, tr_runtime *r,
                          const struct solo_option *o, uint32_t n)
{
    size_t length;
    uint32_t k = words_twin(s->msg, &length);
    for (uint32_t i = 0; i < n; i++)
        if (fits(r, s, &o[i]) && --k == 0)
            return i;
    return UINT32_MAX;
}

// The first option, but no timer that rests.
static uint32_t first_awake(const struct solo_option *o, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (!o[i].rests)
            return i;
    return (uint32_t)SOLO_NOTHING;
}

// Are there only timers that the body need not wait for?
static bool only_every(const struct solo_option *o, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (!o[i].every)
            return false;
    return true;
}

// Does the body, or the end, come before the timers that are left?
static bool goes_on_early(struct script *p, const struct solo_option *o,
                          uint32_t n)
{
    if (!words_is_early(&p->steps.at[p->at]) || !only_every(o, n))
        return false;
    return p->done.at[p->at] = true;
}

uint32_t script_choose(struct script *p, tr_runtime *r,
                       const struct solo_option *o, uint32_t n)
{
    p->picked = 0;
    p->current = 0;
    if (!script_left(p))
        return first_awake(o, n);
    if (goes_on_early(p, o, n))
        return (uint32_t)SOLO_NOTHING;
    for (uint32_t k = p->at; k < p->steps.n && k - p->at < AHEAD; k++) {
        bool passed = p->done.at[k] || words_is_body(&p->steps.at[k]);
        uint32_t i = passed ? UINT32_MAX : option_of(&p->steps.at[k], r, o, n);
        if (i != UINT32_MAX) {
            p->done.at[k] = true;
            p->current = k + 1;
            return i;
        }
        if (first_awake(o, n) == (uint32_t)SOLO_NOTHING)
            break; // the body goes on first
        if (k == p->at && !p->misfit)
            p->misfit = k + 1;
        if (p->strict)
            return UINT32_MAX;
    }
    return first_awake(o, n);
}

// The body's answers stand in its own steps, which come in order.
static bool pick_in_body(struct script *p, uint32_t *pick)
{
    for (; p->body < p->steps.n; p->body++, p->body_picked = 0) {
        const struct words_step *s = &p->steps.at[p->body];
        if (words_is_body(s) && p->body_picked < s->n_picks) {
            *pick = s->picks[p->body_picked++];
            return true;
        }
    }
    return false;
}

bool script_pick(struct script *p, bool in_body, uint32_t n, uint32_t *pick)
{
    const struct words_step *s;
    (void)n;
    if (in_body)
        return pick_in_body(p, pick);
    s = p->current ? &p->steps.at[p->current - 1] : NULL;
    if (!s || p->picked >= s->n_picks)
        return false;
    *pick = s->picks[p->picked++];
    return true;
}

void script_misfit(struct script *p, tr_runtime *r, const struct solo_option *o,
                   uint32_t n, struct text *to)
{
    uint32_t at = p->misfit ? p->misfit - 1 : p->at;
    const struct words_step *s = &p->steps.at[at];
    text_format(to, "step %u of the schedule, '%s %s%s%s', does not fit; %s",
                at + 1, s->actor, s->msg, s->sender ? "<" : "",
                s->sender ? s->sender : "",
                n ? "possible here: " : "nothing is left to deliver");
    for (uint32_t i = 0; i < n && i < 20; i++) {
        text_add(to, i ? "; " : "");
        script_words(r, &o[i], script_twin(o, i), to);
    }
    if (n > 20)
        text_format(to, "; and %u more", n - 20);
}
