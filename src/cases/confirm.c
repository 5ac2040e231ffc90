// confirm_here() follows the case; a case that does not come out as expected is
// followed once more, loosely.  confirm_apart() has a child do it and reads the
// bytes of its answer.
#include "cases/confirm.h"

#include "base/interrupt.h"
#include "base/diag.h"
#include "base/wire.h"
#include "base/text.h"
#include "cases/describe.h"
#include "cases/race.h"
#include "cases/replay.h"
#include "cases/subject.h"
#include "cases/trace_bytes.h"

#include <string.h>

void confirmed_release(struct confirmed *c)
{
    if (c->trace)
        trace_release(c->trace);
    if (c->passes)
        trace_release(c->passes);
    arena_free(&c->arena);
    *c = (struct confirmed){0};
}

// ---- the race -------------------------------------------------------------

// The message of a step as a report says it: "a (from sender#1)".
static const char *step_words(struct play *p, struct arena *a,
                              const struct step *s)
{
    if (play_is_timer(s->msg))
        return "its timer";
    return arena_format(a, "%s (from %s)", play_msg_name(p, s->msg),
                        play_actor_name(p, s->sender));
}

static struct trace_swap swap_of(const struct race_swap *s,
                                 const struct trace *t)
{
    struct trace_swap out = {s->first, s->second, 0};
    if (s->second == PLAY_NONE && s->source < t->steps.n &&
        s->nth < t->steps.at[s->source].sends.n)
        out.waiting = t->steps.at[s->source].sends.at[s->nth].number;
    return out;
}

// What else could have been received at the steps of a trace.
enum { OTHERS_MOST = 12 };

struct noting {
    struct trace *t;
    struct arena *a;
};

static void note_others(void *self, uint32_t step, const char *const *others,
                        uint32_t n, bool more)
{
    const struct noting *to = self;
    struct trace_step *st = &to->t->steps.at[step];
    const char **list = arena_zero(to->a, (n + 1) * sizeof *list);
    for (uint32_t i = 0; i < n; i++)
        list[i] = others[i];
    st->others = list;
    st->n_others = n;
    st->more_others = more;
}

static struct trace *trace_of(const struct subject *s, struct arena *a,
                              const struct schedule *schedule)
{
    struct describer w = {s->native, s->play, s->program};
    struct describe d = describe_native(&w);
    struct trace *t = trace_make(a, s->play, schedule, &d);
    struct noting to = {t, a};
    replay_others(s->play, s->explore.delivery, schedule, OTHERS_MOST, a,
                  note_others, &to);
    return t;
}

static struct trace_race race_of(const struct subject *s,
                                 const struct replay *r, const struct trace *t,
                                 struct arena *a, struct trace **passes)
{
    struct race race = {0};
    struct trace_race out = {0};
    if (!schedule_race(s->play, s->explore.delivery, &r->schedule, &race))
        return out;
    out.known = out.other_passes = true;
    out.pair = swap_of(&race.pair, t);
    out.more = race.more;
    if (race.unsent != PLAY_NONE)
        out.unsent = step_words(s->play, a, &race.passes.steps.at[race.unsent]);
    struct trace_swap *others =
        arena_zero(a, (race.swaps.n + 1) * sizeof *others);
    for (uint32_t i = 0; i < race.swaps.n; i++)
        if (memcmp(&race.swaps.at[i], &race.pair, sizeof race.pair) != 0)
            others[out.n_others++] = swap_of(&race.swaps.at[i], t);
    out.others = others;
    *passes = trace_of(s, a, &race.passes);
    race_release(&race);
    return out;
}

// ---- following ------------------------------------------------------------

const struct bug *confirm_bug(const struct test_case *c, const struct replay *r)
{
    for (uint32_t i = 0; i < r->bugs.n; i++)
        if (case_meets(c, &r->bugs.at[i].bug))
            return &r->bugs.at[i].bug;
    if (c->bug.kind == BUG_CYCLE && r->repeats) // a cycle is in no single step
        return &c->bug;
    for (uint32_t i = 0; i < r->bugs.n; i++)
        if (!r->bugs.at[i].bug.warning)
            return &r->bugs.at[i].bug;
    return NULL;
}

static enum confirm_outcome outcome(const struct test_case *c, bool fits,
                                    const struct bug *bug)
{
    bool same =
        c->bug.kind == BUG_NONE ? fits && !bug : bug && case_meets(c, bug);
    return same    ? CONFIRM_SAME
           : !fits ? CONFIRM_MISFIT
           : bug   ? CONFIRM_OTHER
                   : CONFIRM_PASSES;
}

static const char *copy(struct arena *a, const char *s)
{
    return s ? arena_text(a, s) : NULL;
}

static struct bug copy_bug(struct arena *a, const struct bug *from)
{
    struct bug b = *from;
#define COPY_(name) b.name = copy(a, b.name);
    BUG_STRINGS(COPY_)
#undef COPY_
    return b;
}

// The case could not be followed: note where.
static void note_misfit(const struct replay *r, struct confirmed *out)
{
    if (r->fits)
        return;
    out->at = r->at;
    out->why = arena_text(&out->arena, text_get(&r->why));
}

// A case that did not come out as expected is followed again, loosely: does the
// bug show when steps that do not fit are put off and the test goes on?
static const struct bug *again(struct subject *s, const struct test_case *c,
                               struct replay *r, struct confirmed *out)
{
    replay_loosely(s->play, s->explore.delivery, c->steps.at, c->steps.n, r);
    const struct bug *bug = confirm_bug(c, r);
    out->outcome = outcome(c, true, bug);
    return bug;
}

void confirm_here(struct subject *s, const struct test_case *c,
                  enum confirm_how how, struct confirmed *out)
{
    struct replay r = {0};
    *out = (struct confirmed){0};
    struct arena *a = &out->arena;
    bool fits =
        replay_words(s->play, s->explore.delivery, c->steps.at, c->steps.n, &r);
    const struct bug *bug = confirm_bug(c, &r);
    out->outcome = outcome(c, fits, bug);
    note_misfit(&r, out);
    if (how == CONFIRM_LOOSELY &&
        (out->outcome == CONFIRM_MISFIT || out->outcome == CONFIRM_PASSES))
        bug = again(s, c, &r, out);
    out->trace = trace_of(s, a, &r.schedule);
    if (bug && out->outcome != CONFIRM_MISFIT) {
        out->found = true;
        out->bug = copy_bug(a, bug);
        case_note_spot(a, &out->bug);
        out->race = race_of(s, &r, out->trace, a, &out->passes);
    }
    replay_free(&r);
}

// ---- in a child -----------------------------------------------------------

static void put_swap(struct text *to, const struct trace_swap *s)
{
    wire_put32(to, s->first);
    wire_put32(to, s->second);
    wire_put32(to, s->waiting);
}

static struct trace_swap take_swap(struct wire_reader *r)
{
    struct trace_swap s = {0};
    s.first = wire_get32(r);
    s.second = wire_get32(r);
    s.waiting = wire_get32(r);
    return s;
}

static void put_race(struct text *to, const struct trace_race *r)
{
    wire_put32(to, r->known);
    put_swap(to, &r->pair);
    wire_put32(to, r->n_others);
    for (uint32_t i = 0; i < r->n_others; i++)
        put_swap(to, &r->others[i]);
    wire_put_string(to, r->unsent);
    wire_put32(to, r->more);
    wire_put32(to, r->other_passes);
}

static struct trace_race take_race(struct wire_reader *r, struct arena *a)
{
    struct trace_race out = {0};
    out.known = wire_get32(r);
    out.pair = take_swap(r);
    uint32_t n = wire_get32(r);
    r->bad |= n > (size_t)(r->end - r->at) / sizeof(uint32_t);
    struct trace_swap *others =
        arena_zero(a, ((r->bad ? 0 : n) + 1) * sizeof *others);
    while (!r->bad && out.n_others < n)
        others[out.n_others++] = take_swap(r);
    out.others = others;
    out.unsent = copy(a, wire_get_string(r));
    out.more = wire_get32(r);
    out.other_passes = wire_get32(r);
    return out;
}

struct errand {
    const struct test_case *c;
    enum confirm_how how;
};

static void confirm_job(struct subject *s, void *arg, struct text *reply)
{
    const struct errand *e = arg;
    struct confirmed f;
    confirm_here(s, e->c, e->how, &f);
    wire_put32(reply, f.outcome);
    wire_put32(reply, f.found);
    bug_put(reply, &f.bug);
    trace_put(reply, f.trace);
    put_race(reply, &f.race);
    wire_put32(reply, f.passes != NULL);
    if (f.passes)
        trace_put(reply, f.passes);
    wire_put32(reply, f.at);
    wire_put_string(reply, f.why);
}

static bool take(struct wire_reader *r, struct confirmed *out)
{
    struct arena *a = &out->arena;
    uint32_t what = wire_get32(r);
    out->outcome =
        what < CONFIRM_LOST ? (enum confirm_outcome)what : CONFIRM_LOST;
    out->found = wire_get32(r);
    out->bug = bug_take(r, a);
    out->trace = trace_take(r, a);
    out->race = take_race(r, a);
    if (wire_get32(r))
        out->passes = trace_take(r, a);
    out->at = wire_get32(r);
    out->why = copy(a, wire_get_string(r));
    return !r->bad && out->outcome != CONFIRM_LOST;
}

void confirm_apart(struct subject *s, const struct test_case *c,
                   enum confirm_how how, struct confirmed *out, struct diag *d)
{
    struct subject apart = *s;
    struct errand e = {c, how};
    struct text reply = {0};
    *out = (struct confirmed){.outcome = CONFIRM_LOST};
    apart.isolate = apart.explain = true; // little cost for a single schedule
    if (subject_apart(&apart, confirm_job, &e, &reply, d)) {
        struct wire_reader r = {.at = text_get(&reply),
                                .end = text_get(&reply) + reply.n};
        if (!take(&r, out)) {
            confirmed_release(out);
            out->outcome = CONFIRM_LOST;
            diag_set(d, EXIT_FAULT, "the reply of a process is damaged");
        }
    } else if (interrupted()) {
        out->interrupted = true;
        diag_free(d);
        *d = (struct diag){0};
        diag_set(d, EXIT_INTERRUPTED,
                 "interrupted before the bug was replayed");
    }
    text_free(&reply);
}
