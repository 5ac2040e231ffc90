// How many executions a way of testing needs to meet a program's bug, or what
// it covers on the way.
//
// usage: trial bug PROGRAM DELIVERY WAY SEEDS MOST [PARAMS [FLAG...]]
//            a line per seed: found executions seconds
//        trial curve PROGRAM DELIVERY WAY SEED MOST [PARAMS [FLAG...]]
//            a line per execution: executions seconds pr pmr pcr
//
// Ways: cover, pr, pmr, pcr (cover by one criterion), once (cover as in the
// paper: the initial schedule only), delayN (random delays of up to N units of
// logical time), and the strategies of explore.  Each trial is a process of its
// own, with an empty memo.
#include "base/arena.h"
#include "base/diag.h"
#include "base/rng.h"
#include "cover/cover.h"
#include "cover/look.h"
#include "delays.h"
#include "stage/build.h"
#include "stage/native.h"
#include "stage/program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct trial {
    const char *way;
    enum delivery delivery;
    uint64_t seed, most;
    bool curve;
    struct native *native;
    struct play *play;
    struct coverage coverage; // of a curve that is not cover's own
    uint64_t executions;
    bool found;
    double began;
};

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

// ---- what is met
// -----------------------------------------------------------------

static void on_bug(void *self, const struct bug *b, const struct schedule *s)
{
    struct trial *t = self;
    (void)s;
    t->found |= !b->warning;
}

static void point(const struct trial *t, const struct coverage_counts *n)
{
    printf("%llu %.3f", (unsigned long long)t->executions, now() - t->began);
    for (int cr = 0; cr < CRITERIA_N; cr++)
        printf(" %llu", (unsigned long long)n[cr].covered);
    putchar('\n');
}

static void on_covered(void *self, const struct cover_result *r)
{
    struct trial *t = self;
    t->executions = r->executions;
    if (t->curve)
        point(t, r->counts);
}

static void on_execution(void *self, const struct ending *e)
{
    struct trial *t = self;
    struct look look = look_native(t->native);
    struct record r = {0};
    struct musthb m = {0};
    struct coverage_counts n[CRITERIA_N];
    t->executions++;
    if (!t->curve)
        return;
    record_make(&r, t->play, t->delivery, e->schedule, &look);
    musthb_make(&m, &r);
    coverage_add(&t->coverage, t->play, &r, &m, NULL);
    for (int cr = 0; cr < CRITERIA_N; cr++)
        n[cr] = coverage_counts(&t->coverage, (enum criterion)cr, NULL);
    point(t, n);
    musthb_free(&m);
    record_free(&r);
}

// ---- ways
// ------------------------------------------------------------------------

static void way_cover(struct trial *t, enum criterion only)
{
    struct look look = look_native(t->native);
    struct cover_sink sink = {
        .self = t, .bug = on_bug, .execution = on_covered};
    struct cover_options o = {.delivery = t->delivery,
                              .seed = t->seed,
                              .budget = t->most,
                              .keep_going = t->curve,
                              .once = strcmp(t->way, "once") == 0};
    struct cover_result r;
    for (int cr = 0; cr < CRITERIA_N; cr++)
        o.criteria[cr] = only == CRITERIA_N || (int)only == cr;
    cover(t->play, &o, &look, NULL, 0, &sink, &t->coverage, &r);
    t->executions = r.executions;
}

static void way_explore(struct trial *t, const struct explore_sink *sink)
{
    struct explore_options o = {.delivery = t->delivery,
                                .strategy = strategy_of(t->way),
                                .seed = t->seed,
                                .schedules = t->most,
                                .keep_going = t->curve,
                                .no_final_states = true};
    struct explore_result r;
    if (o.strategy == STRATEGIES_N)
        exit(2);
    explore(t->play, &o, sink, &r);
    t->executions = r.executions + r.blocked + r.cut + t->found;
}

static void run(struct trial *t)
{
    struct explore_sink sink = {.self = t, .bug = on_bug};
    enum criterion cr = criterion_of(t->way);
    if (t->curve)
        sink.execution = on_execution;
    t->began = now();
    if (cr != CRITERIA_N || strcmp(t->way, "cover") == 0 ||
        strcmp(t->way, "once") == 0)
        way_cover(t, cr);
    else if (strncmp(t->way, "delay", 5) == 0)
        t->executions = delays(t->play, t->delivery, t->seed, t->most,
                               (uint32_t)atoi(t->way + 5), t->curve, &sink);
    else
        way_explore(t, &sink);
    if (!t->curve)
        printf("%d %llu %.3f\n", t->found, (unsigned long long)t->executions,
               now() - t->began);
}

// ---- a trial in a process
// --------------------------------------------------------

static void child(struct trial *t, const struct program *p, const char *params)
{
    struct diag d = {0};
    struct native_options o = {.test = p->tests[0]->name, .params = params};
    t->native = native_open(p, &o, &d);
    if (!t->native)
        _exit(diag_print(&d, stderr));
    t->play = play_new(native_ops(t->native), t->native, 0);
    run(t);
    fflush(stdout);
    _exit(0);
}

static struct program *load(int argc, char **argv)
{
    static struct arena arena;
    struct diag d = {0};
    struct built b;
    const char *input = argv[2];
    struct build_options o = {.inputs = &input, .n_inputs = 1};
    if (argc > 8) {
        o.flags = (const char *const *)argv + 8;
        o.n_flags = (uint32_t)argc - 8;
    }
    struct program *p =
        build_program(&arena, &o, &b, &d) ? program_load(b.path, &d) : NULL;
    if (!p)
        exit(diag_print(&d, stderr));
    return p;
}

int main(int argc, char **argv)
{
    if (argc < 7)
        return 2;
    struct program *p = load(argc, argv);
    struct trial t = {.way = argv[4],
                      .delivery = delivery_of(argv[3]),
                      .most = strtoull(argv[6], NULL, 10),
                      .curve = strcmp(argv[1], "curve") == 0};
    uint64_t n = strtoull(argv[5], NULL, 10), first = t.curve ? n : 1;
    int status = 0, bad = 0;
    for (t.seed = first; t.seed <= n; t.seed++) {
        fflush(stdout);
        pid_t pid = fork();
        if (pid == 0)
            child(&t, p, argc > 7 ? argv[7] : NULL);
        if (pid < 0 || waitpid(pid, &status, 0) < 0 || status)
            bad = 1;
    }
    return bad;
}
