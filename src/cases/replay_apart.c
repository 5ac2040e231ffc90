#include "cases/replay_apart.h"

#include "base/wire.h"
#include "cases/replay.h"
#include "cases/trace_bytes.h"

static void follow(struct subject *s, void *arg, struct text *reply)
{
    const struct test_case *c = arg;
    struct replay p = {0};
    struct bug none = {0};
    const struct bug *bug = &none;
    replay_words(s->play, s->explore.delivery, c->steps.at, c->steps.n, &p);
    for (uint32_t i = p.bugs.n; i-- > 0;)
        if (!p.bugs.at[i].bug.warning)
            bug = &p.bugs.at[i].bug;
    wire_put32(reply, p.fits);
    wire_put32(reply, p.complete);
    wire_put32(reply, p.at);
    wire_put_string(reply, text_get(&p.why));
    bug_put(reply, bug);
    replay_free(&p);
}

struct replay_outcome replay_apart(struct subject *s, const struct test_case *c,
                                   struct arena *a, struct diag *d)
{
    struct replay_outcome o = {0};
    struct text reply = {0};
    o.ran = subject_apart(s, follow, (void *)(uintptr_t)c, &reply, d);
    if (o.ran) {
        struct wire_reader in = {.at = text_get(&reply),
                                 .end = text_get(&reply) + reply.n};
        o.fits = wire_get32(&in);
        o.complete = wire_get32(&in);
        o.at = wire_get32(&in);
        const char *why = wire_get_string(&in);
        o.why = arena_text(a, why ? why : "");
        o.bug = bug_take(&in, a);
        o.ran = !in.bad;
    }
    text_free(&reply);
    return o;
}
