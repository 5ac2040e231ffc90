/* Creation and references. */
#include "troupe_short.h"

enum rank { CLERK = 1, CHIEF = 2, OWNER = 3 };

TR_PROTOCOL(worker, task);
TR_PROTOCOL(office, hire, spread, same);
struct task {
    int n;
};
TR_MESSAGE(task);
struct hire {
    int chief;
};
TR_MESSAGE(hire);
struct spread {
    int n;
};
TR_MESSAGE(spread);
struct same {
    office_ref one, other;
};
TR_MESSAGE(same);

struct worker {
    enum rank rank;
    int place, seen;
};
TR_HANDLER(worker, task)
{
    if (self->rank == CHIEF && self->place == 2 && msg->n == 8)
        self->seen = 1; // TARGET third: reachable
    if (self->rank == OWNER)
        self->seen = 2; // TARGET owner: impossible, only clerks and chiefs are hired
}
TR_BEHAVIOUR(worker, open, TR_ON(task, worker_task));
TR_CLASS(worker, .start = &worker_open);

struct office {
    worker_ref staff[4];
    int n, seen;
};
TR_HANDLER(office, hire)
{
    if (self->n < 4) {
        self->staff[self->n] = spawn(worker, .place = self->n,
                                     .rank = msg->chief ? CHIEF : CLERK);
        self->n++;
    }
}
TR_HANDLER(office, spread)
{
    for (int i = 0; i < self->n; i++)
        send(self->staff[i], task, .n = msg->n + i);
}
TR_HANDLER(office, same)
{
    if (msg->one && msg->other && msg->one != msg->other &&
        msg->other == me(office))
        self->seen = 1; // TARGET other: reachable
}
TR_BEHAVIOUR(office, open, TR_ON(hire, office_hire),
             TR_ON(spread, office_spread), TR_ON(same, office_same));
TR_CLASS(office, .start = &office_open);

TR_SYSTEM(firm)
{
    office_ref north = spawn(office), south = spawn(office);
    expose(north);
    expose(south);
}

TR_TEST(third)
{
    office_ref o = spawn(office);
    send(o, hire);
    send(o, hire);
    send(o, hire, .chief = 1);
    send(o, spread, .n = 6);
    drain();
}
TR_TEST(other)
{
    office_ref o = spawn(office), p = spawn(office);
    send(o, same, .one = p, .other = o);
    drain();
}
