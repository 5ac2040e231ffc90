/* What follows from more than one handler.  Lines marked "dead" nobody reaches,
 * those marked "live" somebody does. */
#include "troupe_short.h"

TR_PROTOCOL(front, go, count);
TR_PROTOCOL(lift, call, step, put, pop, sum);
TR_PROTOCOL(chief, begin, done, nudge);
TR_PROTOCOL(hand, meet, job, wake, tick);
TR_SIGNAL(go);
TR_SIGNAL(count);
TR_SIGNAL(begin);
TR_SIGNAL(nudge);
struct done {
    int n;
};
TR_MESSAGE(done);
struct meet {
    chief_ref chief;
    int base;
};
TR_MESSAGE(meet);
struct job {
    int n;
};
TR_MESSAGE(job);
TR_SIGNAL(wake);
TR_SIGNAL(tick);

struct hand {
    chief_ref chief;
    int base, jobs, ticks, seen;
};
TR_HANDLER(hand, meet)
{
    self->chief = msg->chief;
    self->base = msg->base;
}
TR_HANDLER(hand, job)
{
    if (msg->n < 1 || msg->n > 3)
        self->seen = 1; /* dead: the numbers of a loop that sends */
    if (msg->n == 3 && self->jobs == 2)
        self->seen = 2; /* live: the third */
    if (self->base != 100)
        self->seen = 5; /* dead: meet comes before on the same channel */
    self->jobs++;
    if (self->chief)
        send(self->chief, done, .n = msg->n);
}
TR_HANDLER(hand, wake)
{
    await_until(self->ticks >= 3);
    if (self->ticks < 3)
        self->seen = 3; /* dead: that was awaited */
    if (self->ticks == 3)
        self->seen = 4; /* live: at the third */
    self->ticks = 0;
}
TR_HANDLER(hand, tick)
{
    self->ticks++;
    if (self->base != 100)
        self->seen = 6; /* live: the tick of the setup */
}
TR_BEHAVIOUR(hand, open, TR_ON(meet, hand_meet), TR_ON(job, hand_job),
             TR_ON(wake, hand_wake), TR_ON(tick, hand_tick));
TR_CLASS(hand, .start = &hand_open);

struct chief {
    hand_ref hand;
    int begun, late, sum, seen;
};
TR_HANDLER(chief, begin)
{
    if (self->begun)
        return;
    self->begun = 1;
    self->hand = spawn(hand);
    send(self->hand, meet, .chief = me(chief), .base = 100);
    for (int i = 1; i <= 3; i++)
        send(self->hand, job, .n = i);
    send(self->hand, wake);
    await_until(self->sum >= 3);
    self->late = 1;
}
TR_HANDLER(chief, done)
{
    if (!self->begun)
        self->seen = 1; /* dead: all began with begin */
    if (!self->late)
        self->seen = 2; /* live: begin still waits */
    self->sum += msg->n;
    if (self->sum == 6 && self->hand)
        for (int i = 0; i < 5; i++)
            send(self->hand, tick);
}
TR_HANDLER(chief, nudge)
{
    self->seen = 3; /* live: its sender waits for ever */
}
TR_BEHAVIOUR(chief, open, TR_ON(begin, chief_begin), TR_ON(done, chief_done),
             TR_ON(nudge, chief_nudge));
TR_CLASS(chief, .start = &chief_open);

struct front {
    chief_ref chief;
    int seen;
};
TR_HANDLER(front, go)
{
    send(self->chief, begin);
}
TR_HANDLER(front, count)
{
    send(self->chief, nudge);
    await_until(self->seen < 0 && self->seen > 0);
}
TR_BEHAVIOUR(front, open, TR_ON(go, front_go), TR_ON(count, front_count));
TR_CLASS(front, .start = &front_open);

/* A lift: its way tells on which side of its goal it is. */
struct call {
    int floor;
};
TR_MESSAGE(call);
TR_SIGNAL(step);
struct put {
    int n, v;
};
TR_MESSAGE(put);
TR_SIGNAL(pop);
struct sum {
    unsigned n;
};
TR_MESSAGE(sum);
struct lift {
    int at, to, way, seen;
    int used[4], top, turns, calls;
};
TR_HANDLER(lift, call)
{
    if (msg->floor < 0 || msg->floor > 7)
        return;
    self->to = msg->floor;
    self->way = self->to > self->at ? 1 : self->to < self->at ? -1 : 0;
    self->calls = 50;
}
TR_HANDLER(lift, step)
{
    self->at += self->way;
    if (self->at == self->to)
        self->way = 0;
    if (self->at > 7)
        self->seen = 1; /* dead: the goal is met before */
    if (self->at == 7 && self->way)
        self->seen = 2; /* dead: nor on the way there */
}
TR_HANDLER(lift, put)
{
    if (msg->v <= 0)
        return;
    for (int i = 0; i < msg->n && self->top < 4; i++)
        self->used[self->top++] = msg->v;
    if (self->top > 4)
        self->seen = 3; /* dead: the loop ends at four */
    if (self->top == 4)
        self->seen = 4; /* live: filled by a loop */
}
TR_HANDLER(lift, pop)
{
    if (!self->top)
        return;
    self->top--;
    if (self->used[self->top] <= 0)
        self->seen = 5; /* dead: what is in use is above zero */
    if (self->calls > 99)
        self->seen = 9; /* dead: beside a loop */
    if (self->used[0] == 9)
        self->seen = 6; /* live: the first */
}
static unsigned fib(unsigned n)
{
    return n < 2 ? n : fib(n - 1) + fib(n - 2);
}
TR_HANDLER(lift, sum)
{
    self->turns = (int)(fib(msg->n % 8) % 10);
    self->calls = 0;
    for (unsigned i = 0; i < msg->n; i++)
        self->calls += 1;
    self->calls = self->calls < 0 ? 0 : self->calls % 50;
    if (self->turns > 9)
        self->seen = 7; /* dead: behind recursion */
    if (self->turns == 3)
        self->seen = 8; /* live: 13 of 7 */
}
TR_BEHAVIOUR(lift, open, TR_ON(call, lift_call), TR_ON(step, lift_step),
             TR_ON(put, lift_put), TR_ON(pop, lift_pop), TR_ON(sum, lift_sum));
TR_CLASS(lift, .start = &lift_open);

TR_SYSTEM(works)
{
    chief_ref chief = spawn(chief);
    hand_ref other = spawn(hand);
    send(other, tick);
    front_ref front = spawn(front, .chief = chief);
    lift_ref lift = spawn(lift);
    expose(front);
    expose(lift);
}
