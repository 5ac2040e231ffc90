/* Stops and those who watch. */
#include "troupe_short.h"

TR_PROTOCOL(worker, work, end);
TR_PROTOCOL(boss, hire, fire, task, gone);

struct work {
    int n;
};
TR_MESSAGE(work);
TR_SIGNAL(end);
TR_SIGNAL(hire);
TR_SIGNAL(fire);
struct task {
    int n;
};
TR_MESSAGE(task);
struct gone {
    int who;
};
TR_MESSAGE(gone);

struct worker {
    int done;
};
TR_HANDLER(worker, work)
{
    self->done += msg->n;
    if (self->done == 12)
        stop();
}
TR_HANDLER(worker, end)
{
    stop();
}
TR_BEHAVIOUR(worker, up, TR_ON(work, worker_work), TR_ON(end, worker_end));
TR_CLASS(worker, .start = &worker_up);

struct boss {
    worker_ref worker;
    int lost, tasks;
};
TR_HANDLER(boss, hire)
{
    self->worker = spawn(worker);
    watch(self->worker, boss, gone, .who = 5);
}
TR_HANDLER(boss, fire)
{
    if (self->worker && self->tasks == 2)
        send(self->worker, end);
}
TR_HANDLER(boss, task)
{
    self->tasks++;
    if (self->worker)
        send(self->worker, work, .n = msg->n);
}
TR_HANDLER(boss, gone)
{
    if (msg->who == 5 && sender())
        self->lost++; // noticed
    if (msg->who == 5 && self->tasks == 2 && sender())
        self->lost = 9; // fired
}
TR_BEHAVIOUR(boss, up, TR_ON(hire, boss_hire), TR_ON(fire, boss_fire),
             TR_ON(task, boss_task), TR_ON(gone, boss_gone));
TR_CLASS(boss, .start = &boss_up);

TR_SYSTEM(firm)
{
    boss_ref boss = spawn(boss);
    expose(boss);
}
