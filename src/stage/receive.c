// One receive: from the message to the actor's rest.
//
// The order within a receive is the solo manager's: the message's handler; then
// messages kept for a later behaviour that the new one takes; tasks whose reply
// has come; tasks that wait for a condition, again while one goes on; at last,
// one at a time, messages that came while a task held the actor.
#include "stage/receive.h"

#include "base/hash.h"
#include "stage/future.h"
#include "stage/poison.h"
#include "stage/tables.h"
#include "stage/task.h"
#include "stage/timers.h"
#include "stage/verdict.h"

#include <fenv.h>
#include <string.h>

// ---- tasks ----------------------------------------------------------------

static struct task *tasks(struct region *r)
{
    return region_list(r, LIST_TASKS);
}

static uint32_t free_stack(struct region *r)
{
    uint32_t used = 0;
    for (uint32_t i = 0; i < r->head.n[LIST_TASKS]; i++)
        used |= UINT32_C(1) << tasks(r)[i].stack;
    return used == UINT32_MAX ? STACKS_N : (uint32_t)__builtin_ctz(~used);
}

// Suspended frames hold nothing of this function but r.
__attribute__((noinline)) static tr_fn *task_fn(const struct region *r)
{
    return (tr_fn *)(r->running.fn + r->native->program->bias);
}

// What the message owns goes with it, unless it was sent on.
__attribute__((noinline)) static void task_drop(struct region *r)
{
    struct native *n = r->native;
    if (r->running.drops && !r->running.moved)
        message_type(n, message_at(n, n->handling))
            ->drop((void *)(uintptr_t)r->running.payload);
}

static void task_main(void *arg)
{
    struct region *r = arg;
    task_arrive(r->native);
    if (r->native->fill)
        feraiseexcept(FE_ALL_EXCEPT);
    task_fn(r)(&r->ctx, region_self(r),
               (const void *)(uintptr_t)r->running.payload);
    task_drop(r);
    task_leave(r->native, WHY_DONE);
}

static void crash(struct native *n, struct region *r)
{
    region_clear(r, r->size);
    r->head.flags = HEAD_CRASHED;
    n->over = true;
}

// A request that was handled without a reply is answered when the actor ends.
static void answer_later(struct native *n, struct region *r, uint32_t msg)
{
    const struct message *m = message_at(n, msg);
    struct open *o;
    if (m->kind != MSG_REQUEST)
        return;
    if ((o = list_add(r, LIST_OPEN)))
        *o = (struct open){m->asker, m->asks, m->type};
    else
        bug_note(n, BUG_LIMIT, "%s leaves more than %zu requests unanswered",
                 actor_name(n, r->actor), LIST_ROOM / list_size(LIST_OPEN));
}

// A message lies on top of its task's stack, or in the heap of the stage if it
// is large.  How much of the stack is the message's.
static size_t payload_above(size_t size, size_t align, unsigned char *top)
{
    uintptr_t mask = (align > 16 ? align : 16) - 1;
    if (size > ON_STACK_MOST)
        return 0;
    return (size_t)((uintptr_t)top - (((uintptr_t)top - size) & ~mask));
}

// NULL without room.
static unsigned char *payload_room(struct native *n, struct region *r,
                                   size_t size, size_t align,
                                   unsigned char *top)
{
    if (size <= ON_STACK_MOST) {
        unsigned char *usual = top - payload_above(size, align, top);
        unsigned char *p = NULL;
        if (n->alter)
            p = poison_place(n, r, usual, size, align);
        return p ? p : usual;
    }
    void *p = n->alter ? poison_large(n, r, size, align)
                       : heap_get(region_own_heap(r), OWN_ROOM, size, align);
    r->head.heaps |= 2;
    if (!p)
        bug_note(n, BUG_LIMIT,
                 "the messages that tasks of %s handle take more than %u MB",
                 actor_name(n, r->actor), OWN_ROOM >> 20);
    return p;
}

static void payload_free(struct region *r, const struct task *t)
{
    void *p = (void *)(uintptr_t)t->payload;
    if (heap_in(region_own_heap(r), OWN_ROOM, p))
        heap_put(region_own_heap(r), OWN_ROOM, p);
}

// The running task came back.
static void task_ran(struct native *n, struct region *r)
{
    struct task *t = &r->running, *kept;
    r->ran = true;
    switch (n->why) {
    case WHY_PICK:
        n->over = true;
        return;
    case WHY_OVER:
        crash(n, r);
        return;
    case WHY_WAIT:
        n->now.handlers++;
        if (t->wait == WAIT_GET)
            r->head.flags |= HEAD_HELD;
        if ((kept = list_add(r, LIST_TASKS)))
            *kept = *t;
        return;
    case WHY_DONE:
        n->now.handlers++;
        if (r->head.n[LIST_FUTURES])
            futures_end(r, t->stack);
        payload_free(r, t);
        if (t->asker && !t->replied)
            answer_later(n, r, message_of(n, t->msg));
        if (t->stops)
            actor_stop(n, r);
        return;
    }
}

static void resume(struct native *n, struct region *r, uint32_t i)
{
    struct task t = tasks(r)[i];
    list_remove(r, LIST_TASKS, i);
    if (t.wait == WAIT_GET)
        r->head.flags &= (uint8_t)~HEAD_HELD;
    n->handling = message_of(n, t.msg);
    task_resume(n, r, &t);
    task_ran(n, r);
}

static void start(struct native *n, struct region *r, const tr_handler *row,
                  uint32_t msg, uint64_t sender)
{
    const struct message *m = message_at(n, msg);
    uint32_t k = free_stack(r);
    n->handling = msg;
    if (k == STACKS_N || !region_need_stack(r, k)) {
        bug_note(n, BUG_LIMIT, "more than %d tasks of one actor wait",
                 STACKS_N - 1);
        return;
    }
    unsigned char *top = region_stack(r, k);
    unsigned char *payload = payload_room(n, r, m->size, row->msg->align, top);
    if (!payload)
        return;
    size_t above = payload_above(m->size, row->msg->align, top);
    r->running = (struct task){.fn = (uintptr_t)row->fn - n->program->bias,
                               .msg = n->msgs.at.at[msg].info.hash.low,
                               .sender = sender,
                               .asker = m->kind == MSG_REQUEST ? m->asker : 0,
                               .asks = m->asks,
                               .payload = (uintptr_t)payload,
                               .stack = (uint8_t)k,
                               .drops = row->msg->drop != NULL};
    n->trail->handler = r->running.fn;
    memset(top - above, n->alter & ALTER_MESSAGE ? HEAP_POISON : 0, above);
    message_unpack(n, r, payload, m);
    task_run(n, r, k, above, task_main, r);
    task_ran(n, r);
}

// ---- handling -------------------------------------------------------------

static const tr_handler *row_of(struct native *n, const struct region *r,
                                const tr_msg *type)
{
    const tr_behaviour *b = behaviour_of(n, &r->head);
    for (uint32_t i = 0; b && i < b->n; i++)
        if (b->on[i].msg == type)
            return &b->on[i];
    return NULL;
}

static void keep(struct native *n, struct region *r, enum list l,
                 const struct kept *k)
{
    struct kept *at = list_add(r, l);
    if (at)
        *at = *k;
    else
        bug_note(n, BUG_LIMIT, "%s keeps more than %zu messages",
                 actor_name(n, r->actor), LIST_ROOM / list_size(l));
}

// Handle the message k, whose id is msg.
static void handle(struct native *n, struct region *r, const struct kept *k,
                   uint32_t msg)
{
    const struct message *m = message_at(n, msg);
    const tr_msg *type = message_type(n, m);
    const tr_handler *row = row_of(n, r, type);
    n->handling = msg;
    if (row && row->policy == TR_PUT_OFF) {
        keep(n, r, LIST_KEPT, k);
        return;
    }
    if (row && row->policy == TR_RUN) {
        start(n, r, row, msg, k->sender);
        return;
    }
    if (!row) {
        const tr_behaviour *b = behaviour_of(n, &r->head);
        struct bug *bug =
            bug_note(n, BUG_UNHANDLED, "behaviour '%s' has no row for '%s'",
                     b ? b->name : "?", type->name);
        bug->thing = b ? b->name : NULL;
    }
    answer_later(n, r, msg);
}

// A kept message that the behaviour takes now.
static bool take_kept(struct native *n, struct region *r, struct kept *out)
{
    struct kept *k = region_list(r, LIST_KEPT);
    for (uint32_t i = 0; i < r->head.n[LIST_KEPT]; i++) {
        const struct message *m = message_at(n, message_of(n, k[i].msg));
        const tr_handler *row = row_of(n, r, message_type(n, m));
        if (row && row->policy != TR_PUT_OFF) {
            *out = k[i];
            list_remove(r, LIST_KEPT, i);
            return true;
        }
    }
    return false;
}

static bool take_held(struct region *r, struct kept *out)
{
    if (!r->head.n[LIST_HELD])
        return false;
    *out = *(struct kept *)region_list(r, LIST_HELD);
    list_remove(r, LIST_HELD, 0);
    return true;
}

// The first task whose reply has come; the holder if there is one.
static bool take_ready(struct region *r, uint32_t *i)
{
    bool held = r->head.flags & HEAD_HELD;
    for (*i = 0; *i < r->head.n[LIST_TASKS]; ++*i) {
        const struct task *t = &tasks(r)[*i];
        if (t->wait == WAIT_PAUSE || (held && t->wait != WAIT_GET))
            continue;
        const struct future *f = future_at(r, t->future);
        if (!f || f->done)
            return true;
    }
    return false;
}

// Test a condition again: true if its task went on.  One that paused once more
// and changed nothing only looked; it keeps its turn.
static bool retest(struct native *n, struct region *r, uint32_t i)
{
    uint64_t before = hash_bytes(region_self(r), r->size);
    uint32_t acts = n->now.acts;
    struct task t = tasks(r)[i];
    n->handling = message_of(n, t.msg);
    task_resume(n, r, &t);
    if (n->why == WHY_WAIT && r->running.wait == WAIT_PAUSE &&
        acts == n->now.acts && !r->running.stops &&
        hash_bytes(region_self(r), r->size) == before) {
        tasks(r)[i] = r->running;
        return false;
    }
    list_remove(r, LIST_TASKS, i);
    task_ran(n, r);
    return true;
}

// Two rounds: what a task changed behind a pointer is not seen by retest().
static bool retest_paused(struct native *n, struct region *r)
{
    r->ran = false;
    for (int round = 0; round < 2; round++)
        for (uint32_t i = 0; i < r->head.n[LIST_TASKS]; i++)
            if (tasks(r)[i].wait == WAIT_PAUSE && retest(n, r, i))
                return true;
    return false;
}

static void settle(struct native *n, struct region *r)
{
    struct kept k;
    uint32_t i;
    while (!n->over && region_alive(r)) {
        bool is_ready = take_ready(r, &i);
        bool held = r->head.flags & HEAD_HELD;
        if (is_ready && held)
            resume(n, r, i);
        else if (held)
            return;
        else if (take_kept(n, r, &k))
            handle(n, r, &k, message_of(n, k.msg));
        else if (is_ready)
            resume(n, r, i);
        else if (r->ran && r->head.n[LIST_TASKS] && retest_paused(n, r))
            continue;
        else if (take_held(r, &k))
            handle(n, r, &k, message_of(n, k.msg));
        else
            return;
    }
}

// ---- sending --------------------------------------------------------------

void send_post(struct native *n, const struct region *r, uint64_t to,
               uint32_t msg, uint32_t place)
{
    n->now.acts++;
    if (n->now.sends.n == SENDS_MOST) {
        n->now.more = true;
        return;
    }
    vec_push(&n->now.sends,
             ((struct send){r->actor, actor_of(n, to), msg, place}));
}

void send_reply(struct native *n, const struct region *r, const tr_msg *request,
                uint64_t asker, uint64_t asks, const void *payload,
                uint32_t place)
{
    struct kind *k = kind_of(n, request);
    struct message m = {.type = k->hash,
                        .kind = payload ? MSG_REPLY : MSG_NO_REPLY,
                        .size = payload ? request->reply_size : 0,
                        .asks = asks};
    send_post(n, r, asker, message_id(n, &m, payload, k->reply_mask), place);
}

// ---- the end --------------------------------------------------------------

struct hook {
    struct region *r;
    void (*fn)(tr_ctx *, void *);
};

static void hook_main(void *arg)
{
    struct hook *h = arg;
    struct region *r = h->r;
    task_arrive(r->native);
    h->fn(&r->ctx, region_self(r));
    task_leave(r->native, WHY_DONE);
}

void run_hook(struct native *n, struct region *r, void (*fn)(tr_ctx *, void *))
{
    uint32_t k = free_stack(r), stack = n->stack;
    struct hook h = {r, fn};
    struct task before = r->running;
    if (k == STACKS_N || !region_need_stack(r, k))
        return;
    r->running = (struct task){.stack = (uint8_t)k, .wait = WAIT_NEVER};
    task_run(n, r, k, 0, hook_main, &h);
    futures_end(r, k);
    before.stops |= r->running.stops;
    r->running = before;
    n->stack = stack;
}

static void dead(struct native *n, const struct region *r, uint64_t msg)
{
    const struct message *m = message_at(n, message_of(n, msg));
    if (m->kind == MSG_REQUEST)
        send_reply(n, r, message_type(n, m), m->asker, m->asks, NULL, 0);
}

static void answer_with_nothing(struct native *n, struct region *r)
{
    const struct open *o = region_list(r, LIST_OPEN);
    for (uint32_t i = 0; i < r->head.n[LIST_OPEN]; i++) {
        struct message m = {
            .kind = MSG_NO_REPLY, .type = o[i].type, .asks = o[i].asks};
        send_post(n, r, o[i].asker, message_id(n, &m, NULL, NULL), 0);
    }
}

static void notify(struct native *n, struct region *r)
{
    const struct watcher *w = region_list(r, LIST_WATCHERS);
    for (uint32_t i = 0; i < r->head.n[LIST_WATCHERS]; i++)
        send_post(n, r, w[i].who, message_of(n, w[i].msg), 0);
}

void actor_stop(struct native *n, struct region *r)
{
    const tr_class *cls = n->actors.at[r->actor].cls;
    if (cls->fini) {
        run_hook(n, r, cls->fini);
        if (n->why != WHY_DONE) {
            task_ran(n, r);
            return;
        }
    }
    uint32_t left =
        r->head.heaps & 1 ? heap_live(region_heap(r), USER_ROOM) : 0;
    if (left)
        bug_note(n, BUG_LEAK, "%s stops with %u block%s of memory not freed",
                 actor_name(n, r->actor), left, left == 1 ? "" : "s");
    for (uint32_t i = 0; i < r->head.n[LIST_TASKS]; i++)
        if (!tasks(r)[i].replied)
            answer_later(n, r, message_of(n, tasks(r)[i].msg));
    notify(n, r);
    answer_with_nothing(n, r);
    for (enum list l = LIST_KEPT; l <= LIST_HELD; l++) {
        const struct kept *k = region_list(r, l);
        for (uint32_t i = 0; i < r->head.n[l]; i++)
            dead(n, r, k[i].msg);
    }
    n->now.acts++;
    region_clear(r, r->size);
    r->head.flags = HEAD_STOPPED;
}

// ---- receiving ------------------------------------------------------------

static void receive_watch(struct native *n, struct region *r,
                          const struct message *m)
{
    if (m->asker == n->actors.at[PLAY_ENV].handle)
        return; // the environment is told nothing
    struct message notice = {.type = m->type, .size = m->size};
    uint64_t who = m->asker;
    uint32_t id = message_id(n, &notice, m + 1, NULL);
    struct watcher *w;
    if (r->head.flags & HEAD_STOPPED)
        send_post(n, r, who, id, 0);
    else if ((w = list_add(r, LIST_WATCHERS)))
        *w = (struct watcher){who, n->msgs.at.at[id].info.hash.low};
}

static void receive_stopped(struct native *n, struct region *r, uint32_t msg)
{
    if (play_is_timer(msg))
        return;
    const struct message *m = message_at(n, msg);
    n->handling = msg;
    if (m->kind == MSG_WATCH)
        receive_watch(n, r, m);
    if (m->kind != MSG_PLAIN && m->kind != MSG_REQUEST)
        return;
    bug_note(n, BUG_STOPPED, "'%s' comes to %s, which has stopped",
             message_name(n, msg), actor_name(n, r->actor));
    dead(n, r, n->msgs.at.at[msg].info.hash.low);
}

static void receive_mail(struct native *n, struct region *r,
                         const struct kept *k, uint32_t msg)
{
    if (r->actor == PLAY_ENV)
        return; // nobody there to take it
    if (r->head.flags & HEAD_HELD)
        keep(n, r, LIST_HELD, k);
    else
        handle(n, r, k, msg);
}

// Is a message kept that this timer brought?
static bool tick_waits(const struct region *r, uint64_t timer)
{
    for (enum list l = LIST_KEPT; l <= LIST_HELD; l++) {
        const struct kept *k = region_list(r, l);
        for (uint32_t i = 0; i < r->head.n[l]; i++)
            if (k[i].timer == timer)
                return true;
    }
    return false;
}

// Of one timer, one message waits at most: others are left out.
static void fire(struct native *n, struct region *r, uint32_t k)
{
    struct timer t;
    uint64_t self = n->actors.at[r->actor].handle;
    if (!timer_fire(n, r, k, &t))
        return;
    if (!t.to)
        future_done(n, r, t.msg, NULL);
    else if (t.to == self && t.every && tick_waits(r, t.id))
        return;
    else if (t.to == self)
        receive_mail(n, r, &(struct kept){t.msg, self, t.id},
                     message_of(n, t.msg));
    else
        send_post(n, r, t.to, message_of(n, t.msg), 0);
}

// Messages kept and tasks that wait: each remembers the sender of its message.
static uint32_t remembering(const struct region *r)
{
    const uint16_t *n = r->head.n;
    return (uint32_t)n[LIST_KEPT] + n[LIST_HELD] + n[LIST_TASKS];
}

static void receive_message(struct native *n, struct region *r, uint32_t msg,
                            uint32_t sender)
{
    const struct message *m = message_at(n, msg);
    uint32_t before = remembering(r);
    switch ((enum message_kind)m->kind) {
    case MSG_PLAIN:
    case MSG_REQUEST:
        receive_mail(n, r,
                     &(struct kept){.msg = n->msgs.at.at[msg].info.hash.low,
                                    .sender = n->actors.at[sender].handle},
                     msg);
        if (remembering(r) > before)
            n->now.flags |= EFFECT_SENDER;
        return;
    case MSG_REPLY:
    case MSG_NO_REPLY:
        future_done(n, r, m->asks, m);
        return;
    case MSG_WATCH:
        receive_watch(n, r, m);
        return;
    }
}

static void receive_end(struct native *n, struct region *r)
{
    const tr_class *cls = n->actors.at[r->actor].cls;
    n->handling = PLAY_NONE;
    n->trail->handler = (uintptr_t)cls->fini - n->program->bias;
    n->ending = true;
    run_hook(n, r, cls->fini);
    n->ending = false;
}

void receive_run(struct native *n, struct region *r, uint32_t msg,
                 uint32_t sender)
{
    n->over = false;
    n->handling = msg;
    n->receiver = r;
    r->ran = false;
    if (r->head.flags & HEAD_CRASHED)
        return;
    if (r->head.flags & HEAD_STOPPED) {
        receive_stopped(n, r, msg);
        return;
    }
    if (msg == PLAY_FINI) {
        receive_end(n, r);
        return;
    }
    if (play_is_timer(msg))
        fire(n, r, play_timer_index(msg));
    else
        receive_message(n, r, msg, sender);
    if (r->actor != PLAY_ENV)
        settle(n, r);
}
