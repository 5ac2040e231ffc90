/* A handler fails once, and remembers that in a file: no replay shows it.
 *
 * Native: -
 * Explore: bug assertion
 * Says: the replay of this case went another way: uncontrolled calls: fopen
 */
#include "troupe_short.h"
#include <assert.h>
#include <stdio.h>

TR_SIGNAL(go);
TR_PROTOCOL(actor, go);
struct actor {
    int n;
};
TR_HANDLER(actor, go)
{
    FILE *f = fopen("failed", "r");
    if (f) {
        fclose(f);
        return;
    }
    f = fopen("failed", "w");
    fclose(f);
    assert(!f);
}
TR_BEHAVIOUR(actor, open, TR_ON(go, actor_go));
TR_CLASS(actor, .start = &actor_open);
TR_TEST(t)
{
    send(spawn(actor), go);
}
