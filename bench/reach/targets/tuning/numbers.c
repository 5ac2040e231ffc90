/* Numbers and bits: conditions on the contents of one message. */
#include "troupe_short.h"
#include <stdint.h>

TR_PROTOCOL(meter, sample);
struct sample {
    int32_t a, b;
    uint8_t gray;
};
TR_MESSAGE(sample);

struct meter {
    int seen;
};

TR_HANDLER(meter, sample)
{
    uint32_t square = (uint32_t)msg->a * (uint32_t)msg->a;
    if (3 * (int64_t)msg->a - msg->b == 1000 && msg->a + (int64_t)msg->b == 200)
        self->seen = 1; // TARGET linear: reachable
    if (((msg->gray ^ msg->gray << 1) & 0xff) == 0xa5)
        self->seen = 2; // TARGET gray: reachable
    if (square % 4 == 3)
        self->seen = 3; // TARGET square: impossible, squares are 0 or 1 modulo 4
    if (msg->a < 10 || msg->a > 5000)
        return;
    if (2 * msg->a < 19)
        self->seen = 4; // TARGET guarded: impossible, a is at least 10 here
}
TR_BEHAVIOUR(meter, open, TR_ON(sample, meter_sample));
TR_CLASS(meter, .start = &meter_open);

TR_SYSTEM(lab)
{
    meter_ref meter = spawn(meter);
    expose(meter);
}

TR_TEST(linear)
{
    meter_ref meter = spawn(meter);
    send(meter, sample, .a = 300, .b = -100);
    drain();
}
TR_TEST(gray)
{
    meter_ref meter = spawn(meter);
    send(meter, sample, .gray = 0x63);
    drain();
}
