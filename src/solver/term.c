// The store of terms: nodes in an array, found again by a hash table.
#include "solver/store.h"

#include "base/debug.h"
#include "base/die.h"
#include "base/number.h"

#include <assert.h>
#include <stdlib.h>

// ---- the table ----------------------------------------------------------

static uint32_t *new_table(uint32_t n)
{
    uint32_t *t = need_zero(n * sizeof *t);
    return t;
}

struct terms *terms_new(void)
{
    struct terms *ts = need_zero(sizeof *ts);
    ts->mask = 1023;
    ts->table = new_table(ts->mask + 1);
    vec_push(&ts->nodes, (struct node){0}); // TERM_NONE
    vec_push(&ts->known, (struct known){0});
    vec_push(&ts->wide, 0);
    vec_push(&ts->var_lists, (struct term_vars){0});
    for (unsigned i = 0; i < VALUES_N; i++)
        ts->values[i].epoch = 1;
    return ts;
}

void terms_free(struct terms *ts)
{
    if (!ts)
        return;
    vec_free(&ts->nodes);
    vec_free(&ts->known);
    vec_free(&ts->wide);
    vec_free(&ts->vars);
    vec_free(&ts->var_lists);
    vec_free(&ts->met);
    vec_free(&ts->stack);
    vec_free(&ts->vars_of);
    for (unsigned i = 0; i < VALUES_N; i++) {
        vec_free(&ts->values[i].at);
        vec_free(&ts->values[i].when);
    }
    arena_free(&ts->arena);
    free(ts->table);
    free(ts);
}

static uint32_t hash_node(const struct node *n)
{
    uint64_t head = (uint64_t)n->op | (uint64_t)n->sub << 8 |
                    (uint64_t)n->bits << 16 | (uint64_t)n->a << 32;
    uint64_t tail = (uint64_t)n->c << 32 | n->b;
    uint64_t h = head * 0x9e3779b97f4a7c15u ^ tail * 0xc2b2ae3d27d4eb4fu;
    h ^= h >> 29;
    h *= 0xbf58476d1ce4e5b9u;
    return (uint32_t)(h >> 32);
}

static bool same_node(const struct node *a, const struct node *b)
{
    return a->op == b->op && a->sub == b->sub && a->bits == b->bits &&
           a->a == b->a && a->b == b->b && a->c == b->c;
}

static void grow(struct terms *ts)
{
    uint32_t size = (ts->mask + 1) * 2;
    assert(size > ts->mask);
    free(ts->table);
    ts->table = new_table(size);
    ts->mask = size - 1;
    for (term t = 1; t < ts->nodes.n; t++) {
        uint32_t at = hash_node(node_of(ts, t)) & ts->mask;
        while (ts->table[at])
            at = (at + 1) & ts->mask;
        ts->table[at] = t;
    }
}

// The place of a node in the table: of its term, or free.
static uint32_t place(const struct terms *ts, const struct node *n)
{
    uint32_t at = hash_node(n) & ts->mask;
    while (ts->table[at] && !same_node(node_of(ts, ts->table[at]), n))
        at = (at + 1) & ts->mask;
    return at;
}

static term put(struct terms *ts, const struct node *n, const struct known *k,
                uint32_t at)
{
    term t = ts->nodes.n;
    vec_push(&ts->nodes, *n);
    vec_push(&ts->known, *k);
    ts->table[at] = t;
    if (ts->nodes.n > (ts->mask + 1) / 2)
        grow(ts);
    debug_check_some(t, t, terms_check(ts));
    return t;
}

void terms_check(const struct terms *ts)
{
    assert(ts->nodes.n == ts->known.n && ts->nodes.n <= ts->mask);
    for (term t = 1; t < ts->nodes.n; t++) {
        const struct node *n = node_of(ts, t);
        const struct known *k = &ts->known.at[t];
        assert(ts->table[place(ts, n)] == t);
        assert(n->bits >= 1 && n->bits <= 128);
        for (uint32_t i = 0; i < n_args(n); i++)
            assert(arg_of(n, i) < t);
        assert(k->lo <= k->hi && !(k->zeros & k->ones));
        assert(n->bits > 64 || k->hi <= mask_of(n->bits));
    }
}

static uint8_t has_of(const struct terms *ts, const struct node *n)
{
    uint8_t has = 0;
    for (uint32_t i = 0; i < n_args(n); i++)
        has |= node_of(ts, arg_of(n, i))->has;
    if ((n->op >= IR_FADD && n->op <= IR_FCMP) ||
        (n->op >= IR_FPTOUI && n->op <= IR_FPCONV) ||
        (n->op == IR_MATH && (n->sub <= IR_M_COS || n->sub == IR_M_FPCLASS)))
        has |= TERM_HAS_FLOAT;
    if (n->op >= IR_UDIV && n->op <= IR_SREM)
        has |= TERM_HAS_DIVISION;
    if (n->op >= IR_MUL && n->op <= IR_SREM && !is_const(ts, n->b))
        has |= TERM_HAS_PRODUCT;
    return has;
}

term term_intern(struct terms *ts, struct node n)
{
    uint32_t at = place(ts, &n);
    if (ts->table[at])
        return ts->table[at];
    struct known k = known_of(ts, &n);
    if (k.lo == k.hi && n.bits <= 64)
        return term_const(ts, n.bits, k.lo);
    n.has = has_of(ts, &n);
    return put(ts, &n, &k, at);
}

// ---- constants and variables --------------------------------------------

// The place of the high half of a constant in `wide`.
static uint32_t wide_of(struct terms *ts, uint64_t high)
{
    for (uint32_t i = 1; i < ts->wide.n; i++)
        if (ts->wide.at[i] == high)
            return i;
    vec_push(&ts->wide, high);
    return ts->wide.n - 1;
}

term term_const(struct terms *ts, unsigned bits, u128 value)
{
    assert(bits >= 1 && bits <= 128);
    value = ir_cut(value, bits);
    uint64_t high = (uint64_t)(value >> 64);
    struct node n = {.op = TERM_CONST,
                     .bits = (uint8_t)bits,
                     .a = (uint32_t)value,
                     .b = (uint32_t)(value >> 32),
                     .c = high ? wide_of(ts, high) : 0};
    uint32_t at = place(ts, &n);
    if (ts->table[at])
        return ts->table[at];
    struct known k = known_const(bits, value);
    return put(ts, &n, &k, at);
}

term term_bool(struct terms *ts, bool value)
{
    return term_const(ts, 1, value);
}

term term_double(struct terms *ts, double value)
{
    return term_const(ts, 64, double_bits(value));
}

term term_var(struct terms *ts, const char *name, unsigned bits,
              enum term_kind kind)
{
    assert(bits >= 1 && bits <= 128);
    struct node n = {
        .op = TERM_VAR, .bits = (uint8_t)bits, .a = ts->vars.n, .b = 0};
    struct known k = {0, mask_of(bits), 0, 0};
    if (bits < 64)
        k.zeros = ~mask_of(bits);
    term t = put(ts, &n, &k, place(ts, &n));
    struct var v = {arena_text(&ts->arena, name), t, kind};
    vec_push(&ts->vars, v);
    return t;
}

// ---- looking at one -----------------------------------------------------

uint32_t terms_count(const struct terms *ts)
{
    return ts->nodes.n - 1;
}

uint32_t terms_variables(const struct terms *ts)
{
    return ts->vars.n;
}

uint8_t term_op(const struct terms *ts, term t)
{
    return node_of(ts, t)->op;
}

unsigned term_bits(const struct terms *ts, term t)
{
    return node_of(ts, t)->bits;
}

uint32_t term_n_args(const struct terms *ts, term t)
{
    return n_args(node_of(ts, t));
}

term term_arg(const struct terms *ts, term t, uint32_t i)
{
    assert(i < n_args(node_of(ts, t)));
    return arg_of(node_of(ts, t), i);
}

uint8_t term_sub(const struct terms *ts, term t)
{
    return node_of(ts, t)->sub;
}

unsigned term_low(const struct terms *ts, term t)
{
    assert(is_op(ts, t, TERM_SLICE));
    return node_of(ts, t)->sub;
}

bool term_is_const(const struct terms *ts, term t)
{
    return is_const(ts, t);
}

bool term_is(const struct terms *ts, term t, u128 value)
{
    return is_const(ts, t) && value_of(ts, t) == value;
}

u128 term_value(const struct terms *ts, term t)
{
    assert(is_const(ts, t));
    return value_of(ts, t);
}

bool term_is_true(const struct terms *ts, term t)
{
    assert(bits_of(ts, t) == 1);
    return term_is(ts, t, 1);
}

bool term_is_false(const struct terms *ts, term t)
{
    assert(bits_of(ts, t) == 1);
    return term_is(ts, t, 0);
}

uint32_t term_var_index(const struct terms *ts, term var)
{
    assert(is_op(ts, var, TERM_VAR));
    return node_of(ts, var)->a;
}

term term_of_var(const struct terms *ts, uint32_t index)
{
    assert(index < ts->vars.n);
    return ts->vars.at[index].self;
}

const char *term_var_name(const struct terms *ts, uint32_t index)
{
    assert(index < ts->vars.n);
    return ts->vars.at[index].name;
}

enum term_kind term_var_kind(const struct terms *ts, uint32_t index)
{
    assert(index < ts->vars.n);
    return ts->vars.at[index].kind;
}

uint8_t term_has(const struct terms *ts, term t)
{
    return node_of(ts, t)->has;
}

struct term_range term_range(const struct terms *ts, term t)
{
    const struct known *k = &ts->known.at[t];
    return (struct term_range){k->lo, k->hi};
}

uint64_t term_zeros(const struct terms *ts, term t)
{
    return ts->known.at[t].zeros;
}

uint64_t term_ones(const struct terms *ts, term t)
{
    return ts->known.at[t].ones;
}
