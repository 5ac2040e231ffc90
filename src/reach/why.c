// Why a target is open, in words: which side before it no run has taken.
#include "reach/reach.h"

#include "base/libc.h"
#include "base/text.h"
#include "flow/flow.h"

#include <string.h>

static bool seen(const struct reach *r, const struct ir_fn *f, uint32_t block)
{
    return r->pool->hit[ir_block_hit(f, &f->blocks.at[block])];
}

static uint32_t line_of(const struct ir_fn *f, uint32_t block)
{
    const struct ir_block *b = &f->blocks.at[block];
    for (uint32_t i = b->n; i-- > 0;)
        if (f->insts.at[b->first + i].line)
            return f->insts.at[b->first + i].line;
    return f->line;
}

// Is the value what a function that allocates gave?
static bool is_allocated(const struct ir *ir, const struct ir_fn *f, ir_id v)
{
    if (v == IR_NOTHING || ir_is_const(v) || f->insts.at[v].op != IR_CALL)
        return false;
    uint32_t fn = ir_as_fn(ir, ir_args(f, &f->insts.at[v])[0]);
    return fn != IR_NOTHING && libc_allocates(ir->fns.at[fn]->name);
}

// Does the branch ask whether memory ran out?
static bool asks_memory(const struct ir *ir, const struct ir_fn *f,
                        const struct ir_inst *branch)
{
    ir_id c = branch->op == IR_BRANCH ? ir_args(f, branch)[0] : IR_NOTHING;
    if (c == IR_NOTHING || ir_is_const(c))
        return false;
    const struct ir_inst *i = &f->insts.at[c];
    return (i->op == IR_EQ || i->op == IR_NE) &&
           (is_allocated(ir, f, ir_args(f, i)[0]) ||
            is_allocated(ir, f, ir_args(f, i)[1]));
}

// The only successor of a block from which the other block is reached.
// IR_NOTHING if there is none, or more than one.
static uint32_t side_towards(const struct ir_fn *f, uint32_t from, uint32_t to)
{
    const struct ir_block *b = &f->blocks.at[from];
    for (uint32_t k = 0; k < b->n_succs; k++)
        if (ir_dominates(f, ir_succs(f, b)[k], to))
            return k;
    return IR_NOTHING;
}

static const char *file_of(const struct reach *r, const struct ir_fn *f)
{
    const char *path = r->ir->files.at[f->file];
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static const char *runs_text(struct reach *r)
{
    return arena_format(&r->arena, "%llu run%s",
                        (unsigned long long)r->pool->runs,
                        r->pool->runs == 1 ? "" : "s");
}

// What the solver said of the side, if it was asked.
static void add_answers(const struct reach *r, uint32_t hit, struct text *out)
{
    const struct pool_asked *a = &r->pool->asked[hit];
    if (!a->yes && !a->no && !a->open)
        return;
    text_format(out, "; asked of %u runs: %u no, %u not decided, %u tried",
                a->yes + a->no + a->open, a->no, a->open, a->yes);
}

static const char *why_branch(struct reach *r, const struct ir_fn *f,
                              uint32_t from, uint32_t block, bool far)
{
    const struct ir_block *b = &f->blocks.at[from];
    const struct ir_inst *last = &f->insts.at[b->first + b->n - 1];
    uint32_t side = side_towards(f, from, block);
    struct text t = {0};
    const char *place =
        arena_format(&r->arena, "%s:%u", file_of(r, f), line_of(f, from));
    text_format(&t, far ? "behind %s: " : "%s: ", place);
    if (asks_memory(r->ir, f, last))
        text_format(&t, "memory never ran out%s",
                    r->o.alloc_fails ? "" : "; --alloc-fails lets it");
    else if (last->op == IR_BRANCH && side != IR_NOTHING)
        text_format(&t, "the condition was never %s in %s",
                    side ? "false" : "true", runs_text(r));
    else if (last->op == IR_SWITCH)
        text_format(&t, "no such case in %s", runs_text(r));
    else
        text_format(&t, "no run of %llu went on from there",
                    (unsigned long long)r->pool->runs);
    if (side != IR_NOTHING && last->site != IR_NOTHING)
        add_answers(r, last->site + side, &t);
    const char *why = arena_text(&r->arena, text_get(&t));
    text_free(&t);
    return why;
}

// The message whose handler it is, if it is one.
static const char *why_entry(struct reach *r, uint32_t fn)
{
    for (uint32_t i = 0; r->flow && i < r->flow->handlers.n; i++) {
        const struct flow_handler *h = &r->flow->handlers.at[i];
        if (h->fn == fn)
            return arena_format(&r->arena, "no %s was handled there in %s",
                                r->ir->msgs.at[h->msg].name, runs_text(r));
    }
    return arena_format(&r->arena, "no run of %llu called %s",
                        (unsigned long long)r->pool->runs,
                        r->ir->fns.at[fn]->name);
}

static const char *with_backward(struct reach *r, const struct reach_target *t,
                                 const char *why)
{
    return t->backward ? arena_format(&r->arena, "%s; %s", why, t->backward)
                       : why;
}

const char *reach_why_open(struct reach *r, const struct reach_target *t)
{
    const struct ir_fn *f = r->ir->fns.at[t->at.fn];
    uint32_t block = t->at.block, from;
    bool far = false;
    while ((from = f->blocks.at[block].idom) != IR_NOTHING) {
        if (seen(r, f, from))
            return with_backward(r, t, why_branch(r, f, from, block, far));
        far = true;
        block = from;
    }
    return with_backward(r, t, why_entry(r, t->at.fn));
}
