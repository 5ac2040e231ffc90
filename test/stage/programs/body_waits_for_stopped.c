/* The body and an actor ask an actor that stops in its init hook.
 *
 * What the tool's own functions leave on the stack of a body that waits is part
 * of its state: if that differs from schedule to schedule, equal states do not
 * meet, and strategies that keep states run more than others.
 */
#include "troupe_short.h"

TR_PROTOCOL(peer, q0, q1);
struct answer { int v; };
struct q0 { int v, hops; peer_ref to; };
TR_REQUEST(q0, answer);
struct q1 { int v, hops; peer_ref to; };
TR_REQUEST(q1, answer);

TR_PROTOCOL(asker, q0, q1);
struct asker { int x; };
TR_HANDLER(asker, q0)
{
    (void)self;
    if (msg->hops > 0)
        ask(msg->to, q1, .v = msg->v, .hops = msg->hops - 1, .to = NULL);
}
TR_HANDLER(asker, q1)
{
    (void)self;
    reply(q1, .v = msg->v);
}
TR_BEHAVIOUR(asker, on, TR_ON(q0, asker_q0), TR_ON(q1, asker_q1));
TR_CLASS(asker, .start = &asker_on);

TR_PROTOCOL(gone, q0, q1);
struct gone { int x; };
TR_HANDLER(gone, q1)
{
    (void)self;
    reply(q1, .v = msg->v);
}
TR_BEHAVIOUR(gone, on, TR_ON(q1, gone_q1));
TR_INIT(gone)
{
    (void)self;
    stop();
}
TR_CLASS(gone, .start = &gone_on, .init = gone_init_);

TR_TEST(body_waits_for_stopped)
{
    peer_ref a = (peer_ref)spawn(asker, .x = 1);
    peer_ref g = (peer_ref)spawn(gone, .x = 1);
    send(a, q0, .v = 1, .hops = 2, .to = g);
    TR_FUTURE(q0) f = ask(g, q0, .v = 3, .hops = 1);
    (void)get(f);
}
