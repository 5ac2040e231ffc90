/* A mailbox that takes two messages: on the stage it takes all.
 *
 * Native: ok
 * Explore: ok
 * Says: warning: 'go' is sent to actor#1, whose mailbox has 2 of 2 messages
 * Weaker: unbounded mailboxes of actor
 */
#include "troupe_short.h"

TR_SIGNAL(go);
TR_PROTOCOL(actor, go);
struct actor {
    int n;
};
TR_HANDLER(actor, go)
{
    self->n++;
}
TR_BEHAVIOUR(actor, open, TR_ON(go, actor_go));
TR_CLASS(actor, .start = &actor_open, .mailbox = 2);
TR_TEST(t)
{
    actor_ref a = spawn(actor);
    for (int i = 0; i < 3; i++)
        send(a, go);
}
