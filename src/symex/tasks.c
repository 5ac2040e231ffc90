// Operations of the library where several tasks are followed.
//
// Where a message goes must be known: a reference is split into null, the
// actors that are there, and an actor of its own whose state is unknown.
#include "symex/scene.h"

#include <string.h>

// Places of inputs, among those of effect.c.
enum {
    CLASS_OF = 0x180000,     // + reference: its class
    BEHAVIOUR_OF = 0x1c0000, // + reference: its behaviour at the start
    STOPPED_OF = 0x1e0000,   // + reference: has it stopped?
    BEHAVIOURS_MOST = 16,
    TASKS_MOST = 200
};

// ---- starting -----------------------------------------------------------

uint32_t scene_object(struct sx_run *r, struct sx_state *s, uint64_t size,
                      const struct sx_write *cells, uint32_t n)
{
    term at =
        allocate(r, s, term_const(r->ts, 64, size ? size : 1), FILL_ZERO, true);
    uint32_t number = (uint32_t)(term_value(r->ts, at) >> SX_OFFSET_BITS);
    const struct object *o = object_at(r, s, number);
    for (uint32_t i = 0; i < n; i++)
        cell_write(r, s, o, cells[i].offset, cells[i].value);
    return number;
}

void tasks_begin(struct sx_run *r, struct sx_state *s)
{
    struct scene *w = s->scene = scene_new();
    const struct sx_start *st = &r->start;
    uint32_t b = st->tasks->behaviour;
    scene_given(r, false, IR_NOTHING, st->cls, "self", r->self_type);
    scene_given(r, true, 0, st->msg, "msg", r->message_type);
    r->outside = scene_object(r, s, 1, NULL, 0);
    scene_add(w, (struct sx_actor){.cls = st->cls,
                                   .behaviour = b,
                                   .last = b,
                                   .ref = IR_NOTHING,
                                   .by = IR_NOTHING,
                                   .number = r->self,
                                   .state = address_of(r, r->self, 0)});
    scene_send(w, (struct task){.msg = st->msg,
                                .payload = r->message,
                                .sender = IR_NOTHING,
                                .future = IR_NOTHING});
    scene_receive(
        r, w,
        (struct sx_receive){.sender = IR_NOTHING, .msg = st->msg, .twin = 1});
    w->tasks.at[0].at = TASK_RUNS;
    w->tasks.at[0].fn = st->fn;
    w->running = 0;
}

// ---- one of several -----------------------------------------------------

// Split into n ways by an input of its own.  False: the state is put away.
static bool split(struct sx_run *r, struct sx_state *s, uint32_t place,
                  uint32_t n, uint32_t *which)
{
    term v;
    *which = 0;
    if (n < 2)
        return true;
    v = effect_given(r, s, place, (struct ir_type){IR_INT, 8});
    for (; *which + 1 < n; ++*which)
        if (decide(r, s, term_eq(r->ts, v, term_const(r->ts, 8, *which))))
            return true;
    return assume(r, s, term_eq(r->ts, v, term_const(r->ts, 8, *which)));
}

static bool takes(const struct ir *ir, uint32_t behaviour, uint32_t msg)
{
    const struct ir_behaviour *b = &ir->behaviours.at[behaviour];
    for (uint32_t i = 0; i < b->n; i++)
        if (b->rows[i].msg == msg && b->rows[i].policy == 0)
            return true;
    return false;
}

// Behaviours that handlers of these behaviours become.
static uint32_t add_behaviours(const struct ir *ir, uint32_t fn, uint32_t *out,
                               uint32_t n)
{
    const struct ir_fn *f = ir->fns.at[fn];
    for (uint32_t i = 0; i < f->insts.n; i++) {
        const struct ir_inst *in = &f->insts.at[i];
        if (in->op != IR_BECOME || in->n < 2)
            continue;
        uint32_t g = ir_as_global(ir, ir_args(f, in)[1]), k = 0;
        uint32_t b = g == IR_NOTHING ? IR_NOTHING : ir_behaviour_of(ir, g);
        while (k < n && out[k] != b)
            k++;
        if (b != IR_NOTHING && k == n && n < BEHAVIOURS_MOST)
            out[n++] = b;
    }
    return n;
}

static uint32_t behaviours_of(const struct ir *ir, uint32_t cls, uint32_t *out)
{
    uint32_t n = 0;
    if (ir->classes.at[cls].start == IR_NOTHING)
        return 0;
    out[n++] = ir->classes.at[cls].start;
    if (ir->classes.at[cls].init != IR_NOTHING)
        n = add_behaviours(ir, ir->classes.at[cls].init, out, n);
    for (uint32_t i = 0; i < n; i++) {
        const struct ir_behaviour *b = &ir->behaviours.at[out[i]];
        for (uint32_t k = 0; k < b->n; k++)
            if (b->rows[k].fn != IR_NOTHING)
                n = add_behaviours(ir, b->rows[k].fn, out, n);
    }
    return n;
}

// The behaviour that an unknown actor is in when it gets its first message.
static bool first_behaviour(struct sx_run *r, struct sx_state *s, uint32_t ref,
                            uint32_t cls, uint32_t msg, uint32_t *out)
{
    uint32_t all[BEHAVIOURS_MOST], fit[BEHAVIOURS_MOST], n = 0, k;
    uint32_t of = behaviours_of(r->ir, cls, all);
    for (uint32_t i = 0; i < of; i++)
        if (takes(r->ir, all[i], msg))
            fit[n++] = all[i];
    *out = of ? all[0] : IR_NOTHING;
    if (!n)
        return true;
    if (!split(r, s, BEHAVIOUR_OF + ref, n, &k))
        return false;
    *out = fit[k];
    return true;
}

static bool class_has(const struct ir *ir, uint32_t cls, uint32_t msg)
{
    uint32_t all[BEHAVIOURS_MOST], n = behaviours_of(ir, cls, all);
    for (uint32_t i = 0; i < n; i++)
        if (takes(ir, all[i], msg))
            return true;
    return false;
}

// ---- whom a reference means ---------------------------------------------

static bool class_of_ref(struct sx_run *r, struct sx_state *s, uint32_t ref,
                         uint32_t msg, uint32_t *cls)
{
    uint32_t fit[64], n = 0, k;
    if (!ir_is_actor(r->ir, r->refs.at[ref].type, cls))
        return finish_unsupported(r, s, "a reference that is no actor's");
    if (*cls != IR_NOTHING)
        return true;
    for (uint32_t i = 0; i < r->ir->classes.n && n < 64; i++)
        if (class_has(r->ir, i, msg))
            fit[n++] = i;
    if (!n)
        return finish_unsupported(r, s, "no class takes this message");
    if (!split(r, s, CLASS_OF + ref, n, &k))
        return false;
    *cls = fit[k];
    return true;
}

// May one more actor take part?  Actors that name others which nobody has seen
// before go on for ever.
static bool has_room(struct sx_run *r, struct sx_state *s)
{
    uint32_t most = r->start.tasks->actors;
    if (!most || s->scene->actors.n < most)
        return true;
    r->tasks.crowded++;
    return drop(r, s);
}

// An actor that only this reference is known to mean.
static bool new_given(struct sx_run *r, struct sx_state *s, uint32_t ref,
                      uint32_t msg, uint32_t *actor)
{
    uint32_t cls, behaviour, number, gone = 0;
    term own = term_const(r->ts, SX_OBJECT_BITS, (u128)r->refs.at[ref].own);
    if (!has_room(r, s) || !class_of_ref(r, s, ref, msg, &cls) ||
        !first_behaviour(r, s, ref, cls, msg, &behaviour) ||
        (r->start.tasks->stopped && !split(r, s, STOPPED_OF + ref, 2, &gone)) ||
        !assume(r, s, term_eq(r->ts, r->refs.at[ref].var, own)))
        return false;
    const struct ir_class *c = &r->ir->classes.at[cls];
    uint32_t index =
        scene_given(r, false, ref, cls, r->refs.at[ref].name, c->type);
    struct sx_place at = {SX_SELF, index, 0};
    term state =
        effect_input(r, s, at, c->type, c->size ? c->size : 1, &number);
    *actor =
        scene_add(scene_own(s), (struct sx_actor){.cls = cls,
                                                  .behaviour = behaviour,
                                                  .last = behaviour,
                                                  .ref = ref,
                                                  .given = index,
                                                  .stopped = gone,
                                                  .gone = gone,
                                                  .by = IR_NOTHING,
                                                  .number = r->refs.at[ref].own,
                                                  .state = state});
    return true;
}

static bool actor_of_ref(struct sx_run *r, struct sx_state *s, term object,
                         uint32_t msg, uint32_t *actor)
{
    uint32_t ref = input_ref_of(r, object);
    if (ref == MAP_NONE)
        return finish_unsupported(r, s, "a reference made from a number");
    if (decide(r, s,
               term_eq(r->ts, object, term_const(r->ts, SX_OBJECT_BITS, 0))))
        return finish_trap(r, s, SX_TRAP_NOBODY, r->refs.at[ref].name);
    for (uint32_t i = 0; i < s->scene->actors.n; i++) {
        uint32_t number = s->scene->actors.at[i].number;
        term same =
            term_eq(r->ts, object, term_const(r->ts, SX_OBJECT_BITS, number));
        if (decide(r, s, same)) {
            *actor = i;
            return true;
        }
    }
    return new_given(r, s, ref, msg, actor);
}

bool scene_actor_at(struct sx_run *r, struct sx_state *s, term to, uint32_t msg,
                    uint32_t *actor)
{
    struct leaf ls[LEAVES_MAX];
    uint32_t n = leaves(r, s, known_value(r, s, to), ls);
    for (uint32_t k = 0; k < n; k++) {
        if (k + 1 < n && !decide(r, s, ls[k].condition))
            continue;
        term object = ls[k].object;
        if (!object)
            return finish_unsupported(r, s, "a reference made from a number");
        if (!term_is_const(r->ts, object))
            return actor_of_ref(r, s, object, msg, actor);
        uint32_t number = (uint32_t)term_value(r->ts, object);
        if (number == 0)
            return finish_trap(r, s, SX_TRAP_NOBODY, NULL);
        *actor =
            number == r->outside ? IR_NOTHING : scene_find(s->scene, number);
        if (*actor == IR_NOTHING && number != r->outside) {
            uint32_t ref = map_get(&r->ref_of_own, number);
            if (ref == MAP_NONE)
                return finish_unsupported(r, s, "a message to no actor");
            return new_given(r, s, ref, msg, actor);
        }
        return true;
    }
    return finish_unsupported(r, s, "a message to one of too many");
}

// ---- sending ------------------------------------------------------------

static bool do_send(struct sx_run *r, struct sx_state *s,
                    const struct ir_inst *i)
{
    struct sx_effect e;
    uint32_t to;
    if (!effect_of(r, s, i, &e))
        return false;
    if (e.msg == IR_NOTHING)
        return finish_unsupported(r, s, "a message of a type not known");
    bool asks = i->op == IR_ASK;
    bool limited = asks && !term_is(r->ts, e.args[4], 0);
    if (limited && !term_is_const(r->ts, e.args[4]))
        return finish_unsupported(r, s, "a time limit that is not known");
    if (!scene_actor_at(r, s, e.args[1], e.msg, &to))
        return false;
    if (s->scene->tasks.n > TASKS_MOST)
        return finish_unsupported(r, s, "more than 200 messages on one path");
    struct scene *w = scene_own(s);
    struct task t = {.actor = to,
                     .msg = e.msg,
                     .given = IR_NOTHING,
                     .sender = scene_actor(r, s),
                     .future = IR_NOTHING};
    if (asks) {
        uint32_t token = scene_object(r, s, 1, NULL, 0);
        t.future = w->futures.n;
        struct future f = {.token = token,
                           .asker = t.sender,
                           .msg = e.msg,
                           .by = to,
                           .limited = limited};
        if (limited &&
            !time_set(w, t.sender, (uint64_t)term_value(r->ts, e.args[4]), 0,
                      &f.timer))
            return finish_unsupported(r, s, "more than 8 timers of an actor");
        vec_push(&w->futures, f);
        e.result = address_of(r, token, 0);
    }
    if (to != IR_NOTHING) {
        t.payload =
            scene_object(r, s, r->ir->msgs.at[e.msg].size, e.cells, e.n_cells);
        scene_send(w, t);
    }
    effect_record(r, s, &e);
    return advance(r, s, e.result);
}

static bool do_reply(struct sx_run *r, struct sx_state *s,
                     const struct ir_inst *i)
{
    struct sx_effect e;
    if (!effect_of(r, s, i, &e))
        return false;
    struct scene *w = scene_own(s);
    struct task *t = &w->tasks.at[scene_running(w)];
    if (t->replied || s->actor)
        return finish_unsupported(r, s, "a second reply to one request");
    uint32_t size = e.msg == IR_NOTHING ? 1 : r->ir->msgs.at[e.msg].reply_size;
    t->replied = true;
    t->answer = scene_object(r, s, size, e.cells, e.n_cells);
    if (t->future != IR_NOTHING) {
        w->futures.at[t->future].payload = t->answer;
        w->futures.at[t->future].sent = w->now++;
    } else if (t->sender == IR_NOTHING) { // the test asked
        scene_receive(r, w,
                      (struct sx_receive){.actor = IR_NOTHING,
                                          .sender = t->actor,
                                          .task = scene_running(w),
                                          .msg = t->msg,
                                          .reply = true,
                                          .twin = 1});
    }
    effect_record(r, s, &e);
    return advance(r, s, TERM_NONE);
}

// ---- creating -----------------------------------------------------------

static bool do_spawn(struct sx_run *r, struct sx_state *s,
                     const struct ir_inst *i)
{
    struct sx_effect e;
    uint32_t nth = 1;
    if (!effect_of(r, s, i, &e))
        return false;
    if (e.cls == IR_NOTHING)
        return finish_unsupported(r, s, "an actor of a class not known");
    if (!has_room(r, s))
        return false;
    struct scene *w = scene_own(s);
    const struct ir_class *c = &r->ir->classes.at[e.cls];
    uint32_t by = scene_actor(r, s);
    uint32_t number = scene_object(r, s, c->size, e.cells, e.n_cells);
    term child = address_of(r, number, 0);
    for (uint32_t k = 0; k < w->actors.n; k++)
        nth += w->actors.at[k].by == by && w->actors.at[k].cls == e.cls;
    scene_add(w, (struct sx_actor){.cls = e.cls,
                                   .behaviour = c->start,
                                   .last = c->start,
                                   .ref = IR_NOTHING,
                                   .given = IR_NOTHING,
                                   .by = by,
                                   .nth = nth,
                                   .number = number,
                                   .state = child});
    e.result = child;
    effect_record(r, s, &e);
    return init_call(r, s, &e, child);
}

// ---- waiting ------------------------------------------------------------

static uint32_t future_at(struct sx_run *r, struct sx_state *s, term t)
{
    t = known_value(r, s, t);
    if (!term_is_const(r->ts, t))
        return IR_NOTHING;
    uint32_t token = (uint32_t)(term_value(r->ts, t) >> SX_OFFSET_BITS);
    for (uint32_t i = 0; i < s->scene->futures.n; i++)
        if (s->scene->futures.at[i].token == token)
            return i;
    return IR_NOTHING;
}

static bool do_wait(struct sx_run *r, struct sx_state *s,
                    const struct ir_inst *i)
{
    uint32_t n = future_at(r, s, operand(r, s, ir_args(s->top->f, i)[1]));
    if (s->actor)
        return finish_unsupported(r, s, "an init hook that waits");
    if (n == IR_NOTHING)
        return finish_unsupported(r, s, "a future that was given");
    const struct future *f = &s->scene->futures.at[n];
    if (f->come || f->late)
        return advance(r, s,
                       f->payload && !f->late ? address_of(r, f->payload, 0)
                                              : term_const(r->ts, 64, 0));
    if (!scene_went_on(r, s))
        return false;
    scene_suspend(r, s, i->op == IR_GET ? TASK_HOLDS : TASK_AWAITS, n);
    return scene_go_on(r, s);
}

// If the condition was tested again and does not hold, that is no switch, and
// the decisions of the test are taken back.
static bool do_pause(struct sx_run *r, struct sx_state *s)
{
    if (s->actor)
        return finish_unsupported(r, s, "an init hook that waits");
    bool first = loop_pause(r, s);
    struct scene *w = scene_own(s);
    if (w->testing && !first) {
        uint32_t since = w->tasks.at[w->running].since, tested = w->tested;
        s->decisions = w->decisions;
        s->n_decisions = w->n_decisions;
        w->testing = false;
        uint32_t t = w->running, ran = w->ran;
        scene_suspend(r, s, TASK_PAUSES, IR_NOTHING);
        w->tasks.at[t].since = since;
        w->ran = ran;
        w->tested = tested;
        return scene_go_on(r, s);
    }
    if (!scene_went_on(r, s))
        return false;
    scene_suspend(r, s, TASK_PAUSES, IR_NOTHING);
    return scene_go_on(r, s);
}

// ---- ending -------------------------------------------------------------

// Requests that an actor leaves open are answered with NULL when it stops.
static void stop_actor(struct scene *w, uint32_t actor)
{
    w->actors.at[actor].stopped = true;
    watch_notify(w, actor);
    for (uint32_t i = 0; i < w->tasks.n; i++) {
        struct task *t = &w->tasks.at[i];
        if (t->actor != actor || t->at == TASK_FLIES)
            continue;
        if (!t->replied && t->future != IR_NOTHING &&
            !w->futures.at[t->future].sent) {
            w->futures.at[t->future].sent = w->now++;
            t->replied = true;
        }
        if (t->frames)
            frame_drop(t->frames);
        t->frames = NULL;
        t->at = TASK_ENDED;
    }
}

bool tasks_returned(struct sx_run *r, struct sx_state *s)
{
    if (!scene_went_on(r, s))
        return false;
    struct scene *w = scene_own(s);
    struct task *t = &w->tasks.at[w->running];
    state_pop(r, s);
    t->at = TASK_ENDED;
    w->ran = t->actor;
    w->tested = 0;
    if (t->stops)
        stop_actor(w, t->actor);
    w->running = IR_NOTHING;
    return scene_go_on(r, s);
}

// ---- all operations -----------------------------------------------------

static bool do_sender(struct sx_run *r, struct sx_state *s)
{
    const struct scene *w = s->scene;
    uint32_t from = w->tasks.at[scene_running(w)].sender;
    return advance(
        r, s,
        address_of(
            r, from == IR_NOTHING ? r->outside : w->actors.at[from].number, 0));
}

static bool do_become(struct sx_run *r, struct sx_state *s,
                      const struct ir_inst *i)
{
    struct sx_effect e;
    if (!effect_of(r, s, i, &e))
        return false;
    if (e.behaviour == IR_NOTHING)
        return finish_unsupported(r, s, "a behaviour that is not known");
    scene_own(s)->actors.at[scene_actor(r, s)].last = e.behaviour;
    effect_record(r, s, &e);
    return advance(r, s, TERM_NONE);
}

static bool do_choose(struct sx_run *r, struct sx_state *s,
                      const struct ir_inst *i)
{
    struct sx_effect e;
    if (!effect_choose(r, s, i, &e))
        return false;
    struct scene *w = scene_own(s);
    vec_push(&w->picks, ((struct sx_pick){w->receive, e.result}));
    return advance(r, s, e.result);
}

bool tasks_operation(struct sx_run *r, struct sx_state *s,
                     const struct ir_inst *i)
{
    switch ((enum ir_op)i->op) {
    case IR_SPAWN:
        return do_spawn(r, s, i);
    case IR_SEND:
    case IR_FORWARD:
    case IR_ASK:
        return do_send(r, s, i);
    case IR_REPLY:
        return do_reply(r, s, i);
    case IR_AWAIT:
    case IR_GET:
        return do_wait(r, s, i);
    case IR_PAUSE:
        return do_pause(r, s);
    case IR_SELF:
        return advance(
            r, s,
            address_of(r, s->scene->actors.at[scene_actor(r, s)].number, 0));
    case IR_SENDER:
        return do_sender(r, s);
    case IR_BECOME:
        return do_become(r, s, i);
    case IR_STOP: {
        struct scene *w = scene_own(s);
        w->tasks.at[scene_running(w)].stops = true;
        return advance(r, s, TERM_NONE);
    }
    case IR_CHOOSE:
        return do_choose(r, s, i);
    case IR_AFTER:
        return time_after(r, s, i);
    case IR_CANCEL:
        return time_cancel(r, s, i);
    case IR_NOW:
        return time_now(r, s);
    case IR_WATCH:
        return watch_begin(r, s, i);
    case IR_GETPARAM: // a test has no parameters: what stands there otherwise
        return advance(r, s, operand(r, s, ir_args(s->top->f, i)[2]));
    case IR_LOG:
    case IR_EXPOSE:
        return advance(r, s, TERM_NONE);
    default: // receptionists
        return finish_unsupported(r, s,
                                  arena_format(&r->arena, "'%s' in a task",
                                               ir_op_text((enum ir_op)i->op)));
    }
}
