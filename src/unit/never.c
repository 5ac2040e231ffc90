#include "unit/never.h"

#include "base/text.h"
#include "ir/eval.h"

#include <stdlib.h>
#include <string.h>

enum { VALUES_MOST = 32, DEPTH_MOST = 64 };

// The constants that a value can be.
struct values {
    uint64_t at[VALUES_MOST];
    uint32_t n;
    ir_id seen[DEPTH_MOST];
    uint32_t n_seen;
};

static bool add(struct values *v, uint64_t x)
{
    for (uint32_t i = 0; i < v->n; i++)
        if (v->at[i] == x)
            return true;
    if (v->n == VALUES_MOST)
        return false;
    v->at[v->n++] = x;
    return true;
}

static bool was_seen(struct values *v, ir_id id, bool *full)
{
    for (uint32_t i = 0; i < v->n_seen; i++)
        if (v->seen[i] == id)
            return true;
    *full = v->n_seen == DEPTH_MOST;
    if (!*full)
        v->seen[v->n_seen++] = id;
    return false;
}

// False: it can be something else.
static bool collect(const struct ir *ir, const struct ir_fn *f, ir_id id,
                    struct values *out)
{
    bool full = false;
    if (ir_is_const(id)) {
        const struct ir_const *c = ir_const_at(ir, id);
        return c->kind == IR_C_INT && c->type.kind == IR_INT &&
               c->type.bits <= 64 && add(out, c->lo);
    }
    if (id < f->n_params)
        return false;
    const struct ir_inst *i = &f->insts.at[id];
    if (i->type.kind != IR_INT || (i->op != IR_PHI && i->op != IR_SELECT))
        return false;
    if (was_seen(out, id, &full) || full)
        return !full;
    for (uint32_t k = i->op == IR_SELECT; k < i->n; k++)
        if (!collect(ir, f, ir_args(f, i)[k], out))
            return false;
    return true;
}

// What a comparison of such a value with a constant can be: bit 0 false, bit 1
// true; 0: not known.
static unsigned compared(const struct ir *ir, const struct ir_fn *f, ir_id id,
                         struct values *v)
{
    if (ir_is_const(id) || id < f->n_params)
        return 0;
    const struct ir_inst *i = &f->insts.at[id];
    unsigned can = 0;
    if (i->n != 2 || i->op < IR_EQ || i->op > IR_SLE ||
        !ir_is_const(ir_args(f, i)[1]) || ir_is_const(ir_args(f, i)[0]) ||
        !collect(ir, f, ir_args(f, i)[0], v))
        return 0;
    struct ir_type types[2] = {ir_type_of(ir, f, ir_args(f, i)[0]),
                               ir_type_of(ir, f, ir_args(f, i)[1])};
    for (uint32_t k = 0; k < v->n; k++) {
        union ir_bits a[2] = {{.i = v->at[k]},
                              {.i = ir_const_at(ir, ir_args(f, i)[1])->lo}};
        union ir_bits out = {.i = 0};
        if (!ir_eval(i, types, a, &out))
            return 0;
        can |= out.i & 1 ? 2 : 1;
    }
    return can;
}

static bool never_label(const struct ir *ir, const struct ir_fn *f,
                        const struct ir_inst *i, uint32_t k, struct values *v)
{
    const ir_id *args = ir_args(f, i);
    if (ir_is_const(args[0]) || !collect(ir, f, args[0], v))
        return false;
    for (uint32_t m = 0; m < v->n; m++) {
        uint32_t to = 0;
        for (uint32_t j = 1; j < i->n && !to; j++)
            if (ir_const_at(ir, args[j])->lo == v->at[m])
                to = j;
        if (to == k)
            return false;
    }
    return true;
}

static int by_size(const void *x, const void *y)
{
    uint64_t a = *(const uint64_t *)x, b = *(const uint64_t *)y;
    return a < b ? -1 : a > b;
}

static const char *said(struct values *v, struct arena *a)
{
    struct text t = {0};
    qsort(v->at, v->n, sizeof *v->at, by_size);
    text_add(&t, v->n == 1 ? "its value is always " : "its value is one of ");
    for (uint32_t i = 0; i < v->n; i++)
        text_format(&t, "%s%llu", i ? ", " : "", (unsigned long long)v->at[i]);
    const char *out = arena_text(a, text_get(&t));
    text_free(&t);
    return out;
}

const char *never_taken(const struct ir *ir, const struct ir_fn *f,
                        const struct side *s, struct arena *a)
{
    const struct ir_inst *i = &f->insts.at[s->inst];
    struct values v = {0};
    if (i->op == IR_SWITCH)
        return never_label(ir, f, i, s->k, &v) ? said(&v, a) : NULL;
    unsigned can = compared(ir, f, ir_args(f, i)[0], &v);
    return can && !(can & (s->k == 0 ? 2 : 1)) ? said(&v, a) : NULL;
}
