#include "cases/subject.h"

#include "base/arena.h"
#include "base/child.h"
#include "base/diag.h"
#include "base/die.h"
#include "cases/describe.h"
#include "cases/replay.h"
#include "program/program.h"
#include "stage/native.h"

static bool has_fini(const struct program *p)
{
    for (uint32_t i = 0; i < p->n_classes; i++)
        if (p->classes[i]->fini)
            return true;
    return false;
}

bool subject_open(struct subject *s, struct diag *d)
{
    VEC(struct native_post) posts = {0};
    for (uint32_t i = 0; i < s->origin.posts.n; i++) {
        const struct case_post *p = &s->origin.posts.at[i];
        vec_push(&posts,
                 ((struct native_post){p->to, p->msg, p->fields, p->times}));
    }
    struct native_options o = {
        .test = s->test->name,
        .posts = posts.at,
        .n_posts = posts.n,
        .params = s->params,
        .limit_ms = s->limit_ms,
        .shared = s->explore.shared,
        .own_clocks = s->explore.own_clocks,
        .alloc_fails = s->origin.alloc_fails,
        .ticks = ticks_bound(s->explore.ticks),
        .isolated = s->isolate,
        .explained = s->explain,
        .scattered = s->scattered,
    };
    s->native = native_open(s->program, &o, d);
    vec_free(&posts);
    if (!s->native)
        return false;
    s->play = play_new(native_ops(s->native), s->native, s->memory);
    play_set_early_ends(s->play, s->all_ends || has_fini(s->program));
    return true;
}

void subject_close(struct subject *s)
{
    if (s->play)
        play_free(s->play);
    if (s->native)
        native_close(s->native);
    s->play = NULL;
    s->native = NULL;
}

const char *subject_key(const struct subject *s, struct arena *a)
{
    const struct explore_options *x = &s->explore;
    const struct program *p = s->program;
    return arena_format(
        a, "%016llx%016llx %s (%s) %s%s%s%s steps %u ticks %u",
        (unsigned long long)p->hash[0], (unsigned long long)p->hash[1],
        s->test->name, s->params ? s->params : "", delivery_id(x->delivery),
        x->shared ? " shared" : "", x->own_clocks ? " own clocks" : "",
        s->all_ends ? " all ends" : "", x->steps, ticks_bound(x->ticks));
}

// ---- cases ----------------------------------------------------------------

static void fill_case(const struct subject *s, struct test_case *c)
{
    const struct test_case *o = &s->origin;
    c->tool = o->tool;
    c->build = o->build;
    c->test = s->test->name;
    c->delivery = delivery_id(s->explore.delivery);
    c->shared = s->explore.shared;
    c->own_clocks = s->explore.own_clocks;
    c->alloc_fails = o->alloc_fails;
    c->ticks = s->explore.ticks;
    for (uint32_t i = 0; i < o->programs.n; i++)
        vec_push(&c->programs, o->programs.at[i]);
    for (uint32_t i = 0; i < o->flags.n; i++)
        vec_push(&c->flags, o->flags.at[i]);
    for (uint32_t i = 0; i < o->params.n; i++)
        vec_push(&c->params, o->params.at[i]);
    for (uint32_t i = 0; i < o->posts.n; i++)
        vec_push(&c->posts, o->posts.at[i]);
}

void subject_describe(struct subject *s, struct arena *a, struct test_case *c,
                      const struct schedule *schedule)
{
    struct replay r = {0};
    struct describer w = {.native = s->native, .play = s->play};
    struct describe d = describe_native(&w);
    replay_schedule(s->play, s->explore.delivery, schedule, false, &r);
    case_take(a, c, s->play, schedule, r.twins.at, r.timers.at);
    struct trace *t = trace_make(a, s->play, schedule, &d);
    trace_sends(t, c);
    trace_release(t);
    replay_free(&r);
}

enum { SHRINK_MS = 500 };

void subject_case(struct subject *s, struct arena *a, const struct bug *bug,
                  const struct schedule *found, struct test_case *c,
                  struct schedule *made)
{
    fill_case(s, c);
    c->bug = *bug;
    case_note_spot(a, &c->bug);
    if (bug->warning || !schedule_shrink(s->play, s->explore.delivery, found,
                                         bug, SHRINK_MS * 1e-3, made))
        schedule_copy(made, found);
    subject_describe(s, a, c, made);
}

void subject_tell(struct subject *s, const struct bug *bug,
                  const struct schedule *schedule, struct text *out)
{
    struct arena a = {0};
    struct test_case c = {0};
    struct schedule made = {0};
    subject_case(s, &a, bug, schedule, &c, &made);
    case_print(&c, out);
    case_release(&c);
    schedule_free(&made);
    arena_free(&a);
}

void subject_final(struct subject *s, const struct ending *e, struct text *out)
{
    struct arena a = {0};
    struct test_case c = {0};
    struct replay r = {0};
    native_final_text(s->native, s->test->name, e->states, e->n, out);
    replay_schedule(s->play, s->explore.delivery, e->schedule, false, &r);
    case_take(&a, &c, s->play, e->schedule, r.twins.at, r.timers.at);
    text_add(out, "schedule ");
    for (uint32_t i = 0; i < c.steps.n; i++) {
        text_add(out, i ? "; " : "");
        words_print(&c.steps.at[i], out);
    }
    text_char(out, '\n');
    replay_free(&r);
    case_release(&c);
    arena_free(&a);
}

// ---- in a child -----------------------------------------------------------

struct errand {
    struct subject *subject;
    subject_job *job;
    void *arg;
};

// The reply begins with the exit status of what went wrong, 0 if nothing did.
static void serve(void *self, int fd)
{
    struct errand *e = self;
    struct diag d = {0};
    struct text reply = {0};
    wire_begin(&reply, 0);
    bool open = subject_open(e->subject, &d);
    wire_put32(&reply, (uint32_t)(open ? 0 : d.status));
    if (open) {
        e->job(e->subject, e->arg, &reply);
    } else {
        wire_put_string(&reply, d.text);
        wire_put_string(&reply, d.hint);
    }
    wire_send(fd, &reply);
}

static bool take_reply(struct wire_reader *r, struct text *reply,
                       struct diag *d)
{
    uint32_t status = wire_get32(r);
    if (!status) {
        text_bytes(reply, r->at, (size_t)(r->end - r->at));
        return true;
    }
    const char *what = wire_get_string(r), *hint = wire_get_string(r);
    d->status = (int)status;
    d->text = need_text(what ? what : "error");
    d->hint = hint ? need_text(hint) : NULL;
    return false;
}

bool subject_apart(struct subject *s, subject_job *job, void *arg,
                   struct text *reply, struct diag *d)
{
    struct errand e = {s, job, arg};
    struct child_plan plan = {.body = serve, .self = &e};
    struct wire_in in = {0};
    struct wire_message m;
    int status;
    bool ok =
        child_ask(&plan, 0, &in, &m, &status) == CHILD_ANSWERED
            ? take_reply(&m.body, reply, d)
            : diag_set(d, EXIT_FAULT, "the process that runs the test died");
    wire_free(&in);
    return ok;
}
