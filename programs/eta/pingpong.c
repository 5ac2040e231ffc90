/* Two players, two balls: PingPong(n) of the Eta paper.
 *
 * The test serves each player one ping that names the other as partner.  A
 * player plays each of its first n pings back to the partner.  No two orders
 * differ for any player: there is one class.
 *
 * Parameter n: pings a player answers (10).  Schedules under mailbox: n = 10:
 * 2,048, n = 15: 65,536.
 */
#include "troupe_short.h"

TR_PROTOCOL(player, ping);

struct ping {
    player_ref partner; /* who gets the answer */
};
TR_MESSAGE(ping);

struct player {
    int n; /* pings to answer */
    int received;
};

TR_HANDLER(player, ping)
{
    self->received++;
    if (self->received <= self->n)
        send(msg->partner, ping, .partner = me(player));
}

TR_BEHAVIOUR(player, playing, TR_ON(ping, player_ping));
TR_CLASS(player, .start = &player_playing);

TR_TEST(pingpong)
{
    int n = (int)param("n", 10);
    player_ref a = spawn(player, .n = n);
    player_ref b = spawn(player, .n = n);
    send(a, ping, .partner = b);
    send(b, ping, .partner = a);
}
