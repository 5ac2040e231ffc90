/* Logistic map series (LOG): workers compute series by asking rate computers.
 *
 * Of the suite's variants, the one that postpones messages by hand.  The driver
 * sends start to the master, which sends t times next and then get to each of
 * its s workers.  On next a worker sends its term to its computer (compute) and
 * waits for the outcome; what comes meanwhile goes to a store, from which, when
 * it does not wait, it re-sends one message to itself.  On get it answers the
 * master with its term, unless messages are stored.  When all have answered the
 * master stops the computers, the workers and itself.
 *
 * Entry point: master.
 * Parameters t, s: terms, series (25000, 10; in the test 2, 1).  Series i
 * starts at (i + 1) * 0.0025 with rate 3.46 + (i + 1) * 0.0025: a series that
 * starts at 0 stays 0, which would hide the defect.
 * Expected: each worker has computed t terms when it answers, the sum is that
 * of a sequential computation, and all stop.
 *
 * Known defect:
 * LOG-1  the last postponed next is on its way from the worker to itself, the
 *        store is empty, and get overtakes it: the answer lacks a term.  Models
 *        causal, pair and any (t >= 2); mailbox only if a handler's sends can
 *        be interleaved with other handlers, as on threads.  A worker may then
 *        wait for ever for a computer that has stopped: a deadlock
 * Repaired: the store is emptied within the handler, nothing is re-sent.  (It
 * relies on ordered channels: under any, get may overtake next.)
 *
 * Find it: troupe explore programs/savina/logisticmap.c
 */
#include "savina.h"

#include <math.h>

enum { MAX = 64 };

TR_PROTOCOL(master, start, term);
TR_PROTOCOL(worker, next, get, term, stop);
TR_PROTOCOL(computer, compute, stop);

TR_SIGNAL(start);
TR_SIGNAL(next);
TR_SIGNAL(get);
struct compute {
    worker_ref from;
    double term;
};
TR_MESSAGE(compute);
struct term {
    double value;
    int computed; /* terms, to the master */
};
TR_MESSAGE(term);
TR_SIGNAL(stop);

static double step(double rate, double term)
{
    return rate * term * (1 - term);
}

struct computer {
    double rate;
};

TR_HANDLER(computer, compute)
{
    send(msg->from, term, .value = step(self->rate, msg->term)); /* [12] */
}

TR_HANDLER(computer, stop)
{
    stop(); /* [13] */
}

TR_BEHAVIOUR(computer, open, TR_ON(compute, computer_compute),
             TR_ON(stop, computer_stop));
TR_CLASS(computer, .start = &computer_open);
TR_HOT(computer, open);

enum what { NEXT, GET, STOP };

struct worker {
    master_ref master;
    computer_ref computer;
    double term;
    int computed;
    bool waiting;
    LIST(enum what) store;
};

TR_FINI(worker)
{
    list_free(&self->store);
}

static void resend(tr_ctx *ctx, enum what what)
{
    if (what == NEXT)
        send(me(worker), next);
    else if (what == GET)
        send(me(worker), get);
    else
        send(me(worker), stop);
}

/* Not waiting: do what a message asks for. */
static void act(tr_ctx *ctx, struct worker *self, enum what what)
{
    if (what == NEXT) { /* [6] */
        send(self->computer, compute, .from = me(worker), .term = self->term);
        self->waiting = true;
    } else if (what == STOP) { /* [9] */
        stop();
    } else if (!repaired && list_length(&self->store) > 0) { /* [8] */
        list_add(&self->store, GET);
    } else { /* [7] */
        send(self->master, term, .value = self->term,
             .computed = self->computed);
    }
}

static void unstore(tr_ctx *ctx, struct worker *self)
{
    while (!self->waiting && list_length(&self->store) > 0) { /* [10] */
        enum what first = list_first(&self->store);
        list_drop(&self->store);
        if (!repaired) {
            resend(ctx, first);
            return;
        }
        act(ctx, self, first);
    } /* else [11] */
}

static void take(tr_ctx *ctx, struct worker *self, enum what what)
{
    if (self->waiting) /* [5] */
        list_add(&self->store, what);
    else
        act(ctx, self, what);
    unstore(ctx, self);
}

TR_HANDLER(worker, term)
{
    self->waiting = false; /* [4] */
    self->term = msg->value;
    self->computed++;
    unstore(ctx, self);
}

TR_HANDLER(worker, next)
{
    take(ctx, self, NEXT);
}

TR_HANDLER(worker, get)
{
    take(ctx, self, GET);
}

TR_HANDLER(worker, stop)
{
    take(ctx, self, STOP);
}

TR_BEHAVIOUR(worker, open, TR_ON(next, worker_next), TR_ON(get, worker_get),
             TR_ON(stop, worker_stop), TR_ON(term, worker_term));
TR_CLASS(worker, .start = &worker_open, .fini = worker_fini_);
TR_HOT(worker, open);

struct master {
    int terms, series;
    computer_ref computer[MAX];
    worker_ref worker[MAX];
    int requested, received;
    double sum;
};

static double start_of(int series)
{
    return (series + 1) * 0.0025;
}

TR_INIT(master)
{
    assert(self->series >= 1 && self->series <= MAX);
    for (int i = 0; i < self->series; i++) {
        self->computer[i] = spawn(computer, .rate = 3.46 + start_of(i));
        self->worker[i] =
            spawn(worker, .master = me(master), .computer = self->computer[i],
                  .term = start_of(i));
    }
}

TR_HANDLER(master, start)
{
    for (int t = 0; t < self->terms; t++) /* [1] */
        for (int i = 0; i < self->series; i++)
            send(self->worker[i], next);
    for (int i = 0; i < self->series; i++) {
        send(self->worker[i], get);
        self->requested++;
    }
}

static double sequential_sum(const struct master *self)
{
    double sum = 0;
    for (int i = 0; i < self->series; i++) {
        double term = start_of(i);
        for (int t = 0; t < self->terms; t++)
            term = step(3.46 + start_of(i), term);
        sum += term;
    }
    return sum;
}

TR_HANDLER(master, term)
{
    assert(msg->computed == self->terms && "LOG-1");
    self->sum += msg->value;
    if (++self->received < self->requested) /* [3] */
        return;
    assert(fabs(self->sum - sequential_sum(self)) < 1e-9); /* [2] */
    result("sum %.9f", self->sum);
    for (int i = 0; i < self->series; i++)
        send(self->computer[i], stop);
    for (int i = 0; i < self->series; i++)
        send(self->worker[i], stop);
    stop();
}

TR_BEHAVIOUR(master, open, TR_ON(start, master_start),
             TR_ON(term, master_term));
TR_CLASS(master, .start = &master_open, .init = master_init_);
TR_HOT(master, open);

TR_SYSTEM(savina)
{
    master_ref master = spawn(master, .terms = (int)param("t", 25000),
                              .series = (int)param("s", 10));
    expose(master);
    if (starts())
        send(master, start);
}

TR_TEST(logisticmap)
{
    master_ref master = spawn(master, .terms = (int)param("t", 2),
                              .series = (int)param("s", 1));
    send(master, start);
    drain();
}

/* Cases that explore found, kept: they must go on to show the bug. */
#ifndef REPAIRED
TR_REPLAY(log_1, "logisticmap", "pair",
          "master#1 start<test; "
          "master#1/worker#1 next<master#1; "
          "master#1/computer#1 compute<master#1/worker#1; "
          "master#1/worker#1 next<master#1; "
          "master#1/worker#1 term<master#1/computer#1; "
          "master#1/worker#1 get<master#1; "
          "master#1 term<master#1/worker#1",
          .expect = "assertion")
{
}

#endif
