// Which steps may come before a path.
//
// Senders and creators come from the message flow graph alone (TAP section 4).
// A core of a refutation says what to try first, never what not to try: the
// writers of all demanded cells follow, with a penalty.
#include "reach/backward/expand.h"

// ---- who ------------------------------------------------------------------

typedef void for_actor(struct expanding *x, struct who who, void *arg,
                       double penalty);

// Actors of a class: those of the path, some others of the start, a new one.
static void each_actor(struct expanding *x, uint32_t cls, for_actor *use,
                       void *arg)
{
    struct backward *b = x->b;
    uint32_t strangers = 0;
    for (uint32_t i = 0; i < x->n->cast.n; i++) {
        const struct cast *a = &x->n->cast.at[i];
        if (a->cls == cls && !a->made)
            use(x, (struct who){a->number, cls, a->initial}, arg, 0);
    }
    for (uint32_t i = 0; i < b->start.actors.n; i++) {
        const struct start_actor *a = &b->start.actors.at[i];
        bool known = a->cls != cls || a->stopped;
        for (uint32_t k = 0; k < x->n->cast.n && !known; k++)
            known = x->n->cast.at[k].number == i + 1;
        if (known)
            continue;
        if (strangers++ == EXPAND_STRANGERS) {
            b->figures.cut |= CUT_ACTORS;
            break;
        }
        use(x, (struct who){i + 1, cls, true}, arg, 0.1 * strangers);
    }
    for (uint32_t d = 0; d < b->ir->classes.n; d++)
        if (flow_has(b->flow, d, cls, FLOW_CREATE, IR_NOTHING)) {
            use(x, (struct who){ACTOR_NONE, cls, false}, arg, 0);
            break;
        }
}

// ---- senders, repliers, creators ------------------------------------------

struct sender {
    uint32_t handler;
    struct must must;
    enum ir_op op; // REPLY, SPAWN, or SEND for all that send
    uint32_t msg;  // or the class that is made
};

static bool has_effect(const struct summary_case *c, uint32_t segment,
                       const struct sender *s)
{
    struct summary_effects all = case_effects(c, segment);
    term to;
    uint32_t msg;
    for (uint32_t i = 0; i < all.n; i++) {
        const struct sx_effect *e = &all.at[i];
        if (s->op == IR_WATCH) {
            if (e->op == IR_WATCH && e->msg == s->msg)
                return true;
            continue;
        }
        if (s->op == IR_SPAWN   ? e->op == IR_SPAWN && e->cls == s->msg
            : s->op == IR_REPLY ? e->op == IR_REPLY && e->msg == s->msg
                                : effect_sends(e, &to, &msg) && msg == s->msg)
            return true;
    }
    return false;
}

static void use_sender(struct expanding *x, struct who who, void *arg,
                       double penalty)
{
    const struct sender *s = arg;
    struct backward *b = x->b;
    const struct summary_case *c;
    for (uint32_t i = 0; (c = backward_case(b, s->handler, i)); i++) {
        struct summary_case copy = *c;
        for (uint32_t k = 0; k < copy.path->n_segments; k++)
            if (has_effect(&copy, k, s) &&
                !expand_repeated(b, s->handler, i, k))
                expand_case(x, who, s->handler, &copy, k, s->must, penalty);
    }
}

// Classes whose code sends it: also that of who makes such an actor, as its
// init runs there.
bool backward_may_send(const struct backward *b, uint32_t cls, uint32_t to,
                       uint32_t msg)
{
    if (flow_sends(b->flow, cls, to, msg))
        return true;
    for (uint32_t c = 0; c < b->ir->classes.n; c++)
        if (b->ir->classes.at[c].init != IR_NOTHING &&
            flow_has(b->flow, cls, c, FLOW_CREATE, IR_NOTHING) &&
            flow_sends(b->flow, c, to, msg))
            return true;
    return false;
}

static void bind_flights(struct expanding *x, uint32_t request)
{
    struct backward *b = x->b;
    const struct request *r = &x->n->requests.at[request];
    for (uint32_t i = 0; i < b->start.flights.n; i++) {
        const struct start_flight *f = &b->start.flights.at[i];
        if (f->to != r->actor || f->msg != r->msg || x->n->flights.at[i] ||
            f->op == IR_WATCH)
            continue;
        struct node *n = node_copy(b, x->n);
        if (node_bind_flight(b, n, request, i))
            backward_push(b, n, -0.2);
        else
            node_free(n);
    }
}

// The notice of a watched actor: first who stops, then who watched it.
static void use_stopper(struct expanding *x, struct who who, void *arg,
                        double penalty)
{
    const struct sender *s = arg;
    struct backward *b = x->b;
    const struct summary_case *c;
    struct node *n = node_copy(b, x->n);
    struct expanding y = {b, n};
    struct must none = {BIND_REQUEST, IR_NOTHING};
    if (who.number == ACTOR_NONE)
        who.number = backward_actor(b);
    n->requests.at[s->must.to].stopper = who.number;
    for (uint32_t i = 0; (c = backward_case(b, s->handler, i)); i++) {
        struct summary_case copy = *c;
        for (uint32_t k = 0; k < copy.path->n_segments; k++)
            if (copy.path->segments[k].stopped &&
                !expand_repeated(b, s->handler, i, k))
                expand_case(&y, who, s->handler, &copy, k, none, penalty);
    }
    node_free(n);
}

static void fulfil_notice(struct expanding *x, uint32_t request)
{
    struct backward *b = x->b;
    const struct request *r = &x->n->requests.at[request];
    uint32_t to = expand_class(x->n, r->actor);
    struct sender s = {
        .must = {BIND_REQUEST, request}, .op = IR_WATCH, .msg = r->msg};
    for (uint32_t h = 0; h < b->handlers.n; h++) {
        const struct handler *row = &b->handlers.at[h];
        s.handler = h;
        if (r->stopper && row->cls == to)
            use_sender(
                x, (struct who){r->actor, to, backward_is_initial(b, r->actor)},
                &s, 0);
        else if (!r->stopper &&
                 flow_has(b->flow, row->cls, to, FLOW_NOTICE, r->msg))
            each_actor(x, row->cls, use_stopper, &s);
    }
}

static void fulfil_request(struct expanding *x, uint32_t request)
{
    struct backward *b = x->b;
    const struct request *r = &x->n->requests.at[request];
    uint32_t to = expand_class(x->n, r->actor);
    struct sender s = {.must = {BIND_REQUEST, request}, .msg = r->msg};
    s.op = r->kind == ASKS_REPLY ? IR_REPLY : IR_SEND;
    if (r->kind == ASKS_MESSAGE && r->asked)
        return; // the asker's own part does it
    if (r->kind == ASKS_MESSAGE)
        fulfil_notice(x, request);
    if (r->stopper)
        return;
    if (r->kind == ASKS_MESSAGE)
        bind_flights(x, request);
    for (uint32_t h = 0; h < b->handlers.n; h++) {
        const struct handler *row = &b->handlers.at[h];
        bool may = s.op == IR_REPLY
                       ? row->msg == r->msg
                       : backward_may_send(b, row->cls, to, r->msg);
        s.handler = h;
        if (may)
            each_actor(x, row->cls, use_sender, &s);
    }
}

static void make_actor(struct expanding *x, uint32_t place)
{
    struct backward *b = x->b;
    struct sender s = {.must = {BIND_ACTOR, place},
                       .op = IR_SPAWN,
                       .msg = x->n->cast.at[place].cls};
    for (uint32_t i = 0; i < x->n->pendings.n; i++)
        if (x->n->pendings.at[i].of->actor == x->n->cast.at[place].number)
            return;
    for (uint32_t h = 0; h < b->handlers.n; h++) {
        s.handler = h;
        if (flow_has(b->flow, b->handlers.at[h].cls, s.msg, FLOW_CREATE,
                     IR_NOTHING))
            each_actor(x, b->handlers.at[h].cls, use_sender, &s);
    }
}

// ---- all of it --

void backward_expand(struct backward *b, const struct node *n, const bool *core)
{
    struct expanding x = {b, n};
    uint32_t flight = node_flight_in_way(b, n);
    if (backward_small_steps(b))
        expand_opened(&x);
    for (uint32_t i = 0; i < n->pendings.n; i++)
        expand_part(&x, &n->pendings.at[i]);
    for (uint32_t i = 0; i < n->requests.n; i++)
        fulfil_request(&x, i);
    for (uint32_t i = 0; i < n->cast.n; i++)
        if (!n->cast.at[i].initial && !n->cast.at[i].made)
            make_actor(&x, i);
    expand_writers(&x, core);
    if (flight != IR_NOTHING)
        expand_fill(&x, b->start.flights.at[flight].to,
                    b->start.flights.at[flight].msg);
}
