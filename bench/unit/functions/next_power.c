#include <stdint.h>
uint32_t next_power(uint32_t v)
{
    if (v == 0)
        return 1;
    if ((v & (v - 1)) == 0)
        return v;
    v |= v >> 1;
    v |= v >> 2;
    v |= v >> 4;
    v |= v >> 8;
    v |= v >> 16;
    if (v == UINT32_MAX)
        return 0;
    return v + 1;
}
#ifdef BRUTE
static void brute(void)
{
    EACH(uint32_t, v, 0, 1, 3, 0xffffffff)
    TRY(next_power(*v));
}
#endif
