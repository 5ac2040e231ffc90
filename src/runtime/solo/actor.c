// Actors: what a receive does to one, from its first handler until the actor
// rests again.
//
// The order within a receive is play.h's: the message's handler; then messages
// kept for a later behaviour that the new one takes; tasks whose reply has
// come; tasks that wait for a condition, again and again while one goes on; and
// at last, one at a time, messages that came while a task held the actor.
#include "runtime/solo/core.h"

#include <stdio.h>
#include <string.h>

struct actor *tr__solo_actor(struct solo *s, tr_ref ref)
{
    uint32_t id = tr__solo_id(ref);
    return id && id < s->n_actors ? s->actors[id] : NULL;
}

// ---- birth ----------------------------------------------------------------

tr_stats *tr__solo_stats(struct solo *s, struct actor *a)
{
    return &s->classes[s->rows[a->id]].stats;
}

// The row of a class, or UINT32_MAX without memory.
static uint32_t class_row(struct solo *s, const tr_class *cls)
{
    for (uint32_t i = 0; i < s->n_classes; i++)
        if (s->classes[i].cls == cls)
            return i;
    if (!tr__solo_room(s, &s->classes, &s->cap_classes, s->n_classes + 1,
                       sizeof *s->classes))
        return UINT32_MAX;
    s->classes[s->n_classes] = (struct class_row){.cls = cls};
    return s->n_classes++;
}

// State lies at a multiple of its alignment; the block's start just below it.
static void *state_new(struct solo *s, const tr_class *cls, const void *from)
{
    size_t align = cls->align > 16 ? cls->align : 16;
    char *raw = tr__get(&s->config, cls->size + align + 16);
    uintptr_t at = ((uintptr_t)raw + 16 + align - 1) & ~(uintptr_t)(align - 1);
    if (!raw)
        return NULL;
    ((void **)at)[-1] = raw;
    memcpy((void *)at, from, cls->size);
    solo_copied(s, (void *)at, from, cls->size);
    return (void *)at;
}

static void state_free(struct solo *s, struct actor *a)
{
    if (!a->state)
        return;
    if (s->opt.testing)
        memset(a->state, 0xa5, a->cls->size);
    tr__put(&s->config, ((void **)a->state)[-1]);
    a->state = NULL;
}

struct actor *tr__solo_actor_new(struct solo *s, uint32_t creator,
                                 const tr_class *cls, const void *state)
{
    uint32_t row = cls ? class_row(s, cls) : 0;
    struct actor *a;
    if (row == UINT32_MAX || !tr__solo_room(s, &s->actors, &s->cap_actors,
                                            s->n_actors + 1, sizeof *s->actors))
        return NULL;
    if (!tr__solo_room(s, &s->rows, &s->cap_rows, s->n_actors + 1,
                       sizeof *s->rows))
        return NULL;
    a = tr__get_zero(&s->config, sizeof *a);
    if (a && cls && !(a->state = state_new(s, cls, state))) {
        tr__put(&s->config, a);
        a = NULL;
    }
    if (!a)
        return NULL;
    a->id = s->n_actors;
    a->creator = creator;
    a->cls = cls;
    s->rows[a->id] = row;
    a->behaviour = cls ? cls->start : NULL;
    s->actors[s->n_actors++] = a;
    return a;
}

static void stop(struct solo *s, struct actor *a);

tr_ref tr__solo_spawn(tr_ctx *ctx, const tr_class *cls, const void *state,
                      const char *label)
{
    struct solo_ctx *x = solo_ctx_of(ctx);
    struct solo *s = x->solo;
    char text[128];
    if (!cls->start) {
        snprintf(text, sizeof text, TR__NO_START, cls->name);
        tr__solo_misuse(s, text);
        return NULL;
    }
    struct actor *a =
        s->ending ? NULL : tr__solo_actor_new(s, x->self->id, cls, state);
    (void)label;
    if (!a) {
        tr_fault f = {
            .kind = TR_FAULT_NOMEM, .from = solo_ref(x->self->id), .cls = cls};
        if (!s->ending)
            tr__fault(&s->config, &f);
        return NULL;
    }
    s->effects++;
    tr__solo_stats(s, a)->spawned++;
    tr__solo_learn(s, a, x->self);
    if (cls->init) {
        struct solo_ctx init = {.face = {solo_ops(s)}, .solo = s, .self = a};
        solo_enters(s, SOLO_INIT, a->id, cls, a->state, NULL);
        cls->init(&init.face, a->state);
        tr__solo_future_release(s, &init);
        if (init.stop)
            stop(s, a);
        tr__solo_learn(s, x->self, a);
    }
    return solo_ref(a->id);
}

// ---- tasks of an actor ----------------------------------------------------

static void task_link(struct actor *a, struct task *t)
{
    t->listed = true;
    t->next = NULL;
    t->prev = a->last_task;
    *(a->last_task ? &a->last_task->next : &a->tasks) = t;
    a->last_task = t;
}

static void task_unlink(struct actor *a, struct task *t)
{
    *(t->prev ? &t->prev->next : &a->tasks) = t->next;
    *(t->next ? &t->next->prev : &a->last_task) = t->prev;
    t->next = t->prev = NULL;
    t->listed = false;
}

// The message is answered, or its answer waits for the actor's end.
static void task_mail_done(struct solo *s, struct actor *a, struct task *t)
{
    struct mail *m = t->ctx.mail;
    if (m->answer)
        tr__solo_mails_add(&a->open, m->answer);
    m->answer = NULL;
    t->ctx.mail = NULL;
    tr__solo_mail_drop(s, m);
}

// The task, which is in no list, has run: put it into the list for what it
// waits for now, or free it if it has ended.
static void task_ran(struct solo *s, struct actor *a, struct task *t)
{
    bool ends = t->ctx.stop;
    a->ran = true;
    if (t->is != TASK_DONE) {
        task_link(a, t);
        if (t->is == TASK_GETS)
            a->holder = t;
        return;
    }
    task_mail_done(s, a, t);
    tr__solo_task_free(s, t);
    if (ends)
        stop(s, a);
}

static void resume(struct solo *s, struct actor *a, struct task *t)
{
    if (a->holder == t)
        a->holder = NULL;
    task_unlink(a, t);
    tr__solo_task_enter(s, t);
    task_ran(s, a, t);
}

// The first task whose reply has come; the holder if there is one.
static struct task *ready(struct solo *s, struct actor *a)
{
    struct future *f;
    for (struct task *t = a->holder ? a->holder : a->tasks; t; t = t->next) {
        if (t->is != TASK_PAUSED) {
            f = tr__solo_future_of(s, t->future);
            if (!f || f->done)
                return t;
        }
        if (a->holder)
            break;
    }
    return NULL;
}

static uint64_t hash_state(const struct actor *a)
{
    const unsigned char *p = a->state;
    uint64_t h = 0xcbf29ce484222325u;
    for (uint32_t i = 0; i < a->cls->size; i++)
        h = (h ^ p[i]) * 0x100000001b3u;
    return h;
}

// Test a condition again: true if its task went on.  One that paused once more
// and changed nothing only looked; it keeps its turn.
static bool retest(struct solo *s, struct actor *a, struct task *t)
{
    uint64_t state = hash_state(a), effects = s->effects;
    tr__solo_task_enter(s, t);
    if (t->is == TASK_PAUSED && effects == s->effects && !t->ctx.stop &&
        hash_state(a) == state)
        return false;
    task_unlink(a, t);
    task_ran(s, a, t);
    return true;
}

// Two rounds: what a task changed behind a pointer is not seen by retest.
static bool retest_paused(struct solo *s, struct actor *a)
{
    a->ran = false;
    for (int round = 0; round < 2; round++)
        for (struct task *t = a->tasks; t; t = t->next)
            if (t->is == TASK_PAUSED && retest(s, a, t))
                return true;
    return false;
}

// ---- handling -------------------------------------------------------------

static const tr_handler *row_of(const struct actor *a, const tr_msg *type)
{
    for (uint32_t i = 0; i < a->behaviour->n; i++)
        if (a->behaviour->on[i].msg == type)
            return &a->behaviour->on[i];
    return NULL;
}

static void uncount(struct actor *a, struct mail *m)
{
    if (m->counted)
        a->waiting--;
    m->counted = false;
}

static void run(struct solo *s, struct actor *a, struct mail *m,
                const tr_handler *row)
{
    struct task *t = tr__solo_task_new(s);
    if (!t) {
        tr__solo_fault(s, TR_FAULT_NOMEM, m);
        tr__solo_mail_refuse(s, m);
        return;
    }
    t->ctx.self = a;
    t->ctx.mail = m;
    t->row = row;
    tr__solo_stats(s, a)->received++;
    tr__solo_task_enter(s, t);
    task_ran(s, a, t);
}

static void handle(struct solo *s, struct actor *a, struct mail *m)
{
    const tr_handler *row = row_of(a, m->type);
    if (row && row->policy == TR_PUT_OFF) {
        tr__solo_stats(s, a)->deferred++;
        tr__solo_mails_add(&a->kept, m);
        return;
    }
    uncount(a, m);
    if (row && row->policy == TR_RUN) {
        run(s, a, m, row);
        return;
    }
    if (!row) {
        tr__solo_stats(s, a)->unhandled++;
        s->lost_mail = m;
        tr__solo_fault(s, TR_FAULT_UNHANDLED, m);
        s->lost_mail = NULL;
    }
    if (m->answer)
        tr__solo_mails_add(&a->open, m->answer);
    m->answer = NULL;
    tr__solo_mail_drop(s, m);
}

// Kept mail that the behaviour takes now, NULL if there is none.
static struct mail *acceptable(struct actor *a)
{
    if (!a->changed)
        return NULL;
    for (struct mail *m = a->kept.first; m; m = m->next) {
        const tr_handler *row = row_of(a, m->type);
        if (row && row->policy != TR_PUT_OFF)
            return tr__solo_mails_take(&a->kept, m);
    }
    a->changed = false;
    return NULL;
}

void tr__solo_actor_settle(struct solo *s, struct actor *a)
{
    struct mail *m;
    struct task *t;
    while (!a->stopped) {
        if ((t = ready(s, a)) && a->holder)
            resume(s, a, t);
        else if (a->holder)
            return;
        else if ((m = acceptable(a)))
            handle(s, a, m);
        else if (t)
            resume(s, a, t);
        else if (a->ran && retest_paused(s, a))
            continue;
        else if ((m = tr__solo_mails_take(&a->held, a->held.first)))
            handle(s, a, m);
        else
            return;
    }
}

// ---- receiving ------------------------------------------------------------

static void receive_watch(struct solo *s, struct actor *a, struct mail *m)
{
    if (!m->from) {
        tr__solo_mail_drop(s, m); // the environment is told nothing
        return;
    }
    if (a && !a->stopped) {
        tr__solo_mails_add(&a->notices, m);
        return;
    }
    m->what = SOLO_MESSAGE;
    m->from = m->to ^ m->from;
    m->to = m->to ^ m->from;
    m->from = m->to ^ m->from;
    if (!tr__solo_mail_post(s, m)) {
        tr__solo_fault(s, TR_FAULT_NOMEM, m);
        tr__solo_mail_drop(s, m);
    }
}

void tr__solo_actor_receive(struct solo *s, struct mail *m)
{
    struct actor *a = s->actors[m->to];
    switch (m->what) {
    case SOLO_TIMER:
        tr__solo_timer_fire(s, s->actors[m->from], m);
        return;
    case SOLO_WATCH:
        receive_watch(s, a, m);
        return;
    case SOLO_REPLY:
        tr__solo_future_done(s, m->future, m);
        s->unsettled = false; // the receiver is settled anyway
        return;
    case SOLO_MESSAGE:
        if (!a || a->stopped) {
            if (a)
                uncount(a, m);
            tr__solo_mail_dead(s, m);
            return;
        }
        if (a->holder)
            tr__solo_mails_add(&a->held, m);
        else
            handle(s, a, m);
        return;
    }
}

// ---- the end --------------------------------------------------------------

static void fini(struct solo *s, struct actor *a)
{
    struct solo_ctx x = {.face = {solo_ops(s)}, .solo = s, .self = a};
    if (a->cls && a->cls->fini && !s->escape) {
        solo_enters(s, SOLO_FINI, a->id, a->cls, a->state, NULL);
        a->cls->fini(&x.face, a->state);
    }
    tr__solo_future_release(s, &x);
}

static void tasks_drop(struct solo *s, struct actor *a)
{
    while (a->tasks) {
        struct task *t = a->tasks;
        task_unlink(a, t);
        task_mail_done(s, a, t);
        tr__solo_task_free(s, t);
    }
    a->holder = NULL;
}

static void dead_all(struct solo *s, struct mails *l)
{
    while (l->first)
        tr__solo_mail_dead(s, tr__solo_mails_take(l, l->first));
}

static void stop(struct solo *s, struct actor *a)
{
    struct mail *m;
    if (a->stopped)
        return;
    fini(s, a);
    a->stopped = true;
    tr__solo_stats(s, a)->stopped++;
    tasks_drop(s, a);
    tr__solo_timers_drop(s, a);
    tr__solo_futures_of(s, a->id);
    while ((m = tr__solo_mails_take(&a->notices, a->notices.first)))
        receive_watch(s, a, m);
    while ((m = tr__solo_mails_take(&a->open, a->open.first))) {
        m->nothing = true;
        if (!tr__solo_mail_post(s, m))
            tr__solo_future_done(s, m->future, m);
    }
    dead_all(s, &a->kept);
    dead_all(s, &a->held);
    a->waiting = 0;
    state_free(s, a);
}

static void drop_all(struct solo *s, struct mails *l)
{
    while (l->first)
        tr__solo_mail_drop(s, tr__solo_mails_take(l, l->first));
}

// A stopped actor that nobody will name any more; its class is remembered.
void tr__solo_actor_forget(struct solo *s, struct actor *a)
{
    s->actors[a->id] = NULL;
    tr__solo_actor_end(s, a);
}

// The system ends: nobody is told any more.
void tr__solo_actor_end(struct solo *s, struct actor *a)
{
    if (!a->stopped) {
        fini(s, a);
        tasks_drop(s, a);
        tr__solo_timers_drop(s, a);
        tr__solo_futures_of(s, a->id);
        drop_all(s, &a->kept);
        drop_all(s, &a->held);
        drop_all(s, &a->notices);
        drop_all(s, &a->open);
        state_free(s, a);
    }
    tr__put(&s->config, a->clock);
    tr__put(&s->config, a);
}
