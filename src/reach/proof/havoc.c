// Rules of handlers that could not be followed to their end: from the graph.
#include "reach/proof/proof.h"

static bool has_site(struct proofs *p, const struct flow_edge *e, uint32_t fn)
{
    for (uint32_t i = 0; i < e->n; i++)
        if (proofs_calls(p, fn, e->sites[i].fn))
            return true;
    return false;
}

static void any_states(struct proofs *p, uint32_t cls)
{
    for (uint32_t b = 0; b < p->ir->behaviours.n; b++)
        if (state_subject(p, cls, b) != IR_NOTHING)
            subject_any(subject_of(p, state_subject(p, cls, b)));
}

// The members of a struct that bytes from..to touch, as bytes.
static void whole_members(const struct ir *ir, uint32_t type, uint64_t *from,
                          uint64_t *to)
{
    uint32_t bare = ir_bare_type(ir, type);
    if (bare == IR_NOTHING || ir->types.at[bare].kind != IR_D_STRUCT) {
        *from = 0;
        *to = UINT64_MAX;
        return;
    }
    const struct ir_dtype *t = &ir->types.at[bare];
    uint64_t first = *from, last = *to;
    for (uint32_t i = 0; i < t->n; i++) {
        uint64_t start = t->members[i].bit / 8;
        uint64_t end = i + 1 < t->n ? t->members[i + 1].bit / 8 : t->size;
        if (start <= last && first < end) {
            *from = start < *from ? start : *from;
            *to = end > *to ? end : *to;
        }
    }
}

// May the handler, or what it calls, write this cell?
static bool may_write(struct proofs *p, const struct flow_handler *h,
                      const struct cell *cell)
{
    for (uint32_t i = 0; i < h->n; i++) {
        const struct flow_access *a = &h->accesses[i];
        if (!a->write || a->global || a->of != h->cls)
            continue;
        uint64_t from = a->offset;
        uint64_t to = a->size == UINT32_MAX ? UINT64_MAX : from + a->size - 1;
        whole_members(p->ir, p->ir->classes.at[h->cls].type, &from, &to);
        if (cell->offset <= to && from < cell->offset + cell->bytes)
            return true;
    }
    return false;
}

static const struct flow_handler *row_of(struct proofs *p,
                                         const struct root *root)
{
    for (uint32_t i = 0; i < p->flow->handlers.n; i++) {
        const struct flow_handler *h = &p->flow->handlers.at[i];
        if (h->cls == root->cls && h->behaviour == root->behaviour &&
            h->msg == root->msg && h->fn == root->fn)
            return h;
    }
    return NULL;
}

// From a state to one in which what the handler may write is anything.
static void frame_rule(struct proofs *p, const struct root *root,
                       const struct flow_handler *h, uint32_t from, uint32_t to)
{
    const struct shape *shape = &p->states[root->cls];
    uint32_t before = state_subject(p, root->cls, from);
    uint32_t after = state_subject(p, root->cls, to);
    if (before == IR_NOTHING || after == IR_NOTHING)
        return;
    term *v = arena_get(&p->arena, (shape->n + 1) * sizeof *v);
    term *w = arena_get(&p->arena, (shape->n + 1) * sizeof *w);
    for (uint32_t i = 0; i < shape->n; i++) {
        const struct cell *c = &shape->at[i];
        v[i] = w[i] = term_var(p->ts, c->name, c->bytes * 8, TERM_INT);
        if (!h || may_write(p, h, c))
            w[i] = term_var(p->ts, c->name, c->bytes * 8, TERM_INT);
    }
    struct rule r = {.name = p->ir->fns.at[root->fn]->name,
                     .cls = root->cls,
                     .n_ifs = 1,
                     .n_thens = 1,
                     .done = UINT64_MAX};
    struct use use = use_make(p, before, v);
    r.ifs = arena_copy(&p->arena, &use, sizeof use);
    use = use_make(p, after, w);
    r.thens = arena_copy(&p->arena, &use, sizeof use);
    vec_push(&p->rules, r);
}

// After a wait the actor may be in another behaviour than before.
static void frame_rules(struct proofs *p, const struct root *root)
{
    const struct flow_handler *h =
        proofs_hands_out(p, root) ? NULL : row_of(p, root);
    uint32_t n = p->ir->behaviours.n;
    for (uint32_t b = 0; b < n; b++)
        frame_rule(p, root, h, b, b);
    for (uint32_t i = 0; i < p->flow->becomes.n; i++) {
        const struct flow_become *to = &p->flow->becomes.at[i];
        if (to->cls == root->cls && proofs_calls(p, root->fn, to->site.fn))
            for (uint32_t b = 0; b < n; b++)
                frame_rule(p, root, h, b, to->to);
    }
}

// A root that could not be followed to its end may send, answer and create
// whatever the graph allows it, with any contents, and write what the graph
// says.
void rules_havoc(struct proofs *p, const struct root *root)
{
    if (proofs_keeps(p, root))
        any_states(p, root->cls);
    else if (root->kind == ROOT_HANDLER)
        frame_rules(p, root);
    for (uint32_t i = 0; i < p->flow->edges.n; i++) {
        const struct flow_edge *e = &p->flow->edges.at[i];
        if (e->to > p->ir->classes.n || !has_site(p, e, root->fn))
            continue;
        if (e->kind == FLOW_CREATE) {
            if (e->to < p->ir->classes.n)
                any_states(p, e->to);
        } else if (e->kind == FLOW_REPLY) {
            if (p->answer_of[e->msg] != IR_NOTHING)
                subject_any(subject_of(p, p->answer_of[e->msg]));
        } else if (e->to < p->ir->classes.n &&
                   message_subject(p, e->to, e->msg) != IR_NOTHING) {
            subject_any(subject_of(p, message_subject(p, e->to, e->msg)));
        }
    }
}
