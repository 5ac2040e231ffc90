// One step more in front of a path: TAP's figure 10.
//
//   Message Sending, Event Matching-Internal   a send bound to a request
//   Event Matching-External                    a step whose message is posted
//   Actor Creation, Creation Event Matching    a spawn bound to an actor
//   Actor Entry                                a request is opened
//   OnReceive Looping                          any step of an actor that has
//                                              later ones
//   Self, Sender                               known when the step is made, and
//                                              when its message is bound
//
// Beyond the paper: replies and waits (a step is a segment), behaviours, stops
// and who watches them, timers, and the order of channels.
#include "reach/backward/step.h"

// ---- may it stand here? ---------------------------------------------------

static bool part_fits(const struct stepping *s, const struct pending *w)
{
    return w->of == s->p->of && w->segment == s->p->segment;
}

static bool fits_waits(struct stepping *s)
{
    struct node *n = s->n;
    uint32_t kept = 0;
    bool ok = true;
    for (uint32_t i = 0; i < n->pendings.n; i++) {
        struct pending w = n->pendings.at[i];
        if (w.of->actor == s->actor && part_fits(s, &w)) {
            ok &= !w.paused || w.between;
            continue;
        }
        if (w.of->actor == s->actor) {
            ok &= !w.held;
            w.between = true;
        }
        n->pendings.at[kept++] = w;
    }
    n->pendings.n = kept;
    return ok;
}

static bool fits_behaviour(struct stepping *s)
{
    struct cast *a = &s->n->cast.at[s->p->cast];
    uint32_t after = s->segment->behaviour;
    uint32_t row = s->b->handlers.at[s->of->handler].behaviour;
    bool first = s->p->segment == 0;
    if (after == IR_NOTHING && first)
        after = row;
    if (after != IR_NOTHING && a->behaviour != IR_NOTHING &&
        after != a->behaviour)
        return false;
    if (first)
        a->behaviour = row;
    else if (s->segment->behaviour != IR_NOTHING)
        a->behaviour = IR_NOTHING;
    return true;
}

// ---- the state before -----------------------------------------------------

static const struct sx_cell *own_cell(const struct stepping *s, uint32_t offset,
                                      uint32_t bytes)
{
    uint32_t state = segment_state(s->c, s->p->segment);
    for (uint32_t k = 0; k < s->c->path->n_cells; k++) {
        const struct sx_cell *c = &s->c->path->cells[k];
        if (c->place.from == SX_SELF && c->place.index == state &&
            (uint64_t)c->place.offset <= offset &&
            (uint64_t)c->place.offset + c->bytes >= offset + bytes)
            return c;
    }
    return NULL;
}

static bool overlaps(const struct stepping *s, uint32_t offset, uint32_t bytes)
{
    uint32_t state = segment_state(s->c, s->p->segment);
    for (uint32_t k = 0; k < s->c->path->n_cells; k++) {
        const struct sx_cell *c = &s->c->path->cells[k];
        if (c->place.from == SX_SELF && c->place.index == state &&
            (uint64_t)c->place.offset < offset + bytes &&
            offset < (uint64_t)c->place.offset + c->bytes)
            return true;
    }
    return false;
}

// Bytes of the state before the step: a cell of the case, or a new variable.
static term cell_before(struct stepping *s, uint32_t offset, uint32_t bytes,
                        term like)
{
    struct terms *ts = s->b->ts;
    const struct sx_cell *c = own_cell(s, offset, bytes);
    if (c)
        return term_slice(ts, c->value,
                          (unsigned)(offset - (uint64_t)c->place.offset) * 8,
                          bytes * 8);
    if (bytes > 1 && overlaps(s, offset, bytes)) {
        term all = TERM_NONE;
        for (uint32_t i = 0; i < bytes; i++) {
            term byte = cell_before(s, offset + i, 1, like);
            all = all ? term_concat(ts, byte, all) : byte;
        }
        return all;
    }
    uint32_t v = term_var_index(ts, like);
    struct demand d = {.actor = s->actor, .offset = offset, .bytes = bytes};
    d.var = term_var(ts, term_var_name(ts, v), bytes * 8, term_var_kind(ts, v));
    vec_push(&s->fresh, d);
    return d.var;
}

// Demands of the actor become what the step leaves of them.
static void pass_state(struct stepping *s)
{
    struct node *n = s->n;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < n->demands.n; i++) {
        struct demand d = n->demands.at[i];
        if (d.actor != s->actor) {
            n->demands.at[kept++] = d;
            continue;
        }
        term old = cell_before(s, d.offset, d.bytes, d.var);
        term now = writes_read(s->b->ts, s->segment->writes,
                               s->segment->n_writes, d.offset, d.bytes, old);
        term_subst_set(s->olds, d.var, step_before(s, now));
    }
    n->demands.n = kept;
    for (uint32_t i = 0; i < s->fresh.n; i++)
        vec_push(&n->demands, s->fresh.at[i]);
}

// What the segment itself looks at.
static void demand_own(struct stepping *s)
{
    const struct sx_path *p = s->c->path;
    if (segment_state(s->c, s->p->segment) != s->p->segment)
        return; // of the part before get
    for (uint32_t k = 0; k < p->n_cells; k++) {
        const struct sx_cell *c = &p->cells[k];
        term var = s->of->vars[k];
        if (c->place.from != SX_SELF || c->place.index != s->p->segment ||
            term_op(s->b->ts, var) != TERM_VAR)
            continue;
        vec_push(&s->n->demands,
                 ((struct demand){var, s->actor, (uint32_t)c->place.offset,
                                  c->bytes}));
    }
}

// ---- creation ----

// Numbers for all actors that the segment makes.
static void name_children(struct stepping *s)
{
    struct summary_effects all = case_effects(s->c, s->p->segment);
    uint32_t first = (uint32_t)(all.at - s->c->path->effects);
    for (uint32_t i = 0; i < all.n; i++) {
        if (all.at[i].op != IR_SPAWN)
            continue;
        const struct binding *to = step_binding(s, first + i);
        uint32_t number = to && to->kind == BIND_ACTOR
                              ? s->n->cast.at[to->to].number
                              : backward_actor(s->b);
        term var = instance_term(s->of, all.at[i].result);
        term_subst_set(s->news, var, step_reference(s, number));
        term_subst_set(s->olds, var, step_reference(s, number));
        struct birth *born = arena_zero(&s->b->arena, sizeof *born);
        *born = (struct birth){s->n->births, s->position, first + i, number};
        s->n->births = born;
    }
}

// ---- what the step asks for -----------------------------------------------

static void open_request(struct stepping *s, struct request r)
{
    r.actor = s->actor;
    r.by = s->of;
    r.position = s->position;
    vec_push(&s->n->requests, r);
}

// What made the handler go on: an answer, a time limit, another handler.
static bool open_wait(struct stepping *s, enum step_kind *kind)
{
    uint32_t k = s->p->segment - 1;
    const struct sx_segment *w = &s->c->path->segments[k];
    vec_push(&s->n->pendings,
             ((struct pending){.of = s->of,
                               .segment = k,
                               .held = w->wait == IR_GET,
                               .paused = w->wait == IR_PAUSE}));
    *kind = w->wait == IR_PAUSE ? STEP_PAUSE : w->late ? STEP_LATE : STEP_REPLY;
    if (w->wait == IR_PAUSE)
        return true;
    uint32_t ask = step_ask(s->of, k);
    if (ask == IR_NOTHING) {
        s->b->figures.cut |= CUT_UNSUPPORTED;
        return false;
    }
    const struct sx_effect *e = &s->c->path->effects[ask];
    if (w->late) { // a stopped actor gives no answer either: not followed
        bool limit = e->n > 4 && !term_is(s->b->ts, e->args[4], 0);
        s->b->figures.cut |= limit ? 0u : CUT_UNSUPPORTED;
        return limit;
    }
    open_request(
        s, (struct request){.kind = ASKS_REPLY, .msg = e->msg, .wait = k});
    return true;
}

static bool open_step(struct stepping *s)
{
    enum step_kind kind = STEP_IN;
    if (s->p->segment > 0) {
        if (!open_wait(s, &kind))
            return false;
    } else if (s->p->outside) {
        kind = STEP_POST;
        node_outside(s->b, s->n, s->of);
        term var = instance_cell(s->of, SX_OPERATION, SX_SENDER, 0, 0);
        if (var && term_op(s->b->ts, var) == TERM_VAR)
            step_require(s, term_eq(s->b->ts, var, step_reference(s, 0)));
    } else {
        open_request(s, (struct request){.kind = ASKS_MESSAGE,
                                         .msg = s->of->msg,
                                         .asked = s->of->asked,
                                         .ask = s->of->ask});
    }
    struct path_step *step = arena_zero(&s->b->arena, sizeof *step);
    *step = (struct path_step){.later = s->n->path,
                               .kind = kind,
                               .of = s->of,
                               .segment = s->p->segment,
                               .position = s->position};
    s->n->path = step;
    return true;
}

// ---- the step -------------------------------------------------------------

static void replace_olds(struct stepping *s, uint32_t n_old)
{
    struct node *n = s->n;
    for (uint32_t i = 0; i < n_old; i++)
        n->conditions.at[i] = term_subst(s->olds, n->conditions.at[i]);
    for (uint32_t i = 0; i < s->later.n; i++)
        step_require(s, term_subst(s->olds, s->later.at[i]));
    for (uint32_t i = 0; i < n->requests.n; i++)
        for (uint32_t k = 0; k < n->requests.at[i].n_cancels; k++)
            n->requests.at[i].cancels[k] =
                term_subst(s->olds, n->requests.at[i].cancels[k]);
}

static void drop_bound(struct stepping *s)
{
    for (uint32_t i = s->n->requests.n; i-- > 0;)
        if (i < 64 && s->bound[i])
            node_drop_request(s->n, i);
}

// A new actor has no receives before it was made.
static bool made_in_time(const struct node *n)
{
    for (uint32_t i = 0; i < n->cast.n; i++)
        for (uint32_t k = 0; n->cast.at[i].made && k < n->requests.n; k++)
            if (n->requests.at[k].actor == n->cast.at[i].number)
                return false;
    return true;
}

// The state before it, and who its children are.
static bool begin(struct stepping *s)
{
    struct node *n = s->n;
    if (n->requests.n > 60 || !fits_waits(s) || !fits_behaviour(s) ||
        (s->segment->stopped && n->cast.at[s->p->cast].steps))
        return false;
    name_children(s);
    pass_state(s);
    n->length = s->position;
    n->cast.at[s->p->cast].steps++;
    return true;
}

// Its conditions, what it looks at, and its message.
static bool end(struct stepping *s)
{
    struct summary_terms guard = case_conditions(s->c, s->p->segment);
    for (uint32_t i = 0; i < guard.n; i++)
        step_require(s, step_before(s, guard.at[i]));
    demand_own(s);
    return made_in_time(s->n) && open_step(s) && node_tidy(s->b, s->n);
}

static struct stepping stepping_new(struct backward *b, struct node *n,
                                    struct step_plan *p, struct instance *of)
{
    struct stepping s = {.b = b, .n = n, .p = p, .of = of};
    s.actor = n->cast.at[p->cast].number;
    s.position = n->length + 1;
    s.shared = p->of != NULL;
    s.c = &of->c;
    s.segment = &s.c->path->segments[p->segment];
    s.news = term_subst_new(b->ts);
    s.olds = term_subst_new(b->ts);
    return s;
}

static void stepping_free(struct stepping *s)
{
    term_subst_free(s->news);
    term_subst_free(s->olds);
    vec_free(&s->fresh);
    vec_free(&s->later);
}

static struct instance *instance_of(struct backward *b, const struct node *n,
                                    const struct step_plan *p)
{
    return p->of
               ? p->of
               : instance_new(b, n->cast.at[p->cast].number, p->handler, p->c);
}

static enum prepended put_in_front(struct stepping *s)
{
    uint32_t n_old = s->n->conditions.n;
    if (!begin(s))
        return NOT_POSSIBLE;
    enum prepended how = step_effects(s);
    if (how != PREPENDED)
        return how;
    replace_olds(s, n_old);
    drop_bound(s);
    return end(s) ? PREPENDED : NOT_POSSIBLE;
}

enum prepended node_prepend(struct backward *b, struct node *n,
                            struct step_plan *p)
{
    if (n->cast.at[p->cast].made)
        return NOT_POSSIBLE;
    struct stepping s = stepping_new(b, n, p, instance_of(b, n, p));
    enum prepended how = put_in_front(&s);
    stepping_free(&s);
    return how;
}

// ---- small steps ------------------------------------------------------------

enum prepended node_begin(struct backward *b, struct node *n,
                          struct step_plan *p)
{
    uint32_t n_old = n->conditions.n;
    if (n->cast.at[p->cast].made ||
        node_is_opened(n, n->cast.at[p->cast].number))
        return NOT_POSSIBLE;
    struct stepping s = stepping_new(b, n, p, instance_of(b, n, p));
    bool ok = begin(&s);
    if (ok) {
        struct summary_effects all = case_effects(s.c, p->segment);
        struct opened o = {.of = s.of,
                           .segment = p->segment,
                           .position = s.position,
                           .left =
                               (uint32_t)(all.at - s.c->path->effects) + all.n,
                           .fresh = !p->of};
        vec_push(&n->opened, o);
        replace_olds(&s, n_old);
        ok = node_tidy(b, n);
    }
    stepping_free(&s);
    return ok ? PREPENDED : NOT_POSSIBLE;
}

// The step of an activation that was begun.
static struct stepping go_on(struct backward *b, struct node *n,
                             const struct opened *o, struct step_plan *p)
{
    for (uint32_t i = 0; i < n->cast.n; i++)
        if (n->cast.at[i].number == o->of->actor)
            p->cast = i;
    p->segment = o->segment;
    p->of = o->fresh ? NULL : o->of;
    struct stepping s = stepping_new(b, n, p, o->of);
    s.position = o->position;
    for (const struct birth *c = n->births; c; c = c->up)
        if (c->position == o->position)
            term_subst_set(
                s.news,
                instance_term(o->of, o->of->c.path->effects[c->effect].result),
                step_reference(&s, c->number));
    return s;
}

// A creation was bound when the step began.
static void bind_child(const struct node *n, const struct opened *o,
                       uint32_t effect, struct step_plan *p)
{
    for (const struct birth *c = n->births; c; c = c->up)
        for (uint32_t i = 0; i < n->cast.n; i++)
            if (c->position == o->position && c->effect == effect &&
                n->cast.at[i].number == c->number && !n->cast.at[i].made)
                p->bound.at[p->bound.n++] =
                    (struct binding){BIND_ACTOR, effect, i};
}

enum prepended node_effect(struct backward *b, struct node *n, uint32_t opened,
                           uint32_t request, struct step_plan *p)
{
    struct opened o = n->opened.at[opened];
    uint32_t effect = o.left - 1, n_old = n->conditions.n;
    *p = (struct step_plan){0};
    if (o.of->c.path->effects[effect].op == IR_REPLY && o.fresh) {
        // Whom it answers is the node's, not the activation's.
        struct instance *own = arena_zero(&b->arena, sizeof *own);
        *own = *o.of;
        o.of = own;
    }
    if (request != IR_NOTHING)
        p->bound.at[p->bound.n++] =
            (struct binding){BIND_REQUEST, effect, request};
    bind_child(n, &o, effect, p);
    struct stepping s = go_on(b, n, &o, p);
    enum prepended how = step_effect(&s, effect);
    if (how == PREPENDED) {
        replace_olds(&s, n_old);
        drop_bound(&s);
        o.left--;
        n->opened.at[opened] = o;
        how = node_tidy(b, n) ? PREPENDED : NOT_POSSIBLE;
    }
    stepping_free(&s);
    return how;
}

enum prepended node_end(struct backward *b, struct node *n, uint32_t opened,
                        bool outside)
{
    struct opened o = n->opened.at[opened];
    struct step_plan p = {.outside = outside};
    n->opened.at[opened] = vec_last(&n->opened);
    n->opened.n--;
    struct stepping s = go_on(b, n, &o, &p);
    bool ok = end(&s);
    stepping_free(&s);
    return ok ? PREPENDED : NOT_POSSIBLE;
}
