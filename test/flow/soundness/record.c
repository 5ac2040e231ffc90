/* Linked into a program with --wrap for the library's primitives: notes every
 * creation and message that a run really makes, in the words of `troupe graph`,
 * one line each, in the file that RECORD names.
 *
 *     environment -> client: create
 *     client -> server: deposit
 *
 * With RECORD_SYSTEM=N it runs not the tests but system N, once, under the
 * random manager seeded by RECORD_SEED, with zeroed messages from outside to
 * its receptionists; there is no such system if it exits with 9.  It ends after
 * RECORD_MOST creations and messages at the latest. */
#include "troupe.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { REFS = 1 << 16, LINES = 4096, EXPOSED = 64 };

static struct {
    pthread_mutex_t lock;
    tr_ref ref[REFS];
    const char *cls[REFS];
    char *line[LINES];
    unsigned n_lines;
    unsigned long n_notes;
    struct {
        tr_ref ref;
        const char *cls;
    } exposed[EXPOSED];
    unsigned n_exposed;
} all = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* The class of the actor whose init is running on this thread, if any. */
static _Thread_local const char *being_born;

static unsigned slot_of(tr_ref r)
{
    unsigned i = (unsigned)(((uintptr_t)r * 0x9e3779b97f4a7c15u) >> 48);
    while (all.ref[i] && all.ref[i] != r)
        i = (i + 1) % REFS;
    return i;
}

static const char *class_of(tr_ref r)
{
    if (!r)
        return NULL;
    unsigned i = slot_of(r);
    return all.ref[i] ? all.cls[i] : NULL;
}

static void learn(tr_ref r, const char *cls)
{
    unsigned i = slot_of(r);
    all.ref[i] = r;
    all.cls[i] = cls;
}

/* An actor may hand out its own reference before spawn has returned it. */
tr_ref __real_tr_self_(tr_ctx *);
tr_ref __wrap_tr_self_(tr_ctx *);
tr_ref __wrap_tr_self_(tr_ctx *ctx)
{
    tr_ref r = __real_tr_self_(ctx);
    pthread_mutex_lock(&all.lock);
    if (r && being_born && !class_of(r))
        learn(r, being_born);
    pthread_mutex_unlock(&all.lock);
    return r;
}

static const char *me(tr_ctx *ctx)
{
    const char *known = class_of(__real_tr_self_(ctx));
    return known ? known : being_born ? being_born : "environment";
}

static void note(const char *from, const char *to, const char *how,
                 const char *what)
{
    char line[256];
    const char *path = getenv("RECORD"), *most = getenv("RECORD_MOST");
    if (most && ++all.n_notes > strtoul(most, NULL, 10))
        _exit(0);
    int n =
        snprintf(line, sizeof line, "%s -> %s: %s%s\n", from, to, how, what);
    for (unsigned i = 0; i < all.n_lines; i++)
        if (strcmp(all.line[i], line) == 0)
            return;
    if (all.n_lines < LINES)
        all.line[all.n_lines++] = strdup(line);
    int fd = path ? open(path, O_WRONLY | O_CREAT | O_APPEND, 0644) : -1;
    if (fd >= 0) {
        if (write(fd, line, (size_t)n) != n)
            abort();
        close(fd);
    }
}

static void note_to(tr_ctx *ctx, tr_ref to, const char *how, const tr_msg *msg)
{
    pthread_mutex_lock(&all.lock);
    if (to)
        note(me(ctx), class_of(to) ? class_of(to) : "environment", how,
             msg->name);
    pthread_mutex_unlock(&all.lock);
}

tr_ref __real_tr_spawn_(tr_ctx *, const tr_class *, const void *, const char *);
tr_ref __wrap_tr_spawn_(tr_ctx *, const tr_class *, const void *, const char *);
tr_ref __wrap_tr_spawn_(tr_ctx *ctx, const tr_class *c, const void *state,
                        const char *label)
{
    pthread_mutex_lock(&all.lock);
    note(me(ctx), c->name, "create", "");
    pthread_mutex_unlock(&all.lock);
    const char *outer = being_born;
    being_born = c->name;
    tr_ref r = __real_tr_spawn_(ctx, c, state, label);
    being_born = outer;
    pthread_mutex_lock(&all.lock);
    if (r)
        learn(r, c->name);
    pthread_mutex_unlock(&all.lock);
    return r;
}

void __real_tr_send_(tr_ctx *, tr_ref, const tr_msg *, const void *);
void __wrap_tr_send_(tr_ctx *, tr_ref, const tr_msg *, const void *);
void __wrap_tr_send_(tr_ctx *ctx, tr_ref to, const tr_msg *m, const void *p)
{
    note_to(ctx, to, "", m);
    __real_tr_send_(ctx, to, m, p);
}

int __real_tr_try_send_(tr_ctx *, tr_ref, const tr_msg *, const void *);
int __wrap_tr_try_send_(tr_ctx *, tr_ref, const tr_msg *, const void *);
int __wrap_tr_try_send_(tr_ctx *ctx, tr_ref to, const tr_msg *m, const void *p)
{
    note_to(ctx, to, "", m);
    return __real_tr_try_send_(ctx, to, m, p);
}

tr_future __real_tr_ask_(tr_ctx *, tr_ref, const tr_msg *, const void *,
                         uint64_t);
tr_future __wrap_tr_ask_(tr_ctx *, tr_ref, const tr_msg *, const void *,
                         uint64_t);
tr_future __wrap_tr_ask_(tr_ctx *ctx, tr_ref to, const tr_msg *m, const void *p,
                         uint64_t within)
{
    note_to(ctx, to, "", m);
    return __real_tr_ask_(ctx, to, m, p, within);
}

void __real_tr_reply_(tr_ctx *, const tr_msg *, const void *, size_t);
void __wrap_tr_reply_(tr_ctx *, const tr_msg *, const void *, size_t);
void __wrap_tr_reply_(tr_ctx *ctx, const tr_msg *request, const void *p,
                      size_t n)
{
    char what[256];
    pthread_mutex_lock(&all.lock);
    const char *asker = class_of(tr_sender_(ctx));
    snprintf(what, sizeof what, "%s to %s", request->reply, request->name);
    note(me(ctx), asker ? asker : "environment", "reply ", what);
    pthread_mutex_unlock(&all.lock);
    __real_tr_reply_(ctx, request, p, n);
}

tr_timer __real_tr_after_(tr_ctx *, uint64_t, tr_ref, const tr_msg *,
                          const void *);
tr_timer __wrap_tr_after_(tr_ctx *, uint64_t, tr_ref, const tr_msg *,
                          const void *);
tr_timer __wrap_tr_after_(tr_ctx *ctx, uint64_t ms, tr_ref to, const tr_msg *m,
                          const void *p)
{
    note_to(ctx, to, "timer ", m);
    return __real_tr_after_(ctx, ms, to, m, p);
}

tr_timer __real_tr_every_(tr_ctx *, uint64_t, tr_ref, const tr_msg *,
                          const void *);
tr_timer __wrap_tr_every_(tr_ctx *, uint64_t, tr_ref, const tr_msg *,
                          const void *);
tr_timer __wrap_tr_every_(tr_ctx *ctx, uint64_t ms, tr_ref to, const tr_msg *m,
                          const void *p)
{
    note_to(ctx, to, "timer ", m);
    return __real_tr_every_(ctx, ms, to, m, p);
}

void __real_tr_watch_(tr_ctx *, tr_ref, const tr_msg *, const void *);
void __wrap_tr_watch_(tr_ctx *, tr_ref, const tr_msg *, const void *);
void __wrap_tr_watch_(tr_ctx *ctx, tr_ref who, const tr_msg *m, const void *p)
{
    pthread_mutex_lock(&all.lock);
    if (class_of(who))
        note(class_of(who), me(ctx), "notice ", m->name);
    pthread_mutex_unlock(&all.lock);
    __real_tr_watch_(ctx, who, m, p);
}

void __real_tr_expose_(tr_ctx *, tr_ref, const char *);
void __wrap_tr_expose_(tr_ctx *, tr_ref, const char *);
void __wrap_tr_expose_(tr_ctx *ctx, tr_ref r, const char *name)
{
    if (class_of(r) && all.n_exposed < EXPOSED) {
        all.exposed[all.n_exposed].ref = r;
        all.exposed[all.n_exposed++].cls = class_of(r);
    }
    __real_tr_expose_(ctx, r, name);
}

/* ---- systems ------------------------------------------------------------- */

extern const tr_system *const __start_tr_systems[] __attribute__((weak));
extern const tr_system *const __stop_tr_systems[] __attribute__((weak));
extern const tr_class *const __start_tr_classes[] __attribute__((weak));
extern const tr_class *const __stop_tr_classes[] __attribute__((weak));

/* A message of the first behaviour of the class, without contents. */
static void poke(tr_ctx *ctx, tr_ref to, const char *cls, unsigned which)
{
    static const char nothing[1 << 16];
    for (const tr_class *const *c = __start_tr_classes; c < __stop_tr_classes;
         c++) {
        const tr_behaviour *b = (*c)->start;
        if (strcmp((*c)->name, cls) != 0 || !b || !b->n)
            continue;
        const tr_msg *m = b->on[which % b->n].msg;
        if (m->size > sizeof nothing || m->copy || m->drop)
            continue;
        pthread_mutex_lock(&all.lock);
        note("environment", cls, "outside ", m->name);
        pthread_mutex_unlock(&all.lock);
        __real_tr_send_(ctx, to, m, nothing);
    }
}

static void run_system(const tr_system *s, unsigned seed)
{
    tr_runtime *rt;
    tr_config config = {.manager = &tr_random, .seed = seed};
    if (tr_start_(s, &config, &rt) != 0)
        return;
    tr_ctx *outside = tr_enter(rt);
    for (unsigned i = 0; outside && i < 8; i++) {
        unsigned n = all.n_exposed, k = seed * 7 + i;
        if (n)
            poke(outside, all.exposed[k % n].ref, all.exposed[k % n].cls,
                 k / n);
        tr_wait(rt);
    }
    if (outside)
        tr_leave(outside);
    tr_end(rt);
}

__attribute__((constructor)) static void run_one_system(void)
{
    const char *which = getenv("RECORD_SYSTEM"), *seed = getenv("RECORD_SEED");
    if (!which || !__start_tr_systems)
        return;
    long n = __stop_tr_systems - __start_tr_systems;
    if (atoi(which) < n)
        run_system(__start_tr_systems[atoi(which)],
                   seed ? (unsigned)atoi(seed) : 1);
    _exit(atoi(which) < n ? 0 : 9);
}
