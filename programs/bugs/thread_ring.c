/* thread-ring: the token overtakes the wiring of the ring.
 *
 * Source: ThreadRing of the Savina benchmarks; the crash that the TAP test
 * generator reported.
 *
 * The test sends start to the coordinator, which sends data (who is next) to
 * the passers in turn and then a token to passer 0.  A passer sends the token
 * on to its next until it is used up.  Under pair passer 0 is safe, its data
 * and the token come on one channel; passer 1 gets its data from the
 * coordinator and the token from passer 0, in either order.
 *
 * Repaired: passers acknowledge data; the token leaves when all have.
 *
 * Kind of bug: assertion
 * Models with the bug: pair any
 * Models without it: mailbox causal
 * Repaired, clean in: mailbox causal pair any
 * Oracle: a passer has a next when it gets the token.
 * Parameter n: passers (4).
 * Find it: troupe explore programs/bugs/thread_ring.c
 */
#include "repaired.h"
#include "troupe_short.h"
#include <assert.h>

enum { MAX = 16 };

TR_PROTOCOL(coordinator, start, ready);
TR_PROTOCOL(passer, data, token);

TR_SIGNAL(start);
TR_SIGNAL(ready);
struct data {
    passer_ref next;
    coordinator_ref from;
};
TR_MESSAGE(data);
struct token {
    int left;
};
TR_MESSAGE(token);

struct passer {
    passer_ref next;
};

TR_HANDLER(passer, data)
{
    self->next = msg->next;
    if (repaired)
        send(msg->from, ready);
}

TR_HANDLER(passer, token)
{
    if (msg->left > 0) {
        assert(self->next);
        send(self->next, token, .left = msg->left - 1);
    }
}

TR_BEHAVIOUR(passer, open, TR_ON(data, passer_data),
             TR_ON(token, passer_token));
TR_CLASS(passer, .start = &passer_open);

struct coordinator {
    int n, ready;
    passer_ref passer[MAX];
};

TR_HANDLER(coordinator, start)
{
    for (int i = 0; i < self->n; i++)
        send(self->passer[i], data, .next = self->passer[(i + 1) % self->n],
             .from = me(coordinator));
    if (!repaired)
        send(self->passer[0], token, .left = self->n + 2);
}

TR_HANDLER(coordinator, ready)
{
    if (++self->ready == self->n)
        send(self->passer[0], token, .left = self->n + 2);
}

TR_BEHAVIOUR(coordinator, open, TR_ON(start, coordinator_start),
             TR_ON(ready, coordinator_ready));
TR_CLASS(coordinator, .start = &coordinator_open);

static coordinator_ref make_ring(tr_ctx *ctx)
{
    struct coordinator ring = {.n = (int)param("n", 4)};
    assert(ring.n <= MAX);
    for (int i = 0; i < ring.n; i++)
        ring.passer[i] = spawn(passer);
    return spawn_from(coordinator, &ring);
}

TR_SYSTEM(ring)
{
    coordinator_ref coordinator = make_ring(ctx);
    expose(coordinator);
}

TR_TEST(thread_ring)
{
    coordinator_ref coordinator = make_ring(ctx);
    send(coordinator, start);
    drain();
}
