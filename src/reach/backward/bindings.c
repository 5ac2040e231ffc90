// What the effects of a segment may be bound to.
#include "reach/backward/expand.h"

static bool may_be(struct choosing *g, term to, uint32_t actor)
{
    struct terms *ts = g->x->b->ts;
    if (g->of)
        to = instance_term(g->of, to);
    return !term_is_const(ts, to) || term_is(ts, to, actor);
}

bool expand_fits(struct choosing *g, uint32_t effect, const struct request *r)
{
    const struct sx_effect *e = &g->c->path->effects[effect];
    term to;
    uint32_t msg;
    if (r->kind == ASKS_REPLY)
        return e->op == IR_REPLY && e->msg == r->msg &&
               r->by->actor != g->actor;
    if (r->stopper)
        return e->op == IR_WATCH && e->msg == r->msg && g->actor == r->actor;
    if (r->asked)
        return g->of == r->asked && r->ask == effect && e->op == IR_ASK;
    return effect_sends(e, &to, &msg) && msg == r->msg &&
           may_be(g, to, r->actor);
}

static bool is_taken(const struct choosing *g, enum bind_kind kind, uint32_t to)
{
    for (uint32_t i = 0; i < g->now.n; i++)
        if (g->now.at[i].kind == kind && g->now.at[i].to == to)
            return true;
    return false;
}

static void choose_at(struct choosing *g, uint32_t effect, uint32_t end);

static void choose_one(struct choosing *g, struct binding to, uint32_t end)
{
    if (g->now.n == 16 || is_taken(g, to.kind, to.to))
        return;
    g->now.at[g->now.n++] = to;
    choose_at(g, to.effect + 1, end);
    g->now.n--;
}

static void choose_at(struct choosing *g, uint32_t effect, uint32_t end)
{
    const struct node *n = g->x->n;
    if (g->n == EXPAND_BINDINGS) {
        g->x->b->figures.cut |= CUT_BINDINGS;
        return;
    }
    if (effect == end) {
        if (g->must.to == IR_NOTHING || is_taken(g, g->must.kind, g->must.to))
            g->all[g->n++] = g->now;
        return;
    }
    const struct sx_effect *e = &g->c->path->effects[effect];
    for (uint32_t i = 0; !g->spawns && i < n->requests.n; i++)
        if (expand_fits(g, effect, &n->requests.at[i]))
            choose_one(g, (struct binding){BIND_REQUEST, effect, i}, end);
    for (uint32_t i = 0; e->op == IR_SPAWN && i < n->cast.n; i++)
        if (!n->cast.at[i].initial && !n->cast.at[i].made &&
            n->cast.at[i].cls == e->cls)
            choose_one(g, (struct binding){BIND_ACTOR, effect, i}, end);
    choose_at(g, effect + 1, end);
}

void expand_choose(struct choosing *g)
{
    struct summary_effects all = case_effects(g->c, g->segment);
    uint32_t first = (uint32_t)(all.at - g->c->path->effects);
    choose_at(g, first, first + all.n);
}
