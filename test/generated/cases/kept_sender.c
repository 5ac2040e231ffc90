/* Two visitors send equal knocks to a closed door, which keeps them and, once
 * open, must still know who sent which.
 *
 * Bugs: none
 */
#include "troupe_short.h"
#include <assert.h>

TR_PROTOCOL(door, knock, unlock);
TR_PROTOCOL(visitor, go);
TR_SIGNAL(knock);
TR_SIGNAL(unlock);
TR_SIGNAL(go);

struct door {
    tr_ref first;
};
TR_STATES(door, closed, open);

TR_HANDLER(door, unlock)
{
    become(door, open);
}

TR_HANDLER(door, knock)
{
    assert(sender() && sender() != self->first);
    self->first = sender();
}

TR_BEHAVIOUR(door, closed, TR_DEFER(knock), TR_ON(unlock, door_unlock));
TR_BEHAVIOUR(door, open, TR_ON(knock, door_knock));
TR_CLASS(door, .start = &door_closed);

struct visitor {
    door_ref door;
};

TR_HANDLER(visitor, go)
{
    send(self->door, knock);
}

TR_BEHAVIOUR(visitor, outside, TR_ON(go, visitor_go));
TR_CLASS(visitor, .start = &visitor_outside);

TR_TEST(kept_sender)
{
    door_ref door = spawn(door);
    visitor_ref one = spawn(visitor, .door = door);
    visitor_ref two = spawn(visitor, .door = door);
    send(one, go);
    send(two, go);
    send(door, unlock);
}
