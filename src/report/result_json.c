// A search's result as fields of JSON (doc/schema).
#include "report/result.h"

#include "base/json.h"
#include "cases/findings.h"
#include "cases/subject.h"
#include "program/program.h"

#include "troupe.h"

#include <stdio.h>

void result_json_head(const struct result *r, struct json *j)
{
    json_text(j, "program", r->program);
    json_text(j, "test", r->subject->test->name);
    json_text(j, "params", r->subject->params);
    json_text(j, "delivery", delivery_id(r->subject->explore.delivery));
}

static void bug_json(const struct finding *f, struct json *j)
{
    const struct bug *b = &f->c.bug;
    json_object(j, NULL);
    json_text(j, "id", f->id);
    json_text(j, "kind", bug_kind_id(b->kind));
    json_bool(j, "warning", b->warning);
    json_bool(j, "known", f->known);
    json_text(j, "text", b->text);
    json_text(j, "file", b->file);
    json_number(j, "line", b->line);
    json_text(j, "class", b->cls);
    json_text(j, "message", b->msg);
    json_text(j, "case", f->path);
    json_bool(j, "confirmed", f->confirmed.outcome == CONFIRM_SAME);
    json_end(j);
}

void result_json_bugs(const struct result *r, struct json *j)
{
    json_array(j, "bugs");
    for (uint32_t i = 0; i < r->findings->list.n; i++)
        bug_json(&r->findings->list.at[i], j);
    json_end(j);
}

void result_json_weakened(const struct result *r, struct json *j)
{
    json_array(j, "weakened");
    for (uint32_t i = 0; i < r->weakened.n; i++)
        json_text(j, NULL, r->weakened.at[i]);
    json_end(j);
}

// The schedules that each strategy of auto made.
static void shares_json(const struct search_result *r, struct json *j)
{
    if (r->of.subject->explore.strategy != STRATEGY_AUTO)
        return;
    json_object(j, "shares");
    for (int s = 0; s < STRATEGIES_N; s++)
        if (r->figures.share[s])
            json_number(j, strategy_id((enum strategy)s),
                        (int64_t)r->figures.share[s]);
    json_end(j);
}

static void figures_json(const struct explore_result *x, struct json *j)
{
    char hash[24];
    json_bool(j, "complete", x->complete);
    json_text(j, "stopped_by", x->complete ? NULL : stop_id(x->stopped_by));
    json_number(j, "executions", (int64_t)x->executions);
    json_number(j, "warm_up_executions", (int64_t)x->warm_up);
    json_number(j, "blocked", (int64_t)x->blocked);
    json_number(j, "cut", (int64_t)x->cut);
    json_number(j, "ruled_out", (int64_t)x->ruled_out);
    json_number(j, "receives", (int64_t)x->receives);
    json_number(j, "states", (int64_t)x->states);
    json_number(j, "final_states", (int64_t)x->final_states);
    json_bool(j, "more_final_states", x->more_final_states);
    snprintf(hash, sizeof hash, "%016llx", (unsigned long long)x->finals_hash);
    json_text(j, "finals_hash", hash);
}

// Schedules a second.
static double rate_of(const struct search_result *r)
{
    uint64_t made = explore_made(&r->figures);
    made -= r->made_before < made ? r->made_before : made;
    return r->figures.seconds > 0 ? (double)made / r->figures.seconds : 0;
}

static void costs_json(const struct search_result *r, struct json *j)
{
    json_number(j, "handler_runs", (int64_t)r->handler_runs);
    json_number(j, "memo_hits", (int64_t)r->memo_hits);
    json_number(j, "max_depth", r->figures.max_depth);
    json_real(j, "seconds", r->figures.seconds);
    json_real(j, "rate", rate_of(r));
    json_number(j, "peak_bytes", (int64_t)r->peak_bytes);
    json_number(j, "workers", r->workers);
    json_number(j, "workers_lost", r->workers_lost);
    json_number(j, "workers_replaced", r->workers_replaced);
}

static void far_json(const struct search_result *r, struct json *j)
{
    if (!r->far)
        return;
    json_object(j, "far");
    json_number(j, "workers", r->far_workers);
    json_number(j, "cores", r->far_cores);
    json_number(j, "workers_gone", r->far_gone);
    json_number(j, "tasks", (int64_t)r->tasks);
    json_number(j, "tasks_died", r->tasks_died);
    json_number(j, "units_in_flight", r->units_out);
    json_number(j, "units_left", r->units_left);
    json_number(j, "units_set_aside", r->units_set_aside);
    json_end(j);
}

// Which clock the program reads; NULL: none.
static const char *clock_of(const struct subject *s)
{
    if (!program_clocked(s->program))
        return NULL;
    return s->explore.own_clocks ? "own" : "one";
}

void result_json(const struct search_result *r, struct json *j)
{
    const struct explore_result *x = &r->figures;
    json_object(j, NULL);
    result_json_head(&r->of, j);
    json_text(j, "strategy", strategy_id(r->strategy));
    json_number(j, "seed", (int64_t)r->of.subject->explore.seed);
    json_text(j, "clock", clock_of(r->of.subject));
    if (x->rested)
        json_number(j, "ticks", ticks_bound(r->of.subject->explore.ticks));
    else
        json_text(j, "ticks", NULL);
    figures_json(x, j);
    json_real(j, "missed_state_chance", result_chance(r));
    shares_json(r, j);
    result_json_weakened(&r->of, j);
    costs_json(r, j);
    far_json(r, j);
    if (x->more_final_states)
        json_real(j, "final_states_about", r->finals_about);
    if (x->complete)
        json_real(j, "estimate", (double)x->executions);
    else if (x->estimate >= 0)
        json_real(j, "estimate", x->estimate);
    else
        json_text(j, "estimate", NULL);
    if (!x->complete && x->estimate_high > 0) {
        json_real(j, "estimate_low", x->estimate_low);
        json_real(j, "estimate_high", x->estimate_high);
    }
    if (!x->complete && strategy_by_state(r->strategy) && x->growth > 0)
        json_real(j, "growth", x->growth);
    result_json_bugs(&r->of, j);
    json_end(j);
}
