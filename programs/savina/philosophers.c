/* Dining philosophers (PHI): an arbitrator grants pairs of forks.
 *
 * The driver sends start to n philosophers.  A philosopher sends hungry to the
 * arbitrator, which answers eat if both forks are free and else denied; denied,
 * it asks again.  Having eaten it sends done; after m meals it sends exit and
 * stops, and the arbitrator stops after n exits.
 *
 * The original adds up retries in a counter that all philosophers share; here
 * each sends its own along with done, and the arbitrator adds.
 *
 * Entry points: the philosophers.
 * Parameters n, m: philosophers, meals (20, 10000; in the test 3, 1).
 * Expected: n * m meals, neighbours never hold a fork at once, all forks are
 * free at the end, all stop.  Denials are unbounded under an unfair schedule;
 * so that states repeat, retries are kept modulo 65536, and in tests not at all
 * (parameter count, 0 in the test).
 *
 * Known defects:
 * PHI-1   exit overtakes done: the arbitrator stops with forks taken; model any
 * PHI-P1  every meal adds the retries so far, so the total counts too much
 * Find PHI-1: troupe explore programs/savina/philosophers.c --delivery=any
 */
#include "savina.h"

enum { MAX = 64 };

TR_PROTOCOL(philosopher, start, eat, denied);
TR_PROTOCOL(arbitrator, hungry, done, exit);

TR_SIGNAL(start);
struct hungry {
    philosopher_ref from;
    int id;
};
TR_MESSAGE(hungry);
TR_SIGNAL(eat);
TR_SIGNAL(denied);
struct done {
    int id;
    uint16_t retries;
};
TR_MESSAGE(done);
TR_SIGNAL(exit);

struct philosopher {
    int id, rounds;
    arbitrator_ref arbitrator;
    bool counts;
    uint16_t retries;
    int eaten;
};

static void ask_for_forks(tr_ctx *ctx, struct philosopher *self)
{
    send(self->arbitrator, hungry, .from = me(philosopher), .id = self->id);
}

TR_HANDLER(philosopher, denied)
{
    self->retries = (uint16_t)(self->retries + self->counts); /* [1] */
    ask_for_forks(ctx, self);
}

TR_HANDLER(philosopher, eat)
{
    self->eaten++;
    send(self->arbitrator, done, .id = self->id, .retries = self->retries);
    if (repaired)
        self->retries = 0;            /* PHI-P1 */
    if (self->eaten < self->rounds) { /* [2] */
        send(me(philosopher), start);
    } else { /* [3] */
        send(self->arbitrator, exit);
        stop();
    }
}

TR_HANDLER(philosopher, start)
{
    ask_for_forks(ctx, self); /* [4] */
}

TR_BEHAVIOUR(philosopher, alive, TR_ON(start, philosopher_start),
             TR_ON(eat, philosopher_eat), TR_ON(denied, philosopher_denied));
TR_CLASS(philosopher, .start = &philosopher_alive);
TR_HOT(philosopher, alive);

struct arbitrator {
    int n;
    bool taken[MAX]; /* forks; id's are id and id + 1 */
    int ended, meals, expected;
    uint64_t retries;
};

TR_HANDLER(arbitrator, hungry)
{
    bool *left = &self->taken[msg->id];
    bool *right = &self->taken[(msg->id + 1) % self->n];
    if (*left) { /* [5] */
        send(msg->from, denied);
    } else if (*right) { /* [6] */
        send(msg->from, denied);
    } else { /* [7] */
        *left = *right = true;
        self->meals++;
        send(msg->from, eat);
    }
}

TR_HANDLER(arbitrator, done)
{
    bool *left = &self->taken[msg->id]; /* [8] */
    bool *right = &self->taken[(msg->id + 1) % self->n];
    assert(*left && *right);
    *left = *right = false;
    self->retries += msg->retries;
}

TR_HANDLER(arbitrator, exit)
{
    if (++self->ended < self->n) /* [10] */
        return;
    for (int i = 0; i < self->n; i++) /* [9] */
        assert(!self->taken[i] && "PHI-1");
    assert(self->meals == self->expected);
    result("%d meals, %llu retries", self->meals,
           (unsigned long long)self->retries);
    stop();
}

TR_BEHAVIOUR(arbitrator, open, TR_ON(hungry, arbitrator_hungry),
             TR_ON(done, arbitrator_done), TR_ON(exit, arbitrator_exit));
TR_CLASS(arbitrator, .start = &arbitrator_open);
TR_HOT(arbitrator, open);

static void make(tr_ctx *ctx, int n, int m, bool counts,
                 philosopher_ref *philosophers)
{
    arbitrator_ref arbitrator = spawn(arbitrator, .n = n, .expected = n * m);
    assert(n >= 2 && n <= MAX);
    for (int i = 0; i < n; i++)
        philosophers[i] = spawn(philosopher, .id = i, .rounds = m,
                                .arbitrator = arbitrator, .counts = counts);
}

TR_SYSTEM(savina)
{
    int n = (int)param("n", 20);
    philosopher_ref philosophers[MAX];
    make(ctx, n, (int)param("m", 10000), param("count", 1) != 0, philosophers);
    philosopher_ref philosopher = philosophers[0];
    expose(philosopher);
    for (int i = 0; i < n && starts(); i++)
        send(philosophers[i], start);
}

TR_TEST(philosophers)
{
    int n = (int)param("n", 3);
    philosopher_ref philosophers[MAX];
    make(ctx, n, (int)param("m", 1), param("count", 0) != 0, philosophers);
    for (int i = 0; i < n; i++)
        send(philosophers[i], start);
    drain();
}
