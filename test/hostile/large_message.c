/* Messages of 5 MB: as large as they like, up to 64 MB.
 *
 * Native: ok
 * Explore: ok
 */
#include "troupe_short.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { SIZE = 5 << 20 };
struct big {
    char bytes[SIZE];
};
TR_MESSAGE(big);
TR_SIGNAL(go);

TR_PROTOCOL(sink, big);
struct sink {
    int sum;
};
TR_HANDLER(sink, big)
{
    self->sum += msg->bytes[0] + msg->bytes[SIZE - 1];
}
TR_BEHAVIOUR(sink, open, TR_ON(big, sink_big));
TR_CLASS(sink, .start = &sink_open);

TR_PROTOCOL(source, go);
struct source {
    sink_ref to;
    int x;
};
TR_HANDLER(source, go)
{
    struct big *b = calloc(1, sizeof *b);
    memset(b->bytes, self->x, SIZE);
    tr_send_(ctx, (tr_ref)self->to, &tr_msg_big, b);
    free(b);
}
TR_BEHAVIOUR(source, open, TR_ON(go, source_go));
TR_CLASS(source, .start = &source_open);

TR_TEST(t)
{
    sink_ref s = spawn(sink);
    for (int i = 1; i < 3; i++)
        send(spawn(source, .to = s, .x = i), go);
    drain();
    assert(peek(sink, s)->sum == 6);
}
