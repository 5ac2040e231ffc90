/* A handler believes in errno without a call that sets it: it is 0 at the
 * beginning of every handler, whatever another one left there.
 *
 * Native: ok
 * Explore: ok
 */
#include "troupe_short.h"
#include <assert.h>
#include <errno.h>
#include <stdlib.h>

TR_SIGNAL(go);
TR_PROTOCOL(actor, go);
struct actor {
    int n;
};
TR_HANDLER(actor, go)
{
    errno = 0;
    strtol("99999999999999999999", NULL, 10);
    self->n = errno;
}
TR_BEHAVIOUR(actor, open, TR_ON(go, actor_go));
TR_CLASS(actor, .start = &actor_open);

TR_PROTOCOL(reader, go);
struct reader {
    int n;
};
TR_HANDLER(reader, go)
{
    assert(errno == 0);
}
TR_BEHAVIOUR(reader, open, TR_ON(go, reader_go));
TR_CLASS(reader, .start = &reader_open);

TR_TEST(t)
{
    send(spawn(actor), go);
    drain();
    for (int i = 0; i < 3; i++)
        send(spawn(reader), go);
}
