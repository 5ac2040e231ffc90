/* Invariants: credit that is split in two, a window, steps of three. */
#include "troupe_short.h"
#include <assert.h>
#include <stdint.h>

TR_PROTOCOL(window, take, give, jump);
TR_SIGNAL(take);
TR_SIGNAL(give);
struct jump {
    uint8_t n;
};
TR_MESSAGE(jump);

struct window {
    uint32_t credit, used, place;
    int seen;
};
TR_HANDLER(window, take)
{
    if (!self->credit)
        return;
    self->credit--;
    self->used++;
    assert(self->credit + self->used == 10); // TARGET split: impossible, one becomes the other
    if (self->used == 9)
        self->seen = 1; // TARGET nine: reachable
    if (self->used > 10)
        self->seen = 2; // TARGET over: impossible, both together are ten
}
TR_HANDLER(window, give)
{
    if (self->used) {
        self->used--;
        self->credit++;
    }
}
TR_HANDLER(window, jump)
{
    self->place = (self->place + 3u * msg->n) % 30;
    if (self->place == 21)
        self->seen = 3; // TARGET place: reachable
    if (self->place == 22)
        self->seen = 4; // TARGET third: impossible, it stays a multiple of three
}
TR_BEHAVIOUR(window, open, TR_ON(take, window_take), TR_ON(give, window_give),
             TR_ON(jump, window_jump));
TR_CLASS(window, .start = &window_open);

TR_SYSTEM(link)
{
    window_ref window = spawn(window, .credit = 10);
    expose(window);
}
TR_TEST(nine)
{
    window_ref window = spawn(window, .credit = 10);
    for (int i = 0; i < 9; i++)
        send(window, take);
    drain();
}
TR_TEST(place)
{
    window_ref window = spawn(window, .credit = 10);
    send(window, jump, .n = 7);
    drain();
}
