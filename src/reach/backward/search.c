// The search itself: which node is next, and whether it holds at the start.
//
// TAP section 5.2.  hf takes the node with the least left to do, and learns
// from refutations which cells of the start stand against it; the other
// settings go depth first, by chance or by weights.
#include "reach/backward/backward.h"

#include "base/clock.h"
#include "base/die.h"
#include "base/hash.h"
#include "base/rng.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    ROW_RUN = 0,
    CORE_MOST = 8,
    ROUGH_EFFORT = 500000,
    NODES_IN_QUEUE = 200000
};

// The share of the time for ways to the target.
#define ROOTS 0.4

// Of H2: a rule with penalty 0.3, a new actor, is picked a tenth as often.
#define WEIGHT 7.7

// How often a counted step may be repeated, tried in this order.
static const uint32_t turns[] = {16, 300, 5000, 20000000};

bool backward_is_initial(const struct backward *b, uint32_t actor)
{
    return actor != ACTOR_NONE && actor <= b->start.actors.n;
}

bool backward_small_steps(const struct backward *b)
{
    return b->setting == BACKWARD_RANDOM || b->setting == BACKWARD_H2;
}

bool backward_weighs(const struct backward *b)
{
    return b->setting == BACKWARD_H2 || b->setting == BACKWARD_H1H2;
}

uint32_t backward_actor(struct backward *b)
{
    return b->next_actor++;
}

// ---- what the graph and the tables say ------------------------------------

// Is the byte in an array?  The graph names arrays by their first element.
bool backward_in_array(const struct ir *ir, uint32_t type, uint64_t byte)
{
    for (;;) {
        type = ir_bare_type(ir, type);
        if (type == IR_NOTHING)
            return true;
        const struct ir_dtype *t = &ir->types.at[type];
        const struct ir_member *in = NULL;
        if (t->kind == IR_D_ARRAY || t->kind == IR_D_UNION)
            return true;
        if (t->kind != IR_D_STRUCT)
            return false;
        for (uint32_t i = 0; i < t->n; i++)
            if (t->members[i].bit / 8 <= byte)
                in = &t->members[i];
        if (!in || in->bits)
            return true;
        byte -= in->bit / 8;
        type = in->type;
    }
}

bool backward_fixed(const struct backward *b, uint32_t cls, uint64_t offset,
                    uint32_t bytes)
{
    const struct flow *f = b->flow;
    if (f->doubts.n ||
        backward_in_array(b->ir, b->ir->classes.at[cls].type, offset))
        return false;
    for (uint32_t i = 0; i < f->handlers.n; i++)
        for (uint32_t k = 0; k < f->handlers.at[i].n; k++) {
            const struct flow_access *a = &f->handlers.at[i].accesses[k];
            if (!a->write || a->global || a->of != cls)
                continue;
            if (a->size == UINT32_MAX || a->guessed ||
                (a->offset < offset + bytes && offset < a->offset + a->size))
                return false;
        }
    return true;
}

bool backward_accepts(const struct backward *b, uint32_t cls, uint32_t msg)
{
    for (uint32_t i = 0; i < b->model->accepts[cls].n; i++)
        if (b->model->accepts[cls].at[i] == msg)
            return true;
    return false;
}

bool backward_absorbs(const struct backward *b, uint32_t cls, uint32_t msg)
{
    for (uint32_t i = 0; cls != IR_NOTHING && i < b->flow->handlers.n; i++) {
        const struct flow_handler *h = &b->flow->handlers.at[i];
        const struct ir_behaviour *t = &b->ir->behaviours.at[h->behaviour];
        if (h->cls == cls && h->msg == msg && t->rows[h->row].policy != ROW_RUN)
            return true;
    }
    return false;
}

static bool find_handlers(struct backward *b)
{
    for (uint32_t i = 0; i < b->flow->handlers.n; i++) {
        const struct flow_handler *h = &b->flow->handlers.at[i];
        const struct ir_row *row =
            &b->ir->behaviours.at[h->behaviour].rows[h->row];
        if (!h->live || h->fn == IR_NOTHING || row->policy != ROW_RUN)
            continue;
        struct handler k = {h->cls, h->behaviour, h->msg, h->fn, NULL};
        vec_push(&b->handlers, k);
        for (uint32_t j = 0; j < h->n; j++)
            if (h->accesses[j].global && h->accesses[j].write)
                b->unsupported = "a handler writes a global variable";
    }
    return !b->unsupported;
}

static struct case_list *list_of(struct backward *b, struct summary *s)
{
    for (uint32_t i = 0; i < b->lists.n; i++)
        if (b->lists.at[i]->from == s)
            return b->lists.at[i];
    struct case_list *l = arena_zero(&b->arena, sizeof *l);
    cases_prepare(b, s, l);
    vec_push(&b->lists, l);
    return l;
}

struct case_list *backward_ways(struct backward *b, uint32_t handler,
                                const struct ir_target *target)
{
    const struct handler *h = &b->handlers.at[handler];
    return list_of(b, summary_to(b->summaries, h->cls, h->msg, h->fn,
                                 target->fn, target->block));
}

const struct summary_case *backward_case(struct backward *b, uint32_t handler,
                                         uint32_t i)
{
    struct handler *h = &b->handlers.at[handler];
    if (!h->cases)
        h->cases = list_of(b, summary_of(b->summaries, h->cls, h->msg, h->fn));
    return cases_at(b, h->cases, i);
}

// ---- opening --------------------------------------------------------------

static bool stops(void *user)
{
    struct backward *b = user;
    return b->stop && b->stop(b->user);
}

bool backward_open(struct backward *b, struct reach *r, const char *params,
                   struct diag *d)
{
    b->ir = r->ir;
    b->flow = r->flow;
    b->model = &r->model;
    b->delivery = r->o.delivery;
    if (!start_open(&b->start, r->ir, r->o.system, params, d))
        return false;
    b->ts = terms_new();
    b->solver = solver_new(
        b->ts, &(struct solver_options){.simple_ms = 200, .full_ms = 600});
    b->rough =
        solver_new(b->ts, &(struct solver_options){.rlimit = ROUGH_EFFORT});
    b->summaries =
        summaries_new(b->ir, b->ts, b->solver,
                      &(struct summary_options){
                          .loop = b->bounds.loop, .stop = stops, .user = b});
    b->next_actor = b->start.actors.n + 1;
    b->next_timer = (uint64_t)1 << 20;
    find_handlers(b);
    return true;
}

static void empty_queue(struct backward *b)
{
    for (uint32_t i = 0; i < b->queue.n; i++)
        node_free(b->queue.at[i]);
    b->queue.n = 0;
}

void backward_close(struct backward *b)
{
    empty_queue(b);
    for (uint32_t i = 0; i < b->instances.n; i++)
        term_subst_free(b->instances.at[i]->here);
    if (b->summaries)
        summaries_free(b->summaries);
    if (b->solver)
        solver_free(b->solver);
    if (b->rough)
        solver_free(b->rough);
    if (b->ts)
        terms_free(b->ts);
    start_close(&b->start);
    for (uint32_t i = 0; i < b->lists.n; i++)
        vec_free(&b->lists.at[i]->at);
    vec_free(&b->lists);
    vec_free(&b->needs);
    vec_free(&b->handlers);
    vec_free(&b->instances);
    vec_free(&b->queue);
    map_free(&b->seen);
    arena_free(&b->arena);
}

// ---- paths that are one ---------------------------------------------------

// The steps of an actor, in its own order, and who sent what: orders of steps
// of different actors do not matter.
static uint64_t key_of(struct backward *b, const struct node *n)
{
    uint64_t all = 0;
    struct map place = {0}; // position -> hash of the step
    struct map counts = {0};
    VEC(const struct path_step *) steps = {0};
    for (const struct path_step *s = n->path; s; s = s->later)
        vec_push(&steps, s);
    for (uint32_t i = steps.n; i-- > 0;) {
        const struct path_step *s = steps.at[i];
        uint32_t *nth = map_at(&counts, s->of->actor);
        *nth = *nth == MAP_NONE ? 0 : *nth + 1;
        uint32_t who = backward_is_initial(b, s->of->actor)
                           ? s->of->actor
                           : UINT32_MAX; // new actors are told by their steps
        uint64_t h = hash_join(map_pair(who, *nth),
                               map_pair(s->of->handler, s->segment));
        h = hash_join(h, s->of->c.path->trail);
        h = hash_join(h, map_pair((uint32_t)s->kind, s->times != TERM_NONE));
        map_put(&place, s->position, (uint32_t)(h ^ h >> 32));
        all += h;
    }
    for (uint32_t i = 0; i < n->opened.n; i++) {
        const struct opened *o = &n->opened.at[i];
        uint64_t h = hash_join(map_pair(o->of->actor, o->of->handler),
                               hash_join(o->of->c.path->trail, o->segment));
        map_put(&place, o->position, (uint32_t)(h ^ h >> 32));
        all += hash_join(h, o->left);
    }
    for (const struct origin *o = n->origins; o; o = o->up)
        all += hash_join(
            map_pair(map_get(&place, o->position), map_get(&place, o->sent)),
            map_pair(o->effect, o->from));
    for (uint32_t i = 0; i < n->requests.n; i++)
        all += hash_join(n->requests.at[i].stopper, n->requests.at[i].position);
    for (uint32_t i = 0; i < n->flights.n; i++)
        all += n->flights.at[i]
                   ? hash_join(i, map_get(&place, n->flights.at[i]))
                   : 0;
    vec_free(&steps);
    map_free(&place);
    map_free(&counts);
    return hash_join(all, map_pair(n->cast.n, n->length));
}

// ---- the queue ------------------------------------------------------------

static bool is_depth_first(const struct backward *b)
{
    return b->setting != BACKWARD_HF;
}

// The node with the least priority is next; of equal ones the newest.
static bool before(const struct node *x, const struct node *y)
{
    if (x->priority < y->priority || x->priority > y->priority)
        return x->priority < y->priority;
    return x->serial > y->serial;
}

static void sift_up(struct backward *b, uint32_t i)
{
    while (i && before(b->queue.at[i], b->queue.at[(i - 1) / 2])) {
        struct node *n = b->queue.at[i];
        b->queue.at[i] = b->queue.at[(i - 1) / 2];
        b->queue.at[(i - 1) / 2] = n;
        i = (i - 1) / 2;
    }
}

static struct node *take_least(struct backward *b)
{
    struct node *least = b->queue.at[0];
    b->queue.at[0] = vec_pop(&b->queue);
    for (uint32_t i = 0, k; (k = 2 * i + 1) < b->queue.n; i = k) {
        if (k + 1 < b->queue.n && before(b->queue.at[k + 1], b->queue.at[k]))
            k++;
        if (!before(b->queue.at[k], b->queue.at[i]))
            break;
        struct node *n = b->queue.at[i];
        b->queue.at[i] = b->queue.at[k];
        b->queue.at[k] = n;
    }
    return least;
}

// Depth first a rule is picked by chance: with H2 in proportion to its weight,
// else all alike.  The least of exponential times with these rates is next.
static double chance(struct backward *b, double penalty)
{
    double weight = backward_weighs(b) ? exp(-WEIGHT * penalty) : 1;
    return -log(1 - rng_unit(b->rng)) / weight;
}

void backward_push(struct backward *b, struct node *n, double penalty)
{
    if (b->delivery == DELIVERY_CAUSAL && !node_is_causal(n)) {
        node_free(n);
        return;
    }
    uint32_t *seen = map_at(&b->seen, key_of(b, n));
    if (*seen != MAP_NONE || b->queue.n >= NODES_IN_QUEUE) {
        b->figures.cut |= *seen == MAP_NONE ? CUT_STEPS : 0u;
        node_free(n);
        return;
    }
    *seen = 1;
    n->priority = n->requests.n + n->pendings.n + 0.5 * n->unknown +
                  0.1 * n->length + penalty;
    if (is_depth_first(b))
        n->priority = chance(b, penalty);
    vec_push(&b->queue, n);
    if (!is_depth_first(b))
        sift_up(b, b->queue.n - 1);
}

static int by_weight(const void *x, const void *y)
{
    const struct node *a = *(struct node *const *)x,
                      *b = *(struct node *const *)y;
    return a->priority < b->priority ? 1 : a->priority > b->priority ? -1 : 0;
}

// Depth first: of the nodes that a step gave the best one goes on.
static void sort_new(struct backward *b, uint32_t from)
{
    if (is_depth_first(b) && b->queue.n > from)
        qsort(b->queue.at + from, b->queue.n - from, sizeof *b->queue.at,
              by_weight);
}

// ---- does it hold at the start? -------------------------------------------

enum holding {
    HOLDS,   // *m is a model
    REFUTED, // cells of the start stand against it
    DEAD,    // it can never hold
    UNKNOWN
};

static bool fits_start(const struct backward *b, const struct node *n)
{
    for (uint32_t i = 0; i < n->cast.n; i++) {
        const struct cast *a = &n->cast.at[i];
        if (a->initial && a->behaviour != IR_NOTHING &&
            b->start.actors.at[a->number - 1].behaviour != a->behaviour)
            return false;
    }
    return true;
}

static term start_value(const struct backward *b, const struct demand *d)
{
    u128 v;
    if (!backward_is_initial(b, d->actor) ||
        !start_read(&b->start, d->actor, d->offset, d->bytes, &v))
        return TERM_NONE;
    return term_const(b->ts, d->bytes * 8, v);
}

struct conditions {
    VEC(term) at;
};

static void at_start(struct backward *b, const struct node *n,
                     struct conditions *out)
{
    struct term_subst *s = term_subst_new(b->ts);
    for (uint32_t i = 0; i < n->demands.n; i++) {
        term v = start_value(b, &n->demands.at[i]);
        if (v)
            term_subst_set(s, n->demands.at[i].var, v);
    }
    for (uint32_t i = 0; i < n->conditions.n; i++)
        vec_push(&out->at, term_subst(s, n->conditions.at[i]));
    term_subst_free(s);
}

static bool has_floats(const struct backward *b, const struct conditions *c)
{
    for (uint32_t i = 0; i < c->at.n; i++)
        if (term_has(b->ts, c->at.at[i]) & TERM_HAS_FLOAT)
            return true;
    return false;
}

static enum solver_answer check(struct backward *b, const struct conditions *c,
                                struct model **m)
{
    b->figures.queries++;
    if (has_floats(b, c) &&
        solver_refutes_roughly(b->rough, b->ts, c->at.at, c->at.n))
        return SOLVER_UNSAT;
    return solver_check(b->solver, c->at.at, c->at.n, m);
}

// Prefer a model with small counts of repeated steps.
static enum solver_answer check_counts(struct backward *b, const struct node *n,
                                       struct conditions *c, struct model **m)
{
    uint32_t plain = c->at.n;
    enum solver_answer a = SOLVER_UNSAT;
    if (!n->counts.n)
        return check(b, c, m);
    for (uint32_t i = 0; i < 4 && a == SOLVER_UNSAT; i++) {
        c->at.n = plain;
        for (uint32_t k = 0; k < n->counts.n; k++)
            vec_push(&c->at, term_binary(b->ts, IR_ULE, n->counts.at[k],
                                         term_const(b->ts, 32, turns[i])));
        a = check(b, c, m);
    }
    c->at.n = plain;
    return a;
}

// The conditions with those demands at the start that are in the core.
static bool refutes(struct backward *b, const struct node *n, const bool *core)
{
    struct term_subst *s = term_subst_new(b->ts);
    struct conditions c = {0};
    for (uint32_t i = 0; i < n->demands.n; i++)
        if (core[i])
            term_subst_set(s, n->demands.at[i].var,
                           start_value(b, &n->demands.at[i]));
    for (uint32_t i = 0; i < n->conditions.n; i++)
        vec_push(&c.at, term_subst(s, n->conditions.at[i]));
    term_subst_free(s);
    // An exact answer about floats takes long, and is not needed here.
    bool unsat = has_floats(b, &c)
                     ? solver_refutes_roughly(NULL, b->ts, c.at.at, c.at.n)
                     : check(b, &c, NULL) == SOLVER_UNSAT;
    vec_free(&c.at);
    return unsat;
}

// The demands that stand against the node at the start: a core, made smaller by
// leaving out one after the other.  False: there is none, because the node
// cannot hold whatever the start is.
static bool find_core(struct backward *b, const struct node *n, bool *core)
{
    uint32_t known = 0;
    memset(core, 0, n->demands.n * sizeof *core);
    if (refutes(b, n, core))
        return false;
    for (uint32_t i = 0; i < n->demands.n; i++) {
        core[i] = start_value(b, &n->demands.at[i]) != TERM_NONE;
        known += core[i];
    }
    for (uint32_t i = 0; b->setting == BACKWARD_HF && known > 1 &&
                         known <= CORE_MOST && i < n->demands.n;
         i++) {
        if (!core[i])
            continue;
        core[i] = false;
        core[i] = !refutes(b, n, core);
    }
    b->figures.cores++;
    return true;
}

static enum holding holds(struct backward *b, const struct node *n, bool *core,
                          struct model **m)
{
    struct conditions c = {0};
    at_start(b, n, &c);
    enum solver_answer a = check_counts(b, n, &c, m);
    vec_free(&c.at);
    if (a == SOLVER_SAT && fits_start(b, n))
        return HOLDS;
    if (a == SOLVER_SAT) {
        model_free(*m);
        *m = NULL;
        for (uint32_t i = 0; i < n->demands.n; i++)
            core[i] = true;
        return REFUTED;
    }
    if (a == SOLVER_UNKNOWN) {
        b->figures.cut |= CUT_UNKNOWN;
        for (uint32_t i = 0; i < n->demands.n; i++)
            core[i] = true;
        return UNKNOWN;
    }
    return find_core(b, n, core) ? REFUTED : DEAD;
}

static double cpu_now(void)
{
    return clock_seconds(CLOCK_PROCESS_CPUTIME_ID);
}

// ---- searching ------------------------------------------------------------

static bool is_closed(const struct backward *b, const struct node *n)
{
    return !n->requests.n && !n->pendings.n && !n->opened.n && !n->unknown &&
           node_flight_in_way(b, n) == IR_NOTHING;
}

// True if the search is over.
static bool visit(struct backward *b, const struct node *n, backward_try *found,
                  void *user)
{
    bool *core = need_zero((n->demands.n + 1) * sizeof *core);
    struct model *m = NULL;
    uint32_t from = b->queue.n;
    b->figures.nodes++;
    enum holding how = holds(b, n, core, &m);
    bool over = false;
    if (how == HOLDS && is_closed(b, n)) {
        b->figures.found++;
        over = found(user, n, m);
        b->figures.lost += !over;
    }
    if (!over && how == HOLDS && !is_closed(b, n))
        backward_expand(b, n, NULL);
    else if (!over && how != DEAD)
        backward_expand(b, n, core);
    sort_new(b, from);
    model_free(m);
    free(core);
    return over;
}

enum backward_end backward_search(struct backward *b,
                                  const struct ir_target *target,
                                  backward_try *found, void *user)
{
    bool over = false, roots = true;
    double began = cpu_now(), in_roots = 0;
    empty_queue(b);
    map_clear(&b->seen);
    b->root_handler = b->root_case = 0;
    b->root = NULL;
    while (!over && (roots || b->queue.n)) {
        double now = cpu_now();
        if (stops(b))
            return BACKWARD_STOPPED;
        // Ways to the target are found while others are searched.
        if (roots && (!b->queue.n || in_roots <= ROOTS * (now - began))) {
            uint32_t from = b->queue.n;
            roots = backward_root(b, target);
            sort_new(b, from);
            in_roots += cpu_now() - now;
        }
        if (!b->queue.n)
            continue;
        struct node *n = is_depth_first(b) ? vec_pop(&b->queue) : take_least(b);
        over = visit(b, n, found, user);
        node_free(n);
    }
    for (uint32_t i = 0; i < b->handlers.n; i++)
        if (b->handlers.at[i].cases &&
            !summary_complete(b->handlers.at[i].cases->from))
            b->figures.cut |= CUT_LOOP;
    return over ? BACKWARD_FOUND : BACKWARD_EMPTY;
}
