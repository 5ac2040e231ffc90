/* Behaviours: a lock with a code, and a flag that one behaviour always finds. */
#include "troupe_short.h"
#include <stdbool.h>

TR_PROTOCOL(lock, digit, shut, look);
struct digit {
    int d;
};
TR_MESSAGE(digit);
TR_SIGNAL(shut);
TR_SIGNAL(look);

TR_STATES(lock, locked, one, two, open, sealed);
struct lock {
    bool opened;
    int seen;
};

TR_HANDLER_AS(lock_first, lock, digit)
{
    if (msg->d == 3)
        become(lock, one);
}
TR_HANDLER_AS(lock_second, lock, digit)
{
    if (msg->d == 14)
        become(lock, two);
    else
        become(lock, locked);
}
TR_HANDLER_AS(lock_third, lock, digit)
{
    if (msg->d != 15) {
        become(lock, locked);
        return;
    }
    self->opened = true; // TARGET code: reachable
    become(lock, open);
}
TR_HANDLER(lock, shut)
{
    become(lock, sealed);
}
TR_HANDLER(lock, look)
{
    if (!self->opened)
        self->seen = 1; // TARGET sealed: impossible, sealed comes after open
    else
        self->seen = 2; // TARGET after: reachable
}
TR_BEHAVIOUR(lock, locked, TR_ON(digit, lock_first), TR_IGNORE(shut),
             TR_IGNORE(look));
TR_BEHAVIOUR(lock, one, TR_ON(digit, lock_second), TR_IGNORE(shut),
             TR_IGNORE(look));
TR_BEHAVIOUR(lock, two, TR_ON(digit, lock_third), TR_IGNORE(shut),
             TR_IGNORE(look));
TR_BEHAVIOUR(lock, open, TR_IGNORE(digit), TR_ON(shut, lock_shut),
             TR_IGNORE(look));
TR_BEHAVIOUR(lock, sealed, TR_IGNORE(digit), TR_IGNORE(shut),
             TR_ON(look, lock_look));
TR_CLASS(lock, .start = &lock_locked);

TR_SYSTEM(door)
{
    lock_ref lock = spawn(lock);
    expose(lock);
}

static void type_code(tr_ctx *ctx, lock_ref lock)
{
    send(lock, digit, .d = 3);
    send(lock, digit, .d = 14);
    send(lock, digit, .d = 15);
}
TR_TEST(code)
{
    lock_ref lock = spawn(lock);
    type_code(ctx, lock);
    drain();
}
TR_TEST(after)
{
    lock_ref lock = spawn(lock);
    type_code(ctx, lock);
    send(lock, shut);
    send(lock, look);
    drain();
}
