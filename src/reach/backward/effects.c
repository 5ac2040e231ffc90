// What a step sends, answers and makes, bound to what later steps ask for.
#include "reach/backward/step.h"

const struct binding *step_binding(const struct stepping *s, uint32_t effect)
{
    for (uint32_t i = 0; i < s->p->bound.n; i++)
        if (s->p->bound.at[i].effect == effect)
            return &s->p->bound.at[i];
    return NULL;
}

// ---- channels -------------------------------------------------------------

static bool same_channel(const struct backward *b, const struct channel *c,
                         uint32_t from, uint32_t to)
{
    return c->to == to && (c->from == from || b->delivery == DELIVERY_MAILBOX);
}

// A send is bound to a receive at this position; false: it would be overtaken.
static bool in_order(struct stepping *s, uint32_t from, uint32_t to,
                     uint32_t position, bool may_wait)
{
    struct node *n = s->n;
    if (s->b->delivery == DELIVERY_ANY)
        return true;
    for (uint32_t i = 0; i < n->channels.n; i++) {
        struct channel *c = &n->channels.at[i];
        if (!same_channel(s->b, c, from, to))
            continue;
        if (position <= c->position)
            return may_wait;
        c->position = position;
        return true;
    }
    vec_push(&n->channels, ((struct channel){from, to, position}));
    return true;
}

static uint32_t class_in(const struct stepping *s, uint32_t actor)
{
    for (uint32_t i = 0; i < s->n->cast.n; i++)
        if (s->n->cast.at[i].number == actor)
            return s->n->cast.at[i].cls;
    return IR_NOTHING;
}

// A send that nobody receives must not lie before one that is received.
static enum prepended pass_by(struct stepping *s, uint32_t from, term to,
                              uint32_t msg)
{
    struct terms *ts = s->b->ts;
    for (uint32_t i = 0; i < s->n->channels.n; i++) {
        const struct channel *c = &s->n->channels.at[i];
        if (s->b->delivery == DELIVERY_ANY ||
            !same_channel(s->b, c, from, c->to))
            continue;
        term other = term_ne(ts, to, step_reference(s, c->to));
        if (term_is_true(ts, other))
            continue;
        if (backward_absorbs(s->b, class_in(s, c->to), msg))
            continue;
        s->p->blocked_by = c->to;
        s->p->blocked_msg = msg;
        if (term_is_false(ts, other))
            return BLOCKED;
        step_require(s, other);
    }
    return PREPENDED;
}

// ---- effects --------------------------------------------------------------

static void note_origin(struct stepping *s, uint32_t position, uint32_t from,
                        uint32_t effect, enum ir_op op)
{
    struct origin *o = arena_zero(&s->b->arena, sizeof *o);
    *o = (struct origin){.up = s->n->origins,
                         .position = position,
                         .from = from,
                         .sent = s->position,
                         .effect = effect,
                         .op = op};
    s->n->origins = o;
}

// The cells of who receives become what is sent.
static void give_contents(struct stepping *s, const struct instance *to,
                          enum sx_from from, uint32_t index,
                          const struct sx_effect *e)
{
    const struct sx_path *p = to->c.path;
    for (uint32_t k = 0; k < p->n_cells; k++) {
        const struct sx_cell *c = &p->cells[k];
        if (c->place.from != from || c->place.index != index ||
            term_op(s->b->ts, to->vars[k]) != TERM_VAR)
            continue;
        term v = writes_read(s->b->ts, e->cells, e->n_cells,
                             (uint64_t)c->place.offset, c->bytes, TERM_NONE);
        term_subst_set(s->olds, to->vars[k], step_before(s, v));
    }
}

static void give_sender(struct stepping *s, const struct instance *to,
                        uint32_t from)
{
    term var = instance_cell(to, SX_OPERATION, SX_SENDER, 0, 0);
    if (var && term_op(s->b->ts, var) == TERM_VAR)
        term_subst_set(s->olds, var, step_reference(s, from));
}

static bool bind_message(struct stepping *s, const struct sx_effect *e,
                         uint32_t effect, uint32_t from, uint32_t request)
{
    struct request *r = &s->n->requests.at[request];
    struct terms *ts = s->b->ts;
    term to;
    uint32_t msg;
    if (!effect_sends(e, &to, &msg) || r->kind != ASKS_MESSAGE ||
        msg != r->msg || r->stopper ||
        (r->asked && (r->asked != s->of || r->ask != effect)))
        return false;
    step_require(s,
                 term_eq(ts, step_before(s, to), step_reference(s, r->actor)));
    if (e->op == IR_AFTER) {
        term timer = step_before(s, e->result);
        for (uint32_t i = 0; i < r->n_cancels; i++)
            vec_push(&s->later, term_ne(ts, r->cancels[i], timer));
    } else if (!in_order(s, from, r->actor, r->position,
                         backward_absorbs(s->b, class_in(s, r->actor), msg))) {
        return false;
    }
    give_contents(s, r->by, SX_MESSAGE, 0, e);
    give_sender(s, r->by, from);
    note_origin(s, r->position, from, effect, e->op);
    s->bound[request] = true;
    return true;
}

// A notice that an actor has stopped, which the receiver asked for.
static bool bind_notice(struct stepping *s, const struct sx_effect *e,
                        uint32_t effect, uint32_t from, uint32_t request)
{
    struct request *r = &s->n->requests.at[request];
    if (e->op != IR_WATCH || r->kind != ASKS_MESSAGE || e->msg != r->msg ||
        !r->stopper || r->actor != from)
        return false;
    step_require(s, term_eq(s->b->ts, step_before(s, e->args[1]),
                            step_reference(s, r->stopper)));
    give_contents(s, r->by, SX_MESSAGE, 0, e);
    give_sender(s, r->by, r->stopper);
    note_origin(s, r->position, r->stopper, effect, IR_WATCH);
    s->bound[request] = true;
    return true;
}

// The effect of an activation that made the future a segment waits for.
uint32_t step_ask(const struct instance *i, uint32_t wait)
{
    const struct sx_path *p = i->c.path;
    for (uint32_t k = 0; k < p->n_effects; k++)
        if (p->effects[k].op == IR_ASK &&
            p->effects[k].result == p->segments[wait].future)
            return k;
    return IR_NOTHING;
}

static bool bind_reply(struct stepping *s, const struct sx_effect *e,
                       uint32_t effect, uint32_t from, uint32_t request)
{
    struct request *r = &s->n->requests.at[request];
    if (e->op != IR_REPLY || r->kind != ASKS_REPLY || e->msg != r->msg ||
        s->of->asked || s->of->msg != r->msg)
        return false;
    if (s->shared) { // other nodes have it, too
        s->b->figures.cut |= CUT_UNSUPPORTED;
        return false;
    }
    if (!in_order(s, from, r->actor, r->position, false))
        return false;
    s->of->asked = r->by;
    s->of->ask = step_ask(r->by, r->wait);
    give_contents(s, r->by, SX_ANSWER, r->wait, e);
    note_origin(s, r->position, from, effect, IR_REPLY);
    s->bound[request] = true;
    return s->of->ask != IR_NOTHING;
}

// ---- creation -------------------------------------------------------------

static const struct summary_child *child_at(const struct stepping *s,
                                            uint32_t effect)
{
    for (uint32_t i = 0; i < s->c->n_children; i++)
        if (s->c->children[i].effect == effect)
            return &s->c->children[i];
    return NULL;
}

// The first state of a new actor is what later steps demand of it.
static bool bind_actor(struct stepping *s, uint32_t effect, uint32_t place)
{
    struct cast *a = &s->n->cast.at[place];
    const struct summary_child *child = child_at(s, effect);
    struct node *n = s->n;
    uint32_t kept = 0;
    if (!child || child->stopped || child->cls != a->cls || a->made ||
        a->initial ||
        (a->behaviour != IR_NOTHING && a->behaviour != child->behaviour))
        return false;
    for (uint32_t i = 0; i < n->pendings.n; i++)
        if (n->pendings.at[i].of->actor == a->number)
            return false;
    for (uint32_t i = 0; i < n->demands.n; i++) {
        struct demand d = n->demands.at[i];
        if (d.actor != a->number) {
            n->demands.at[kept++] = d;
            continue;
        }
        term v = writes_read(s->b->ts, child->cells, child->n_cells, d.offset,
                             d.bytes, TERM_NONE);
        term_subst_set(s->olds, d.var, step_before(s, v));
    }
    n->demands.n = kept;
    a->made = true;
    n->unknown--;
    return true;
}

// ---- all effects ----------------------------------------------------------

static void note_cancel(struct stepping *s, const struct sx_effect *e)
{
    for (uint32_t i = 0; i < s->n->requests.n; i++) {
        struct request *r = &s->n->requests.at[i];
        if (r->kind == ASKS_MESSAGE && r->n_cancels < 8)
            r->cancels[r->n_cancels++] = step_before(s, e->args[1]);
    }
}

// Does a later step wait for the answer to this question?
static bool is_awaited(const struct stepping *s, const struct sx_effect *e)
{
    for (uint32_t i = 0; i < s->n->requests.n; i++) {
        const struct request *r = &s->n->requests.at[i];
        if (r->kind == ASKS_REPLY && r->by == s->of &&
            s->c->path->segments[r->wait].future == e->result)
            return true;
    }
    return false;
}

enum prepended step_effect(struct stepping *s, uint32_t effect)
{
    const struct sx_effect *e = &s->c->path->effects[effect];
    const struct binding *to = step_binding(s, effect);
    term acting = step_before(s, e->actor), dest;
    uint32_t from = s->actor, msg;
    if (acting && term_is_const(s->b->ts, acting))
        from = (uint32_t)term_value(s->b->ts, acting);
    if (e->op == IR_CANCEL)
        note_cancel(s, e);
    if (to && to->kind == BIND_ACTOR)
        return bind_actor(s, effect, to->to) ? PREPENDED : NOT_POSSIBLE;
    if (to)
        return bind_message(s, e, effect, from, to->to) ||
                       bind_notice(s, e, effect, from, to->to) ||
                       bind_reply(s, e, effect, from, to->to)
                   ? PREPENDED
                   : NOT_POSSIBLE;
    for (uint32_t i = 0; i < s->n->requests.n; i++)
        if (s->n->requests.at[i].asked == s->of &&
            s->n->requests.at[i].ask == effect && e->op == IR_ASK)
            return NOT_POSSIBLE; // the answer was to this one
    if (e->op == IR_ASK && is_awaited(s, e))
        return NOT_POSSIBLE; // who answered came before the question
    if (effect_sends(e, &dest, &msg) && e->op != IR_AFTER)
        return pass_by(s, from, step_before(s, dest), msg);
    return PREPENDED;
}

// Later effects first, as positions fall.
enum prepended step_effects(struct stepping *s)
{
    struct summary_effects all = case_effects(s->c, s->p->segment);
    uint32_t first = (uint32_t)(all.at - s->c->path->effects);
    for (uint32_t i = all.n; i-- > 0;) {
        enum prepended how = step_effect(s, first + i);
        if (how != PREPENDED)
            return how;
    }
    return PREPENDED;
}
