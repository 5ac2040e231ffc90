// What messages bring: facts about the state of an actor that hold whenever a
// message of one type comes to it, though they do not hold from the start.
//
// Such a fact is lasting: what the actor does never ends it.  Then it is enough
// that it holds before the message can come, for one of two reasons.
//
//   Order    The sender sent another message before, to the same actor, and
//            the fact holds once that one was handled.  Messages from one actor
//            to another keep their order, in all models but `any`.
//   Cause    There is one actor of the class, and whatever leads to the message
//            began with something that this actor did when, or after, the fact
//            held: no answer comes before the question.
//
// For causes, a subject (proof.h) is `known` if the fact holds as soon as there
// is such a state, message or answer.  What is assumed of all subjects is given
// up where a rule makes one and no reason is seen, until nothing changes.
#include "reach/proof/proof.h"

#include "solver/solver.h"

enum { BROUGHT_MOST = 24 };

enum judged { NOT_ASKED, YES, NO };

struct ghost {
    struct proofs *p;
    uint32_t cls;
    term fact;
    bool single;           // there is one actor of the class
    bool ordered;          // messages keep their order on the way to it
    bool *known;           // by subject
    unsigned char *leaves; // by rule: enum judged
    unsigned char *sets;   // by message: enum judged
};

static bool is_state(const struct ghost *g, const struct use *u)
{
    const struct subject *s = subject_of(g->p, u->subject);
    return s->about == ABOUT_STATE && s->cls == g->cls;
}

static bool begins_in_state(const struct ghost *g, const struct rule *r)
{
    for (uint32_t i = 0; i < r->n_ifs; i++)
        if (is_state(g, &r->ifs[i]))
            return true;
    return false;
}

// Does the fact hold of every state of the class that the rule leaves?  If it
// leaves none, its actor has stopped, or waits and takes nothing meanwhile.
static bool rule_leaves(struct ghost *g, uint32_t rule)
{
    struct proofs *p = g->p;
    const struct rule *r = &p->rules.at[rule];
    if (g->leaves[rule] != NOT_ASKED)
        return g->leaves[rule] == YES;
    bool yes = true;
    for (uint32_t i = 0; yes && i < r->n_thens; i++)
        yes = !is_state(g, &r->thens[i]) ||
              rule_gives(p, r, term_subst(r->thens[i].subst, g->fact));
    g->leaves[rule] = yes ? YES : NO;
    return yes;
}

// Once the fact holds, it holds for ever.
static bool is_lasting(struct ghost *g)
{
    struct proofs *p = g->p;
    struct brought assumed = {g->cls, IR_NOTHING, g->fact};
    bool lasts = true;
    vec_push(&p->brought, assumed);
    for (uint32_t i = 0; lasts && i < p->rules.n; i++) {
        const struct rule *r = &p->rules.at[i];
        if (rule_can_be(p, r) && begins_in_state(g, r))
            lasts = rule_leaves(g, i);
    }
    p->brought.n--;
    for (uint32_t i = 0; i < p->rules.n; i++)
        g->leaves[i] = NOT_ASKED;
    return lasts;
}

static bool takes(const struct rule *r, uint32_t message)
{
    return r->n_ifs && r->ifs[0].subject == message;
}

static bool has_row(const struct ghost *g, uint32_t behaviour, uint32_t msg)
{
    const struct proofs *p = g->p;
    for (uint32_t i = 0; i < p->roots.n; i++) {
        const struct root *r = &p->roots.at[i];
        if (r->kind == ROOT_HANDLER && r->cls == g->cls &&
            r->behaviour == behaviour && r->msg == msg)
            return r->followed;
    }
    return false;
}

// Does the fact hold once this message was handled, and is it handled at once
// in all behaviours?
static bool message_sets(struct ghost *g, uint32_t msg)
{
    struct proofs *p = g->p;
    uint32_t message = message_subject(p, g->cls, msg);
    if (message == IR_NOTHING)
        return false;
    if (g->sets[msg] != NOT_ASKED)
        return g->sets[msg] == YES;
    bool yes = true;
    for (uint32_t b = 0; yes && b < p->ir->behaviours.n; b++)
        yes = state_subject(p, g->cls, b) == IR_NOTHING || has_row(g, b, msg);
    for (uint32_t i = 0; yes && i < p->rules.n; i++) {
        const struct rule *r = &p->rules.at[i];
        if (r->cls == g->cls && !r->resumed && takes(r, message) &&
            rule_can_be(p, r))
            yes = rule_leaves(g, i);
    }
    g->sets[msg] = yes ? YES : NO;
    return yes;
}

static bool is_behind(struct ghost *g, const struct use *then)
{
    const struct subject *s = subject_of(g->p, then->subject);
    if (!g->ordered || s->about != ABOUT_MESSAGE || s->cls != g->cls)
        return false;
    for (uint32_t i = 0; i < then->n_behind; i++) {
        uint32_t before = message_subject(g->p, g->cls, then->behind[i]);
        if (before != IR_NOTHING &&
            (g->known[before] || message_sets(g, then->behind[i])))
            return true;
    }
    return false;
}

static bool is_caused(struct ghost *g, uint32_t rule)
{
    const struct rule *r = &g->p->rules.at[rule];
    for (uint32_t i = 0; g->single && i < r->n_ifs; i++)
        if (g->known[r->ifs[i].subject])
            return true;
    return g->single && r->cls == g->cls && rule_leaves(g, rule);
}

static bool rule_keeps(struct ghost *g, uint32_t rule)
{
    const struct rule *r = &g->p->rules.at[rule];
    bool kept = true, asked = false, caused = false;
    for (uint32_t i = 0; i < r->n_thens; i++) {
        const struct use *u = &r->thens[i];
        if (!g->known[u->subject] || is_behind(g, u))
            continue;
        caused = asked ? caused : is_caused(g, rule);
        asked = true;
        if (!caused)
            kept = g->known[u->subject] = false;
    }
    return kept;
}

static void spread_known(struct ghost *g)
{
    struct proofs *p = g->p;
    for (uint32_t i = 0; i < p->subjects.n; i++) {
        const struct subject *s = subject_of(p, i);
        bool mine = s->about == ABOUT_MESSAGE && s->cls == g->cls;
        g->known[i] = !s->any && !s->open && (mine || g->single);
    }
    for (bool again = true; again;) {
        again = false;
        for (uint32_t i = 0; i < p->rules.n; i++)
            if (rule_can_be(p, &p->rules.at[i]))
                again |= !rule_keeps(g, i);
    }
}

// ---- one actor of a class -----------------------------------------------

static bool spawns_one(struct proofs *p, const struct root *setup, uint32_t cls)
{
    struct summary *s = setup->followed;
    const struct summary_case *c;
    for (uint32_t i = 0; s && (c = summary_case(p->summaries, s, i)); i++) {
        uint32_t n = 0;
        for (uint32_t k = 0; k < c->path->n_effects; k++)
            n += c->path->effects[k].op == IR_SPAWN &&
                 (c->path->effects[k].cls == cls ||
                  c->path->effects[k].cls == IR_NOTHING);
        if (n > 1)
            return false;
    }
    return s != NULL;
}

// Only the setup makes one, and no more than that.
static bool is_single(struct proofs *p, uint32_t cls)
{
    for (uint32_t i = 0; i < p->flow->edges.n; i++) {
        const struct flow_edge *e = &p->flow->edges.at[i];
        if (e->kind == FLOW_CREATE && e->to == cls &&
            e->from != flow_env(p->flow))
            return false;
    }
    for (uint32_t i = 0; i < p->roots.n; i++)
        if (p->roots.at[i].kind == ROOT_SETUP)
            return spawns_one(p, &p->roots.at[i], cls);
    return false;
}

// ---- all ----------------------------------------------------------------

static bool has_target(struct proofs *p, const struct reach_target *t,
                       uint32_t cls)
{
    for (uint32_t i = 0; i < p->roots.n; i++)
        if (p->roots.at[i].kind == ROOT_HANDLER && p->roots.at[i].cls == cls &&
            proofs_calls(p, p->roots.at[i].fn, t->at.fn))
            return true;
    return false;
}

static void find_of(struct proofs *p, uint32_t cls, term fact)
{
    struct ghost g = {.p = p, .cls = cls, .fact = fact};
    g.single = is_single(p, cls);
    g.ordered =
        p->r->o.delivery != DELIVERY_ANY && p->ir->classes.at[cls].mailbox == 0;
    g.known = arena_zero(&p->arena, p->subjects.n + 1);
    g.leaves = arena_zero(&p->arena, p->rules.n + 1);
    g.sets = arena_zero(&p->arena, p->ir->msgs.n + 1);
    if ((!g.single && !g.ordered) || !is_lasting(&g))
        return;
    spread_known(&g);
    for (uint32_t m = 0; m < p->ir->msgs.n && !proofs_late(p); m++) {
        uint32_t message = message_subject(p, cls, m);
        if (message != IR_NOTHING && g.known[message] &&
            !subject_of(p, message)->none && p->brought.n < BROUGHT_MOST)
            vec_push(&p->brought, ((struct brought){cls, m, fact}));
    }
}

bool brought_find(struct proofs *p, const struct reach_target *t)
{
    uint32_t before = p->brought.n;
    for (uint32_t c = 0; c < p->ir->classes.n; c++) {
        if (!has_target(p, t, c))
            continue;
        for (uint32_t i = 0; i < p->asked.n && !proofs_late(p); i++)
            if (p->asked.at[i].shape == &p->states[c])
                find_of(p, c, p->asked.at[i].fact);
    }
    return p->brought.n > before;
}
