/* Timers that are set again and again, in many ways.  Nothing here is wrong,
 * and each test is explored within the bound on ticks. */
#include <troupe_short.h>

#include <assert.h>

TR_SIGNAL(go);
TR_SIGNAL(end);
TR_SIGNAL(tick);
TR_SIGNAL(tock);
TR_SIGNAL(pong);
struct ping {
    char none;
};
struct answer {
    int n;
};
TR_REQUEST(ping, answer);
struct hello {
    tr_ref from;
};
TR_MESSAGE(hello);

/* ---- who answers -------------------------------------------------------- */

TR_PROTOCOL(peer, ping, hello, tick);
struct peer {
    int n;
};
TR_HANDLER(peer, ping)
{
    reply(ping, .n = ++self->n);
}
TR_HANDLER(peer, hello)
{
    tr_send_any(ctx, msg->from, pong);
}
TR_HANDLER(peer, tick)
{
    self->n++;
}
TR_BEHAVIOUR(peer, open, TR_ON(ping, peer_ping), TR_ON(hello, peer_hello),
             TR_ON(tick, peer_tick));
TR_CLASS(peer, .start = &peer_open);

/* One that never answers. */
TR_PROTOCOL(deaf, ping);
struct deaf {
    int heard;
};
TR_HANDLER(deaf, ping)
{
    self->heard++;
}
TR_BEHAVIOUR(deaf, open, TR_ON(ping, deaf_ping));
TR_CLASS(deaf, .start = &deaf_open);

/* ---- set again in the handler, by hand ---------------------------------- */

TR_PROTOCOL(heart, go, end, tick, tock, pong);
enum way { AT_ONCE, AFTER_A_REPLY, WHEN_ANSWERED, IN_TURN, TIRED };
struct heart {
    enum way way;
    peer_ref peer;
    int beats;
    bool over;
};

TR_HANDLER(heart, go)
{
    send_after(100, me(heart), tick);
}
TR_HANDLER(heart, tick)
{
    self->beats += self->way == TIRED;
    if (self->way == AFTER_A_REPLY)
        await(ask(self->peer, ping));
    if (self->over || (self->way == TIRED && self->beats == 2))
        return;
    if (self->way == WHEN_ANSWERED)
        send(self->peer, hello, .from = (tr_ref)me(heart));
    else if (self->way == IN_TURN)
        send_after(50, me(heart), tock);
    else
        send_after(100, me(heart), tick);
}
TR_HANDLER(heart, tock)
{
    send_after(100, me(heart), tick);
}
TR_HANDLER(heart, pong)
{
    send_after(100, me(heart), tick);
}
TR_HANDLER(heart, end)
{
    self->over = true;
}
TR_BEHAVIOUR(heart, open, TR_ON(go, heart_go), TR_ON(end, heart_end),
             TR_ON(tick, heart_tick), TR_ON(tock, heart_tock),
             TR_ON(pong, heart_pong));
TR_CLASS(heart, .start = &heart_open);

static void beat(tr_ctx *ctx, enum way way)
{
    heart_ref h = spawn(heart, .way = way, .peer = spawn(peer));
    send(h, go);
}

TR_TEST(again_at_once)
{
    beat(ctx, AT_ONCE);
}
TR_TEST(again_after_a_reply)
{
    beat(ctx, AFTER_A_REPLY);
}
TR_TEST(again_when_answered)
{
    beat(ctx, WHEN_ANSWERED);
}
TR_TEST(two_in_turn)
{
    beat(ctx, IN_TURN);
}

/* What ends by itself, within the bound, is not cut. */
TR_TEST(a_tired_heart)
{
    heart_ref h = spawn(heart, .way = TIRED);
    send(h, go);
    drain();
    assert(peek(heart, h)->beats == 2);
}

/* drain would wait for ever: what follows is never reached. */
TR_TEST(nobody_waits_for_it)
{
    beat(ctx, AT_ONCE);
    drain();
    assert(false);
}

/* The timer may be as late as it likes, and the end comes at any time. */
TR_TEST(until_the_end)
{
    heart_ref h = spawn(heart);
    send(h, go);
    send(h, end);
}

/* ---- the limit of an ask, again and again ------------------------------- */

TR_PROTOCOL(stubborn, go);
struct stubborn {
    deaf_ref deaf;
    int tries;
};
TR_HANDLER(stubborn, go)
{
    do
        self->tries++;
    while (!get(ask_within(100, self->deaf, ping)));
}
TR_BEHAVIOUR(stubborn, open, TR_ON(go, stubborn_go));
TR_CLASS(stubborn, .start = &stubborn_open);

TR_TEST(an_ask_without_end)
{
    stubborn_ref s = spawn(stubborn, .deaf = spawn(deaf));
    send(s, go);
}

/* ---- every -------------------------------------------------------------- */

TR_PROTOCOL(clock, go, end, tick, tock);
struct clock {
    peer_ref to;
    int ticks, tocks;
    tr_timer timer;
    bool over;
};
TR_STATES(clock, open, shut);
TR_HANDLER(clock, go)
{
    if (self->over)
        return;
    self->timer =
        self->to ? every(100, self->to, tick) : every(100, me(clock), tick);
}
TR_HANDLER(clock, tick)
{
    assert(!self->over);
    self->ticks++;
}
TR_HANDLER(clock, tock)
{
    self->tocks++;
}
TR_HANDLER(clock, end)
{
    cancel(self->timer);
    self->timer = 0;
    self->over = true;
    become(clock, open);
}
TR_BEHAVIOUR(clock, open, TR_ON(go, clock_go), TR_ON(end, clock_end),
             TR_ON(tick, clock_tick), TR_ON(tock, clock_tock));
TR_BEHAVIOUR(clock, shut, TR_ON(go, clock_go), TR_ON(end, clock_end),
             TR_DEFER(tick), TR_ON(tock, clock_tock));
TR_CLASS(clock, .start = &clock_open);

TR_TEST(every_tick)
{
    clock_ref c = spawn(clock);
    send(c, go);
    drain();
    assert(peek(clock, c)->ticks <= 3);
}
TR_TEST(every_tick_elsewhere)
{
    peer_ref p = spawn(peer);
    clock_ref c = spawn(clock, .to = p);
    send(c, go);
    drain();
    assert(peek(peer, p)->n <= 3);
}
TR_TEST(none_after_cancel)
{
    clock_ref c = spawn(clock);
    send(c, go);
    send(c, end);
    drain();
    assert(peek(clock, c)->over);
}

/* The test body has timers, too. */
TR_TEST(every_tick_of_the_body)
{
    peer_ref p = spawn(peer);
    tr_timer t = every(100, p, tick);
    drain();
    cancel(t);
    drain();
    assert(peek(peer, p)->n <= 3);
}

/* get in a body drains: it goes on when the ticks are made. */
TR_TEST(a_body_that_asks)
{
    clock_ref c = spawn(clock);
    peer_ref p = spawn(peer);
    send(c, go);
    assert(get(ask(p, ping)));
    send(c, end);
}

/* Of ticks that are put off, one waits; cancel takes it away, too. */
TR_PROTOCOL(sleeper, go, tick, end);
struct sleeper {
    int ticks;
    tr_timer timer;
    bool over;
};
TR_STATES(sleeper, asleep, awake);
TR_HANDLER(sleeper, go)
{
    if (!self->over)
        self->timer = every(100, me(sleeper), tick);
}
TR_HANDLER(sleeper, tick)
{
    self->ticks++;
}
TR_HANDLER(sleeper, end)
{
    cancel(self->timer);
    self->over = true;
    become(sleeper, awake);
}
TR_BEHAVIOUR(sleeper, asleep, TR_ON(go, sleeper_go), TR_DEFER(tick),
             TR_ON(end, sleeper_end));
TR_BEHAVIOUR(sleeper, awake, TR_ON(go, sleeper_go), TR_ON(tick, sleeper_tick),
             TR_ON(end, sleeper_end));
TR_CLASS(sleeper, .start = &sleeper_asleep);

TR_TEST(one_tick_waits)
{
    sleeper_ref s = spawn(sleeper);
    send(s, go);
    send(s, end);
    drain();
    assert(peek(sleeper, s)->ticks == 0);
}

/* Two that are set together keep pace: the first comes first, also if the other
 * has a multiple of its period. */
TR_PROTOCOL(pair, go, tick, tock);
struct pair {
    int ticks, tocks, periods;
};
TR_HANDLER(pair, go)
{
    every(100, me(pair), tick);
    every((uint64_t)(100 * self->periods), me(pair), tock);
}
TR_HANDLER(pair, tick)
{
    self->ticks++;
}
TR_HANDLER(pair, tock)
{
    assert(++self->tocks <= self->ticks);
}
TR_BEHAVIOUR(pair, open, TR_ON(go, pair_go), TR_ON(tick, pair_tick),
             TR_ON(tock, pair_tock));
TR_CLASS(pair, .start = &pair_open);

TR_TEST(two_keep_pace)
{
    send(spawn(pair, .periods = 1), go);
    send(spawn(pair, .periods = 2), go);
}

/* A timer that is certainly due after more ticks than the bound does not fire
 * before them. */
TR_PROTOCOL(counter, go, tick, tock);
struct counter {
    int ticks;
};
TR_HANDLER(counter, go)
{
    every(100, me(counter), tick);
    send_after(1050, me(counter), tock);
}
TR_HANDLER(counter, tick)
{
    self->ticks++;
}
TR_HANDLER(counter, tock)
{
    assert(self->ticks >= 1);
    assert(self->ticks <= 10);
}
TR_BEHAVIOUR(counter, open, TR_ON(go, counter_go), TR_ON(tick, counter_tick),
             TR_ON(tock, counter_tock));
TR_CLASS(counter, .start = &counter_open);

TR_TEST(ticks_before_a_timer)
{
    counter_ref c = spawn(counter);
    send(c, go);
}

/* ---- somebody who waits for a tick -------------------------------------- */

/* The answer comes with the fifth tick: until then the ask is open, and the
 * asker looks again and again.  Neither is a bug. */
TR_SIGNAL(look);
TR_SIGNAL(no);
TR_SIGNAL(yes);
TR_PROTOCOL(late, go, look, tick);
TR_PROTOCOL(poller, go, no, yes);
struct late {
    poller_ref poller;
    int ticks;
};
struct poller {
    late_ref late;
    bool sure;
};
TR_HANDLER(late, go)
{
    every(100, me(late), tick);
}
TR_HANDLER(late, tick)
{
    if (self->ticks < 5)
        self->ticks++;
}
TR_HANDLER(late, look)
{
    if (self->ticks < 5)
        send(sender_as(poller), no);
    else
        send(sender_as(poller), yes);
}
TR_BEHAVIOUR(late, open, TR_ON(go, late_go), TR_ON(look, late_look),
             TR_ON(tick, late_tick));
TR_CLASS(late, .start = &late_open);
TR_HANDLER(poller, go)
{
    send(self->late, look);
}
TR_HANDLER(poller, no)
{
    send(self->late, look);
}
TR_HANDLER(poller, yes)
{
    self->sure = true;
}
TR_BEHAVIOUR(poller, open, TR_ON(go, poller_go), TR_ON(no, poller_no),
             TR_ON(yes, poller_yes));
TR_CLASS(poller, .start = &poller_open);

TR_TEST(a_late_answer, .max_steps = 200, .tags = "long")
{
    late_ref l = spawn(late);
    poller_ref p = spawn(poller, .late = l);
    send(l, go);
    send(p, go);
}
