/* Two actors pass a ball to and fro without end, beside a heart that beats
 * every 100 ms: the ball is a bug, the heart is none. */
#include <troupe_short.h>

TR_SIGNAL(ball);
TR_SIGNAL(beat);
TR_PROTOCOL(player, ball);
TR_PROTOCOL(heart, beat);

struct player {
    player_ref other;
};
TR_HANDLER(player, ball)
{
    send(self->other ? self->other : sender_as(player), ball);
}
TR_BEHAVIOUR(player, open, TR_ON(ball, player_ball));
TR_CLASS(player, .start = &player_open);

struct heart {
    char none;
};
TR_INIT(heart)
{
    (void)self;
    every(100, me(heart), beat);
}
TR_HANDLER(heart, beat)
{
}
TR_BEHAVIOUR(heart, open, TR_ON(beat, heart_beat));
TR_CLASS(heart, .start = &heart_open, .init = heart_init_);

TR_TEST(a_ball_beside_a_heart, .max_steps = 100)
{
    player_ref p = spawn(player);
    player_ref q = spawn(player, .other = p);
    spawn(heart);
    send(q, ball);
}

TR_TEST(a_ball_alone, .max_steps = 100)
{
    player_ref p = spawn(player);
    player_ref q = spawn(player, .other = p);
    send(q, ball);
}
