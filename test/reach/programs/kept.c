/* An address inside a state that a function gives, and that is kept. */
#include "troupe_short.h"

TR_PROTOCOL(keeper, swap);
TR_SIGNAL(swap);
struct keeper {
    int *cursor;
    int at[2], seen;
};
static int *slot(struct keeper *k, int i)
{
    return &k->at[i];
}
TR_INIT(keeper)
{
    self->cursor = slot(self, 0);
}
TR_HANDLER(keeper, swap)
{
    self->at[0] = 1;
    *self->cursor = 2;
    if (self->at[0] == 2)
        self->seen = 1; /* live: the cursor is there */
}
TR_BEHAVIOUR(keeper, open, TR_ON(swap));
TR_CLASS(keeper, .start = &keeper_open, .init = keeper_init_);

TR_SYSTEM(house)
{
    keeper_ref k = spawn(keeper);
    expose(k);
}
