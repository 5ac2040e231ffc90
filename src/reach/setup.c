// A setup that fails whatever is chosen: then there is nothing to search.
#include "reach/reach.h"

#include "base/diag.h"
#include "reach/start.h"

// Do runs differ before the setup is over?  They do by parameters and choices.
static bool is_fixed(const struct reach *r)
{
    if (r->model.more_params)
        return false;
    for (uint32_t i = 0; i < r->model.params.n; i++)
        if (!reach_gives(r->o.params, r->model.params.at[i]))
            return false;
    for (uint32_t k = 0; k < r->ir->fns.n; k++)
        for (uint32_t i = 0; i < r->ir->fns.at[k]->insts.n; i++)
            if (r->ir->fns.at[k]->insts.at[i].op == IR_CHOOSE)
                return false;
    return true;
}

static bool any_hit(const struct reach *r)
{
    for (uint32_t i = 0; i < r->targets.n; i++)
        if (r->targets.at[i].wanted && r->pool->hit[r->targets.at[i].at.hit])
            return true;
    return false;
}

// In the interpreter, which knows the place.
static bool fails_in_ir(struct reach *r, struct diag *d)
{
    struct diag why = {0};
    struct start s;
    bool fails = !start_open(&s, r->ir, r->o.system, r->o.params, &why);
    // Without a native run only what ends every run is believed.
    fails &= r->pool->runs || s.end.end == INTERP_TRAPPED;
    start_close(&s);
    if (fails)
        *d = why;
    else
        diag_free(&why);
    return fails;
}

bool reach_setup_fails(struct reach *r, bool over, struct diag *d)
{
    bool fixed = is_fixed(r);
    if (r->pool->set_up || any_hit(r) || (!fixed && (!over || !r->pool->runs)))
        return false;
    if (fails_in_ir(r, d)) {
        if (!fixed)
            diag_hint(d,
                      "so it was in all %llu runs, with other parameters "
                      "too: try --param NAME=N",
                      (unsigned long long)r->pool->runs);
        return true;
    }
    if (!r->pool->runs)
        return false;
    diag_set(d, EXIT_USAGE,
             "the setup of system %s does not come to its end in any of %llu "
             "runs",
             r->o.system, (unsigned long long)r->pool->runs);
    diag_hint(d, "it crashes, exits or takes too long");
    return true;
}
