/* A setup that fails: always in `broken`, without a parameter in `fussy`. */
#include "troupe_short.h"
#include <assert.h>

TR_PROTOCOL(one, hit);
struct hit {
    int n;
};
TR_MESSAGE(hit);
static int limit = 3; /* the setup writes it, handlers read it */
struct one {
    int hits;
};
TR_HANDLER(one, hit)
{
    if (limit == 7)
        self->hits++; /* a limit of the setup's */
}
TR_BEHAVIOUR(one, open, TR_ON(hit));
TR_CLASS(one, .start = &one_open);

TR_SYSTEM(broken)
{
    one_ref one = spawn(one);
    int *nowhere = NULL;
    expose(one);
    *nowhere = 3;
}
TR_SYSTEM(fussy)
{
    limit = (int)param("limit", 0);
    assert(limit > 2);
    one_ref one = spawn(one);
    expose(one);
}
