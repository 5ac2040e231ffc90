/* Sieve of Eratosthenes (SV): a growing pipeline of filters.
 *
 * The driver sends start to the producer, which sends the first filter 3, 5, 7,
 * ... below the limit as candidates, then exit.  A filter drops multiples of
 * its primes and sends the rest to the next filter; the last one keeps what
 * comes through as a prime, and with m primes it creates the next.  The last
 * filter to get exit reports the number of primes.
 *
 * Entry point: producer.
 * Parameters n, m: limit, primes of a filter (100000, 1000; in the test 12, 2).
 * Expected: the number of primes below n (n >= 3), and all stop.
 *
 * Known defects:
 * SV-1   exit or candidates overtake candidates: too few primes, or composites
 *        among them; model any.  It is what ordered channels exclude, so there
 *        is no repair here.
 * SV-P1  a limit of 2 or less still gives one prime (n=2)
 * Find SV-1: troupe explore programs/savina/sieve.c --delivery=any
 */
#include "savina.h"

TR_PROTOCOL(producer, start);
TR_PROTOCOL(filter, candidate, exit);

struct start {
    filter_ref filter;
};
TR_MESSAGE(start);
struct candidate {
    int x;
};
TR_MESSAGE(candidate);
TR_SIGNAL(exit);

struct producer {
    int limit;
};

TR_HANDLER(producer, start)
{
    for (int x = 3; x < self->limit; x += 2) /* [1] */
        send(msg->filter, candidate, .x = x);
    send(msg->filter, exit);
    stop();
}

TR_BEHAVIOUR(producer, open, TR_ON(start, producer_start));
TR_CLASS(producer, .start = &producer_open);
TR_HOT(producer, open);

struct filter {
    int id, limit;
    int n, most; /* primes */
    int first;
    int *prime;
    filter_ref next;
};

TR_INIT(filter)
{
    self->prime = calloc((size_t)self->most, sizeof *self->prime);
    assert(self->prime && self->most >= 1);
    self->prime[self->n++] = self->first;
}

TR_FINI(filter)
{
    free(self->prime);
}

static bool divides_any(const struct filter *self, int x)
{
    for (int i = 0; i < self->n; i++)
        if (x % self->prime[i] == 0)
            return true;
    return false;
}

TR_HANDLER(filter, candidate)
{
    if (divides_any(self, msg->x)) /* [2] */
        return;
    if (self->next) /* [3] */
        forward(self->next, candidate);
    else if (self->n < self->most) /* [4] */
        self->prime[self->n++] = msg->x;
    else /* [5] */
        self->next = spawn(filter, .id = self->id + 1, .limit = self->limit,
                           .most = self->most, .first = msg->x);
}

static int primes_below(int limit)
{
    int n = 0;
    for (int x = 2; x < limit; x++) {
        int d = 2;
        while (d * d <= x && x % d != 0)
            d++;
        n += d * d > x;
    }
    return n;
}

TR_HANDLER(filter, exit)
{
    if (self->next) { /* [6] */
        send(self->next, exit);
    } else { /* [7] */
        int primes = (self->id - 1) * self->most + self->n;
        assert(primes == primes_below(self->limit) && "SV-1 or SV-P1");
        result("%d primes", primes);
    }
    stop();
}

TR_BEHAVIOUR(filter, open, TR_ON(candidate, filter_candidate),
             TR_ON(exit, filter_exit));
TR_CLASS(filter, .start = &filter_open, .init = filter_init_,
         .fini = filter_fini_);
TR_HOT(filter, open);

static void begin(tr_ctx *ctx, int limit, int m, bool starting)
{
    producer_ref producer = spawn(producer, .limit = limit);
    filter_ref filter =
        spawn(filter, .id = 1, .limit = limit, .most = m, .first = 2);
    expose(producer);
    if (starting)
        send(producer, start, .filter = filter);
}

TR_SYSTEM(savina)
{
    begin(ctx, (int)param("n", 100000), (int)param("m", 1000), starts());
}

TR_TEST(sieve)
{
    begin(ctx, (int)param("n", 12), (int)param("m", 2), true);
    drain();
}
