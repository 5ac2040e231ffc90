// Idle: a actors that wait.  Prints bytes per actor instead of messages.
#include "bench.h"

TR_PROTOCOL(worker, work);
TR_SIGNAL(work);
struct worker {
    int64_t n;
};
TR_HANDLER(worker, work)
{
    stop();
}
TR_BEHAVIOUR(worker, on, TR_ON(work, worker_work));
TR_CLASS(worker, .start = &worker_on);

static int64_t bytes;

static int64_t resident(void)
{
    long all = 0, pages = 0;
    FILE *f = fopen("/proc/self/statm", "r");
    if (f && fscanf(f, "%ld %ld", &all, &pages) != 2)
        pages = 0;
    if (f)
        fclose(f);
    return pages * 4096;
}

TR_SYSTEM(idle)
{
    int64_t n = param("a", 0), before = resident();
    for (int64_t i = 0; i < n; i++)
        spawn(worker);
    bytes = (resident() - before) / n;
}

BENCH_MAIN("idle", idle, 200000, 0, bytes)
