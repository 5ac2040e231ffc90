#include <stdint.h>
int find_gap(uint64_t map, int want)
{
    int run = 0;
    if (want <= 0 || want > 64)
        return -1;
    for (int i = 0; i < 64; i++) {
        if (map >> i & 1) {
            run = 0;
            continue;
        }
        if (++run == want)
            return i - want + 1;
    }
    return -2;
}
#ifdef BRUTE
static void brute(void)
{
    EACH(uint64_t, m, 0, 1, ~0ull, 0x5555555555555555ull)
    for (int want = -1; want < 66; want++)
        TRY(find_gap(*m, want));
}
#endif
