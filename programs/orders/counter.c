/* n senders, one receiver that adds up what it gets.
 *
 * As writers.c, but the order of arrival leaves no trace: still n! classes,
 * one final state.
 *
 * Parameter n: senders (5).  Schedules, classes, final states, distinct
 * handler runs:
 *   n = 5  any, pair, causal 113,400, 120, 1, 46   mailbox 5,040, 120, 1, 46
 */
#include "troupe_short.h"

TR_PROTOCOL(counter, value);
TR_PROTOCOL(writer, go);

struct value {
    int v;
};
TR_MESSAGE(value);
TR_SIGNAL(go);

struct counter {
    int sum;
};

TR_HANDLER(counter, value)
{
    self->sum += msg->v;
}

TR_BEHAVIOUR(counter, open, TR_ON(value, counter_value));
TR_CLASS(counter, .start = &counter_open);

struct writer {
    counter_ref to;
    int v;
};

TR_HANDLER(writer, go)
{
    send(self->to, value, .v = self->v);
}

TR_BEHAVIOUR(writer, open, TR_ON(go, writer_go));
TR_CLASS(writer, .start = &writer_open);

TR_TEST(counter)
{
    int n = (int)param("n", 5);
    counter_ref to = spawn(counter);
    for (int i = 0; i < n; i++) {
        writer_ref w = spawn(writer, .to = to, .v = i);
        send(w, go);
    }
}
