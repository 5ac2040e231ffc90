// Messages are made from their text when they are sent: only then it is known
// which actors are exposed.
#include "stage/posts.h"

#include "base/arena.h"
#include "base/die.h"
#include "base/diag.h"
#include "base/text.h"
#include "program/values.h"
#include "stage/native.h"
#include "stage/registry.h"
#include "stage/verdict.h"
#include "stage/wrap_memory.h"

#include <stdlib.h>
#include <string.h>

struct post {
    const tr_msg *type;
    const char *to, *fields;
    uint32_t times;
    void *payload; // room for it
};

struct posts {
    struct arena arena;
    struct values *values;
    struct post *at;
    uint32_t n;
};

static const tr_msg *type_of(const struct program *p, const char *name)
{
    for (uint32_t i = 0; i < p->n_msgs; i++)
        if (strcmp(p->msgs[i]->name, name) == 0)
            return p->msgs[i];
    return NULL;
}

static bool any_ref(void *user, const char *name, uintptr_t *out)
{
    (void)user;
    (void)name;
    *out = 0;
    return true;
}

static void *any_block(void *user, size_t size)
{
    return arena_zero(user, size);
}

static bool owns(const tr_msg *m)
{
    return m->copy || m->drop;
}

static bool check(struct posts *p, const struct post *q, struct diag *d)
{
    struct text why = {0};
    struct values_makers makers = {.user = &p->arena,
                                   .ref = any_ref,
                                   .block = owns(q->type) ? any_block : NULL};
    bool ok = values_parse(p->values, q->type->name, q->fields, q->payload,
                           q->type->size, &makers, &why);
    if (!ok)
        diag_set(d, EXIT_USAGE, "post %s %s %s: %s", q->to, q->type->name,
                 q->fields, text_get(&why));
    text_free(&why);
    return ok;
}

static bool take(struct native *n, const struct native_post *from,
                 struct diag *d)
{
    struct posts *p = n->posts;
    struct post *q = &p->at[p->n];
    q->type = type_of(n->program, from->msg);
    if (!q->type)
        return diag_set(d, EXIT_USAGE, "the program has no message '%s'",
                        from->msg);
    q->to = arena_text(&p->arena, from->to);
    q->fields = arena_text(&p->arena, from->fields ? from->fields : "");
    q->times = from->times;
    q->payload = arena_zero(&p->arena, q->type->size + 16ul);
    p->n++;
    return check(p, q, d);
}

bool posts_open(struct native *n, const struct native_options *o,
                struct diag *d)
{
    if (!o->n_posts)
        return true;
    if (!n->system)
        return diag_set(d, EXIT_USAGE,
                        "'%s' is a test: only a system is posted to", o->test);
    n->posts = need_zero(sizeof *n->posts);
    n->posts->values = values_new(n->program);
    n->posts->at =
        arena_zero(&n->posts->arena, o->n_posts * sizeof *n->posts->at);
    for (uint32_t i = 0; i < o->n_posts; i++)
        if (!take(n, &o->posts[i], d))
            return false;
    return true;
}

void posts_close(struct native *n)
{
    if (!n->posts)
        return;
    values_free(n->posts->values);
    arena_free(&n->posts->arena);
    free(n->posts);
    n->posts = NULL;
}

// ---- sending --------------------------------------------------------------

static bool ref_of(void *user, const char *name, uintptr_t *out)
{
    *out = (uintptr_t)registry_get(user, name);
    return *out != 0;
}

static void *block_of(void *user, size_t size)
{
    const struct native *n = user;
    void *p = memory_get(size, 16, n->text.from);
    if (p)
        memset(p, 0, size);
    return p;
}

static void send_one(struct native *n, struct region *r, const struct post *q)
{
    struct values_makers makers = {
        .user = n, .ref = ref_of, .block = owns(q->type) ? block_of : NULL};
    uint64_t to = registry_get(n, q->to);
    if (!to)
        bug_end(n, BUG_USE, NULL, 0, NULL, "nobody is exposed as '%s'", q->to);
    if (!values_parse(n->posts->values, q->type->name, q->fields, q->payload,
                      q->type->size, &makers, NULL))
        bug_end(n, BUG_USE, NULL, 0, NULL,
                "post %s %s: a reference in it "
                "names nobody who is exposed",
                q->to, q->type->name);
    stage_ops.send(&r->ctx, (tr_ref)(uintptr_t)to, q->type, q->payload);
}

void posts_send(struct native *n, struct region *r)
{
    for (uint32_t i = 0; i < n->posts->n; i++)
        for (uint32_t k = 0; k < n->posts->at[i].times; k++)
            send_one(n, r, &n->posts->at[i]);
}
