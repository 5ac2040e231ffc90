/* Cigarette smokers (CIG): an arbiter lets one random smoker smoke at a time.
 *
 * The driver sends start to the arbiter, which draws one of its s smokers and
 * sends it start_smoking; the smoker answers started_smoking and smokes.  After
 * r rounds the arbiter sends exit to all smokers and stops.
 *
 * Entry point: arbiter.
 * Parameters r, s: rounds, smokers (1000, 200; in the test 3, 3).
 * Expected: exactly r times start_smoking, all stop, nothing is lost.  Only the
 * exits are free against each other.  The suite's generator has its lowest bit
 * alternate and is drawn twice a round, so for even s all smokers that are
 * picked have the same parity.
 * Known defects: none, in any model.
 */
#include "savina.h"

enum { MAX = 256 };

TR_PROTOCOL(arbiter, start, started_smoking);
TR_PROTOCOL(smoker, start_smoking, exit);

TR_SIGNAL(start);
struct start_smoking {
    uint32_t wait;
};
TR_MESSAGE(start_smoking);
TR_SIGNAL(started_smoking);
TR_SIGNAL(exit);

struct smoker {
    arbiter_ref arbiter;
    uint32_t smoked;
};

TR_HANDLER(smoker, start_smoking)
{
    send(self->arbiter, started_smoking); /* [4] */
    for (volatile uint32_t i = 0; i < msg->wait; i++)
        self->smoked++;
}

TR_HANDLER(smoker, exit)
{
    stop(); /* [5] */
}

TR_BEHAVIOUR(smoker, open, TR_ON(start_smoking, smoker_start_smoking),
             TR_ON(exit, smoker_exit));
TR_CLASS(smoker, .start = &smoker_open);
TR_HOT(smoker, open);

struct arbiter {
    int rounds, smokers;
    smoker_ref smoker[MAX];
    struct draws draws;
    int picked, done;
};

TR_INIT(arbiter)
{
    assert(self->smokers >= 1 && self->smokers <= MAX);
    self->draws.v = (uint64_t)self->rounds * (uint64_t)self->smokers;
    for (int i = 0; i < self->smokers; i++)
        self->smoker[i] = spawn(smoker, .arbiter = me(arbiter));
}

static void pick(tr_ctx *ctx, struct arbiter *self)
{
    uint32_t i = draw_below(&self->draws, (uint32_t)self->smokers);
    uint32_t wait = draw_below(&self->draws, 1000) + 10;
    self->picked++;
    send(self->smoker[i], start_smoking, .wait = wait);
}

TR_HANDLER(arbiter, start)
{
    pick(ctx, self); /* [1] */
}

TR_HANDLER(arbiter, started_smoking)
{
    if (++self->done < self->rounds) { /* [3] */
        pick(ctx, self);
        return;
    }
    assert(self->picked == self->rounds); /* [2] */
    for (int i = 0; i < self->smokers; i++)
        send(self->smoker[i], exit);
    result("%d rounds", self->done);
    stop();
}

TR_BEHAVIOUR(arbiter, open, TR_ON(start, arbiter_start),
             TR_ON(started_smoking, arbiter_started_smoking));
TR_CLASS(arbiter, .start = &arbiter_open, .init = arbiter_init_);
TR_HOT(arbiter, open);

TR_SYSTEM(savina)
{
    arbiter_ref arbiter = spawn(arbiter, .rounds = (int)param("r", 1000),
                                .smokers = (int)param("s", 200));
    expose(arbiter);
    if (starts())
        send(arbiter, start);
}

TR_TEST(smokers)
{
    arbiter_ref arbiter = spawn(arbiter, .rounds = (int)param("r", 3),
                                .smokers = (int)param("s", 3));
    send(arbiter, start);
    drain();
}
