/* Floats: a product that must be exact, a sum over messages, a clamped field. */
#include "troupe_short.h"

TR_PROTOCOL(mixer, level, gain);
struct level {
    double x;
};
TR_MESSAGE(level);
struct gain {
    double x;
};
TR_MESSAGE(gain);

struct mixer {
    double sum, gain;
    int seen;
};

TR_HANDLER(mixer, level)
{
    if (msg->x > 0.1 && msg->x * 10 == 1.5)
        self->seen = 1; // TARGET product: reachable
    if (!(msg->x >= 0 && msg->x <= 1))
        return;
    self->sum += msg->x;
    if (self->sum > 1.74 && self->sum < 1.76)
        self->seen = 2; // TARGET sum: reachable
}

TR_HANDLER(mixer, gain)
{
    if (msg->x >= 0 && msg->x <= 1)
        self->gain = msg->x;
    if (self->gain > 1.5)
        self->seen = 3; // TARGET clamped: impossible, gain is kept from 0 to 1
}
TR_BEHAVIOUR(mixer, open, TR_ON(level, mixer_level), TR_ON(gain, mixer_gain));
TR_CLASS(mixer, .start = &mixer_open);

TR_SYSTEM(desk)
{
    mixer_ref mixer = spawn(mixer, .gain = 0.5);
    expose(mixer);
}

TR_TEST(product)
{
    mixer_ref mixer = spawn(mixer);
    send(mixer, level, .x = 0.15);
    drain();
}
TR_TEST(sum)
{
    mixer_ref mixer = spawn(mixer);
    send(mixer, level, .x = 1);
    send(mixer, level, .x = 0.75);
    drain();
}
