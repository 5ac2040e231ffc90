/* Big (BIG): workers ping random peers and wait for the answers.
 *
 * The driver creates a sink and w workers, sends neighbours (all workers) to
 * the sink and to each worker, then pong(-1) to each worker.  On a pong a
 * worker pings a random peer, n times; after the last it sends exit to the
 * sink, which stops all workers when it has heard of all.
 *
 * Entry points: all actors.
 * Parameters w, n: workers, pings of each (120, 20000; in the test 2, 1).
 * Expected: every worker sends exactly n pings, each pong comes from whom it
 * pinged, all stop, nothing is lost.
 *
 * Known defects:
 * BIG-1  a worker is pinged before it has its neighbours ([1n]): pair, any
 * BIG-2  the last exit comes before the sink has its ([8n]; w=1, n=0): pair,
 * any BIG-3  the driver's pong overtakes its neighbours ([5n]): any Repaired:
 * everything else waits until neighbours has come.
 *
 * Find them: troupe explore programs/savina/big.c -k
 * (BIG-2: -p w=1 -p n=0; BIG-3: --delivery=any)
 */
#include "savina.h"

enum { MAX = 128 };

TR_PROTOCOL(worker, neighbours, ping, pong, exit);
TR_PROTOCOL(sink, neighbours, exit);

struct table {
    int n; /* 0: not known yet */
    worker_ref at[MAX];
};
struct neighbours {
    struct table table;
};
TR_MESSAGE(neighbours);
struct ping {
    int from;
};
TR_MESSAGE(ping);
struct pong {
    int from; /* -1: the driver */
};
TR_MESSAGE(pong);
TR_SIGNAL(exit);

struct worker {
    int id, total;
    sink_ref sink;
    int pings, expected;
    struct draws draws;
    struct table neighbours;
};
TR_STATES(worker, loose, wired);

TR_HANDLER(worker, ping)
{
    assert(self->neighbours.n > 0 && "BIG-1"); /* [1] */
    send(self->neighbours.at[msg->from], pong, .from = self->id);
}

static void serve(tr_ctx *ctx, struct worker *self)
{
    assert(self->neighbours.n > 0 && "BIG-3");
    self->expected =
        (int)draw_below(&self->draws, (uint32_t)self->neighbours.n);
    send(self->neighbours.at[self->expected], ping, .from = self->id);
    self->pings++;
}

TR_HANDLER(worker, pong)
{
    if (msg->from != self->expected) /* [2] */
        assert(false && "a pong from a stranger");
    /* else [3] */
    if (self->pings == self->total) /* [4] */
        send(self->sink, exit);
    else /* [5] */
        serve(ctx, self);
}

TR_HANDLER(worker, exit)
{
    assert(self->pings == self->total); /* [6] */
    stop();
}

TR_HANDLER(worker, neighbours)
{
    self->neighbours = msg->table; /* [7] */
    become(worker, wired);
}

TR_BEHAVIOUR(worker, wired, TR_ON(ping, worker_ping), TR_ON(pong, worker_pong),
             TR_ON(exit, worker_exit), TR_ON(neighbours, worker_neighbours));
TR_BEHAVIOUR(worker, loose, TR_DEFER(ping), TR_DEFER(pong), TR_DEFER(exit),
             TR_ON(neighbours, worker_neighbours));
TR_CLASS(worker, .start = repaired ? &worker_loose : &worker_wired);
TR_HOT(worker, wired);
TR_HOT(worker, loose);

struct sink {
    int workers, exits;
    struct table neighbours;
};
TR_STATES(sink, loose, wired);

TR_HANDLER(sink, exit)
{
    if (++self->exits < self->workers) /* [9] */
        return;
    assert(self->neighbours.n > 0 && "BIG-2"); /* [8] */
    for (int i = 0; i < self->neighbours.n; i++)
        send(self->neighbours.at[i], exit);
    result("%d workers", self->exits);
    stop();
}

TR_HANDLER(sink, neighbours)
{
    self->neighbours = msg->table; /* [10] */
    become(sink, wired);
}

TR_BEHAVIOUR(sink, wired, TR_ON(exit, sink_exit),
             TR_ON(neighbours, sink_neighbours));
TR_BEHAVIOUR(sink, loose, TR_DEFER(exit), TR_ON(neighbours, sink_neighbours));
TR_CLASS(sink, .start = repaired ? &sink_loose : &sink_wired);
TR_HOT(sink, wired);
TR_HOT(sink, loose);

static sink_ref make(tr_ctx *ctx, int w, int n, struct table *workers)
{
    sink_ref sink = spawn(sink, .workers = w);
    assert(w >= 1 && w <= MAX);
    workers->n = w;
    for (int i = 0; i < w; i++)
        workers->at[i] = spawn(worker, .id = i, .total = n, .sink = sink,
                               .expected = -1, .draws = {(uint64_t)i});
    return sink;
}

static void begin(tr_ctx *ctx, sink_ref sink, const struct table *workers)
{
    send(sink, neighbours, .table = *workers);
    for (int i = 0; i < workers->n; i++)
        send(workers->at[i], neighbours, .table = *workers);
    for (int i = 0; i < workers->n; i++)
        send(workers->at[i], pong, .from = -1);
}

TR_SYSTEM(savina)
{
    struct table workers = {0};
    sink_ref sink =
        make(ctx, (int)param("w", 120), (int)param("n", 20000), &workers);
    worker_ref worker = workers.at[0];
    expose(sink);
    expose(worker);
    if (starts())
        begin(ctx, sink, &workers);
}

TR_TEST(big)
{
    struct table workers = {0};
    sink_ref sink = make(ctx, (int)param("w", 2), (int)param("n", 1), &workers);
    begin(ctx, sink, &workers);
    drain();
}

/* Cases that explore found, kept: they must go on to show the bug. */
#ifndef REPAIRED
TR_REPLAY(big_1, "big", "pair",
          "worker#1 neighbours<test; "
          "worker#1 pong<test; "
          "worker#2 ping<worker#1",
          .expect = "assertion")
{
}

TR_REPLAY(big_2, "big", "pair",
          "worker#1 neighbours<test; "
          "worker#1 pong<test; "
          "sink#1 exit<worker#1",
          .params = "w=1 n=0", .expect = "assertion")
{
}

TR_REPLAY(big_3, "big", "any", "worker#2 pong<test", .expect = "assertion")
{
}

#endif
