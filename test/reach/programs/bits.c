// Bit-fields before a small counter, and a sum beside a division: nothing here
// is reached.
#include "troupe_short.h"
#include <stdint.h>

TR_PROTOCOL(meter, up, code);
struct up {
    int twice;
};
TR_MESSAGE(up);
struct code {
    char s[10];
};
TR_MESSAGE(code);

struct meter {
    unsigned low : 4, high : 4;
    int sign : 3;
    uint8_t n;
    int seen;
};
TR_HANDLER(meter, up)
{
    self->low++;
    self->n += msg->twice ? 4 : 2;
    if (self->n == 201)
        self->seen = 1; // never uneven
    if (self->sign == 1)
        self->seen = 2; // never set
}
TR_HANDLER(meter, code)
{
    int sum = 0;
    for (int i = 0; i < 10; i++) {
        if (msg->s[i] < '0' || msg->s[i] > '9')
            return;
        sum += (10 - i) * (msg->s[i] - '0');
    }
    if (sum % 11 == 0)
        self->seen = 3;
    if (sum < 0)
        self->seen = 4; // never negative
}
TR_BEHAVIOUR(meter, on, TR_ON(up), TR_ON(code));
TR_CLASS(meter, .start = &meter_on);

TR_SYSTEM(gauge)
{
    meter_ref meter = spawn(meter);
    expose(meter);
}
