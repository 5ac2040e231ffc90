// A smaller input that passes the same place: fewer posts, fewer repeats, fewer
// parameters, the plain order, plain values.
#include "reach/fuzz.h"

#include <math.h>

struct shrink {
    struct runner *r;
    struct input *best;
    struct input trial;
    uint32_t hit, left;
    uint64_t spent; // on all runs
    uint64_t most;  // to spend
    uint64_t cost;  // of the best
};

enum { COST_MORE = 20000, COST_HIGH = 50000 };

static bool still(struct shrink *s)
{
    if (!s->left || s->spent > s->most)
        return false;
    s->left--;
    runner_try(s->r, &s->trial);
    uint64_t cost = runner_cost(s->r);
    s->spent += cost;
    if (!runner_hit(s->r, s->hit) || cost > s->cost + COST_MORE)
        return false;
    s->cost = cost;
    input_copy(s->best, &s->trial);
    return true;
}

static struct input *begin(struct shrink *s)
{
    input_copy(&s->trial, s->best);
    return &s->trial;
}

static bool drop_genes(struct shrink *s)
{
    bool any = false;
    for (uint32_t i = s->best->n_genes; i-- > 0;) {
        struct input *t = begin(s);
        memmove(&t->genes[i], &t->genes[i + 1],
                (t->n_genes - i - 1) * sizeof *t->genes);
        t->n_genes--;
        any |= still(s);
    }
    return any;
}

// Receives after the place are not needed.  Find the least bound: double it
// until the place is passed, then search between the last two.
static void fewer_receives(struct shrink *s)
{
    uint32_t low = 0, high = 1, most = s->best->bound;
    for (; high < most; low = high, high *= 2) {
        struct input *t = begin(s);
        t->bound = high;
        if (still(s))
            break;
    }
    while (low + 1 < high && high < most && s->left) {
        struct input *t = begin(s);
        t->bound = low + (high - low) / 2;
        if (still(s))
            high = t->bound;
        else
            low = t->bound;
    }
}

// Posts after the place are not needed: drop the tail, half by half.
static void drop_tail(struct shrink *s)
{
    for (uint32_t n = s->best->n_genes / 2; n; n /= 2) {
        struct input *t = begin(s);
        if (t->n_genes <= n)
            continue;
        t->n_genes -= n;
        still(s);
    }
}

static bool same_post(const struct gene *a, const struct gene *b)
{
    return a->to == b->to && a->msg == b->msg &&
           memcmp(a->bytes, b->bytes, sizeof a->bytes) == 0;
}

// Equal posts next to each other become one that is sent more often.
static bool merge_equal(struct shrink *s)
{
    struct input *t = begin(s);
    uint32_t n = 0;
    for (uint32_t i = 0; i < t->n_genes; i++)
        if (n && same_post(&t->genes[n - 1], &t->genes[i]))
            t->genes[n - 1].times += t->genes[i].times;
        else
            t->genes[n++] = t->genes[i];
    bool any = n < t->n_genes;
    t->n_genes = n;
    return any && still(s);
}

static bool fewer_times(struct shrink *s)
{
    bool any = false;
    for (uint32_t i = 0; i < s->best->n_genes; i++)
        for (uint32_t step = s->best->genes[i].times / 2; step; step /= 2) {
            struct input *t = begin(s);
            if (t->genes[i].times <= step)
                continue;
            t->genes[i].times -= step;
            any |= still(s);
        }
    return any;
}

static bool plain_choices(struct shrink *s)
{
    bool any = false;
    struct input *t = begin(s);
    if (t->seed) {
        t->seed = 0;
        any |= still(s);
    }
    for (uint32_t n = 0; n < s->best->n_order; n = n ? 2 * n : 1) {
        t = begin(s);
        t->n_order = n;
        if (still(s)) {
            any = true;
            break;
        }
    }
    for (uint32_t i = 0; i < s->best->n_order; i++) {
        t = begin(s);
        if (!t->order[i])
            continue;
        t->order[i] = 0;
        any |= still(s);
    }
    for (uint32_t i = 0; i < s->best->n_picks; i++) {
        t = begin(s);
        if (!t->picks[i])
            continue;
        t->picks[i] = 0;
        any |= still(s);
    }
    for (uint32_t i = 0; i < s->best->n_genes; i++) {
        t = begin(s);
        if (t->genes[i].pass == PASS_ALL)
            continue;
        t->genes[i].pass = PASS_ALL;
        any |= still(s);
    }
    return any;
}

static bool fewer_params(struct shrink *s)
{
    bool any = false;
    for (uint32_t i = 0; i < MODEL_PARAMS; i++) {
        struct input *t = begin(s);
        if (!(t->params >> i & 1))
            continue;
        t->params &= ~(1u << i);
        any |= still(s);
    }
    return any;
}

// Set parameters to small values: the default of one that is not set may make
// thousands of actors.
static bool small_params(struct shrink *s)
{
    const struct run_options *o = runner_options(s->r);
    for (int64_t v = 1; s->cost > COST_HIGH && v < 6; v++) {
        struct input *t = begin(s);
        for (uint32_t i = 0; i < o->model->params.n; i++)
            if (!(t->params >> i & 1) && !(o->fixed >> i & 1)) {
                t->params |= 1u << i;
                t->values[i] = v;
            }
        if (still(s))
            return true;
    }
    for (uint32_t i = 0; s->cost > COST_HIGH && i < o->model->params.n; i++)
        for (int64_t v = 1; v < 4; v++) {
            struct input *t = begin(s);
            if (t->params >> i & 1 || o->fixed >> i & 1)
                continue;
            t->params |= 1u << i;
            t->values[i] = v;
            if (still(s))
                break;
        }
    return false;
}

static bool try_bytes(struct shrink *s, uint32_t gene, const struct leaf *l,
                      uint64_t v)
{
    struct input *t = begin(s);
    if (leaf_get(l, t->genes[gene].bytes) == v)
        return false;
    leaf_set(l, t->genes[gene].bytes, v);
    return still(s);
}

static uint64_t as_double(const struct leaf *l, double v)
{
    float small = (float)v;
    uint64_t bits = 0;
    if (l->size == sizeof small)
        memcpy(&bits, &small, sizeof small);
    else
        memcpy(&bits, &v, sizeof v);
    return bits;
}

static double of_bits(const struct leaf *l, uint64_t bits)
{
    float small;
    double v;
    memcpy(&small, &bits, sizeof small);
    memcpy(&v, &bits, sizeof v);
    return l->size == sizeof small ? (double)small : v;
}

// A number beside it with no digit behind the point, or with one or two.
static bool few_digits(struct shrink *s, uint32_t i, const struct leaf *l,
                       uint64_t now)
{
    double v = of_bits(l, now);
    for (double by = 1; by <= 100 && fabs(v) < 1e9; by *= 10) {
        uint64_t low = as_double(l, floor(v * by) / by);
        uint64_t high = as_double(l, ceil(v * by) / by);
        if (low == now || high == now)
            return false;
        if (try_bytes(s, i, l, low) || try_bytes(s, i, l, high))
            return true;
    }
    return false;
}

static bool plain_float(struct shrink *s, uint32_t i, const struct leaf *l)
{
    static const double plain[] = {0, 1, -1, 2, 10, 50, 100, 120, 1000};
    uint64_t now = leaf_get(l, s->best->genes[i].bytes);
    for (size_t k = 0; k < sizeof plain / sizeof *plain; k++) {
        uint64_t v = as_double(l, plain[k]);
        if (v == now)
            return false;
        if (try_bytes(s, i, l, v))
            return true;
    }
    return few_digits(s, i, l, now);
}

// Try zero, one and minus one; else halve the number as often as possible.
static bool plain_number(struct shrink *s, uint32_t i, const struct leaf *l)
{
    if (try_bytes(s, i, l, 0) || try_bytes(s, i, l, 1))
        return true;
    uint64_t v = leaf_get(l, s->best->genes[i].bytes);
    bool negative = l->kind == LEAF_INT && v >> (leaf_bits(l) - 1) & 1;
    if (negative)
        return try_bytes(s, i, l, UINT64_MAX >> (64 - leaf_bits(l)));
    bool any = false;
    for (uint64_t step = v / 2; step; step /= 2) {
        uint64_t now = leaf_get(l, s->best->genes[i].bytes);
        if (now > step)
            any |= try_bytes(s, i, l, now - step);
    }
    return any;
}

static bool plain_text(struct shrink *s, uint32_t i, const struct leaf *l)
{
    bool any = false;
    for (uint32_t k = l->size; k-- > 0;) {
        struct input *t = begin(s);
        unsigned char *at = t->genes[i].bytes + l->offset + k;
        if (!*at)
            continue;
        *at = 0;
        if (still(s)) {
            any = true;
            continue;
        }
        t = begin(s);
        at = t->genes[i].bytes + l->offset + k;
        if (*at >= 'a' && *at <= 'z')
            continue;
        *at = 'a';
        any |= still(s);
    }
    return any;
}

static bool plain_fields(struct shrink *s)
{
    const struct reach_model *m = runner_options(s->r)->model;
    bool any = false;
    for (uint32_t i = 0; i < s->best->n_genes; i++) {
        const struct model_msg *msg = &m->msgs.at[s->best->genes[i].msg];
        for (uint32_t k = 0; k < msg->leaves.n && s->left; k++) {
            const struct leaf *l = &msg->leaves.at[k];
            if (l->kind == LEAF_TEXT)
                any |= plain_text(s, i, l);
            else if (l->kind == LEAF_FLOAT)
                any |= plain_float(s, i, l);
            else
                any |= plain_number(s, i, l);
        }
    }
    return any;
}

// One post less, and an allocation less before the one that fails.
static bool fail_earlier(struct shrink *s, int i)
{
    bool any = false;
    for (uint32_t k = 0; k < s->best->n_genes && s->left; k++)
        while (s->best->genes[k].times > 1 && s->best->fails[i] > 1) {
            struct input *t = begin(s);
            t->genes[k].times--;
            t->fails[i]--;
            if (!still(s))
                break;
            any = true;
        }
    return any;
}

static bool more_memory(struct shrink *s)
{
    bool any = false;
    for (int i = 0; i < INPUT_FAILS; i++) {
        struct input *t = begin(s);
        if (!t->fails[i])
            continue;
        t->fails[i] = 0;
        any |= still(s);
        any |= fail_earlier(s, i);
    }
    return any;
}

static bool plain_params(struct shrink *s)
{
    bool any = false;
    for (uint32_t i = 0; i < MODEL_PARAMS; i++)
        for (int64_t step = s->best->values[i] / 2;
             step > 0 && s->best->params >> i & 1; step /= 2) {
            struct input *t = begin(s);
            if (t->values[i] <= step)
                continue;
            t->values[i] -= step;
            any |= still(s);
        }
    return any;
}

void fuzz_shrink(struct runner *r, struct input *in, uint32_t hit,
                 uint32_t tries, uint64_t effort)
{
    static struct shrink s; // large
    s = (struct shrink){
        .r = r, .best = in, .hit = hit, .left = tries, .most = effort};
    s.cost = UINT64_MAX / 2;
    input_copy(&s.trial, in);
    bool again = still(&s);
    s.spent = 0; // a run that goes on after the place may have cost it all
    fewer_receives(&s);
    drop_tail(&s);
    merge_equal(&s);
    small_params(&s);
    while (again && s.left) {
        again = drop_genes(&s);
        again |= merge_equal(&s);
        again |= fewer_times(&s);
        again |= fewer_params(&s);
        again |= plain_choices(&s);
        again |= plain_fields(&s);
        again |= plain_params(&s);
        again |= more_memory(&s);
    }
    fewer_receives(&s);
}
