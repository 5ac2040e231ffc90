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
