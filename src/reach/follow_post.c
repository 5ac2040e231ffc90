// A post as the program sees it: the leaves of its message are variables, the
// bytes between them are as the input has them.
#include "reach/follow_post.h"

#include "program/values.h"

#include <string.h>

term follow_variable(struct follow *f, struct follow_var v, unsigned bits,
                     enum term_kind kind, uint64_t value)
{
    uint32_t which = v.leaf ? v.leaf->offset << 8 | v.leaf->bit : v.offset;
    uint64_t key = (uint64_t)v.kind << 60 | (uint64_t)v.n << 32 | which;
    uint32_t known = map_get(&f->var_at, key);
    if (known != MAP_NONE)
        return f->vars.at[known].var;
    static const char *const names[] = {[VAR_LEAF] = "field",
                                        [VAR_BYTE] = "char",
                                        [VAR_PARAMETER] = "param",
                                        [VAR_PICK] = "pick"};
    const char *name =
        v.kind == VAR_PARAMETER
            ? f->model->params.at[v.n]
            : arena_format(&f->arena, "%s%u_%u", names[v.kind], v.n,
                           v.leaf ? v.leaf->offset : v.offset);
    v.var = sx_variable(f->run, name, bits, kind, value);
    map_put(&f->var_at, key, f->vars.n);
    vec_push(&f->vars, v);
    return v.var;
}

// ---- one message ------------------------------------------------------------

struct posting {
    struct follow *f;
    const struct gene *g;
    uint32_t gene;
    const struct model_msg *msg;
    // Where bytes of the gene lie: in the message, or in a block of its own.
    const struct leaf *block;
    term object, block_object;
    bool known[MODEL_BYTES]; // written as a variable
};

static void put(struct posting *p, uint32_t offset, term value)
{
    uint32_t n = term_bits(p->f->ts, value) / 8;
    for (uint32_t i = 0; i < n && offset + i < MODEL_BYTES; i++)
        p->known[offset + i] = true;
    if (p->block && offset >= p->block->to)
        sx_put(p->f->run, p->block_object, offset - p->block->to, value);
    else if (offset + n <= p->msg->size)
        sx_put(p->f->run, p->object, offset, value);
}

static void put_number(struct posting *p, const struct leaf *l)
{
    struct terms *ts = p->f->ts;
    term v = follow_variable(
        p->f, (struct follow_var){VAR_LEAF, .n = p->gene, .leaf = l},
        l->size * 8, l->kind == LEAF_FLOAT ? TERM_FLOAT : TERM_INT,
        leaf_get(l, p->g->bytes));
    if (l->kind == LEAF_BOOL)
        sx_suppose(p->f->run,
                   term_binary(ts, IR_ULT, v, term_const(ts, l->size * 8, 2)));
    put(p, l->offset, v);
}

static void put_bytes(struct posting *p, uint32_t from, uint32_t n,
                      enum term_kind kind)
{
    for (uint32_t at = from; at < from + n; at++)
        put(p, at,
            follow_variable(
                p->f, (struct follow_var){VAR_BYTE, .n = p->gene, .offset = at},
                8, kind, p->g->bytes[at]));
}

// Bytes that several leaves are about are variables one by one.
static void put_shared(struct posting *p, const struct leaf *l)
{
    uint32_t n = l->bits ? (l->bit + l->bits + 7) / 8 : l->size;
    for (uint32_t i = 0; i < n; i++)
        if (!p->known[l->offset + i])
            put_bytes(p, l->offset + i, 1, TERM_INT);
}

// A number that stands for NULL or one of the receptionists, as the runner
// reads it.
static void put_ref(struct posting *p, const struct leaf *l)
{
    struct follow *f = p->f;
    struct terms *ts = f->ts;
    const struct run_options *o = runner_options(f->runner);
    term fits[POOL_NAMES + 1];
    uint32_t n = 0;
    for (uint32_t i = 0; i < o->pool->n_names; i++) {
        uint32_t id = runner_actor(f->runner, i);
        if (id && (l->cls == IR_NOTHING || o->pool->names[i].cls == l->cls))
            fits[++n] = follow_ref(f, id);
    }
    fits[0] = term_const(ts, 64, 0);
    uint64_t now = leaf_get(l, p->g->bytes) % (n + 1);
    term v = follow_variable(
        f, (struct follow_var){VAR_LEAF, .n = p->gene, .leaf = l}, 8, TERM_INT,
        now);
    sx_suppose(f->run, term_binary(ts, IR_ULT, v, term_const(ts, 8, n + 1)));
    term all = fits[n];
    for (uint32_t i = n; i-- > 0;)
        all = term_ite(ts, term_eq(ts, v, term_const(ts, 8, i)), fits[i], all);
    put(p, l->offset, all);
}

// NULL, or a block of the message's own.
static void put_block(struct posting *p, const struct leaf *l)
{
    struct terms *ts = p->f->ts;
    term v = follow_variable(
        p->f, (struct follow_var){VAR_LEAF, .n = p->gene, .leaf = l}, 8,
        TERM_INT, leaf_get(l, p->g->bytes) & 1);
    sx_suppose(p->f->run, term_binary(ts, IR_ULT, v, term_const(ts, 8, 2)));
    term object = sx_object(p->f->run, VALUES_BLOCK);
    put(p, l->offset,
        term_ite(ts, term_eq(ts, v, term_const(ts, 8, 1)), object,
                 term_const(ts, 64, 0)));
    p->block = l;
    p->block_object = object;
}

// Bit by bit: fields share bytes, and slices that fit together become one.
static void put_fields(struct posting *p)
{
    struct terms *ts = p->f->ts;
    static term owner[MODEL_BYTES * 8];
    static uint8_t low[MODEL_BYTES * 8];
    memset(owner, 0, sizeof owner);
    for (uint32_t i = 0; i < p->msg->leaves.n; i++) {
        const struct leaf *l = &p->msg->leaves.at[i];
        if (!l->bits || l->shared)
            continue;
        term v = follow_variable(
            p->f, (struct follow_var){VAR_LEAF, .n = p->gene, .leaf = l},
            l->bits, TERM_INT, leaf_get(l, p->g->bytes));
        for (uint32_t k = 0; k < l->bits; k++) {
            uint32_t bit = l->offset * 8 + l->bit + k;
            owner[bit] = v;
            low[bit] = (uint8_t)k;
        }
    }
    for (uint32_t byte = 0; byte < MODEL_BYTES; byte++) {
        term all = TERM_NONE;
        bool any = false;
        for (uint32_t k = 0; k < 8; k++) {
            uint32_t bit = byte * 8 + k;
            any |= owner[bit] != 0;
            term b = owner[bit] ? term_slice(ts, owner[bit], low[bit], 1)
                                : term_const(ts, 1, p->g->bytes[byte] >> k & 1);
            all = all ? term_concat(ts, b, all) : b;
        }
        if (any)
            put(p, byte, all);
    }
}

// What no leaf is about: natively it is as the input has it.
static void put_rest(struct posting *p)
{
    for (uint32_t i = 0; i < p->msg->size && i < MODEL_BYTES; i++)
        if (!p->known[i] && p->g->bytes[i])
            sx_put(p->f->run, p->object, i,
                   term_const(p->f->ts, 8, p->g->bytes[i]));
}

// Repeated posts share their variables: one cannot change without the others.
// Their blocks are their own, though.
term follow_post(struct follow *f, uint32_t gene)
{
    const struct gene *g = &f->in->genes[gene];
    struct posting p = {
        .f = f, .g = g, .gene = gene, .msg = &f->model->msgs.at[g->msg]};
    bool fields = false;
    p.object = sx_object(f->run, p.msg->size ? p.msg->size : 1);
    for (uint32_t i = 0; i < p.msg->leaves.n; i++) {
        const struct leaf *l = &p.msg->leaves.at[i];
        if (l->shared) {
            put_shared(&p, l);
            continue;
        }
        fields |= l->bits != 0;
        if (l->bits)
            continue;
        switch (l->kind) {
        case LEAF_INT:
        case LEAF_UNSIGNED:
        case LEAF_BOOL:
        case LEAF_FLOAT:
        case LEAF_ENUM:
            put_number(&p, l);
            break;
        case LEAF_TEXT:
            put_bytes(&p, l->offset, l->size, TERM_BYTE_TEXT);
            break;
        case LEAF_REF:
            put_ref(&p, l);
            break;
        case LEAF_BLOCK:
            put_block(&p, l);
            break;
        }
    }
    if (fields)
        put_fields(&p);
    put_rest(&p);
    return p.object;
}

// ---- and back ---------------------------------------------------------------

static void write_pick(const struct follow *f, struct input *in, uint32_t n,
                       uint64_t v)
{
    for (; in->n_picks <= n; in->n_picks++)
        in->picks[in->n_picks] = (uint16_t)f->picks[in->n_picks];
    in->picks[n] = (uint16_t)v;
}

void follow_write(const struct follow *f, const struct model *m,
                  struct input *in)
{
    const struct model *was = sx_values(f->run);
    for (uint32_t i = 0; i < f->vars.n; i++) {
        const struct follow_var *v = &f->vars.at[i];
        uint32_t index = term_var_index(f->ts, v->var);
        uint64_t x = (uint64_t)model_get(m, index);
        if (x == (uint64_t)model_get(was, index))
            continue;
        switch (v->kind) {
        case VAR_LEAF:
            leaf_set(v->leaf, in->genes[v->n].bytes, x);
            break;
        case VAR_BYTE:
            in->genes[v->n].bytes[v->offset] = (unsigned char)x;
            break;
        case VAR_PARAMETER:
            in->params |= 1u << v->n;
            in->values[v->n] = (int64_t)x;
            break;
        case VAR_PICK:
            write_pick(f, in, v->n, x);
            break;
        }
    }
}
