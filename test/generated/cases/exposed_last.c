/* The last receive exposes an actor: a strategy that refuses then has made an
 * execution that must not count.
 *
 * Bugs: none
 */
#include "troupe_short.h"

TR_SIGNAL(show);
TR_PROTOCOL(stage, show);
struct stage { int shown; };
TR_HANDLER(stage, show)
{
    (void)msg;
    self->shown = 1;
    expose_as(me(stage), "n0");
}
TR_BEHAVIOUR(stage, dark, TR_ON(show));
TR_CLASS(stage, .start = &stage_dark);

TR_TEST(exposed_last)
{
    send(spawn(stage, .shown = 0), show);
}
