// An actor's life: spawn and stop.  Between them it receives:
// threads/receive.c.
#include "runtime/threads/threads.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

struct extra *tr__extra(struct desk *p, struct actor *a)
{
    if (a->x)
        return a->x;
    a->x = tr__get_zero(&p->rt->config, sizeof *a->x);
    if (a->x)
        a->x->futures.owner = a->index + 1;
    return a->x;
}

// ---- spawn ----------------------------------------------------------------

// Blocks of a pool are aligned to 64, those from the hook to 16.  A state that
// wants more is shifted by hand; where its block starts stands in front of it.
static void *shifted_get(struct desk *p, const tr_class *cls)
{
    char *block = tr__get(&p->rt->config,
                          sizeof(void *) + cls->align + (size_t)cls->size);
    uintptr_t at = (uintptr_t)block + sizeof(void *) + cls->align - 1;
    void **state = (void **)(at / cls->align * cls->align);
    if (!block)
        return NULL;
    state[-1] = block;
    return state;
}

// Where the state lives: in the slot if it fits.
static bool state_make(struct desk *p, struct actor *a, const tr_class *cls)
{
    a->size = IN_SLOT;
    if (LIKELY(cls->size <= SMALL && cls->align <= 64))
        return true;
    if (cls->align <= 16 || (cls->align <= 64 && cls->size <= POOLED)) {
        a->large = tr__block_get(p, cls->size, &a->size);
    } else {
        a->large = shifted_get(p, cls);
        a->size = SHIFTED;
    }
    return a->large;
}

static void state_free(struct desk *p, struct actor *a)
{
    if (a->size == SHIFTED)
        tr__put(&p->rt->config, ((void **)a->large)[-1]);
    else if (a->size != IN_SLOT)
        tr__block_put(p, a->large, a->size);
}

static void slot_fill(struct actor *a, const tr_class *cls, uint16_t cid)
{
    uint32_t gen = actor_gen(a) & ~GEN_BOUNDED;
    a->cid = cid;
    a->flags = ACTOR_LIVE;
    a->x = NULL;
    a->mark = NULL;
    a->taken = 0;
    a->behaviour = cls->start;
    atomic_store_explicit(&a->cls, cls, memory_order_relaxed);
    atomic_store_explicit(&a->most, 0, memory_order_relaxed);
    atomic_store_explicit(&a->limit, cls->mailbox, memory_order_relaxed);
    if (cls->mailbox)
        gen |= GEN_BOUNDED;
    atomic_store_explicit(&a->gen, gen, memory_order_relaxed);
}

// The slot is busy (&rt->born) until init has run; mail may have come by then.
static void spawn_done(struct desk *p, struct actor *a)
{
    if (!tr__mail_idle(p, a))
        tr__schedule(p, a);
}

static void spawn_init(struct desk *p, struct actor *a, const tr_class *cls)
{
    struct turn t;
    tr__turn_init(&t, p, a);
    cls->init(&t.base, actor_state(a));
    if (t.taken)
        tr__futures_end_turn(&t);
    if (t.stop) {
        tr__actor_end(p, a, false);
        a->flags |= ACTOR_DYING;
        tr__schedule(p, a); // to empty and free the slot
    } else {
        spawn_done(p, a);
    }
}

// Nothing came of it; but a dead letter may have come.
static void slot_back(struct desk *p, struct actor *a)
{
    if (tr__mail_idle(p, a)) {
        tr__slot_put(p, a);
        return;
    }
    a->flags = ACTOR_DYING;
    tr__schedule(p, a);
}

static void no_start(struct turn *t, const tr_class *cls)
{
    char text[128];
    snprintf(text, sizeof text, TR__NO_START, cls->name);
    tr__misuse(t, text);
}

tr_ref tr__actor_spawn(struct turn *t, const tr_class *cls, const void *state)
{
    struct desk *p = t->desk;
    struct actor *a;
    tr_ref ref;
    uint16_t cid;
    if (UNLIKELY(p->rt->ending))
        return NULL;
    if (UNLIKELY(!cls->start)) {
        no_start(t, cls);
        return NULL;
    }
    if (UNLIKELY(!tr__class_number(p, cls, &cid)) || !(a = tr__slot_get(p)))
        goto nomem;
    if (UNLIKELY(!state_make(p, a, cls))) {
        slot_back(p, a);
        goto nomem;
    }
    memcpy(actor_state(a), state, cls->size);
    slot_fill(a, cls, cid);
    ref = actor_ref(a);
    bump(&counts_of(p, cid)->spawned, 1);
    t->acts++;
    if (cls->init)
        spawn_init(p, a, cls);
    else
        spawn_done(p, a);
    return ref;
nomem:
    tr__fault(&p->rt->config,
              &(tr_fault){.kind = TR_FAULT_NOMEM, .from = t->self, .cls = cls});
    return NULL;
}

// ---- stop -----------------------------------------------------------------

static void dead_list(struct desk *p, struct actor *a, struct mail_list *l)
{
    struct mail *e;
    while ((e = list_take(l)))
        tr__mail_dead(p, a, e);
}

static struct stack *longest_waiting(struct actor *a)
{
    struct stack *first = a->x->tasks;
    for (struct stack *s = first; s; s = s->next_task)
        if (s->since < first->since)
            first = s;
    return first;
}

// Tasks that wait will never go on; what they were handling is lost.
static void abandon_tasks(struct desk *p, struct actor *a)
{
    struct stack *s;
    while ((s = longest_waiting(a))) {
        tr__task_remove(s);
        s->turn.desk = p;
        tr__handled(p, a, s->turn.mail, s->turn.replied);
        if (p->worker)
            tr__stack_put(p->worker, s);
        else
            tr__stack_free(p->rt, s);
    }
}

static void refuse_open(struct desk *p, struct actor *a)
{
    struct mail *e;
    while ((e = list_take(&a->x->open)))
        if (p->rt->ending)
            tr__mail_done(p, a, e);
        else
            tr__mail_refuse(p, a, e);
}

static void end_extra(struct desk *p, struct actor *a)
{
    struct extra *x = a->x;
    tr__timer_cancel_all(p, a);
    dead_list(p, a, &x->watchers);
    abandon_tasks(p, a);
    refuse_open(p, a);
    dead_list(p, a, &x->deferred);
    dead_list(p, a, &x->kept);
    tr__futures_free(p, a);
    tr__put(&p->rt->config, x);
    a->x = NULL;
}

void tr__actor_end(struct desk *p, struct actor *a, bool quiet)
{
    const tr_class *cls = actor_class(a);
    uint32_t gen = (actor_gen(a) & ~GEN_BOUNDED) + 1;
    struct turn t;
    tr__turn_init(&t, p, a);
    if (cls->fini)
        cls->fini(&t.base, actor_state(a));
    if (t.taken)
        tr__futures_end_turn(&t);
    a->flags &= (uint8_t)~ACTOR_LIVE;
    atomic_store_explicit(&a->gen, gen & GEN_BOUNDED ? 1 : gen,
                          memory_order_relaxed);
    if (a->x)
        end_extra(p, a);
    state_free(p, a);
    if (!quiet)
        bump(&counts_of(p, a->cid)->stopped, 1);
    if (atomic_load(&p->rt->n_blocked))
        tr__news(p->rt);
}
