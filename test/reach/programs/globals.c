/* A branch that decides only about a global variable. */
#include "troupe_short.h"

TR_PROTOCOL(box, put);
struct put {
    int n;
};
TR_MESSAGE(put);
static int most;
struct box {
    int n, seen;
};
TR_HANDLER(box, put)
{
    if (msg->n > 100)
        most = msg->n;
    self->n = msg->n & 7;
    if (self->n > 7)
        self->seen = 1; /* dead: seven is the most */
    if (most == 300)
        self->seen = 2; /* live: the global has it */
}
TR_BEHAVIOUR(box, open, TR_ON(put, box_put));
TR_CLASS(box, .start = &box_open);

TR_SYSTEM(room)
{
    box_ref b = spawn(box);
    expose(b);
}
