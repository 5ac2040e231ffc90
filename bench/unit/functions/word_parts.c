#include <stdint.h>
union word {
    uint32_t all;
    uint8_t byte[4];
    struct {
        uint16_t low, high;
    } half;
};
int word_parts(union word w)
{
    if (w.all == 0)
        return 0;
    if (w.byte[3] == 0x7f && w.byte[0] == 'E')
        return 1;
    if (w.half.low == w.half.high)
        return 2;
    return w.half.high > 0x8000 ? 3 : 4;
}
#ifdef BRUTE
static void brute(void)
{
    EACH(uint32_t, w, 0, 1, 0x7f000045, 0x7f000000, 0x00010001, 0x90000000)
    TRY(word_parts((union word){*w}));
}
#endif
