/* philosophers: everyone holds one fork and waits for the other.
 *
 * Source: the usual benchmark of Basset, TransDPOR and dCUTE; kept as the plain
 * circular wait.
 *
 * The test sends think to n philosophers.  For each meal a philosopher takes
 * the left fork, then the right one, eats, and puts both down, the right one
 * first; it thinks again until it has had all its meals.  A held fork remembers
 * one waiter and passes itself on when it is put down.
 *
 * Repaired: the last philosopher takes fork 0 first, so that no circle closes.
 *
 * Kind of bug: deadlock (under any also a second waiter: assertion)
 * Models with the bug: mailbox causal pair any
 * Models without it: none
 * Repaired, clean in: mailbox causal pair (any: a take may pass a put)
 * Oracle: nobody rests hungry.
 * Parameters n: philosophers (4), meals: of each (2).
 * Find it: troupe explore programs/bugs/philosophers.c
 */
#include "repaired.h"
#include "troupe_short.h"
#include <assert.h>

enum { MAX = 16 };

TR_PROTOCOL(fork, take, put);
TR_PROTOCOL(philosopher, think, taken);

TR_SIGNAL(think);
struct take {
    philosopher_ref by;
};
TR_MESSAGE(take);
struct taken {
    fork_ref which;
};
TR_MESSAGE(taken);
TR_SIGNAL(put);

struct fork {
    philosopher_ref waiting;
};
TR_STATES(fork, free, held);

TR_HANDLER_AS(fork_give, fork, take)
{
    become(fork, held);
    send(msg->by, taken, .which = me(fork));
}

TR_HANDLER_AS(fork_keep_waiting, fork, take)
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
TR_BEHAVIOUR(fork, held, TR_ON(take, fork_keep_waiting), TR_ON(put, fork_put));
TR_CLASS(fork, .start = &fork_free);

struct philosopher {
    fork_ref first, second;
    int meals; /* still to have */
};
TR_STATES(philosopher, thinking, hungry);

TR_HANDLER(philosopher, think)
{
    become(philosopher, hungry);
    send(self->first, take, .by = me(philosopher));
}

TR_HANDLER(philosopher, taken)
{
    if (msg->which == self->first) {
        send(self->second, take, .by = me(philosopher));
        return;
    }
    send(self->second, put);
    send(self->first, put);
    become(philosopher, thinking);
    if (--self->meals > 0)
        send(me(philosopher), think);
}

TR_BEHAVIOUR(philosopher, thinking, TR_ON(think, philosopher_think));
TR_BEHAVIOUR(philosopher, hungry, TR_ON(taken, philosopher_taken));
TR_CLASS(philosopher, .start = &philosopher_thinking);
TR_HOT(philosopher, hungry);

static philosopher_ref seat(tr_ctx *ctx, int meals, fork_ref left,
                            fork_ref right, bool last)
{
    if (repaired && last)
        return spawn(philosopher, .first = right, .second = left,
                     .meals = meals);
    return spawn(philosopher, .first = left, .second = right, .meals = meals);
}

TR_SYSTEM(table)
{
    fork_ref fork1 = spawn(fork), fork2 = spawn(fork);
    philosopher_ref philosopher1 = seat(ctx, 1, fork1, fork2, false);
    philosopher_ref philosopher2 = seat(ctx, 1, fork2, fork1, true);
    expose(philosopher1);
    expose(philosopher2);
}

TR_TEST(philosophers)
{
    int n = (int)param("n", 4), meals = (int)param("meals", 2);
    fork_ref f[MAX];
    philosopher_ref p[MAX];
    assert(n >= 2 && n <= MAX);
    for (int i = 0; i < n; i++)
        f[i] = spawn(fork);
    for (int i = 0; i < n; i++)
        p[i] = seat(ctx, meals, f[i], f[(i + 1) % n], i == n - 1);
    for (int i = 0; i < n; i++)
        send(p[i], think);
    drain();
}
