/* Become, with a count of logins, and a timer that guards them. */
#include "troupe_short.h"
#include <stdbool.h>

TR_PROTOCOL(door, login, logout, work, expire);
TR_PROTOCOL(user, login, logout, work);
struct login {
    int code;
};
TR_MESSAGE(login);
TR_SIGNAL(logout);
struct work {
    int n;
};
TR_MESSAGE(work);
TR_SIGNAL(expire);

TR_STATES(door, shut, open, barred);
struct door {
    int fails, done, seen;
    tr_timer timer;
};
TR_HANDLER(door, login)
{
    if (msg->code == 4242) {
        self->fails = 0;
        self->timer = send_after(1000, me(door), expire);
        become(door, open);
    } else if (++self->fails == 3) {
        become(door, barred);
    }
    if (self->fails > 3)
        self->seen = 1; // TARGET fourth: impossible, the door is barred at three
}
TR_HANDLER(door, work)
{
    self->done++;
    if (self->fails)
        self->seen = 2; // TARGET failed: impossible, fails is 0 while open
    if (self->done == 3 && msg->n == 77)
        self->seen = 3; // TARGET worked: reachable
}
TR_HANDLER(door, logout)
{
    cancel(self->timer);
    become(door, shut);
}
TR_HANDLER(door, expire)
{
    if (self->done)
        self->seen = 4; // TARGET expired: reachable
    become(door, shut);
}
TR_HANDLER_AS(door_barred_login, door, login)
{
    if (msg->code == 4242 && self->fails == 3)
        self->seen = 5; // TARGET barred: reachable
}
TR_BEHAVIOUR(door, shut, TR_ON(login, door_login), TR_IGNORE(work),
             TR_IGNORE(logout), TR_IGNORE(expire));
TR_BEHAVIOUR(door, open, TR_IGNORE(login), TR_ON(work, door_work),
             TR_ON(logout, door_logout), TR_ON(expire, door_expire));
TR_BEHAVIOUR(door, barred, TR_ON(login, door_barred_login), TR_IGNORE(work),
             TR_IGNORE(logout), TR_IGNORE(expire));
TR_CLASS(door, .start = &door_shut);

struct user {
    door_ref door;
};
TR_HANDLER(user, login)
{
    forward(self->door, login);
}
TR_HANDLER(user, logout)
{
    forward(self->door, logout);
}
TR_HANDLER(user, work)
{
    forward(self->door, work);
}
TR_BEHAVIOUR(user, open, TR_ON(login, user_login), TR_ON(logout, user_logout),
             TR_ON(work, user_work));
TR_CLASS(user, .start = &user_open);

static user_ref build(tr_ctx *ctx)
{
    door_ref door = spawn(door);
    return spawn(user, .door = door);
}
TR_SYSTEM(house)
{
    user_ref user = build(ctx);
    expose(user);
}
TR_TEST(worked)
{
    user_ref user = build(ctx);
    send(user, login, .code = 4242);
    for (int i = 0; i < 3; i++)
        send(user, work, .n = 77);
    drain();
}
TR_TEST(expired)
{
    user_ref user = build(ctx);
    send(user, login, .code = 4242);
    send(user, work);
    drain();
}
TR_TEST(barred)
{
    user_ref user = build(ctx);
    for (int i = 0; i < 3; i++)
        send(user, login);
    send(user, login, .code = 4242);
    drain();
}
