/* n senders that each send twice, the second time when asked to.
 *
 * On go a sender sends a; the receiver answers each a with again, on which the
 * sender sends b.  The receiver keeps all in order of arrival: a sender's a
 * comes before its b, nothing else is certain, so there are (2n)!/2^n classes.
 *
 * Parameter n: senders (2).  Schedules, classes, final states, distinct
 * handler runs:
 *   n = 2  any, pair, causal 70, 6, 6, 22         mailbox 28, 6, 6, 22
 *   n = 3  any, pair, causal 34,650, 90, 90, 276  mailbox 2,898, 90, 90, 276
 */
#include "troupe_short.h"
#include <assert.h>

enum { MAX = 8 };

TR_PROTOCOL(receiver, a, b);
TR_PROTOCOL(poster, go, again);

struct a {
    int who;
    poster_ref from;
};
TR_MESSAGE(a);
struct b {
    int who;
};
TR_MESSAGE(b);
TR_SIGNAL(go);
TR_SIGNAL(again);

struct receiver {
    int n;
    struct {
        char what;
        signed char who;
    } got[2 * MAX];
};

TR_HANDLER(receiver, a)
{
    self->got[self->n].what = 'a';
    self->got[self->n++].who = (signed char)msg->who;
    send(msg->from, again);
}

TR_HANDLER(receiver, b)
{
    self->got[self->n].what = 'b';
    self->got[self->n++].who = (signed char)msg->who;
}

TR_BEHAVIOUR(receiver, open, TR_ON(a, receiver_a), TR_ON(b, receiver_b));
TR_CLASS(receiver, .start = &receiver_open);

struct poster {
    receiver_ref to;
    int who;
};

TR_HANDLER(poster, go)
{
    send(self->to, a, .who = self->who, .from = me(poster));
}

TR_HANDLER(poster, again)
{
    send(self->to, b, .who = self->who);
}

TR_BEHAVIOUR(poster, open, TR_ON(go, poster_go), TR_ON(again, poster_again));
TR_CLASS(poster, .start = &poster_open);

TR_TEST(posters)
{
    int n = (int)param("n", 2);
    receiver_ref to = spawn(receiver);
    assert(n <= MAX);
    for (int i = 0; i < n; i++) {
        poster_ref p = spawn(poster, .to = to, .who = i);
        send(p, go);
    }
}
