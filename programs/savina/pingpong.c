/* PingPong (PP): two actors exchange a fixed number of pings and answers.
 *
 * The driver sends start to ping, which sends send_ping to pong and counts
 * down.  Pong answers send_pong; while pings are left, ping ticks itself and
 * sends the next, and after the last it stops pong and itself.
 *
 * Entry point: ping.  Parameter n: pings (40000; in the test 2).
 * Expected: pong counts max(1, n) pings, both stop, nothing is lost; one
 * token, so there is a single execution.
 * Known defects: none, in any model.
 */
#include "savina.h"

TR_PROTOCOL(ping, start, tick, send_pong);
TR_PROTOCOL(pong, send_ping, stop);

TR_SIGNAL(start);
TR_SIGNAL(tick);
struct send_ping {
    ping_ref from;
};
TR_MESSAGE(send_ping);
struct send_pong {
    pong_ref from;
};
TR_MESSAGE(send_pong);
TR_SIGNAL(stop);

struct ping {
    int left;
    pong_ref pong;
};

static void serve(tr_ctx *ctx, struct ping *self)
{
    send(self->pong, send_ping, .from = me(ping));
    self->left--;
}

TR_HANDLER(ping, start)
{
    serve(ctx, self); /* [1] */
}

TR_HANDLER(ping, tick)
{
    serve(ctx, self); /* [2] */
}

TR_HANDLER(ping, send_pong)
{
    if (self->left > 0) { /* [3] */
        send(me(ping), tick);
    } else { /* [4] */
        send(self->pong, stop);
        stop();
    }
}

TR_BEHAVIOUR(ping, playing, TR_ON(start, ping_start), TR_ON(tick, ping_tick),
             TR_ON(send_pong, ping_send_pong));
TR_CLASS(ping, .start = &ping_playing);
TR_HOT(ping, playing);

struct pong {
    int expected, count;
};

TR_HANDLER(pong, send_ping)
{
    send(msg->from, send_pong, .from = me(pong)); /* [5] */
    self->count++;
}

TR_HANDLER(pong, stop)
{
    assert(self->count == self->expected); /* [6] */
    result("%d pings", self->count);
    stop();
}

TR_BEHAVIOUR(pong, playing, TR_ON(send_ping, pong_send_ping),
             TR_ON(stop, pong_stop));
TR_CLASS(pong, .start = &pong_playing);
TR_HOT(pong, playing);

static ping_ref make(tr_ctx *ctx, int n)
{
    pong_ref pong = spawn(pong, .expected = n < 1 ? 1 : n);
    return spawn(ping, .left = n, .pong = pong);
}

TR_SYSTEM(savina)
{
    ping_ref ping = make(ctx, (int)param("n", 40000));
    expose(ping);
    if (starts())
        send(ping, start);
}

TR_TEST(pingpong)
{
    ping_ref ping = make(ctx, (int)param("n", 2));
    send(ping, start);
    drain();
}
