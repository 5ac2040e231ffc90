// Random changes of inputs, for the fuzzer.
#include "reach/fuzz.h"

#include <math.h>
#include <stdio.h>

static uint32_t below(struct fuzz *f, uint32_t n)
{
    return n ? rng_below(&f->rng, n) : 0;
}

static bool one_in(struct fuzz *f, uint32_t n)
{
    return below(f, n) == 0;
}

static struct pool *pool_of(struct fuzz *f)
{
    return runner_options(f->runner)->pool;
}

static const struct reach_model *model_of(struct fuzz *f)
{
    return runner_options(f->runner)->model;
}

// ---- numbers --------------------------------------------------------------

uint64_t fuzz_seen(struct fuzz *f)
{
    const struct pool *p = pool_of(f);
    const struct words *w = &model_of(f)->words;
    if (w->numbers.n && one_in(f, 3))
        return w->numbers.at[below(f, w->numbers.n)];
    return p->n_numbers ? p->numbers[below(f, p->n_numbers)] : 0;
}

static uint64_t around(struct fuzz *f, uint64_t v)
{
    return v + (uint64_t)((int64_t)below(f, 3) - 1);
}

static uint64_t any_number(struct fuzz *f, uint64_t now)
{
    uint64_t seen = fuzz_seen(f);
    switch (below(f, 9)) {
    case 0:
    case 1:
        return around(f, seen);
    case 2:
        return seen && seen < UINT32_MAX ? below(f, (uint32_t)seen) : seen;
    case 3:
        return UINT64_C(1) << below(f, 64);
    case 4:
        return (UINT64_C(1) << below(f, 64)) - 1;
    case 5:
        return below(f, 12);
    case 6:
        return now ^ UINT64_C(1) << below(f, 64);
    case 7:
        return now + (uint64_t)((int64_t)below(f, 33) - 16);
    default:
        return one_in(f, 2) ? (uint64_t) - (int64_t)below(f, 20)
                            : rng_next(&f->rng);
    }
}

static double special(struct fuzz *f)
{
    static const double list[] = {0,    -0.0, 1,     -1,   0.5,      2,
                                  10,   100,  1e-6,  1e6,  1e300,    -1e300,
                                  1e-9, 0.1,  3,     1000, INFINITY, -INFINITY,
                                  NAN,  -0.5, 1e-300};
    return list[below(f, sizeof list / sizeof *list)];
}

double fuzz_seen_float(struct fuzz *f)
{
    const struct pool *p = pool_of(f);
    const struct words *w = &model_of(f)->words;
    if (w->floats.n && one_in(f, 2))
        return w->floats.at[below(f, w->floats.n)];
    return p->n_floats ? p->floats[below(f, p->n_floats)] : 0;
}

static double any_float(struct fuzz *f, double now)
{
    double seen = fuzz_seen_float(f);
    switch (below(f, 8)) {
    case 0:
    case 1:
        return seen;
    case 2:
        return nextafter(seen, one_in(f, 2) ? INFINITY : -INFINITY);
    case 3:
        return special(f);
    case 4:
        return (double)(int64_t)any_number(f, (uint64_t)below(f, 100));
    case 5:
        return now * (0.5 + rng_unit(&f->rng));
    case 6:
        return now + (double)below(f, 21) - 10;
    default:
        return rng_unit(&f->rng) * (seen != 0 ? 2 * seen : 1);
    }
}

static void set_float(const struct leaf *l, unsigned char *bytes, double v)
{
    float small = (float)v;
    if (l->size == sizeof small)
        memcpy(bytes + l->offset, &small, sizeof small);
    else
        memcpy(bytes + l->offset, &v, sizeof v);
}

static double get_float(const struct leaf *l, const unsigned char *bytes)
{
    float small;
    double v;
    memcpy(&small, bytes + l->offset, sizeof small);
    if (l->size == sizeof small)
        return (double)small;
    memcpy(&v, bytes + l->offset, sizeof v);
    return v;
}

// ---- fields ---------------------------------------------------------------

static void any_value(struct fuzz *f, const struct leaf *l,
                      unsigned char *bytes)
{
    switch (l->kind) {
    case LEAF_INT:
    case LEAF_UNSIGNED:
        leaf_set(l, bytes, any_number(f, leaf_get(l, bytes)));
        return;
    case LEAF_BOOL:
    case LEAF_BLOCK:
        leaf_set(l, bytes, below(f, 2));
        return;
    case LEAF_FLOAT:
        set_float(l, bytes, any_float(f, get_float(l, bytes)));
        return;
    case LEAF_ENUM:
        if (l->type->n && !one_in(f, 10))
            leaf_set(l, bytes,
                     (uint64_t)l->type->values[below(f, l->type->n)].value);
        else
            leaf_set(l, bytes, any_number(f, leaf_get(l, bytes)));
        return;
    case LEAF_REF:
        leaf_set(l, bytes, below(f, 4));
        return;
    case LEAF_TEXT:
        fuzz_text(f, l, bytes);
        return;
    }
}

static bool is_number(const struct leaf *l)
{
    return l->kind == LEAF_INT || l->kind == LEAF_UNSIGNED;
}

// What one message is about, others often are, too: keys, names, numbers of
// requests.  False: the other message has nothing like it.
static bool take_over(struct fuzz *f, const struct leaf *l, struct gene *g,
                      const struct gene *other)
{
    const struct model_msg *m = &model_of(f)->msgs.at[other->msg];
    const struct leaf *from =
        m->leaves.n ? &m->leaves.at[below(f, m->leaves.n)] : NULL;
    if (!from || (from->kind != l->kind && !(is_number(from) && is_number(l))))
        return false;
    if (l->kind == LEAF_TEXT || l->kind == LEAF_FLOAT) {
        uint32_t n = l->size < from->size ? l->size : from->size;
        if (l->kind == LEAF_FLOAT && l->size != from->size)
            return false;
        memmove(g->bytes + l->offset, other->bytes + from->offset, n);
        return true;
    }
    leaf_set(l, g->bytes, leaf_get(from, other->bytes));
    return true;
}

static void change_field(struct fuzz *f, struct input *in)
{
    struct gene *g = &in->genes[below(f, in->n_genes)];
    const struct model_msg *m = &model_of(f)->msgs.at[g->msg];
    if (!in->n_genes || !m->leaves.n)
        return;
    const struct leaf *l = &m->leaves.at[below(f, m->leaves.n)];
    if (one_in(f, 5) && take_over(f, l, g, &in->genes[below(f, in->n_genes)]))
        return;
    any_value(f, l, g->bytes);
}

bool fuzz_gene(struct fuzz *f, struct gene *g)
{
    const struct pool *p = pool_of(f);
    const struct reach_model *m = model_of(f);
    memset(g, 0, sizeof *g);
    if (!p->n_names)
        return false;
    g->to = (uint8_t)below(f, p->n_names);
    uint32_t cls = p->names[g->to].cls;
    if (cls == IR_NOTHING || !m->accepts[cls].n)
        return false;
    g->msg = (uint16_t)m->accepts[cls].at[below(f, m->accepts[cls].n)];
    g->times = one_in(f, 12) ? 1 + below(f, 12) : 1;
    g->pass = (uint8_t)(one_in(f, 2) ? PASS_ALL : below(f, 4));
    const struct model_msg *msg = &m->msgs.at[g->msg];
    for (uint32_t i = 0; i < msg->leaves.n; i++)
        if (!one_in(f, 3))
            any_value(f, &msg->leaves.at[i], g->bytes);
    return true;
}

// ---- genes ----------------------------------------------------------------

static void make_room(struct input *in, uint32_t at, uint32_t n)
{
    memmove(&in->genes[at + n], &in->genes[at],
            (in->n_genes - at) * sizeof *in->genes);
    in->n_genes += n;
}

// A message of an input that is kept: it showed something once.
static bool known_gene(struct fuzz *f, struct gene *g)
{
    const struct pool *p = pool_of(f);
    for (int k = 0; k < 4 && p->n_inputs; k++) {
        const struct input *in = &p->inputs[below(f, p->n_inputs)].input;
        if (!in->n_genes)
            continue;
        *g = in->genes[below(f, in->n_genes)];
        g->times = g->times > 20 ? 1 : g->times;
        return true;
    }
    return false;
}

static void insert_gene(struct fuzz *f, struct input *in, uint32_t at)
{
    struct gene g;
    if (in->n_genes == INPUT_GENES ||
        !((one_in(f, 2) && known_gene(f, &g)) || fuzz_gene(f, &g)))
        return;
    make_room(in, at, 1);
    in->genes[at] = g;
}

static void delete_gene(struct fuzz *f, struct input *in)
{
    if (!in->n_genes)
        return;
    uint32_t at = below(f, in->n_genes);
    memmove(&in->genes[at], &in->genes[at + 1],
            (in->n_genes - at - 1) * sizeof *in->genes);
    in->n_genes--;
}

// Insert a post while messages of an earlier post are still under way: let only
// a few receives pass between the two.
static void insert_between(struct fuzz *f, struct input *in)
{
    if (!in->n_genes)
        return;
    uint32_t at = below(f, in->n_genes);
    in->genes[at].pass = (uint8_t)below(f, 4);
    insert_gene(f, in, at + 1);
}

static void copy_range(struct fuzz *f, struct input *in)
{
    uint32_t from = below(f, in->n_genes);
    uint32_t n = 1 + below(f, in->n_genes - from);
    for (uint32_t k = 1 + below(f, 3); k && in->n_genes; k--) {
        if (in->n_genes + n > INPUT_GENES)
            return;
        struct gene *g = &in->genes[from];
        uint32_t at = in->n_genes;
        in->n_genes += n;
        memmove(&in->genes[at], g, n * sizeof *g);
    }
}

static void swap_genes(struct fuzz *f, struct input *in)
{
    if (in->n_genes < 2)
        return;
    uint32_t i = below(f, in->n_genes), k = below(f, in->n_genes);
    struct gene g = in->genes[i];
    in->genes[i] = in->genes[k];
    in->genes[k] = g;
}

static void splice(struct fuzz *f, struct input *in)
{
    const struct pool *p = pool_of(f);
    const struct input *from = &p->inputs[below(f, p->n_inputs)].input;
    if (!p->n_inputs || !from->n_genes)
        return;
    uint32_t at = below(f, in->n_genes + 1), i = below(f, from->n_genes);
    uint32_t n = 1 + below(f, from->n_genes - i);
    if (in->n_genes + n > INPUT_GENES)
        in->n_genes = at;
    if (in->n_genes + n > INPUT_GENES)
        return;
    make_room(in, at, n);
    memcpy(&in->genes[at], &from->genes[i], n * sizeof *in->genes);
}

void fuzz_unroll(struct input *in, uint32_t at)
{
    if (at >= in->n_genes || in->genes[at].times < 2)
        return;
    uint32_t n = in->genes[at].times - 1, room = INPUT_GENES - in->n_genes;
    n = n < room ? n : room;
    make_room(in, at, n);
    for (uint32_t i = 0; i < n; i++)
        in->genes[at + i] = in->genes[at + n];
    for (uint32_t i = 0; i < n; i++)
        in->genes[at + i].times = 1;
    in->genes[at + n].times -= n;
}

// One of the messages once more, with another value in one field.
static void vary_gene(struct fuzz *f, struct input *in)
{
    if (!in->n_genes || in->n_genes == INPUT_GENES)
        return;
    struct gene g = in->genes[below(f, in->n_genes)];
    const struct model_msg *m = &model_of(f)->msgs.at[g.msg];
    uint32_t at = one_in(f, 2) ? in->n_genes : below(f, in->n_genes + 1);
    g.times = 1;
    if (m->leaves.n)
        any_value(f, &m->leaves.at[below(f, m->leaves.n)], g.bytes);
    make_room(in, at, 1);
    in->genes[at] = g;
}

static void change_times(struct fuzz *f, struct input *in)
{
    struct gene *g = &in->genes[below(f, in->n_genes)];
    uint64_t seen = fuzz_seen(f);
    if (!in->n_genes)
        return;
    switch (below(f, 4)) {
    case 0:
        g->times = 1;
        return;
    case 1:
        g->times = 1 + below(f, 20);
        return;
    case 2:
        g->times = seen && seen < 300 ? (uint32_t)around(f, seen) : 2;
        break;
    default:
        g->times = g->times < 200 ? g->times + below(f, 3) : g->times / 2;
        break;
    }
    g->times = g->times ? g->times : 1;
}

// ---- choices and parameters -------------------------------------------------

static void change_order(struct fuzz *f, struct input *in)
{
    switch (below(f, 4)) {
    case 0:
        in->n_order = below(f, INPUT_ORDER);
        for (uint32_t i = 0; i < in->n_order; i++)
            in->order[i] = (uint8_t)below(f, 6);
        return;
    case 1:
        if (in->n_order)
            in->order[below(f, in->n_order)] = (uint8_t)below(f, 6);
        return;
    case 2:
        if (in->n_order < INPUT_ORDER)
            in->order[in->n_order++] = (uint8_t)below(f, 6);
        return;
    default:
        in->n_order = in->n_order ? in->n_order - 1 : 0;
        return;
    }
}

static void change_picks(struct fuzz *f, struct input *in)
{
    in->n_picks = in->n_picks < INPUT_PICKS && one_in(f, 2) ? in->n_picks + 1
                                                            : in->n_picks;
    if (in->n_picks)
        in->picks[below(f, in->n_picks)] = (uint16_t)below(f, 8);
}

static int64_t any_param(struct fuzz *f, int64_t now)
{
    uint64_t seen = fuzz_seen(f);
    switch (below(f, 6)) {
    case 0:
    case 1:
        return below(f, 5);
    case 2:
        return below(f, 21);
    case 3:
        return seen <= 300 || one_in(f, 20) ? (int64_t)around(f, seen) : 7;
    case 4:
        return INT64_C(1) << below(f, one_in(f, 20) ? 20 : 9);
    default:
        return one_in(f, 8) ? -(int64_t)below(f, 3)
                            : now + (int64_t)below(f, 3) - 1;
    }
}

static void change_params(struct fuzz *f, struct input *in)
{
    uint32_t n = model_of(f)->params.n;
    uint32_t k = below(f, n);
    if (!n || runner_options(f->runner)->fixed >> k & 1)
        return;
    if (one_in(f, 4)) {
        in->params &= ~(1u << k);
        return;
    }
    in->values[k] = any_param(f, in->params >> k & 1 ? in->values[k] : 0);
    in->params |= 1u << k;
}

static void change_bound(struct fuzz *f, struct input *in)
{
    uint32_t k = below(f, 40);
    in->bound = k == 0 ? 20000 : k < 5 ? 1500 : 150;
}

// Another allocation fails, or none.
static void change_memory(struct fuzz *f, struct input *in)
{
    uint32_t n = runner_allocations(f->runner);
    uint32_t k = below(f, INPUT_FAILS);
    in->fails[k] = one_in(f, 3) ? 0 : 1 + below(f, n < 8 ? 8 : n);
}

// ---- all of it --------------------------------------------------------------

static void change_once(struct fuzz *f, struct input *in)
{
    switch (below(f, 22)) {
    case 0:
        insert_gene(f, in, below(f, in->n_genes + 1));
        return;
    case 1:
    case 2:
        insert_gene(f, in, in->n_genes);
        return;
    case 3:
        delete_gene(f, in);
        return;
    case 4:
        if (in->n_genes)
            copy_range(f, in);
        return;
    case 5:
        swap_genes(f, in);
        return;
    case 6:
        splice(f, in);
        return;
    case 7:
        fuzz_unroll(in, below(f, in->n_genes));
        return;
    case 8:
        if (in->n_genes)
            change_times(f, in);
        return;
    case 9:
        if (in->n_genes)
            in->genes[below(f, in->n_genes)].pass =
                (uint8_t)(one_in(f, 2) ? PASS_ALL : below(f, 4));
        return;
    case 10:
        insert_between(f, in);
        return;
    case 11:
        change_order(f, in);
        return;
    case 12:
        in->seed = one_in(f, 3) ? 0 : 1 + below(f, 1u << 30);
        return;
    case 13:
        change_picks(f, in);
        return;
    case 14:
    case 15:
        change_params(f, in);
        return;
    case 16:
        change_bound(f, in);
        return;
    case 17:
    case 18:
        vary_gene(f, in);
        return;
    default:
        if (in->n_genes)
            change_field(f, in);
        return;
    }
}

void fuzz_mutate(struct fuzz *f, struct input *in)
{
    uint32_t n = one_in(f, 2) ? 1 : 1 + below(f, 8);
    bool memory = runner_options(f->runner)->alloc_fails && one_in(f, 3);
    if (memory)
        change_memory(f, in);
    // If one change was drawn, that of the memory is it.
    for (n -= memory && n == 1; n; n--)
        change_once(f, in);
}
