/* A list is freed with a look at each element after it was freed.
 *
 * Native: -
 * Explore: bug crash
 * Says: use after free: read a block of 16 bytes that was freed at
 */
#include "troupe_short.h"
#include <stdlib.h>

struct item {
    struct item *next;
    int n;
};

TR_SIGNAL(add);
TR_SIGNAL(clear);
TR_PROTOCOL(actor, add, clear);
struct actor {
    struct item *first;
};
TR_HANDLER(actor, add)
{
    struct item *i = malloc(sizeof *i);
    *i = (struct item){self->first, 1};
    self->first = i;
}
TR_HANDLER(actor, clear)
{
    for (struct item *i = self->first; i; i = i->next)
        free(i);
    self->first = NULL;
}
TR_BEHAVIOUR(actor, open, TR_ON(add, actor_add), TR_ON(clear, actor_clear));
TR_CLASS(actor, .start = &actor_open);
TR_TEST(t)
{
    actor_ref a = spawn(actor);
    for (int i = 0; i < 3; i++)
        send(a, add);
    send(a, clear);
}
