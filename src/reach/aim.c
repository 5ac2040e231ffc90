// Aiming at one side that was not seen: find the number of the input that moves
// the operands of its comparison, and change that.
#include "reach/fuzz.h"

#include <math.h>

// A number of an input.
struct variable {
    enum { VAR_FIELD, VAR_TIMES, VAR_PARAM, VAR_TEXT } kind;
    uint32_t gene;
    const struct leaf *leaf;
    uint32_t param;
    uint32_t nth; // number in a text, from 0
};

struct aim {
    struct fuzz *f;
    uint32_t site;
    struct input base, trial;
    struct touch at; // operands of the base
    uint32_t left;   // runs
    struct near *near;
    uint32_t longs; // of them, long ones
    uint64_t receives;
    bool done; // the side was seen
};

enum { RECEIVES_MOST = 6000000 };
enum { AIM_RUNS = 400, BOUND_MOST = 40000000, LONG = 20000, LONGS = 5 };

static const struct reach_model *model_of(const struct aim *a)
{
    return runner_options(a->f->runner)->model;
}

static struct pool *pool_of(const struct aim *a)
{
    return runner_options(a->f->runner)->pool;
}

static uint64_t get(const struct variable *v, const struct input *in)
{
    switch (v->kind) {
    case VAR_FIELD:
        return leaf_get(v->leaf, in->genes[v->gene].bytes);
    case VAR_TIMES:
        return in->genes[v->gene].times;
    case VAR_PARAM:
        return (uint64_t)in->values[v->param];
    case VAR_TEXT:
        return fuzz_number(v->leaf, in->genes[v->gene].bytes, v->nth);
    }
    return 0;
}

static void set(const struct variable *v, struct input *in, uint64_t x)
{
    switch (v->kind) {
    case VAR_FIELD:
        leaf_set(v->leaf, in->genes[v->gene].bytes, x);
        return;
    case VAR_TIMES:
        in->genes[v->gene].times = x && x <= INPUT_TIMES ? (uint32_t)x : 1;
        return;
    case VAR_PARAM:
        in->values[v->param] = (int64_t)x;
        in->params |= 1u << v->param;
        return;
    case VAR_TEXT:
        fuzz_set_number(v->leaf, in->genes[v->gene].bytes, v->nth, x);
        return;
    }
}

static uint32_t bits_of(const struct variable *v)
{
    return v->kind == VAR_FIELD ? leaf_bits(v->leaf) : 64;
}

static uint64_t masked(uint64_t x, uint32_t bits)
{
    return bits >= 64 ? x : x & ((UINT64_C(1) << bits) - 1);
}

// Run the trial.  Returns what its comparison showed; NULL if it showed nothing
// or the side has been seen.
static const struct touch *attempt(struct aim *a)
{
    if (a->done || !a->left)
        return NULL;
    a->left--;
    runner_try(a->f->runner, &a->trial);
    a->receives += runner_receives(a->f->runner);
    if (a->receives > RECEIVES_MOST)
        a->left = 0;
    a->done = !pool_open(pool_of(a), a->site);
    return a->done ? NULL : runner_touch(a->f->runner, a->site);
}

// Many repeated posts need a higher bound on receives.  Only a step that is
// expected to hit may make a run long.
static bool raise_bound(struct input *in)
{
    uint64_t all = 0;
    for (uint32_t i = 0; i < in->n_genes; i++)
        all += in->genes[i].times;
    uint64_t need = 4 * all + 1000;
    if (all <= in->bound)
        return false;
    in->bound = need < BOUND_MOST ? (uint32_t)need : BOUND_MOST;
    return need > LONG;
}

static void try_value(struct aim *a, const struct variable *v, uint64_t x,
                      bool expected)
{
    if (masked(x, bits_of(v)) == masked(get(v, &a->base), bits_of(v)))
        return;
    input_copy(&a->trial, &a->base);
    set(v, &a->trial, x);
    if (raise_bound(&a->trial)) {
        if (!expected || !a->longs)
            return;
        a->longs--;
        a->near->longs++;
    }
    attempt(a);
}

// Where the variable is one operand, make it the other.
static void try_equal(struct aim *a, const struct variable *v)
{
    uint32_t bits = bits_of(v) < a->at.bits ? bits_of(v) : a->at.bits;
    uint64_t now = masked(get(v, &a->base), bits);
    for (int k = 0; k < 2; k++) {
        uint64_t from = k ? a->at.b : a->at.a, to = k ? a->at.a : a->at.b;
        if (now != masked(from, bits))
            continue;
        for (int d = -1; d <= 1; d++)
            try_value(a, v, to + (uint64_t)(int64_t)d, false);
    }
}

static double difference(const struct touch *t)
{
    if (t->is_float)
        return t->x - t->y;
    uint64_t d = t->a - t->b;
    uint32_t bits = t->bits ? t->bits : 64;
    if (bits < 64 && d >> (bits - 1) & 1)
        d |= ~UINT64_C(0) << bits;
    return (double)(int64_t)masked(d, 64);
}

// Change the number by one, see how the difference of the operands moves, and
// step to where the difference would be zero.
static void try_slope(struct aim *a, const struct variable *v)
{
    uint64_t now = get(v, &a->base);
    input_copy(&a->trial, &a->base);
    set(v, &a->trial, now + 1);
    const struct touch *t = attempt(a);
    if (!t)
        return;
    double d = difference(&a->at), slope = difference(t) - d;
    if (slope == 0 || !isfinite(d / slope) || fabs(d / slope) > 1e18)
        return;
    double step = -d / slope;
    static const int near_by[] = {0, 1, -1, 2};
    int64_t low = (int64_t)floor(step);
    for (int k = 0; k < 4; k++)
        try_value(a, v, now + (uint64_t)(low + near_by[k]), true);
    for (uint32_t w = 8; w <= 16 && a->at.bits == w; w += 8) {
        double around = (d < 0 ? -d : pow(2, w) - d) / slope;
        for (int k = -1; k <= 1; k++)
            try_value(a, v, now + (uint64_t)((int64_t)around + k), true);
    }
}

static void try_bits(struct aim *a, const struct variable *v)
{
    for (uint32_t i = 0; i < bits_of(v) && i < 64 && !a->done && a->left; i++)
        try_value(a, v, get(v, &a->base) ^ UINT64_C(1) << i, false);
}

// ---- floats -----------------------------------------------------------------

static double get_double(const struct leaf *l, const struct gene *g)
{
    float small;
    double v;
    memcpy(&small, g->bytes + l->offset, sizeof small);
    memcpy(&v, g->bytes + l->offset, l->size == sizeof small ? 0 : sizeof v);
    return l->size == sizeof small ? (double)small : v;
}

static void set_double(const struct leaf *l, struct gene *g, double v)
{
    float small = (float)v;
    if (l->size == sizeof small)
        memcpy(g->bytes + l->offset, &small, sizeof small);
    else
        memcpy(g->bytes + l->offset, &v, sizeof v);
}

static const struct touch *try_double(struct aim *a, const struct variable *v,
                                      double x)
{
    input_copy(&a->trial, &a->base);
    set_double(v->leaf, &a->trial.genes[v->gene], x);
    return attempt(a);
}

static void aim_float(struct aim *a, const struct variable *v)
{
    double now = get_double(v->leaf, &a->base.genes[v->gene]);
    if (a->at.is_float)
        for (int k = 0; k < 2; k++) {
            double from = k ? a->at.y : a->at.x, to = k ? a->at.x : a->at.y;
            if (now != from)
                continue;
            try_double(a, v, to);
            try_double(a, v, nextafter(to, INFINITY));
            try_double(a, v, nextafter(to, -INFINITY));
        }
    double by = now == 0 || !isfinite(now) ? 1 : now * 0.001;
    const struct touch *t = try_double(a, v, now + by);
    if (!t)
        return;
    double d = difference(&a->at), slope = (difference(t) - d) / by;
    if (slope == 0 || !isfinite(d / slope))
        return;
    double to = now - d / slope;
    try_double(a, v, to);
    try_double(a, v, nextafter(to, INFINITY));
    try_double(a, v, nextafter(to, -INFINITY));
    try_double(a, v, floor(to));
    try_double(a, v, ceil(to));
}

// ---- one side ---------------------------------------------------------------

static void aim_at(struct aim *a, const struct variable *v, bool bits)
{
    if (v->kind == VAR_FIELD && v->leaf->kind == LEAF_FLOAT) {
        aim_float(a, v);
        return;
    }
    if (!a->at.is_float && a->at.bits)
        try_equal(a, v);
    try_slope(a, v);
    if (bits)
        try_bits(a, v);
}

static bool has_number(const struct leaf *l)
{
    return l->kind == LEAF_INT || l->kind == LEAF_UNSIGNED ||
           l->kind == LEAF_FLOAT || l->kind == LEAF_ENUM ||
           l->kind == LEAF_BOOL;
}

static void aim_text(struct aim *a, struct variable *v)
{
    unsigned char *bytes = a->base.genes[v->gene].bytes;
    uint32_t n = fuzz_numbers(v->leaf, bytes);
    v->kind = VAR_TEXT;
    for (v->nth = 0; v->nth < n && !a->done && a->left; v->nth++)
        aim_at(a, v, false);
}

static void aim_gene(struct aim *a, uint32_t i, bool bits)
{
    const struct model_msg *m = &model_of(a)->msgs.at[a->base.genes[i].msg];
    struct variable v = {.kind = VAR_TIMES, .gene = i};
    for (uint32_t k = 0; k < m->leaves.n && !a->done && a->left; k++) {
        struct variable w = {
            .kind = VAR_FIELD, .gene = i, .leaf = &m->leaves.at[k]};
        if (has_number(w.leaf))
            aim_at(a, &w, bits);
        else if (w.leaf->kind == LEAF_TEXT)
            aim_text(a, &w);
    }
    aim_at(a, &v, false);
}

// Leave out each message once: what came as near without it is kept as the base
// of later attempts, and has room for others.
static void aim_shorter(struct aim *a)
{
    for (uint32_t i = 0; i < a->base.n_genes && !a->done && a->left; i++) {
        input_copy(&a->trial, &a->base);
        memmove(&a->trial.genes[i], &a->base.genes[i + 1],
                (a->base.n_genes - i - 1) * sizeof *a->base.genes);
        a->trial.n_genes--;
        attempt(a);
    }
}

// A side that a target lies behind is tried LEADS_MORE times as often.
enum { LEADS_MORE = 4 };

static uint32_t attempts(struct fuzz *f, const struct near *n, uint32_t site)
{
    return f->leads && f->leads(f->user, site) ? n->attempts / LEADS_MORE
                                               : n->attempts;
}

// The open side with the fewest attempts; if there are several, any of them.
static struct near *next_side(struct fuzz *f, uint32_t *site, bool *bits)
{
    struct pool *p = runner_options(f->runner)->pool;
    struct near *best = NULL;
    uint32_t equal = 0, fewest = UINT32_MAX;
    for (uint32_t i = 0; i < p->n_compares; i++)
        for (uint32_t k = 0; pool_open(p, i) && k < NEAR_N; k++) {
            struct near *n = &p->near[i * NEAR_N + k];
            if (!n->known || (n->input.bound > LONG && !fuzz_long_allowed(p)))
                continue;
            uint32_t tries = attempts(f, n, i);
            if (tries > fewest)
                continue;
            equal = tries == fewest ? equal + 1 : 1;
            fewest = tries;
            if (rng_below(&f->rng, equal) != 0)
                continue;
            best = n;
            *site = i;
            *bits = k == NEAR_BY_BITS;
        }
    return best;
}

bool fuzz_aim(struct fuzz *f)
{
    static struct aim a; // large; one at a time
    bool bits = false;
    a = (struct aim){.f = f, .left = AIM_RUNS};
    struct near *n = next_side(f, &a.site, &bits);
    if (!n)
        return false;
    bool apart = n->attempts++ % 2;
    // a long run is expensive: a few for each side, more as time goes on
    a.longs = n->longs < LONGS + pool_of(&a)->runs / 20000 ? LONGS : 0;
    a.near = n;
    input_copy(&a.base, &n->input);
    // Repeats share their contents: every other time each has its own.
    for (uint32_t i = a.base.n_genes; apart && i-- > 0;)
        fuzz_unroll(&a.base, i);
    input_copy(&a.trial, &a.base);
    const struct touch *t = attempt(&a);
    if (!t)
        return true;
    a.at = *t;
    if (a.base.n_genes > 1 && n->attempts % 4 == 1)
        aim_shorter(&a);
    uint32_t from = a.base.n_genes ? rng_below(&f->rng, a.base.n_genes) : 0;
    for (uint32_t i = 0; i < a.base.n_genes && !a.done && a.left; i++)
        aim_gene(&a, (from + i) % a.base.n_genes, bits);
    const struct run_options *o = runner_options(f->runner);
    for (uint32_t i = 0; i < o->model->params.n && !a.done && a.left; i++) {
        struct variable v = {.kind = VAR_PARAM, .param = i};
        if (!(o->fixed >> i & 1) && a.base.params >> i & 1)
            aim_at(&a, &v, false);
    }
    return true;
}
