#include "reach/flips.h"

#include "base/hash.h"
#include "base/map.h"

#include <stdlib.h>

// The mark that an instrumented program leaves when it takes the side;
// IR_NOTHING if the choice is no side of the IR.  *to: the block behind the
// side, IR_NOTHING: none.
static uint32_t hit_of(const struct ir *ir, const struct sx_choice *o,
                       uint32_t *to, bool *traps)
{
    const struct ir_fn *f = ir->fns.at[o->fn];
    const struct ir_inst *i = &f->insts.at[o->inst];
    *to = IR_NOTHING;
    *traps = false;
    if (o->side == IR_NOTHING)
        return IR_NOTHING;
    if (i->op == IR_SELECT)
        return i->site == IR_NOTHING ? IR_NOTHING : i->site + o->side;
    const struct ir_block *from = &f->blocks.at[o->block];
    *to = ir_succs(f, from)[o->side];
    const struct ir_block *b = &f->blocks.at[*to];
    const struct ir_inst *last = &f->insts.at[b->first + b->n - 1];
    *traps = last->op == IR_TRAP && last->site != IR_NOTHING;
    if (*traps)
        return last->site;
    if (i->site != IR_NOTHING)
        return i->site + o->side;
    return b->origin == from->origin ? IR_NOTHING : ir_block_hit(f, b);
}

// False: the side is of no use.
static bool judge(struct flip *x, const struct reach *r, const struct toward *t,
                  const struct sx_choice *o)
{
    uint32_t to;
    bool traps;
    x->hit = hit_of(r->ir, o, &to, &traps);
    if (traps && !t->wanted[x->hit])
        return false;
    x->far =
        traps ? 0 : toward_block(t, o->fn, to == IR_NOTHING ? o->block : to);
    bool seen = x->hit == IR_NOTHING || r->pool->hit[x->hit];
    x->kind = x->far == TOWARD_NEVER ? FLIP_ELSE
              : seen                 ? FLIP_TOWARD
                                     : FLIP_UNSEEN;
    return true;
}

static int compare(const void *a, const void *b)
{
    const struct flip *x = a, *y = b;
    if (x->kind != y->kind)
        return x->kind < y->kind ? -1 : 1;
    if (x->far != y->far)
        return x->far < y->far ? -1 : 1;
    return x->choice < y->choice ? -1 : x->choice > y->choice;
}

void flips_of(struct flips *out, const struct reach *r,
              const struct toward *toward, const struct sx_run *run)
{
    const struct sx_choice *all;
    uint32_t n = sx_choices(run, &all);
    struct map turns = {0};
    vec_clear(&out->at);
    for (uint32_t i = 0; i < n; i++) {
        const struct sx_choice *o = &all[i];
        struct flip x = {.choice = i};
        x.place =
            hash_join(hash_join(map_pair(o->fn, o->inst), o->side), o->value);
        uint32_t *turn = map_at(&turns, x.place);
        *turn = *turn == MAP_NONE ? 0 : *turn + 1;
        x.turn = *turn;
        if (judge(&x, r, toward, o))
            vec_push(&out->at, x);
    }
    map_free(&turns);
    if (out->at.n)
        qsort(out->at.at, out->at.n, sizeof *out->at.at, compare);
}
