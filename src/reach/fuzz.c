#include "reach/fuzz.h"

#include "base/interrupt.h"

#include <time.h>

static struct pool *pool_of(struct fuzz *f)
{
    return runner_options(f->runner)->pool;
}

static double cpu_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

// Runs between two looks at the clock: reading it takes as long as a short run.
enum { LOOK_EVERY = 64 };

static bool is_over(struct fuzz *f, double began, uint64_t *look)
{
    struct pool *p = pool_of(f);
    if (p->stop || (f->runs && p->runs >= f->runs))
        return true;
    if (f->done && p->news > f->looked) {
        f->looked = p->runs;
        if (f->done(f->user))
            return true;
    }
    if (f->stale && p->runs - p->news > f->stale)
        return true;
    if (p->runs < *look)
        return false;
    *look = p->runs + (runner_receives(f->runner) > 300 ? 1 : LOOK_EVERY);
    return f->seconds > 0 && cpu_seconds() - began >= f->seconds;
}

// ---- seeds ------------------------------------------------------------------

static void empty(struct input *in)
{
    memset(in, 0, offsetof(struct input, genes));
    in->bound = 150;
}

// All parameters small, so that runs are short.
static void small_params(const struct run_options *o, struct input *in,
                         int64_t v)
{
    for (uint32_t i = 0; i < o->model->params.n; i++)
        if (!(o->fixed >> i & 1)) {
            in->params |= 1u << i;
            in->values[i] = v;
        }
}

// The parameters of a test of the program.  They are smaller than the system's
// as a rule.
static void params_of(const struct run_options *o,
                      const struct model_defaults *d, struct input *in)
{
    in->params = d->params & ~o->fixed;
    memcpy(in->values, d->values, sizeof in->values);
}

// The first inputs: an empty one, one with small parameters, and one message of
// each kind with zeros.
void fuzz_seed(struct runner *r)
{
    static struct input in; // large
    const struct run_options *o = runner_options(r);
    if (o->pool->n_inputs)
        return;
    for (int64_t v = 3; v >= 0; v--) {
        empty(&in);
        if (v)
            small_params(o, &in, v);
        else
            in.bound = 20000;
        runner_try(r, &in);
    }
    for (uint32_t i = 0; i < o->model->defaults.n; i++) {
        empty(&in);
        params_of(o, &o->model->defaults.at[i], &in);
        runner_try(r, &in);
        in.bound = 20000;
        runner_try(r, &in);
    }
    for (uint32_t i = 0; i < o->pool->n_names; i++) {
        uint32_t cls = o->pool->names[i].cls;
        for (uint32_t k = 0; cls != IR_NOTHING && k < o->model->accepts[cls].n;
             k++) {
            empty(&in);
            if (k % 4)
                small_params(o, &in, 2);
            in.n_genes = 1;
            memset(&in.genes[0], 0, sizeof in.genes[0]);
            in.genes[0].to = (uint8_t)i;
            in.genes[0].msg = (uint16_t)o->model->accepts[cls].at[k];
            in.genes[0].times = 1;
            in.genes[0].pass = PASS_ALL;
            runner_try(r, &in);
        }
    }
}

// ---- the loop ---------------------------------------------------------------

// Mostly the cheapest of CANDIDATES inputs is taken: in the time of one run
// with large parameters, a thousand others can be made.
enum { CANDIDATES = 3 };

// Half of the draws are of sides that a target lies behind.
static const struct near *draw_near(struct fuzz *f)
{
    struct pool *p = pool_of(f);
    const struct near *other = NULL;
    bool leads = f->leads && rng_below(&f->rng, 2);
    for (int k = 0; k < 16 && p->n_compares; k++) {
        uint32_t site = rng_below(&f->rng, p->n_compares);
        const struct near *n =
            &p->near[site * NEAR_N + rng_below(&f->rng, NEAR_N)];
        if (!pool_open(p, site) || !n->known ||
            (n->bad && rng_below(&f->rng, 20) != 0))
            continue;
        if (!leads || f->leads(f->user, site))
            return n;
        other = n;
    }
    return other;
}

static const struct input *random_near(struct fuzz *f)
{
    const struct near *best = draw_near(f);
    uint32_t n = rng_below(&f->rng, 8) ? CANDIDATES : 1;
    for (uint32_t i = 1; best && i < n; i++) {
        const struct near *other = draw_near(f);
        if (other && other->cost < best->cost)
            best = other;
    }
    return best ? &best->input : NULL;
}

// An input whose run ended in a trap or at its bound is a bad base.
static const struct kept_input *draw_kept(struct fuzz *f)
{
    struct pool *p = pool_of(f);
    const struct kept_input *k = NULL;
    for (int i = 0; i < 16 && p->n_inputs; i++) {
        k = &p->inputs[rng_below(&f->rng, p->n_inputs)];
        if (k->end == RUN_DRAINED || rng_below(&f->rng, 20) == 0)
            break;
    }
    return k;
}

static const struct input *random_kept(struct fuzz *f)
{
    const struct kept_input *best = draw_kept(f);
    uint32_t n = rng_below(&f->rng, 8) ? CANDIDATES : 1;
    for (uint32_t i = 1; best && i < n; i++) {
        const struct kept_input *other = draw_kept(f);
        if (other->cost < best->cost)
            best = other;
    }
    return best ? &best->input : NULL;
}

// At most 40 % of all receives are for long runs.
bool fuzz_long_allowed(const struct pool *p)
{
    return p->long_receives * 10 < p->receives * 4 + 10000;
}

static void mutated(struct fuzz *f)
{
    static struct input in; // large
    const struct input *base =
        rng_below(&f->rng, 2) ? random_near(f) : random_kept(f);
    if (!base)
        base = random_kept(f);
    if (base)
        input_copy(&in, base);
    else
        empty(&in);
    fuzz_mutate(f, &in);
    if (in.bound > 1000 && !fuzz_long_allowed(pool_of(f)))
        in.bound = 150;
    runner_try(f->runner, &in);
}

void fuzz_loop(struct fuzz *f)
{
    double began = cpu_seconds();
    uint64_t look = 0, began_at = pool_of(f)->runs;
    fuzz_seed(f->runner);
    while (!is_over(f, began, &look)) {
        uint64_t before = pool_of(f)->runs;
        if (f->aimed * 3 > before - began_at || !fuzz_aim(f))
            mutated(f);
        else
            f->aimed += pool_of(f)->runs - before;
    }
}

// ---- the baseline -----------------------------------------------------------

void fuzz_random(struct fuzz *f)
{
    static struct input in; // large
    const struct run_options *o = runner_options(f->runner);
    double began = cpu_seconds();
    uint64_t look = 0;
    while (!is_over(f, began, &look)) {
        empty(&in);
        in.bound = 1500;
        in.seed = 1 + rng_below(&f->rng, 1u << 30);
        uint32_t n = 1 + rng_below(&f->rng, 14);
        while (in.n_genes < n && fuzz_gene(f, &in.genes[in.n_genes]))
            in.n_genes++;
        for (uint32_t i = 0; i < o->model->params.n; i++)
            if (rng_below(&f->rng, 2) && !(o->fixed >> i & 1)) {
                in.params |= 1u << i;
                in.values[i] = rng_below(&f->rng, 8);
            }
        runner_try(f->runner, &in);
    }
}
