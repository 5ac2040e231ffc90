// Threads outside: what they may do beyond what actors may.
#include "runtime/threads/threads.h"

#include <stdio.h>
#include <string.h>

void tr__misuse(struct turn *t, const char *what)
{
    t->base.ops->misuse(&t->base, what);
}

static struct runtime *runtime_of(tr_ctx *ctx)
{
    return ((struct turn *)ctx)->desk->rt;
}

// ---- coming and going -----------------------------------------------------

tr_ctx *tr__outside_enter(tr_runtime *r)
{
    struct runtime *rt = (struct runtime *)r;
    struct outside *o = tr__get_zero(&rt->config, sizeof *o);
    if (!o)
        return NULL;
    pthread_mutex_lock(&rt->lock);
    tr__desk_init(&o->desk, rt, NULL, rng_next(&rt->rest.rng));
    o->desk.next = rt->outside;
    rt->outside = &o->desk;
    rt->n_outside++;
    pthread_mutex_unlock(&rt->lock);
    tr__turn_init(&o->turn, &o->desk, NULL);
    return &o->turn.base;
}

void tr__outside_leave(tr_ctx *ctx)
{
    struct outside *o = (struct outside *)ctx;
    struct runtime *rt = o->desk.rt;
    struct desk **link = &rt->outside;
    tr__outside_values_free(o);
    tr__desk_release(&o->desk);
    pthread_mutex_lock(&rt->lock);
    while (*link != &o->desk)
        link = &(*link)->next;
    *link = o->desk.next;
    rt->n_outside--;
    pthread_cond_broadcast(&rt->news);
    pthread_mutex_unlock(&rt->lock);
    tr__put(&rt->config, o);
}

void tr__block_when_full(tr_ctx *ctx, bool block)
{
    struct turn *t = (struct turn *)ctx;
    if (t->actor)
        tr__misuse(t, "a handler cannot block");
    else
        ((struct outside *)t)->block = block;
}

// ---- receptionists --------------------------------------------------------

// Under rt->lock.
static struct name *name_find(struct runtime *rt, const char *text)
{
    struct name *n = rt->names;
    while (n && strcmp(n->text, text) != 0)
        n = n->next;
    return n;
}

static struct name *name_new(struct runtime *rt, const char *text)
{
    struct name *n = tr__get_zero(&rt->config, sizeof *n);
    if (!n)
        return NULL;
    n->text = tr__get_text(&rt->config, text);
    if (!n->text) {
        tr__put(&rt->config, n);
        return NULL;
    }
    n->next = rt->names;
    return rt->names = n;
}

void tr__expose(tr_ctx *ctx, tr_ref ref, const char *text)
{
    struct runtime *rt = runtime_of(ctx);
    struct name *n;
    if (!ref)
        return;
    pthread_mutex_lock(&rt->lock);
    n = name_find(rt, text);
    if (!n)
        n = name_new(rt, text);
    if (n) {
        n->ref = ref;
        n->cls = actor_class(actor_at(rt, ref_index(ref)));
    }
    pthread_mutex_unlock(&rt->lock);
    if (!n)
        tr__fault(&rt->config, &(tr_fault){.kind = TR_FAULT_NOMEM, .to = ref});
}

tr_ref tr__receptionist(tr_ctx *ctx, const char *text, const tr_class *cls)
{
    struct runtime *rt = runtime_of(ctx);
    struct name *n;
    tr_ref ref;
    pthread_mutex_lock(&rt->lock);
    n = name_find(rt, text);
    ref = n && (!cls || n->cls == cls) ? n->ref : NULL;
    pthread_mutex_unlock(&rt->lock);
    return ref;
}

// ---- quiescence -----------------------------------------------------------

static int wait_until(struct runtime *rt, bool (*reached)(struct runtime *))
{
    bool stopped;
    pthread_mutex_lock(&rt->lock);
    while (!(stopped = atomic_load(&rt->stopping)) && !reached(rt))
        pthread_cond_wait(&rt->news, &rt->lock);
    pthread_mutex_unlock(&rt->lock);
    return stopped ? TR_ESHUTDOWN : 0;
}

int tr__threads_wait(tr_runtime *r)
{
    return wait_until((struct runtime *)r, tr__quiet);
}

void tr__drain(tr_ctx *ctx)
{
    struct turn *t = (struct turn *)ctx;
    if (t->actor)
        tr__misuse(t, "a handler cannot drain");
    else
        wait_until(runtime_of(ctx), tr__drained);
}

bool tr__deliver_one(tr_ctx *ctx)
{
    tr__drain(ctx);
    return false;
}

// ---- looking at resting actors --------------------------------------------

const void *tr__peek(tr_ctx *ctx, tr_ref ref, const tr_class *cls)
{
    struct turn *t = (struct turn *)ctx;
    struct actor *a;
    if (t->actor)
        tr__misuse(t, "peek is for tests: an actor sees its own state only");
    if (!ref || t->actor)
        return NULL;
    a = actor_at(runtime_of(ctx), ref_index(ref));
    return actor_gen(a) == ref_gen(ref) && actor_class(a) == cls
               ? actor_state(a)
               : NULL;
}

static uint32_t list_length(const struct mail_list *l)
{
    uint32_t n = 0;
    for (struct mail *e = l->first; e; e = mail_next(e))
        n++;
    return n;
}

static void look_at(struct actor *a, struct tr_look *out)
{
    *out = (struct tr_look){0};
    out->state = actor_state(a);
    out->behaviour = a->behaviour;
    if (!a->x)
        return;
    out->kept = list_length(&a->x->deferred) + list_length(&a->x->kept);
    for (struct stack *s = a->x->tasks; s; s = s->next_task) {
        out->tasks++;
        out->asks += s->state == TASK_AWAITS || s->state == TASK_GETS;
    }
}

void tr__threads_look(tr_runtime *r, tr_ref ref, struct tr_look *out)
{
    struct actor *a = actor_at((struct runtime *)r, ref_index(ref));
    *out = (struct tr_look){0};
    if (actor_gen(a) == ref_gen(ref))
        look_at(a, out);
}

bool tr__threads_rest(tr_runtime *r,
                      void (*each)(void *self, const tr_class *,
                                   const struct tr_look *),
                      void *self)
{
    struct runtime *rt = (struct runtime *)r;
    struct tr_look look;
    pthread_mutex_lock(&rt->lock);
    bool quiet = tr__quiet(rt);
    pthread_mutex_unlock(&rt->lock);
    // From here on only threads outside could let something happen.
    for (uint32_t i = 0; quiet && i < atomic_load(&rt->n_slots); i++) {
        struct actor *a = actor_at(rt, i);
        if (!(a->flags & ACTOR_LIVE))
            continue;
        look_at(a, &look);
        each(self, actor_class(a), &look);
    }
    return quiet;
}

static bool is_live(struct actor *a, const tr_class *cls)
{
    return a->flags & ACTOR_LIVE && actor_class(a) == cls;
}

const void *tr__each(tr_ctx *ctx, const tr_class *cls, const void *before)
{
    struct runtime *rt = runtime_of(ctx);
    struct outside *o = (struct outside *)ctx;
    uint32_t n = atomic_load(&rt->n_slots), i = 0;
    if (o->turn.actor)
        return NULL;
    if (before) {
        i = o->each;
        if (i >= n || actor_state(actor_at(rt, i)) != before)
            for (i = 0; i < n && actor_state(actor_at(rt, i)) != before; i++)
                ;
        i++;
    }
    for (; i < n; i++) {
        struct actor *a = actor_at(rt, i);
        if (!is_live(a, cls))
            continue;
        o->each = i;
        return actor_state(a);
    }
    return NULL;
}

// When all is quiet nothing is in flight, and until then messages come and go.
const void *tr__flying(tr_ctx *ctx, const tr_msg *msg, const void *before)
{
    (void)ctx, (void)msg, (void)before;
    return NULL;
}
