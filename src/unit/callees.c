#include "unit/callees.h"

#include <stdlib.h>
#include <string.h>

const struct ir_fn *callees_called(const struct ir *ir, const struct ir_fn *of,
                                   const struct ir_inst *i)
{
    uint32_t to =
        i->op == IR_CALL ? ir_as_fn(ir, ir_args(of, i)[0]) : IR_NOTHING;
    return to == IR_NOTHING ? NULL : ir->fns.at[to];
}

static const struct ir_inst *find(const struct ir *ir, const struct ir_fn *f,
                                  callees_is *is, const struct ir_fn **of,
                                  bool *seen)
{
    if (seen[f->id])
        return NULL;
    seen[f->id] = true;
    for (uint32_t i = 0; i < f->insts.n; i++) {
        const struct ir_inst *in = &f->insts.at[i], *found = NULL;
        const struct ir_fn *g = callees_called(ir, f, in);
        if (is(ir, f, in)) {
            found = in;
            if (of)
                *of = f;
        } else if (g && g->defined) {
            found = find(ir, g, is, of, seen);
        }
        if (found)
            return found;
    }
    return NULL;
}

const struct ir_inst *callees_find(const struct ir *ir, const struct ir_fn *f,
                                   callees_is *is, const struct ir_fn **of)
{
    bool *seen = calloc(ir->fns.n + 1ul, sizeof *seen);
    const struct ir_inst *found = seen ? find(ir, f, is, of, seen) : NULL;
    free(seen);
    return found;
}

static bool is_errno(const struct ir *ir, const struct ir_fn *of,
                     const struct ir_inst *i)
{
    const struct ir_fn *g = callees_called(ir, of, i);
    return g && strcmp(g->name, "__errno_location") == 0;
}

bool callees_use_errno(const struct ir *ir, const struct ir_fn *f)
{
    return callees_find(ir, f, is_errno, NULL) != NULL;
}

static bool is_copy(const struct ir *ir, const struct ir_fn *of,
                    const struct ir_inst *i)
{
    (void)ir;
    return (i->op == IR_COPY || i->op == IR_SET) &&
           !ir_is_const(ir_args(of, i)[2]);
}

bool callees_copy(const struct ir *ir, const struct ir_fn *f)
{
    return callees_find(ir, f, is_copy, NULL) != NULL;
}

// ---- lengths ----------------------------------------------------------------

enum { TEXT_MOST = 62 };

struct lengths {
    const struct ir *ir;
    bool *seen;
    uint64_t most;
};

static void take_length(struct lengths *w, uint64_t n)
{
    if (n <= TEXT_MOST && n > w->most)
        w->most = n;
}

static void look_at_text(struct lengths *w, const struct ir_const *c)
{
    const struct ir_global *g = &w->ir->globals.at[c->index];
    if (!g->constant || !g->bytes || c->lo >= g->size)
        return;
    const char *text = (const char *)g->bytes + c->lo;
    const char *end = memchr(text, 0, g->size - c->lo);
    if (end)
        take_length(w, (uint64_t)(end - text));
}

static void look_at_lengths(struct lengths *w, const struct ir_fn *f)
{
    if (w->seen[f->id])
        return;
    w->seen[f->id] = true;
    for (uint32_t i = 0; i < f->insts.n; i++) {
        const struct ir_inst *in = &f->insts.at[i];
        const struct ir_fn *g = callees_called(w->ir, f, in);
        bool compares = in->op >= IR_EQ && in->op <= IR_SLE;
        for (uint32_t k = 0; k < in->n; k++) {
            ir_id v = ir_args(f, in)[k];
            const struct ir_const *c =
                ir_is_const(v) ? ir_const_at(w->ir, v) : NULL;
            if (c && c->kind == IR_C_GLOBAL)
                look_at_text(w, c);
            else if (c && c->kind == IR_C_INT && compares &&
                     ir_type_of(w->ir, f, v).bits == 64)
                take_length(w, c->lo + 1);
        }
        if (g && g->defined)
            look_at_lengths(w, g);
    }
}

uint64_t callees_text(const struct ir *ir, const struct ir_fn *f)
{
    struct lengths w = {ir, calloc(ir->fns.n + 1ul, sizeof *w.seen), 0};
    if (w.seen)
        look_at_lengths(&w, f);
    free(w.seen);
    return w.most;
}
