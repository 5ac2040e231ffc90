// Candidates come from random native runs and from the engine; of those
// confirmed, the simplest ones that add a side are kept.
#include "unit/searching.h"

#include "base/clock.h"
#include "base/interrupt.h"
#include "unit/never.h"
#include "unit/reasons.h"
#include "unit/suspects.h"

#include <stdlib.h>
#include <string.h>

static const double AGAIN = 2; // seconds of random runs after the engine
static const double GRACE = 2; // seconds more to confirm what was found
// Native runs of a candidate, about.
enum { RUNS_EACH = 5 };

uint32_t unit_count(const struct unit_result *r, enum side_state state)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < r->sides.at.n; i++)
        n += r->of[i].state == state;
    return n;
}

// ---- runs ------------------------------------------------------------------

// Sides for which no input is looked for any more.
uint8_t *search_taken(struct search *w)
{
    uint8_t *all = arena_zero(w->a, w->out->sides.at.n + 1ul);
    for (uint32_t k = 0; k < w->out->sides.at.n; k++)
        all[k] = w->never[k] != NULL;
    for (uint32_t i = 0; i < w->found.n; i++)
        for (uint32_t k = 0; k < w->out->sides.at.n; k++)
            all[k] |= w->found.at[i].sides[k] && case_counts(&w->found.at[i]) &&
                      !(w->typed && w->found.at[i].untyped);
    return all;
}

// The time that one candidate of a list takes to be confirmed.
static double time_of_candidate(struct search *w)
{
    struct input in = {0};
    const char *why;
    double least = 0.02;
    bool ok = input_signature(w->ir, w->a, w->f, &in, &why);
    for (int i = 0; i < 3 && ok; i++) {
        struct runner_outcome n = {0};
        double from = clock_now();
        runner_run(w->s, w->a, w->f, IR_NOTHING, &in, 0, RUNNER_PLAIN, &n);
        double once = clock_now() - from;
        least = once < least ? once : least;
        runner_release(&n);
    }
    input_release(&in);
    return RUNS_EACH * least;
}

// Each is run natively, as long as there is time.
static void take_paths(struct search *w)
{
    const struct engine_result *r = &w->engine;
    for (uint32_t i = 0; i < r->found.n; i++) {
        if (clock_now() > w->until || interrupted()) {
            search_note(
                w, arena_format(w->a, "%u of %u candidates were not run: %s.",
                                r->found.n - i, r->found.n,
                                interrupted() ? "interrupted"
                                              : "the time was up (--time)"));
            w->out->stopped |= w->o->all;
            return;
        }
        search_take_path(w, &r->found.at[i]);
    }
}

static void symbolic_runs(struct search *w, double seconds)
{
    struct engine_options o = {.seconds = seconds,
                               .seed = w->o->seed,
                               .pre = w->pre,
                               .elsewhere = search_taken(w),
                               .all = w->o->all,
                               .by_path = w->o->by_path,
                               .loop = w->o->loop,
                               .loop_to = w->o->loop_to,
                               .local = w->o->local,
                               .lines = w->o->lines,
                               .n_lines = w->o->n_lines,
                               .recursion = w->o->recursion,
                               .array = w->o->array,
                               .lazy = w->o->lazy,
                               .inlined = w->o->inlined,
                               .overflow = w->o->overflow,
                               .each = w->o->all ? time_of_candidate(w) : 0};
    struct engine_result *r = &w->engine;
    engine(w->s, w->a, w->f, &w->out->sides, &o, r);
    if (r->died)
        search_note(w, r->late ? "The engine did not stop in its time: what it "
                                 "had found is lost."
                               : "The engine was lost: a fault of this tool.");
    w->out->paths = r->paths;
    w->out->unsatisfied = w->pre != IR_NOTHING && r->complete && !r->paths;
    w->out->listed = r->cases;
    w->out->cut = r->cut;
    w->out->stopped = r->stopped && w->o->all;
    take_paths(w);
    for (uint32_t i = 0; i < r->levels.n; i++)
        vec_push(&w->out->levels, r->levels.at[i]);
    for (uint32_t i = 0; i < r->summaries.n; i++)
        vec_push(&w->out->summaries, r->summaries.at[i]);
    w->out->steps = r->steps;
    w->out->asked = r->asked;
    w->out->traces = r->traces;
    w->out->feasible = r->feasible;
    w->out->undecided = r->undecided;
    w->out->reached = r->reached;
}

static bool is_open(struct search *w)
{
    const uint8_t *taken = search_taken(w);
    for (uint32_t i = 0; i < w->out->sides.at.n; i++)
        if (!taken[i] && !w->engine.complete)
            return true;
    return false;
}

static double left_of(const struct search *w, double from)
{
    double left = w->o->seconds - (clock_now() - from);
    return left < 0.1 ? 0.1 : left > AGAIN ? AGAIN : left;
}

static void random_runs(struct search *w, double seconds)
{
    struct fuzz_options o = {
        .pre = w->pre, .seconds = seconds, .seed = w->o->seed + w->out->runs};
    struct fuzz_result r;
    fuzz(w->s, w->a, w->f, &w->out->sides, &o, &r);
    w->out->runs += r.runs;
    if (r.died)
        search_note(w, "The process of the random runs was lost.");
    for (uint32_t i = 0; i < r.found.n; i++)
        if (r.found.at[i].late)
            search_take_late(w, &r.found.at[i].in);
        else
            search_take_random(w, &r.found.at[i]);
    fuzz_free(&r);
}

// ---- what goes wrong in silence -------------------------------------------

// Has another case of this trap been confirmed?
static bool is_confirmed(const struct search *w, const struct unit_case *c)
{
    for (uint32_t i = 0; i < w->found.n; i++)
        if (w->found.at[i].expected &&
            w->found.at[i].expected_fn == c->expected_fn &&
            w->found.at[i].expected_inst == c->expected_inst)
            return true;
    return false;
}

static void tell_doubt(struct search *w, const struct unit_case *c)
{
    if (!c->expected || is_confirmed(w, c))
        return;
    const struct ir_fn *of = w->ir->fns.at[c->expected_fn];
    search_note(w, arena_format(w->a,
                                "An access outside of its object at line %u is "
                                "possible, but no sanitizer confirms it.",
                                of->insts.at[c->expected_inst].line));
}

// Ask a sanitizer about suspects and about cases that return.
static void settle_suspects(struct search *w)
{
    uint32_t n = 0, all = w->suspects.n + w->found.n;
    struct unit_case **cases = arena_get(w->a, (all + 1ul) * sizeof *cases);
    bool *wrong = arena_zero(w->a, all + 1ul);
    if (!w->suspects.n && !w->silent)
        return;
    for (uint32_t i = 0; i < w->suspects.n; i++)
        cases[n++] = &w->suspects.at[i];
    for (uint32_t i = 0; i < w->found.n; i++)
        if (!w->found.at[i].ends)
            cases[n++] = &w->found.at[i];
    suspects_settle(w->s, w->a, cases, n, wrong);
    for (uint32_t i = 0; i < w->suspects.n; i++)
        if (wrong[i])
            vec_push(&w->found, w->suspects.at[i]);
    for (uint32_t i = 0; i < w->suspects.n; i++) {
        struct unit_case *c = &w->suspects.at[i];
        if (wrong[i])
            continue;
        w->out->lost += !c->expected || !is_confirmed(w, c);
        tell_doubt(w, c);
        call_release(&c->call);
        input_release(&c->in);
    }
    vec_free(&w->suspects);
}

// A function without branch sides has no open one that says why.
static void tell_untested(struct search *w)
{
    const struct engine_result *e = &w->engine;
    if (w->out->refused || w->out->cases.n || w->out->sides.at.n)
        return;
    search_note(w, arena_format(w->a, "No test: %s.",
                                w->out->lost ? "its calls did not end twice in "
                                               "the same way"
                                : e->notes.n ? e->notes.at[0]
                                             : "no call of it returned"));
}

void unit_search(const struct unit_subject *s, struct arena *a, uint32_t fn,
                 const struct search_options *o, struct unit_result *out)
{
    struct search w = {.s = s,
                       .ir = s->ir,
                       .a = a,
                       .f = s->ir->fns.at[fn],
                       .o = o,
                       .out = out,
                       .pre = o->pre};
    double from = clock_now();
    w.until = from + o->seconds + (o->all ? 0 : GRACE);
    memset(out, 0, sizeof *out);
    out->f = w.f;
    sides_of(s->ir, w.f, a, &out->sides);
    out->of = arena_zero(a, (out->sides.at.n + 1ul) * sizeof *out->of);
    out->refused = unit_refuses(s->ir, w.f);
    if (o->seconds <= 0 && !out->refused)
        out->refused = "no time was left for it (--time)";
    w.silent = suspects_possible(s->ir, w.f);
    w.never = arena_zero(a, (out->sides.at.n + 1ul) * sizeof *w.never);
    for (uint32_t i = 0; i < out->sides.at.n; i++)
        w.never[i] = never_taken(s->ir, w.f, &out->sides.at.at[i], a);
    if (!out->refused && (o->all || search_guided(o))) {
        symbolic_runs(&w, o->seconds);
    } else if (!out->refused) {
        random_runs(&w, o->seconds < 2 ? o->seconds / 8 : 0.25);
        search_fail_allocations(&w);
        w.typed = true;
        symbolic_runs(&w, 0.8 * (o->seconds - (clock_now() - from)));
        w.typed = false;
        if (is_open(&w) && !interrupted())
            random_runs(&w, left_of(&w, from));
    }
    search_fail_allocations(&w);
    search_earlier_calls(&w);
    settle_suspects(&w);
    search_choose(&w);
    struct reasons why = {s, a, w.f, o, out, &w.engine, w.never};
    reasons_say(&why);
    tell_untested(&w);
    engine_free(&w.engine);
    vec_free(&w.found);
    out->seconds = clock_now() - from;
}

void unit_result_free(struct unit_result *r)
{
    for (uint32_t i = 0; i < r->cases.n; i++) {
        call_release(&r->cases.at[i].call);
        input_release(&r->cases.at[i].in);
    }
    for (uint32_t i = 0; i < r->spare.n; i++) {
        call_release(&r->spare.at[i].call);
        input_release(&r->spare.at[i].in);
    }
    vec_free(&r->cases);
    vec_free(&r->spare);
    vec_free(&r->levels);
    vec_free(&r->summaries);
    vec_free(&r->notes);
    sides_free(&r->sides);
}
