/* An init hook that makes actors and sends in a loop over a parameter: what comes
 * of it is not followed to its end, and must not be called impossible. */
#include "troupe_short.h"

TR_PROTOCOL(hand, job);
TR_PROTOCOL(boss, done);
struct job {
    int n;
    boss_ref to;
};
TR_MESSAGE(job);
struct done {
    int n;
};
TR_MESSAGE(done);

struct hand {
    int jobs;
};
TR_HANDLER(hand, job)
{
    self->jobs++;
    if (msg->n == 3)
        self->jobs = 7; // the fourth hand
    send(msg->to, done, .n = msg->n);
}
TR_BEHAVIOUR(hand, open, TR_ON(job, hand_job));
TR_CLASS(hand, .start = &hand_open);

struct boss {
    int done;
};
TR_HANDLER(boss, done)
{
    self->done += msg->n;
}
TR_INIT(boss)
{
    int n = (int)param("hands", 2);
    for (int i = 0; i < n; i++)
        send(spawn(hand), job, .n = i, .to = me(boss));
}
TR_BEHAVIOUR(boss, open, TR_ON(done, boss_done));
TR_CLASS(boss, .start = &boss_open, .init = boss_init_);

TR_SYSTEM(works)
{
    spawn(boss);
}
