/* Everybody tells everybody: n broadcasters, n collectors.
 *
 * On go a broadcaster sends its number to each collector, in order; a collector
 * keeps the greatest.  (n!)^n classes, one final state.
 *
 * Parameter n: broadcasters, and collectors (2).  Schedules, classes, final
 * states, distinct handler runs:
 *   n = 2  any, pair, causal 80, 4, 1, 10            mailbox 32, 2, 1, 10
 *   n = 3  any, pair, causal 7,484,400, 216, 1, 30   mailbox 146,664, 6, 1, 30
 */
#include "troupe_short.h"
#include <assert.h>

enum { MAX = 8 };

TR_PROTOCOL(collector, value);
TR_PROTOCOL(broadcaster, go);

struct value {
    int v;
};
TR_MESSAGE(value);
TR_SIGNAL(go);

struct collector {
    int greatest;
};

TR_HANDLER(collector, value)
{
    if (msg->v > self->greatest)
        self->greatest = msg->v;
}

TR_BEHAVIOUR(collector, open, TR_ON(value, collector_value));
TR_CLASS(collector, .start = &collector_open);

struct broadcaster {
    int v, n;
    collector_ref collector[MAX];
};

TR_HANDLER(broadcaster, go)
{
    for (int i = 0; i < self->n; i++)
        send(self->collector[i], value, .v = self->v);
}

TR_BEHAVIOUR(broadcaster, open, TR_ON(go, broadcaster_go));
TR_CLASS(broadcaster, .start = &broadcaster_open);

TR_TEST(consensus)
{
    struct broadcaster start = {.n = (int)param("n", 2)};
    assert(start.n <= MAX);
    for (int i = 0; i < start.n; i++)
        start.collector[i] = spawn(collector, .greatest = -1);
    for (int i = 0; i < start.n; i++) {
        start.v = i;
        broadcaster_ref b = spawn_from(broadcaster, &start);
        send(b, go);
    }
}
