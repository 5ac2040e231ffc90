// Tests of tasks, run natively: the file is built twice, from instrumented
// bitcode, which tells the branch sides that are taken, and as it is.
#include "cli/llvm/unit_task.h"

#include <errno.h>
#include <string.h>

#include "base/clock.h"
#include "base/text.h"
#include "base/wire.h"
#include "cases/replay_apart.h"
#include "cli/llvm/analysis.h"
#include "cli/session.h"
#include "program/program.h"
#include "stage/hits.h"

enum { RUNS_LEAST = 20 }; // cases that are run whatever the time

static void take_steps(struct arena *a, const char *text, struct test_case *c)
{
    char *steps = arena_text(a, text), *save = NULL;
    for (char *p = strtok_r(steps, ";", &save); p;
         p = strtok_r(NULL, ";", &save)) {
        struct words_step w;
        if (!words_parse(a, p + strspn(p, " "), &w))
            vec_push(&c->steps, w);
    }
}

static struct replay_outcome replay(struct session *s, const struct program *p,
                                    const struct task_case *k)
{
    struct replay_outcome o = {.why = "it could not be run"};
    const tr_test *test = program_test(p, k->name);
    struct test_case c = {0};
    struct diag d = {0};
    if (!test)
        return o;
    take_steps(&s->arena, k->steps, &c);
    struct subject sub = {
        .program = p,
        .test = test,
        .params = "",
        .explore = {.delivery = delivery_of("any"), .steps = c.steps.n + 1},
        .isolate = true};
    o = replay_apart(&sub, &c, &s->arena, &d);
    if (!o.ran)
        o.why = d.text ? arena_text(&s->arena, d.text) : "it could not be run";
    else if (o.fits)
        o.why = "something is left to receive";
    else
        o.why = arena_format(&s->arena, "step %u does not fit; %s", o.at + 1,
                             o.why);
    case_release(&c);
    diag_free(&d);
    return o;
}

// NULL if the case ended as it should.
static const char *differs(struct session *s, const struct task_outcome *t,
                           const struct task_case *k,
                           const struct replay_outcome *o)
{
    const struct ir *ir = t->o.ir;
    if (!o->ran)
        return o->why;
    if (k->waits && o->fits &&
        (o->bug.kind == BUG_DEADLOCK || o->bug.kind == BUG_UNANSWERED))
        return NULL;
    if (k->end == TASK_RETURNS) {
        if (o->bug.kind)
            return arena_format(&s->arena, "natively it ends with '%s'%s%s",
                                bug_kind_id(o->bug.kind),
                                o->bug.text ? ": " : "",
                                o->bug.text ? o->bug.text : "");
        return o->fits && o->complete ? NULL : o->why;
    }
    uint32_t line = ir->fns.at[k->fn]->insts.at[k->inst].line;
    if (!o->bug.kind)
        return "natively it does not trap";
    return !o->bug.line || o->bug.line == (int)line
               ? NULL
               : arena_format(&s->arena,
                              "natively it ends with '%s' at line %d, not %u",
                              bug_kind_id(o->bug.kind), o->bug.line, line);
}

static void lose(struct session *s, struct task_outcome *t,
                 const struct task_case *k, const char *why)
{
    t->lost++;
    if (!t->why)
        t->why = arena_format(&s->arena, "%s: %s", k->name, why);
}

// Did the instrumented run fail the check that the case traps at?  Of freed
// memory there is none: then it is enough that all receives were made.
static bool is_seen(const struct task_outcome *t, const struct task_case *k,
                    const struct ir *ir, const struct replay_outcome *o)
{
    if (k->end == TASK_TRAPS && strcmp(k->trap, sx_trap_id(SX_TRAP_FREED)) == 0)
        return o->ran && o->fits;
    const struct ir_fn *f = t->o.ir->fns.at[k->fn];
    uint32_t fn = ir_find_fn(ir, f->name);
    if (k->end != TASK_TRAPS || fn == IR_NOTHING ||
        k->inst >= ir->fns.at[fn]->insts.n)
        return false;
    const struct ir_inst *i = &ir->fns.at[fn]->insts.at[k->inst];
    return i->op == IR_TRAP && i->line == f->insts.at[k->inst].line &&
           i->site < ir->n_hits && hits_count(hits_map(), i->site);
}

// Cases that differ lose their names, and are taken out at the end.
static void run_all(struct session *s, const struct program *p,
                    struct task_outcome *t, bool *lost, const struct ir *ir,
                    uint32_t *passed)
{
    uint32_t n_hits = ir ? ir->n_hits : 0;
    double now = clock_now(), left = t->until - now;
    double end = ir ? now + left / 2 : t->until; // the plain build comes after
    for (uint32_t i = 0; i < t->cases.n; i++) {
        struct task_case *k = &t->cases.at[i];
        if (lost[i])
            continue;
        if (i >= RUNS_LEAST && clock_now() > end) {
            lost[i] = true;
            lose(s, t, k, "no time to run it (--time)");
            continue;
        }
        if (n_hits)
            memset(hits_map(), 0, n_hits * sizeof(uint32_t));
        struct replay_outcome o = replay(s, p, k);
        const char *why = differs(s, t, k, &o);
        lost[i] = why != NULL;
        if (why && n_hits && is_seen(t, k, ir, &o))
            vec_push(&t->silent, *k);
        else if (why)
            lose(s, t, k, why);
        else if (k->end == TASK_TRAPS || k->waits)
            k->trap = bug_kind_id(o.bug.kind);
        for (uint32_t h = 0; !why && h < n_hits; h++)
            passed[(size_t)i * n_hits + h] = hits_count(hits_map(), h);
    }
}

static bool run_counted(struct session *s, struct task_outcome *t, bool *lost,
                        struct ir **ir, uint32_t **passed)
{
    struct args link = {0};
    *ir = analysis_objects(s, IR_COUNT, &link);
    const char *path = *ir ? session_build(s, &link) : NULL;
    struct program *p = path ? program_load(path, &s->diag) : NULL;
    uint32_t n = *ir ? (*ir)->n_hits : 0;
    vec_free(&link);
    if (!p)
        return false;
    if (!hits_open((n + 1ul) * sizeof(uint32_t))) {
        program_free(p);
        return diag_set(&s->diag, EXIT_FAULT, "no memory: %s", strerror(errno));
    }
    *passed =
        arena_zero(&s->arena, (size_t)n * (t->cases.n + 1ul) * sizeof **passed);
    run_all(s, p, t, lost, *ir, *passed);
    hits_close();
    program_free(p);
    return true;
}

static bool run_plain(struct session *s, struct task_outcome *t, bool *lost)
{
    const char *path = session_build(s, &s->inputs);
    struct program *p = path ? program_load(path, &s->diag) : NULL;
    if (!p)
        return false;
    run_all(s, p, t, lost, NULL, NULL);
    program_free(p);
    return true;
}

// The handler in the file's own translation has the same sides.
static void count_sides(struct session *s, const struct task_outcome *t,
                        const struct ir *ir, const uint32_t *passed,
                        const bool *lost, uint8_t *hits)
{
    struct sides there = {0};
    uint32_t fn = ir_find_fn(ir, t->o.ir->fns.at[t->o.fn]->name);
    if (fn == IR_NOTHING)
        return;
    sides_of(ir, ir->fns.at[fn], &s->arena, &there);
    for (uint32_t i = 0; i < t->cases.n; i++)
        for (uint32_t k = 0;
             !lost[i] && there.at.n == t->sides.at.n && k < there.at.n; k++)
            if (passed[(size_t)i * ir->n_hits + there.at.at[k].hit])
                hits[k] = 1;
    sides_free(&there);
}

bool task_confirm(struct session *s, const struct task_source *from,
                  const char *file, struct task_outcome *t, bool *lost,
                  uint8_t *hits)
{
    struct ir *ir = NULL;
    uint32_t *passed = NULL;
    s->inputs.n = 0;
    vec_push(&s->inputs, file);
    for (uint32_t i = 0; i < from->n_others; i++)
        vec_push(&s->inputs, from->others[i]);
    bool ok = run_counted(s, t, lost, &ir, &passed) && run_plain(s, t, lost);
    if (ok)
        count_sides(s, t, ir, passed, lost, hits);
    if (ir)
        ir_free(ir);
    return ok;
}
