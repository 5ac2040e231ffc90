/* A handler whose message nobody sends to an actor that nobody outside knows;
 * a handler that kills its process; one that never ends. */
#include "troupe_short.h"
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

TR_PROTOCOL(inner, work, secret);
TR_PROTOCOL(outer, go, die, spin, quit);
TR_SIGNAL(work);
TR_SIGNAL(secret);
TR_SIGNAL(go);
struct die {
    int how;
};
TR_MESSAGE(die);
struct spin {
    unsigned rounds;
};
TR_MESSAGE(spin);
TR_SIGNAL(quit);

struct inner {
    int done;
};
TR_HANDLER(inner, work)
{
    self->done++;
}
TR_HANDLER(inner, secret)
{
    self->done = -1;
}
TR_BEHAVIOUR(inner, open, TR_ON(work, inner_work), TR_ON(secret, inner_secret));
TR_CLASS(inner, .start = &inner_open);

struct outer {
    inner_ref inner;
    int *nowhere;
};
TR_HANDLER(outer, go)
{
    send(self->inner, work);
}
TR_HANDLER(outer, die)
{
    if (msg->how == 1)
        abort(); // aborts
    if (msg->how == 2)
        *self->nowhere = 1; // follows a null pointer
    if (msg->how == 77)
        kill(getpid(), SIGKILL); // is killed
}
TR_HANDLER(outer, spin)
{
    while (msg->rounds == 7)
        ;
    if (msg->rounds == 8)
        self->nowhere = NULL; // behind the endless one
}
TR_HANDLER(outer, quit)
{
    exit(3); // exits
}
TR_BEHAVIOUR(outer, open, TR_ON(go, outer_go), TR_ON(die, outer_die),
             TR_ON(spin, outer_spin), TR_ON(quit, outer_quit));
TR_CLASS(outer, .start = &outer_open);

TR_SYSTEM(nest)
{
    inner_ref inner = spawn(inner);
    outer_ref outer = spawn(outer, .inner = inner);
    expose(outer);
}
