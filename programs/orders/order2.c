/* Where the delivery models differ: three senders, one of them sends twice.
 *
 * On go A sends 3, B sends 4, C sends 1 and then 2, all to M, which keeps what
 * it gets in order of arrival.  The test tells A, B and C to go.  Only any lets
 * 2 overtake 1; nothing else here is ordered by cause.
 *
 * Schedules, classes, final states, distinct handler runs: any 420, 24, 24, 67;
 * pair and causal 210, 12, 12, 37; mailbox 42, 6, 6, 23.
 */
#include "troupe_short.h"

TR_PROTOCOL(recorder, value);
TR_PROTOCOL(single, go);
TR_PROTOCOL(twice, go);

struct value {
    int v;
};
TR_MESSAGE(value);
TR_SIGNAL(go);

struct recorder {
    int n, got[4];
};

TR_HANDLER(recorder, value)
{
    self->got[self->n++] = msg->v;
}

TR_BEHAVIOUR(recorder, open, TR_ON(value, recorder_value));
TR_CLASS(recorder, .start = &recorder_open);

struct single {
    recorder_ref to;
    int v;
};

TR_HANDLER(single, go)
{
    send(self->to, value, .v = self->v);
}

TR_BEHAVIOUR(single, open, TR_ON(go, single_go));
TR_CLASS(single, .start = &single_open);

struct twice {
    recorder_ref to;
};

TR_HANDLER(twice, go)
{
    send(self->to, value, .v = 1);
    send(self->to, value, .v = 2);
}

TR_BEHAVIOUR(twice, open, TR_ON(go, twice_go));
TR_CLASS(twice, .start = &twice_open);

TR_TEST(order2)
{
    recorder_ref m = spawn(recorder);
    single_ref b = spawn(single, .to = m, .v = 4);
    single_ref a = spawn(single, .to = m, .v = 3);
    twice_ref c = spawn(twice, .to = m);
    send(a, go);
    send(b, go);
    send(c, go);
}
