// Actors that create, hold and stop others: init hooks, references of any class,
// two questions at once, a question to oneself.
#include <troupe_short.h>

#include <string.h>

struct val {
    int v;
};
struct work {
    int n;
};
TR_REQUEST(work, val);
struct hire {
    int n;
    tr_ref report;
};
TR_REQUEST(hire, val);
struct tell {
    int v;
    char text[8];
};
TR_MESSAGE(tell);
TR_SIGNAL(quit);
struct both {
    int n;
};
TR_REQUEST(both, val);
struct deep {
    int n;
};
TR_REQUEST(deep, val);
struct first {
    int n;
};
TR_REQUEST(first, val);
TR_PROTOCOL(worker, work, quit);
TR_PROTOCOL(boss, hire, tell, both, deep, first);

struct worker {
    int base, done;
};
TR_INIT(worker)
{
    self->done = 100;
}
TR_HANDLER(worker, work)
{
    self->done += msg->n;
    reply(work, .v = self->base + self->done);
}
TR_HANDLER(worker, quit)
{
    stop();
}
TR_BEHAVIOUR(worker, on, TR_ON(work, worker_work), TR_ON(quit, worker_quit));
TR_CLASS(worker, .start = &worker_on, .init = worker_init_);

struct boss {
    worker_ref old;
    int last;
    char name[8];
    enum { IDLE, BUSY } mode;
};
TR_HANDLER(boss, hire)
{
    worker_ref w = spawn(worker, .base = msg->n);
    int a = get(ask(w, work, .n = 1))->v;
    int b = self->old ? get(ask(self->old, work, .n = 2))->v : 0;
    if (a > 105 && b == 7) {
        self->mode = BUSY;
        if (msg->report)
            send_any(msg->report, tell, .v = a, .text = "hi");
    } else if (strcmp(self->name, "ab") == 0) {
        self->last = b;
    }
    reply(hire, .v = a);
}
TR_HANDLER(boss, tell)
{
    self->last = msg->v;
    if (msg->text[0] == 'x')
        self->mode = IDLE;
}
TR_HANDLER(boss, both) // two questions, answers in any order
{
    worker_ref a = spawn(worker, .base = 0), b = spawn(worker, .base = 10);
    TR_FUTURE(work) f = ask(a, work, .n = msg->n);
    TR_FUTURE(work) g = ask(b, work, .n = self->last);
    int x = await(f)->v;
    int y = await(g)->v;
    send(a, quit);
    if (x > y)
        self->last = x - y;
    else if (self->mode == BUSY)
        self->last = 0;
    reply(both, .v = x + y);
}
TR_HANDLER(boss, deep) // holds itself: never ends
{
    reply(deep, .v = get(ask(me(boss), both, .n = 1))->v);
}
TR_HANDLER(boss, first) // waits for nobody
{
    if (msg->n * 2 == 7)
        self->last = 1;
    else if (self->last > msg->n)
        self->last = msg->n;
    reply(first, .v = self->last);
}
TR_BEHAVIOUR(boss, on, TR_ON(hire, boss_hire), TR_ON(tell, boss_tell),
             TR_ON(both, boss_both), TR_ON(deep, boss_deep),
             TR_ON(first, boss_first));
TR_CLASS(boss, .start = &boss_on);
