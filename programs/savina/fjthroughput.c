/* ForkJoin throughput (FJT): many messages to independent workers.
 *
 * The driver creates a workers and sends, in n rounds, one work to each.  A
 * worker computes a sine and stops after n.
 *
 * Entry points: the workers.
 * Parameters a, n: workers, rounds (60, 10000; in the test 2, 2).
 * Expected: every worker handles exactly n messages and stops; nothing is lost.
 * Workers do not know each other, so all orders have the same end.
 * Known defects: none, in any model.
 */
#include "savina.h"

#include <math.h>

enum { MAX = 1024 };

TR_PROTOCOL(worker, work);

TR_SIGNAL(work);

struct worker {
    int processed, total;
};

TR_HANDLER(worker, work)
{
    volatile double angle = 37.2;
    double sine = sin(angle);
    assert(sine * sine > 0);
    self->processed++;
    if (self->processed == self->total) /* [1] */
        stop();
    /* else [2] */
}

TR_BEHAVIOUR(worker, open, TR_ON(work, worker_work));
TR_CLASS(worker, .start = &worker_open);
TR_HOT(worker, open);

static void make(tr_ctx *ctx, int a, int n, worker_ref *workers)
{
    assert(a >= 1 && a <= MAX);
    for (int i = 0; i < a; i++)
        workers[i] = spawn(worker, .total = n);
}

static void begin(tr_ctx *ctx, int a, int n, worker_ref *workers)
{
    for (int round = 0; round < n; round++)
        for (int i = 0; i < a; i++)
            send(workers[i], work);
}

TR_SYSTEM(savina)
{
    int a = (int)param("a", 60), n = (int)param("n", 10000);
    worker_ref workers[MAX];
    make(ctx, a, n, workers);
    worker_ref worker = workers[0];
    expose(worker);
    if (starts())
        begin(ctx, a, n, workers);
}

TR_TEST(fjthroughput)
{
    int a = (int)param("a", 2), n = (int)param("n", 2);
    worker_ref workers[MAX];
    make(ctx, a, n, workers);
    begin(ctx, a, n, workers);
    drain();
}
