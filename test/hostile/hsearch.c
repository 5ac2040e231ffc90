/* A handler enters a word into the hash table that the C library keeps.
 *
 * Native: fails
 * Explore: bug isolation
 * Says: hsearch() changes the hash table of the process
 */
#define _GNU_SOURCE
#include "troupe_short.h"
#include <assert.h>
#include <search.h>

__attribute__((constructor)) static void begin(void)
{
    hcreate(10);
}

TR_SIGNAL(write);
TR_SIGNAL(look);
TR_PROTOCOL(actor, write, look);
struct actor {
    int n;
};
TR_HANDLER(actor, write)
{
    hsearch((ENTRY){"word", NULL}, ENTER);
}
TR_HANDLER(actor, look)
{
    assert(!hsearch((ENTRY){"word", NULL}, FIND));
}
TR_BEHAVIOUR(actor, open, TR_ON(write, actor_write), TR_ON(look, actor_look));
TR_CLASS(actor, .start = &actor_open);
TR_TEST(t)
{
    actor_ref a = spawn(actor), b = spawn(actor);
    send(a, write);
    drain();
    send(b, look);
}
