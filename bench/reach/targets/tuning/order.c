/* The order of receives: two routes may overtake, one channel may not. */
#include "troupe_short.h"
#include <stdbool.h>

TR_PROTOCOL(sink, early, late);
TR_PROTOCOL(relay, early);
TR_PROTOCOL(source, begin, begin_both);
TR_SIGNAL(early);
TR_SIGNAL(late);
TR_SIGNAL(begin);
TR_SIGNAL(begin_both);

struct sink {
    bool early, strict;
    int seen;
};
TR_HANDLER(sink, early)
{
    self->early = true;
}
TR_HANDLER(sink, late)
{
    if (!self->early && !self->strict)
        self->seen = 1; // TARGET overtakes: reachable
    if (!self->early && self->strict)
        self->seen = 2; // TARGET fifo: impossible, early is sent before on the same channel
}
TR_BEHAVIOUR(sink, open, TR_ON(early, sink_early), TR_ON(late, sink_late));
TR_CLASS(sink, .start = &sink_open);

struct relay {
    sink_ref to;
};
TR_HANDLER(relay, early)
{
    forward(self->to, early);
}
TR_BEHAVIOUR(relay, open, TR_ON(early, relay_early));
TR_CLASS(relay, .start = &relay_open);

struct source {
    relay_ref relay;
    sink_ref loose, strict;
};
TR_HANDLER(source, begin)
{
    send(self->relay, early);
    send(self->loose, late);
}
TR_HANDLER(source, begin_both)
{
    send(self->strict, early);
    send(self->strict, late);
}
TR_BEHAVIOUR(source, open, TR_ON(begin, source_begin),
             TR_ON(begin_both, source_begin_both));
TR_CLASS(source, .start = &source_open);

static source_ref build(tr_ctx *ctx)
{
    sink_ref loose = spawn(sink), strict = spawn(sink, .strict = true);
    relay_ref relay = spawn(relay, .to = loose);
    return spawn(source, .relay = relay, .loose = loose, .strict = strict);
}
TR_SYSTEM(routes)
{
    source_ref source = build(ctx);
    expose(source);
}
TR_TEST(overtakes)
{
    source_ref source = build(ctx);
    send(source, begin);
    send(source, begin_both);
    drain();
}
