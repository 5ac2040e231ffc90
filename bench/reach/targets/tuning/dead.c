/* Code that nothing runs, and fields that stay ordered. */
#include "troupe_short.h"
#include <assert.h>
#include <stdbool.h>

enum { TRACE = 0 };

TR_PROTOCOL(range, widen, reset, dump);
TR_PROTOCOL(front, widen, reset);
struct widen {
    int to;
};
TR_MESSAGE(widen);
TR_SIGNAL(reset);
TR_SIGNAL(dump);

struct range {
    int low, high;
    bool traced;
    int seen;
};
TR_HANDLER(range, widen)
{
    if (msg->to < self->low)
        self->low = msg->to;
    if (msg->to > self->high)
        self->high = msg->to;
    assert(self->low <= self->high); // TARGET ordered: impossible, each moves away from the other
    if (self->traced)
        self->seen = 1; // TARGET traced: impossible, traced is never set
    if (self->low == -40 && self->high == 77)
        self->seen = 2; // TARGET wide: reachable
}
TR_HANDLER(range, reset)
{
    self->low = self->high = 0;
}
TR_HANDLER(range, dump)
{
    self->seen = 3; // TARGET dump: impossible, nobody sends dump
}
TR_BEHAVIOUR(range, open, TR_ON(widen, range_widen), TR_ON(reset, range_reset),
             TR_ON(dump, range_dump));
TR_CLASS(range, .start = &range_open);

struct front {
    range_ref range;
};
TR_HANDLER(front, widen)
{
    forward(self->range, widen);
}
TR_HANDLER(front, reset)
{
    forward(self->range, reset);
}
TR_BEHAVIOUR(front, open, TR_ON(widen, front_widen), TR_ON(reset, front_reset));
TR_CLASS(front, .start = &front_open);

static front_ref build(tr_ctx *ctx)
{
    range_ref range = spawn(range, .traced = TRACE);
    return spawn(front, .range = range);
}
TR_SYSTEM(plot)
{
    front_ref front = build(ctx);
    expose(front);
}
TR_TEST(wide)
{
    front_ref front = build(ctx);
    send(front, widen, .to = -40);
    send(front, widen, .to = 77);
    drain();
}
