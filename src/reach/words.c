#include "reach/words.h"

#include "base/number.h"
#include "ir/targets.h"

#include <ctype.h>
#include <string.h>

struct gather {
    struct words *w;
    const struct ir *ir;
    struct arena *a;
    bool *met; // by global
};

static void add_char(struct words *w, uint64_t v)
{
    for (uint32_t i = 0; i < w->chars.n; i++)
        if (w->chars.at[i] == v)
            return;
    vec_push(&w->chars, (unsigned char)v);
}

static void add_number(struct words *w, const struct ir_const *c)
{
    uint64_t v = c->lo;
    if (c->type.bits < 64 && v >> (c->type.bits - 1) & 1)
        v |= ~UINT64_C(0) << c->type.bits;
    if (v && v < 256 && c->type.bits <= 32)
        add_char(w, v);
    for (uint32_t i = 0; i < w->numbers.n; i++)
        if (w->numbers.at[i] == v)
            return;
    if (w->numbers.n < WORDS_MOST)
        vec_push(&w->numbers, v);
}

static void add_float(struct words *w, const struct ir_const *c)
{
    uint32_t low = (uint32_t)c->lo;
    float small;
    double v;
    memcpy(&small, &low, sizeof small);
    memcpy(&v, &c->lo, sizeof v);
    if (c->type.bits == 32)
        v = (double)small;
    else if (c->type.bits != 64)
        return;
    for (uint32_t i = 0; i < w->floats.n; i++)
        if (double_bits(w->floats.at[i]) == double_bits(v))
            return;
    if (w->floats.n < WORDS_MOST)
        vec_push(&w->floats, v);
}

// Printable up to its end?
static bool is_text(const struct ir_global *g)
{
    if (!g->constant || !g->bytes || g->n_relocs || g->size < 2 ||
        g->size > WORD_LONGEST + 1 || g->bytes[g->size - 1])
        return false;
    for (uint64_t i = 0; i + 1 < g->size; i++)
        if (!isprint(g->bytes[i]) && !isspace(g->bytes[i]))
            return false;
    return true;
}

// The library's own tables lead to names, which no program looks for in texts.
static bool is_table_of_library(const struct ir *ir, uint32_t global)
{
    for (uint32_t i = 0; i < ir->msgs.n; i++)
        if (ir->msgs.at[i].global == global)
            return true;
    for (uint32_t i = 0; i < ir->classes.n; i++)
        if (ir->classes.at[i].global == global)
            return true;
    for (uint32_t i = 0; i < ir->behaviours.n; i++)
        if (ir->behaviours.at[i].global == global)
            return true;
    return false;
}

static void add_operand(struct gather *g, ir_id v, bool compared);

static void add_global(struct gather *g, uint32_t global)
{
    const struct ir_global *v = &g->ir->globals.at[global];
    if (g->met[global] || is_table_of_library(g->ir, global))
        return;
    g->met[global] = true;
    if (is_text(v) && g->w->texts.n < WORDS_MOST)
        vec_push(&g->w->texts,
                 (const char *)arena_copy(g->a, v->bytes, v->size));
    for (uint32_t i = 0; v->constant && i < v->n_relocs; i++)
        add_operand(g, v->relocs[i].value, false);
}

static void add_operand(struct gather *g, ir_id v, bool compared)
{
    if (v == IR_NOTHING || !ir_is_const(v))
        return;
    const struct ir_const *c = &g->ir->consts.at[ir_const_index(v)];
    if (c->kind == IR_C_GLOBAL)
        add_global(g, c->index);
    else if (c->kind == IR_C_INT && compared && c->type.bits >= 8)
        add_number(g->w, c);
    else if (c->kind == IR_C_FLOAT && compared)
        add_float(g->w, c);
}

static bool compares(const struct ir_inst *i)
{
    return i->op == IR_SWITCH || (i->op >= IR_EQ && i->op <= IR_SLE) ||
           i->op == IR_FCMP;
}

void words_init(struct words *w, const struct ir *ir, struct arena *a)
{
    struct gather g = {w, ir, a, arena_zero(a, ir->globals.n + 1)};
    const bool *callable = ir_callable(ir, a);
    for (uint32_t n = 0; n < ir->fns.n; n++) {
        const struct ir_fn *f = ir->fns.at[n];
        for (uint32_t i = 0; callable[n] && i < f->insts.n; i++)
            for (uint32_t k = 0; k < f->insts.at[i].n; k++)
                add_operand(&g, ir_args(f, &f->insts.at[i])[k],
                            compares(&f->insts.at[i]));
    }
}

void words_free(struct words *w)
{
    vec_free(&w->texts);
    vec_free(&w->chars);
    vec_free(&w->numbers);
    vec_free(&w->floats);
}
