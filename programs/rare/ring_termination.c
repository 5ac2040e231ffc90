/* ring-termination: a probe that does not see work pass behind it.
 *
 * Source: Safra's algorithm for the end of a distributed computation, without
 * the colour of machines.
 *
 * Six workers on a ring work in pairs.  The first to get work divides it: half
 * stays with its pair, half goes to another pair, and there it is passed to and
 * fro, a little less each time.  Each counts what it sent minus what it
 * received.  Worker 0 sends a probe round the ring that adds up the counts; if
 * the sum is 0 it declares the end, else it probes again, PROBES times at most.
 * A worker that received work since the last probe must make the probe black,
 * since it may have been counted at another moment than its sender, and a black
 * probe proves nothing.  This one does not.  The bug: work is divided where the
 * probe has been, one half is used up where it has not been yet, and the other
 * half is still there when the probe comes back.
 *
 * Repaired: received work makes the probe black.
 *
 * Kind of bug: invariant
 * Models with the bug: pair any
 * Models without it: mailbox causal
 * Repaired, clean in: mailbox causal pair any
 * Oracle: when the end is declared no work is in flight.
 * Find it: troupe explore programs/rare/ring_termination.c
 */
#include "../bugs/repaired.h"
#include "troupe_short.h"

enum { WORKERS = 6, WORK = 16, PROBES = 3 };

TR_PROTOCOL(worker, join, go, work, probe);

struct join {
    worker_ref next, partner, helper;
};
TR_MESSAGE(join);
TR_SIGNAL(go);
struct work {
    int n;
};
TR_MESSAGE(work);
struct probe {
    int sum;
    bool black;
};
TR_MESSAGE(probe);

struct worker {
    int id, count, probes;
    worker_ref next, partner, helper;
    bool black, over;
};

TR_HANDLER(worker, join)
{
    self->next = msg->next;
    self->partner = msg->partner;
    self->helper = msg->helper;
}

static void send_work(tr_ctx *ctx, struct worker *self, worker_ref to, int n)
{
    self->count++;
    send(to, work, .n = n);
}

TR_HANDLER(worker, work)
{
    self->count--;
    self->black = true;
    if (msg->n > 0)
        send_work(ctx, self, self->partner, msg->n - 1);
    if (msg->n == WORK)
        send_work(ctx, self, self->helper, msg->n - 1);
}

static void start_probe(tr_ctx *ctx, struct worker *self)
{
    if (self->probes++ < PROBES)
        send(self->next, probe);
    self->black = false;
}

TR_HANDLER(worker, go)
{
    start_probe(ctx, self);
}

static void end_probe(tr_ctx *ctx, struct worker *self, const struct probe *msg)
{
    bool black = msg->black || self->black;
    if (msg->sum + self->count == 0 && (!repaired || !black))
        self->over = true;
    else
        start_probe(ctx, self);
}

TR_HANDLER(worker, probe)
{
    if (self->id == 0) {
        end_probe(ctx, self, msg);
        return;
    }
    send(self->next, probe, .sum = msg->sum + self->count,
         .black = msg->black || self->black);
    self->black = false;
}

TR_BEHAVIOUR(worker, open, TR_ON(join, worker_join), TR_ON(go, worker_go),
             TR_ON(work, worker_work), TR_ON(probe, worker_probe));
TR_CLASS(worker, .start = &worker_open);

TR_INVARIANT(over_means_over)
{
    for (each(worker, w))
        if (w->over)
            for (flying(work, m))
                return false;
    return true;
}

TR_TEST(ring_termination)
{
    worker_ref w[WORKERS];
    for (int i = 0; i < WORKERS; i++)
        w[i] = spawn(worker, .id = i, .count = i == 0);
    for (int i = 0; i < WORKERS; i++)
        send(w[i], join, .next = w[(i + 1) % WORKERS], .partner = w[i ^ 1],
             .helper = w[WORKERS - 1 - i]);
    drain();
    send(w[1], work, .n = WORK); /* counted above as sent by worker 0 */
    send(w[0], go);
    drain();
}
