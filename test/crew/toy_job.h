// What workers do in tests: explore writers(TOY_WRITERS), and hand back what is
// left after a few executions.
#ifndef TEST_CREW_TOY_JOB_H
#define TEST_CREW_TOY_JOB_H

#include "crew/crew.h"
#include "toy/toy.h"

enum {
    TOY_WRITERS = 6,
    TOY_CLASSES = 720
}; // writers, and classes of schedules

struct toy_job {
    struct toy *toy;
    const struct explore_sink *sink;
    uint64_t stop_after, seen; // executions of an order
};

static bool toy_job_open(void *self, bool isolated)
{
    struct toy_job *j = self;
    (void)isolated;
    j->toy = toy_new("writers", TOY_WRITERS, 0, 0, 0);
    j->seen = 0;
    return true;
}

static bool toy_job_final(void *self, uint64_t hash)
{
    struct toy_job *j = self;
    j->seen++;
    return j->sink->final(j->sink->self, hash);
}

static bool toy_job_stop(void *self)
{
    struct toy_job *j = self;
    return j->seen >= j->stop_after;
}

static bool toy_job_run(void *self, const struct explore_options *o,
                        const struct work *units, uint32_t n,
                        const struct explore_sink *sink,
                        struct explore_result *r, struct work_list *rest)
{
    struct toy_job *j = self;
    struct explore_sink mine = {
        .self = j, .final = toy_job_final, .stop = toy_job_stop};
    j->sink = sink;
    explore_work(toy_play(j->toy), o, units, n, &mine, r, rest);
    return true;
}

static const struct play_counts *toy_job_counts(void *self)
{
    struct toy_job *j = self;
    return play_counts(toy_play(j->toy));
}

static struct crew_job toy_job_of(struct toy_job *j)
{
    return (struct crew_job){.self = j,
                             .open = toy_job_open,
                             .run = toy_job_run,
                             .counts = toy_job_counts};
}

#endif
