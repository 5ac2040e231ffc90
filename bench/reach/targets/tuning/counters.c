/* Counters: many messages, two that work against each other, and what moves by
 * the same amount or in steps. */
#include "troupe_short.h"
#include <stdint.h>

TR_PROTOCOL(gate, in, out, pulse);
TR_SIGNAL(in);
TR_SIGNAL(out);
TR_SIGNAL(pulse);

struct gate {
    uint32_t inside, passed, pulses, even;
    int seen;
};

TR_HANDLER(gate, in)
{
    self->inside++;
    self->passed++;
    if (self->inside == 7 && self->passed == 20)
        self->seen = 1; // TARGET against: reachable
}
TR_HANDLER(gate, out)
{
    if (self->inside)
        self->inside--;
}
TR_HANDLER(gate, pulse)
{
    self->pulses++;
    self->even += 2;
    if (self->pulses == 500)
        self->seen = 2; // TARGET many: reachable
    if (self->even % 2)
        self->seen = 3; // TARGET odd: impossible, it grows by 2 from 0
    if (self->even != 2 * self->pulses)
        self->seen = 4; // TARGET together: impossible, both grow at once
}
TR_BEHAVIOUR(gate, open, TR_ON(in, gate_in), TR_ON(out, gate_out),
             TR_ON(pulse, gate_pulse));
TR_CLASS(gate, .start = &gate_open);

TR_SYSTEM(park)
{
    gate_ref gate = spawn(gate);
    expose(gate);
}

TR_TEST(against)
{
    gate_ref gate = spawn(gate);
    for (int i = 0; i < 19; i++)
        send(gate, in);
    for (int i = 0; i < 13; i++)
        send(gate, out);
    send(gate, in);
    drain();
}
TR_TEST(many)
{
    gate_ref gate = spawn(gate);
    for (int i = 0; i < 500; i++)
        send(gate, pulse);
    drain();
}
