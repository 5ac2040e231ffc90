// The data behind the figures and tables of the Eta paper (Simsa, Bryant,
// Gibson, Hickey: exploratory testing of actor programs), on our own programs.
//
// usage: figures PROGRAM.c TEST PARAMS LABEL DIR
//
// Appends to the CSV files of DIR:
//   unique.csv     label,manager,seconds,unique   figure 1: unique executions
//                  over time, exhaustive search against random choice
//   estimate.csv   label,strategy,order,executions,seconds,estimate,bound
//                  figures 2 to 5: sibling averages after so many executions
//   totals.csv     label,strategy,executions,seconds,complete,estimate
//                  tables 1 to 3
//
// A search is deterministic, so the estimate after k executions is that of a
// search bounded to k: no need to look inside one.
#include "base/arena.h"
#include "base/diag.h"
#include "base/hash.h"
#include "explore/explore.h"
#include "base/hashset.h"
#include "program/build.h"
#include "stage/native.h"
#include "program/program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { POINTS = 12 };
// Random order keeps what it has seen: no more than this.
#define SCATTER_MOST 100000.0
static const double budget = 5; // seconds for each line of figure 1

struct bench {
    const struct program *program;
    const char *test, *params, *label, *dir;
};

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static FILE *append(const struct bench *b, const char *name)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", b->dir, name);
    FILE *f = fopen(path, "a");
    if (!f) {
        perror(path);
        exit(1);
    }
    return f;
}

static struct explore_result search(const struct bench *b,
                                    const struct explore_options *o,
                                    const struct explore_sink *sink)
{
    struct diag d = {0};
    struct native_options no = {.test = b->test, .params = b->params};
    struct native *n = native_open(b->program, &no, &d);
    if (!n)
        exit(diag_print(&d, stderr));
    struct play *p = play_new(native_ops(n), n, 0);
    struct explore_result r = {0};
    explore(p, o, sink, &r);
    play_free(p);
    native_close(n);
    return r;
}

// ---- figure 1 -----------------------------------------------------------

struct unique {
    const struct bench *b;
    const char *manager;
    struct hashset seen;
    double began, next;
    FILE *out;
};

static void on_execution(void *self, const struct ending *e)
{
    struct unique *u = self;
    uint64_t h = e->schedule->steps.n;
    for (uint32_t i = 0; i < e->schedule->steps.n; i++) {
        const struct step *s = &e->schedule->steps.at[i];
        h = hash_join(h, (uint64_t)s->source << 32 | s->nth);
        h = hash_join(h, s->actor);
    }
    hashset_add(&u->seen, h);
    double t = now() - u->began;
    if (t < u->next)
        return;
    fprintf(u->out, "%s,%s,%.4f,%llu\n", u->b->label, u->manager, t,
            (unsigned long long)u->seen.n);
    u->next = t + (t < 0.1 ? 0.005 : t < 1 ? 0.05 : 0.25);
}

static double unique(const struct bench *b, enum strategy s,
                     const char *manager, double seconds)
{
    struct unique u = {.b = b,
                       .manager = manager,
                       .began = now(),
                       .out = append(b, "unique.csv")};
    struct explore_options o = {.strategy = s,
                                .delivery = DELIVERY_MAILBOX,
                                .seconds = seconds,
                                .keep_going = true,
                                .no_final_states = true,
                                .seed = 1};
    struct explore_sink sink = {.self = &u, .execution = on_execution};
    search(b, &o, &sink);
    double t = now() - u.began;
    fprintf(u.out, "%s,%s,%.4f,%llu\n", b->label, manager, t,
            (unsigned long long)u.seen.n);
    fclose(u.out);
    hashset_free(&u.seen);
    return t;
}

// ---- figures 2 to 5 -----------------------------------------------------

static void estimates(const struct bench *b, enum strategy s,
                      enum branch_order order, const char *name, double total)
{
    FILE *out = append(b, "estimate.csv");
    const struct explore_sink none = {0};
    double most = total;
    if (order == ORDER_SCATTER && most > SCATTER_MOST)
        most = SCATTER_MOST;
    for (int i = 1; i <= POINTS; i++) {
        struct explore_options o = {.strategy = s,
                                    .delivery = DELIVERY_MAILBOX,
                                    .order = order,
                                    .schedules = (uint64_t)(most * i / POINTS),
                                    .keep_going = true,
                                    .no_final_states = true,
                                    .seed = 1};
        if (!o.schedules)
            continue;
        struct explore_result r = search(b, &o, &none);
        fprintf(out, "%s,%s,%s,%llu,%.4f,%.0f,%.0f\n", b->label, strategy_id(s),
                name, (unsigned long long)r.executions, r.seconds, r.estimate,
                total);
    }
    fclose(out);
}

// ---- tables -------------------------------------------------------------

static double total(const struct bench *b, enum strategy s)
{
    const struct explore_sink none = {0};
    struct explore_options o = {.strategy = s,
                                .delivery = DELIVERY_MAILBOX,
                                .keep_going = true,
                                .no_final_states = true};
    struct explore_result r = search(b, &o, &none);
    FILE *out = append(b, "totals.csv");
    fprintf(out, "%s,%s,%llu,%.4f,%s,%.0f\n", b->label, strategy_id(s),
            (unsigned long long)r.executions, r.seconds,
            r.complete ? "yes" : "no", r.estimate);
    fclose(out);
    return (double)r.executions;
}

int main(int argc, char **argv)
{
    struct arena arena = {0};
    struct diag d = {0};
    struct built built;
    if (argc != 6) {
        fprintf(stderr, "usage: figures PROGRAM.c TEST PARAMS LABEL DIR\n");
        return 2;
    }
    const char *input = argv[1];
    struct build_options bo = {
        .inputs = &input, .n_inputs = 1, .cache = argv[5]};
    struct program *program = build_program(&arena, &bo, &built, &d)
                                  ? program_load(built.path, &d)
                                  : NULL;
    if (!program)
        return diag_print(&d, stderr);
    struct bench b = {program, argv[2], argv[3], argv[4], argv[5]};
    double schedules = total(&b, STRATEGY_EXHAUSTIVE);
    double reduced = total(&b, STRATEGY_ETA);
    total(&b, STRATEGY_OPTIMAL);
    double t = unique(&b, STRATEGY_EXHAUSTIVE, "exploratory", budget);
    unique(&b, STRATEGY_RANDOM, "random", t < 0.2 ? 0.2 : t);
    estimates(&b, STRATEGY_EXHAUSTIVE, ORDER_FIRST, "dfs", schedules);
    estimates(&b, STRATEGY_EXHAUSTIVE, ORDER_SCATTER, "rand", schedules);
    estimates(&b, STRATEGY_ETA, ORDER_FIRST, "dfs", reduced);
    estimates(&b, STRATEGY_ETA, ORDER_SCATTER, "rand", reduced);
    program_free(program);
    arena_free(&arena);
    return 0;
}
