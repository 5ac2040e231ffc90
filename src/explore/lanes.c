// Lanes: how they begin and end, and what they tell, joined for the caller.
#include "explore/portfolio_inner.h"

#include "base/clock.h"
#include "base/hash.h"

// ---- what lanes tell ------------------------------------------------------

// Whose figures count.
static const struct lane *main_lane(const struct portfolio *p)
{
    return &p->lanes[p->decided < LANES ? p->decided : LANE_MAIN];
}

static void join_shares(struct portfolio *p)
{
    struct explore_result *r = p->result;
    for (uint32_t i = 0; i < STRATEGIES_N; i++)
        r->share[i] = 0;
    for (uint32_t i = 0; i < LANES; i++) {
        const struct lane *l = &p->lanes[i];
        if (!l->begun)
            continue;
        r->share[l->options.strategy] += explore_schedules(&l->result);
        if (l == main_lane(p))
            continue;
        r->warm_up += explore_schedules(&l->result);
        r->receives += l->result.receives;
        r->rested |= l->result.rested;
        if (l->result.max_depth > r->max_depth)
            r->max_depth = l->result.max_depth;
    }
}

void portfolio_join(struct portfolio *p)
{
    struct explore_result *r = p->result, before = *r;
    const struct lane *l = main_lane(p);
    *r = (struct explore_result){.estimate = -1, .progress = -1};
    if (l->begun)
        *r = l->result;
    if (p->turned && p->decided == LANES) {
        r->estimate = p->estimate;
        r->progress = -1;
    }
    r->decided =
        p->lanes[p->decided < LANES ? p->decided : p->last].options.strategy;
    if (p->refused)
        r->refused = p->refused;
    r->final_states = before.final_states;
    r->finals_hash = before.finals_hash;
    r->more_final_states = p->finals.more;
    r->bugs = before.bugs;
    r->warnings = before.warnings;
    r->warm_up = 0;
    r->seconds = clock_now() - p->began;
    join_shares(p);
}

static void on_bug(void *self, const struct bug *b, const struct schedule *s)
{
    struct portfolio *p = ((struct lane *)self)->of;
    if (!hashset_add(&p->told, bug_key(b)))
        return;
    portfolio_join(p);
    *(b->warning ? &p->result->warnings : &p->result->bugs) += 1;
    if (p->sink->bug)
        p->sink->bug(p->sink->self, b, s);
}

static void on_execution(void *self, const struct ending *e)
{
    const struct portfolio *p = ((struct lane *)self)->of;
    p->sink->execution(p->sink->self, e);
}

static void on_progress(void *self, const struct explore_result *r)
{
    struct portfolio *p = ((struct lane *)self)->of;
    (void)r;
    portfolio_join(p);
    p->sink->progress(p->sink->self, p->result);
}

static bool on_stop(void *self)
{
    const struct portfolio *p = ((struct lane *)self)->of;
    return p->sink->stop(p->sink->self);
}

static bool on_ends(void *self)
{
    const struct portfolio *p = ((struct lane *)self)->of;
    return p->sink->ends(p->sink->self);
}

static bool on_final(void *self, uint64_t hash)
{
    struct portfolio *p = ((struct lane *)self)->of;
    const struct explore_sink *k = p->sink;
    if (!(k->final ? k->final(k->self, hash) : hashset_add(&p->finals, hash)))
        return false;
    p->result->final_states += !p->finals.more;
    p->result->finals_hash += hash_join(hash, 1);
    return true;
}

static bool on_wants_rest(void *self)
{
    const struct portfolio *p = ((struct lane *)self)->of;
    return p->sink->wants_rest(p->sink->self);
}

static void on_rest(void *self, const struct explore_result *so_far,
                    const struct work_list *left)
{
    struct portfolio *p = ((struct lane *)self)->of;
    (void)so_far;
    portfolio_join(p);
    p->sink->rest(p->sink->self, p->result, left);
}

static struct explore_sink lane_sink(struct lane *l)
{
    const struct explore_sink *k = l->of->sink;
    return (struct explore_sink){
        .self = l,
        .bug = on_bug,
        .execution = k->execution ? on_execution : NULL,
        .progress = k->progress ? on_progress : NULL,
        .stop = k->stop ? on_stop : NULL,
        .ends = k->ends ? on_ends : NULL,
        .final = on_final,
        .wants_rest = k->wants_rest ? on_wants_rest : NULL,
        .rest = k->rest ? on_rest : NULL,
    };
}

// ---- lanes ----------------------------------------------------------------

bool lane_is_optimal(const struct lane *l)
{
    return l == &l->of->lanes[LANE_MAIN] && l->of->work;
}

// Lanes of several processes sample from streams of their own.
static uint64_t lane_seed(const struct portfolio *p)
{
    const struct explore_options *o = p->options;
    return o->turn ? hash_join(o->seed, o->turn) : o->seed;
}

void lane_prepare(struct portfolio *p, enum lane_name name, enum strategy s)
{
    struct lane *l = &p->lanes[name];
    *l = (struct lane){
        .of = p, .options = *p->options, .engine = engine_of(p->options, s)};
    l->options.strategy = s;
    l->options.seed = lane_seed(p);
    l->sink = lane_sink(l);
}

void lane_begin(struct lane *l)
{
    struct portfolio *p = l->of;
    struct explore_options *o = &l->options;
    double spent = clock_now() - p->began;
    if (o->seconds > 0)
        o->seconds = o->seconds > spent ? o->seconds - spent : 0.001;
    search_init(&l->search, p->play, o, &l->sink, &l->result);
    l->search.guest = true;
    l->begun = true;
    if (search_clock_refused(&l->search))
        return;
    if (o->strategy == STRATEGY_OPTIMAL)
        p->work = work_search_new(&l->search, p->units, p->n_units);
    else
        l->self = l->engine->begin(&l->search);
}

void lane_end(struct lane *l, enum stop why)
{
    struct portfolio *p = l->of;
    if (l->over)
        return;
    l->over = true;
    if (!l->begun) {
        l->result.stopped_by = why;
        return;
    }
    if (why != STOP_DONE) // whether it is done is seen below
        search_stop(&l->search, why);
    if (lane_is_optimal(l)) {
        work_search_leave(p->work, p->rest);
        work_search_free(p->work);
        p->work = NULL;
    } else if (l->self) {
        l->engine->end(l->self);
    }
    search_release(&l->search);
}
