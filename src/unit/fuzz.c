#include "unit/fuzz.h"

#include "base/child.h"
#include "base/clock.h"
#include "base/die.h"
#include "base/rng.h"
#include "stage/hits.h"
#include "unit/input_wire.h"
#include "unit/runner.h"
#include "unit/shape.h"
#include "unit/spell.h"

#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

enum { WORDS_MOST = 512, PAIRS = 32, TICK_US = 5000, LATE_TICKS = 2 };
enum { ALT_STACK = 1 << 16 };
enum { REPLY = 1 };

static const double ENOUGH = 0.05; // seconds of looking for simpler inputs

enum ending { RETURNED, STOPPED, TRAPPED, LATE, BROKEN };

struct pair { // operands of a comparison
    uint64_t a, b;
};

// The simplest run that was seen of something.
struct best {
    uint64_t *values; // NULL: none
    uint64_t steps, weight;
    enum ending end;
    uint32_t trap;
};

struct fuzzer {
    const struct unit_subject *s;
    const struct ir_fn *f;
    const struct sides *sides;
    const struct fuzz_options *o;
    struct arena *a;
    struct shape shape;
    struct runner_process *p;
    struct runner_layout layout;
    runner_thunk *call, *pre;
    char *result;
    uint64_t result_size;
    uint8_t *map;
    struct rng rng;
    uint64_t words[WORDS_MOST];
    uint32_t n_words;
    // Of the run under way:
    uint64_t steps;
    struct pair pairs[PAIRS];
    uint32_t n_pairs;
    uint32_t trap;
    // Kept:
    struct best *of_side; // returning runs
    struct best *of_end;  // runs that end otherwise on purpose
    VEC(struct best) of_trap;
    VEC(uint64_t *) corpus;
    uint64_t runs, late;
};

static struct fuzzer *here;
static sigjmp_buf back;
static volatile sig_atomic_t ticks;
static volatile sig_atomic_t in_call;

// ---- vocabulary
// -----------------------------------------------------------------

static void add_word(struct fuzzer *w, uint64_t x)
{
    for (uint32_t i = 0; i < w->n_words; i++)
        if (w->words[i] == x)
            return;
    if (w->n_words < WORDS_MOST)
        w->words[w->n_words++] = x;
    else
        w->words[rng_below(&w->rng, WORDS_MOST)] = x;
}

static void add_constants(struct fuzzer *w, const struct ir_fn *f, bool *seen)
{
    const struct ir *ir = w->s->ir;
    if (seen[f->id])
        return;
    seen[f->id] = true;
    for (uint32_t i = 0; i < f->insts.n; i++)
        for (uint32_t k = 0; k < f->insts.at[i].n; k++) {
            ir_id v = ir_args(f, &f->insts.at[i])[k];
            if (!ir_is_const(v))
                continue;
            const struct ir_const *c = ir_const_at(ir, v);
            if (c->kind == IR_C_INT || c->kind == IR_C_FLOAT) {
                add_word(w, c->lo);
                add_word(w, c->lo + (c->kind == IR_C_INT));
                add_word(w, c->lo - (c->kind == IR_C_INT));
            } else if (c->kind == IR_C_FUNCTION) {
                add_constants(w, ir->fns.at[c->index], seen);
            }
        }
}

static void add_special(struct fuzzer *w)
{
    static const uint64_t special[] = {
        0,           1,          UINT64_MAX, 2,
        3,           4,          5,          7,
        8,           10,         16,         31,
        32,          63,         64,         100,
        127,         128,        255,        256,
        1000,        32767,      65535,      INT32_MAX,
        0x80000000u, UINT32_MAX, INT64_MAX,  (uint64_t)INT64_MIN,
        ' ',         '0',        '9',        'a',
        'z',         'A',        'Z',        '-',
        '+',         '.',        ',',        '(',
        ')',         '"',        '\n',       '\\',
        '/',         '%',        '=',        '_'};
    for (size_t i = 0; i < sizeof special / sizeof *special; i++)
        add_word(w, special[i]);
}

// ---- one run
// ----------------------------------------------------------------------

static void on_trap(void *user, uint32_t hit)
{
    (void)user;
    here->trap = hit;
    if (in_call)
        siglongjmp(back, TRAPPED);
}

static void note_pair(uint64_t a, uint64_t b)
{
    here->steps++;
    if (here->n_pairs < PAIRS)
        here->pairs[here->n_pairs++] = (struct pair){a, b};
}

static void on_compare(void *user, uint32_t site, uint32_t op, uint32_t bits,
                       uint64_t a, uint64_t b)
{
    (void)user, (void)site, (void)op, (void)bits;
    note_pair(a, b);
}

static void on_floats(void *user, uint32_t site, uint32_t mask, double a,
                      double b)
{
    uint64_t x, y;
    (void)user, (void)site, (void)mask;
    memcpy(&x, &a, 8);
    memcpy(&y, &b, 8);
    note_pair(x, y);
}

static void on_cases(void *user, uint32_t site, uint32_t bits, uint64_t v,
                     const uint64_t *cases, uint32_t n)
{
    (void)user, (void)site, (void)bits;
    for (uint32_t i = 0; i < n; i++)
        note_pair(v, cases[i]);
    here->steps -= n ? n - 1 : 0;
}

static void on_signal(int s)
{
    if (!in_call)
        _exit(EXIT_FAILURE);
    siglongjmp(back, s == SIGABRT ? STOPPED : BROKEN);
}

static void on_tick(int s)
{
    (void)s;
    if (in_call && ++ticks >= LATE_TICKS)
        siglongjmp(back, LATE);
}

static void on_exit_(int status)
{
    (void)status;
    siglongjmp(back, STOPPED);
}

static void put(char *to, const struct shape_cell *c, uint64_t v)
{
    if (!c->bits) {
        memcpy(to, &v, c->bytes < 8 ? c->bytes : 8);
        return;
    }
    u128 all = 0, mask = (((u128)1 << c->bits) - 1) << c->bit;
    memcpy(&all, to, c->bytes);
    all = (all & ~mask) | (((u128)v << c->bit) & mask);
    memcpy(to, &all, c->bytes);
}

// Numbers first: in a union a pointer that is not null lies over them.
static void apply(struct fuzzer *w, const uint64_t *values)
{
    uint32_t n = w->shape.cells.n;
    for (uint32_t k = 0; k < 2 * n; k++) {
        uint32_t i = k % n;
        const struct shape_cell *c = &w->shape.cells.at[i];
        if ((c->kind == CALL_POINTER) != (k >= n) ||
            (c->kind == CALL_POINTER && c->in_union && !values[i]))
            continue;
        char *to = w->layout.at[c->object] + c->offset;
        uint64_t v = values[i];
        if (c->kind == CALL_POINTER && v) {
            const struct input_link *l = &w->shape.links.at[c->links + v - 1];
            v = l->fn != IR_NOTHING
                    ? runner_address(w->p, l->fn)
                    : (uint64_t)(uintptr_t)w->layout.at[l->object];
        }
        put(to, c, v);
    }
}

static enum ending run(struct fuzzer *w, const uint64_t *values)
{
    runner_reset(w->p);
    apply(w, values);
    memset(w->map, 0, w->s->ir->n_hits);
    memset(w->result, 0, w->result_size);
    w->steps = 0;
    w->n_pairs = 0;
    w->trap = IR_NOTHING;
    ticks = 0;
    w->runs++;
    int how = sigsetjmp(back, 0);
    if (how == 0) {
        in_call = 1;
        if (w->pre && !runner_allows(w->p, w->pre, &w->shape.all, &w->layout)) {
            in_call = 0;
            return BROKEN;
        }
        if (w->pre)
            memset(w->map, 0, w->s->ir->n_hits);
        w->steps = 0;
        w->n_pairs = 0;
        w->call(w->layout.params, w->result);
    }
    in_call = 0;
    runner_forget(w->p);
    w->late += how == LATE;
    return (enum ending)how;
}

// ---- keeping
// ----------------------------------------------------------------------

// Two pointers to one object are harder to read than two objects.
static uint64_t aliases(const struct fuzzer *w, const uint64_t *values,
                        uint32_t cell)
{
    const struct shape_cell *c = &w->shape.cells.at[cell];
    uint32_t to = w->shape.links.at[c->links + values[cell] - 1].object;
    uint64_t n = 0;
    for (uint32_t i = 0; i < cell && i < 64; i++) {
        const struct shape_cell *d = &w->shape.cells.at[i];
        if (d->kind == CALL_POINTER && values[i])
            n += w->shape.links.at[d->links + values[i] - 1].object == to;
    }
    return 8 * n;
}

static uint64_t weight_of(const struct fuzzer *w, const uint64_t *values)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < w->shape.cells.n; i++) {
        const struct shape_cell *c = &w->shape.cells.at[i];
        uint64_t v = values[i], mask = c->bytes < 8
                                           ? (UINT64_C(1) << 8 * c->bytes) - 1
                                           : UINT64_MAX;
        uint64_t minus = (~v + 1) & mask;
        v &= mask;
        if (c->kind == CALL_POINTER) {
            sum += v ? 2 + aliases(w, values, i) : 0;
            continue;
        }
        for (v = v < minus ? v : minus; v; v >>= 1)
            sum++;
    }
    return sum;
}

static void keep(struct fuzzer *w, struct best *b, const uint64_t *values,
                 uint64_t weight, enum ending end)
{
    size_t n = w->shape.cells.n * sizeof *values;
    if (!b->values)
        b->values = arena_get(w->a, n + 8);
    memcpy(b->values, values, n);
    b->steps = w->steps;
    b->weight = weight;
    b->end = end;
    b->trap = w->trap;
}

static bool is_better(const struct fuzzer *w, const struct best *b,
                      uint64_t weight)
{
    return !b->values || w->steps < b->steps ||
           (w->steps == b->steps && weight < b->weight);
}

static bool look_at_trap(struct fuzzer *w, const uint64_t *values,
                         uint64_t weight)
{
    for (uint32_t i = 0; i < w->of_trap.n; i++)
        if (w->of_trap.at[i].trap == w->trap) {
            if (is_better(w, &w->of_trap.at[i], weight))
                keep(w, &w->of_trap.at[i], values, weight, TRAPPED);
            return false;
        }
    struct best none = {0};
    vec_push(&w->of_trap, none);
    keep(w, &vec_last(&w->of_trap), values, weight, TRAPPED);
    return true;
}

// Is there anything new in this run?
static bool look(struct fuzzer *w, const uint64_t *values, enum ending end)
{
    bool new = false;
    if (end == LATE || end == BROKEN)
        return false;
    uint64_t weight = weight_of(w, values);
    if (end == TRAPPED)
        return look_at_trap(w, values, weight);
    struct best *best = end == RETURNED ? w->of_side : w->of_end;
    for (uint32_t i = 0; i < w->sides->at.n; i++) {
        if (!w->map[w->sides->at.at[i].hit] || !is_better(w, &best[i], weight))
            continue;
        new |= !best[i].values;
        keep(w, &best[i], values, weight, end);
    }
    return new;
}

static void add_to_corpus(struct fuzzer *w, const uint64_t *values)
{
    size_t n = w->shape.cells.n * sizeof *values;
    if (w->corpus.n < 4096)
        vec_push(&w->corpus, arena_copy(w->a, values, n + 8));
}

// ---- changing
// ---------------------------------------------------------------------

static uint64_t number(struct fuzzer *w, const struct shape_cell *c)
{
    switch (rng_below(&w->rng, 6)) {
    case 0:
        return rng_next(&w->rng);
    case 1:
        return rng_below(&w->rng, 16);
    case 2:
        return c->bytes == 1 ? ' ' + rng_below(&w->rng, 95)
                             : rng_below(&w->rng, 256);
    default:
        return w->words[rng_below(&w->rng, w->n_words)];
    }
}

static uint64_t real(struct fuzzer *w, const struct shape_cell *c)
{
    static const double some[] = {0,   1,    -1,     2,         0.5,   -0.5,
                                  10,  100,  1e-3,   1e10,      -1e10, 1e300,
                                  3.5, -0.0, 1e-300, 1e308 * 10};
    double d = rng_below(&w->rng, 2)
                   ? some[rng_below(&w->rng, sizeof some / sizeof *some)]
                   : (double)(int64_t)number(w, c);
    uint64_t v = w->words[rng_below(&w->rng, w->n_words)];
    if (rng_below(&w->rng, 4) == 0)
        return v;
    if (c->bytes == 4) {
        float f = (float)d;
        v = 0;
        memcpy(&v, &f, 4);
    } else {
        memcpy(&v, &d, 8);
    }
    return v;
}

static uint64_t any_value(struct fuzzer *w, const struct shape_cell *c)
{
    switch (c->kind) {
    case CALL_POINTER:
        return rng_below(&w->rng, c->n_links + 1);
    case CALL_FLOAT:
    case CALL_DOUBLE:
    case CALL_LONG_DOUBLE:
        return real(w, c);
    case CALL_SIGNED:
    case CALL_UNSIGNED:
    case CALL_TEXT:
    case CALL_KINDS_N:
        break;
    }
    uint64_t v = number(w, c);
    if (spell_bare(w->s->ir, c->type)->kind == IR_D_BOOL)
        v &= 1;
    return v;
}

// A cell whose value was compared with another gets that one.
static bool follow_comparison(struct fuzzer *w, uint64_t *values,
                              const struct pair *pairs, uint32_t n)
{
    if (!n)
        return false;
    struct pair p = pairs[rng_below(&w->rng, n)];
    if (rng_below(&w->rng, 2))
        p = (struct pair){p.b, p.a};
    uint32_t from = rng_below(&w->rng, w->shape.cells.n);
    for (uint32_t k = 0; k < w->shape.cells.n; k++) {
        uint32_t i = (from + k) % w->shape.cells.n;
        const struct shape_cell *c = &w->shape.cells.at[i];
        uint64_t mask =
            c->bytes < 8 ? (UINT64_C(1) << 8 * c->bytes) - 1 : UINT64_MAX;
        if (c->kind == CALL_POINTER || ((values[i] ^ p.a) & mask))
            continue;
        values[i] = p.b + rng_below(&w->rng, 3) - 1;
        return true;
    }
    return false;
}

static void change(struct fuzzer *w, uint64_t *values)
{
    uint32_t n = w->shape.cells.n, i = rng_below(&w->rng, n);
    const struct shape_cell *c = &w->shape.cells.at[i];
    uint32_t k = rng_below(&w->rng, n);
    switch (rng_below(&w->rng, 8)) {
    case 0:
        if (c->kind != CALL_POINTER)
            values[i] += rng_below(&w->rng, 5) - 2u;
        return;
    case 1:
        if (c->kind == w->shape.cells.at[k].kind && c->kind != CALL_POINTER)
            values[i] = values[k];
        return;
    case 2:
        if (c->kind != CALL_POINTER)
            values[i] ^= UINT64_C(1) << rng_below(&w->rng, 8 * c->bytes);
        return;
    default:
        values[i] = any_value(w, c);
    }
}

// Small functions have few cells, and parameters matter most.
static void change_some(struct fuzzer *w, uint64_t *values,
                        const struct pair *pairs, uint32_t n_pairs)
{
    if (rng_below(&w->rng, 3) == 0 &&
        follow_comparison(w, values, pairs, n_pairs) && rng_below(&w->rng, 2))
        return;
    for (uint32_t n = 1 + rng_below(&w->rng, 6); n--;)
        change(w, values);
}

// Every side was taken, and there was time to find simpler ways.
static bool is_done(const struct fuzzer *w, double from)
{
    if (w->runs % 256)
        return false;
    for (uint32_t i = 0; i < w->sides->at.n; i++)
        if (!w->of_side[i].values && !w->of_end[i].values)
            return false;
    return clock_now() > from + ENOUGH;
}

static void search(struct fuzzer *w)
{
    uint32_t n = w->shape.cells.n;
    uint64_t *values = arena_zero(w->a, (n + 1ul) * sizeof *values);
    struct pair pairs[PAIRS];
    uint32_t n_pairs = 0;
    double from_ = clock_now(), end = from_ + w->o->seconds;
    look(w, values, run(w, values));
    add_to_corpus(w, values);
    while (n && !is_done(w, from_)) {
        if (w->o->most && w->runs >= w->o->most)
            break;
        if (w->runs % 256 == 0 && clock_now() > end)
            break;
        const uint64_t *from = w->corpus.at[rng_below(&w->rng, w->corpus.n)];
        memcpy(values, from, n * sizeof *values);
        if (w->runs % 16 == 0) { // what does this one compare?
            run(w, values);
            memcpy(pairs, w->pairs, sizeof pairs);
            n_pairs = w->n_pairs;
        }
        change_some(w, values, pairs, n_pairs);
        if (look(w, values, run(w, values)))
            add_to_corpus(w, values);
    }
}

// ---- making plain
// -----------------------------------------------------------------

struct print { // what a run must have in common with another
    enum ending end;
    uint32_t trap;
    uint8_t *sides;
};

static void take_print(struct fuzzer *w, enum ending end, struct print *p)
{
    p->end = end;
    p->trap = w->trap;
    for (uint32_t i = 0; i < w->sides->at.n; i++)
        p->sides[i] = w->map[w->sides->at.at[i].hit] != 0;
}

static bool same_print(struct fuzzer *w, enum ending end, const struct print *p)
{
    if (end != p->end || w->trap != p->trap)
        return false;
    for (uint32_t i = 0; i < w->sides->at.n; i++)
        if (p->sides[i] != (w->map[w->sides->at.at[i].hit] != 0))
            return false;
    return true;
}

static bool is_plain_better(const struct fuzzer *w, uint64_t *v, uint32_t i,
                            uint64_t to)
{
    uint64_t was = v[i], a, b;
    a = weight_of(w, v);
    v[i] = to;
    b = weight_of(w, v);
    v[i] = was;
    return b < a;
}

static void simplify_cell(struct fuzzer *w, struct best *b, uint32_t i,
                          const struct print *p)
{
    static const uint64_t plain[] = {0, 1, UINT64_MAX, 2, 'a', '0', 3, 4, 5};
    uint64_t was = b->values[i];
    for (size_t k = 0; k < sizeof plain / sizeof *plain; k++) {
        const struct shape_cell *c = &w->shape.cells.at[i];
        uint64_t v = plain[k];
        if (c->kind == CALL_POINTER && v > c->n_links)
            continue;
        if (v == was || !is_plain_better(w, b->values, i, v))
            continue;
        b->values[i] = v;
        if (same_print(w, run(w, b->values), p) && w->steps <= b->steps) {
            b->steps = w->steps;
            return;
        }
        b->values[i] = was;
    }
    for (uint64_t v = was / 2; v > 5 && v < INT64_MAX; v /= 2) {
        if (w->shape.cells.at[i].kind == CALL_POINTER)
            break;
        b->values[i] = v;
        if (!same_print(w, run(w, b->values), p) || w->steps > b->steps)
            break;
        was = v;
    }
    b->values[i] = was;
}

static void simplify(struct fuzzer *w, struct best *b, struct print *p)
{
    take_print(w, run(w, b->values), p);
    for (int round = 0; round < 2; round++)
        for (uint32_t i = 0; i < w->shape.cells.n; i++)
            if (b->values[i])
                simplify_cell(w, b, i, p);
    b->weight = weight_of(w, b->values);
    take_print(w, run(w, b->values), p);
}

// A cell matters if another value there changes anything.
static void find_matters(struct fuzzer *w, struct best *b,
                         const struct print *p, bool *matters)
{
    char *result = arena_copy(w->a, w->result, w->result_size + 1);
    enum ending end = run(w, b->values);
    memcpy(result, w->result, w->result_size);
    for (uint32_t i = 0; i < w->shape.cells.n; i++) {
        const struct shape_cell *c = &w->shape.cells.at[i];
        uint64_t was = b->values[i];
        matters[i] = was != 0;
        if (c->kind == CALL_POINTER && !was && !c->n_links)
            continue;
        for (uint64_t k = 1; k <= 2 && !matters[i]; k++) {
            b->values[i] = was ^ k;
            if (c->kind == CALL_POINTER && b->values[i] > c->n_links)
                continue;
            matters[i] = !same_print(w, run(w, b->values), p) ||
                         memcmp(result, w->result, w->result_size) != 0;
        }
        b->values[i] = was;
    }
    (void)end;
}

// ---- answering
// --------------------------------------------------------------------

static void put_found(struct fuzzer *w, struct text *t, const struct best *b,
                      const struct print *p, const bool *matters)
{
    struct input in;
    shape_input(&w->shape, w->a, b->values, matters, &in);
    wire_put64(t, b->steps);
    wire_put64(t, b->weight);
    wire_put32(t, p->end == RETURNED);
    wire_put32(t, p->end == TRAPPED ? p->trap : IR_NOTHING);
    wire_put(t, p->sides, w->sides->at.n);
    input_send(&in, t);
    input_release(&in);
}

static int by_simplicity(const void *x, const void *y)
{
    const struct best *a = *(struct best *const *)x;
    const struct best *b = *(struct best *const *)y;
    if (a->steps != b->steps)
        return a->steps < b->steps ? -1 : 1;
    return a->weight < b->weight ? -1 : a->weight > b->weight;
}

// Simplest first; one that adds no side is left out.
static uint32_t choose(struct fuzzer *w, struct best **all, uint32_t n,
                       struct text *t)
{
    uint32_t n_sides = w->sides->at.n, kept = 0;
    uint8_t *seen = arena_zero(w->a, n_sides + 1ul);
    bool *matters = arena_zero(w->a, w->shape.cells.n + 1ul);
    struct print p = {.sides = arena_zero(w->a, n_sides + 1ul)};
    qsort(all, n, sizeof *all, by_simplicity);
    for (uint32_t i = 0; i < n; i++) {
        take_print(w, run(w, all[i]->values), &p);
        bool adds = p.end == TRAPPED || (!n_sides && !kept);
        for (uint32_t k = 0; k < n_sides; k++)
            adds |= p.sides[k] && !seen[k];
        if (!adds)
            continue;
        simplify(w, all[i], &p);
        find_matters(w, all[i], &p, matters);
        put_found(w, t, all[i], &p, matters);
        kept++;
        for (uint32_t k = 0; k < n_sides && p.end != TRAPPED; k++)
            seen[k] |= p.sides[k];
    }
    return kept;
}

static void answer(struct fuzzer *w, int fd)
{
    struct text t = {0}, found = {0};
    uint32_t n = 0, most = 2 * w->sides->at.n + w->of_trap.n + 1;
    struct best **all = arena_get(w->a, (most + 1ul) * sizeof *all);
    for (uint32_t i = 0; i < w->sides->at.n; i++) {
        if (w->of_side[i].values)
            all[n++] = &w->of_side[i];
        if (w->of_end[i].values)
            all[n++] = &w->of_end[i];
    }
    for (uint32_t i = 0; i < w->of_trap.n; i++)
        all[n++] = &w->of_trap.at[i];
    struct best first = {.values = arena_zero(w->a, (w->shape.cells.n + 1ul) *
                                                        sizeof(uint64_t))};
    if (!w->sides->at.n && !n)
        all[n++] = &first;
    uint32_t kept = choose(w, all, n, &found);
    wire_begin(&t, REPLY);
    wire_put64(&t, w->runs);
    wire_put64(&t, w->late);
    wire_put32(&t, kept);
    text_bytes(&t, text_get(&found), found.n);
    wire_send(fd, &t);
}

// ---- the child
// --------------------------------------------------------------------

static void catch_signals(void)
{
    static char stack[ALT_STACK];
    static const int fatal[] = {SIGSEGV, SIGBUS,  SIGFPE, SIGILL,
                                SIGABRT, SIGTRAP, SIGSYS};
    stack_t alt = {.ss_sp = stack, .ss_size = sizeof stack};
    struct sigaction sa = {.sa_handler = on_signal,
                           .sa_flags = SA_ONSTACK | SA_NODEFER};
    struct itimerval every = {{0, TICK_US}, {0, TICK_US}};
    struct rlimit none = {0, 0};
    setrlimit(RLIMIT_CORE, &none);
    sigaltstack(&alt, NULL);
    for (size_t i = 0; i < sizeof fatal / sizeof *fatal; i++)
        sigaction(fatal[i], &sa, NULL);
    sa.sa_handler = on_tick;
    sigaction(SIGVTALRM, &sa, NULL);
    setitimer(ITIMER_VIRTUAL, &every, NULL);
}

static void begin(struct fuzzer *w)
{
    static const struct hits_watcher watcher = {.trapped = on_trap,
                                                .compare = on_compare,
                                                .floats = on_floats,
                                                .cases = on_cases};
    const char *why;
    uint32_t n = w->sides->at.n;
    w->p = runner_load(w->s, 0);
    w->call = w->p ? runner_function(w->p, w->f) : NULL;
    if (w->call && w->o->pre != IR_NOTHING)
        w->pre = runner_function(w->p, w->s->ir->fns.at[w->o->pre]);
    if (!w->call || !shape_of(w->s, w->a, w->f, &w->shape, &why))
        _exit(EXIT_FAILURE);
    runner_on_exit(w->p, on_exit_);
    runner_lay_out(w->p, &w->shape.all, w->a, &w->layout);
    w->result_size = spell_bare(w->s->ir, w->f->types[0])->size;
    w->result = arena_zero(w->a, w->result_size + 16);
    w->map = hits_map();
    w->rng = rng_of(w->o->seed);
    w->of_side = arena_zero(w->a, (n + 1ul) * sizeof *w->of_side);
    w->of_end = arena_zero(w->a, (n + 1ul) * sizeof *w->of_end);
    add_special(w);
    add_constants(w, w->f, arena_zero(w->a, w->s->ir->fns.n + 1ul));
    hits_watch(&watcher);
}

static void fuzz_here(void *self, int fd)
{
    struct fuzzer *w = self;
    here = w;
    begin(w);
    catch_signals();
    search(w);
    answer(w, fd);
}

static void take(struct wire_reader *r, struct arena *a, uint32_t n_sides,
                 struct fuzz_result *out)
{
    out->runs = wire_get64(r);
    out->late = wire_get64(r);
    for (uint32_t n = wire_get32(r); n-- && !r->bad;) {
        struct fuzz_found f = {.steps = wire_get64(r)};
        f.weight = wire_get64(r);
        f.returned = wire_get32(r);
        f.trap = wire_get32(r);
        f.sides = arena_zero(a, n_sides + 1ul);
        wire_get(r, f.sides, n_sides);
        input_receive(r, a, &f.in);
        if (!r->bad)
            vec_push(&out->found, f);
    }
}

void fuzz(const struct unit_subject *s, struct arena *a, const struct ir_fn *f,
          const struct sides *sides, const struct fuzz_options *o,
          struct fuzz_result *out)
{
    struct fuzzer w = {.s = s, .f = f, .sides = sides, .o = o, .a = a};
    struct child_plan plan = {
        .body = fuzz_here, .self = &w, .signals = CHILD_DIES, .quiet = true};
    struct wire_in wire = {0};
    struct wire_message m;
    int status;
    memset(out, 0, sizeof *out);
    if (child_ask(&plan, 3 * o->seconds + 2, &wire, &m, &status) ==
        CHILD_ANSWERED)
        take(&m.body, a, sides->at.n, out);
    else
        out->died = true;
    wire_free(&wire);
}

void fuzz_free(struct fuzz_result *r)
{
    for (uint32_t i = 0; i < r->found.n; i++)
        input_release(&r->found.at[i].in);
    vec_free(&r->found);
}
