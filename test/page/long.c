// Ten thousand steps, the last of which fails.
#include <assert.h>
#include <troupe_short.h>

struct ball {
    int n;
};
TR_MESSAGE(ball);
TR_PROTOCOL(player, ball);
struct player {
    player_ref other;
    int hits;
};
TR_HANDLER(player, ball)
{
    self->hits++;
    assert(msg->n < 9990);
    send(self->other ? self->other : sender_as(player), ball, .n = msg->n + 1);
}
TR_BEHAVIOUR(player, open, TR_ON(ball, player_ball));
TR_CLASS(player, .start = &player_open);

TR_TEST(long_rally)
{
    player_ref a = spawn(player);
    player_ref b = spawn(player, .other = a);
    send(b, ball);
}
