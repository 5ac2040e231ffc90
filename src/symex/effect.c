// Operations of the library.
#include "symex/engine.h"

void handler_args(struct sx_run *r, struct sx_state *s, term *args)
{
    (void)s;
    for (uint32_t i = 0; i < r->ir->fns.at[r->start.fn]->n_params; i++)
        args[i] = term_const(r->ts, 64, 0);
}

bool actor_operation(struct sx_run *r, struct sx_state *s,
                     const struct ir_inst *i)
{
    return finish_unsupported(r, s, ir_op_text((enum ir_op)i->op));
}

void effect_segment(struct sx_run *r, struct sx_state *s, enum ir_op wait,
                    term future)
{
    (void)r, (void)s, (void)wait, (void)future;
}
