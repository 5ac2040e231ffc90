/* Three receives that come round and round, until a line is passed. */
#include "troupe_short.h"

TR_PROTOCOL(shelf, put, look);
TR_PROTOCOL(clerk, go);
TR_SIGNAL(put);
TR_SIGNAL(look);
TR_SIGNAL(go);

struct shelf {
    int n, seen;
};
TR_HANDLER(shelf, put)
{
    self->n++;
}
TR_HANDLER(shelf, look)
{
    if (self->n == 5000)
        self->seen = 1; // five thousand
}
TR_BEHAVIOUR(shelf, open, TR_ON(put, shelf_put), TR_ON(look, shelf_look));
TR_CLASS(shelf, .start = &shelf_open);

struct clerk {
    shelf_ref shelf;
};
TR_HANDLER(clerk, go)
{
    send(self->shelf, put);
    send(self->shelf, look);
}
TR_BEHAVIOUR(clerk, open, TR_ON(go, clerk_go));
TR_CLASS(clerk, .start = &clerk_open);

TR_SYSTEM(shop)
{
    shelf_ref shelf = spawn(shelf);
    clerk_ref clerk = spawn(clerk, .shelf = shelf);
    expose(clerk);
}
