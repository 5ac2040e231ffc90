#include "cases/describe.h"

#include "base/arena.h"
#include "base/text.h"
#include "stage/native.h"

#include <string.h>

static const char *keep(struct arena *a, struct text *t)
{
    const char *s = arena_text(a, text_get(t));
    text_free(t);
    return s;
}

// The stage prints "deposit {...}"; the trace has the name already.
static const char *msg_fields(void *self, struct arena *a, uint32_t msg)
{
    struct describer *w = self;
    struct text t = {0};
    native_message_text(w->native, msg, &t);
    const char *brace = strchr(text_get(&t), '{');
    const char *s = arena_text(a, brace ? brace : "");
    text_free(&t);
    return s;
}

static const char *state(void *self, struct arena *a, uint32_t id)
{
    struct describer *w = self;
    struct text t = {0};
    native_state_text(w->native, id, &t);
    return keep(a, &t);
}

static const char *change(void *self, struct arena *a, uint32_t before,
                          uint32_t after)
{
    struct describer *w = self;
    struct text t = {0};
    native_diff_text(w->native, before, after, &t);
    return keep(a, &t);
}

static const char *behaviour(void *self, uint32_t id)
{
    struct describer *w = self;
    const tr_behaviour *b = native_behaviour(w->native, id);
    return b ? b->name : "";
}

static bool wait(void *self, struct arena *a, uint32_t id, uint32_t i,
                 struct trace_wait *out)
{
    struct describer *w = self;
    const char *request;
    if (!native_waits(w->native, id, i, &out->asked, &request, &out->holds))
        return false;
    out->what = "a condition";
    if (request)
        out->what = arena_format(a, "%s of %s%s", request,
                                 out->asked == PLAY_NONE
                                     ? "nobody"
                                     : play_actor_name(w->play, out->asked),
                                 out->holds ? " (holding the actor)" : "");
    struct where at = native_waits_at(w->native, id, i);
    out->file = at.file ? arena_text(a, at.file) : NULL;
    out->line = at.line;
    return true;
}

static const char *list(struct describer *w, struct arena *a, uint32_t id,
                        uint32_t (*at)(struct native *n, uint32_t state,
                                       uint32_t i))
{
    struct text t = {0};
    for (uint32_t i = 0;; i++) {
        uint32_t msg = at(w->native, id, i);
        if (msg == PLAY_NONE)
            break;
        text_format(&t, "%s%s", i ? ", " : "", play_msg_name(w->play, msg));
    }
    return keep(a, &t);
}

static const char *kept(void *self, struct arena *a, uint32_t id)
{
    return list(self, a, id, native_kept);
}

static const char *held(void *self, struct arena *a, uint32_t id)
{
    return list(self, a, id, native_held);
}

static const char *timer(void *self, struct arena *a, uint32_t id, uint32_t k)
{
    struct describer *w = self;
    struct text t = {0};
    uint32_t to, msg = native_timer(w->native, id, k, &to);
    const char *ask = native_limit(w->native, id, k, &to);
    if (msg == PLAY_NONE)
        return arena_format(a, "ends the ask %s to %s", ask ? ask : "?",
                            to == PLAY_NONE ? "nobody"
                                            : play_actor_name(w->play, to));
    native_message_text(w->native, msg, &t);
    return keep(a, &t);
}

static const char *place(void *self, struct arena *a, uint32_t id, uint32_t msg,
                         int *line)
{
    struct describer *w = self;
    bool resumes;
    uintptr_t pc = native_next_pc(w->native, id, msg, &resumes);
    if (!pc || !w->program)
        return NULL;
    struct where at = program_where(w->program, pc);
    *line = !resumes && at.declared ? at.declared : at.line;
    return at.file ? arena_text(a, at.file) : NULL;
}

static const char *label(void *self, uint32_t actor)
{
    struct describer *w = self;
    return native_label(w->native, actor);
}

struct describe describe_native(struct describer *w)
{
    return (struct describe){.self = w,
                             .msg = msg_fields,
                             .state = state,
                             .change = change,
                             .behaviour = behaviour,
                             .wait = wait,
                             .kept = kept,
                             .held = held,
                             .label = label,
                             .timer = timer,
                             .place = place};
}
