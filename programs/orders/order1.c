/* Where the delivery models differ: two routes to one recorder.
 *
 * On go, A sends 3 to M, then x to B; B on x sends 4 to M; C on go sends 1,
 * then 2, to M, which keeps what it gets in order of arrival.  The test tells A
 * to go, then C.  Any order lets 2 overtake 1; pair does not; causal also keeps
 * 3 before 4; under mailbox M's queue is filled at the sends.
 *
 * Schedules, classes, final states, distinct handler runs: any 210, 24, 24, 67;
 * pair 105, 12, 12, 37; causal 70, 6, 6, 21; mailbox 21, 3, 3, 14.
 */
#include "troupe_short.h"

TR_PROTOCOL(actor_m, value);
TR_PROTOCOL(actor_a, go);
TR_PROTOCOL(actor_b, x);
TR_PROTOCOL(actor_c, go);

struct value {
    int v;
};
TR_MESSAGE(value);
TR_SIGNAL(go);
TR_SIGNAL(x);

struct actor_m {
    int n, got[4];
};

TR_HANDLER(actor_m, value)
{
    self->got[self->n++] = msg->v;
}

TR_BEHAVIOUR(actor_m, open, TR_ON(value, actor_m_value));
TR_CLASS(actor_m, .start = &actor_m_open);

struct actor_b {
    actor_m_ref m;
};

TR_HANDLER(actor_b, x)
{
    send(self->m, value, .v = 4);
}

TR_BEHAVIOUR(actor_b, open, TR_ON(x, actor_b_x));
TR_CLASS(actor_b, .start = &actor_b_open);

struct actor_a {
    actor_m_ref m;
    actor_b_ref b;
};

TR_HANDLER(actor_a, go)
{
    send(self->m, value, .v = 3);
    send(self->b, x);
}

TR_BEHAVIOUR(actor_a, open, TR_ON(go, actor_a_go));
TR_CLASS(actor_a, .start = &actor_a_open);

struct actor_c {
    actor_m_ref m;
};

TR_HANDLER(actor_c, go)
{
    send(self->m, value, .v = 1);
    send(self->m, value, .v = 2);
}

TR_BEHAVIOUR(actor_c, open, TR_ON(go, actor_c_go));
TR_CLASS(actor_c, .start = &actor_c_open);

TR_TEST(order1)
{
    actor_m_ref m = spawn(actor_m);
    actor_b_ref b = spawn(actor_b, .m = m);
    actor_a_ref a = spawn(actor_a, .m = m, .b = b);
    actor_c_ref c = spawn(actor_c, .m = m);
    send(a, go);
    send(c, go);
}
