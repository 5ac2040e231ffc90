// Ping-pong: two actors, one message to and fro, a times.
#include "bench.h"

TR_PROTOCOL(player, ball);
struct ball {
    player_ref from;
    int64_t left;
};
TR_MESSAGE(ball);

struct player {
    int64_t hits;
};
TR_HANDLER(player, ball)
{
    self->hits++;
    if (msg->left > 0)
        send(msg->from, ball, .from = me(player), .left = msg->left - 1);
}
TR_BEHAVIOUR(player, on, TR_ON(ball, player_ball));
TR_CLASS(player, .start = &player_on);

TR_SYSTEM(pingpong)
{
    player_ref a = spawn(player), b = spawn(player);
    send(a, ball, .from = b, .left = 2 * param("a", 0) - 1);
}

BENCH_MAIN("pingpong", pingpong, 1000000, 0, 2 * a)
