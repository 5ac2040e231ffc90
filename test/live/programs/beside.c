/* Bodies that go on, and tests that end, beside timers of every(): in
 * production after any number of ticks.  Periods are long, so that on threads
 * few fire. */
#include <troupe_short.h>

TR_SIGNAL(go);
TR_SIGNAL(end);
TR_SIGNAL(tick);
TR_SIGNAL(beat);
TR_SIGNAL(early);
TR_SIGNAL(late);
struct answer {
    int n;
};
struct question {
    char none;
};
TR_REQUEST(question, answer);

TR_PROTOCOL(peer, beat, early, late);
struct peer {
    int log;
};
TR_HANDLER(peer, beat)
{
    self->log = self->log * 10 + 1;
}
TR_HANDLER(peer, early)
{
    self->log = self->log * 10 + 2;
}
TR_HANDLER(peer, late)
{
    self->log = self->log * 10 + 3;
}
TR_BEHAVIOUR(peer, open, TR_ON(beat), TR_ON(early), TR_ON(late));
TR_CLASS(peer, .start = &peer_open);

TR_PROTOCOL(clock, go, end, tick, question);
TR_STATES(clock, new, old);
struct clock {
    peer_ref to;
    int ticks;
    tr_timer timer;
};
TR_HANDLER(clock, go)
{
    self->timer = every(150, me(clock), tick);
}
TR_HANDLER(clock, tick)
{
    self->ticks++;
    become(clock, old);
    if (self->to)
        send(self->to, beat);
}
TR_HANDLER(clock, end)
{
    cancel(self->timer);
    self->timer = 0;
}
TR_HANDLER(clock, question)
{
    reply(question, .n = self->ticks);
}
TR_BEHAVIOUR(clock, new, TR_ON(go), TR_ON(end), TR_ON(tick),
             TR_DEFER(question));
TR_BEHAVIOUR(clock, old, TR_ON(go), TR_ON(end), TR_ON(tick), TR_ON(question));
TR_CLASS(clock, .start = &clock_new);

TR_TEST(looks_and_sends)
{
    peer_ref p = spawn(peer);
    clock_ref c = spawn(clock, .to = p);
    send(c, go);
    drain();
    if (peek(clock, c)->ticks)
        send(p, late);
    else
        send(p, early);
    drain();
    send(c, end);
}
TR_TEST(two_clocks)
{
    peer_ref p = spawn(peer);
    clock_ref a = spawn(clock, .to = p), b = spawn(clock);
    send(a, go);
    send(b, go);
    drain();
    if (peek(clock, b)->ticks > peek(clock, a)->ticks)
        send(p, late);
}
/* The answer comes with the first tick, or later. */
TR_TEST(asks)
{
    peer_ref p = spawn(peer);
    clock_ref c = spawn(clock, .to = p);
    send(c, go);
    if (get(ask(c, question))->n == 1)
        send(p, early);
}
/* A timer that fires once is waited for. */
TR_TEST(once_and_again)
{
    peer_ref p = spawn(peer);
    clock_ref c = spawn(clock);
    send(c, go);
    send_after(1, p, late);
    drain();
    send(p, early);
}
/* The body's own. */
TR_TEST(of_the_body)
{
    peer_ref p = spawn(peer);
    tr_timer t = every(150, p, beat);
    drain();
    send(p, early);
    drain();
    cancel(t);
    send(p, late);
}
