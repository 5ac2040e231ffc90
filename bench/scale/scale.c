// How exploration scales beyond the cores that are here: real managers, real
// messages, real workers of Work Queue, but tasks that sleep for the time which
// the search was measured to take.
//
//   scale record PROGRAM.so TEST PARAMS QUANTUM TREE
//       explore by `optimal` in pieces of so many seconds of processor time,
//       and write the tree of units: per unit its time, its schedules, its
//       parts
//   scale replay TREE SECONDS WORKERS ENGINE SLEEP
//       spread that tree over so many workers, with times stretched so that
//       each would have work for this long; one line of figures
//
// What a worker runs is sleep.c.
#include "tree.h"

#include "base/arena.h"
#include "base/clock.h"
#include "base/diag.h"
#include "base/vec.h"
#include "base/wire.h"
#include "cases/subject.h"
#include "crew/remote.h"
#include "explore/optimal/work.h"
#include "program/program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

// ---- recording
// ---------------------------------------------------------------

static double cpu_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

struct recording {
    double until;
};

static bool on_stop(void *self)
{
    const struct recording *r = self;
    return cpu_now() > r->until;
}

static bool on_final(void *self, uint64_t hash)
{
    (void)self, (void)hash;
    return true;
}

struct todo {
    uint32_t node;
    struct work work; // no bytes: everything
};

typedef VEC(struct node) node_list;

static void record(struct subject *s, double quantum, node_list *t)
{
    VEC(struct todo) stack = {0};
    struct explore_options o = s->explore;
    vec_push(t, ((struct node){0}));
    vec_push(&stack, ((struct todo){0}));
    while (stack.n) {
        struct todo now = stack.at[--stack.n];
        struct work_list rest = {0};
        struct explore_result r;
        double began = cpu_now();
        struct recording rec = {.until = began + quantum};
        struct explore_sink sink = {
            .self = &rec, .stop = on_stop, .final = on_final};
        explore_work(s->play, &o, &now.work, now.work.bytes != NULL, &sink, &r,
                     &rest);
        struct node *n = &t->at[now.node];
        *n = (struct node){cpu_now() - began, r.executions, t->n, rest.list.n,
                           now.work.size};
        free(now.work.bytes);
        for (uint32_t i = 0; i < rest.list.n; i++) {
            vec_push(&stack, ((struct todo){t->n, rest.list.at[i]}));
            vec_push(t, ((struct node){0}));
        }
        vec_free(&rest.list);
    }
    vec_free(&stack);
}

static int record_main(char **argv)
{
    struct diag d = {0};
    node_list t = {0};
    struct program *p = program_load(argv[0], &d);
    struct subject s = {.program = p, .params = argv[2]};
    s.test = p ? program_test(p, argv[1]) : NULL;
    s.explore = (struct explore_options){.delivery = DELIVERY_PAIR,
                                         .strategy = STRATEGY_OPTIMAL,
                                         .keep_going = true};
    if (!s.test || !subject_open(&s, &d))
        fail(p ? "no such test" : "the program cannot be loaded");
    double start = cpu_now(); // since the process began
    record(&s, strtod(argv[3], NULL), &t);
    FILE *f = fopen(argv[4], "w");
    struct head h = {start, t.n};
    if (!f || fwrite(&h, sizeof h, 1, f) != 1 ||
        fwrite(t.at, sizeof *t.at, t.n, f) != t.n)
        fail("the tree cannot be written");
    return fclose(f) == 0 ? 0 : 2;
}

// ---- replaying, the manager
// ----------------------------------------------------

struct watch {
    struct crew_figures now;
    double began; // all workers are there
    uint32_t workers;
    double engine;   // seconds of processor time that troupe-wq has used
    uint64_t before; // schedules
};

// Of the process troupe-wq below this one.
static double engine_cpu(void)
{
    char path[64], line[1024];
    int pid = 0;
    unsigned long user = 0, system = 0;
    snprintf(path, sizeof path, "/proc/self/task/%d/children", getpid());
    FILE *f = fopen(path, "r");
    if (f && fscanf(f, "%d", &pid) != 1)
        pid = 0;
    if (f)
        fclose(f);
    snprintf(path, sizeof path, "/proc/%d/stat", pid);
    f = pid ? fopen(path, "r") : NULL;
    if (f && fgets(line, sizeof line, f)) {
        const char *at = strrchr(line, ')');
        if (at && sscanf(at + 2,
                         "%*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u "
                         "%lu %lu",
                         &user, &system) != 2)
            user = system = 0;
    }
    if (f)
        fclose(f);
    return (double)(user + system) / (double)sysconf(_SC_CLK_TCK);
}

static void on_progress(void *self, const struct crew_figures *f)
{
    struct watch *w = self;
    w->now = *f;
    w->engine = engine_cpu();
    if (getenv("SCALE_TRACE"))
        fprintf(stderr,
                "%.1f s: %u workers, %u units out, %u left, %llu tasks\n",
                f->result.seconds, f->far.now, f->far.out, f->far.left,
                (unsigned long long)f->orders);
}

static int replay_main(char **argv)
{
    struct tree t = {0};
    struct watch w = {.workers = (uint32_t)atoi(argv[2])};
    double seconds = strtod(argv[1], NULL), sum = 0;
    unsigned long long schedules = 0;
    char command[128], *why = NULL;
    read_tree(&t, argv[0]);
    for (uint32_t i = 0; i < t.n; i++) {
        sum += t.nodes[i].seconds;
        schedules += t.nodes[i].schedules;
    }
    t.factor = seconds * w.workers / sum;
    snprintf(command, sizeof command, "exec ./sleep %.9g", t.factor);
    const struct far_file files[] = {{.path = argv[4], .name = "sleep"},
                                     {.path = argv[0], .name = "tree"}};
    struct crew_far far = {.engine = argv[3],
                           .workers = w.workers,
                           .command = command,
                           .files = files,
                           .n_files = 2};
    struct crew_job job = {0}; // nobody is near
    struct crew_options co = {.divisible = true};
    struct crew_sink sink = {.self = &w, .progress = on_progress};
    struct explore_options o = {.strategy = STRATEGY_OPTIMAL};
    struct crew_figures out;
    double began = clock_now(), cpu = cpu_now();
    if (!crew_explore_far(&job, &far, &o, &co, &sink, &out, &why))
        fail(why);
    double took = clock_now() - began;
    cpu = cpu_now() - cpu;
    double tasks = (double)out.orders;
    printf("%u,%.1f,%.1f,%.3f,%llu,%.2f,%.2f,%.1f,%s\n", w.workers,
           sum * t.factor, took, seconds / took, (unsigned long long)out.orders,
           cpu / tasks * 1e3, w.engine / tasks * 1e3, tasks / took,
           out.result.executions == schedules && out.result.complete ? "exact"
                                                                     : "WRONG");
    return out.result.executions == schedules ? 0 : 1;
}

int main(int argc, char **argv)
{
    if (argc == 7 && strcmp(argv[1], "record") == 0)
        return record_main(argv + 2);
    if (argc == 7 && strcmp(argv[1], "replay") == 0)
        return replay_main(argv + 2);
    fail("see the head of scale.c");
}
