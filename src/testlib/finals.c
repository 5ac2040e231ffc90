#include "testlib/finals.h"

#include "base/arena.h"
#include "base/diag.h"
#include "program/final.h"
#include "program/program.h"
#include "program/values.h"
#include "runtime/seam.h"
#include "testlib/threads_ops.h"

#include <errno.h>
#include <string.h>

// Who is who at the end.
struct names {
    const struct run *run;
    tr_runtime *runtime;
    struct arena arena;
    const struct threads_ops *threads; // NULL: the solo manager knows
};

// NULL if there is no such actor.
static const char *name_of(struct names *n, tr_ref ref)
{
    char buf[512];
    const char *name = NULL;
    if (n->threads)
        name = threads_ops_name(n->threads, ref, buf, sizeof buf);
    else if (tr__solo_class(n->runtime, tr__solo_id(ref)))
        name = tr__solo_name(n->runtime, tr__solo_id(ref), buf, sizeof buf);
    return name ? arena_text(&n->arena, name) : NULL;
}

static bool print_ref(void *user, uintptr_t ref, struct text *out)
{
    const char *name = name_of(user, (tr_ref)ref);
    text_add(out, name ? name : "nobody");
    return true;
}

// ---- writing --------------------------------------------------------------

typedef VEC(struct final_actor) actors;

static void add(struct names *n, actors *out, tr_ref ref, const tr_class *cls)
{
    vec_push(out,
             ((struct final_actor){
                 .name = name_of(n, ref), .cls = cls, .id = (uintptr_t)ref}));
}

static void list(struct names *n, actors *out)
{
    const tr_class *cls;
    if (n->threads)
        for (uint32_t i = 0; i < n->threads->born.n; i++)
            add(n, out, n->threads->born.at[i].child,
                n->threads->born.at[i].cls);
    else
        for (uint32_t id = 1; (cls = tr__solo_class(n->runtime, id)); id++)
            add(n, out, (tr_ref)((uintptr_t)id << 4), cls);
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
        .ref = print_ref, .user = n, .read = values_read_here, .plain = true};
    actors all = {0};
    list(n, &all);
    final_print(v, r->test->of ? r->test->of : r->test->name, all.at, all.n,
                &names, look, to);
    vec_free(&all);
    values_free(v);
    program_free(own);
    diag_free(&d);
}

void finals_write(const struct run *r, tr_runtime *runtime,
                  const struct threads_ops *threads)
{
    struct names n = {.run = r, .runtime = runtime, .threads = threads};
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
