// Engines and runs: beginning, going on, raising bounds, ending.
#include "symex/summary.h"

#include "base/die.h"
#include "base/hash.h"

#include <stdlib.h>
#include <string.h>

enum { STEPS_BETWEEN_STOPS = 256 };

struct symex *symex_new(const struct ir *ir, struct terms *ts, struct solver *s,
                        const struct sx_options *options)
{
    struct symex *x = need_zero(sizeof *x);
    x->ir = ir;
    x->ts = ts;
    x->solver = s;
    x->o = *options;
    x->o.recursion = x->o.recursion ? x->o.recursion : x->o.loop;
    x->o.array = x->o.array ? x->o.array : 8;
    x->o.text = x->o.text ? x->o.text : 16;
    x->o.path_steps = x->o.path_steps ? x->o.path_steps : 500000;
    x->taken = need_zero(ir->fns.n + 1);
    x->summaries = need_zero((ir->fns.n + 1) * sizeof *x->summaries);
    x->calls = need_zero((ir->fns.n + 1) * sizeof *x->calls);
    x->busy = need_zero(ir->fns.n + 1);
    x->root = IR_NOTHING;
    find_taken(x);
    x->written = ir_written(ir);
    return x;
}

void symex_free(struct symex *x)
{
    sums_drop(x);
    free(x->summaries);
    free(x->calls);
    free(x->busy);
    free(x->taken);
    free(x->written);
    free(x);
}

void symex_stop(struct symex *x, bool (*stop)(void *self), void *self)
{
    x->stop = stop;
    x->stop_self = self;
}

void symex_both(struct symex *x, bool both)
{
    x->apart = !both;
}

uint64_t symex_both_count(const struct symex *x)
{
    return x->both;
}

struct sx_counts sx_counts(const struct symex *x)
{
    return x->counts;
}

// ---- runs ---------------------------------------------------------------

struct sx_run *sx_run_new(struct symex *x, const struct sx_start *start)
{
    struct sx_run *r = need_zero(sizeof *r);
    r->x = x;
    r->ir = x->ir;
    r->ts = x->ts;
    r->solver = x->solver;
    r->o = x->o;
    r->start = *start;
    r->zero = model_new(x->ts);
    r->rng = rng_of(1);
    r->globals = need_zero((x->ir->globals.n + 1) * sizeof *r->globals);
    r->fns = need_zero((x->ir->fns.n + 1) * sizeof *r->fns);
    r->skips = arena_zero(&r->arena, (x->ir->fns.n + 1) * sizeof *r->skips);
    r->consts = need_zero((x->ir->consts.n + 1) * sizeof *r->consts);
    return r;
}

struct sx_run *sx_begin(struct symex *x, const struct sx_start *start)
{
    struct sx_run *r = sx_run_new(x, start);
    if (x->root != start->fn)
        sums_drop(x);
    x->root = start->fn;
    r->o.join &= sum_may_join(x->ir->fns.at[start->fn]);
    start_run(r);
    return r;
}

void sx_end(struct sx_run *r)
{
    for (uint32_t i = 0; i < r->done.n; i++)
        state_free(r->done.at[i]->state);
    for (uint32_t i = 0; i < r->waiting.n; i++)
        state_free(r->waiting.at[i]);
    for (uint32_t i = 0; i < r->cut.n; i++)
        state_free(r->cut.at[i]);
    for (uint32_t i = 0; i < r->aside.n; i++)
        state_free(r->aside.at[i]);
    for (uint32_t i = 0; i < r->regions.n; i++)
        vec_free(&r->regions.at[i].loose);
    term_subst_free(r->subst);
    live_free(r);
    search_free(r);
    loop_free(r);
    model_free(r->zero);
    map_free(&r->ref_of_var);
    map_free(&r->ref_of_own);
    map_free(&r->cell_at);
    map_free(&r->region_at);
    map_free(&r->followed);
    map_free(&r->ranks);
    map_free(&r->trapped);
    vec_free(&r->actors);
    vec_free(&r->messages);
    vec_free(&r->refs);
    vec_free(&r->cells);
    vec_free(&r->regions);
    vec_free(&r->waiting);
    vec_free(&r->cut);
    vec_free(&r->aside);
    vec_free(&r->done);
    arena_free(&r->arena);
    free(r->globals);
    free(r->consts);
    free(r);
}

// Is the time up?  If so, the state is put back to those that wait.
static bool stops(struct sx_run *r, struct sx_state *s, uint64_t *countdown)
{
    if (--*countdown)
        return false;
    *countdown = STEPS_BETWEEN_STOPS;
    if (!r->x->stop || !r->x->stop(r->x->stop_self))
        return false;
    r->stopped = true;
    search_add(r, s);
    return true;
}

// Run a state until it ends or lets others go first.
static void run_state(struct sx_run *r, struct sx_state *s)
{
    uint64_t countdown = STEPS_BETWEEN_STOPS;
    uint32_t decisions = s->n_real;
    uint64_t trail = s->trail;
    while (!stops(r, s, &countdown)) {
        r->labels |= s->labels;
        if (!step(r, s))
            return;
        if (s->trail != trail && search_leaves(r, s))
            return;
        trail = s->trail;
        if (s->n_real != decisions && search_yields(r)) {
            search_add(r, s);
            return;
        }
    }
}

const struct sx_path *sx_next(struct sx_run *r)
{
    struct sx_state *s;
    r->stopped = false;
    while (r->given == r->done.n) {
        r->stopped = r->x->stop && r->x->stop(r->x->stop_self);
        if (r->stopped || !(s = search_next(r)))
            return NULL;
        run_state(r, s);
    }
    return r->done.at[r->given++];
}

bool sx_stopped(const struct sx_run *r)
{
    return r->stopped;
}

bool sx_raise(struct sx_run *r, uint32_t loop, uint32_t recursion)
{
    bool any = r->cut.n > 0;
    r->o.loop = loop;
    r->o.recursion = recursion;
    while (r->cut.n)
        search_add(r, vec_pop(&r->cut));
    return any;
}

uint32_t sx_waiting(const struct sx_run *r)
{
    return r->waiting.n + r->aside.n;
}

static struct sx_cut *cut_at(struct sx_cut *cuts, uint32_t n,
                             const struct sx_state *s)
{
    for (uint32_t i = 0; i < n; i++)
        if (cuts[i].fn == s->cut_fn && cuts[i].block == s->cut_block)
            return &cuts[i];
    return NULL;
}

uint32_t sx_cuts(const struct sx_run *r, struct sx_cut *out, uint32_t max)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < r->cut.n; i++) {
        struct sx_cut *c = cut_at(out, n, r->cut.at[i]);
        if (c)
            c->states++;
        else if (n < max)
            out[n++] = (struct sx_cut){r->cut.at[i]->cut_fn,
                                       r->cut.at[i]->cut_block, 1};
    }
    return n;
}

uint32_t sx_labels(const struct sx_run *r)
{
    return r->labels;
}

bool sx_complete(const struct sx_run *r)
{
    return !r->waiting.n && (!r->aside.n || r->start.stops) && !r->cut.n &&
           !r->n_unknown && !r->n_unsupported && !r->n_spent && !r->assumed &&
           !r->tasks.cut && !r->tasks.crowded && !r->tasks.more &&
           !r->tasks.others;
}

// ---- asking -------------------------------------------------------------

const struct sx_ref *sx_run_ref(const struct sx_run *r, uint32_t ref)
{
    return &r->refs.at[ref];
}

uint32_t sx_run_refs(const struct sx_run *r)
{
    return r->refs.n;
}

uint64_t sx_trail(uint64_t trail, uint32_t fn, uint32_t block)
{
    return hash_join(trail, map_pair(fn, block));
}

// Reading a value happens on a copy of the state, because it may make cells. If
// reading would split or end the copy, there is no value.
struct reading {
    struct sx_state *s;
    uint32_t done, waiting;
};

static struct reading read_begin(struct sx_run *r, const struct sx_path *p)
{
    return (struct reading){state_fork(r, p->state), r->done.n, r->waiting.n};
}

static bool read_end(struct sx_run *r, struct reading *g, bool ok)
{
    while (r->done.n > g->done)
        state_free(vec_pop(&r->done)->state);
    while (r->waiting.n > g->waiting) {
        struct sx_state *last = vec_pop(&r->waiting);
        state_free(last);
    }
    if (ok)
        state_free(g->s);
    return ok;
}

term sx_read(struct sx_run *r, const struct sx_path *p, term address,
             uint32_t bytes, bool pointer)
{
    struct reading g = read_begin(r, p);
    term v = TERM_NONE;
    bool ok = load(r, g.s, address, bytes, pointer, &v);
    return read_end(r, &g, ok) ? v : TERM_NONE;
}

bool sx_read_all(struct sx_run *r, const struct sx_path *p, term address,
                 uint64_t n, const struct sx_write **out, uint32_t *n_out)
{
    struct reading g = read_begin(r, p);
    struct pieces all = {0};
    bool ok = n == 0 || read_pieces(r, g.s, address, n, &all);
    *out = arena_copy(&r->arena, all.at.at, all.at.n * sizeof *all.at.at);
    *n_out = all.at.n;
    vec_free(&all.at);
    return read_end(r, &g, ok);
}
