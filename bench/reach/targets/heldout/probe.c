/* Floats: an average, a division, an exponent that is kept small. */
#include "troupe_short.h"
#include <math.h>

TR_PROTOCOL(probe, reading, scale);
struct reading {
    float x;
};
TR_MESSAGE(reading);
struct scale {
    int by;
};
TR_MESSAGE(scale);

struct probe {
    double total;
    int n, exponent, seen;
};
TR_HANDLER(probe, reading)
{
    if (isnan(msg->x) || fabsf(msg->x) > 100)
        return;
    if (msg->x > 100.5f)
        self->seen = 1; // TARGET beyond: impossible, readings over 100 are left out
    self->total += msg->x;
    self->n++;
    if (self->n == 3 && self->total / self->n == 12.5)
        self->seen = 2; // TARGET average: reachable
    if (msg->x != 0 && 1 / msg->x == 0.0625f)
        self->seen = 3; // TARGET inverse: reachable
}
TR_HANDLER(probe, scale)
{
    if (msg->by < -4 || msg->by > 4)
        return;
    self->exponent = msg->by;
    if (self->exponent > 4 || self->exponent < -4)
        self->seen = 4; // TARGET exponent: impossible, it was tested
}
TR_BEHAVIOUR(probe, open, TR_ON(reading, probe_reading),
             TR_ON(scale, probe_scale));
TR_CLASS(probe, .start = &probe_open);

TR_SYSTEM(lab)
{
    probe_ref probe = spawn(probe);
    expose(probe);
}
TR_TEST(average)
{
    probe_ref probe = spawn(probe);
    send(probe, reading, .x = 10);
    send(probe, reading, .x = 20);
    send(probe, reading, .x = 7.5f);
    drain();
}
TR_TEST(inverse)
{
    probe_ref probe = spawn(probe);
    send(probe, reading, .x = 16);
    drain();
}
