// How many executions a way of testing needs to meet a program's bug, or what
// it covers on the way.
//
// usage: trial bug PROGRAM DELIVERY WAY SEEDS MOST SECONDS PARAMS IGNORE
// FLAG...
//            a line per seed: seed,found,executions,seconds,criterion
//        trial complete PROGRAM ...
//            the same for a program without the bug; found: all of it was seen
//        trial curve PROGRAM DELIVERY WAY SEED MOST SECONDS PARAMS IGNORE
//        FLAG...
//            a header, then a line per execution that covered more, and the
//            last
//
// PARAMS are "n=3 m=4", IGNORE kinds of bugs that do not count, by commas; both
// may be empty.  Ways: cover, pr, pmr, pcr (cover by one criterion), once
// (cover as in the paper: the initial schedule only), delayN (random delays of
// up to N units of logical time), and the strategies of explore.  Each trial is
// a process of its own, with an empty memo, and seconds are processor time:
// what else the machine does matters less.  What it takes to measure coverage
// counts as time only where coverage is what guides the search; a curve may
// take six times as long as it counts.
#include "base/arena.h"
#include "base/diag.h"
#include "base/rng.h"
#include "cover/cover.h"
#include "cover/lane.h"
#include "cover/record_native.h"
#include "delays.h"
#include "program/build.h"
#include "stage/native.h"
#include "program/program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct trial {
    const char *way;
    enum delivery delivery;
    uint64_t seed, most, ignore;
    double seconds;   // at most
    bool curve, twin; // twin: has no bug, is it seen whole?
    struct native *native;
    struct play *play;
    struct coverage coverage; // of a curve that is not cover's own
    uint64_t executions;
    const char *criterion; // tried last, "" if none was
    bool found;
    double began, measuring; // measuring: time that does not count
    uint64_t shown;          // covered at the last point
    char last[120];          // point that was not printed, "" if none
};

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

// ---- what is met ---------------------------------------------------------

static void on_bug(void *self, const struct bug *b, const struct schedule *s)
{
    struct trial *t = self;
    (void)s;
    t->found |= !b->warning && !(t->ignore >> b->kind & 1);
}

static bool over(void *self)
{
    const struct trial *t = self;
    double all = now() - t->began;
    return all - t->measuring >= t->seconds || all >= 6 * t->seconds;
}

static void point(struct trial *t, const struct coverage_counts *n)
{
    uint64_t sum = 0;
    for (int cr = 0; cr < CRITERIA_N; cr++)
        sum += n[cr].pairs;
    snprintf(t->last, sizeof t->last, "%llu,%.6f,%llu,%llu,%llu\n",
             (unsigned long long)t->executions, now() - t->began - t->measuring,
             (unsigned long long)n[CRITERION_PR].pairs,
             (unsigned long long)n[CRITERION_PMR].pairs,
             (unsigned long long)n[CRITERION_PCR].pairs);
    if (sum == t->shown)
        return;
    fputs(t->last, stdout);
    t->last[0] = '\0';
    t->shown = sum;
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
    double from = now();
    t->executions++;
    record_make(&r, t->play, t->delivery, e->schedule, &look);
    musthb_make(&m, &r);
    coverage_add(&t->coverage, t->play, &r, &m);
    t->measuring += now() - from;
    point(t, t->coverage.totals);
    musthb_free(&m);
    record_free(&r);
}

// ---- ways ----------------------------------------------------------------

static void way_cover(struct trial *t, enum criterion only)
{
    struct look look = look_native(t->native);
    struct cover_sink sink = {
        .self = t, .bug = on_bug, .execution = on_covered, .stop = over};
    struct cover_options o = {.delivery = t->delivery,
                              .seed = t->seed,
                              .budget = t->most,
                              .ignore = t->ignore,
                              .keep_going = t->curve,
                              .once = strcmp(t->way, "once") == 0};
    struct cover_result r;
    for (int cr = 0; cr < CRITERIA_N; cr++)
        o.criteria[cr] = only == CRITERIA_N || (int)only == cr;
    cover(t->play, &o, &look, NULL, 0, &sink, &t->coverage, &r);
    t->executions = r.executions;
    if (t->found && r.generated)
        t->criterion = criterion_id(r.criterion);
}

static void way_explore(struct trial *t, const struct explore_sink *sink)
{
    struct look look = look_native(t->native);
    struct engine_above cover = cover_above(&look);
    struct explore_options o = {.delivery = t->delivery,
                                .strategy = strategy_of(t->way),
                                .seed = t->seed,
                                .schedules = t->most,
                                .ignore = t->ignore,
                                .keep_going = t->curve,
                                .no_final_states = true,
                                .cover = &cover};
    struct explore_result r;
    if (o.strategy == STRATEGIES_N)
        exit(2);
    explore(t->play, &o, sink, &r);
    t->executions = explore_made(&r) + r.blocked + t->found;
    if (t->twin)
        t->found = r.complete;
}

static void run(struct trial *t)
{
    struct explore_sink sink = {.self = t, .bug = on_bug, .stop = over};
    enum criterion cr = criterion_of(t->way);
    t->criterion = "";
    if (t->curve)
        sink.execution = on_execution;
    t->began = now();
    if (cr != CRITERIA_N || strcmp(t->way, "cover") == 0 ||
        strcmp(t->way, "once") == 0)
        way_cover(t, cr);
    else if (strncmp(t->way, "delay", 5) == 0)
        t->executions =
            delays(t->play,
                   &(struct explore_options){.delivery = t->delivery,
                                             .seed = t->seed,
                                             .schedules = t->most,
                                             .keep_going = t->curve,
                                             .no_final_states = true,
                                             .ignore = t->ignore},
                   (uint32_t)atoi(t->way + 5), &sink);
    else
        way_explore(t, &sink);
    if (t->curve)
        fputs(t->last, stdout);
    else
        printf("%llu,%d,%llu,%.6f,%s\n", (unsigned long long)t->seed, t->found,
               (unsigned long long)t->executions, now() - t->began,
               t->criterion);
}

// ---- a trial in a process ------------------------------------------------

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
    o.flags = (const char *const *)argv + 10;
    o.n_flags = (uint32_t)argc - 10;
    struct program *p =
        build_program(&arena, &o, &b, &d) ? program_load(b.path, &d) : NULL;
    if (!p)
        exit(diag_print(&d, stderr));
    return p;
}

static uint64_t kinds_of(char *list)
{
    uint64_t bits = 0;
    for (char *id = strtok(list, ","); id; id = strtok(NULL, ","))
        bits |= (uint64_t)1 << bug_kind_of(id);
    return bits;
}

int main(int argc, char **argv)
{
    if (argc < 10)
        return 2;
    struct program *p = load(argc, argv);
    struct trial t = {.way = argv[4],
                      .delivery = delivery_of(argv[3]),
                      .most = strtoull(argv[6], NULL, 10),
                      .seconds = strtod(argv[7], NULL),
                      .ignore = kinds_of(argv[9]),
                      .curve = strcmp(argv[1], "curve") == 0,
                      .twin = strcmp(argv[1], "complete") == 0};
    uint64_t n = strtoull(argv[5], NULL, 10), first = t.curve ? n : 1;
    int status = 0, bad = 0;
    if (t.curve)
        puts("executions,seconds,pr,pmr,pcr");
    for (t.seed = first; t.seed <= n; t.seed++) {
        fflush(stdout);
        pid_t pid = fork();
        if (pid == 0)
            child(&t, p, *argv[8] ? argv[8] : NULL);
        if (pid < 0 || waitpid(pid, &status, 0) < 0 || status)
            bad = 1;
    }
    return bad;
}
