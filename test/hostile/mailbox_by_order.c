/* A mailbox for one message, and two senders: it is full only if both send before
 * the first message is received.
 *
 * Native: ok
 * Explore: ok
 * Says: warning: 'item' is sent to sink#1, whose mailbox has 1 of 1 messages
 * Weaker: unbounded mailboxes of sink
 */
#include "troupe_short.h"

TR_SIGNAL(go);
TR_SIGNAL(item);
TR_PROTOCOL(sink, item);
TR_PROTOCOL(source, go);
struct sink {
    int n;
};
TR_HANDLER(sink, item)
{
    self->n++;
}
TR_BEHAVIOUR(sink, open, TR_ON(item));
TR_CLASS(sink, .start = &sink_open, .mailbox = 1);
struct source {
    sink_ref to;
};
TR_HANDLER(source, go)
{
    send(self->to, item);
}
TR_BEHAVIOUR(source, open, TR_ON(go));
TR_CLASS(source, .start = &source_open);
TR_TEST(t)
{
    sink_ref s = spawn(sink);
    send(spawn(source, .to = s), go);
    send(spawn(source, .to = s), go);
}
