/* idle-detection: the counters of one wave are no consistent cut.
 *
 * Source: SignalCollect's termination detector (Bita's SC3: "in rare cases the
 * test fails"), rebuilt from its description.
 *
 * The test sends go to the coordinator and work(3) to worker 1.  Worker i on
 * work(h) sends work(h-1) to the next worker while h > 0, and at h = 3 also to
 * the one after; it counts what it receives and sends.  The coordinator polls
 * all workers in waves, at most four; when the sums say that all that was sent
 * has been received (the test sent one more), it declares the system idle.
 * Polled at different moments, the sums can match while work is in flight.
 *
 * Repaired: two waves in a row must give the same, balanced sums.
 *
 * Kind of bug: invariant
 * Models with the bug: causal pair any
 * Models without it: mailbox
 * Repaired, clean in: mailbox causal pair any
 * Oracle: when idle is declared no work is in flight.
 * Find it: troupe explore programs/bugs/idle_detection.c
 */
#include "repaired.h"
#include "troupe_short.h"

enum { WORKERS = 3, WAVES = 4 };

TR_PROTOCOL(worker, work, poll);
TR_PROTOCOL(coordinator, go, status);

struct ring {
    worker_ref worker[WORKERS];
};

struct work {
    int h;
    struct ring ring; /* all workers */
};
TR_MESSAGE(work);
struct poll {
    coordinator_ref from;
};
TR_MESSAGE(poll);
struct status {
    int sent, received;
};
TR_MESSAGE(status);
TR_SIGNAL(go);

struct worker {
    int number;
    int sent, received;
};

static void pass_on(tr_ctx *ctx, struct worker *self, const struct work *msg,
                    int distance)
{
    int to = (self->number + distance) % WORKERS;
    self->sent++;
    send(msg->ring.worker[to], work, .h = msg->h - 1, .ring = msg->ring);
}

TR_HANDLER(worker, work)
{
    self->received++;
    if (msg->h > 0)
        pass_on(ctx, self, msg, 1);
    if (msg->h == 3)
        pass_on(ctx, self, msg, 2);
}

TR_HANDLER(worker, poll)
{
    send(msg->from, status, .sent = self->sent, .received = self->received);
}

TR_BEHAVIOUR(worker, open, TR_ON(work, worker_work), TR_ON(poll, worker_poll));
TR_CLASS(worker, .start = &worker_open);

struct coordinator {
    struct ring ring;
    int wave, answers;
    int sent, received;           /* sums of this wave */
    int last_sent, last_received; /* and of the one before; when repaired */
    bool idle;
};

static void start_wave(tr_ctx *ctx, struct coordinator *self)
{
    if (self->wave == WAVES)
        return;
    self->wave++;
    self->answers = self->sent = self->received = 0;
    for (int i = 0; i < WORKERS; i++)
        send(self->ring.worker[i], poll, .from = me(coordinator));
}

static bool looks_idle(const struct coordinator *self)
{
    if (self->sent + 1 != self->received)
        return false;
    return !repaired || (self->sent == self->last_sent &&
                         self->received == self->last_received);
}

TR_HANDLER(coordinator, go)
{
    start_wave(ctx, self);
}

TR_HANDLER(coordinator, status)
{
    self->sent += msg->sent;
    self->received += msg->received;
    if (++self->answers < WORKERS)
        return;
    if (looks_idle(self)) {
        self->idle = true;
        return;
    }
    if (repaired) {
        self->last_sent = self->sent;
        self->last_received = self->received;
    }
    start_wave(ctx, self);
}

TR_BEHAVIOUR(coordinator, open, TR_ON(go, coordinator_go),
             TR_ON(status, coordinator_status));
TR_CLASS(coordinator, .start = &coordinator_open);

TR_INVARIANT(idle_means_idle)
{
    for (each(coordinator, c))
        if (c->idle)
            for (flying(work, w))
                return false;
    return true;
}

static struct ring make_workers(tr_ctx *ctx)
{
    struct ring ring;
    for (int i = 0; i < WORKERS; i++)
        ring.worker[i] = spawn(worker, .number = i);
    return ring;
}

TR_SYSTEM(computation)
{
    struct ring ring = make_workers(ctx);
    worker_ref worker = ring.worker[0];
    coordinator_ref coordinator = spawn(coordinator, .ring = ring);
    expose(coordinator);
    expose(worker);
}

TR_TEST(idle_detection)
{
    struct ring ring = make_workers(ctx);
    coordinator_ref coordinator = spawn(coordinator, .ring = ring);
    send(coordinator, go);
    send(ring.worker[0], work, .h = 3, .ring = ring);
    drain();
}
