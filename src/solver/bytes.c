// Questions about a single byte: which of its 256 values satisfy a condition.
//
// A term that depends on one byte is a table of 256 values, computed from the
// tables of its arguments operation by operation.  Conditions of a loop over
// bytes share most of their parts, so tables are kept for a while; the masks
// of conditions, 32 bytes each, are kept for good.
#include "solver/query.h"

#include <assert.h>
#include <string.h>

enum { TABLES_MOST = 4096 };

// ---- tables -------------------------------------------------------------

static void forget_tables(struct solver *s)
{
    map_clear(&s->table_of);
    vec_clear(&s->tables);
}

// The table of a term, NULL: not made yet.  Valid until the next is made.
static struct byte_table *table_of(struct solver *s, term t)
{
    uint32_t at = map_get(&s->table_of, t);
    return at == MAP_NONE ? NULL : &s->tables.at[at];
}

#define EACH(expression)                                                       \
    for (unsigned v = 0; v < 256; v++)                                         \
    out->at[v] = (expression)&mask

// Operations worth a loop of their own; false: another one.
static bool quick(const struct node *n, struct byte_table *out,
                  const struct byte_table *x, const struct byte_table *y,
                  const struct byte_table *z, unsigned low)
{
    uint64_t mask = mask_of(n->bits);
    const uint64_t *a = x->at, *b = y ? y->at : NULL, *c = z ? z->at : NULL;
    switch (n->op) {
    case IR_ADD:
        EACH(a[v] + b[v]);
        return true;
    case IR_SUB:
        EACH(a[v] - b[v]);
        return true;
    case IR_MUL:
        EACH(a[v] * b[v]);
        return true;
    case IR_AND:
        EACH(a[v] & b[v]);
        return true;
    case IR_OR:
        EACH(a[v] | b[v]);
        return true;
    case IR_XOR:
        EACH(a[v] ^ b[v]);
        return true;
    case IR_EQ:
        EACH((uint64_t)(a[v] == b[v]));
        return true;
    case IR_ULT:
        EACH((uint64_t)(a[v] < b[v]));
        return true;
    case TERM_SLICE:
        EACH(a[v] >> n->sub);
        return true;
    case TERM_CONCAT:
        EACH(a[v] << low | b[v]);
        return true;
    case IR_SELECT:
        EACH(a[v] ? b[v] : c[v]);
        return true;
    default:
        return false;
    }
}

static void slowly(const struct solver *s, const struct node *n,
                   struct byte_table *out, struct byte_table *const *args)
{
    uint8_t bits[3] = {0};
    u128 values[3] = {0};
    for (uint32_t i = 0; i < n_args(n); i++)
        bits[i] = (uint8_t)bits_of(s->ts, arg_of(n, i));
    for (unsigned v = 0; v < 256; v++) {
        for (uint32_t i = 0; i < n_args(n); i++)
            values[i] = args[i]->at[v];
        out->at[v] = (uint64_t)node_value(n, bits, values);
    }
}

static void make_table(struct solver *s, term t)
{
    const struct node *n = node_of(s->ts, t);
    struct byte_table *args[3] = {NULL}, *out;
    vec_room(&s->tables, 1);
    out = &s->tables.at[s->tables.n];
    for (uint32_t i = 0; i < n_args(n); i++)
        args[i] = table_of(s, arg_of(n, i));
    unsigned low = n->op == TERM_CONCAT ? bits_of(s->ts, n->b) : 0;
    for (unsigned v = 0; v < 256 && n_args(n) == 0; v++)
        out->at[v] = n->op == TERM_VAR ? v & mask_of(n->bits)
                                       : (uint64_t)value_of(s->ts, t);
    if (n_args(n) && !quick(n, out, args[0], args[1], args[2], low))
        slowly(s, n, out, args);
    map_put(&s->table_of, t, s->tables.n++);
}

// Make the tables of c and of all its parts.  False: a part is too wide.
static bool make_tables(struct solver *s, term c)
{
    struct terms *ts = s->ts;
    uint32_t base = ts->stack.n;
    bool ok = true;
    if (s->tables.n > TABLES_MOST)
        forget_tables(s);
    vec_push(&ts->stack, c);
    while (ts->stack.n > base && ok) {
        term top = vec_last(&ts->stack);
        const struct node *n = node_of(ts, top);
        uint32_t before = ts->stack.n;
        ok = n->bits <= 64;
        for (uint32_t i = 0; i < n_args(n) && !table_of(s, top); i++)
            if (!table_of(s, arg_of(n, i)))
                vec_push(&ts->stack, arg_of(n, i));
        if (ts->stack.n > before || !ok)
            continue;
        if (!table_of(s, top))
            make_table(s, top);
        ts->stack.n--;
    }
    ts->stack.n = base;
    return ok;
}

// ---- masks --------------------------------------------------------------

// By evaluation, for conditions with parts of more than 64 bits.
static struct byte_mask evaluated(struct solver *s, term c, uint32_t var)
{
    struct byte_mask k = {{0}};
    struct model *m = model_new(s->ts);
    for (unsigned v = 0; v < 256; v++) {
        model_set(m, var, v);
        if (term_try(s->ts, c, m))
            k.at[v / 64] |= (uint64_t)1 << v % 64;
    }
    model_free(m);
    return k;
}

static struct byte_mask make_mask(struct solver *s, term c, uint32_t var)
{
    struct byte_mask k = {{0}};
    if (!make_tables(s, c))
        return evaluated(s, c, var);
    const struct byte_table *t = table_of(s, c);
    for (unsigned v = 0; v < 256; v++)
        k.at[v / 64] |= t->at[v] << v % 64;
    return k;
}

struct byte_mask byte_mask(struct solver *s, term c, uint32_t var)
{
    uint32_t at = map_get(&s->masks_of, c);
    if (at != MAP_NONE)
        return s->masks.at[at];
    struct byte_mask k = make_mask(s, c, var);
    map_put(&s->masks_of, c, s->masks.n);
    vec_push(&s->masks, k);
    return k;
}

// ---- the step -----------------------------------------------------------

enum solver_answer step_bytes(struct solver *s, struct model **m)
{
    const struct query *q = &s->query;
    if (q->vars.n != 1)
        return SOLVER_UNKNOWN;
    uint32_t var = q->vars.at[0];
    if (bits_of(s->ts, s->ts->vars.at[var].self) > 8)
        return SOLVER_UNKNOWN;
    struct byte_mask all = {{UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX}};
    for (uint32_t i = 0; i < q->conditions.n; i++) {
        struct byte_mask k = byte_mask(s, q->conditions.at[i], var);
        for (unsigned w = 0; w < 4; w++)
            all.at[w] &= k.at[w];
    }
    for (unsigned w = 0; w < 4; w++) {
        if (!all.at[w])
            continue;
        u128 v = w * 64 + (unsigned)__builtin_ctzll(all.at[w]);
        *m = query_model(s, &v);
        return *m ? SOLVER_SAT : SOLVER_UNKNOWN;
    }
    return SOLVER_UNSAT;
}
