// Timers that fire again and again, the clock, actors that are watched, calls on
// oneself; a node of a ring.
#include <troupe_short.h>

struct count {
    int n;
    tr_time at;
};
struct play {
    int beats;
};
TR_REQUEST(play, count);
struct wait_ {
    int n;
};
TR_REQUEST(wait_, count);
struct begin {
    int n;
};
TR_REQUEST(begin, count);
struct twice {
    int by;
};
TR_REQUEST(twice, count);
struct add {
    int by;
};
TR_REQUEST(add, count);
struct check {
    int n;
};
TR_REQUEST(check, count);
struct set_g {
    int to;
};
TR_MESSAGE(set_g);
struct gone {
    int which;
};
TR_MESSAGE(gone);
struct job {
    int n;
};
TR_MESSAGE(job);
TR_SIGNAL(beat);
TR_SIGNAL(late);
TR_SIGNAL(reset);
TR_SIGNAL(copy);
TR_PROTOCOL(child, job);
TR_PROTOCOL(man, play, wait_, begin, twice, add, gone, beat, late, reset, check,
            set_g, copy);

struct child {
    int jobs;
};
TR_HANDLER(child, job)
{
    self->jobs++;
    if (msg->n == 0)
        stop();
}
TR_BEHAVIOUR(child, on, TR_ON(job));
TR_CLASS(child, .start = &child_on);

struct man {
    child_ref child;
    int beats, gone, n, f, g;
    bool over;
};
TR_HANDLER(man, play) // the third beat comes after the end, if all come in time
{
    self->beats = 0;
    self->over = false;
    tr_timer t = every(10, me(man), beat);
    send_after(25, me(man), late);
    await_until(self->over);
    cancel(t);
    if (self->beats > 2)
        reply(play, .n = -1);
    else
        reply(play, .n = self->beats, .at = now());
}
TR_HANDLER(man, wait_)
{
    tr_time from = now();
    self->over = false;
    send_after(20, me(man), late);
    await_until(self->over);
    if (now() - from >= 20)
        reply(wait_, .n = 1, .at = now());
    else
        reply(wait_, .n = 0, .at = now());
}
TR_HANDLER(man, begin)
{
    self->gone = 0;
    self->child = spawn(child, .jobs = 0);
    watch(self->child, man, gone, .which = 7);
    send(self->child, job, .n = msg->n);
    if (msg->n == 0)
        await_until(self->gone > 0);
    reply(begin, .n = self->gone);
}
TR_HANDLER(man, twice)
{
    int a = await(ask(me(man), add, .by = msg->by))->n;
    int b = await(ask(me(man), add, .by = msg->by))->n;
    if (b - a == msg->by)
        reply(twice, .n = 1);
    else
        reply(twice, .n = 2);
}
TR_HANDLER(man, add)
{
    self->n += msg->by;
    reply(add, .n = self->n);
}
TR_HANDLER(man, check) // 2: set_g comes, then copy
{
    int g = self->g;
    self->f = g;
    await(ask(me(man), add, .by = 0));
    if (self->f == g)
        reply(check, .n = 1);
    else
        reply(check, .n = 2);
}
TR_HANDLER(man, set_g)
{
    self->g = msg->to;
}
TR_HANDLER(man, copy)
{
    self->f = self->g;
}
TR_HANDLER(man, gone)
{
    self->gone = msg->which;
}
TR_HANDLER(man, beat)
{
    self->beats++;
}
TR_HANDLER(man, late)
{
    self->over = true;
}
TR_HANDLER(man, reset)
{
    self->n = 0;
}
TR_BEHAVIOUR(man, on, TR_ON(play), TR_ON(wait_), TR_ON(begin), TR_ON(twice),
             TR_ON(add), TR_ON(gone), TR_ON(beat), TR_ON(late), TR_ON(reset),
             TR_ON(check), TR_ON(set_g), TR_ON(copy));
TR_CLASS(man, .start = &man_on);

struct token {
    int n;
};
TR_MESSAGE(token);
TR_PROTOCOL(node, token);
struct node {
    node_ref next;
    int seen;
};
TR_HANDLER(node, token)
{
    self->seen++;
    send(self->next, token, .n = msg->n + 1);
}
TR_BEHAVIOUR(node, on, TR_ON(token));
TR_CLASS(node, .start = &node_on);
