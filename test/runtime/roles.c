// Stateless classes, the sender as one of a class, receptionists under given
// names: alike under every manager.
#include <stdio.h>
#include "test.h"
#include "troupe_short.h"

struct ball {
    int n;
};
TR_MESSAGE(ball);
TR_PROTOCOL(wall, ball);
TR_PROTOCOL(player, ball);

TR_STATELESS(wall);
TR_HANDLER(wall, ball)
{
    send(sender_as(player), ball, .n = msg->n + 1);
}
TR_BEHAVIOUR(wall, up, TR_ON(ball, wall_ball));
TR_CLASS(wall, .start = &wall_up);

struct player {
    wall_ref wall;
    int caught;
};
TR_HANDLER(player, ball)
{
    self->caught = msg->n;
    if (msg->n < 10)
        send(self->wall, ball, .n = msg->n);
}
TR_BEHAVIOUR(player, on, TR_ON(ball, player_ball));
TR_CLASS(player, .start = &player_on);

TR_SYSTEM(court)
{
    wall_ref wall = spawn(wall);
    for (int i = 0; i < 3; i++) {
        char name[20];
        player_ref p = spawn(player, .wall = wall);
        snprintf(name, sizeof name, "player %d", i);
        expose_as(p, name);
        send(p, ball, .n = i);
    }
    expose_as(wall, "the wall");
}

static void play(const tr_manager *manager)
{
    tr_runtime *r;
    CHECK_EQ(tr_start(&r, court, .manager = manager, .threads = 2), 0);
    CHECK_EQ(tr_wait(r), 0);
    tr_ctx *ctx = tr_enter(r);
    for (int i = 0; i < 3; i++) {
        char name[20];
        snprintf(name, sizeof name, "player %d", i);
        player_ref p = receptionist(player, name);
        CHECK(p != NULL);
        CHECK_EQ(peek(player, p)->caught, 10);
    }
    CHECK(receptionist(wall, "the wall") != NULL);
    CHECK(receptionist(wall, "wall") == NULL);
    CHECK(receptionist(player, "player 3") == NULL);
    tr_leave(ctx);
    tr_end(r);
}

TEST(on_threads)
{
    play(&tr_threads);
}
TEST(on_one_thread)
{
    play(&tr_single);
    play(&tr_random);
}

TEST_MAIN()
