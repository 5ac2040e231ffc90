#include "reach/reach.h"

#include "base/arena.h"
#include "base/clock.h"
#include "base/diag.h"
#include "base/libc.h"
#include "flow/flow.h"

#include <math.h>
#include <string.h>
#include <sys/resource.h>

const char *reach_status_text(enum reach_status s)
{
    static const char *const texts[] = {
#define TEXT_(name, text) text,
        REACH_STATUSES(TEXT_)
#undef TEXT_
    };
    return texts[s];
}

const char *reach_search_text(enum reach_search s)
{
    static const char *const texts[] = {
#define TEXT_(name, text) text,
        REACH_SEARCHES(TEXT_)
#undef TEXT_
    };
    return texts[s];
}

static double processor_time(const struct reach *r)
{
    struct rusage self, others;
    clockid_t worker;
    getrusage(RUSAGE_SELF, &self);
    getrusage(RUSAGE_CHILDREN, &others);
    double s =
        (double)(self.ru_utime.tv_sec + self.ru_stime.tv_sec +
                 others.ru_utime.tv_sec + others.ru_stime.tv_sec) +
        1e-6 * (double)(self.ru_utime.tv_usec + self.ru_stime.tv_usec +
                        others.ru_utime.tv_usec + others.ru_stime.tv_usec);
    if (r->worker && clock_getcpuclockid(r->worker, &worker) == 0)
        s += clock_seconds(worker) + r->pool->helpers;
    return s;
}

static double moment(const struct reach *r)
{
    return r->o.cpu ? processor_time(r) : clock_now();
}

bool reach_open(struct reach *r, const struct ir *ir, const struct flow *flow,
                const struct reach_options *o, const struct reach_builds *b,
                struct diag *d)
{
    struct ir_targets targets = {0};
    *r = (struct reach){.ir = ir, .flow = flow, .o = *o, .builds = *b};
    r->began = moment(r);
    model_init(&r->model, ir);
    ir_targets(ir, &targets);
    for (uint32_t i = 0; i < targets.at.n; i++)
        vec_push(&r->targets, ((struct reach_target){.at = targets.at.at[i]}));
    ir_targets_free(&targets);
    r->pool = pool_new(ir->n_hits, ir->n_compares);
    return r->pool || diag_set(d, EXIT_FAULT, "no memory for inputs");
}

void reach_close(struct reach *r)
{
    for (uint32_t i = 0; i < r->cases.n; i++)
        case_release(&r->cases.at[i].c);
    case_release(&r->origin);
    pool_free(r->pool);
    model_release(&r->model);
    vec_free(&r->targets);
    vec_free(&r->cases);
    arena_free(&r->arena);
}

bool reach_is_open(const struct reach *r, const struct reach_target *t)
{
    return t->wanted && t->status == REACH_OPEN && !r->pool->hit[t->at.hit];
}

static uint32_t left(const struct reach *r)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < r->targets.n; i++)
        n += reach_is_open(r, &r->targets.at[i]);
    return n;
}

double reach_elapsed(const struct reach *r)
{
    return moment(r) - r->began;
}

static double limit(const struct reach *r)
{
    double each =
        r->o.seconds > 0 ? r->o.seconds * (r->left ? r->left : 1) : INFINITY;
    return r->o.total > 0 && r->o.total < each ? r->o.total : each;
}

double reach_left(const struct reach *r)
{
    return r->o.cpu ? INFINITY : limit(r) - reach_elapsed(r);
}

// Targets are searched together, so each of those that are left has its share.
bool reach_over(struct reach *r)
{
    double gone = reach_elapsed(r);
    r->interrupted |= r->o.stop && r->o.stop();
    r->late |= gone >= limit(r);
    return r->interrupted || r->late;
}

// ---- the graph --------------------------------------------------------------

// Functions that actors of the system may run: live handlers, init and fini of
// classes that are created, the setup, and what all of these call.
static void mark_live(const struct reach *r, bool *live)
{
    const struct ir *ir = r->ir;
    for (uint32_t i = 0; i < r->flow->handlers.n; i++)
        if (r->flow->handlers.at[i].live &&
            r->flow->handlers.at[i].fn != IR_NOTHING)
            live[r->flow->handlers.at[i].fn] = true;
    for (uint32_t i = 0; i < ir->classes.n; i++) {
        const struct ir_class *c = &ir->classes.at[i];
        if (r->flow->created[i] && c->init != IR_NOTHING)
            live[c->init] = true;
        if (r->flow->created[i] && c->fini != IR_NOTHING)
            live[c->fini] = true;
    }
    for (uint32_t i = 0; i < ir->msgs.n; i++) {
        if (ir->msgs.at[i].copy != IR_NOTHING)
            live[ir->msgs.at[i].copy] = true;
        if (ir->msgs.at[i].drop != IR_NOTHING)
            live[ir->msgs.at[i].drop] = true;
    }
    for (uint32_t i = 0; i < ir->systems.n; i++)
        if (strcmp(ir->systems.at[i].name, r->o.system) == 0 &&
            ir->systems.at[i].fn != IR_NOTHING)
            live[ir->systems.at[i].fn] = true;
}

// The handler's message and class, if it is one.
static const char *why_dead(struct reach *r, uint32_t fn)
{
    const struct ir *ir = r->ir;
    for (uint32_t i = 0; i < r->flow->handlers.n; i++) {
        const struct flow_handler *h = &r->flow->handlers.at[i];
        if (h->fn == fn)
            return arena_format(
                &r->arena,
                "no %s can come to class %s (message flow graph); see troupe "
                "graph --class %s",
                ir->msgs.at[h->msg].name, ir->classes.at[h->cls].name,
                ir->classes.at[h->cls].name);
    }
    return arena_format(&r->arena,
                        "no actor of system %s runs %s (message flow graph)",
                        r->o.system, ir->fns.at[fn]->name);
}

static void ask_graph(struct reach *r)
{
    if (!r->flow || r->flow->doubts.n)
        return;
    bool *live = arena_zero(&r->arena, r->ir->fns.n + 1);
    mark_live(r, live);
    ir_spread(r->ir, live);
    for (uint32_t i = 0; i < r->targets.n; i++) {
        struct reach_target *t = &r->targets.at[i];
        if (t->status != REACH_OPEN || live[t->at.fn])
            continue;
        t->status = REACH_UNREACHABLE;
        t->why = why_dead(r, t->at.fn);
    }
}

// ---- the engines, in turn ---------------------------------------------------

// An engine works as long as it finds something or its share of the round
// lasts; what it leaves in the pool is the next one's start.  Shares double
// from round to round.
struct engine {
    enum reach_search name; // that it is alone in
    bool (*run)(struct reach *r, const struct reach_turn *turn, struct diag *d);
    double seconds;   // of its first turn
    uint64_t runs;    // the same in a search that is bound by counts
    uint64_t stale;   // runs without news after which it ends earlier
    uint64_t queries; // counts, likewise
};

static const struct engine engines[] = {
    {REACH_FUZZ, reach_fuzz, 0.3, 20000, 50000, 0},
    {REACH_PROOFS, reach_prove, 0.3, 0, 0, 0}, // of what is easily refuted
    {REACH_CONCOLIC, reach_concolic, 1, 2000, 0, 400},
    {REACH_FUZZ, reach_fuzz, 1, 40000, 100000, 0},
    {REACH_PROOFS, reach_prove, 2, 0, 0, 1},
    {REACH_TAP_HF, reach_backward, 2, 0, 0, 400},
};

enum {
    LONGER = 4, // times its share that an engine may work while it finds
    ROUNDS_MOST = 12,
    ROUNDS_IDLE = 3 // without news; then the search is exhausted
};

static bool bound_by_counts(const struct reach *r)
{
    return r->o.runs != 0;
}

static struct reach_turn turn_of(const struct reach *r, const struct engine *e,
                                 uint32_t round)
{
    struct reach_turn t = {.round = round};
    bool alone = r->o.search != REACH_AUTO;
    t.stale = alone ? 0 : e->stale << round;
    if (bound_by_counts(r)) {
        t.runs = alone ? 0 : e->runs << round;
        t.queries = e->queries << round;
        // A search of few runs asks few questions, too.
        if (t.queries > r->o.runs + 1)
            t.queries = r->o.runs + 1;
    } else {
        t.seconds = e->seconds * (double)(UINT64_C(1) << round);
        // A round begins anew: one that is alone need not end so early.
        double rest = limit(r) - reach_elapsed(r);
        if (alone && isfinite(rest) && rest / 2 > t.seconds)
            t.seconds = rest / 2;
        if (rest < t.seconds)
            t.seconds = rest > 0.01 ? rest : 0.01;
        t.most = t.seconds * LONGER < rest ? t.seconds * LONGER : t.seconds;
    }
    return t;
}

// A proof follows allocations that succeed.
static bool memory_matters(const struct reach *r)
{
    for (uint32_t k = 0; k < r->ir->fns.n; k++)
        if (libc_allocates(r->ir->fns.at[k]->name))
            return r->o.alloc_fails;
    return false;
}

static bool takes_part(const struct reach *r, size_t i)
{
    const struct engine *e = &engines[i];
    bool quick = e->name == REACH_PROOFS && !e->queries;
    if (quick && (bound_by_counts(r) || r->o.search != REACH_AUTO))
        return false;
    if (e->name == REACH_PROOFS && memory_matters(r))
        return false;
    if (r->o.search == REACH_AUTO)
        return true;
    if (r->o.search == REACH_RANDOM)
        return i == 0;
    if (r->o.search >= REACH_TAP_RANDOM)
        return e->name == REACH_TAP_HF;
    // Concolic needs inputs to begin with: those of the fuzzer's seeds.
    for (size_t k = 0; k < i; k++)
        if (engines[k].name == e->name && takes_part(r, k))
            return false;
    return e->name == r->o.search;
}

static void give_up(struct reach *r)
{
    for (uint32_t i = 0; i < r->targets.n; i++) {
        struct reach_target *t = &r->targets.at[i];
        if (!t->wanted || t->status != REACH_OPEN)
            continue;
        bool cut = r->late && !t->bounded;
        t->status = cut || r->interrupted ? REACH_TIMEOUT : REACH_EXHAUSTED;
        t->why = r->interrupted ? "interrupted" : reach_why_open(r, t);
    }
}

static bool round_of(struct reach *r, uint32_t round, struct diag *d)
{
    for (size_t i = 0; i < sizeof engines / sizeof *engines; i++) {
        struct reach_turn t = turn_of(r, &engines[i], round);
        if (!takes_part(r, i) || !left(r) || reach_over(r))
            continue;
        if (!engines[i].run(r, &t, d) || reach_setup_fails(r, false, d))
            return false;
    }
    return true;
}

static bool runs_spent(const struct reach *r)
{
    return r->o.runs && r->pool->runs >= r->o.runs;
}

bool reach_search(struct reach *r, struct diag *d)
{
    uint32_t idle = 0;
    if (r->o.with_tests && !reach_own_tests(r, d))
        return false;
    ask_graph(r);
    r->left = left(r);
    for (uint32_t round = 0; round < ROUNDS_MOST && idle < ROUNDS_IDLE;
         round++) {
        uint64_t news = r->pool->news;
        if (!left(r) || reach_over(r) || runs_spent(r))
            break;
        if (!round_of(r, round, d))
            return false;
        idle = r->pool->news == news ? idle + 1 : 0;
    }
    if (!r->interrupted && reach_setup_fails(r, true, d))
        return false;
    if (!reach_confirm(r, d))
        return false;
    reach_doubt(r);
    give_up(r);
    return true;
}
