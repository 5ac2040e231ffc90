#include "testlib/finals.h"

#include "base/arena.h"
#include "base/die.h"
#include "base/diag.h"
#include "program/final.h"
#include "program/program.h"
#include "program/values.h"
#include "runtime/seam.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct born {
    tr_ref creator, child;
    const tr_class *cls;
};

struct finals {
    struct tr_ops ops; // first: a context's table leads here
    const struct tr_ops *real;
    pthread_mutex_t lock;
    VEC(struct born) born; // of one creator in the order of the calls
};

// Who is who at the end.
struct names {
    const struct run *run;
    tr_runtime *runtime;
    struct arena arena;
    const struct finals *finals; // NULL: the solo manager knows
};

// ---- who creates whom -----------------------------------------------------

static tr_ref spawn(tr_ctx *ctx, const tr_class *cls, const void *state,
                    const char *label)
{
    struct finals *f = (struct finals *)(uintptr_t)ctx->ops;
    tr_ref creator = f->real->self(ctx);
    tr_ref child = f->real->spawn(ctx, cls, state, label);
    pthread_mutex_lock(&f->lock);
    if (child)
        vec_push(&f->born, ((struct born){creator, child, cls}));
    pthread_mutex_unlock(&f->lock);
    return child;
}

struct finals *finals_watch(const struct run *r, tr_runtime *runtime)
{
    if (!r->options->finals)
        return NULL;
    struct finals *f = need_zero(sizeof *f);
    tr_ctx *ctx = tr_enter(runtime);
    if (!ctx)
        die("out of memory");
    f->real = ctx->ops;
    tr_leave(ctx);
    f->ops = *f->real;
    f->ops.spawn = spawn;
    pthread_mutex_init(&f->lock, NULL);
    runtime->manager->through(runtime, &f->ops);
    return f;
}

void finals_free(struct finals *f)
{
    if (!f)
        return;
    pthread_mutex_destroy(&f->lock);
    vec_free(&f->born);
    free(f);
}

static const struct born *born_of(const struct finals *f, tr_ref ref)
{
    for (uint32_t i = 0; i < f->born.n; i++)
        if (f->born.at[i].child == ref)
            return &f->born.at[i];
    return NULL;
}

// As the stage and the solo manager name actors.
static const char *born_name(struct names *n, const struct born *b)
{
    const struct born *creator =
        b->creator ? born_of(n->finals, b->creator) : NULL;
    uint32_t nth = 0;
    for (const struct born *o = n->finals->born.at; o <= b; o++)
        nth += o->creator == b->creator && o->cls == b->cls;
    if (!creator)
        return arena_format(&n->arena, "%s#%u", b->cls->name, nth);
    return arena_format(&n->arena, "%s/%s#%u", born_name(n, creator),
                        b->cls->name, nth);
}

static const char *solo_name(struct names *n, uint32_t id)
{
    char name[512];
    if (!tr__solo_class(n->runtime, id))
        return NULL;
    return arena_text(&n->arena,
                      tr__solo_name(n->runtime, id, name, sizeof name));
}

static bool print_ref(void *user, uintptr_t ref, struct text *out)
{
    struct names *n = user;
    const struct born *b = n->finals ? born_of(n->finals, (tr_ref)ref) : NULL;
    const char *name = b           ? born_name(n, b)
                       : n->finals ? NULL
                                   : solo_name(n, tr__solo_id((tr_ref)ref));
    text_add(out, name ? name : "nobody");
    return true;
}

// ---- writing --------------------------------------------------------------

typedef VEC(struct final_actor) actors;

static void list_born(struct names *n, actors *out)
{
    for (uint32_t i = 0; i < n->finals->born.n; i++) {
        const struct born *b = &n->finals->born.at[i];
        vec_push(out, ((struct final_actor){.name = born_name(n, b),
                                            .cls = b->cls,
                                            .id = (uintptr_t)b->child}));
    }
}

static void list_solo(struct names *n, actors *out)
{
    const char *name;
    for (uint32_t id = 1; (name = solo_name(n, id)); id++)
        vec_push(out,
                 ((struct final_actor){.name = name,
                                       .cls = tr__solo_class(n->runtime, id),
                                       .id = (uint64_t)id << 4}));
}

static void append(const struct run *r, struct text *t)
{
    if (!final_append(r->options->finals, t))
        fprintf(stderr, "error: cannot write %s: %s\n", r->options->finals,
                strerror(errno));
}

static void look(void *user, const struct final_actor *a, struct tr_look *out)
{
    struct names *n = user;
    n->runtime->manager->look(n->runtime, (tr_ref)(uintptr_t)a->id, out);
}

static void print(struct names *n, struct text *to)
{
    struct diag d = {0};
    const struct run *r = n->run;
    struct program *own = r->options->lines ? NULL : program_self(&d);
    struct values *v = values_new(own ? own : r->options->lines);
    struct values_names names = {
        .ref = print_ref, .user = n, .read = final_read, .plain = true};
    actors all = {0};
    if (n->finals)
        list_born(n, &all);
    else
        list_solo(n, &all);
    final_print(v, r->test->of ? r->test->of : r->test->name, all.at, all.n,
                &names, look, to);
    vec_free(&all);
    values_free(v);
    program_free(own);
    diag_free(&d);
}

void finals_write(const struct run *r, tr_runtime *runtime,
                  const struct finals *f)
{
    struct names n = {.run = r, .runtime = runtime, .finals = f};
    struct text t = {0};
    if (!r->options->finals)
        return;
    print(&n, &t);
    append(r, &t);
    text_free(&t);
    arena_free(&n.arena);
}

void finals_failed(const struct run *r, enum bug_kind kind)
{
    struct text t = {0};
    if (!r->options->finals)
        return;
    final_failed(r->test->of ? r->test->of : r->test->name, bug_kind_id(kind),
                 &t);
    append(r, &t);
    text_free(&t);
}
