// Which receive comes next: all orders, each once.
//
// Receives of different actors commute, since actors share nothing.  So an
// order that begins with a receive which was tried before, and to whose actor
// nothing has come in between, is asleep: it is like one followed already.  An
// actor to which nobody else will send (a stable one) needs no choice among
// actors at all: selectObject of the paper.
#include "symex/scene.h"

#include <string.h>

// ---- putting aside and going on -----------------------------------------

static uint32_t bound(const struct sx_run *r)
{
    return r->start.tasks->switches;
}

static bool switches(struct sx_run *r, struct sx_state *s, uint32_t actor)
{
    struct scene *w = scene_own(s);
    if (w->actors.at[actor].switches++ < bound(r))
        return true;
    r->tasks.cut++;
    return drop(r, s);
}

bool scene_went_on(struct sx_run *r, struct sx_state *s)
{
    struct scene *w = s->scene;
    if (!w->testing)
        return true;
    w = scene_own(s);
    w->testing = false;
    return switches(r, s, w->tasks.at[w->running].actor);
}

void scene_suspend(struct sx_run *r, struct sx_state *s, enum task_at at,
                   uint32_t future)
{
    struct scene *w = scene_own(s);
    struct task *t = &w->tasks.at[w->running];
    (void)r;
    t->at = (uint8_t)at;
    t->awaits = future;
    t->since = w->now++;
    t->frames = s->top;
    t->depth = s->depth;
    t->fn_at = s->top->f->id;
    t->inst = s->top->at;
    s->top = NULL;
    s->depth = 0;
    w->running = IR_NOTHING;
    w->ran = t->actor;
    w->tested = 0;
}

static void resume(struct sx_state *s, uint32_t n)
{
    struct scene *w = scene_own(s);
    struct task *t = &w->tasks.at[n];
    s->top = t->frames;
    s->depth = t->depth;
    t->frames = NULL;
    t->at = TASK_RUNS;
    t->awaits = IR_NOTHING;
    w->running = n;
}

// ---- receiving ----------------------------------------------------------

static const char *name_of(const struct sx_run *r, const struct task *t)
{
    return t->watch ? "watch" : r->ir->msgs.at[t->msg].name;
}

// The number of a message among those of the same name that are in flight from
// the same sender to the same actor.
static uint32_t twin(const struct sx_run *r, const struct scene *w,
                     uint32_t actor, uint32_t sender, const char *name,
                     uint32_t sent)
{
    uint32_t n = 1;
    for (uint32_t i = 0; i < w->tasks.n; i++) {
        const struct task *t = &w->tasks.at[i];
        n += t->at == TASK_FLIES && !t->timed && t->actor == actor &&
             t->sender == sender && t->sent < sent &&
             strcmp(name_of(r, t), name) == 0;
    }
    for (uint32_t i = 0; i < w->futures.n; i++) {
        const struct future *f = &w->futures.at[i];
        const char *reply = r->ir->msgs.at[f->msg].reply;
        n += f->sent && !f->come && f->asker == actor && f->by == sender &&
             f->sent < sent && reply && strcmp(reply, name) == 0;
    }
    return n;
}

// The message of a timer for another actor is on its way from now on.
static bool fire(struct sx_run *r, struct sx_state *s, uint32_t n)
{
    struct scene *w = scene_own(s);
    struct task *t = &w->tasks.at[n];
    scene_receive(r, w,
                  (struct sx_receive){.actor = t->sender,
                                      .sender = IR_NOTHING,
                                      .task = n,
                                      .msg = t->msg,
                                      .timer = true,
                                      .twin = timer_twin(r, w, t->sender,
                                                         t->msg, t->timer.id)});
    task_timer_fire(w, n);
    w->tasks.at[n].timed = false;
    w->tasks.at[n].sent = w->now++;
    return scene_go_on(r, s);
}

// ---- tasks --------------------------------------------------------------

static bool start_task(struct sx_run *r, struct sx_state *s, uint32_t n)
{
    struct scene *w = scene_own(s);
    struct task t = w->tasks.at[n];
    if (t.timed && t.sender != t.actor)
        return fire(r, s, n);
    const struct ir_row *row = scene_row(r, w, t.actor, t.msg);
    bool stopped = w->actors.at[t.actor].stopped;
    scene_receive(
        r, w,
        (struct sx_receive){
            .actor = t.actor,
            .sender = t.sender,
            .task = n,
            .msg = t.msg,
            .timer = t.timed,
            .watch = t.watch,
            .twin = t.timed ? timer_twin(r, w, t.sender, t.msg, t.timer.id)
                            : twin(r, w, t.actor, t.sender, name_of(r, &t),
                                   t.sent)});
    if (t.watch) {
        watch_comes(w, n);
        return scene_go_on(r, s);
    }
    if (t.timed)
        task_timer_fire(w, n);
    if (!row && !stopped)
        return finish_trap(r, s, SX_TRAP_NO_ROW, r->ir->msgs.at[t.msg].name);
    if (stopped || row->policy == 2 || row->fn == IR_NOTHING) {
        w->tasks.at[n].at = TASK_ENDED;
        if (stopped && t.future != IR_NOTHING)
            w->futures.at[t.future].sent = w->now++;
        return scene_go_on(r, s);
    }
    if (!switches(r, s, t.actor))
        return false;
    w = scene_own(s);
    r->tasks.others |= t.actor && w->actors.at[t.actor].by == IR_NOTHING;
    w->tasks.at[n].at = TASK_RUNS;
    w->tasks.at[n].fn = row->fn;
    w->running = n;
    const struct ir_fn *f = r->ir->fns.at[row->fn];
    term args[64] = {r->args[0], w->actors.at[t.actor].state,
                     address_of(r, t.payload, 0)};
    if (!f->defined || f->n_params > 3)
        return finish_unsupported(r, s, "a handler without a body");
    return call_fn(r, s, f, args, 3, FOR_CALLER);
}

// The answer comes, or the time for it is over.
static bool take_reply(struct sx_run *r, struct sx_state *s, uint32_t n,
                       bool late)
{
    struct scene *w = scene_own(s);
    struct future *f = &w->futures.at[n];
    uint32_t at = 0;
    while (at < w->tasks.n &&
           (w->tasks.at[at].awaits != n || (w->tasks.at[at].at != TASK_AWAITS &&
                                            w->tasks.at[at].at != TASK_HOLDS)))
        at++;
    const char *name = r->ir->msgs.at[f->msg].reply;
    scene_receive(
        r, w,
        (struct sx_receive){
            .actor = f->asker,
            .sender = f->by,
            .task = at < w->tasks.n ? at : IR_NOTHING,
            .msg = f->msg,
            .reply = true,
            .timer = late,
            .twin =
                late ? timer_twin(r, w, f->asker, f->msg, f->timer.id)
                     : twin(r, w, f->asker, f->by, name ? name : "", f->sent)});
    if (late)
        limit_fire(w, n);
    else
        time_remove(w, f->asker, &f->timer);
    f->come |= !late;
    f->late |= late;
    term value = f->payload && !f->late ? address_of(r, f->payload, 0)
                                        : term_const(r->ts, 64, 0);
    if (at == w->tasks.n)
        return scene_go_on(r, s);
    if (!switches(r, s, f->asker))
        return false;
    resume(s, at);
    return advance(r, s, value);
}

// A message that has been waiting since the start.
static bool take_waiting(struct sx_run *r, struct sx_state *s, uint32_t n)
{
    struct scene *w = scene_own(s);
    uint32_t msg = r->start.tasks->related[n];
    const struct ir_msg *m = &r->ir->msgs.at[msg];
    uint32_t same = 0, number;
    for (uint32_t i = 1; i < w->tasks.n; i++)
        same += w->tasks.at[i].given != IR_NOTHING && w->tasks.at[i].msg == msg;
    const char *name = same ? arena_format(&r->arena, "%s%u", m->name, same + 1)
                            : arena_text(&r->arena, m->name);
    uint32_t given = scene_given(r, true, same + 1, msg, name, m->type);
    struct sx_place at = {SX_MESSAGE, given, 0};
    effect_input(r, s, at, m->type, m->size ? m->size : 1, &number);
    w->queued++;
    uint32_t t = scene_send(w, (struct task){.msg = msg,
                                             .payload = number,
                                             .given = given,
                                             .sender = IR_NOTHING,
                                             .future = IR_NOTHING});
    w->tasks.at[t].sent = 0;
    return start_task(r, s, t);
}

static bool take(struct sx_run *r, struct sx_state *s, struct choice c)
{
    switch ((enum choice_kind)c.kind) {
    case CHOOSE_TASK:
        return start_task(r, s, c.n);
    case CHOOSE_REPLY:
        return take_reply(r, s, c.n, false);
    case CHOOSE_LATE:
        return take_reply(r, s, c.n, true);
    case CHOOSE_WAITING:
        break;
    }
    return take_waiting(r, s, c.n);
}

// ---- what can be received -----------------------------------------------

struct choices {
    VEC(struct choice) at;
};

static bool is_put_off(const struct sx_run *r, const struct scene *w,
                       const struct task *t)
{
    const struct ir_row *row = scene_row(r, w, t->actor, t->msg);
    return !w->actors.at[t->actor].stopped && row && row->policy == 1;
}

static bool is_waited_for(const struct scene *w, uint32_t future)
{
    for (uint32_t i = 0; i < w->tasks.n; i++)
        if (w->tasks.at[i].awaits == future && w->tasks.at[i].at == TASK_HOLDS)
            return true;
    return false;
}

static void under_way(const struct sx_run *r, const struct scene *w,
                      struct choices *out)
{
    for (uint32_t i = 0; i < w->tasks.n; i++) {
        const struct task *t = &w->tasks.at[i];
        uint32_t whose = t->timed ? t->sender : t->actor;
        if (t->at == TASK_FLIES && (t->watch || !scene_held(w, whose)) &&
            (t->watch || whose != t->actor || !is_put_off(r, w, t)) &&
            (!t->timed || task_timer_ready(r, w, t)) &&
            !(t->timed && w->actors.at[whose].stopped))
            vec_push(&out->at, ((struct choice){CHOOSE_TASK, whose, i}));
    }
    for (uint32_t i = 0; i < w->futures.n; i++) {
        const struct future *f = &w->futures.at[i];
        if (f->sent && !f->come && !w->actors.at[f->asker].stopped &&
            (!scene_held(w, f->asker) || is_waited_for(w, i)))
            vec_push(&out->at, ((struct choice){CHOOSE_REPLY, f->asker, i}));
        if (f->limited && !f->come && !f->late && limit_ready(r, w, f) &&
            !w->actors.at[f->asker].stopped &&
            (!scene_held(w, f->asker) || is_waited_for(w, i)))
            vec_push(&out->at, ((struct choice){CHOOSE_LATE, f->asker, i}));
    }
}

static void waiting_at_start(struct sx_run *r, const struct scene *w,
                             struct choices *out)
{
    const struct sx_tasks *o = r->start.tasks;
    if (w->tasks.at[0].at == TASK_ENDED || w->closed || scene_held(w, 0))
        return;
    for (uint32_t i = 0; i < o->n_related; i++) {
        const struct ir_row *row = scene_row(r, w, 0, o->related[i]);
        if (!row || row->policy != 0)
            continue;
        if (w->queued == o->queue)
            r->tasks.more = true;
        else
            vec_push(&out->at, ((struct choice){CHOOSE_WAITING, 0, i}));
    }
}

static uint32_t sent_at(const struct scene *w, struct choice c)
{
    if (c.kind == CHOOSE_LATE)
        return UINT32_MAX; // after all that is there
    return c.kind == CHOOSE_TASK ? w->tasks.at[c.n].sent
                                 : w->futures.at[c.n].sent;
}

// With a policy an actor takes its oldest or its newest message.
static void apply_policies(struct sx_run *r, const struct scene *w,
                           struct choices *cs)
{
    const uint8_t *of = r->start.tasks->policies;
    uint32_t kept = 0;
    for (uint32_t i = 0; of && i < cs->at.n; i++) {
        struct choice c = cs->at.at[i];
        uint8_t p = of[w->actors.at[c.actor].cls];
        bool best = true;
        for (uint32_t k = 0; p != SX_ANY_TASK && k < cs->at.n; k++)
            if (cs->at.at[k].actor == c.actor &&
                (p == SX_OLDEST ? sent_at(w, cs->at.at[k]) < sent_at(w, c)
                                : sent_at(w, cs->at.at[k]) > sent_at(w, c)))
                best = false;
        if (best)
            cs->at.at[kept++] = c;
    }
    if (of)
        cs->at.n = kept;
}

// ---- one actor first ----------------------------------------------------

static bool may_send(const struct sx_run *r, uint32_t from, uint32_t to)
{
    const bool *sends = r->start.tasks->sends;
    return !sends || sends[from * r->ir->classes.n + to];
}

// Will nobody else send to this actor any more?
static bool is_stable(const struct sx_run *r, const struct scene *w,
                      uint32_t actor)
{
    if (watch_pending(w, actor))
        return false;
    for (uint32_t i = 0; i < w->tasks.n; i++) {
        const struct task *t = &w->tasks.at[i];
        if (t->at == TASK_FLIES && t->timed && t->actor == actor &&
            t->sender != actor)
            return false;
        if (t->at == TASK_ENDED || t->actor == actor)
            continue;
        if (t->future != IR_NOTHING && !t->replied &&
            w->futures.at[t->future].asker == actor)
            return false;
        if (may_send(r, w->actors.at[t->actor].cls, w->actors.at[actor].cls))
            return false;
    }
    return true;
}

static void take_stable(const struct sx_run *r, const struct scene *w,
                        struct choices *cs)
{
    uint32_t stable = IR_NOTHING, kept = 0;
    if (r->start.tasks->every_object || r->start.tasks->policies)
        return;
    for (uint32_t i = 0; i < cs->at.n && stable == IR_NOTHING; i++)
        if (cs->at.at[i].kind != CHOOSE_WAITING &&
            is_stable(r, w, cs->at.at[i].actor))
            stable = cs->at.at[i].actor;
    for (uint32_t i = 0; stable != IR_NOTHING && i < cs->at.n; i++)
        if (cs->at.at[i].actor == stable)
            cs->at.at[kept++] = cs->at.at[i];
    if (stable != IR_NOTHING)
        cs->at.n = kept;
}

// ---- choosing -----------------------------------------------------------

static bool is_asleep(const struct scene *w, struct choice c)
{
    for (uint32_t i = 0; i < w->asleep.n; i++)
        if (w->asleep.at[i].kind == c.kind && w->asleep.at[i].n == c.n &&
            w->asleep.at[i].actor == c.actor)
            return true;
    return false;
}

// Put all choices that were tried before the n-th to sleep, except those of the
// n-th choice's actor.
static void put_to_sleep(struct sx_state *s, const struct choices *cs,
                         uint32_t n)
{
    struct scene *w = scene_own(s);
    struct choice c = cs->at.at[n];
    uint32_t kept = 0;
    for (uint32_t i = 0; i < w->asleep.n; i++)
        if (w->asleep.at[i].actor != c.actor)
            w->asleep.at[kept++] = w->asleep.at[i];
    w->asleep.n = kept;
    for (uint32_t i = 0; i < n; i++)
        if (cs->at.at[i].actor != c.actor)
            vec_push(&w->asleep, cs->at.at[i]);
}

// A message that its actor's behaviour defers is followed when a later
// behaviour takes it: that it is put off before changes nothing.  What is
// deferred to the end is received, too, and kept.
static void receive_deferred(struct sx_run *r, struct sx_state *s)
{
    struct scene *w = scene_own(s);
    for (uint32_t i = 0; i < w->tasks.n; i++) {
        struct task *t = &w->tasks.at[i];
        if (t->at != TASK_FLIES || t->timed || t->watch ||
            scene_held(w, t->actor) || !is_put_off(r, w, t))
            continue;
        t->at = TASK_ENDED; // no twin of those that come next
        scene_receive(r, w,
                      (struct sx_receive){.actor = t->actor,
                                          .sender = t->sender,
                                          .task = i,
                                          .msg = t->msg,
                                          .twin = 1});
    }
}

// Nothing is left to receive.  Who waits for a timer that fires no more,
// because it has fired as often as timers do here, is not stuck.
static bool ends(struct sx_run *r, struct sx_state *s)
{
    if (s->scene->tasks.at[0].at == TASK_ENDED) {
        receive_deferred(r, s);
        return finish_return(r, s, TERM_NONE);
    }
    if (!time_rests(r, s->scene))
        return finish_stuck(r, s);
    r->tasks.cut++;
    return drop(r, s);
}

static bool choose(struct sx_run *r, struct sx_state *s)
{
    const struct scene *w = s->scene;
    struct choices cs = {0};
    bool policies = r->start.tasks->policies;
    bool sleeps = !policies && !r->start.tasks->every_object;
    under_way(r, w, &cs);
    apply_policies(r, w, &cs);
    uint32_t real = cs.at.n;
    waiting_at_start(r, w, &cs);
    take_stable(r, w, &cs);
    bool any = false;
    for (uint32_t i = cs.at.n; i-- > 0;) {
        if (sleeps && is_asleep(w, cs.at.at[i]))
            continue;
        any = true;
        struct sx_state *copy = state_fork(r, s);
        if (sleeps)
            put_to_sleep(copy, &cs, i);
        // Messages that wait at the start are older than all others.
        if (policies && cs.at.at[i].kind != CHOOSE_WAITING &&
            cs.at.at[i].actor == 0)
            scene_own(copy)->closed = true;
        if (take(r, copy, cs.at.at[i]))
            search_add(r, copy);
    }
    vec_free(&cs.at);
    if (!real)
        return ends(r, s);
    r->tasks.asleep += !any;
    return drop(r, s);
}

// The next task of an actor that waits for a condition.
static uint32_t to_test(const struct scene *w)
{
    uint32_t best = IR_NOTHING;
    for (uint32_t i = 0; i < w->tasks.n; i++) {
        const struct task *t = &w->tasks.at[i];
        if (t->at == TASK_PAUSES && t->actor == w->ran &&
            t->since > w->tested &&
            (best == IR_NOTHING || t->since < w->tasks.at[best].since))
            best = i;
    }
    return best;
}

bool scene_go_on(struct sx_run *r, struct sx_state *s)
{
    struct scene *w = scene_own(s);
    uint32_t t = w->ran == IR_NOTHING || scene_held(w, w->ran) ||
                         w->actors.at[w->ran].stopped
                     ? IR_NOTHING
                     : to_test(w);
    if (t == IR_NOTHING) {
        w->ran = IR_NOTHING;
        return choose(r, s);
    }
    w->tested = w->tasks.at[t].since;
    w->testing = true;
    w->decisions = s->decisions;
    w->n_decisions = s->n_decisions;
    resume(s, t);
    return advance(r, s, TERM_NONE);
}
