// What a handler or a test body does to its actor and to others: the stage's
// side of the seam.  Everything here runs on a region's stack.
#include "stage/native_inner.h"

#include "base/hash.h"
#include "runtime/common.h"
#include "stage/body.h"
#include "stage/check.h"
#include "stage/future.h"
#include "stage/names.h"
#include "stage/receive.h"
#include "stage/registry.h"
#include "stage/tables.h"
#include "stage/task.h"
#include "stage/timers.h"
#include "stage/verdict.h"

#include <string.h>

// Frames of these functions are part of the image of a task that waits in
// them; the only address they must not lose is the region's.
static struct region *region_of(tr_ctx *ctx)
{
    return (struct region *)(void *)ctx;
}

// The native, if this context is that of the code that runs.
static struct native *enter(tr_ctx *ctx)
{
    struct region *r = region_of(ctx);
    struct native *n = stage_now;
    if (r != n->region)
        bug_end(n, BUG_USE, NULL, 0, NULL,
                "a context is used outside its handler");
    if (n->hurry)
        verdicts_hurry(n);
    return n;
}

static bool is_body(const struct native *n, const struct region *r)
{
    return r->actor == PLAY_ENV || r == n->judge;
}

// The handler ends there: it would go on with a NULL that is not its mistake.
static void tests_only(struct native *n, const struct region *r,
                       const char *what)
{
    if (!is_body(n, r))
        bug_end(n, BUG_USE, NULL, 0, NULL, "%s is for tests and invariants",
                what);
}

static bool known(struct native *n, tr_ref to, const tr_msg *type)
{
    if (!to) {
        bug_note(n, BUG_NOBODY, "'%s' is sent to NULL", type->name);
        return false;
    }
    if (actor_of(n, (uintptr_t)to) == PLAY_NONE) {
        bug_note(n, BUG_USE, "'%s' is sent to what is not a reference",
                 type->name);
        return false;
    }
    return true;
}

// What the payload owns goes with it, unless the message that is handled still
// has it.
static void lose(const struct region *r, const tr_msg *type,
                 const void *payload)
{
    if (type->drop && !type->copy && (uintptr_t)payload != r->running.payload)
        type->drop((void *)(uintptr_t)payload);
}

// May this be sent?  If not, it is lost.
static bool reaches(struct native *n, const struct region *r, tr_ref to,
                    const tr_msg *type, const void *payload)
{
    if (!n->ending && known(n, to, type))
        return true;
    lose(r, type, payload);
    return false;
}

// ---- sending --------------------------------------------------------------

static void op_send(tr_ctx *ctx, tr_ref to, const tr_msg *type,
                    const void *payload)
{
    struct native *n = enter(ctx);
    struct region *r = region_of(ctx);
    struct kind *k = kind_of(n, type);
    struct message m = {.type = k->hash, .size = type->size};
    if (!reaches(n, r, to, type, payload))
        return;
    if (n->now.sends.n == SENDS_MOST) { // the run ends, or its time does
        n->now.more = true;
        return;
    }
    uint32_t id = message_pack(n, r, &m, k, payload);
    send_post(n, r, (uintptr_t)to, id, verdict_place(n));
}

static int op_try_send(tr_ctx *ctx, tr_ref to, const tr_msg *type,
                       const void *payload)
{
    if (!to)
        return TR_EINVAL;
    op_send(ctx, to, type, payload);
    return 0;
}

static tr_future op_ask(tr_ctx *ctx, tr_ref to, const tr_msg *type,
                        const void *payload, uint64_t within_ms)
{
    struct native *n = enter(ctx);
    struct region *r = region_of(ctx);
    struct kind *k = kind_of(n, type);
    if (!reaches(n, r, to, type, payload))
        return NULL;
    uint64_t id = name_new(n, r, NAME_FUTURE);
    struct future *f = list_add(r, LIST_FUTURES);
    if (!f) {
        bug_note(n, BUG_LIMIT, "%s has more than %zu requests under way",
                 actor_name(n, r->actor), LIST_ROOM / list_size(LIST_FUTURES));
        return NULL;
    }
    f->id = id;
    f->asked = (uintptr_t)to;
    f->request = k->hash;
    struct message m = {.type = k->hash,
                        .kind = MSG_REQUEST,
                        .size = type->size,
                        .asker = n->actors.at[r->actor].handle,
                        .asks = id};
    uint32_t msg = message_pack(n, r, &m, k, payload);
    send_post(n, r, (uintptr_t)to, msg, verdict_place(n));
    if (within_ms) {
        uint64_t timer = timer_set(n, r, within_ms, 0, id, 0);
        future_at(r, id)->timer = timer;
    }
    return (tr_future)(uintptr_t)id;
}

static void op_reply(tr_ctx *ctx, const tr_msg *request, const void *payload,
                     size_t size)
{
    struct native *n = enter(ctx);
    struct region *r = region_of(ctx);
    struct task *t = &r->running;
    if (n->ending)
        return;
    if (!t->asker)
        bug_note(n, BUG_USE, "a reply to '%s', which was no request here",
                 request->name);
    else if (t->replied)
        bug_note(n, BUG_USE, "a second reply to '%s'", request->name);
    else if (message_type(n, message_at(n, message_of(n, t->msg))) != request)
        bug_note(n, BUG_USE, "a reply to '%s', but another request is handled",
                 request->name);
    else {
        t->replied = true;
        if (size > MESSAGE_MOST)
            bug_end(n, BUG_LIMIT, NULL, 0, NULL,
                    "reply '%s' has %zu bytes: at most %d on the stage",
                    request->reply, size, MESSAGE_MOST);
        check_payload(n, request->reply, payload, size, 1,
                      kind_of(n, request)->reply_mask);
        names_sent(n, r, payload, size);
        send_reply(n, r, request, t->asker, t->asks, payload, verdict_place(n));
    }
}

static void op_watch(tr_ctx *ctx, tr_ref who, const tr_msg *type,
                     const void *payload)
{
    struct native *n = enter(ctx);
    struct region *r = region_of(ctx);
    struct kind *k = kind_of(n, type);
    struct message m = {.type = k->hash,
                        .kind = MSG_WATCH,
                        .size = type->size,
                        .asker = n->actors.at[r->actor].handle};
    if (!reaches(n, r, who, type, payload))
        return;
    uint32_t id = message_pack(n, r, &m, k, payload);
    send_post(n, r, (uintptr_t)who, id, verdict_place(n));
}

// ---- waiting --------------------------------------------------------------

// The value; it is the running task's until that ends.
static const void *take_value(const struct region *r, struct future *f)
{
    if (!f->taker)
        f->taker = (uint8_t)(r->running.stack + 1);
    return (const void *)(uintptr_t)f->value;
}

// The running task waits.
static void suspend(struct native *n, struct region *r, enum wait how,
                    uint64_t future)
{
    r->running.wait = (uint8_t)how;
    r->running.future = future;
    task_leave(n, WHY_WAIT);
}

static const void *wait_for(tr_ctx *ctx, tr_future future, enum wait how)
{
    struct native *n = enter(ctx);
    struct region *r = region_of(ctx);
    struct future *f = future_at(r, (uintptr_t)future);
    if (!future)
        return NULL;
    if (!f || f->used_up) {
        bug_note(n, BUG_USE, "a future that is another actor's, or used up");
        return NULL;
    }
    if (is_body(n, r)) {
        body_wait(n, r, future);
    } else if (!f->done) {
        if (r->running.wait == WAIT_NEVER || future_awaited(r, f->id)) {
            bug_note(n, BUG_USE, "%s",
                     r->running.wait == WAIT_NEVER
                         ? "init and fini cannot wait"
                         : "two tasks wait for one future");
            return NULL;
        }
        suspend(n, r, how, f->id);
    }
    return take_value(r, future_at(r, (uintptr_t)future));
}

static const void *op_await(tr_ctx *ctx, tr_future f)
{
    return wait_for(ctx, f, WAIT_AWAIT);
}

static const void *op_get(tr_ctx *ctx, tr_future f)
{
    return wait_for(ctx, f, WAIT_GET);
}

static void op_pause(tr_ctx *ctx)
{
    struct native *n = enter(ctx);
    struct region *r = region_of(ctx);
    if (is_body(n, r)) {
        if (!body_deliver_one(n, r))
            bug_end(n, BUG_DEADLOCK, NULL, 0, NULL,
                    "the test waits for a condition that never becomes true");
        return;
    }
    if (r->running.wait == WAIT_NEVER) {
        bug_note(n, BUG_USE, "init and fini cannot wait");
        return;
    }
    suspend(n, r, WAIT_PAUSE, 0);
}

// ---- time -----------------------------------------------------------------

static tr_timer set(tr_ctx *ctx, uint64_t ms, tr_ref to, const tr_msg *type,
                    const void *payload, uint64_t every)
{
    struct native *n = enter(ctx);
    struct region *r = region_of(ctx);
    struct kind *k = kind_of(n, type);
    struct message m = {.type = k->hash, .size = type->size};
    if (!reaches(n, r, to, type, payload))
        return 0;
    if (every && tr__is_unique(type)) {
        bug_note(n, BUG_USE, "every: '%s' owns memory, without .copy",
                 type->name);
        return 0;
    }
    uint32_t id = message_pack(n, r, &m, k, payload);
    return timer_set(n, r, ms, (uintptr_t)to, n->msgs.at.at[id].info.hash.low,
                     every);
}

static tr_timer op_after(tr_ctx *ctx, uint64_t ms, tr_ref to,
                         const tr_msg *type, const void *payload)
{
    return set(ctx, ms, to, type, payload, 0);
}

static tr_timer op_every(tr_ctx *ctx, uint64_t ms, tr_ref to,
                         const tr_msg *type, const void *payload)
{
    return set(ctx, ms, to, type, payload, ms);
}

// One that has come and was put off has not been handled yet.
static void op_cancel(tr_ctx *ctx, tr_timer timer)
{
    struct native *n = enter(ctx);
    struct region *r = region_of(ctx);
    if (!timer)
        return;
    n->now.acts++;
    timer_remove(r, timer);
    for (enum list l = LIST_KEPT; l <= LIST_HELD; l++) {
        const struct kept *k = region_list(r, l);
        for (uint32_t i = 0; i < r->head.n[l]; i++)
            if (k[i].timer == timer) {
                list_remove(r, l, i);
                return;
            }
    }
}

static tr_time op_now(tr_ctx *ctx)
{
    struct native *n = enter(ctx);
    return clock_look(n, region_of(ctx));
}

// ---- the actor itself -----------------------------------------------------

static void op_become(tr_ctx *ctx, const tr_behaviour *b)
{
    struct native *n = enter(ctx);
    struct region *r = region_of(ctx);
    if (is_body(n, r)) {
        bug_note(n, BUG_USE, "become outside an actor");
        return;
    }
    r->head.behaviour = (uintptr_t)b - n->program->bias;
    n->now.acts++;
}

static void op_stop(tr_ctx *ctx)
{
    struct native *n = enter(ctx);
    struct region *r = region_of(ctx);
    if (is_body(n, r))
        bug_note(n, BUG_USE, "stop outside an actor");
    else
        r->running.stops = true;
}

static tr_ref op_self(tr_ctx *ctx)
{
    struct native *n = enter(ctx);
    struct region *r = region_of(ctx);
    return is_body(n, r) ? NULL
                         : (tr_ref)(uintptr_t)n->actors.at[r->actor].handle;
}

static tr_ref op_sender(tr_ctx *ctx)
{
    struct native *n = enter(ctx);
    uint64_t sender = region_of(ctx)->running.sender;
    n->now.flags |= EFFECT_SENDER;
    return sender == n->actors.at[PLAY_ENV].handle ? NULL
                                                   : (tr_ref)(uintptr_t)sender;
}

static uint32_t count_birth(struct native *n, struct region *r, uint64_t cls)
{
    struct births *b = region_list(r, LIST_BIRTHS);
    for (uint32_t i = 0; i < r->head.n[LIST_BIRTHS]; i++)
        if (b[i].cls == cls)
            return (uint32_t)++b[i].n;
    b = list_add(r, LIST_BIRTHS);
    if (!b)
        bug_end(n, BUG_LIMIT, NULL, 0, NULL,
                "%s creates actors of more than %zu classes",
                actor_name(n, r->actor), LIST_ROOM / list_size(LIST_BIRTHS));
    *b = (struct births){cls, 1};
    return 1;
}

static void run_init(struct native *n, struct region *child,
                     const tr_class *cls)
{
    if (!cls->init)
        return;
    child->running.stops = 0;
    run_hook(n, child, cls->init);
    if (n->why == WHY_PICK)
        task_leave(n, WHY_PICK);
    if (n->why == WHY_OVER) {
        region_clear(child, child->size);
        child->head.flags = HEAD_CRASHED;
    }
}

static tr_ref op_spawn(tr_ctx *ctx, const tr_class *cls, const void *state,
                       const char *label)
{
    struct native *n = enter(ctx);
    struct region *r = region_of(ctx);
    if (n->ending)
        return NULL;
    if (n->now.births.n == BIRTHS_MOST) { // the run ends, or its time does
        n->now.more = true;
        return (tr_ref)(uintptr_t)n->actors.at[n->actors.n - 1].handle;
    }
    if (cls->size > STRUCT_MOST)
        bug_end(n, BUG_LIMIT, NULL, 0, NULL,
                "struct %s has %u bytes: at most %d on the stage", cls->name,
                cls->size, STRUCT_MOST);
    uintptr_t self = (uintptr_t)region_self(r); // as aligned as all others
    if (self & (cls->align - 1))
        bug_end(n, BUG_LIMIT, NULL, 0, NULL,
                "struct %s is aligned to %u: to %u at most on the stage",
                cls->name, cls->align, (unsigned)(self & -self));
    check_payload(n, cls->name, state, cls->size, cls->align,
                  class_of(n, cls)->mask);
    names_sent(n, r, state, cls->size);
    uint32_t nth = count_birth(n, r, class_of(n, cls)->hash);
    uint32_t id = actor_born(n, r->actor, cls, nth);
    uint32_t handling = n->handling;
    if (label && !n->actors.at[id].label)
        n->actors.at[id].label = keep_text(n, label);
    struct region *child = actor_region(n, id);
    child->actor = id;
    child->state = PLAY_NONE;
    child->running = (struct task){0};
    region_clear(child, cls->size);
    memcpy(region_self(child), state, cls->size);
    child->head.behaviour =
        cls->start ? (uintptr_t)cls->start - n->program->bias : 0;
    uint32_t at = n->now.births.n;
    n->now.acts++;
    vec_push(&n->now.births, ((struct birth){id, PLAY_NONE, 0}));
    run_init(n, child, cls);
    if (child->running.stops && region_alive(child))
        actor_stop(n, child);
    n->handling = handling;
    n->now.births.at[at].state = state_keep(n, child);
    n->now.births.at[at].sends = n->now.sends.n;
    return (tr_ref)(uintptr_t)n->actors.at[id].handle;
}

// ---- receptionists, chance, parameters ------------------------------------

static void op_expose(tr_ctx *ctx, tr_ref who, const char *name)
{
    registry_put(enter(ctx), name, (uintptr_t)who);
}

static tr_ref op_receptionist(tr_ctx *ctx, const char *name,
                              const tr_class *cls)
{
    struct native *n = enter(ctx);
    uint64_t handle = registry_get(n, name);
    uint32_t id = handle ? actor_of(n, handle) : PLAY_NONE;
    bool fits = id != PLAY_NONE && (!cls || n->actors.at[id].cls == cls);
    return fits ? (tr_ref)(uintptr_t)handle : NULL;
}

uint32_t stage_pick(struct native *n, uint32_t k)
{
    if (n->picks_used < n->n_picks)
        return n->picks[n->picks_used++];
    n->now.flags |= EFFECT_PICK;
    n->now.pick = (uint16_t)k;
    task_leave(n, WHY_PICK);
    return 0;
}

static uint32_t op_choose(tr_ctx *ctx, uint32_t k)
{
    struct native *n = enter(ctx);
    if (k > UINT16_MAX)
        bug_end(n, BUG_LIMIT, NULL, 0, NULL, "choose(%u): at most %u", k,
                UINT16_MAX);
    return k < 2 ? 0 : stage_pick(n, k);
}

static void note_asked(struct native *n, const char *name, int64_t otherwise)
{
    for (uint32_t i = 0; i < n->asked.n; i++)
        if (!strcmp(n->asked.at[i].name, name))
            return;
    vec_push(&n->asked, ((struct asked){keep_text(n, name), otherwise}));
}

static int64_t op_param(tr_ctx *ctx, const char *name, int64_t otherwise)
{
    struct native *n = enter(ctx);
    note_asked(n, name, otherwise);
    return tr__param(n->params, name, otherwise);
}

static void op_log(tr_ctx *ctx, tr_level level, const char *text)
{
    static const char *const names[] = {"error", "warning", "info", "debug"};
    text_format(&enter(ctx)->now.output, "%s: %s\n", names[level], text);
}

static void op_block_when_full(tr_ctx *ctx, bool block)
{
    (void)ctx, (void)block; // mailboxes are not bounded here
}

static void op_leave(tr_ctx *ctx)
{
    (void)ctx;
}

// ---- tests ----------------------------------------------------------------

static void op_drain(tr_ctx *ctx)
{
    struct native *n = enter(ctx);
    tests_only(n, region_of(ctx), "drain");
    body_suspend(n, region_of(ctx), EFFECT_BODY_DRAIN);
}

static bool op_deliver_one(tr_ctx *ctx)
{
    struct native *n = enter(ctx);
    tests_only(n, region_of(ctx), "deliver_one");
    return body_deliver_one(n, region_of(ctx));
}

static const void *op_peek(tr_ctx *ctx, tr_ref who, const tr_class *cls)
{
    struct native *n = enter(ctx);
    tests_only(n, region_of(ctx), "peek");
    return scene_peek(n, (uintptr_t)who, cls);
}

static const void *op_each(tr_ctx *ctx, const tr_class *cls, const void *before)
{
    struct native *n = enter(ctx);
    tests_only(n, region_of(ctx), "each");
    return scene_each(n, cls, before);
}

static const void *op_flying(tr_ctx *ctx, const tr_msg *type,
                             const void *before)
{
    struct native *n = enter(ctx);
    tests_only(n, region_of(ctx), "flying");
    return scene_flying(n, type, before);
}

const struct tr_ops stage_ops = {
    .spawn = op_spawn,
    .send = op_send,
    .try_send = op_try_send,
    .ask = op_ask,
    .reply = op_reply,
    .await = op_await,
    .get = op_get,
    .pause = op_pause,
    .after = op_after,
    .every = op_every,
    .cancel = op_cancel,
    .now = op_now,
    .become = op_become,
    .stop = op_stop,
    .watch = op_watch,
    .self = op_self,
    .sender = op_sender,
    .expose = op_expose,
    .receptionist = op_receptionist,
    .choose = op_choose,
    .param = op_param,
    .drain = op_drain,
    .deliver_one = op_deliver_one,
    .peek = op_peek,
    .each = op_each,
    .flying = op_flying,
    .log = op_log,
    .block_when_full = op_block_when_full,
    .leave = op_leave,
};
