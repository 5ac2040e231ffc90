// Classes per second of `optimal` on toys: what the search costs without the
// stage, whose handlers are C functions called through a memo.
#include "toy/toy.h"

#include "explore/optimal/optimal.h"

#include <stdio.h>
#include <sys/resource.h>
#include <time.h>

static const struct {
    const char *name;
    int n;
    enum delivery delivery;
} rows[] = {
    {"writers", 8, DELIVERY_PAIR},      {"posters", 5, DELIVERY_PAIR},
    {"gatling", 6, DELIVERY_PAIR},      {"consensus", 4, DELIVERY_PAIR},
    {"phils", 6, DELIVERY_PAIR},        {"phils", 9, DELIVERY_PAIR},
    {"writers", 8, DELIVERY_MAILBOX},   {"gatling", 7, DELIVERY_MAILBOX},
    {"consensus", 6, DELIVERY_MAILBOX}, {"phils", 6, DELIVERY_MAILBOX},
    {"writers", 8, DELIVERY_CAUSAL},    {"phils", 6, DELIVERY_CAUSAL},
};

enum { REPEATS = 5 };

static double used(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

struct figures {
    double seconds;
    struct explore_result result;
    struct optimal_counts counts;
    uint64_t runs;
};

static void measure(size_t row, struct figures *f)
{
    struct toy *t = toy_new(rows[row].name, rows[row].n, 0, 0, 0);
    struct explore_options o = {.delivery = rows[row].delivery,
                                .strategy = STRATEGY_OPTIMAL,
                                .keep_going = true};
    struct search s;
    double began = used();
    search_init(&s, toy_play(t), &o, &(struct explore_sink){0}, &f->result);
    struct optimal *p = optimal_new(&s);
    while (optimal_run(p, UINT64_MAX))
        ;
    f->counts = optimal_counts(p);
    optimal_free(p);
    search_release(&s);
    double seconds = used() - began;
    if (f->seconds == 0 || seconds < f->seconds)
        f->seconds = seconds;
    f->runs = play_counts(toy_play(t))->runs;
    toy_free(t);
}

int main(void)
{
    puts("## optimal on toys\n\n"
         "| program | delivery | classes | classes/s | receives per class | "
         "revisits | handler runs | graph KB |\n"
         "|---|---|--:|--:|--:|--:|--:|--:|");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct figures f = {0};
        for (int k = 0; k < REPEATS; k++)
            measure(i, &f);
        double classes = (double)f.result.executions;
        printf("| %s(%d) | %s | %.0f | %.0f | %.1f | %llu | %llu | %llu |\n",
               rows[i].name, rows[i].n, delivery_id(rows[i].delivery), classes,
               classes / f.seconds, (double)f.result.receives / classes,
               (unsigned long long)f.counts.revisits,
               (unsigned long long)f.runs,
               (unsigned long long)f.counts.bytes / 1024);
    }
    struct rusage u;
    getrusage(RUSAGE_SELF, &u);
    printf("\nBest of %d, processor time; peak of the process %ld KB.\n",
           REPEATS, u.ru_maxrss);
    return 0;
}
