/* ForkJoin creation (FJC): many short-lived actors.
 *
 * n times the driver creates a worker and sends it work; the worker computes a
 * sine and stops.
 *
 * Entry points: the workers.  Parameter n: workers (40000; in the test 3).
 * Expected: n workers are created, handle one message each, and stop.
 * Known defects: none, in any model.
 */
#include "savina.h"

#include <math.h>

TR_PROTOCOL(worker, work);

TR_SIGNAL(work);

TR_STATELESS(worker);

TR_HANDLER(worker, work)
{
    volatile double angle = 37.2; /* [1] */
    double sine = sin(angle);
    assert(sine * sine > 0);
    stop();
}

TR_BEHAVIOUR(worker, open, TR_ON(work, worker_work));
TR_CLASS(worker, .start = &worker_open);
TR_HOT(worker, open);

TR_SYSTEM(savina)
{
    int n = (int)param("n", 40000);
    worker_ref worker = spawn(worker);
    expose(worker);
    if (!starts())
        return;
    send(worker, work);
    for (int i = 1; i < n; i++)
        send(spawn(worker), work);
}

TR_TEST(fjcreate)
{
    for (int i = (int)param("n", 3); i > 0; i--)
        send(spawn(worker), work);
    drain();
}
