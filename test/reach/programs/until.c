/* A handler that waits for its own state. */
#include "troupe_short.h"
TR_PROTOCOL(gate, enter, open_it, tick);
struct enter {
    int n;
};
TR_MESSAGE(enter);
struct open_it {
    int key;
};
TR_MESSAGE(open_it);
TR_SIGNAL(tick);
struct gate {
    int open, ticks, seen;
};
TR_HANDLER(gate, enter)
{
    int before = self->ticks;
    await_until(self->open == 42);
    if (self->ticks == before + 1 && msg->n == 9)
        self->seen = 1; // until
}
TR_HANDLER(gate, open_it)
{
    self->open = msg->key;
}
TR_HANDLER(gate, tick)
{
    self->ticks++;
}
TR_BEHAVIOUR(gate, up, TR_ON(enter, gate_enter), TR_ON(open_it, gate_open_it),
             TR_ON(tick, gate_tick));
TR_CLASS(gate, .start = &gate_up);
TR_SYSTEM(sys)
{
    gate_ref g = spawn(gate);
    expose(g);
}
