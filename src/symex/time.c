// Timers and the clock of a scene, as the stage has them: of an actor's timers
// any may fire next that can be the first by what is known of their due times.
// Where a program looks at the clock, all actors have one, and a moment is
// shown as early as it can be.
#include "symex/scene.h"

#include <assert.h>
#include <string.h>

enum { TIMERS = 0x7100 }; // + task: a timer as the program knows it

// ---- what an actor knows ------------------------------------------------

static struct moments *find(const struct scene *w, uint32_t actor)
{
    for (uint32_t i = 0; i < w->moments.n; i++)
        if (w->moments.at[i].actor == actor)
            return &w->moments.at[i];
    return NULL;
}

static struct bounds bounds_of(struct moments *m)
{
    return (struct bounds){m->at, MOMENTS_WIDE, BOUNDS_TIMERS + m->n};
}

static struct moments *moments_of(struct scene *w, uint32_t actor)
{
    struct moments *m = find(w, actor);
    if (m)
        return m;
    vec_push(&w->moments, ((struct moments){.actor = actor}));
    m = &w->moments.at[w->moments.n - 1];
    struct bounds b;
    tr__bounds_init(&b, m->at, MOMENTS_WIDE);
    return m;
}

static uint32_t place(const struct moments *m, uint32_t id)
{
    uint32_t k = 0;
    while (k < m->n && m->ids[k] != id)
        k++;
    return k;
}

// The run is not before the clock.
static struct bounds now_of(struct scene *w, struct moments *m)
{
    struct bounds b = bounds_of(m);
    tr__bounds_limit(&b, BOUNDS_ORIGIN, BOUNDS_NOW, -(int64_t)w->clock);
    return b;
}

static void note_clock(struct scene *w, const struct bounds *b)
{
    int64_t at = tr__bounds_now(b);
    if (at > (int64_t)w->clock)
        w->clock = (uint64_t)at;
}

void time_pass(struct scene *w, uint32_t actor)
{
    struct moments *m = find(w, actor);
    if (!m)
        return;
    struct bounds b = bounds_of(m);
    tr__bounds_pass(&b);
    *tr__bound(&b, BOUNDS_ORIGIN, BOUNDS_NOW) = BOUNDS_NONE;
}

// ---- setting and firing -------------------------------------------------

// The last timer, just set, keeps pace with others that are set again; or it is
// the first of a group.
static void find_pace(struct moments *m, const struct bounds *b, uint64_t every)
{
    uint32_t i = m->n - 1;
    struct pace pace = {1, 0, 0, every};
    for (uint32_t k = 0; k < i; k++)
        if (m->paces[k].group >= pace.group)
            pace.group = (uint16_t)(m->paces[k].group + 1);
    for (uint32_t k = 0; k < i; k++)
        if (m->paces[k].group &&
            tr__bounds_pace(b, BOUNDS_TIMERS + i, BOUNDS_TIMERS + k,
                            &m->paces[k], &pace))
            break;
    m->paces[i] = pace;
}

bool time_set(struct scene *w, uint32_t owner, uint64_t ms, uint64_t every,
              struct timer *t)
{
    struct moments *m = moments_of(w, owner);
    if (m->n == MOMENTS_MOST)
        return false;
    struct bounds b = now_of(w, m);
    *t = (struct timer){w->now++, every};
    tr__bounds_add(&b, ms);
    m->paces[m->n] = (struct pace){0};
    m->ids[m->n++] = t->id;
    if (every)
        find_pace(m, &b, every);
    return true;
}

static void forget(struct moments *m, uint32_t k)
{
    uint32_t rest = m->n - k - 1;
    memmove(&m->ids[k], &m->ids[k + 1], rest * sizeof *m->ids);
    memmove(&m->paces[k], &m->paces[k + 1], rest * sizeof *m->paces);
    m->n--;
}

void time_remove(struct scene *w, uint32_t owner, struct timer *t)
{
    struct moments *m = t->id ? find(w, owner) : NULL;
    uint32_t k = m ? place(m, t->id) : 0;
    if (!m || k == m->n)
        return;
    struct bounds b = bounds_of(m);
    tr__bounds_remove(&b, BOUNDS_TIMERS + k);
    forget(m, k);
    t->id = 0;
}

// The last timer was just set again.
static void keep_pace(struct moments *m, struct bounds *b)
{
    uint32_t last = m->n - 1;
    m->paces[last].fired = 1;
    for (uint32_t k = 0; k < last; k++)
        if (m->paces[k].group == m->paces[last].group)
            tr__bounds_keep_pace(b, BOUNDS_TIMERS + last, BOUNDS_TIMERS + k,
                                 &m->paces[last], &m->paces[k]);
}

static void fire(struct scene *w, uint32_t owner, struct timer *t)
{
    struct moments *m = find(w, owner);
    assert(m); // since the timer was set
    uint32_t k = place(m, t->id);
    struct bounds b = bounds_of(m);
    tr__bounds_fire(&b, BOUNDS_TIMERS + k);
    note_clock(w, &b);
    struct pace pace = m->paces[k];
    forget(m, k);
    if (!t->every) {
        tr__bounds_remove(&b, BOUNDS_TIMERS + k);
        t->id = 0;
        return;
    }
    tr__bounds_again(&b, BOUNDS_TIMERS + k, t->every);
    t->id = w->now++;
    m->paces[m->n] = pace;
    m->ids[m->n++] = t->id;
    keep_pace(m, &b);
}

// ---- how often ----------------------------------------------------------

static uint32_t ticks(const struct scene *w, const struct tick *kind)
{
    for (uint32_t i = 0; i < w->ticks.n; i++) {
        const struct tick *x = &w->ticks.at[i];
        if (x->owner == kind->owner && x->to == kind->to &&
            x->msg == kind->msg && x->limit == kind->limit)
            return i;
    }
    return w->ticks.n;
}

static void count_tick(struct scene *w, struct tick kind)
{
    uint32_t i = ticks(w, &kind);
    if (i == w->ticks.n)
        vec_push(&w->ticks, kind);
    w->ticks.at[i].n++;
}

static struct tick kind_of_task(const struct task *t)
{
    return (struct tick){.owner = t->sender, .to = t->actor, .msg = t->msg};
}

static struct tick kind_of_limit(const struct future *f)
{
    return (struct tick){
        .owner = f->asker, .to = f->by, .msg = f->msg, .limit = true};
}

static bool rests(const struct sx_run *r, const struct scene *w,
                  struct tick kind)
{
    uint32_t most = r->start.tasks->ticks, i = ticks(w, &kind);
    return most && i < w->ticks.n && w->ticks.at[i].n >= most;
}

static bool is_first(const struct scene *w, uint32_t owner, uint32_t id)
{
    struct moments *m = find(w, owner);
    if (!m || place(m, id) == m->n)
        return false;
    struct bounds b = bounds_of(m);
    return tr__bounds_first(&b, BOUNDS_TIMERS + place(m, id));
}

bool task_timer_ready(const struct sx_run *r, const struct scene *w,
                      const struct task *t)
{
    return !rests(r, w, kind_of_task(t)) && is_first(w, t->sender, t->timer.id);
}

bool limit_ready(const struct sx_run *r, const struct scene *w,
                 const struct future *f)
{
    return !rests(r, w, kind_of_limit(f)) && is_first(w, f->asker, f->timer.id);
}

bool time_rests(const struct sx_run *r, const struct scene *w)
{
    for (uint32_t i = 0; i < w->tasks.n; i++) {
        const struct task *t = &w->tasks.at[i];
        if (t->at == TASK_FLIES && t->timed &&
            !w->actors.at[t->sender].stopped && rests(r, w, kind_of_task(t)))
            return true;
    }
    for (uint32_t i = 0; i < w->futures.n; i++) {
        const struct future *f = &w->futures.at[i];
        if (f->limited && !f->come && !f->late &&
            !w->actors.at[f->asker].stopped && rests(r, w, kind_of_limit(f)))
            return true;
    }
    return false;
}

// Does this timer bring such a message, and may it fire now?
static bool is_like(const struct sx_run *r, const struct scene *w,
                    uint32_t owner, uint32_t msg, uint32_t id)
{
    for (uint32_t i = 0; i < w->tasks.n; i++) {
        const struct task *t = &w->tasks.at[i];
        if (t->at == TASK_FLIES && t->timed && t->sender == owner &&
            t->timer.id == id)
            return t->msg == msg && task_timer_ready(r, w, t);
    }
    for (uint32_t i = 0; i < w->futures.n; i++) {
        const struct future *f = &w->futures.at[i];
        if (f->limited && f->asker == owner && f->timer.id == id)
            return f->msg == msg && limit_ready(r, w, f);
    }
    return false;
}

uint32_t timer_twin(const struct sx_run *r, const struct scene *w,
                    uint32_t owner, uint32_t msg, uint32_t id)
{
    const struct moments *m = find(w, owner);
    uint32_t n = 1;
    for (uint32_t k = 0; m && k < m->n && m->ids[k] != id; k++)
        n += is_like(r, w, owner, msg, m->ids[k]);
    return n;
}

void task_timer_fire(struct scene *w, uint32_t n)
{
    struct task t = w->tasks.at[n];
    count_tick(w, kind_of_task(&t));
    fire(w, t.sender, &t.timer);
    w->tasks.at[n].timer.id = 0;
    if (t.timer.every)
        scene_send(w, t);
}

void limit_fire(struct scene *w, uint32_t n)
{
    count_tick(w, kind_of_limit(&w->futures.at[n]));
    fire(w, w->futures.at[n].asker, &w->futures.at[n].timer);
}

// ---- operations ---------------------------------------------------------

bool time_after(struct sx_run *r, struct sx_state *s, const struct ir_inst *i)
{
    struct sx_effect e;
    uint32_t to;
    if (!effect_of(r, s, i, &e))
        return false;
    if (e.msg == IR_NOTHING || !term_is_const(r->ts, e.args[1]))
        return finish_unsupported(r, s, "a timer whose time is not known");
    if (!scene_actor_at(r, s, e.args[2], e.msg, &to))
        return false;
    if (to == IR_NOTHING)
        return finish_unsupported(r, s, "a timer for the test");
    struct scene *w = scene_own(s);
    uint64_t ms = (uint64_t)term_value(r->ts, e.args[1]);
    struct task t = {.actor = to,
                     .msg = e.msg,
                     .given = IR_NOTHING,
                     .sender = scene_actor(r, s),
                     .future = IR_NOTHING,
                     .handle = TIMERS + w->tasks.n,
                     .timed = true};
    if (!time_set(w, t.sender, ms, i->sub == IR_AGAIN ? ms : 0, &t.timer))
        return finish_unsupported(r, s, "more than 8 timers of an actor");
    t.payload =
        scene_object(r, s, r->ir->msgs.at[e.msg].size, e.cells, e.n_cells);
    scene_send(w, t);
    effect_record(r, s, &e);
    return advance(r, s, term_const(r->ts, 64, t.handle));
}

// A timer's number that comes from an input names no timer of this run.
bool time_cancel(struct sx_run *r, struct sx_state *s, const struct ir_inst *i)
{
    term t = known_value(r, s, operand(r, s, ir_args(s->top->f, i)[1]));
    struct scene *w = scene_own(s);
    for (uint32_t k = 0; t && term_is_const(r->ts, t) && k < w->tasks.n; k++) {
        struct task *x = &w->tasks.at[k];
        if (x->at != TASK_FLIES || !x->timed ||
            x->handle != (uint64_t)term_value(r->ts, t))
            continue;
        time_remove(w, x->sender, &x->timer);
        x->at = TASK_ENDED;
    }
    return advance(r, s, TERM_NONE);
}

bool time_now(struct sx_run *r, struct sx_state *s)
{
    struct scene *w = scene_own(s);
    struct bounds b = now_of(w, moments_of(w, scene_actor(r, s)));
    int64_t at = tr__bounds_now(&b);
    tr__bounds_limit(&b, BOUNDS_NOW, BOUNDS_ORIGIN, at);
    note_clock(w, &b);
    return advance(r, s, term_const(r->ts, 64, (u128)at));
}
