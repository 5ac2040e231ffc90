#include <stddef.h>
int max_of(const int *a, size_t n)
{
    if (n == 0)
        return 0;
    int best = a[0];
    for (size_t i = 1; i < n; i++)
        if (a[i] > best)
            best = a[i];
    return best;
}
#ifdef BRUTE
static void brute(void)
{
    for (int x = 0; x < 3; x++)
        for (int y = 0; y < 3; y++)
            for (size_t n = 0; n < 3; n++)
                TRY(max_of((int[]){x, y}, n));
    TRY(max_of(NULL, 0));
    TRY(max_of(NULL, 1));
}
#endif
