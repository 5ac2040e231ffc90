// What an actor does with its mail.
//
// tr__actor_run() is a loop without recursion: what is to be done next is found
// anew after each step, in this order: deferred messages that a new behaviour
// accepts, tasks whose reply came while another held the actor, paused tasks to
// test again, mail kept while one held it, the inbox, the mailbox.  It keeps
// nothing of the actor in local variables across a handler, since a handler
// that waits takes the stack away and another loop goes on with the same actor
// (threads/task.c).
#include "runtime/threads/threads.h"

#include <errno.h>
#include <string.h>

static void run_handler(struct stack *, struct actor *, struct mail *, tr_fn *);

// ---- turns ----------------------------------------------------------------

void tr__turn_init(struct turn *t, struct desk *p, struct actor *a)
{
    memset(t, 0, sizeof *t);
    t->base.ops = p->rt->ops;
    t->desk = p;
    t->actor = a;
    t->self = a ? actor_ref(a) : NULL;
}

void tr__handled(struct desk *p, struct actor *a, struct mail *e, bool replied)
{
    if (LIKELY(e->kind != MAIL_ASK || replied)) {
        tr__mail_done(p, a, e);
        return;
    }
    tr__mail_drop(e);
    e->flags |= MAIL_MOVED;
    if (!tr__extra(p, a)) {
        tr__mail_refuse(p, a, e);
        return;
    }
    tr__mail_detach(p, a, e);
    list_add(&a->x->open, e);
}

void tr__turn_end(struct turn *t, struct actor *a)
{
    if (UNLIKELY(t->taken != 0))
        tr__futures_end_turn(t);
    if (UNLIKELY(t->refuse))
        tr__mail_refuse(t->desk, a, t->mail);
    else
        tr__handled(t->desk, a, t->mail, t->replied);
}

// ---- handling -------------------------------------------------------------

static const tr_handler *row_of(const tr_behaviour *b, const tr_msg *msg)
{
    const tr_handler *row = b->on, *end = row + b->n;
    for (; row < end; row++)
        if (row->msg == msg)
            return row;
    return NULL;
}

static void lose_nomem(struct desk *p, struct actor *a, struct mail *e)
{
    tr__fault_at(p, TR_FAULT_NOMEM, e->msg, mail_payload(e), e->from,
                 actor_ref(a), a);
    if (e->kind == MAIL_ASK)
        tr__mail_refuse(p, a, e);
    else
        tr__mail_done(p, a, e);
}

static void defer(struct desk *p, struct actor *a, struct mail *e)
{
    if (!tr__extra(p, a)) {
        lose_nomem(p, a, e);
        return;
    }
    bump(&counts_of(p, a->cid)->deferred, 1);
    tr__mail_detach(p, a, e);
    list_add(&a->x->deferred, e);
}

static void unhandled(struct desk *p, struct actor *a, struct mail *e)
{
    bump(&counts_of(p, a->cid)->unhandled, 1);
    tr__fault_at(p, TR_FAULT_UNHANDLED, e->msg, mail_payload(e), e->from,
                 actor_ref(a), a);
    tr__handled(p, a, e, false);
}

// A timer's mail is handled by its owner, or sent on from there.  False: no
// message for the owner.
static bool timer_fires(struct desk *p, struct actor *a, struct mail *e)
{
    tr_ref to, self = actor_ref(a);
    bool every;
    if (!tr__timer_take(p, a, *mail_id(e), &to, &every)) {
        tr__mail_done(p, a, e);
        return false;
    }
    if (every)
        tr__timer_again(p, a, *mail_id(e), e);
    if (to == self)
        return true;
    tr__mail_detach(p, a, e);
    e->kind = MAIL_MESSAGE;
    e->from = self;
    bump(&counts_of(p, a->cid)->sent, 1);
    if (to) {
        tr__post(p, to, e);
    } else {
        tr__fault_at(p, TR_FAULT_NOBODY, e->msg, mail_payload(e), self, to,
                     NULL);
        tr__mail_drop(e);
        tr__mail_free(p, e);
    }
    return false;
}

// Handle a message as the behaviour says.  A deferred timer may still be
// cancelled, so it is taken only when it runs.
static void handle(struct stack *st, struct actor *a, struct mail *e)
{
    struct desk *p = &st->worker->desk;
    const tr_handler *row = row_of(a->behaviour, e->msg);
    tr__mail_uncount(p, a, e);
    if (LIKELY(row && row->policy == TR_RUN)) {
        if (UNLIKELY(e->kind == MAIL_TIMER) && !timer_fires(p, a, e))
            return;
        bump(&counts_of(p, a->cid)->received, 1);
        run_handler(st, a, e, row->fn);
        return;
    }
    if (row && row->policy == TR_PUT_OFF) {
        defer(p, a, e);
        return;
    }
    if (e->kind == MAIL_TIMER && !timer_fires(p, a, e))
        return;
    if (row) {
        bump(&counts_of(p, a->cid)->received, 1);
        tr__handled(p, a, e, false);
    } else {
        unhandled(p, a, e);
    }
}

static void stop_now(struct desk *p, struct actor *a)
{
    tr__actor_end(p, a, false);
    a->flags |= ACTOR_DYING;
}

// After a handler of the actor ran, to its end or to a wait.
static void ran(struct actor *a)
{
    if (UNLIKELY(a->x != NULL))
        a->x->ran = true;
}

// The call through the table's type: formally another type than the handler's.
#if defined __clang__
__attribute__((no_sanitize("function")))
#endif
static void
run_handler(struct stack *st, struct actor *a, struct mail *e, tr_fn *fn)
{
    struct turn *t = &st->turn;
    t->desk = &st->worker->desk;
    t->actor = a;
    t->self = actor_ref(a);
    t->mail = e;
    t->taken = 0;
    t->replied = t->stop = t->refuse = false;
    t->now = 0;
    errno = 0; // what another handler left there is nobody's business
    fn(&t->base, actor_state(a), mail_payload(e));
    if (UNLIKELY(st->task))
        tr__task_over(st);
    tr__turn_end(t, a);
    if (UNLIKELY(t->stop))
        stop_now(t->desk, a);
    else
        ran(a);
}

// ---- tasks of an actor ----------------------------------------------------

// Let a task go on, and see to what its end means for the actor.
static enum task_state go_on(struct stack *st, struct actor *a,
                             struct stack *task)
{
    bool stop;
    tr__task_resume(st, task);
    if (task->state != TASK_DONE) {
        ran(a);
        return task->state;
    }
    stop = task->turn.stop;
    tr__turn_end(&task->turn, a);
    tr__task_remove(task);
    tr__stack_put(st->worker, task);
    if (stop)
        stop_now(&st->worker->desk, a);
    else
        ran(a);
    return TASK_DONE;
}

// A sum over the state: two of them tell whether a task that waits again on a
// condition has changed anything meanwhile.
static uint64_t state_sum(struct actor *a)
{
    const unsigned char *s = actor_state(a);
    uint64_t h = (uint64_t)(uintptr_t)a->behaviour->name[0];
    for (uint32_t i = 0; i < actor_class(a)->size; i++)
        h = (h ^ s[i]) * 0x100000001b3u;
    return h;
}

// Test the condition of *link again.  True if its task went on: if it waits
// for a condition once more it is now the last to do so, or the actor stopped.
// One that changed nothing only looked and keeps its turn.
static bool retest(struct stack *st, struct actor *a, struct stack **link)
{
    struct stack *s = *link, *next = s->next;
    uint64_t sum = state_sum(a);
    uint32_t acts = s->turn.acts;
    enum task_state state = go_on(st, a, s);
    if (!a->x)
        return true;
    if (state == TASK_PAUSED && !s->turn.stop && s->turn.acts == acts &&
        state_sum(a) == sum)
        return false;
    *link = next;
    if (state == TASK_PAUSED)
        tr__task_paused(a, s);
    return true;
}

// Two rounds: what a task changed behind a pointer is not seen by retest().
static bool retest_paused(struct stack *st, struct actor *a)
{
    bool progress = false;
    a->x->testing = true;
    for (int round = 0; round < 2 && !progress; round++) {
        struct stack **link = &a->x->paused;
        while (*link && !(progress = retest(st, a, link)))
            link = &(*link)->next;
    }
    if (a->x) {
        a->x->testing = false;
        a->x->ran = progress;
    }
    return progress;
}

// While another task holds the actor, those whose reply has come wait, in order
// of suspension.
static void ready_add(struct extra *x, struct stack *s)
{
    struct stack **link = &x->ready;
    while (*link && (*link)->since < s->since)
        link = &(*link)->next;
    s->next = *link;
    *link = s;
}

// A reply or a limit: it is nobody's message, but a task may wait for it.
static void answer(struct stack *st, struct actor *a, struct mail *e)
{
    struct stack *task = tr__future_resolve(&st->worker->desk, a, e);
    if (!task)
        return;
    if (a->x->holder && a->x->holder != task) {
        ready_add(a->x, task);
        return;
    }
    a->x->holder = NULL;
    go_on(st, a, task);
}

// ---- the loop -------------------------------------------------------------

static void watched(struct desk *p, struct actor *a, struct mail *e)
{
    if (!tr__extra(p, a)) {
        lose_nomem(p, a, e);
        return;
    }
    tr__mail_detach(p, a, e);
    list_add(&a->x->watchers, e);
}

// While a task holds the actor: what would run a handler must wait.  A timer
// for somebody else runs none.
static bool must_wait(const struct mail *e)
{
    return e->kind == MAIL_MESSAGE || e->kind == MAIL_ASK ||
           (e->kind == MAIL_TIMER && !(e->flags & MAIL_ONWARD));
}

static void take(struct stack *st, struct actor *a, struct mail *e)
{
    struct desk *p = &st->worker->desk;
    if (UNLIKELY(e->gen != actor_gen(a))) {
        tr__mail_dead(p, a, e);
        return;
    }
    if (UNLIKELY(a->x && a->x->holder) && must_wait(e)) {
        tr__mail_detach(p, a, e);
        list_add(&a->x->kept, e);
        return;
    }
    switch ((enum mail_kind)e->kind) {
    case MAIL_MESSAGE:
    case MAIL_ASK:
        handle(st, a, e);
        break;
    case MAIL_TIMER:
        if (e->flags & MAIL_ONWARD)
            timer_fires(p, a, e);
        else
            handle(st, a, e);
        break;
    case MAIL_REPLY:
    case MAIL_LIMIT:
        answer(st, a, e);
        break;
    case MAIL_WATCH:
        watched(p, a, e);
        break;
    }
}

// The first deferred message that the behaviour has another row for.
static struct mail *acceptable(struct actor *a)
{
    struct mail *e = a->x->deferred.first, *before = NULL;
    for (; e; before = e, e = mail_next(e)) {
        const tr_handler *row = row_of(a->behaviour, e->msg);
        if (!row || row->policy == TR_PUT_OFF)
            continue;
        if (before)
            atomic_store_explicit(&before->next, mail_next(e),
                                  memory_order_relaxed);
        else
            a->x->deferred.first = mail_next(e);
        if (a->x->deferred.last == e)
            a->x->deferred.last = before;
        return e;
    }
    return NULL;
}

// What comes before new mail.  True if something was done.
static bool old_business(struct stack *st, struct actor *a)
{
    struct extra *x = a->x;
    struct mail *e;
    if (x->holder)
        return false;
    if (x->became) {
        e = acceptable(a);
        if (e) {
            handle(st, a, e);
            return true;
        }
        x->became = false;
    }
    if (x->ready) {
        struct stack *task = x->ready;
        x->ready = task->next;
        go_on(st, a, task);
        return true;
    }
    if (x->ran && retest_paused(st, a))
        return true;
    e = list_take(&x->kept);
    if (e)
        take(st, a, e);
    return e;
}

static bool give_up(struct stack *st, struct actor *a)
{
    struct worker *w = st->worker;
    bool dying = a->flags & ACTOR_DYING;
    if (dying)
        a->flags &= (uint8_t)~ACTOR_DYING;
    if (tr__mail_idle(&w->desk, a)) {
        if (dying)
            tr__slot_put(&w->desk, a);
        return true;
    }
    if (dying)
        a->flags |= ACTOR_DYING;
    return false;
}

void tr__actor_run(struct stack *st)
{
    struct worker *w = st->worker;
    struct runtime *rt = w->desk.rt;
    struct actor *a = w->current;
    for (;;) {
        struct mail *e;
        if (UNLIKELY(atomic_load_explicit(&rt->stopping, memory_order_relaxed)))
            return; // what is left is for tr_end
        if (UNLIKELY(a->x != NULL) && old_business(st, a))
            continue;
        e = tr__mail_look(&w->desk, a);
        if (!e) {
            if (give_up(st, a))
                break;
            continue;
        }
        if (UNLIKELY(w->budget == 0)) {
            tr__mail_pause(w, a);
            tr__schedule(&w->desk, a);
            break;
        }
        w->budget--;
        tr__mail_take(w, a, e);
        take(st, a, e);
    }
    w->current = NULL;
}
