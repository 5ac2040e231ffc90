// Running the engine on a program given as text.
#ifndef TEST_SYMEX_ENGINE_H
#define TEST_SYMEX_ENGINE_H

#include "base/diag.h"
#include "replay.h"
#include "scratch.h"
#include "test.h"

#include <stdio.h>

struct bench {
    struct ir *ir;
    struct terms *ts;
    struct solver *solver;
};

static scratch_path bench_dir; // made at the first use

static void bench_leave(void)
{
    scratch_remove(bench_dir);
}

static void bench_enter(void)
{
    if (bench_dir[0])
        return;
    scratch_new(bench_dir);
    atexit(bench_leave);
}

static struct bench bench_file(const char *path)
{
    struct diag d = {0};
    struct solver_options so = {.full_ms = 20000};
    struct bench b = {0};
    bench_enter();
    struct ir_options o = {.cache = bench_dir};
    b.ir = ir_load(&path, 1, &o, &d);
    if (!b.ir)
        diag_print(&d, stderr);
    CHECK(b.ir != NULL);
    diag_free(&d);
    b.ts = terms_new();
    b.solver = solver_new(b.ts, &so);
    return b;
}

static struct bench bench_open(const char *program)
{
    char path[SCRATCH + 64];
    bench_enter();
    snprintf(path, sizeof path, "%s/program.c", bench_dir);
    FILE *f = fopen(path, "w");
    if (f) {
        fputs(program, f);
        fclose(f);
    }
    return bench_file(path);
}

static void bench_close(struct bench *b)
{
    solver_free(b->solver);
    terms_free(b->ts);
    ir_free(b->ir);
}

static struct sx_start bench_start(const struct bench *b, const char *function,
                                   const char *pre)
{
    return (struct sx_start){.fn = ir_find_fn(b->ir, function),
                             .pre = pre ? ir_find_fn(b->ir, pre) : IR_NOTHING,
                             .cls = IR_NOTHING,
                             .msg = IR_NOTHING};
}

// What came of a run.  Every path is judged by the interpreter.
struct tally {
    uint32_t paths, cases, returns, traps, open, wrong, cuts;
    struct sx_counts counts;
};

static void tally_path(struct bench *b, struct sx_run *r, uint32_t fn,
                       const struct sx_path *p, struct tally *t)
{
    if (p->end != SX_RETURNED && p->end != SX_TRAPPED) {
        t->open++;
        return;
    }
    t->paths++;
    t->returns += p->end == SX_RETURNED;
    t->traps += p->end == SX_TRAPPED;
    t->cases += sx_cases(r, p, 1000, NULL, NULL);
    const char *wrong = replay_path(r, b->ir, b->ts, p, fn);
    if (wrong)
        fprintf(stderr, "%s: path %u: %s\n", b->ir->fns.at[fn]->name, t->paths,
                wrong);
    t->wrong += wrong != NULL;
}

static void tally_all(struct bench *b, struct sx_run *r, uint32_t fn,
                      struct tally *t)
{
    struct sx_cut cuts[16];
    const struct sx_path *p;
    while ((p = sx_next(r)))
        tally_path(b, r, fn, p, t);
    t->cuts = sx_cuts(r, cuts, 16);
}

static struct tally bench_run(struct bench *b, const char *function,
                              const char *pre, const struct sx_options *o)
{
    struct symex *x = symex_new(b->ir, b->ts, b->solver, o);
    struct sx_start start = bench_start(b, function, pre);
    struct sx_run *r = sx_begin(x, &start);
    struct tally t = {0};
    tally_all(b, r, start.fn, &t);
    t.counts = sx_counts(x);
    sx_end(r);
    symex_free(x);
    CHECK_EQ(t.wrong, 0);
    return t;
}

static inline struct tally bench_text(const char *program, const char *function,
                                      const struct sx_options *o)
{
    struct bench b = bench_open(program);
    struct tally t = bench_run(&b, function, NULL, o);
    bench_close(&b);
    return t;
}

#endif
