// A run is: open, setup, posts and receives, end.  Traps, assertions, abort,
// exit and signals leave it by a jump; its memory is freed before the next run.
// Stacks of handlers are kept between runs.
#include "reach/runner.h"

#include "base/clock.h"
#include "base/die.h"
#include "base/diag.h"
#include "program/program.h"
#include "program/values.h"
#include "reach/heap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    HEAP_ROOM = 1 << 29,
    LONG_RUN = 1000,    // receives
    WORK_MOST = 200000, // comparisons in a run,
    WORK_EACH = 1000,   // and more for each receive it may have
    CROWD = 64,         // of repeated messages; then all pass after each
    GLOBALS_MOST = 1 << 24
};

// ---- one run --------------------------------------------------------------

// A number stands for NULL, or for one of the receptionists of the class.
static tr_ref ref_of(const struct runner *r, const struct leaf *l, uint64_t v)
{
    const struct pool *p = r->o.pool;
    tr_ref fits[POOL_NAMES] = {0};
    uint32_t n = 0;
    for (uint32_t i = 0; i < p->n_names; i++)
        if (r->refs[i] && (l->cls == IR_NOTHING || p->names[i].cls == l->cls))
            fits[n++] = r->refs[i];
    v %= n + 1;
    return v ? fits[v - 1] : NULL;
}

static void fill(struct runner *r, const struct gene *g, unsigned char *to)
{
    const struct model_msg *m = &r->o.model->msgs.at[g->msg];
    uint32_t n = m->size < MODEL_BYTES ? m->size : MODEL_BYTES;
    memcpy(to, g->bytes, n);
    memset(to + n, 0, m->size - n);
    for (uint32_t i = 0; i < m->leaves.n; i++) {
        const struct leaf *l = &m->leaves.at[i];
        void *p = NULL;
        if (l->kind == LEAF_REF)
            p = ref_of(r, l, leaf_get(l, g->bytes));
        else if (l->kind == LEAF_BLOCK && leaf_get(l, g->bytes) & 1)
            p = memcpy(runner_get(r, VALUES_BLOCK, 16), g->bytes + l->to,
                       l->room);
        else if (l->kind != LEAF_BLOCK)
            continue;
        if (l->offset + sizeof p <= m->size)
            memcpy(to + l->offset, &p, sizeof p);
    }
}

static bool deliver(struct runner *r, uint32_t n)
{
    for (uint32_t i = 0; n == PASS_ALL || i < n; i++)
        if (!tr_deliver_one_(r->ctx))
            return r->end != RUN_BOUND;
    return true;
}

static bool post(struct runner *r, const struct gene *g, bool passes)
{
    const tr_msg *type = r->types[g->msg];
    if (g->to >= POOL_NAMES || !r->refs[g->to] || !type)
        return true;
    unsigned char *payload = runner_get(r, type->size, 16);
    for (uint32_t k = 0; k < g->times; k++) {
        if (r->o.messages && r->posted == r->o.messages)
            return true;
        r->posted++;
        fill(r, g, payload);
        if (r->recording)
            runner_note_post(r, g, payload, k);
        tale_note(r, (struct tale_event){.what = TALE_POST,
                                         .n = (uint32_t)(g - r->in->genes)});
        r->posting = true;
        tr_send_(r->ctx, r->refs[g->to], type, payload);
        r->posting = false;
        tale_note(r, (struct tale_event){.what = TALE_POSTED});
        if (passes && !deliver(r, k < CROWD ? g->pass : PASS_ALL))
            return false;
    }
    return true;
}

static void play(struct runner *r)
{
    tale_note(r, (struct tale_event){.what = TALE_SETUP});
    r->o.system->setup(r->ctx);
    r->set_up = r->o.pool->set_up = true;
    r->ctx->ops = &tr__solo_ops; // posts are told by themselves
    runner_meet(r);
    for (uint32_t i = 0; i < r->in->n_genes; i++)
        if (!post(r, &r->in->genes[i], r->o.delivery != DELIVERY_MAILBOX))
            return;
    deliver(r, PASS_ALL);
}

void runner_params(const struct runner *r, char *out, size_t size)
{
    size_t at = 0;
    out[0] = 0;
    for (uint32_t i = 0; i < r->o.model->params.n; i++)
        if (r->in->params >> i & 1 && !(r->o.fixed >> i & 1) && at < size)
            at += (size_t)snprintf(out + at, size - at, "%s=%lld ",
                                   r->o.model->params.at[i],
                                   (long long)r->in->values[i]);
    if (r->o.params && at < size)
        snprintf(out + at, size - at, "%s", r->o.params);
}

static void begin(struct runner *r, const struct input *in)
{
    heap_arena_reset(r->heap);
    if (r->globals)
        memcpy((void *)r->o.program->data.from, r->globals, r->globals_size);
    memset(r->map, 0, r->o.pool->n_hits);
    memset(r->refs, 0, sizeof r->refs);
    vec_clear(&r->touched);
    r->in = in;
    r->rng = rng_of(in->seed);
    r->ordered = r->picked = r->stacks_used = r->steps = 0;
    r->allocations = 0;
    r->posting = false;
    r->in_order =
        !in->n_order && !in->seed && runner_told_alone(r) && !r->wishes;
    r->noted_now = false;
    r->news = r->set_up = false;
    r->receives = 0;
    r->posted = 0;
    r->number++;
    r->end = RUN_DRAINED;
    r->budget = WORK_MOST + (int64_t)in->bound * WORK_EACH;
    r->work = r->budget;
}

void runner_play(struct runner *r, const struct input *in)
{
    char params[MODEL_PARAMS * 80];
    begin(r, in);
    runner_params(r, params, sizeof params);
    hits_use(r->map);
    guest_use(&r->host);
    hits_watch(&r->watcher);
    r->running = true;
    if (!sigsetjmp(r->leave, 0) && runner_open_runtime(r, params)) {
        play(r);
        if (r->end == RUN_DRAINED) {
            tr_leave(r->ctx);
            tr_end(r->runtime);
        }
    }
    r->running = false;
    guest_use(NULL);
    hits_watch(NULL);
}

// ---- what a run shows -----------------------------------------------------

uint64_t runner_cost(const struct runner *r)
{
    return (uint64_t)(r->budget - r->work) + 50 * r->receives;
}

static bool new_hits(struct runner *r)
{
    struct pool *p = r->o.pool;
    bool any = false;
    for (uint32_t i = 0; i < p->n_hits; i++)
        if (r->map[i] && !p->hit[i]) {
            p->hit[i] = 1;
            p->first[i] = p->n_inputs;
            p->when[i] = (uint64_t)((clock_now() - p->began) * 1e3);
            any = true;
        }
    return any;
}

// Is the run nearer to the side, or as near and a better base for changes?
static bool nearer(const struct near *n, double d, bool bad, uint64_t cost)
{
    if (d != n->distance)
        return d < n->distance;
    return bad == n->bad ? cost < n->cost - n->cost / 16 : n->bad;
}

static void note_near(struct runner *r, const struct input *in)
{
    struct pool *p = r->o.pool;
    bool bad = r->end != RUN_DRAINED;
    uint64_t cost = runner_cost(r);
    r->nearer = false;
    for (uint32_t k = 0; k < r->touched.n; k++) {
        uint32_t site = r->touched.at[k];
        if (!pool_open(p, site))
            continue;
        for (int i = 0; i < NEAR_N; i++) {
            struct near *n = &p->near[site * NEAR_N + i];
            double d = r->touch[site].distance[i];
            if (n->known && !nearer(n, d, bad, cost))
                continue;
            r->nearer |= !n->known || d < n->distance;
            n->known = true;
            n->bad = bad;
            n->attempts = d < n->distance ? 0 : n->attempts;
            n->distance = d;
            n->cost = cost;
            input_copy(&n->input, in);
        }
    }
}

// Of a text in a block a case tells what stands before its end.
static void end_texts(const struct reach_model *model, struct gene *g)
{
    const struct model_msg *m = &model->msgs.at[g->msg];
    for (uint32_t i = 0; i < m->leaves.n; i++) {
        const struct leaf *l = &m->leaves.at[i];
        if (l->kind != LEAF_TEXT || l->offset < m->size)
            continue;
        size_t n = strnlen((const char *)g->bytes + l->offset, l->size);
        memset(g->bytes + l->offset + n, 0, l->size - n);
    }
}

bool runner_try(struct runner *r, const struct input *from)
{
    struct pool *p = r->o.pool;
    const struct input *in = &p->current;
    input_copy(&p->current, from);
    for (uint32_t i = 0; i < in->n_genes; i++)
        end_texts(r->o.model, &p->current.genes[i]);
    p->runs++;
    runner_play(r, in);
    p->receives += r->receives;
    if (r->receives > LONG_RUN)
        p->long_receives += r->receives;
    bool news = new_hits(r);
    news |= r->news;
    if (news) {
        p->news = p->runs;
        pool_keep(p, in, r->end, (uint32_t)r->receives, runner_cost(r));
    }
    note_near(r, in);
    return news;
}

void runner_tell(struct runner *r, const struct input *in, struct tale *t)
{
    input_copy(&r->o.pool->current, in);
    tale_begin(r, t);
    runner_play(r, in);
    tale_begin(r, NULL);
}

uint32_t runner_actor(const struct runner *r, uint32_t name)
{
    return r->refs[name] ? tr__solo_id(r->refs[name]) : 0;
}

bool runner_nearer(const struct runner *r)
{
    return r->nearer;
}

enum run_end runner_end(const struct runner *r)
{
    return r->end;
}

uint64_t runner_receives(const struct runner *r)
{
    return r->receives;
}

uint32_t runner_allocations(const struct runner *r)
{
    return r->allocations;
}

const unsigned char *runner_map(const struct runner *r)
{
    return r->map;
}

bool runner_hit(const struct runner *r, uint32_t hit)
{
    return r->map[hit];
}

const struct touch *runner_touch(const struct runner *r, uint32_t site)
{
    return r->touch[site].run == r->number ? &r->touch[site] : NULL;
}

const struct run_options *runner_options(const struct runner *r)
{
    return &r->o;
}

// ---- opening --------------------------------------------------------------

static void save_globals(struct runner *r)
{
    struct range d = r->o.program->data;
    r->globals_size = d.to - d.from;
    if (r->globals_size > GLOBALS_MOST)
        return;
    r->globals = need(r->globals_size + 1);
    memcpy(r->globals, (const void *)d.from, r->globals_size);
}

struct runner *runner_new(const struct run_options *o, struct diag *d)
{
    struct runner *r = need_zero(sizeof *r);
    r->o = *o;
    r->heap = heap_arena_new(HEAP_ROOM);
    if (!r->heap) {
        diag_set(d, EXIT_FAULT, "no memory for runs");
        free(r);
        return NULL;
    }
    r->map = need_zero(o->pool->n_hits + 1);
    r->touch = need_zero((o->pool->n_compares + 1) * sizeof *r->touch);
    r->types = need_zero((o->model->msgs.n + 1) * sizeof *r->types);
    for (uint32_t i = 0; i < o->model->msgs.n; i++)
        r->types[i] = program_msg(o->program, o->model->msgs.at[i].name);
    runner_watch(r);
    runner_serve(r);
    save_globals(r);
    runner_catch_signals();
    the_runner = r;
    return r;
}
