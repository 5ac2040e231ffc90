/* Who may overtake whom: a worker counts on its two messages in order. */
#include "troupe_short.h"

TR_PROTOCOL(worker, first, second);
TR_PROTOCOL(boss, go, twice);

struct first {
    int n;
};
TR_MESSAGE(first);
struct second {
    int n;
};
TR_MESSAGE(second);
struct go {
    int n;
};
TR_MESSAGE(go);
TR_SIGNAL(twice);

struct worker {
    int base, hits;
};

TR_HANDLER(worker, first)
{
    self->base = msg->n;
}

TR_HANDLER(worker, second)
{
    if (self->base != msg->n)
        self->hits = 1; // another between
    if (self->base == msg->n && msg->n == 77)
        self->hits = 2; // in order
    if (self->base == 0)
        self->hits = 3; // without first
}

TR_BEHAVIOUR(worker, up, TR_ON(first, worker_first),
             TR_ON(second, worker_second));
TR_CLASS(worker, .start = &worker_up);

struct boss {
    worker_ref worker;
};

TR_HANDLER(boss, go)
{
    if (msg->n < 10)
        return;
    send(self->worker, first, .n = msg->n);
    send(self->worker, second, .n = msg->n);
}

TR_BEHAVIOUR(boss, up, TR_ON(go, boss_go), TR_IGNORE(twice));
TR_CLASS(boss, .start = &boss_up);

TR_SYSTEM(ordered)
{
    worker_ref worker = spawn(worker);
    boss_ref boss = spawn(boss, .worker = worker);
    send(worker, first, .n = 1);
    expose(boss);
}
