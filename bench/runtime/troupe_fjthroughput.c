// Fork-join throughput: b messages to each of a actors, round robin.
#include "bench.h"

TR_PROTOCOL(worker, work);
TR_PROTOCOL(source, go);
TR_SIGNAL(work);
TR_SIGNAL(go);

struct worker {
    int64_t n;
    double sum;
};
TR_HANDLER(worker, work)
{
    self->n++;
    self->sum = self->sum * self->sum / 37.2;
}
TR_BEHAVIOUR(worker, on, TR_ON(work, worker_work));
TR_CLASS(worker, .start = &worker_on);

struct source {
    int64_t n, actors;
};
TR_HANDLER(source, go)
{
    worker_ref *all = malloc((size_t)self->actors * sizeof *all);
    for (int64_t i = 0; i < self->actors; i++)
        all[i] = spawn(worker, .sum = 37.2);
    for (int64_t k = 0; k < self->n; k++)
        for (int64_t i = 0; i < self->actors; i++)
            send(all[i], work);
    free(all);
}
TR_BEHAVIOUR(source, on, TR_ON(go, source_go));
TR_CLASS(source, .start = &source_on);

TR_SYSTEM(fjthroughput)
{
    send(spawn(source, .n = param("b", 0), .actors = param("a", 0)), go);
}

BENCH_MAIN("fjthroughput", fjthroughput, 60, 20000, a *b)
