#include <stddef.h>
#include <stdint.h>
int crc8(const uint8_t *p, size_t n)
{
    uint8_t crc = 0;
    for (size_t i = 0; i < n; i++) {
        crc ^= p[i];
        for (int k = 0; k < 8; k++)
            crc = (uint8_t)(crc & 0x80 ? crc << 1 ^ 0x07 : crc << 1);
    }
    return crc == 0xf4 ? 1 : 0;
}
#ifdef BRUTE
static void brute(void)
{
    TRY(crc8(0, 0));
    for (int a = 0; a < 256; a++) {
        uint8_t b = (uint8_t)a;
        TRY(crc8(&b, 1));
    }
    TRY(crc8(0, 1));
}
#endif
