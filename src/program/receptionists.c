// The context's table of operations is replaced by a copy that also notes what
// is exposed; the notes go through a pipe as lines "name class".
#include "program/receptionists.h"

#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/text.h"
#include "runtime/seam.h"
#include "runtime/solo/solo.h"

enum { LIMIT_MS = 5000 };

struct spy {
    struct tr_ops ops; // first: a context's ops lead here
    const struct tr_ops *real;
    tr_runtime *runtime;
    int to;
};

static void note(tr_ctx *ctx, tr_ref ref, const char *name)
{
    struct spy *spy = (struct spy *)(uintptr_t)ctx->ops;
    const tr_class *c = tr__solo_class(spy->runtime, tr__solo_id(ref));
    dprintf(spy->to, "%s %s\n", name, c ? c->name : "-");
    spy->real->expose(ctx, ref, name);
}

_Noreturn static void set_up(const tr_system *system, const char *params,
                             int to)
{
    struct spy spy = {.to = to};
    tr_config config = {.params = params};
    if (!freopen("/dev/null", "w", stdout) ||
        !freopen("/dev/null", "w", stderr) ||
        tr_single.open(&config, &spy.runtime) != 0)
        _exit(1);
    tr_ctx *ctx = tr_enter(spy.runtime);
    if (!ctx)
        _exit(1);
    spy.real = ctx->ops;
    spy.ops = *ctx->ops;
    spy.ops.expose = note;
    ctx->ops = &spy.ops;
    alarm(LIMIT_MS / 1000);
    system->setup(ctx);
    _exit(0);
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
    int ends[2], status = 0;
    if (pipe(ends) != 0) {
        r->failed = true;
        return;
    }
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0)
        set_up(system, params, ends[1]);
    close(ends[1]);
    struct text lines = {0};
    char buf[512];
    for (ssize_t n; pid > 0 && (n = read(ends[0], buf, sizeof buf)) > 0;)
        text_bytes(&lines, buf, (size_t)n);
    close(ends[0]);
    r->failed = pid < 0 || waitpid(pid, &status, 0) != pid || status != 0;
    add_lines(r, a, text_get(&lines));
    text_free(&lines);
}

void reception_free(struct reception *r)
{
    vec_free(&r->list);
}
