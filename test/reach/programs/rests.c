/* A timer that ticks for ever, and two that fire once beside it. */
#include "troupe_short.h"
#include <stdbool.h>

TR_PROTOCOL(alarm, arm, tick, pulse, fire, off);
TR_SIGNAL(arm);
TR_SIGNAL(tick);
TR_SIGNAL(pulse);
TR_SIGNAL(fire);
TR_SIGNAL(off);

struct alarm {
    bool armed, fired;
    int seen;
};

TR_HANDLER(alarm, arm)
{
    if (self->armed)
        return;
    self->armed = true;
    send_after(50, me(alarm), fire);
    send_after(20, me(alarm), pulse);
    every(10, me(alarm), tick);
}

TR_HANDLER(alarm, tick)
{
}

TR_HANDLER(alarm, pulse)
{
    if (self->fired)
        self->seen = 2;
}

TR_HANDLER(alarm, fire)
{
    self->fired = true;
}

TR_HANDLER(alarm, off)
{
    if (self->fired)
        self->seen = 1; // off after the fire
}

TR_BEHAVIOUR(alarm, open, TR_ON(arm), TR_ON(tick), TR_ON(pulse), TR_ON(fire),
             TR_ON(off));
TR_CLASS(alarm, .start = &alarm_open);

TR_PROTOCOL(desk, arm, off);
struct desk {
    alarm_ref alarm;
};

TR_HANDLER(desk, arm)
{
    forward(self->alarm, arm);
}

TR_HANDLER(desk, off)
{
    forward(self->alarm, off);
}

TR_BEHAVIOUR(desk, open, TR_ON(arm), TR_ON(off));
TR_CLASS(desk, .start = &desk_open);

TR_SYSTEM(house)
{
    alarm_ref alarm = spawn(alarm);
    desk_ref desk = spawn(desk, .alarm = alarm);
    expose(desk);
}
