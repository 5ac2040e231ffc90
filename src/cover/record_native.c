#include "cover/record_native.h"

#include "stage/native.h"

static uint64_t behaviour(void *self, uint32_t state)
{
    const tr_behaviour *b = native_behaviour(self, state);
    uint64_t h = 0;
    for (const char *s = b ? b->name : ""; *s; s++)
        h = h * 31 + (unsigned char)*s;
    return h;
}

static uint32_t held_by(void *self, uint32_t state)
{
    uint32_t asked;
    const char *request;
    bool holds;
    for (uint32_t i = 0; native_waits(self, state, i, &asked, &request, &holds);
         i++)
        if (holds)
            return asked;
    return PLAY_NONE;
}

struct look look_native(struct native *n)
{
    return (struct look){n, behaviour, held_by};
}
