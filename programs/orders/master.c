/* A master that creates its workers.
 *
 * On go the master spawns n workers and sends worker i the jobs i and i+10; a
 * worker answers with the square; the master counts and sums the answers.
 *
 * Parameter n: workers (2).  Schedules, classes, final states, distinct handler
 * runs:
 *   n = 1  any 6, 4, 1, 7         pair, causal, mailbox 2, 1, 1, 5
 *   n = 2  any 2,520, 96, 1, 37   pair, causal 280, 6, 1, 17
 *          mailbox 84, 6, 1, 17
 */
#include "troupe_short.h"

TR_PROTOCOL(master, go, square);
TR_PROTOCOL(worker, job);

TR_SIGNAL(go);
struct job {
    int k;
    master_ref from;
};
TR_MESSAGE(job);
struct square {
    int of_k;
};
TR_MESSAGE(square);

TR_STATELESS(worker);

TR_HANDLER(worker, job)
{
    send(msg->from, square, .of_k = msg->k * msg->k);
}

TR_BEHAVIOUR(worker, open, TR_ON(job, worker_job));
TR_CLASS(worker, .start = &worker_open);

struct master {
    int n; /* workers to make */
    int answers, sum;
};

TR_HANDLER(master, go)
{
    for (int i = 0; i < self->n; i++) {
        worker_ref w = spawn(worker);
        send(w, job, .k = i, .from = me(master));
        send(w, job, .k = i + 10, .from = me(master));
    }
}

TR_HANDLER(master, square)
{
    self->answers++;
    self->sum += msg->of_k;
}

TR_BEHAVIOUR(master, open, TR_ON(go, master_go), TR_ON(square, master_square));
TR_CLASS(master, .start = &master_open);

TR_TEST(master)
{
    master_ref m = spawn(master, .n = (int)param("n", 2));
    send(m, go);
}
