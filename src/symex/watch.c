// Watching: a request goes to the actor, who sends the message when it stops,
// or at once if it has.
#include "symex/scene.h"

bool watch_begin(struct sx_run *r, struct sx_state *s, const struct ir_inst *i)
{
    struct sx_effect e;
    uint32_t whom;
    if (!effect_of(r, s, i, &e))
        return false;
    if (e.msg == IR_NOTHING)
        return finish_unsupported(r, s, "a message of a type not known");
    if (!scene_actor_at(r, s, e.args[1], IR_NOTHING, &whom))
        return false;
    if (whom == IR_NOTHING)
        return finish_unsupported(r, s, "a watch on the test");
    uint32_t payload =
        scene_object(r, s, r->ir->msgs.at[e.msg].size, e.cells, e.n_cells);
    scene_send(scene_own(s), (struct task){.actor = whom,
                                           .msg = e.msg,
                                           .payload = payload,
                                           .given = IR_NOTHING,
                                           .sender = scene_actor(r, s),
                                           .future = IR_NOTHING,
                                           .watch = true});
    effect_record(r, s, &e);
    return advance(r, s, TERM_NONE);
}

static void tell(struct scene *w, const struct watcher *x)
{
    scene_send(w, (struct task){.actor = x->who,
                                .msg = x->msg,
                                .payload = x->payload,
                                .given = IR_NOTHING,
                                .sender = x->actor,
                                .future = IR_NOTHING});
}

void watch_comes(struct scene *w, uint32_t n)
{
    struct task *t = &w->tasks.at[n];
    struct watcher x = {t->sender, t->actor, t->msg, t->payload};
    t->at = TASK_ENDED;
    if (w->actors.at[x.actor].stopped)
        tell(w, &x);
    else
        vec_push(&w->watchers, x);
}

void watch_notify(struct scene *w, uint32_t actor)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < w->watchers.n; i++) {
        struct watcher x = w->watchers.at[i];
        if (x.actor == actor)
            tell(w, &x);
        else
            w->watchers.at[kept++] = x;
    }
    w->watchers.n = kept;
}

bool watch_pending(const struct scene *w, uint32_t who)
{
    for (uint32_t i = 0; i < w->watchers.n; i++)
        if (w->watchers.at[i].who == who && w->watchers.at[i].actor != who)
            return true;
    for (uint32_t i = 0; i < w->tasks.n; i++)
        if (w->tasks.at[i].at == TASK_FLIES && w->tasks.at[i].watch &&
            w->tasks.at[i].sender == who)
            return true;
    return false;
}
