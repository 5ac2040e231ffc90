/* As body_heap.c, in a run that is not among those that are made twice.
 *
 * Native: fails
 * Explore: bug isolation
 * Says: touches memory of the test body
 */
#include "troupe_short.h"
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

enum { RUNS = 600 };

TR_SIGNAL(count);
TR_PROTOCOL(actor, count);
struct actor {
    uint64_t disguise;
    int n;
};
TR_HANDLER(actor, count)
{
    if (++self->n == RUNS)
        *(int *)(uintptr_t)~self->disguise = 1;
    else
        send(me(actor), count);
}
TR_BEHAVIOUR(actor, open, TR_ON(count, actor_count));
TR_CLASS(actor, .start = &actor_open);
TR_TEST(t)
{
    int *block = calloc(4, sizeof *block);
    actor_ref a = spawn(actor, .disguise = ~(uintptr_t)block);
    send(a, count);
    drain();
    assert(*block == 0);
}
