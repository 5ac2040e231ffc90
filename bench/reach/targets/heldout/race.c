/* Order: three workers answer a boss, who numbers them by arrival. */
#include "troupe_short.h"

TR_PROTOCOL(boss, begin, done, again);
TR_PROTOCOL(hand, job, more);
TR_SIGNAL(begin);
TR_SIGNAL(again);
struct done {
    int who, round;
};
TR_MESSAGE(done);
struct job {
    boss_ref to;
};
TR_MESSAGE(job);
struct more {
    boss_ref to;
};
TR_MESSAGE(more);

struct hand {
    int who, jobs;
};
TR_HANDLER(hand, job)
{
    self->jobs = 1;
    send(msg->to, done, .who = self->who, .round = 1);
}
TR_HANDLER(hand, more)
{
    if (!self->jobs)
        self->jobs = -1; // TARGET unready: impossible, job comes before on the same channel
    send(msg->to, done, .who = self->who, .round = 2);
}
TR_BEHAVIOUR(hand, open, TR_ON(job, hand_job), TR_ON(more, hand_more));
TR_CLASS(hand, .start = &hand_open);

struct boss {
    hand_ref hand[3];
    int order[6], n, started, seen;
};
TR_HANDLER(boss, begin)
{
    if (self->started)
        return;
    self->started = 1;
    for (int i = 0; i < 3; i++) {
        send(self->hand[i], job, .to = me(boss));
        send(self->hand[i], more, .to = me(boss));
    }
}
TR_HANDLER(boss, again)
{
    if (self->started == 2)
        self->seen = 4; // TARGET restarted: impossible, started is 0 or 1
}
TR_HANDLER(boss, done)
{
    if (msg->who < 1 || msg->who > 3)
        return;
    if (self->n < 6)
        self->order[self->n++] = msg->who;
    if (self->n == 3 && self->order[0] == 3 && self->order[1] == 1 &&
        self->order[2] == 3 && self->started)
        self->seen = 1; // TARGET reversed: reachable
}
TR_BEHAVIOUR(boss, open, TR_ON(begin, boss_begin), TR_ON(done, boss_done),
             TR_ON(again, boss_again));
TR_CLASS(boss, .start = &boss_open);

static boss_ref build(tr_ctx *ctx)
{
    hand_ref a = spawn(hand, .who = 1), b = spawn(hand, .who = 2),
             c = spawn(hand, .who = 3);
    return spawn(boss, .hand = {a, b, c});
}
TR_SYSTEM(works)
{
    boss_ref boss = build(ctx);
    expose(boss);
}
TR_TEST(reversed)
{
    boss_ref boss = build(ctx);
    send(boss, begin);
    drain();
}
