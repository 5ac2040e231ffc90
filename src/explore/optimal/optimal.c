// The search loop, and what it tells.
//
// Nodes are on an explicit stack (node.h).  A graph in which nothing
// is left to add is a complete execution.  Counting one costs little: the hash
// of all states is kept up to date by the graph, and a schedule is made only if
// somebody wants to see it.
#include "explore/optimal/optimal.h"

#include "base/die.h"
#include "explore/optimal/optimal_inner.h"

#include <stdlib.h>

enum {
    MOST_RUNS = 60000,   // of an actor: a clock has 16 bits
    FORGET_AFTER = 1024, // runs between two looks at the play's memory
    LOOK_AFTER = 256     // nodes left between two looks at the clock
};

static void estimate(void *self, struct explore_result *r)
{
    struct optimal *o = self;
    r->progress = optimal_progress(o);
    if (r->progress > 0)
        r->estimate = (double)r->executions / r->progress;
}

struct optimal *optimal_empty(struct search *s)
{
    struct optimal *o = need_zero(sizeof *o);
    o->search = s;
    o->steps = s->steps < MOST_RUNS ? s->steps : MOST_RUNS;
    path_begin(&o->path, s->play, s->options->delivery);
    s->estimate = estimate;
    s->estimate_self = o;
    return o;
}

struct optimal *optimal_new(struct search *s)
{
    struct optimal *o = optimal_empty(s);
    path_push(&o->path);
    return o;
}

void optimal_free(struct optimal *o)
{
    if (!o)
        return;
    if (o->search->estimate_self == o)
        o->search->estimate = NULL;
    path_end(&o->path);
    vec_free(&o->states);
    vec_free(&o->bounds);
    free(o);
}

// ---- telling --------------------------------------------------------------

static void tell_bugs(struct optimal *o, uint32_t run)
{
    struct search *s = o->search;
    const struct effect *e = run_at(&o->path.graph, run)->effect;
    bool made = false;
    for (uint32_t i = 0; i < e->n_bugs; i++) {
        if (hashset_has(&s->told, bug_key(&e->bugs[i])))
            continue;
        if (!made)
            graph_schedule(&o->path.graph, run, &s->schedule);
        made = true;
        search_bug(s, &e->bugs[i], &s->schedule);
    }
}

// Flags of the states that a run leaves behind.
static uint32_t flags_after(const struct graph *g, const struct run *r)
{
    uint32_t flags = r->flags;
    for (uint32_t i = 0; i < r->effect->n_births; i++)
        flags |= play_state(g->play, r->effect->births[i].state)->flags;
    for (uint32_t a = 0; is_body(r) && a < g->actors.n; a++)
        flags |= graph_flags(g, a);
    return flags;
}

// Is there a timer that the body, or the end, does not wait for?
static bool beside_ticks(const struct graph *g, const struct run *r)
{
    if (!(flags_after(g, r) & STATE_EVERY))
        return false;
    uint32_t body = run_at(g, g->body)->effect->flags;
    return body & EFFECT_BODY_DRAIN ||
           (body & EFFECT_BODY_DONE && play_early_ends(g->play));
}

// A segment of the body comes after everything before it anyway.
static bool refused(struct optimal *o, const struct run *r)
{
    bool one = r->effect->flags & EFFECT_BODY_ONE;
    bool shares = r->effect->flags & EFFECT_SHARED && !is_body(r);
    bool ticks = beside_ticks(&o->path.graph, r);
    if (one)
        search_refuse(o->search, REFUSAL_SINGLE);
    if (ticks)
        search_refuse(o->search, REFUSAL_TICKS);
    if (shares)
        search_refuse(o->search, REFUSAL_SHARED);
    bool clock = play_clocked(o->path.graph.play);
    if (clock)
        search_refuse(o->search, REFUSAL_CLOCK);
    return one || ticks || shares || clock;
}

// A run has just been made, or given another message or answer.
static void tell_run(struct optimal *o, const struct node *f)
{
    uint32_t run = f->kind == NODE_PICK ? f->of : f->made;
    const struct run *r = run_at(&o->path.graph, run);
    if (!r->settled || refused(o, r))
        return;
    if (r->effect->n_bugs)
        tell_bugs(o, run);
    if (++o->since_look >= FORGET_AFTER) {
        o->since_look = 0;
        if (!o->search->guest && play_full(o->path.graph.play))
            graph_forget(&o->path.graph);
    }
    o->tick = !is_body(r);
}

static uint32_t all_flags(const struct graph *g)
{
    uint32_t flags = 0;
    for (uint32_t a = 0; a < g->actors.n; a++)
        flags |= search_rest_flags(a, graph_flags(g, a));
    return flags;
}

// ---- full mailboxes

static void learn_bounds(struct optimal *o)
{
    for (uint32_t a = o->bounds.n; a < o->path.graph.actors.n; a++) {
        uint32_t most = a == PLAY_ENV ? 0 : play_mailbox(o->search->play, a);
        vec_push(&o->bounds, most);
        o->bounded |= most != 0;
    }
}

static void tell_full_of(struct optimal *o, uint32_t actor, uint16_t *within)
{
    const struct graph *g = &o->path.graph;
    const struct inbox *in = &g->actors.at[actor];
    for (uint32_t i = 0; i < in->entries.n; i++) {
        const struct entry *e = &in->entries.at[i];
        uint32_t msg = run_at(g, e->run)->effect->sends[e->nth].msg;
        uint32_t most = o->bounds.at[actor];
        struct bug b;
        if (!search_wants_full(o->search, actor, msg, &b) ||
            !graph_overflows(g, actor, i, most, within))
            continue;
        search_full(o->search, actor, most, &b);
        graph_schedule_part(g, within, e->run, &o->search->schedule);
        search_bug(o->search, &b, &o->search->schedule);
    }
}

// A mailbox that is full in some schedule of this class, though perhaps not in
// the one that would be shown.
static void tell_full(struct optimal *o)
{
    const struct graph *g = &o->path.graph;
    learn_bounds(o);
    if (!o->bounded || !o->search->options->warnings)
        return;
    uint16_t *within = need((g->actors.n + 1) * sizeof *within);
    for (uint32_t a = 0; a < g->actors.n; a++)
        if (o->bounds.at[a] && g->actors.at[a].entries.n > o->bounds.at[a])
            tell_full_of(o, a, within);
    free(within);
}

static void tell_complete(struct optimal *o)
{
    tell_full(o);
    struct search *s = o->search;
    const struct graph *g = &o->path.graph;
    uint32_t flags = all_flags(g), n = 0, shared = PLAY_NONE;
    bool told = flags & STATE_STUCK || s->sink->execution || s->invariants;
    if (told || flags & STATE_FINI) {
        vec_room(&o->states, g->actors.n);
        n = graph_states(g, o->states.at, g->actors.n);
        shared = graph_shared(g);
    }
    if (!told &&
        !(flags & STATE_FINI && search_fini(s, o->states.at, n, shared))) {
        bool timed = (flags | graph_flags(g, PLAY_ENV)) & STATE_TIMED;
        search_count(s, timed ? graph_final_hash(g) : g->hash, g->receives);
        return;
    }
    graph_schedule(g, NO_RUN, &s->schedule);
    search_final(s, &s->schedule, o->states.at, n, shared);
}

static void tell_cut(struct optimal *o)
{
    struct search *s = o->search;
    bool wanted = search_wants_given_up(s);
    if (wanted)
        graph_schedule(&o->path.graph, NO_RUN, &s->schedule);
    search_give_up_schedule(s, wanted ? &s->schedule : NULL);
}

// ---- searching ------------------------------------------------------------

static bool too_long(const struct optimal *o)
{
    const struct graph *g = &o->path.graph;
    return g->open == NO_RUN &&
           (g->receives >= o->steps ||
            (g->actors.n && g->actors.at[PLAY_ENV].runs.n >= MOST_RUNS));
}

// The node of the graph just reached, or the end of an execution.  If its last
// run made the search refuse, the execution does not count.
static bool arrive(struct optimal *o)
{
    bool refused = o->search->result->stopped_by == STOP_REFUSED;
    if (!path_push(&o->path)) {
        if (!refused)
            tell_complete(o);
        return true;
    }
    if (!too_long(o))
        return false;
    path_pop(&o->path);
    tell_cut(o);
    return true;
}

// Between two steps of the search: looking at the clock may mean going back
// and forth on the path.
static void count_receive(struct optimal *o)
{
    if (o->tick)
        search_tick(o->search, 0);
    o->tick = false;
}

// To see that a node has no further child may take as long as its inbox.
static void leave_node(struct optimal *o)
{
    path_pop(&o->path);
    if (++o->left % LOOK_AFTER == 0)
        search_look(o->search);
}

bool optimal_run(struct optimal *o, uint64_t executions)
{
    struct path *p = &o->path;
    while (p->nodes.n && executions) {
        count_receive(o);
        if (search_pauses(o->search))
            break;
        struct node *f = &vec_last(&p->nodes);
        if (f->applied)
            node_undo(p, f);
        if (!node_next(p, f)) {
            leave_node(o);
            continue;
        }
        node_apply(p, f);
        if (f->kind != NODE_SENDS || f->made != NO_RUN)
            tell_run(o, f);
        if (p->nodes.n > o->deepest)
            o->deepest = p->nodes.n;
        // Also if the search is over: what is behind the run is left, too.
        executions -= arrive(o);
    }
    count_receive(o);
    return p->nodes.n && !o->search->over;
}

static void *begin(struct search *s)
{
    return optimal_new(s);
}

static bool go(void *self)
{
    struct optimal *o = self;
    bool more = optimal_run(o, UINT64_MAX);
    if (!more && !o->search->over)
        o->search->result->progress = 1;
    return more;
}

static void end(void *self)
{
    optimal_free(self);
}

const struct engine engine_optimal = {begin, go, end};

struct optimal_counts optimal_counts(const struct optimal *o)
{
    const struct graph *g = &o->path.graph;
    struct optimal_counts c = {.revisits = o->path.revisits,
                               .nodes = o->deepest};
    c.bytes = o->path.nodes.cap * sizeof(struct node) +
              o->path.saved.cap * sizeof(uint32_t) +
              o->path.mails.cap * sizeof(struct entry) +
              o->path.places.cap * sizeof(struct mail_place) +
              g->runs.cap * sizeof(struct run) +
              (uint64_t)g->room * g->stride * sizeof *g->clocks +
              g->order.cap * sizeof(uint32_t);
    for (uint32_t a = 0; a < g->actors.n; a++)
        c.bytes += sizeof(struct inbox) +
                   g->actors.at[a].entries.cap * sizeof(struct entry) +
                   g->actors.at[a].runs.cap * sizeof(uint32_t);
    return c;
}
