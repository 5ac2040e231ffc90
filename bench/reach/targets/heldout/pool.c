/* Parameters, dead code, counts that only grow. */
#include "troupe_short.h"
#include <stdbool.h>
#include <stdint.h>

TR_PROTOCOL(pool, lend, back, audit);
TR_PROTOCOL(clerk, audit);
TR_SIGNAL(lend);
TR_SIGNAL(back);
TR_SIGNAL(audit);

struct pool {
    uint32_t size, lent, peak;
    bool checked;
    int seen;
};
TR_HANDLER(pool, lend)
{
    if (self->lent >= self->size)
        return;
    self->lent++;
    if (self->lent > self->peak)
        self->peak = self->lent;
    if (self->lent == 12)
        self->seen = 1; // TARGET twelve: reachable
    if (self->lent > self->size)
        self->seen = 2; // TARGET overdrawn: impossible, it was smaller before
}
TR_HANDLER(pool, back)
{
    if (self->lent)
        self->lent--;
    if (self->peak < self->lent)
        self->seen = 3; // TARGET peak: impossible, peak is the largest so far
    if (self->peak == 3 && !self->lent)
        self->seen = 4; // TARGET empty: reachable
}
TR_HANDLER(pool, audit)
{
    if (self->checked)
        self->seen = 5; // TARGET checked: impossible, nothing sets it
    self->seen = 6;
}
TR_BEHAVIOUR(pool, open, TR_ON(lend, pool_lend), TR_ON(back, pool_back),
             TR_ON(audit, pool_audit));
TR_CLASS(pool, .start = &pool_open);

struct clerk {
    int seen;
};
TR_HANDLER(clerk, audit)
{
    self->seen = 1; // TARGET clerk: impossible, no clerk is created
}
TR_BEHAVIOUR(clerk, open, TR_ON(audit, clerk_audit));
TR_CLASS(clerk, .start = &clerk_open);

TR_SYSTEM(library)
{
    pool_ref pool = spawn(pool, .size = (uint32_t)param("size", 4));
    expose(pool);
}
TR_TEST(twelve)
{
    pool_ref pool = spawn(pool, .size = 12);
    for (int i = 0; i < 12; i++)
        send(pool, lend);
    drain();
}
TR_TEST(empty)
{
    pool_ref pool = spawn(pool, .size = 4);
    for (int i = 0; i < 3; i++)
        send(pool, lend);
    for (int i = 0; i < 3; i++)
        send(pool, back);
    drain();
}
