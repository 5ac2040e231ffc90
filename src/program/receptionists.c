// The context's table of operations is replaced by a copy that also notes what
// is exposed; the notes come back from a child as lines "name class".
#include "program/receptionists.h"

#include <string.h>

#include "base/arena.h"
#include "base/child.h"
#include "base/text.h"
#include "runtime/seam.h"
#include "runtime/solo/solo.h"

enum { LIMIT_SECONDS = 5 };

struct spy {
    struct tr_ops ops; // first: a context's ops lead here
    const struct tr_ops *real;
    tr_runtime *runtime;
    struct text lines;
};

struct errand {
    const tr_system *system;
    const char *params;
};

static void note(tr_ctx *ctx, tr_ref ref, const char *name)
{
    struct spy *spy = (struct spy *)(uintptr_t)ctx->ops;
    const tr_class *c = tr__solo_class(spy->runtime, tr__solo_id(ref));
    text_format(&spy->lines, "%s %s\n", name, c ? c->name : "-");
    spy->real->expose(ctx, ref, name);
}

static void set_up(void *self, int fd)
{
    const struct errand *e = self;
    struct spy spy = {0};
    struct text reply = {0};
    tr_config config = {.params = e->params};
    if (tr_single.open(&config, &spy.runtime) != 0)
        return;
    tr_ctx *ctx = tr_enter(spy.runtime);
    if (!ctx)
        return;
    spy.real = ctx->ops;
    spy.ops = *ctx->ops;
    spy.ops.expose = note;
    ctx->ops = &spy.ops;
    e->system->setup(ctx);
    wire_begin(&reply, 0);
    wire_put_string(&reply, text_get(&spy.lines));
    wire_send(fd, &reply);
}

static void add_lines(struct reception *r, struct arena *a, const char *lines)
{
    char *rest = arena_text(a, lines);
    for (char *line; (line = strtok_r(rest, "\n", &rest));) {
        char *blank = strrchr(line, ' ');
        if (!blank)
            continue;
        *blank = 0;
        vec_push(&r->list, ((struct receptionist){line, blank + 1}));
    }
}

void reception_read(struct reception *r, struct arena *a,
                    const tr_system *system, const char *params)
{
    struct errand e = {system, params};
    struct child_plan plan = {
        .body = set_up, .self = &e, .signals = CHILD_DIES, .quiet = true};
    struct wire_in in = {0};
    struct wire_message m;
    int status;
    const char *lines = NULL;
    if (child_ask(&plan, LIMIT_SECONDS, &in, &m, &status) == CHILD_ANSWERED)
        lines = wire_get_string(&m.body);
    r->failed = !lines;
    if (lines)
        add_lines(r, a, lines);
    wire_free(&in);
}

void reception_free(struct reception *r)
{
    vec_free(&r->list);
}
