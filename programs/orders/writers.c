/* n senders, one receiver that keeps what it gets in order of arrival.
 *
 * The test tells each sender to go, in order; sender i sends value i.  Every
 * order of arrival is a class of its own: n! of them, in all delivery models.
 *
 * Parameter n: senders (3).  Schedules, classes, final states, distinct
 * handler runs:
 *   n = 3  any, pair, causal 90, 6, 6, 18       mailbox 30, 6, 6, 18
 *   n = 4  any, pair, causal 2,520, 24, 24, 68  mailbox 336, 24, 24, 68
 *   n = 5  any, pair, causal 113,400, 120, 120, 330
 *          mailbox 5,040, 120, 120, 330
 */
#include "troupe_short.h"
#include <assert.h>

enum { MAX = 12 };

TR_PROTOCOL(receiver, value);
TR_PROTOCOL(writer, go);

struct value {
    int v;
};
TR_MESSAGE(value);
TR_SIGNAL(go);

struct receiver {
    int n;
    signed char got[MAX];
};

TR_HANDLER(receiver, value)
{
    self->got[self->n++] = (signed char)msg->v;
}

TR_BEHAVIOUR(receiver, open, TR_ON(value, receiver_value));
TR_CLASS(receiver, .start = &receiver_open);

struct writer {
    receiver_ref to;
    int v;
};

TR_HANDLER(writer, go)
{
    send(self->to, value, .v = self->v);
}

TR_BEHAVIOUR(writer, open, TR_ON(go, writer_go));
TR_CLASS(writer, .start = &writer_open);

TR_TEST(writers)
{
    int n = (int)param("n", 3);
    receiver_ref to = spawn(receiver);
    assert(n <= MAX);
    for (int i = 0; i < n; i++) {
        writer_ref w = spawn(writer, .to = to, .v = i);
        send(w, go);
    }
}
