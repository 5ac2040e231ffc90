/* A handler jumps out of itself, to where the test body was.
 *
 * Native: -
 * Explore: bug isolation
 * Says: of 'go' points into
 */
#include "troupe_short.h"
#include <setjmp.h>

struct go {
    jmp_buf *where;
};
TR_MESSAGE(go);
TR_PROTOCOL(actor, go);
TR_STATELESS(actor);
TR_HANDLER(actor, go)
{
    longjmp(*msg->where, 1);
}
TR_BEHAVIOUR(actor, open, TR_ON(go, actor_go));
TR_CLASS(actor, .start = &actor_open);
TR_TEST(t)
{
    jmp_buf where;
    if (setjmp(where))
        return;
    send(spawn(actor), go, .where = &where);
    drain();
}
