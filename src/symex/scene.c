// Scenes: sharing, finding, adding.
#include "symex/scene.h"

#include "base/die.h"

#include <stdlib.h>
#include <string.h>

struct scene *scene_new(void)
{
    struct scene *w = need_zero(sizeof *w);
    w->refs = 1;
    w->now = 1;
    w->running = w->ran = IR_NOTHING;
    return w;
}

struct scene *scene_share(struct scene *w)
{
    if (w)
        w->refs++;
    return w;
}

void scene_release(struct scene *w)
{
    if (!w || --w->refs)
        return;
    for (uint32_t i = 0; i < w->tasks.n; i++)
        if (w->tasks.at[i].frames)
            frame_drop(w->tasks.at[i].frames);
    vec_free(&w->actors);
    vec_free(&w->tasks);
    vec_free(&w->futures);
    vec_free(&w->asleep);
    vec_free(&w->picks);
    vec_free(&w->watchers);
    vec_free(&w->moments);
    vec_free(&w->ticks);
    free(w);
}

#define COPY(to, from)                                                         \
    do {                                                                       \
        memset(&(to), 0, sizeof(to));                                          \
        for (uint32_t i_ = 0; i_ < (from).n; i_++)                             \
            vec_push(&(to), (from).at[i_]);                                    \
    } while (0)

struct scene *scene_own(struct sx_state *s)
{
    struct scene *w = s->scene;
    if (w->refs == 1)
        return w;
    struct scene *copy = need(sizeof *copy);
    *copy = *w;
    copy->refs = 1;
    COPY(copy->actors, w->actors);
    COPY(copy->tasks, w->tasks);
    COPY(copy->futures, w->futures);
    COPY(copy->asleep, w->asleep);
    COPY(copy->picks, w->picks);
    COPY(copy->watchers, w->watchers);
    COPY(copy->moments, w->moments);
    COPY(copy->ticks, w->ticks);
    for (uint32_t i = 0; i < copy->tasks.n; i++)
        frame_share(copy->tasks.at[i].frames);
    w->refs--;
    s->scene = copy;
    return copy;
}

uint32_t scene_running(const struct scene *w)
{
    return w->running == IR_NOTHING ? 0 : w->running;
}

uint32_t scene_find(const struct scene *w, uint32_t number)
{
    for (uint32_t i = 0; i < w->actors.n; i++)
        if (w->actors.at[i].number == number)
            return i;
    return IR_NOTHING;
}

uint32_t scene_actor(const struct sx_run *r, const struct sx_state *s)
{
    const struct scene *w = s->scene;
    if (s->actor)
        return scene_find(
            w, (uint32_t)(term_value(r->ts, s->actor) >> SX_OFFSET_BITS));
    return w->tasks.at[scene_running(w)].actor;
}

uint32_t scene_add(struct scene *w, struct sx_actor a)
{
    vec_push(&w->actors, a);
    return w->actors.n - 1;
}

bool scene_held(const struct scene *w, uint32_t actor)
{
    for (uint32_t i = 0; i < w->tasks.n; i++)
        if (w->tasks.at[i].actor == actor && w->tasks.at[i].at == TASK_HOLDS)
            return true;
    return false;
}

const struct ir_row *scene_row(const struct sx_run *r, const struct scene *w,
                               uint32_t actor, uint32_t msg)
{
    uint32_t last = w->actors.at[actor].last;
    if (last == IR_NOTHING)
        return NULL;
    const struct ir_behaviour *b = &r->ir->behaviours.at[last];
    for (uint32_t i = 0; i < b->n; i++)
        if (b->rows[i].msg == msg)
            return &b->rows[i];
    return NULL;
}

uint32_t scene_send(struct scene *w, struct task t)
{
    t.at = TASK_FLIES;
    t.sent = w->now++;
    t.awaits = IR_NOTHING;
    t.fn = t.fn_at = IR_NOTHING;
    vec_push(&w->tasks, t);
    return w->tasks.n - 1;
}

void scene_receive(struct sx_run *r, struct scene *w, struct sx_receive x)
{
    struct receive *new = arena_get(&r->arena, sizeof *new);
    *new = (struct receive){w->order, x};
    w->order = new;
    if (x.actor != IR_NOTHING) {
        w->receive = w->n_order;
        time_pass(w, x.actor);
    }
    w->n_order++;
}

uint32_t scene_given(struct sx_run *r, bool message, uint32_t key, uint32_t of,
                     const char *name, uint32_t type)
{
    struct given new = {key, of, name, type};
    uint32_t n = message ? r->messages.n : r->actors.n;
    const struct given *all = message ? r->messages.at : r->actors.at;
    for (uint32_t i = 0; i < n; i++)
        if (all[i].key == key && all[i].of == of)
            return i;
    if (message)
        vec_push(&r->messages, new);
    else
        vec_push(&r->actors, new);
    return n;
}

struct sx_task_counts sx_task_counts(const struct sx_run *r)
{
    return r->tasks;
}

// ---- for the reader of a path -------------------------------------------

static void say_tasks(struct sx_run *r, const struct scene *w,
                      struct sx_scene *out)
{
    struct sx_task *tasks =
        arena_zero(&r->arena, (w->tasks.n + 1ul) * sizeof *tasks);
    for (uint32_t i = 0; i < w->tasks.n; i++) {
        const struct task *t = &w->tasks.at[i];
        tasks[i] = (struct sx_task){
            .actor = t->actor,
            .msg = t->msg,
            .fn = t->fn,
            .sender = t->sender,
            .given = t->given,
            .payload = address_of(r, t->payload, 0),
            .ended = t->at == TASK_ENDED,
            .replied = t->replied,
            .answer = t->answer ? address_of(r, t->answer, 0) : TERM_NONE,
            .fn_at = t->fn_at,
            .inst = t->inst};
    }
    out->tasks = tasks;
    out->n_tasks = w->tasks.n;
}

const struct sx_scene *tasks_scene(struct sx_run *r, struct sx_state *s,
                                   struct sx_path *p)
{
    const struct scene *w = s->scene;
    struct sx_scene *out = arena_zero(&r->arena, sizeof *out);
    out->running = w->running;
    out->n_actors = w->actors.n;
    out->actors =
        arena_copy(&r->arena, w->actors.at, w->actors.n * sizeof *w->actors.at);
    say_tasks(r, w, out);
    uint32_t at = out->n_order = w->n_order;
    struct sx_receive *order = arena_get(&r->arena, (at + 1ul) * sizeof *order);
    for (const struct receive *x = w->order; x; x = x->up)
        order[--at] = x->r;
    out->order = order;
    out->n_picks = w->picks.n;
    out->picks =
        arena_copy(&r->arena, w->picks.at, w->picks.n * sizeof *w->picks.at);
    if (p->end == SX_STUCK) {
        p->fn = w->tasks.at[0].fn_at;
        p->inst = w->tasks.at[0].inst;
    }
    return out;
}
