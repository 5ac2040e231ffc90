// Lanes, slices and rounds.
//
// A lane is a strategy with a search of its own.  All lanes use one play: a run
// that one lane has made is in the memo for the others.  Lanes hold ids of the
// play between their slices, so no lane lets the play forget while there are
// others.  When the play is full, lanes that grow with the number of states
// end, and the main lane, which is `optimal` as a rule, may forget again;
// samples hold nothing between two executions.
//
// What cover forces is among the samples; its part lies above this one, and the
// options bring it.
//
// Samples and `optimal` begin with short turns that double.  Then plain
// `stateful` gets a slice, which is enough for most tests.  Rounds come after
// that, in slices that grow: `reduced` beside plain `stateful`; `optimal` on
// the parts of its tree in turn, with a small slice while it has hardly begun
// and states merge; samples for a third of the work, more of the one that
// lately met what was new.  A slice is about as long for one as for the other,
// because what each does for a receive is counted.
//
// What the caller is told is joined from all lanes: figures of the main lane,
// or of the one that decided, and the schedules of the others beside them.
#include "explore/portfolio_inner.h"

#include "base/clock.h"
#include "base/die.h"

#include <assert.h>
#include <stdlib.h>

enum {
    FIRST_SLICE = 200000, // receives, about a fifth of a second
    FIRST_TURN = 256,     // parts of it that everyone gets at first
    LAST_TURN = 8,        // and in the end, before slices are whole
    GROWN = 20,           // times the first slice: slices grow no larger
    TURN_AFTER = 5,       // of them the tree is cut into parts
    FEW_MERGE_AFTER = 20000,
    HOPELESS = 4,    // times the work done so far: out of reach, it seems
    SMALL_PART = 2,  // of a slice, for what is out of reach
    PARTS = 8,       // in which a slice is made, to see what it takes
    FIRST_PRICE = 8, // of a receive, before that is known
    AHEAD = 8,       // runs followed that cost as much as one run asked for
};

// Runs asked for that cost as much as a plain receive.
static const double STEPS_A_RECEIVE = 2.5;

// ---- ends -----------------------------------------------------------------

static void end(struct portfolio *p, enum stop why)
{
    p->over = true;
    p->why = why;
}

// A main lane that refused is replaced; where the clock matters by a strategy
// that knows it, else by one that tries every order.
static void replace_main(struct portfolio *p, enum refusal why)
{
    work_list_free(p->rest);
    *p->rest = (struct work_list){0};
    lane_prepare(p, LANE_MAIN,
                 why == REFUSAL_CLOCK ? STRATEGY_SOURCE : STRATEGY_EXHAUSTIVE);
}

// Units are for `optimal` only.
static void refused_main(struct portfolio *p, enum refusal why)
{
    if (why != REFUSAL_UNIT)
        p->refused = why;
    if (why == REFUSAL_UNIT || p->options->part == PART_UNITS)
        end(p, STOP_REFUSED);
    else
        replace_main(p, why);
}

// Is there a lane that could still see everything?
static bool is_open(const struct portfolio *p)
{
    for (uint32_t i = 0; i < LANE_SAMPLES; i++)
        if (!p->lanes[i].over)
            return true;
    return false;
}

// A lane has ended: decide whether the whole search has.
static void settle(struct portfolio *p, enum lane_name name)
{
    const struct lane *l = &p->lanes[name], *main = &p->lanes[LANE_MAIN];
    enum stop why = l->result.stopped_by;
    switch (why) {
    case STOP_DONE:
        assert(l->begun && l->result.complete);
        p->decided = name;
        end(p, why);
        break;
    case STOP_BUG:
        p->last = name;
        end(p, why);
        break;
    case STOP_TIME:
    case STOP_ASKED:
    case STOP_LIMIT:
    case STOP_SCHEDULES:
        end(p, why);
        break;
    case STOP_REFUSED:
        if (name == LANE_MAIN && l->options.strategy != STRATEGY_EXHAUSTIVE)
            refused_main(p, l->result.refused);
        break;
    default:
        break;
    }
    if (!p->over && !is_open(p))
        end(p, main->begun ? main->result.stopped_by : why);
}

static void close_lane(struct portfolio *p, enum lane_name name, enum stop why)
{
    if (p->over || p->lanes[name].over)
        return;
    lane_end(&p->lanes[name], why);
    settle(p, name);
}

// ---- slices ---------------------------------------------------------------

// Does another lane hold ids of the play between its slices?
static bool is_guest(const struct lane *l)
{
    const struct portfolio *p = l->of;
    for (uint32_t i = 0; i < LANE_SAMPLES; i++) {
        const struct lane *m = &p->lanes[i];
        if (m != l && m->begun && !m->over)
            return true;
    }
    return false;
}

// How many schedules the others leave to this lane; 0: no bound.
static uint64_t schedules_for(const struct lane *l)
{
    const struct portfolio *p = l->of;
    uint64_t most = p->options->schedules, others = 0;
    for (uint32_t i = 0; i < LANES; i++)
        if (&p->lanes[i] != l)
            others += explore_schedules(&p->lanes[i].result);
    return !most ? 0 : most > others ? most - others : 1;
}

static bool lane_go(struct lane *l)
{
    if (l->search.over)
        return false;
    return lane_is_optimal(l) ? work_search_go(l->of->work)
                              : l->engine->go(l->self);
}

// An execution counts as a receive, because some executions have none.
static double receives_of(const struct lane *l)
{
    return (double)(l->result.receives + l->result.executions);
}

// What a lane has done, in plain receives.  `optimal` and `reduced` do more for
// a receive than make it: they try others, or look ahead.
static double work_of(const struct lane *l)
{
    double work = ((double)l->steps + (double)l->search.looks_ahead / AHEAD) /
                  STEPS_A_RECEIVE;
    return work > receives_of(l) ? work : receives_of(l);
}

// The play is full: end the lanes that need ever more of it.
static void make_room(struct portfolio *p)
{
    close_lane(p, LANE_REDUCED, STOP_MEMORY);
    if (!p->lanes[LANE_MAIN].over)
        close_lane(p, LANE_STATEFUL, STOP_MEMORY);
}

static void slice(struct portfolio *p, enum lane_name name, uint64_t receives)
{
    struct lane *l = &p->lanes[name];
    if (p->over || l->over || !receives)
        return;
    if (!l->begun)
        lane_begin(l);
    const struct play_counts *c = play_counts(p->play);
    uint64_t runs = c->runs, hits = c->hits;
    double before = work_of(l);
    l->search.guest = is_guest(l);
    l->search.pause_at = l->result.receives + l->result.executions + receives;
    l->options.schedules = schedules_for(l);
    bool more = lane_go(l);
    l->news += c->runs - runs;
    l->steps += c->runs - runs + c->hits - hits;
    p->made += (uint64_t)(work_of(l) - before);
    if (!more)
        close_lane(p, name, STOP_DONE);
    else if (play_full(p->play))
        make_room(p);
}

// ---- rounds ---------------------------------------------------------------

static bool has_states(const struct portfolio *p)
{
    return !p->lanes[LANE_STATEFUL].over || !p->lanes[LANE_REDUCED].over;
}

// The size of the tree, as long as the main lane has not been divided.
static void look_ahead(struct portfolio *p)
{
    struct lane *l = &p->lanes[LANE_MAIN];
    if (l->begun && !l->over && !p->turned && l->search.estimate)
        l->search.estimate(l->search.estimate_self, &l->result);
}

static bool out_of_reach(const struct portfolio *p)
{
    const struct explore_result *r = &p->lanes[LANE_MAIN].result;
    return r->estimate > HOPELESS * (double)explore_schedules(r);
}

// Not all in one corner of the tree.
static void turn(struct portfolio *p)
{
    const struct lane *l = &p->lanes[LANE_MAIN];
    if (p->over || l->over || !p->work ||
        work_of(l) < TURN_AFTER * (double)p->slice)
        return;
    if (!p->turned)
        p->estimate = l->result.estimate;
    p->turned = true;
    work_search_turn(p->work);
}

// Go on for about as long as this number of plain receives takes.  How many of
// the lane's own receives that is depends on the program, and changes.
static void slice_by_work(struct portfolio *p, enum lane_name name,
                          uint64_t receives)
{
    struct lane *l = &p->lanes[name];
    double end = work_of(l) + (double)receives, part = (double)receives / PARTS;
    while (!p->over && !l->over && work_of(l) < end) {
        double made = receives_of(l);
        double each = made > 0 ? work_of(l) / made : FIRST_PRICE;
        slice(p, name, (uint64_t)(part / each) + 1);
        if (receives_of(l) <= made) // a main lane that was replaced
            return;
    }
}

static void search_tree(struct portfolio *p, uint64_t receives)
{
    look_ahead(p);
    bool small = has_states(p) && out_of_reach(p);
    slice_by_work(p, LANE_MAIN, small ? receives / SMALL_PART : receives);
    turn(p);
}

// Where states hardly merge there are as many as there are classes, and
// `optimal` needs no room for them; unless it gave up.
static void search_states(struct portfolio *p, uint64_t receives)
{
    const struct lane *l = &p->lanes[LANE_REDUCED];
    slice_by_work(p, LANE_REDUCED, receives);
    slice(p, LANE_STATEFUL, receives);
    bool alone = p->options->part == PART_ALL && p->lanes[LANE_MAIN].over;
    if (l->over || alone || l->result.receives < FEW_MERGE_AFTER ||
        l->search.known * 50 >= l->result.receives)
        return;
    close_lane(p, LANE_STATEFUL, STOP_MEMORY);
    close_lane(p, LANE_REDUCED, STOP_MEMORY);
}

static void vary_depth(struct portfolio *p)
{
    static const uint32_t depths[] = {3, 2, 5, 4, 8};
    struct explore_options *o = &p->lanes[LANE_PCT].options;
    if (!p->options->depth)
        o->depth = depths[p->depth_turn++ % (sizeof depths / sizeof *depths)];
}

// Half of the samples are shared equally, half by what was new.
static void sample(struct portfolio *p, uint64_t receives)
{
    uint64_t news = 0, n = 0, of_lane[LANES];
    for (uint32_t i = LANE_SAMPLES; i < LANES; i++)
        if (!p->lanes[i].over) {
            n++;
            news += p->lanes[i].news;
        }
    if (!n)
        return;
    for (uint32_t i = LANE_SAMPLES; i < LANES; i++) {
        struct lane *l = &p->lanes[i];
        double part = news ? (double)l->news / (double)news : 1. / (double)n;
        of_lane[i] = receives / 2 / n + (uint64_t)((double)receives / 2 * part);
        l->news = 0;
    }
    vary_depth(p);
    for (uint32_t i = LANE_SAMPLES; i < LANES; i++)
        if (i == LANE_COVER)
            slice_by_work(p, LANE_COVER, of_lane[i]);
        else
            slice(p, (enum lane_name)i, of_lane[i]);
}

static void rounds(struct portfolio *p)
{
    uint64_t w = p->slice;
    for (; !p->over; w = w < GROWN * p->slice ? w + w / 2 : w) {
        p->made = 0;
        search_states(p, w);
        search_tree(p, w);
        if (p->options->part != PART_STATES)
            sample(p, p->made / 2);
    }
}

// A main lane that refuses is replaced, and its successor begins at once.
static void search_first(struct portfolio *p, uint64_t receives)
{
    slice_by_work(p, LANE_MAIN, receives);
    if (!p->lanes[LANE_MAIN].begun)
        slice_by_work(p, LANE_MAIN, receives);
}

// Samples and `optimal` in turn, each turn twice as long as the last.  What one
// of them finds at once others may miss for long, so none waits for the whole
// slice of another.
static void short_turns(struct portfolio *p)
{
    uint64_t most = p->options->schedules, whole = p->slice;
    if (most && most < whole)
        whole = most;
    uint64_t w = whole > FIRST_TURN ? whole / FIRST_TURN : 1;
    for (; w <= whole / LAST_TURN && !p->over; w *= 2) {
        if (!p->options->no_warm_up)
            sample(p, 2 * w);
        search_first(p, w);
    }
}

static void first_round(struct portfolio *p)
{
    short_turns(p);
    search_tree(p, p->slice);
    slice(p, LANE_STATEFUL, p->slice);
}

static void prepare(struct portfolio *p)
{
    static const enum strategy strategies[LANES] = {
        STRATEGY_OPTIMAL, STRATEGY_STATEFUL, STRATEGY_REDUCED, STRATEGY_RANDOM,
        STRATEGY_POS,     STRATEGY_PCT,      STRATEGY_URW,     STRATEGY_COVER};
    enum part part = p->options->part;
    for (uint32_t i = 0; i < LANES; i++)
        lane_prepare(p, (enum lane_name)i, strategies[i]);
    p->lanes[LANE_MAIN].over = part == PART_STATES;
    p->lanes[LANE_STATEFUL].over = part == PART_UNITS;
    p->lanes[LANE_REDUCED].over = part == PART_UNITS;
    p->lanes[LANE_COVER].over = !p->options->cover;
    p->finals.cap = p->options->max_finals ? p->options->max_finals : 1u << 22;
}

// A main lane that had no turn yet has everything left.
static void finish(struct portfolio *p)
{
    struct lane *main = &p->lanes[LANE_MAIN];
    if (!main->begun && !main->over && p->why != STOP_DONE)
        lane_begin(main);
    for (uint32_t i = 0; i < LANES; i++)
        lane_end(&p->lanes[i], STOP_ASKED);
    portfolio_join(p);
    p->result->stopped_by = p->why;
    p->result->complete = p->why == STOP_DONE;
    if (p->result->complete) {
        work_list_free(p->rest);
        *p->rest = (struct work_list){0};
    }
    hashset_free(&p->told);
    hashset_free(&p->finals);
}

// Not where `optimal` refused, nor where it gave up and others go on.
static bool is_divided(const struct portfolio *p)
{
    const struct lane *main = &p->lanes[LANE_MAIN];
    bool gave_up = p->why == STOP_ASKED && main->begun &&
                   main->result.stopped_by != STOP_ASKED;
    return !p->refused && !gave_up;
}

bool portfolio_explore(struct play *play, const struct explore_options *o,
                       const struct work *units, uint32_t n,
                       const struct explore_sink *sink,
                       struct explore_result *r, struct work_list *rest)
{
    struct portfolio *p = need_zero(sizeof *p);
    *p = (struct portfolio){.play = play,
                            .options = o,
                            .sink = sink,
                            .result = r,
                            .rest = rest,
                            .units = units,
                            .n_units = n,
                            .decided = LANES,
                            .last = LANE_MAIN,
                            .slice = o->slice ? o->slice : FIRST_SLICE,
                            .began = clock_now()};
    *r = (struct explore_result){.estimate = -1, .progress = -1};
    prepare(p);
    if (o->part == PART_ALL)
        first_round(p);
    rounds(p);
    finish(p);
    bool divided = is_divided(p);
    free(p);
    return divided;
}
