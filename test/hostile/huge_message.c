/* A message of 65 MB, which is more than the stage takes.
 *
 * Native: ok
 * Explore: limit
 * Says: not complete, stopped at a limit of troupe
 * Says: message 'big' has 68157440 bytes: at most 67108864 on the stage
 */
#include "troupe_short.h"
#include <stdlib.h>

struct big {
    char bytes[65 << 20];
};
TR_MESSAGE(big);

TR_PROTOCOL(sink, big);
struct sink {
    int n;
};
TR_HANDLER(sink, big)
{
    self->n += msg->bytes[0];
}
TR_BEHAVIOUR(sink, open, TR_ON(big, sink_big));
TR_CLASS(sink, .start = &sink_open);

TR_TEST(t)
{
    struct big *b = calloc(1, sizeof *b);
    tr_send_(ctx, (tr_ref)spawn(sink), &tr_msg_big, b);
    free(b);
}
