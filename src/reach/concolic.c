// Concolic search: inputs of the pool are followed on the IR, sides that they
// did not take are asked of the solver, and what it answers is run natively.
//
// From each run that is followed, first every side that no run has shown, then
// those that were not tried at this place and turn since the last extension.
// When nothing is left to follow, inputs are extended by a message of each
// kind.  Nothing counts but what the native run shows: a model only says what
// to try.
#include "reach/reach.h"

#include "base/die.h"
#include "base/hash.h"
#include "base/rng.h"
#include "reach/flips.h"
#include "reach/follow.h"
#include "reach/fuzz.h"
#include "reach/native.h"
#include "solver/solver.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    TRACES_A_STORE = 60,  // runs after which terms and solver are made anew
    TERMS_MOST = 1500000, // terms with which they are, too
    TURNS_APART = 12,     // of a choice that are told apart
    TRIES_UNSEEN = 5,     // of a side that nobody has seen
    TRIES_MORE = 3,       // after an extension
    TRIES_SEEN = 3,       // of a place and turn
    TRIES_PROGRESS = 30,  // from runs that came nearer to something
    TRIES_HARD = 2,       // that a question without an answer counts as, more
    LOOSER_MOST = 4,      // times that refuting conditions are left out
    OTHERS_MOST = 24,     // sides seen before, asked of one run
    ELSE_COST = 6,        // of a side that leads nowhere; of others 1
    QUEUE_MOST = 4000,
    GROWN_MOST = 200,
    RECEIVES_MOST = 400, // of a run that is followed
    COST_MOST = 300000,
    STEPS_MOST = 1500000, // instructions
    LIMIT_MS = 150,       // of a question, at first
    RLIMIT = 1000000,     // the same in Z3's units
};

struct work {
    struct input *in;
    uint32_t score; // higher ones first
    uint32_t generation;
    bool progress; // made here, and it showed something or came nearer
};

struct concolic {
    struct reach *r;
    const struct reach_turn *turn;
    struct runner *runner;
    struct rng rng;
    struct terms *ts;
    struct solver *solver;
    struct symex *x;
    struct follow f;
    struct tale tale;
    uint32_t traces; // with this store
    VEC(struct work) queue;
    VEC(struct input *) grown; // by extension
    struct toward toward;
    struct flips flips;
    struct map known; // hashes of inputs that were queued
    struct map tried; // choices, since the last extension
    struct map tries; // of sides that nobody has seen, by hit
    uint32_t extensions;
    uint32_t undecided; // questions about sides that nobody has seen
    uint64_t asked0, runs0;
    double began, found; // seconds after it began, the last news
};

static struct pool *pool_of(const struct concolic *c)
{
    return c->r->pool;
}

// ---- when to end ------------------------------------------------------------

static bool is_over(void *self)
{
    struct concolic *c = self;
    const struct reach_turn *t = c->turn;
    const struct pool *p = pool_of(c);
    double gone = t->seconds > 0 ? native_seconds(c->r) - c->began : 0;
    double most = gone - c->found < t->seconds / 2 ? t->most : t->seconds;
    return p->stop || (t->seconds > 0 && gone >= most) ||
           (t->queries && p->concolic.asked - c->asked0 >= t->queries) ||
           (t->runs && p->runs - c->runs0 >= t->runs) ||
           (c->r->o.runs && p->runs >= c->r->o.runs);
}

// ---- the store --------------------------------------------------------------

static void close_store(struct concolic *c)
{
    follow_clear(&c->f);
    if (c->x)
        symex_free(c->x);
    solver_free(c->solver);
    if (c->ts)
        terms_free(c->ts);
    c->x = NULL;
    c->solver = NULL;
    c->ts = NULL;
}

static void open_store(struct concolic *c)
{
    double ms =
        LIMIT_MS * (double)(1u << (c->turn->round < 5 ? c->turn->round : 5));
    struct solver_options so = {.simple_ms = ms, .full_ms = ms};
    struct sx_options xo = {.loop = UINT32_MAX,
                            .recursion = UINT32_MAX,
                            .path_steps = STEPS_MOST,
                            .constant_globals = true,
                            .selects = true};
    if (c->turn->queries)
        so.rlimit = (uint32_t)RLIMIT
                    << (c->turn->round < 5 ? c->turn->round : 5);
    close_store(c);
    c->ts = terms_new();
    c->solver = solver_new(c->ts, &so);
    c->x = symex_new(c->r->ir, c->ts, c->solver, &xo);
    symex_stop(c->x, is_over, c);
    c->f.ts = c->ts;
    c->f.x = c->x;
    c->traces = 0;
}

enum {
    SCORE_NEWS = 1000,
    SCORE_FRONT = 900, // the first that came to the block before a target
    SCORE_NEAR = 400,
    SCORE_KEPT = 300,
    SCORE_NEARER = 250,
    SCORE_MADE = 0,
    SCORE_TOWARD = 90, // more, of an input that is near to what is wanted
    SCORE_AGAIN = 200
};

// ---- the queue --------------------------------------------------------------

static void push(struct concolic *c, const struct input *in, uint32_t score,
                 uint32_t generation, bool progress)
{
    uint64_t h = hash_bytes(in, input_size(in));
    if (map_get(&c->known, h) != MAP_NONE || c->queue.n >= QUEUE_MOST)
        return;
    map_put(&c->known, h, 1);
    struct work w = {.in = need(input_size(in)),
                     .score = score,
                     .generation = generation,
                     .progress = progress};
    memcpy(w.in, in, input_size(in));
    vec_push(&c->queue, w);
}

static struct work pop(struct concolic *c)
{
    uint32_t best = 0;
    for (uint32_t i = 1; i < c->queue.n; i++)
        if (c->queue.at[i].score > c->queue.at[best].score)
            best = i;
    struct work w = c->queue.at[best];
    for (uint32_t i = best; i + 1 < c->queue.n; i++)
        c->queue.at[i] = c->queue.at[i + 1];
    c->queue.n--;
    return w;
}

// Inputs with cheap runs come first: a thousand short runs are followed in the
// time of a long one.
static uint32_t by_cost(uint32_t score, uint64_t cost)
{
    uint32_t less = 0;
    while (cost > 100 && less < 90) {
        cost /= 2;
        less += 10;
    }
    return score - less;
}

// An input that came nearest at a comparison is preferred if a target lies
// behind the comparison.
static uint32_t near_score(const struct concolic *c, uint32_t site)
{
    uint32_t far = c->toward.sites[site];
    if (far == TOWARD_NEVER)
        return SCORE_NEAR;
    return SCORE_NEAR + SCORE_TOWARD - (far < 40 ? far * 2 : 80);
}

// The input that first came to the last block before a target.
static void seed_front(struct concolic *c, const struct ir_target *t)
{
    const struct pool *p = pool_of(c);
    const struct ir_fn *f = c->r->ir->fns.at[t->fn];
    uint32_t b = t->block;
    while (b != IR_NOTHING && !p->hit[ir_block_hit(f, &f->blocks.at[b])])
        b = f->blocks.at[b].idom;
    if (b == IR_NOTHING)
        return;
    uint32_t first = p->first[ir_block_hit(f, &f->blocks.at[b])];
    if (first < p->n_inputs && p->inputs[first].cost < COST_MOST)
        push(c, &p->inputs[first].input,
             by_cost(SCORE_FRONT, p->inputs[first].cost), 0, false);
}

// Messages that are posted together share their contents.  The same input with
// contents of their own is followed after it.
static void seed_apart(struct concolic *c, const struct input *from,
                       uint32_t score)
{
    static struct input in; // large
    input_copy(&in, from);
    for (uint32_t i = in.n_genes; i-- > 0;)
        fuzz_unroll(&in, i);
    push(c, &in, score, 0, false);
}

static void seed(struct concolic *c)
{
    const struct pool *p = pool_of(c);
    toward_update(&c->toward, c->r);
    for (uint32_t i = 0; i < c->r->targets.n; i++)
        if (reach_is_open(c->r, &c->r->targets.at[i]))
            seed_front(c, &c->r->targets.at[i].at);
    for (uint32_t i = 0; i < p->n_compares * NEAR_N; i++)
        if (p->near[i].known && pool_open(p, i / NEAR_N) &&
            p->near[i].cost < COST_MOST) {
            uint32_t score =
                by_cost(near_score(c, i / NEAR_N), p->near[i].cost);
            push(c, &p->near[i].input, score, 0, false);
            seed_apart(c, &p->near[i].input, score - 1);
        }
    for (uint32_t i = 0; i < p->n_inputs; i++)
        if (p->inputs[i].receives <= RECEIVES_MOST &&
            p->inputs[i].cost < COST_MOST)
            push(c, &p->inputs[i].input, by_cost(SCORE_KEPT, p->inputs[i].cost),
                 0, false);
}

// Some input to extend: one that was kept, or one that was extended before.
static const struct input *to_extend(struct concolic *c)
{
    const struct pool *p = pool_of(c);
    if (c->grown.n && rng_below(&c->rng, 2))
        return c->grown.at[rng_below(&c->rng, c->grown.n)];
    const struct kept_input *k = &p->inputs[rng_below(&c->rng, p->n_inputs)];
    return k->cost >= COST_MOST || k->end == RUN_TRAPPED ? NULL : &k->input;
}

static void keep_grown(struct concolic *c, const struct input *in)
{
    struct input *copy = need(input_size(in));
    memcpy(copy, in, input_size(in));
    if (c->grown.n < GROWN_MOST) {
        vec_push(&c->grown, copy);
        return;
    }
    uint32_t i = rng_below(&c->rng, c->grown.n);
    free(c->grown.at[i]);
    c->grown.at[i] = copy;
}

// Append a message of one kind to the input.
static void extend_by(struct concolic *c, const struct input *from, uint32_t to,
                      uint32_t msg)
{
    static struct input in; // large
    input_copy(&in, from);
    struct gene *g = &in.genes[in.n_genes++];
    memset(g, 0, sizeof *g);
    g->to = (uint8_t)to;
    g->msg = (uint16_t)msg;
    g->times = 1;
    g->pass = rng_below(&c->rng, 4) ? PASS_ALL : (uint8_t)rng_below(&c->rng, 3);
    if (rng_below(&c->rng, 8) == 0)
        in.seed = 1 + rng_below(&c->rng, 1u << 30);
    push(c, &in, SCORE_MADE + 100, 0, false);
    keep_grown(c, &in);
}

static void extend(struct concolic *c)
{
    const struct pool *p = pool_of(c);
    const struct reach_model *m = &c->r->model;
    uint32_t most = c->r->o.messages && c->r->o.messages < INPUT_GENES
                        ? c->r->o.messages
                        : INPUT_GENES;
    c->extensions++;
    map_clear(&c->tried);
    for (uint32_t k = 0; k < 4 && p->n_inputs; k++) {
        static struct input from; // large
        const struct input *chosen = to_extend(c);
        if (!chosen || chosen->n_genes >= most)
            continue;
        input_copy(&from, chosen);
        for (uint32_t i = 0; i < p->n_names; i++) {
            uint32_t cls = p->names[i].cls;
            for (uint32_t j = 0; cls != IR_NOTHING && j < m->accepts[cls].n;
                 j++)
                extend_by(c, &from, i, m->accepts[cls].at[j]);
        }
    }
}

// ---- sides ------------------------------------------------------------------

static void note(char *to, const char *text)
{
    if (!*to)
        snprintf(to, POOL_WHY, "%s", text);
}

static void note_missed(struct concolic *c, const struct sx_choice *o)
{
    const struct ir_fn *f = c->r->ir->fns.at[o->fn];
    char text[POOL_WHY];
    snprintf(text, sizeof text, "%s:%u in %s, side %u",
             c->r->ir->files.at[f->file], f->insts.at[o->inst].line, f->name,
             o->side);
    pool_of(c)->concolic.missed++;
    note(pool_of(c)->concolic.missed_at, text);
}

// The side is refuted by sides that the run took before: ask without those, as
// another way may lead there.  The run decides.
static enum solver_answer ask_loosely(struct concolic *c, struct path *before,
                                      term goal, struct model **m)
{
    enum solver_answer a = SOLVER_UNSAT;
    for (int k = 0; k < LOOSER_MOST && a == SOLVER_UNSAT && !is_over(c); k++) {
        if (!solver_loosen(c->solver, before, goal))
            break;
        a = solver_ask(c->solver, before, goal, m);
    }
    return a;
}

// A model of the goal and of those earlier conditions that share variables with
// it.  *guess: earlier conditions were left out, so the run may miss the side.
static enum solver_answer ask(struct concolic *c, const struct sx_choice *o,
                              uint32_t hit, struct model **m, bool *guess)
{
    bool unseen = hit != IR_NOTHING && !pool_of(c)->hit[hit];
    struct pool_asked *asked = unseen ? &pool_of(c)->asked[hit] : NULL;
    struct pool_concolic *figures = &pool_of(c)->concolic;
    struct path before = sx_path_before(c->f.run, o);
    enum solver_answer a = solver_ask(c->solver, &before, o->goal, m);
    figures->asked++;
    figures->sat += a == SOLVER_SAT;
    figures->unsat += a == SOLVER_UNSAT;
    figures->unknown += a == SOLVER_UNKNOWN;
    if (asked) {
        asked->yes += a == SOLVER_SAT;
        asked->no += a == SOLVER_UNSAT;
        asked->open += a == SOLVER_UNKNOWN;
    }
    if (a == SOLVER_UNSAT && unseen) {
        a = ask_loosely(c, &before, o->goal, m);
        *guess = true;
    }
    if (a == SOLVER_UNKNOWN || (a == SOLVER_UNSAT && unseen)) {
        // Ask without the earlier conditions: another way may lead there.
        before.n = before.n_facts = 0;
        a = solver_ask(c->solver, &before, o->goal, m);
        *guess = true;
    }
    path_release(&before);
    return a;
}

// One hard question about what leads nowhere must not cost the time of ten
// others.
static double share_of(enum flip_kind kind)
{
    return kind == FLIP_UNSEEN ? 1 : kind == FLIP_TOWARD ? 0.6 : 0.15;
}

// Ask the solver for the side and run its answer.  UNKNOWN: it has none.
static enum solver_answer flip(struct concolic *c, const struct work *w,
                               const struct flip *x, const struct sx_choice *o)
{
    static struct input in; // large
    struct model *m = NULL;
    bool guess = false;
    uint32_t hit = x->hit;
    solver_share(c->solver, share_of(x->kind));
    enum solver_answer a = ask(c, o, hit, &m, &guess);
    if (a != SOLVER_SAT)
        return a;
    input_copy(&in, w->in);
    follow_write(&c->f, m, &in);
    model_free(m);
    bool news = runner_try(c->runner, &in);
    if (news)
        c->found = native_seconds(c->r) - c->began;
    if (!guess && hit != IR_NOTHING && !runner_hit(c->runner, hit))
        note_missed(c, o);
    bool progress = news || runner_nearer(c->runner);
    bool fit = runner_cost(c->runner) < COST_MOST &&
               runner_receives(c->runner) <= RECEIVES_MOST;
    uint32_t less = (w->generation < 50 ? w->generation : 50) * (news ? 0 : 2);
    uint32_t score = news ? SCORE_NEWS : progress ? SCORE_NEARER : SCORE_MADE;
    if (fit)
        push(c, &in, by_cost(score + 100, runner_cost(c->runner)) - less,
             w->generation + 1, progress);
    return SOLVER_SAT;
}

// How often a flip was tried.
static uint32_t *tries_of(struct concolic *c, const struct flip *x)
{
    uint32_t turns = c->r->o.loop ? c->r->o.loop : TURNS_APART;
    uint32_t t = x->turn < turns ? x->turn : turns;
    uint32_t *times = x->kind == FLIP_UNSEEN
                          ? map_at(&c->tries, x->hit)
                          : map_at(&c->tried, hash_join(x->place, t));
    *times = *times == MAP_NONE ? 0 : *times;
    return times;
}

// May this flip be tried once more?  If so, the try is counted.
static bool may_try(struct concolic *c, const struct work *w,
                    const struct flip *x, uint32_t *others)
{
    bool unseen = x->kind == FLIP_UNSEEN;
    uint32_t *times = tries_of(c, x);
    uint32_t most = unseen        ? TRIES_UNSEEN + TRIES_MORE * c->extensions
                    : w->progress ? TRIES_PROGRESS
                                  : TRIES_SEEN;
    if (*times >= most || (unseen && x->turn > 1))
        return false;
    if (!unseen) {
        uint32_t cost = x->kind == FLIP_ELSE ? ELSE_COST : 1;
        if (*others < cost)
            return false;
        *others -= cost;
    }
    ++*times;
    return true;
}

static void flip_all(struct concolic *c, const struct work *w)
{
    const struct sx_choice *all;
    uint32_t others = OTHERS_MOST;
    sx_choices(c->f.run, &all);
    toward_update(&c->toward, c->r);
    flips_of(&c->flips, c->r, &c->toward, c->f.run);
    for (uint32_t i = 0; i < c->flips.at.n && !is_over(c); i++) {
        const struct flip *x = &c->flips.at.at[i];
        if (x->kind == FLIP_UNSEEN && pool_of(c)->hit[x->hit])
            continue; // by one of those before
        if (!may_try(c, w, x, &others) ||
            flip(c, w, x, &all[x->choice]) != SOLVER_UNKNOWN)
            continue;
        if (x->kind == FLIP_UNSEEN)
            c->undecided++;
        else
            *tries_of(c, x) += TRIES_HARD;
    }
}

// ---- one input --------------------------------------------------------------

// Did the IR enter the same places as the native run passed?
static bool same_blocks(struct concolic *c, char *out)
{
    const struct ir *ir = c->r->ir;
    for (uint32_t i = 0; i < c->r->targets.n; i++) {
        const struct ir_target *t = &c->r->targets.at[i].at;
        if (t->trap != IR_TRAPS_N)
            continue;
        bool native = runner_hit(c->runner, t->hit);
        if (native == sx_entered(c->f.run, t->fn, t->block))
            continue;
        snprintf(out, POOL_WHY, "%s line %u, %s", ir->fns.at[t->fn]->name,
                 t->line, native ? "natively only" : "not natively");
        return false;
    }
    return true;
}

static void follow_once(struct concolic *c, const struct work *w)
{
    struct pool_concolic *figures = &pool_of(c)->concolic;
    char text[POOL_WHY] = "";
    bool whole = follow_run(&c->f, w->in, &c->tale);
    figures->followed++;
    if (c->f.diverged || (whole && !same_blocks(c, text))) {
        figures->diverged++;
        note(figures->diverged_why, c->f.why ? c->f.why : text);
    } else if (!whole) {
        figures->partly++;
        note(figures->partly_why, c->f.why ? c->f.why : "");
    }
    flip_all(c, w);
}

// What both sides of branches give makes large terms.  Where the solver had no
// answer for them, the run is followed once more with the sides that it took.
static void follow(struct concolic *c, const struct work *w)
{
    if (!c->ts || c->traces++ >= TRACES_A_STORE ||
        terms_count(c->ts) > TERMS_MOST)
        open_store(c);
    uint64_t both = symex_both_count(c->x);
    c->undecided = 0;
    runner_tell(c->runner, w->in, &c->tale);
    follow_once(c, w);
    if (!c->undecided || both == symex_both_count(c->x) || is_over(c))
        return;
    symex_both(c->x, false);
    runner_tell(c->runner, w->in, &c->tale);
    follow_once(c, w);
    symex_both(c->x, true);
}

static uint32_t system_of(const struct reach *r)
{
    for (uint32_t i = 0; i < r->ir->systems.n; i++)
        if (strcmp(r->ir->systems.at[i].name, r->o.system) == 0)
            return r->ir->systems.at[i].fn;
    return IR_NOTHING;
}

// ---- the engine -------------------------------------------------------------

enum { EXTENSIONS_MOST = 40, EXTENSIONS_ALONE = 2000 };

static void search(void *self, struct runner *runner, uint32_t life)
{
    struct concolic *c = self;
    const struct pool *p = pool_of(c);
    c->runner = runner;
    c->rng = rng_of(c->r->o.seed + life * UINT64_C(1000033) +
                    c->turn->round * UINT64_C(91193));
    c->f = (struct follow){.ir = c->r->ir,
                           .model = &c->r->model,
                           .runner = runner,
                           .fixed = runner_options(runner)->fixed,
                           .system = system_of(c->r)};
    c->asked0 = p->concolic.asked;
    c->runs0 = p->runs;
    c->began = native_seconds(c->r);
    if (life) // what killed the last one is not followed again
        map_put(&c->known, hash_bytes(&p->current, input_size(&p->current)), 1);
    fuzz_seed(runner);
    seed(c);
    uint32_t most =
        c->r->o.search == REACH_CONCOLIC ? EXTENSIONS_ALONE : EXTENSIONS_MOST;
    while (!is_over(c) && !native_all_hit(c->r) && c->extensions < most) {
        if (!c->queue.n)
            extend(c);
        if (!c->queue.n)
            break;
        struct work w = pop(c);
        follow(c, &w);
        free(w.in);
    }
    close_store(c);
}

bool reach_concolic(struct reach *r, const struct reach_turn *turn,
                    struct diag *d)
{
    struct concolic c = {.r = r, .turn = turn};
    return native_run(r, search, &c, d);
}
