#include "reach/reach.h"

#include "base/arena.h"
#include "base/clock.h"
#include "base/diag.h"
#include "flow/flow.h"

#include <string.h>

const char *reach_status_text(enum reach_status s)
{
    static const char *const texts[] = {
#define TEXT_(name, text) text,
        REACH_STATUSES(TEXT_)
#undef TEXT_
    };
    return texts[s];
}

bool reach_open(struct reach *r, const struct ir *ir, const struct flow *flow,
                const struct reach_options *o, const struct reach_builds *b,
                struct diag *d)
{
    struct ir_targets targets = {0};
    *r = (struct reach){
        .ir = ir, .flow = flow, .o = *o, .builds = *b, .began = clock_now()};
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

static uint32_t left(const struct reach *r)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < r->targets.n; i++)
        n += r->targets.at[i].wanted && r->targets.at[i].status == REACH_OPEN;
    return n;
}

double reach_elapsed(const struct reach *r)
{
    return clock_now() - r->began;
}

bool reach_over(struct reach *r)
{
    r->interrupted |= r->o.stop && r->o.stop();
    r->late |= r->o.seconds > 0 && reach_elapsed(r) >= r->o.seconds;
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

// All functions that a live one names are taken as called by it.
static void spread(const struct ir *ir, bool *live)
{
    struct ir_calls calls = {0};
    ir_calls(ir, &calls);
    for (bool again = true; again;) {
        again = false;
        for (uint32_t i = 0; i < calls.at.n; i++) {
            const struct ir_call *c = &calls.at.at[i];
            if (live[c->caller] && !live[c->callee])
                live[c->callee] = again = true;
        }
        for (uint32_t k = 0; k < ir->fns.n; k++)
            for (uint32_t i = 0; live[k] && i < ir->fns.at[k]->args.n; i++) {
                uint32_t f = ir_as_fn(ir, ir->fns.at[k]->args.at[i]);
                if (f != IR_NOTHING && !live[f])
                    live[f] = again = true;
            }
    }
    ir_calls_free(&calls);
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
    spread(r->ir, live);
    for (uint32_t i = 0; i < r->targets.n; i++) {
        struct reach_target *t = &r->targets.at[i];
        if (t->status != REACH_OPEN || live[t->at.fn])
            continue;
        t->status = REACH_UNREACHABLE;
        t->why = why_dead(r, t->at.fn);
    }
}

// ---- the engines, in turn ---------------------------------------------------

// An engine works as long as it finds something or its share of the budget
// lasts; what it leaves in the pool is the next one's start.
struct engine {
    const char *name;
    bool (*run)(struct reach *r, struct diag *d);
};

static const struct engine engines[] = {
    {"fuzz", reach_fuzz},
};

static void give_up(struct reach *r)
{
    for (uint32_t i = 0; i < r->targets.n; i++) {
        struct reach_target *t = &r->targets.at[i];
        if (!t->wanted || t->status != REACH_OPEN)
            continue;
        t->status = r->late || r->interrupted ? REACH_TIMEOUT : REACH_EXHAUSTED;
        t->why =
            r->interrupted
                ? "interrupted"
                : arena_format(&r->arena,
                               "no run of %llu reached it, with up to %u posts",
                               (unsigned long long)r->pool->runs,
                               r->o.messages ? r->o.messages : INPUT_GENES);
    }
}

bool reach_search(struct reach *r, struct diag *d)
{
    ask_graph(r);
    for (size_t i = 0; i < sizeof engines / sizeof *engines; i++)
        if (left(r) && (!engines[i].run(r, d) || !reach_confirm(r, d)))
            return false;
    give_up(r);
    return true;
}
