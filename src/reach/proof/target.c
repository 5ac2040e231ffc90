// Is there a way to a target, from any state and message that the facts allow?
#include "reach/proof/proof.h"

#include "base/libc.h"
#include "base/text.h"

#include <string.h>

enum { TOLD_MOST = 3, TERM_ROOM = 120 };

static bool from_copies(struct proofs *p, uint32_t fn)
{
    for (uint32_t i = 0; i < p->ir->msgs.n; i++) {
        const struct ir_msg *m = &p->ir->msgs.at[i];
        if ((m->copy != IR_NOTHING && proofs_calls(p, m->copy, fn)) ||
            (m->drop != IR_NOTHING && proofs_calls(p, m->drop, fn)))
            return true;
    }
    return false;
}

// Each way by itself; the same handler in several behaviours has one summary.
struct summary *ways_to(struct proofs *p, const struct root *root,
                        const struct reach_target *t)
{
    return summary_to(p->summaries, root->cls, root->msg, root->fn, t->at.fn,
                      t->at.block);
}

bool hints_of_target(struct proofs *p, const struct reach_target *t)
{
    uint32_t before = p->hints.n;
    const struct summary_case *c;
    for (uint32_t i = 0; i < p->roots.n && !proofs_late(p); i++) {
        const struct root *root = &p->roots.at[i];
        if (!proofs_calls(p, root->fn, t->at.fn))
            continue;
        struct summary *s = ways_to(p, root, t);
        for (uint32_t k = 0; (c = summary_case(p->summaries, s, k)); k++)
            hints_from(p, root, c, true);
    }
    return p->hints.n > before;
}

// ---- words --------------------------------------------------------------

struct telling {
    struct text facts;
    uint32_t n;
    bool allocates;
    bool long_ones; // there were facts too long to be told
};

// Long terms tell a reader nothing.
static void tell_term(struct proofs *p, term t, struct text *out)
{
    struct text one = {0};
    term_print(p->ts, t, &one);
    if (one.n <= TERM_ROOM)
        text_format(out, "%s", text_get(&one));
    text_free(&one);
}

static void tell_brought(struct proofs *p, const struct rule *r, term fact,
                         struct text *out)
{
    for (uint32_t i = 0; i < p->brought.n; i++) {
        const struct brought *b = &p->brought.at[i];
        if (b->fact == fact && rule_is_brought(p, r, b)) {
            text_format(out, " before any %s comes",
                        p->ir->msgs.at[b->msg].name);
            return;
        }
    }
}

static void tell_fact(struct proofs *p, struct telling *w, const struct rule *r,
                      term fact)
{
    struct text one = {0};
    tell_term(p, fact, &one);
    if (one.n)
        tell_brought(p, r, fact, &one);
    w->long_ones |= !one.n;
    if (one.n && w->n < TOLD_MOST &&
        (!w->n || !strstr(text_get(&w->facts), text_get(&one))))
        text_format(&w->facts, "%s%s", w->n++ ? " and " : "", text_get(&one));
    text_free(&one);
}

static bool allocates(struct proofs *p, uint32_t root)
{
    for (uint32_t k = 0; k < p->ir->fns.n; k++)
        if (libc_allocates(p->ir->fns.at[k]->name) && proofs_calls(p, root, k))
            return true;
    return false;
}

// The branch that the target hangs on, and the side that leads there.
static bool guard_of(const struct ir_fn *f, uint32_t block, uint32_t *at,
                     uint32_t *side)
{
    for (uint32_t to = block; f->blocks.at[to].idom != IR_NOTHING;) {
        uint32_t from = f->blocks.at[to].idom;
        const struct ir_block *b = &f->blocks.at[from];
        if (b->n_succs > 1 && !ir_postdominates(f, block, from)) {
            for (uint32_t k = 0; k < b->n_succs; k++)
                if (ir_dominates(f, ir_succs(f, b)[k], block)) {
                    *at = from;
                    *side = k;
                    return true;
                }
        }
        to = from;
    }
    return false;
}

// The condition of that branch as some way that took another side has it.
static void tell_guard(struct proofs *p, const struct reach_target *t,
                       struct text *out)
{
    const struct ir_fn *f = p->ir->fns.at[t->at.fn];
    const struct summary_case *c;
    uint32_t at, side;
    if (!guard_of(f, t->at.block, &at, &side) ||
        words_of_side(p->ir, f, at, side, out))
        return;
    for (uint32_t i = 0; i < p->roots.n; i++) {
        const struct root *root = &p->roots.at[i];
        if (!proofs_calls(p, root->fn, t->at.fn))
            continue;
        struct summary *s =
            summary_of(p->summaries, root->cls, root->msg, root->fn);
        for (uint32_t k = 0; (c = summary_case(p->summaries, s, k)); k++)
            for (uint32_t d = 0; d < c->path->n_decisions; d++) {
                const struct sx_decision *x = &c->path->decisions[d];
                if (x->fn != t->at.fn || x->block != at || x->side == side ||
                    term_is_true(p->ts, x->condition))
                    continue;
                tell_term(p, term_not(p->ts, x->condition), out);
                return;
            }
    }
}

static const char *tell(struct proofs *p, const struct reach_target *t,
                        struct telling *w)
{
    const struct ir_fn *f = p->ir->fns.at[t->at.fn];
    struct text out = {0};
    struct text guard = {0};
    tell_guard(p, t, &guard);
    if (guard.n)
        text_format(&out, "%s never holds here", text_get(&guard));
    else
        text_format(&out, "no run of %s comes here", f->name);
    if (w->n)
        text_format(&out, ", since %s (%u cases of %u handlers keep it so)",
                    text_get(&w->facts), p->n_cases, p->n_handlers);
    else if (w->long_ones)
        text_format(&out, ", by what %u cases of %u handlers leave", p->n_cases,
                    p->n_handlers);
    else
        text_format(&out, ", whatever the state and the message");
    if (w->allocates)
        text_format(&out, "; memory does not run out");
    const char *why = arena_text(&p->r->arena, text_get(&out));
    text_free(&guard);
    text_free(&out);
    return why;
}

// ---- the proof ----------------------------------------------------------

// Cannot be, by both solvers; facts that it needs are told.
static bool rule_refuted(struct proofs *p, const struct rule *r,
                         struct telling *w)
{
    struct question q;
    bool refuted = true;
    if (question_begin(p, r, NULL, 0, true, &q)) {
        refuted =
            solver_check(p->solver, q.at.at, q.at.n, NULL) == SOLVER_UNSAT &&
            solver_check(p->second, q.at.at, q.at.n, NULL) == SOLVER_UNSAT;
        uint32_t *core = arena_get(&p->arena, (q.at.n + 1) * sizeof *core);
        uint32_t n =
            refuted ? solver_core(p->solver, q.at.at, NULL, q.at.n, core) : 0;
        for (uint32_t i = 0; i < n; i++)
            if (q.facts.at[core[i]])
                tell_fact(p, w, r, q.facts.at[core[i]]);
    } else {
        for (uint32_t i = 0; i < r->n_ifs; i++) {
            const struct subject *s = subject_of(p, r->ifs[i].subject);
            if (!s->none || w->n)
                continue;
            if (s->about == ABOUT_MESSAGE)
                text_format(&w->facts, "no %s ever comes to %s",
                            p->ir->msgs.at[s->id].name,
                            p->ir->classes.at[s->cls].name);
            else if (s->about == ABOUT_STATE)
                text_format(&w->facts, "no %s is ever in %s",
                            p->ir->classes.at[s->cls].name,
                            p->ir->behaviours.at[s->id].name);
            else
                text_format(&w->facts, "no %s is ever answered",
                            p->ir->msgs.at[s->id].name);
            w->n++;
        }
    }
    question_free(&q);
    return refuted;
}

static bool case_refuted(struct proofs *p, const struct root *root,
                         const struct summary_case *c, struct telling *w)
{
    bool waits = c->path->n_segments > 1, refuted = true;
    if (!p->facts_ok || root->kind == ROOT_INIT || root->kind == ROOT_SETUP)
        return false;
    for (uint32_t b = 0; refuted && b < p->ir->behaviours.n; b++) {
        bool here = root->kind == ROOT_FINI || waits || b == root->behaviour;
        if (!here || state_subject(p, root->cls, b) == IR_NOTHING)
            continue;
        struct rule r = rule_to(p, root, c, b);
        refuted = rule_refuted(p, &r, w);
        rule_free(&r);
    }
    return refuted;
}

static bool ways_refuted(struct proofs *p, const struct root *root,
                         struct summary *s, struct telling *w, bool *cut)
{
    *cut = false;
    for (uint32_t i = 0;; i++) {
        const struct summary_case *c = summary_case(p->summaries, s, i);
        if (!c)
            break;
        struct summary_case kept = *c;
        if (proofs_late(p) || !case_refuted(p, root, &kept, w))
            return false;
    }
    *cut = !summary_exact(s);
    return !*cut;
}

// First with loops in one step, which takes little time however they turn.
static bool root_refuted(struct proofs *p, const struct root *root,
                         const struct reach_target *t, struct telling *w,
                         bool *cut)
{
    struct summary *wide = summary_wide(p->summaries, root->cls, root->msg,
                                        root->fn, t->at.fn, t->at.block);
    w->allocates |= allocates(p, root->fn);
    return ways_refuted(p, root, wide, w, cut) ||
           ways_refuted(p, root, ways_to(p, root, t), w, cut);
}

const char *target_refute(struct proofs *p, const struct reach_target *t,
                          bool *cut)
{
    struct telling w = {0};
    const char *why = NULL;
    bool refuted = !from_copies(p, t->at.fn);
    *cut = !refuted;
    for (uint32_t i = 0; refuted && i < p->roots.n; i++)
        if (proofs_calls(p, p->roots.at[i].fn, t->at.fn) &&
            proofs_keeps(p, &p->roots.at[i]))
            refuted = !(*cut = true);
    for (uint32_t i = 0; refuted && i < p->roots.n; i++)
        if (proofs_calls(p, p->roots.at[i].fn, t->at.fn))
            refuted = root_refuted(p, &p->roots.at[i], t, &w, cut);
    if (refuted)
        why = tell(p, t, &w);
    text_free(&w.facts);
    return why;
}
