// A static variable of a function is nobody's to set: what it holds comes of
// earlier calls.  An input that was confirmed is run again after one, two, ...
// calls with the same arguments.
#include "unit/searching.h"

#include "base/clock.h"
#include "base/interrupt.h"

#include <stdlib.h>
#include <string.h>

enum { CASES_MOST = 16 };

// A variable that a function declares has a name with a dot in the IR.
static bool is_kept(const struct ir_global *g)
{
    return !g->constant && !g->external && g->type != IR_NOTHING &&
           g->name[0] != '.' && strchr(g->name, '.');
}

static bool remembers(const struct ir *ir, const struct ir_fn *f, bool *seen)
{
    if (seen[f->id])
        return false;
    seen[f->id] = true;
    for (uint32_t i = 0; i < f->insts.n; i++) {
        const struct ir_inst *in = &f->insts.at[i];
        for (uint32_t k = 0; k < in->n; k++) {
            ir_id v = ir_args(f, in)[k];
            const struct ir_const *c = ir_is_const(v) ? ir_const_at(ir, v) : 0;
            if (c && c->kind == IR_C_GLOBAL &&
                is_kept(&ir->globals.at[c->index]))
                return true;
            if (c && c->kind == IR_C_FUNCTION &&
                remembers(ir, ir->fns.at[c->index], seen))
                return true;
        }
    }
    return false;
}

bool unit_remembers(const struct ir *ir, const struct ir_fn *f)
{
    bool *seen = calloc(ir->fns.n + 1ul, sizeof *seen);
    bool is = seen && remembers(ir, f, seen);
    free(seen);
    return is;
}

// Arguments that a call leaves as they are.
static bool is_plain(const struct input *in)
{
    for (uint32_t i = 0; i < in->objects.n; i++)
        if (in->objects.at[i].role != INPUT_PARAM)
            return false;
    return !in->fails;
}

// Run it; is it a case that takes a side which is not taken?
static void try_one(struct search *w, const struct input *in, uint8_t *taken)
{
    struct unit_case c = {.null_parameter = IR_NOTHING, .trap = IR_NOTHING};
    bool new = false;
    input_copy(w->a, in, &c.in);
    bool ok = search_confirm(w, &c) && !c.doubtful && case_counts(&c);
    for (uint32_t k = 0; ok && k < w->out->sides.at.n; k++)
        new |= c.sides[k] && !taken[k];
    if (new) {
        for (uint32_t k = 0; k < w->out->sides.at.n; k++)
            taken[k] |= c.sides[k];
        vec_push(&w->found, c);
        return;
    }
    call_release(&c.call);
    input_release(&c.in);
}

void search_earlier_calls(struct search *w)
{
    static const uint32_t counts[] = {1, 2, 3, 4, 5, 6, 7, 8, 10, 16, 32, 64};
    uint32_t n = w->found.n;
    if (w->o->all || search_guided(w->o) || w->out->refused ||
        !unit_remembers(w->ir, w->f))
        return;
    uint8_t *taken = search_taken(w);
    for (uint32_t i = 0; i < n && i < CASES_MOST; i++) {
        struct input in;
        if (!is_plain(&w->found.at[i].in) || w->found.at[i].ends)
            continue;
        input_copy(w->a, &w->found.at[i].in, &in);
        for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
            bool open = false;
            for (uint32_t m = 0; m < w->out->sides.at.n; m++)
                open |= !taken[m];
            if (!open || clock_now() > w->until || interrupted())
                break;
            in.earlier = counts[k];
            try_one(w, &in, taken);
        }
        input_release(&in);
    }
}
