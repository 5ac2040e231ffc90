// Cases that differ only in what nobody reads are one.
//
// A branch that decides about a cell which no handler looks at (statistics, a
// log) doubles the cases of its handler, and a condition that is hard for the
// solver comes with each of them.  Two cases with the same effects, the same
// writes to cells that are read, and the same conditions but one, which the
// other has negated, become one without it.
#include "reach/backward/backward.h"

#include "base/clock.h"

enum { READY_CASES = 64 };

#define READY_SECONDS 0.3

static bool is_read(const struct backward *b, uint32_t cls, uint64_t offset,
                    uint32_t bytes)
{
    const struct flow *f = b->flow;
    if (backward_in_array(b->ir, b->ir->classes.at[cls].type, offset))
        return true;
    for (uint32_t i = 0; i < f->handlers.n; i++)
        for (uint32_t k = 0; k < f->handlers.at[i].n; k++) {
            const struct flow_access *a = &f->handlers.at[i].accesses[k];
            if (a->write || a->global || a->of != cls)
                continue;
            if (a->size == UINT32_MAX || a->guessed ||
                (a->offset < offset + bytes && offset < a->offset + a->size))
                return true;
        }
    return false;
}

// The case without writes that nobody reads.
static struct summary_case without_unread(struct backward *b, uint32_t cls,
                                          const struct summary_case *c)
{
    struct summary_case out = *c;
    if (c->path->n_segments != 1)
        return out;
    struct sx_path *p = arena_copy(&b->arena, c->path, sizeof *p);
    struct sx_segment *s = arena_copy(&b->arena, p->segments, sizeof *s);
    struct sx_write *w =
        arena_copy(&b->arena, s->writes, s->n_writes * sizeof *w);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < s->n_writes; i++)
        if (is_read(b, cls, w[i].offset, term_bits(b->ts, w[i].value) / 8))
            w[kept++] = w[i];
    s->writes = w;
    s->n_writes = kept;
    p->segments = s;
    out.path = p;
    return out;
}

static bool same_cells(const struct sx_write *x, const struct sx_write *y,
                       uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (x[i].offset != y[i].offset || x[i].value != y[i].value)
            return false;
    return true;
}

static bool same_effects(const struct sx_path *p, const struct sx_path *q)
{
    if (p->n_effects != q->n_effects)
        return false;
    for (uint32_t i = 0; i < p->n_effects; i++) {
        const struct sx_effect *x = &p->effects[i], *y = &q->effects[i];
        if (x->op != y->op || x->fn != y->fn || x->inst != y->inst ||
            x->actor != y->actor || x->result != y->result || x->n != y->n ||
            x->n_cells != y->n_cells || x->op == IR_SPAWN)
            return false;
        // Where the payload lies does not matter.
        term to_x, to_y;
        uint32_t msg;
        if (effect_sends(x, &to_x, &msg) && effect_sends(y, &to_y, &msg) &&
            to_x != to_y)
            return false;
        if (x->op == IR_CANCEL && x->args[1] != y->args[1])
            return false;
        if (!same_cells(x->cells, y->cells, x->n_cells))
            return false;
    }
    return true;
}

static bool same_writes(const struct sx_segment *s, const struct sx_segment *t)
{
    if (s->n_writes != t->n_writes || s->behaviour != t->behaviour ||
        s->stopped != t->stopped)
        return false;
    return same_cells(s->writes, t->writes, s->n_writes);
}

static bool has_condition(const struct sx_path *p, term c)
{
    for (uint32_t i = 0; i < p->n_conditions; i++)
        if (p->conditions[i] == c)
            return true;
    return false;
}

// The one condition of p that q has negated, all others the same; TERM_NONE:
// they differ in more.
static term differs_in(struct terms *ts, const struct sx_path *p,
                       const struct sx_path *q)
{
    term odd = TERM_NONE;
    if (p->n_conditions != q->n_conditions)
        return TERM_NONE;
    for (uint32_t i = 0; i < p->n_conditions; i++) {
        if (has_condition(q, p->conditions[i]))
            continue;
        if (odd)
            return TERM_NONE;
        odd = p->conditions[i];
    }
    return odd && has_condition(q, term_not(ts, odd)) ? odd : TERM_NONE;
}

static struct summary_case without(struct backward *b,
                                   const struct summary_case *c, term condition)
{
    struct summary_case out = *c;
    struct sx_path *p = arena_copy(&b->arena, c->path, sizeof *p);
    term *kept = arena_copy(&b->arena, p->conditions,
                            (p->n_conditions + 1) * sizeof *kept);
    uint32_t n = 0;
    for (uint32_t i = 0; i < p->n_conditions; i++)
        if (kept[i] != condition)
            kept[n++] = kept[i];
    p->conditions = kept;
    p->n_conditions = n;
    out.path = p;
    return out;
}

static bool merge_two(struct backward *b, struct summary_case *x,
                      const struct summary_case *y)
{
    const struct sx_path *p = x->path, *q = y->path;
    if (p->n_segments != 1 || q->n_segments != 1 || x->heap != y->heap ||
        p->end != q->end || x->n_children || y->n_children ||
        (p->end == SX_RETURNED &&
         (!same_effects(p, q) || !same_writes(p->segments, q->segments))))
        return false;
    term c = differs_in(b->ts, p, q);
    if (!c)
        return false;
    *x = without(b, x, c);
    return true;
}

static void merge(struct backward *b, struct case_list *l)
{
    for (bool again = true; again;) {
        again = false;
        for (uint32_t i = 0; i < l->at.n; i++)
            for (uint32_t k = i + 1; k < l->at.n; k++)
                if (merge_two(b, &l->at.at[i], &l->at.at[k])) {
                    l->at.at[k--] = vec_pop(&l->at);
                    again = true;
                }
    }
}

// All cases that there are in a short time; `l` is ready if these are all.
void cases_prepare(struct backward *b, struct summary *s, struct case_list *l)
{
    const struct summary_case *c = NULL;
    double until = clock_seconds(CLOCK_PROCESS_CPUTIME_ID) + READY_SECONDS;
    l->from = s;
    for (uint32_t i = 0; i < READY_CASES; i++) {
        c = summary_case(b->summaries, s, i);
        if (!c || clock_seconds(CLOCK_PROCESS_CPUTIME_ID) > until)
            break;
        vec_push(&l->at, without_unread(b, s->cls, c));
    }
    l->ready = !c && s->done;
    if (l->ready)
        merge(b, l);
    else
        vec_clear(&l->at);
}

const struct summary_case *cases_at(struct backward *b, struct case_list *l,
                                    uint32_t i)
{
    if (l->ready)
        return i < l->at.n ? &l->at.at[i] : NULL;
    return summary_case(b->summaries, l->from, i);
}
