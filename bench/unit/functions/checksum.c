#include <stddef.h>
int checksum(const unsigned char *p, size_t n)
{
    unsigned sum = 0;
    if (n < 3)
        return -1;
    for (size_t i = 0; i + 1 < n; i++)
        sum = (sum << 1 | sum >> 7) ^ p[i];
    if ((sum & 0xff) != p[n - 1])
        return 0;
    return p[0] == 0x7e ? 2 : 1;
}
#ifdef BRUTE
static void brute(void)
{
    unsigned char p[3];
    for (int a = 0; a < 256; a += 32)
        for (int b = 0; b < 256; b++)
            for (int c = 0; c < 256; c += 5) {
                p[0] = (unsigned char)a, p[1] = (unsigned char)b;
                p[2] = (unsigned char)c;
                TRY(checksum(p, 3));
            }
    TRY(checksum(p, 0));
    TRY(checksum(0, 3));
}
#endif
