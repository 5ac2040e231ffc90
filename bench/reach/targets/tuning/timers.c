/* Timers: one that fires before it is cancelled, one that never does. */
#include "troupe_short.h"

TR_PROTOCOL(alarm, ring, boom);
TR_PROTOCOL(keeper, arm, disarm, tick);
TR_SIGNAL(ring);
TR_SIGNAL(boom);
TR_SIGNAL(arm);
TR_SIGNAL(disarm);
TR_SIGNAL(tick);

struct alarm {
    int rings;
};
TR_HANDLER(alarm, ring)
{
    if (++self->rings == 2)
        self->rings = 0; // TARGET twice: reachable
}
TR_HANDLER(alarm, boom)
{
    self->rings = -1; // TARGET cancelled: impossible, its timer is cancelled at once
}
TR_BEHAVIOUR(alarm, open, TR_ON(ring, alarm_ring), TR_ON(boom, alarm_boom));
TR_CLASS(alarm, .start = &alarm_open);

struct keeper {
    alarm_ref alarm;
    tr_timer timer;
};
TR_HANDLER(keeper, arm)
{
    self->timer = send_after(100, self->alarm, ring);
    tr_timer never = send_after(200, self->alarm, boom);
    cancel(never);
}
TR_HANDLER(keeper, disarm)
{
    cancel(self->timer);
}
TR_HANDLER(keeper, tick)
{
    self->timer = 0;
}
TR_BEHAVIOUR(keeper, open, TR_ON(arm, keeper_arm), TR_ON(disarm, keeper_disarm),
             TR_ON(tick, keeper_tick));
TR_CLASS(keeper, .start = &keeper_open);

static keeper_ref build(tr_ctx *ctx)
{
    alarm_ref alarm = spawn(alarm);
    return spawn(keeper, .alarm = alarm);
}
TR_SYSTEM(house)
{
    keeper_ref keeper = build(ctx);
    expose(keeper);
}
TR_TEST(twice)
{
    keeper_ref keeper = build(ctx);
    send(keeper, arm);
    send(keeper, arm);
    drain();
}
