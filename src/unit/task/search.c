// Orders are followed with no message waiting first, then with one more at a
// time, so that what needs fewer is found first.
#include "unit/task/found.h"

#include "base/child.h"
#include "base/clock.h"
#include "base/hash.h"
#include "base/interrupt.h"
#include "base/text.h"
#include "flow/related.h"
#include "unit/places.h"
#include "unit/task/writer.h"

#include <stdlib.h>
#include <string.h>

static const double GRACE = 3;   // seconds to finish a question
static const double LATE = 1;    // seconds after the end, to make values plain
static const double LOOK = 0.05; // seconds between looks at the parent
enum { LOOP_MOST = 4, CASES_MOST = 2000, SPARES = 8 };

struct way { // through the handler, with the simplest path
    uint64_t key;
    const struct sx_path *path;
};

struct search {
    const struct task_options *o;
    const struct sides *sides;
    struct arena *a;
    struct task_found *out;
    struct terms *ts;
    struct solver *solver;
    struct symex *x;
    struct sx_run *run;
    VEC(struct way) ways;
    double end;
    double looked; // whether the parent still waits
    int fd;        // of the parent
};

static bool is_over(void *self)
{
    struct search *s = self;
    double now = clock_now();
    if (now < s->end && now > s->looked + LOOK) {
        s->looked = now;
        if (interrupted() || child_is_hushed(s->fd))
            s->end = now;
    }
    return now >= s->end;
}

static void note(struct search *s, const char *text)
{
    for (uint32_t i = 0; i < s->out->notes.n; i++)
        if (strcmp(s->out->notes.at[i], text) == 0)
            return;
    vec_push(&s->out->notes, arena_text(s->a, text));
}

// Add a remark, one for each line of the source: two are of one line if their
// texts up to the colon are equal.
static void remark(struct search *s, const char *text)
{
    size_t n = strcspn(text, ":") + 1;
    for (uint32_t i = 0; i < s->out->remarks.n; i++)
        if (strncmp(s->out->remarks.at[i], text, n) == 0)
            return;
    vec_push(&s->out->remarks, arena_text(s->a, text));
}

// ---- paths --------------------------------------------------------------

static int by_number(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

struct answer {
    const struct search *s;
    const struct sx_path *p;
    uint64_t key;
};

static void add_constant(void *self, const struct place *at)
{
    struct answer *a = self;
    struct terms *ts = a->s->ts;
    term where = term_binary(ts, IR_ADD, a->p->scene->tasks[0].answer,
                             term_const(ts, 64, at->offset));
    term v = sx_read(a->s->run, a->p, where, at->bytes, false);
    if (v != TERM_NONE && term_is_const(ts, v))
        a->key = hash_join(hash_join(a->key, at->offset + 1),
                           (uint64_t)term_value(ts, v));
}

// Whether the handler answers, and what of the answer does not depend on
// inputs.
static uint64_t answer_key(const struct search *s, const struct sx_path *p,
                           uint64_t key)
{
    const struct sx_task *t = &p->scene->tasks[0];
    uint32_t type = s->o->ir->msgs.at[t->msg].reply_type;
    struct answer a = {s, p, hash_join(key, t->replied)};
    if (t->replied && t->answer != TERM_NONE && type != IR_NOTHING)
        places(s->o->ir, type, 0, FIELDS_MOST, add_constant, &a);
    return a.key;
}

// The sides that the handler itself took, however often, and how it ended.
static uint64_t key_of(const struct search *s, const struct sx_path *p)
{
    uint64_t key = answer_key(s, p, hash_join(1, p->end));
    VEC(uint64_t) taken = {0};
    for (uint32_t i = 0; i < p->n_decisions; i++) {
        const struct sx_decision *d = &p->decisions[i];
        if (d->task == 0)
            vec_push(&taken,
                     hash_join((uint64_t)d->fn << 32 | d->inst, d->side));
    }
    if (taken.n)
        qsort(taken.at, taken.n, sizeof *taken.at, by_number);
    for (uint32_t i = 0; i < taken.n; i++)
        if (!i || taken.at[i] != taken.at[i - 1])
            key = hash_join(key, taken.at[i]);
    vec_free(&taken);
    if (p->end == SX_TRAPPED)
        key = hash_join(key, (uint64_t)p->fn << 32 | p->inst);
    return key;
}

// Does another task wait for ever in the end?
static bool leaves_waiting(const struct sx_path *p)
{
    const struct sx_scene *s = p->scene;
    for (uint32_t i = 1; p->end == SX_RETURNED && i < s->n_tasks; i++)
        if (!s->tasks[i].ended && s->tasks[i].fn_at != IR_NOTHING)
            return true;
    return false;
}

static bool is_simpler(const struct sx_path *a, const struct sx_path *b)
{
    if (leaves_waiting(a) != leaves_waiting(b))
        return leaves_waiting(b);
    if (a->scene->n_order != b->scene->n_order)
        return a->scene->n_order < b->scene->n_order;
    if (a->scene->n_actors != b->scene->n_actors)
        return a->scene->n_actors > b->scene->n_actors; // not itself
    return a->n_conditions < b->n_conditions;
}

static void take_sides(const struct search *s, const struct sx_path *p,
                       uint8_t how, uint8_t *taken)
{
    for (uint32_t i = 0; i < p->n_decisions; i++) {
        const struct sx_decision *d = &p->decisions[i];
        for (uint32_t k = 0; d->fn == s->o->fn && k < s->sides->at.n; k++)
            if (s->sides->at.at[k].inst == d->inst &&
                s->sides->at.at[k].k == d->side)
                taken[k] |= how;
    }
}

static struct model *plain_model(struct search *s, const struct sx_path *p)
{
    struct path path = {0};
    for (uint32_t i = 0; i < p->n_conditions; i++)
        path_add(s->ts, &path, p->conditions[i]);
    path_take_model(&path, model_copy(p->model));
    solver_label(s->solver, &path, NULL, 0);
    struct model *m = model_copy(path.model);
    path_release(&path);
    return m;
}

static bool take_case(struct search *s, const struct sx_path *p,
                      const uint8_t *fresh)
{
    struct model *m = plain_model(s, p);
    struct task_path t = {.o = s->o,
                          .sides = s->sides,
                          .run = s->run,
                          .ts = s->ts,
                          .path = p,
                          .model = m,
                          .fresh = fresh};
    struct task_case c = {0};
    const char *why = NULL;
    bool ok = s->out->cases.n < CASES_MOST && task_case_of(&t, s->a, &c, &why);
    if (ok) {
        c.key = key_of(s, p);
        c.waits = leaves_waiting(p);
        c.sides = arena_zero(s->a, s->sides->at.n + 1ul);
        take_sides(s, p, TASK_SIDE_ENDS, c.sides);
        vec_push(&s->out->cases, c);
    } else if (why) {
        note(s, why);
    }
    model_free(m);
    return ok;
}

// ---- waiting for ever ---------------------------------------------------

static void field_of(const struct search *s, const struct ir_fn *f, ir_id v,
                     unsigned deep, struct text *t)
{
    if (v == IR_NOTHING || ir_is_const(v) || !deep)
        return;
    const struct ir_inst *i = &f->insts.at[v];
    if (i->op == IR_LOAD) {
        ir_id p = ir_args(f, i)[0];
        uint64_t offset = 0;
        while (!ir_is_const(p) && f->insts.at[p].op == IR_FIELD) {
            offset += (uint64_t)f->insts.at[p].imm;
            p = ir_args(f, &f->insts.at[p])[0];
        }
        char path[128] = "";
        if (!ir_is_const(p) && p == 1)
            ir_path(s->o->ir, s->o->ir->classes.at[s->o->cls].type, offset,
                    path, sizeof path);
        if (*path && !strstr(text_get(t), path))
            text_format(t, "%s%s", t->n ? ", " : "", path);
        return;
    }
    for (uint32_t k = 0; k < i->n; k++)
        field_of(s, f, ir_args(f, i)[k], deep - 1, t);
}

// Fields that the condition of an await_until reads: what decides whether its
// loop is left.
static const char *fields_at(struct search *s, uint32_t fn, uint32_t inst)
{
    const struct ir_fn *f = s->o->ir->fns.at[fn];
    struct text t = {0};
    if (f->insts.at[inst].op == IR_PAUSE) {
        uint32_t b = ir_block_of(f, inst), head = f->blocks.at[b].loop;
        for (uint32_t k = 0; k < f->blocks.n; k++) {
            const struct ir_block *x = &f->blocks.at[k];
            if (head == IR_NOTHING || (x->loop != head && k != head))
                continue;
            const struct ir_inst *last = &f->insts.at[x->first + x->n - 1];
            if (last->op == IR_BRANCH)
                field_of(s, f, ir_args(f, last)[0], 6, &t);
        }
    }
    const char *out = arena_text(s->a, text_get(&t));
    text_free(&t);
    return out;
}

// Of a place the case with the fewest receives.
static void take_stuck(struct search *s, const struct sx_path *p)
{
    uint32_t at = 0;
    while (at < s->out->stuck.n && (s->out->stuck.at[at].fn != p->fn ||
                                    s->out->stuck.at[at].inst != p->inst))
        at++;
    if (at < s->out->stuck.n &&
        s->out->stuck.at[at].receives <= p->scene->n_order)
        return;
    struct model *m = plain_model(s, p);
    struct task_path t = {.o = s->o,
                          .sides = s->sides,
                          .run = s->run,
                          .ts = s->ts,
                          .path = p,
                          .model = m};
    struct task_stuck k = {.fn = p->fn, .inst = p->inst};
    k.receives = p->scene->n_order;
    k.fields = fields_at(s, p->fn, p->inst);
    k.given = task_given(&t, s->a);
    k.waiting = task_waiting(&t, s->a);
    k.call = task_call(&t, s->a);
    if (at == s->out->stuck.n)
        vec_push(&s->out->stuck, k);
    else
        s->out->stuck.at[at] = k;
    model_free(m);
}

// ---- a run --------------------------------------------------------------

static void take_result(struct search *s, uint64_t key)
{
    for (uint32_t i = 0; i < s->out->results.n; i++)
        if (s->out->results.at[i] == key)
            return;
    vec_push(&s->out->results, key);
}

// A way along fields, shortened in the middle: self->next->...->next.
static const char *short_way(struct arena *a, const char *way)
{
    enum { LONG = 60, HEAD = 30 };
    const char *head = way, *tail = way, *at = way;
    if (strlen(way) <= LONG)
        return way;
    for (; (at = strstr(at, "->")); at += 2) {
        if (at - way <= HEAD)
            head = at;
        tail = at;
    }
    return arena_format(a, "%.*s->...%s", (int)(head - way), way, tail);
}

static void look_at(struct search *s, const struct sx_path *p)
{
    const struct ir_fn *f = s->o->ir->fns.at[p->fn];
    bool ends = p->end == SX_RETURNED || p->end == SX_TRAPPED;
    if (!ends && p->end != SX_STUCK) {
        note(s, p->text ? p->text : "the solver gave no answer in time");
        return;
    }
    s->out->orders++;
    take_sides(s, p, TASK_SIDE_SEEN, s->out->sides);
    if (p->end == SX_STUCK) {
        take_stuck(s, p);
        return;
    }
    if (p->end == SX_TRAPPED && p->trap == SX_TRAP_NOBODY) {
        remark(s, arena_format(s->a,
                               "line %u: a message to nobody when %s is "
                               "NULL",
                               f->insts.at[p->inst].line,
                               p->text ? short_way(s->a, p->text) : "it"));
        return;
    }
    if (p->end == SX_TRAPPED && p->scene->running != 0) {
        if (p->trap == SX_TRAP_NO_ROW)
            remark(s,
                   arena_format(s->a, "'%s' comes, and there is no row for it",
                                p->text));
        else
            remark(s, arena_format(s->a, "line %u: %s, of another task, traps",
                                   f->insts.at[p->inst].line, f->name));
        return;
    }
    take_sides(s, p, TASK_SIDE_ENDS, s->out->sides);
    uint64_t key = key_of(s, p);
    take_result(s, key);
    if (s->o->all)
        key = hash_join(key, s->ways.n);
    for (uint32_t i = 0; i < s->ways.n; i++) {
        struct way *w = &s->ways.at[i];
        if (w->key != key)
            continue;
        if (w->path && is_simpler(p, w->path))
            w->path = p;
        return;
    }
    vec_push(&s->ways, ((struct way){key, p}));
}

static bool all_taken(const struct search *s)
{
    for (uint32_t i = 0; i < s->sides->at.n; i++)
        if (!(s->out->sides[i] & TASK_SIDE_ENDS))
            return false;
    return true;
}

static int by_simplicity(const void *a, const void *b)
{
    const struct way *x = a, *y = b;
    if (!x->path || !y->path)
        return !y->path - !x->path;
    return is_simpler(x->path, y->path) ? -1 : is_simpler(y->path, x->path);
}

// Does the path have a side, or trap at a place, that no case has?  Notes the
// sides in `fresh`.
static bool is_news(const struct search *s, const struct sx_path *p,
                    uint8_t *fresh)
{
    const struct task_found *f = s->out;
    bool known = false;
    memset(fresh, 0, s->sides->at.n);
    take_sides(s, p, TASK_SIDE_ENDS, fresh);
    for (uint32_t i = 0; i < f->cases.n; i++) {
        const struct task_case *c = &f->cases.at[i];
        known |= p->end == SX_TRAPPED && c->end == TASK_TRAPS &&
                 c->fn == p->fn && c->inst == p->inst;
        for (uint32_t k = 0; k < s->sides->at.n; k++)
            fresh[k] = fresh[k] && !c->sides[k];
    }
    if (p->end == SX_TRAPPED)
        return !known;
    for (uint32_t k = 0; k < s->sides->at.n; k++)
        if (fresh[k])
            return true;
    return !f->cases.n;
}

// What brings something new first; a few more stand by for those that the
// native run does not bear out.
static void take_ways(struct search *s)
{
    double late = s->end + LATE;
    uint8_t *fresh = arena_zero(s->a, s->sides->at.n + 1ul);
    uint32_t more = 0;
    for (int pass = 0; pass < 2; pass++)
        for (uint32_t i = 0; i < s->ways.n && clock_now() < late; i++) {
            struct way *w = &s->ways.at[i];
            if (!w->path ||
                (!is_news(s, w->path, fresh) && !s->o->all && pass == 0) ||
                (pass == 1 && (is_over(s) || more++ == SPARES)))
                continue;
            take_case(s, w->path, fresh);
            w->path = NULL;
        }
    for (uint32_t i = 0; i < s->ways.n; i++)
        s->ways.at[i].path = NULL; // the run is over
}

static void run_once(struct search *s, const struct sx_tasks *tasks,
                     uint32_t loop)
{
    struct sx_options o = {.loop = loop,
                           .selects = true,
                           .labels = true,
                           .constant_globals = true,
                           .overflow = s->o->overflow};
    struct sx_start start = {.fn = s->o->fn,
                             .pre = s->o->pre,
                             .handler = true,
                             .cls = s->o->cls,
                             .msg = s->o->msg,
                             .tasks = tasks};
    const struct sx_path *p;
    struct sx_cut cuts[32];
    s->x = symex_new(s->o->ir, s->ts, s->solver, &o);
    symex_stop(s->x, is_over, s);
    s->run = sx_begin(s->x, &start);
    s->out->orders = 0;
    while ((p = sx_next(s->run)))
        look_at(s, p);
    s->out->loop = loop;
    struct sx_task_counts c = sx_task_counts(s->run);
    s->out->cut_switches = c.cut;
    s->out->cut_actors = c.crowded;
    s->out->asleep = c.asleep;
    s->out->more = c.more;
    s->out->others = c.others;
    s->out->cut_loops = 0;
    uint32_t n = sx_cuts(s->run, cuts, 32);
    for (uint32_t i = 0; i < n && i < 32; i++)
        s->out->cut_loops += cuts[i].states;
    s->out->stopped = sx_stopped(s->run);
    s->out->complete = sx_complete(s->run) && !s->out->stopped;
    if (s->ways.n)
        qsort(s->ways.at, s->ways.n, sizeof *s->ways.at, by_simplicity);
    take_ways(s);
    sx_end(s->run);
    symex_free(s->x);
}

// With no message waiting first, then with one more at a time.  False: the time
// is up.
static bool run_queues(struct search *s, struct sx_tasks *tasks, uint32_t loop)
{
    const struct task_options *o = s->o;
    for (uint32_t q = o->all ? o->queue : 0; q <= o->queue; q++) {
        if (s->out->loop && is_over(s)) {
            s->out->stopped = true;
            s->out->complete = false;
            return false;
        }
        tasks->queue = q;
        run_once(s, tasks, loop);
    }
    return true;
}

static void search_here(struct search *s)
{
    const struct task_options *o = s->o;
    struct sx_tasks tasks = {.switches = o->switches,
                             .behaviour = o->behaviour,
                             .policies = o->policies,
                             .distinct = o->distinct,
                             .stopped = o->stopped,
                             .every_object = o->every_object,
                             .ticks = o->ticks,
                             .actors = TASK_ACTORS};
    double begin = clock_now();
    s->end = begin + o->seconds;
    s->out->sides = arena_zero(s->a, s->sides->at.n + 1ul);
    s->out->n_related =
        flow_related(o->flow, o->cls, o->fn, o->prunings, s->out->related, 64);
    if (s->out->n_related > 64)
        s->out->n_related = 64;
    tasks.related = s->out->related;
    tasks.n_related = s->out->n_related;
    tasks.sends = flow_causes(o->flow, s->a);
    struct solver_options so = {0};
    s->ts = terms_new();
    s->solver = solver_new(s->ts, &so);
    uint32_t loop = o->loop;
    while (run_queues(s, &tasks, loop) && s->out->cut_loops && !o->all &&
           !all_taken(s) && loop && loop < LOOP_MOST)
        loop *= 2;
    solver_free(s->solver);
    terms_free(s->ts);
    s->out->seconds = clock_now() - begin;
}

// ---- apart --------------------------------------------------------------

static void search_apart(void *self, int fd)
{
    struct search *s = self;
    s->fd = fd;
    search_here(s);
    found_send(s->out, s->sides->at.n, fd);
}

void task_search(const struct task_options *o, const struct sides *sides,
                 struct arena *a, struct task_found *out)
{
    struct search s = {.o = o, .sides = sides, .a = a, .out = out};
    struct child_plan plan = {.body = search_apart,
                              .self = &s,
                              .signals = CHILD_IGNORES,
                              .last_ms = (int)(GRACE * 1e3),
                              .quiet = true};
    struct wire_in wire = {0};
    struct wire_message m;
    int status;
    memset(out, 0, sizeof *out);
    if (child_ask(&plan, o->seconds + GRACE, &wire, &m, &status) ==
        CHILD_ANSWERED)
        found_take(&m.body, a, sides->at.n, out);
    else
        out->died = true;
    if (!out->sides)
        out->sides = arena_zero(a, sides->at.n + 1ul);
    wire_free(&wire);
}

void task_found_free(struct task_found *f)
{
    vec_free(&f->cases);
    vec_free(&f->stuck);
    vec_free(&f->notes);
    vec_free(&f->remarks);
    vec_free(&f->results);
}
