// Test bodies and invariants: code that may look at a whole global state.
//
// The body is the environment's one task; drain() and the like suspend it, and
// its stack is part of the environment's image.  A body that peeks at an actor
// that crashed ends without a word: the crash is told already.
#include "stage/body.h"

#include "stage/check.h"
#include "stage/commons.h"
#include "stage/future.h"
#include "stage/posts.h"
#include "stage/task.h"
#include "stage/seal.h"
#include "stage/sight.h"
#include "stage/tables.h"
#include "stage/verdict.h"

#include <string.h>

// ---- the scene ------------------------------------------------------------

static void scene_open(struct native *n, const uint32_t *states, uint32_t k,
                       const struct send *in_flight, uint32_t n_in_flight)
{
    struct scene *s = &n->scene;
    s->states = states;
    s->n = k;
    s->in_flight = in_flight;
    s->n_in_flight = n_in_flight;
    s->serial++;
    s->n_guests = 0;
    vec_clear(&s->shown);
    arena_clear(&s->copies);
}

// The state of an actor, PLAY_NONE if it is not born yet.
static uint32_t scene_state(const struct native *n, uint32_t actor)
{
    for (uint32_t i = 0; i < n->now.births.n; i++)
        if (n->now.births.at[i].actor == actor)
            return n->now.births.at[i].state;
    return actor < n->scene.n ? n->scene.states[actor] : PLAY_NONE;
}

// The actor's slot is taken by another actor of this scene.  Map the actor into
// the next spare slot.
static struct region *scene_guest(struct native *n, uint32_t state,
                                  const struct region *home)
{
    struct scene *s = &n->scene;
    uint32_t actor = state_info(n, state)->actor;
    uint32_t size = n->actors.at[actor].cls->size;
    struct region **r = &s->guests[s->n_guests];
    if (s->n_guests == GUESTS_N)
        bug_end(n, BUG_LIMIT, NULL, 0, NULL,
                "more actors are looked at than have places of their own");
    if (!*r)
        *r = region_map(SLOT_GUESTS + s->n_guests);
    if (!*r)
        bug_end(n, BUG_LIMIT, NULL, 0, NULL, "no memory to look at an actor");
    s->n_guests++;
    region_show(*r, n->states.at.at[state].bytes, size, home);
    return *r;
}

static struct region *scene_region(struct native *n, uint32_t state)
{
    uint32_t actor = state_info(n, state)->actor;
    struct region *r = actor_region(n, actor);
    struct scene *s = &n->scene;
    sight_lift(n, r);
    if (r->actor != actor && r->scene == s->serial)
        return scene_guest(n, state, r);
    r->scene = s->serial;
    return state_place(n, state);
}

static const void *scene_struct(struct native *n, uint32_t state)
{
    struct region *r = scene_region(n, state);
    sight_cover(n, r, n->actors.at[state_info(n, state)->actor].cls);
    return region_self(r);
}

static _Noreturn void end_quietly(struct native *n)
{
    n->judged = true;
    task_leave(n, WHY_DONE);
    __builtin_unreachable();
}

// An invariant looks at actors of a class or at messages of a type.  What test
// bodies look at does not count: they go on when nobody can move, or after each
// receive.  Descriptors are known by their addresses, which nobody sees.
static void watch_for(struct native *n, const void *descriptor)
{
    if (n->receiver == n->judge)
        hashset_add(&n->watched, (uint64_t)(uintptr_t)descriptor);
}

static void watch_class(struct native *n, const tr_class *cls)
{
    watch_for(n, cls);
    if (n->receiver == n->judge)
        sight_class(n, cls);
}

bool native_watches_actor(void *self, uint32_t actor)
{
    struct native *n = self;
    return hashset_has(&n->watched,
                       (uint64_t)(uintptr_t)n->actors.at[actor].cls);
}

bool native_watches_msg(void *self, uint32_t msg)
{
    struct native *n = self;
    const struct message *m = message_at(n, msg);
    return hashset_has(&n->watched, (uint64_t)(uintptr_t)message_type(n, m));
}

uint64_t native_watches(void *self)
{
    const struct native *n = self;
    return n->watched.n + sight_grown(n);
}

bool native_alike(void *self, uint32_t a, uint32_t b)
{
    return sight_of(self, a) == sight_of(self, b);
}

const void *scene_peek(struct native *n, uint64_t handle, const tr_class *cls)
{
    uint32_t actor = actor_of(n, handle);
    uint32_t state = actor == PLAY_NONE ? PLAY_NONE : scene_state(n, actor);
    if (state == PLAY_NONE)
        return NULL;
    watch_class(n, cls);
    if (n->actors.at[actor].cls != cls) {
        bug_note(n, BUG_USE, "peek at an actor of another class");
        return NULL;
    }
    uint32_t flags = state_info(n, state)->flags;
    if (flags & STATE_CRASHED)
        end_quietly(n);
    return flags & STATE_STOPPED ? NULL : scene_struct(n, state);
}

// ---- each and flying ------------------------------------------------------

// By creation: the elder generation first, then by creator, then in order.
static int compare(const struct native *n, uint32_t a, uint32_t b)
{
    const struct actor *x = &n->actors.at[a], *y = &n->actors.at[b];
    if (a == b)
        return 0;
    if (x->order != y->order)
        return x->order < y->order ? -1 : 1;
    int by_creator = compare(n, x->creator, y->creator);
    if (by_creator)
        return by_creator;
    int by_class = strcmp(x->cls->name, y->cls->name);
    return by_class ? by_class : x->nth < y->nth ? -1 : 1;
}

static void show(struct native *n, const void *of, const void *at)
{
    vec_push(&n->scene.shown, ((struct shown){of, at, n->now.acts}));
}

static void list_class(struct native *n, const tr_class *cls)
{
    VEC(uint32_t) ids = {0};
    for (uint32_t a = 1; a < n->actors.n; a++) {
        uint32_t state = scene_state(n, a);
        if (n->actors.at[a].cls != cls || state == PLAY_NONE ||
            state_info(n, state)->flags & (STATE_STOPPED | STATE_CRASHED))
            continue;
        vec_push(&ids, a);
        uint32_t i = ids.n - 1;
        for (; i > 0 && compare(n, a, ids.at[i - 1]) < 0; i--)
            ids.at[i] = ids.at[i - 1];
        ids.at[i] = a;
    }
    for (uint32_t i = 0; i < ids.n; i++)
        show(n, cls, scene_struct(n, scene_state(n, ids.at[i])));
    vec_free(&ids);
}

static void list_sends(struct native *n, const tr_msg *type,
                       const struct send *s, uint32_t k)
{
    for (uint32_t i = 0; i < k; i++) {
        const struct message *m =
            play_is_timer(s[i].msg) ? NULL : message_at(n, s[i].msg);
        if (m && (m->kind == MSG_PLAIN || m->kind == MSG_REQUEST) &&
            message_type(n, m) == type)
            show(n, type, arena_copy(&n->scene.copies, m + 1, m->size));
    }
}

// The one after `before` among those shown of a kind since the body's last act.
static const void *next_shown(const struct native *n, const void *of,
                              const void *before, bool *any)
{
    bool found = !before;
    *any = false;
    for (uint32_t i = 0; i < n->scene.shown.n; i++) {
        const struct shown *s = &n->scene.shown.at[i];
        if (s->of != of || s->acts != n->now.acts)
            continue;
        *any = true;
        if (found)
            return s->at;
        found = s->at == before;
    }
    return NULL;
}

const void *scene_each(struct native *n, const tr_class *cls,
                       const void *before)
{
    bool any;
    watch_class(n, cls);
    const void *at = next_shown(n, cls, before, &any);
    if (any || before)
        return at;
    list_class(n, cls);
    return next_shown(n, cls, NULL, &any);
}

const void *scene_flying(struct native *n, const tr_msg *type,
                         const void *before)
{
    bool any;
    watch_for(n, type);
    const void *at = next_shown(n, type, before, &any);
    if (any || before)
        return at;
    list_sends(n, type, n->scene.in_flight, n->scene.n_in_flight);
    list_sends(n, type, n->now.sends.at, n->now.sends.n);
    return next_shown(n, type, NULL, &any);
}

// ---- the body -------------------------------------------------------------

// Has an actor crashed?  Natively the whole process would be dead, so what the
// body sees after that is not a bug of its own.
static bool any_crashed(const struct native *n)
{
    for (uint32_t a = 1; a < n->scene.n; a++)
        if (n->scene.states[a] != PLAY_NONE &&
            state_info(n, n->scene.states[a])->flags & STATE_CRASHED)
            return true;
    return false;
}

// future: whose reply it waits for; 0: none.
static void body_leave(struct native *n, struct region *r, uint16_t flag,
                       uint64_t future)
{
    if (r == n->judge)
        bug_end(n, BUG_USE, NULL, 0, NULL, "an invariant only looks");
    n->now.flags |= flag;
    r->running.wait = WAIT_BODY;
    r->running.future = future;
    task_leave(n, WHY_WAIT);
}

void body_suspend(struct native *n, struct region *r, uint16_t flag)
{
    body_leave(n, r, flag, 0);
}

static bool anything_left(const struct native *n, const struct region *r)
{
    if (n->scene.n_in_flight || n->now.sends.n || r->head.n[LIST_TIMERS])
        return true;
    for (uint32_t a = 1; a < n->actors.n; a++) {
        uint32_t state = scene_state(n, a);
        if (state != PLAY_NONE && state_info(n, state)->flags & STATE_TIMER)
            return true;
    }
    return false;
}

bool body_deliver_one(struct native *n, struct region *r)
{
    if (!anything_left(n, r))
        return false;
    body_suspend(n, r, EFFECT_BODY_ONE);
    return true;
}

void body_wait(struct native *n, struct region *r, tr_future future)
{
    body_leave(n, r, EFFECT_BODY_DRAIN, (uintptr_t)future);
    if (!future_at(r, (uintptr_t)future)->done)
        bug_end(n, BUG_DEADLOCK, NULL, 0, NULL,
                "the test waits for a reply that never comes");
}

__attribute__((noinline)) static void body_first(struct region *r)
{
    const struct native *n = r->native;
    if (n->of)
        n->of->run(&r->ctx);
    else if (n->system)
        n->system->setup(&r->ctx);
}

__attribute__((noinline)) static void body_second(struct region *r)
{
    if (r->native->test)
        r->native->test->run(&r->ctx);
    else if (r->native->posts)
        posts_send(r->native, r);
}

static void body_main(void *arg)
{
    struct region *r = arg;
    task_arrive(r->native);
    body_first(r);
    body_second(r);
    task_leave(r->native, WHY_DONE);
}

static struct region *body_go(struct native *n, uint32_t env)
{
    struct region *r;
    if (env == PLAY_NONE) {
        r = actor_region(n, PLAY_ENV);
        region_clear(r, 0);
        r->actor = PLAY_ENV;
        r->state = PLAY_NONE;
        r->running = (struct task){0};
        region_need_stack(r, 0);
        n->receiver = r;
        task_run(n, r, 0, 0, body_main, r);
        return r;
    }
    r = state_place(n, env);
    r->state = PLAY_NONE;
    n->receiver = r;
    struct task t = *(struct task *)region_list(r, LIST_TASKS);
    list_remove(r, LIST_TASKS, 0);
    if (any_crashed(n))
        n->why = WHY_DONE; // the body does not go on
    else
        task_resume(n, r, &t);
    return r;
}

static struct region *body_once(struct native *n, uint32_t env,
                                const uint16_t *picks, uint32_t n_picks)
{
    run_begin(n, picks, n_picks);
    n->handling = PLAY_NONE;
    if (n->test)
        n->trail->handler = (uintptr_t)n->test->run - n->program->bias;
    struct region *r = body_go(n, env);
    run_limits(n);
    commons_check(n);
    return r;
}

void native_body(void *self, uint32_t env, const uint32_t *states, uint32_t k,
                 const struct send *in_flight, uint32_t n_in_flight,
                 const uint16_t *picks, uint32_t n_picks, struct effect *out)
{
    struct native *n = self;
    struct region *r;
    n->setting_up = env == PLAY_NONE;
    do {
        scene_open(n, states, k, in_flight, n_in_flight);
        r = body_once(n, env, picks, n_picks);
    } while (verdicts_again(n));
    n->setting_up = false;
    if (n->why == WHY_PICK) {
        run_finish(n, PLAY_NONE, out);
        return;
    }
    if (n->why == WHY_WAIT) {
        *(struct task *)list_add(r, LIST_TASKS) = r->running;
    } else {
        n->now.flags |= EFFECT_BODY_DONE;
        if (n->why == WHY_OVER) {
            region_clear(r, 0);
            r->head.flags = HEAD_CRASHED;
        }
    }
    run_finish(n, state_keep(n, r), out);
    seal_body_later(n, r);
}

// ---- invariants -----------------------------------------------------------

static void judge_main(void *arg)
{
    struct region *r = arg;
    task_arrive(r->native);
    const tr_invariant *i = r->native->program->invariants[r->native->judging];
    r->native->judged = i->holds(&r->ctx);
    task_leave(r->native, WHY_DONE);
}

static struct region *judge(struct native *n)
{
    if (!n->judge) {
        n->judge = region_map(SLOT_JUDGE);
        if (!n->judge || !region_need_stack(n->judge, 0))
            return NULL;
        n->judge->ctx.ops = &stage_ops;
        n->judge->native = n;
        n->judge->actor = PLAY_ENV;
    }
    region_clear(n->judge, 0);
    n->judge->running = (struct task){.wait = WAIT_NEVER};
    return n->judge;
}

static const struct bug *broken(struct native *n, uint32_t i)
{
    const tr_invariant *v = n->program->invariants[i];
    if (n->now.bugs.n)
        return arena_copy(&n->effects, n->now.bugs.at, sizeof *n->now.bugs.at);
    struct bug *b = arena_zero(&n->effects, sizeof *b);
    b->kind = BUG_INVARIANT;
    b->text = arena_format(&n->effects, "invariant '%s' is broken", v->name);
    b->file = v->file;
    b->line = v->line;
    b->function = v->name;
    b->thing = v->name;
    return b;
}

static void judge_once(struct native *n, uint32_t i)
{
    struct region *r = judge(n);
    run_begin(n, NULL, 0);
    n->receiver = r;
    n->handling = PLAY_NONE;
    n->judging = i;
    n->judged = false;
    task_run(n, r, 0, 0, judge_main, r);
    commons_check(n);
}

static const struct bug *judge_scene(struct native *n)
{
    for (uint32_t i = 0; i < n->program->n_invariants; i++) {
        do
            judge_once(n, i);
        while (verdicts_again(n));
        if (!n->judged || n->now.bugs.n)
            return broken(n, i);
    }
    return NULL;
}

const struct bug *native_invariant(void *self, const uint32_t *states,
                                   uint32_t k, const struct send *in_flight,
                                   uint32_t n_in_flight)
{
    struct native *n = self;
    scene_open(n, states, k, in_flight, n_in_flight);
    return judge_scene(n);
}

const struct bug *native_watched_invariant(void *self, const uint32_t *states,
                                           uint32_t k,
                                           const struct send *in_flight,
                                           uint32_t n_in_flight)
{
    struct native *n = self;
    scene_open(n, states, k, in_flight, n_in_flight);
    if (sight_knows(n))
        return NULL;
    sight_begin(n);
    const struct bug *b = judge_scene(n);
    sight_end(n, !b);
    return b;
}
