// Fork-join creation: a actors, one message each, each stops.
#include "bench.h"

TR_PROTOCOL(worker, work);
TR_PROTOCOL(source, go);
TR_SIGNAL(work);
TR_SIGNAL(go);

struct worker {
    int64_t n;
};
TR_HANDLER(worker, work)
{
    self->n++;
    stop();
}
TR_BEHAVIOUR(worker, on, TR_ON(work, worker_work));
TR_CLASS(worker, .start = &worker_on);

struct source {
    int64_t n;
};
TR_HANDLER(source, go)
{
    for (int64_t i = 0; i < self->n; i++)
        send(spawn(worker), work);
}
TR_BEHAVIOUR(source, on, TR_ON(go, source_go));
TR_CLASS(source, .start = &source_on);

TR_SYSTEM(fjcreate)
{
    send(spawn(source, .n = param("a", 0)), go);
}

BENCH_MAIN("fjcreate", fjcreate, 200000, 0, a)
