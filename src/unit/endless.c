#include "unit/endless.h"

#include "unit/condition.h"
#include "unit/places.h"

#include <stdlib.h>
#include <string.h>

static bool is_comparison(const struct ir_inst *i)
{
    return (i->op >= IR_EQ && i->op <= IR_SLE) || i->op == IR_FCMP;
}

static bool repeats(const struct runner_outcome *n, const struct ir_inst *i)
{
    uint32_t site = i->op == IR_SWITCH ? (uint32_t)i->count
                    : is_comparison(i) ? i->site
                                       : IR_NOTHING;
    for (uint32_t k = 0; k < n->n_repeats; k++)
        if (n->repeats[k] == site)
            return true;
    return false;
}

struct call_trap endless_trap(const struct ir *ir, struct arena *a,
                              struct condition_file *file,
                              const struct ir_fn *f,
                              const struct runner_outcome *n)
{
    const struct ir_inst *first = NULL;
    const struct ir_fn *of = f;
    for (uint32_t k = 0; k <= ir->fns.n && !first; k++) {
        of = k ? ir->fns.at[k - 1] : f;
        for (uint32_t i = 0; i < of->insts.n; i++) {
            const struct ir_inst *in = &of->insts.at[i];
            if (in->line && repeats(n, in) &&
                (!first || in->line < first->line))
                first = in;
        }
    }
    of = first ? of : f;
    const char *path = ir->files.at[of->file];
    uint32_t line = first ? first->line : f->line;
    return (struct call_trap){
        .kind = "endless",
        .signal = "SIGXCPU",
        .file = path,
        .line = line,
        .text =
            first ? condition_at(file, a, path, line, first->column).text : ""};
}

// ---- rings ----------------------------------------------------------------

enum seen { UNSEEN, UNDER_WAY, DONE };

static bool leads_back(const struct input *in, uint32_t i, enum seen *seen)
{
    const struct input_object *o = &in->objects.at[i];
    bool found = seen[i] == UNDER_WAY;
    if (seen[i] != UNSEEN)
        return found;
    seen[i] = UNDER_WAY;
    for (uint32_t k = 0; k < o->links.n && !found; k++)
        found = o->links.at[k].object != IR_NOTHING &&
                leads_back(in, o->links.at[k].object, seen);
    seen[i] = DONE;
    return found;
}

bool endless_ring(const struct input *in)
{
    enum seen *seen = calloc(in->objects.n + 1ul, sizeof *seen);
    bool found = false;
    for (uint32_t i = 0; seen && i < in->objects.n && !found; i++)
        found = leads_back(in, i, seen);
    free(seen);
    return found;
}

bool endless_small(const struct ir *ir, const struct input *in)
{
    enum { SMALL = 100000 };
    for (uint32_t i = 0; i < in->objects.n; i++) {
        const struct input_object *o = &in->objects.at[i];
        int64_t v = 0;
        if (o->role != INPUT_PARAM || o->size > sizeof v ||
            places_kind(ir, o->type) == CALL_POINTER)
            continue;
        memcpy(&v, o->bytes, o->size);
        if (v > SMALL || v < -SMALL)
            return false;
    }
    return true;
}
