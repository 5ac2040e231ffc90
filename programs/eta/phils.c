/* Dining philosophers, one meal each: Phils(n) of the Eta paper.
 *
 * Philosopher i takes fork i, then fork i+1 (mod n), eats, and puts both down,
 * the first one first.  A held fork remembers who asked for it meanwhile (each
 * fork has two users, so at most one can wait) and passes itself on when it is
 * put down.  When everyone holds one fork, everyone waits for ever: these
 * orders are counted too, nothing here asserts that all have eaten.
 *
 * Parameter n: philosophers (3).  Schedules under mailbox: n = 2: 150,
 * n = 3: 3,159,870.
 */
#include "troupe_short.h"
#include <assert.h>

TR_PROTOCOL(fork, take, put);
TR_PROTOCOL(philosopher, think, taken);

struct take {
    philosopher_ref by;
};
TR_MESSAGE(take);
struct taken {
    fork_ref which;
};
TR_MESSAGE(taken);
TR_SIGNAL(put);
TR_SIGNAL(think);

struct fork {
    philosopher_ref waiting;
};
TR_STATES(fork, free, held);

TR_HANDLER_AS(fork_give, fork, take)
{
    become(fork, held);
    send(msg->by, taken, .which = me(fork));
}

TR_HANDLER_AS(fork_queue, fork, take)
{
    assert(!self->waiting);
    self->waiting = msg->by;
}

TR_HANDLER(fork, put)
{
    philosopher_ref next = self->waiting;
    self->waiting = NULL;
    if (next)
        send(next, taken, .which = me(fork));
    else
        become(fork, free);
}

TR_BEHAVIOUR(fork, free, TR_ON(take, fork_give));
TR_BEHAVIOUR(fork, held, TR_ON(take, fork_queue), TR_ON(put, fork_put));
TR_CLASS(fork, .start = &fork_free);

struct philosopher {
    fork_ref first, second;
    int meals;
};

TR_HANDLER(philosopher, think)
{
    send(self->first, take, .by = me(philosopher));
}

TR_HANDLER(philosopher, taken)
{
    if (msg->which == self->first) {
        send(self->second, take, .by = me(philosopher));
    } else {
        self->meals++;
        send(self->first, put);
        send(self->second, put);
    }
}

TR_BEHAVIOUR(philosopher, alive, TR_ON(think, philosopher_think),
             TR_ON(taken, philosopher_taken));
TR_CLASS(philosopher, .start = &philosopher_alive);

TR_TEST(phils)
{
    enum { MAX = 64 };
    fork_ref f[MAX];
    int n = (int)param("n", 3);
    assert(n >= 2 && n <= MAX);
    for (int i = 0; i < n; i++)
        f[i] = spawn(fork);
    for (int i = 0; i < n; i++) {
        philosopher_ref p =
            spawn(philosopher, .first = f[i], .second = f[(i + 1) % n]);
        send(p, think);
    }
}
