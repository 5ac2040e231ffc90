// Ends: a state becomes a path, is put aside, or is let go.
#include "symex/summary.h"

#include <assert.h>

// Lists are newest first; a path has them as arrays, oldest first.
#define LIST_TO_ARRAY(r, list, count, type, field, out)                        \
    do {                                                                       \
        uint32_t at_ = (count);                                                \
        type *a_ = arena_get(&(r)->arena, (at_ + 1) * sizeof *a_);             \
        for (; (list); (list) = (list)->up)                                    \
            a_[--at_] = (list)->field;                                         \
        assert(at_ == 0);                                                      \
        (out) = a_;                                                            \
    } while (0)

static void list_inputs(struct sx_run *r, const struct sx_state *s,
                        struct sx_path *p)
{
    struct sx_cell *cells =
        arena_get(&r->arena, (s->n_inputs + 1) * sizeof *cells);
    uint32_t at = p->n_cells = s->n_inputs;
    for (const struct number *i = s->inputs; i; i = i->up)
        cells[--at] = r->cells.at[i->n];
    p->cells = cells;
    const struct number *refs = s->refs;
    p->n_refs = s->n_refs;
    LIST_TO_ARRAY(r, refs, s->n_refs, uint32_t, n, p->refs);
}

static void list_conditions(struct sx_run *r, const struct sx_state *s,
                            struct sx_path *p)
{
    term *c = arena_get(&r->arena, (s->path.n + 1) * sizeof *c);
    for (uint32_t i = 0; i < s->path.n; i++)
        c[i] = path_condition(&s->path, i);
    p->conditions = c;
    p->n_conditions = s->path.n;
    p->n_pre = s->n_pre;
}

static struct sx_path *path_of(struct sx_run *r, struct sx_state *s,
                               enum sx_end end)
{
    struct sx_path *p = arena_zero(&r->arena, sizeof *p);
    const struct decision *d = s->decisions;
    const struct follow *f = s->followed;
    const struct effect *e = s->effects;
    const struct segment *g = s->segments;
    const struct goal_met *m = s->goals;
    p->end = end;
    p->labels = s->labels;
    p->steps = s->steps;
    p->trail = s->trail;
    p->state = s;
    p->model = s->path.model ? s->path.model : r->zero;
    if (s->top) {
        p->fn = s->top->f->id;
        p->inst = s->top->at;
    } else {
        p->fn = r->start.fn;
    }
    list_conditions(r, s, p);
    list_inputs(r, s, p);
    p->n_decisions = s->n_decisions;
    LIST_TO_ARRAY(r, d, s->n_decisions, struct sx_decision, d, p->decisions);
    p->n_followed = s->n_followed;
    LIST_TO_ARRAY(r, f, s->n_followed, struct sx_followed, f, p->followed);
    p->n_goals = s->n_goals;
    LIST_TO_ARRAY(r, m, s->n_goals, struct sx_goal_met, g, p->goals);
    p->n_effects = s->n_effects;
    LIST_TO_ARRAY(r, e, s->n_effects, struct sx_effect, e, p->effects);
    p->n_segments = s->n_segments;
    LIST_TO_ARRAY(r, g, s->n_segments, struct sx_segment, s, p->segments);
    if (s->scene)
        p->scene = tasks_scene(r, s, p);
    return p;
}

static bool finish(struct sx_run *r, struct sx_state *s, enum sx_end end,
                   uint32_t trap, const char *text, term result)
{
    if (r->making)
        return sum_ended(r, s, end);
    if (s->in_pre && end != SX_UNSUPPORTED && end != SX_UNKNOWN)
        return drop(r, s); // an input that the precondition rejects
    if (r->start.handler && !s->scene)
        effect_segment(r, s, end == SX_RETURNED ? IR_RETURN : IR_TRAP,
                       TERM_NONE, false);
    struct sx_path *p = path_of(r, s, end);
    r->labels |= s->labels;
    p->trap = trap;
    p->text = text;
    p->result = result;
    vec_push(&r->done, p);
    r->x->counts.paths++;
    return false;
}

bool finish_return(struct sx_run *r, struct sx_state *s, term result)
{
    return finish(r, s, SX_RETURNED, 0, NULL, result);
}

bool finish_reached(struct sx_run *r, struct sx_state *s)
{
    return finish(r, s, SX_REACHED, 0, NULL, TERM_NONE);
}

bool finish_turned(struct sx_run *r, struct sx_state *s)
{
    return finish(r, s, SX_TURNED, 0, NULL, TERM_NONE);
}

bool finish_trap(struct sx_run *r, struct sx_state *s, uint32_t trap,
                 const char *text)
{
    const struct frame *f = s->top;
    if (f)
        map_put(&r->trapped, map_pair(f->f->id, f->at), trap);
    return finish(r, s, SX_TRAPPED, trap, text, TERM_NONE);
}

bool finish_stuck(struct sx_run *r, struct sx_state *s)
{
    return finish(r, s, SX_STUCK, 0, NULL, TERM_NONE);
}

bool finish_unsupported(struct sx_run *r, struct sx_state *s, const char *text)
{
    r->n_unsupported++;
    return finish(r, s, SX_UNSUPPORTED, 0, text, TERM_NONE);
}

bool finish_unknown(struct sx_run *r, struct sx_state *s)
{
    r->n_unknown++;
    return finish(r, s, SX_UNKNOWN, 0, solver_reason(r->solver), TERM_NONE);
}

bool finish_spent(struct sx_run *r, struct sx_state *s)
{
    r->n_spent++;
    return finish(r, s, SX_STEPS, 0, "too many instructions", TERM_NONE);
}

bool drop(struct sx_run *r, struct sx_state *s)
{
    if (r->live)
        return finish_unsupported(r, s, "what was assumed does not hold");
    r->labels |= s->labels;
    state_free(s);
    return false;
}

bool cut(struct sx_run *r, struct sx_state *s, uint32_t fn, uint32_t block)
{
    if (r->making)
        return sum_ended(r, s, SX_STEPS);
    s->cut_fn = fn;
    s->cut_block = block;
    vec_push(&r->cut, s);
    return false;
}

const char *sx_trap_id(uint32_t trap)
{
    switch (trap) {
    case SX_TRAP_FREED:
        return "freed";
    case SX_TRAP_OVERFLOW:
        return "overflow";
    case SX_TRAP_NOBODY:
        return "nobody";
    case SX_TRAP_NO_ROW:
        return "no-row";
    }
    return ir_trap_id((enum ir_trap)trap);
}
