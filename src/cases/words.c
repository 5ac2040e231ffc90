#include "cases/words.h"

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
    struct words *w = self;
    struct text t = {0};
    native_message_text(w->native, msg, &t);
    const char *brace = strchr(text_get(&t), '{');
    const char *s = arena_text(a, brace ? brace : "");
    text_free(&t);
    return s;
}

static const char *state(void *self, struct arena *a, uint32_t id)
{
    struct words *w = self;
    struct text t = {0};
    native_state_text(w->native, id, &t);
    return keep(a, &t);
}

static const char *change(void *self, struct arena *a, uint32_t before,
                          uint32_t after)
{
    struct words *w = self;
    struct text t = {0};
    native_diff_text(w->native, before, after, &t);
    return keep(a, &t);
}

static const char *behaviour(void *self, uint32_t id)
{
    struct words *w = self;
    const tr_behaviour *b = native_behaviour(w->native, id);
    return b ? b->name : "";
}

static const char *waits(void *self, struct arena *a, uint32_t id)
{
    struct words *w = self;
    struct text t = {0};
    uint32_t asked;
    const char *request;
    bool holds;
    for (uint32_t i = 0;
         native_waits(w->native, id, i, &asked, &request, &holds); i++) {
        text_add(&t, i ? ", " : "");
        if (asked == PLAY_NONE)
            text_add(&t, "a condition");
        else
            text_format(&t, "%s of %s%s", request ? request : "an answer",
                        play_actor_name(w->play, asked),
                        holds ? " (holding the actor)" : "");
    }
    return keep(a, &t);
}

static const char *kept(void *self, struct arena *a, uint32_t id)
{
    struct words *w = self;
    struct text t = {0};
    for (uint32_t i = 0;; i++) {
        uint32_t msg = native_kept(w->native, id, i);
        if (msg == PLAY_NONE)
            break;
        text_format(&t, "%s%s", i ? ", " : "", play_msg_name(w->play, msg));
    }
    return keep(a, &t);
}

static const char *timer(void *self, struct arena *a, uint32_t id)
{
    struct words *w = self;
    struct text t = {0};
    uint32_t to, msg = native_timer(w->native, id, &to);
    if (msg == PLAY_NONE)
        return "the limit of an ask";
    native_message_text(w->native, msg, &t);
    return keep(a, &t);
}

static uint32_t held_by(void *self, uint32_t id)
{
    struct words *w = self;
    uint32_t asked;
    const char *request;
    bool holds;
    for (uint32_t i = 0;
         native_waits(w->native, id, i, &asked, &request, &holds); i++)
        if (holds)
            return asked;
    return PLAY_NONE;
}

struct describe words_describe(struct words *w)
{
    return (struct describe){w,     msg_fields, state, change, behaviour,
                             waits, kept,       timer, held_by};
}
