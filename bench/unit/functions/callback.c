#include <stddef.h>
int is_even(int n)
{
    return n % 2 == 0;
}
int count_if(const int *a, size_t n, int (*wanted)(int))
{
    int count = 0;
    if (!wanted)
        return (int)n;
    for (size_t i = 0; i < n; i++)
        if (wanted(a[i]))
            count++;
    return count;
}
#ifdef BRUTE
static void brute(void)
{
    static const int a[] = {1, 2};
    TRY(count_if(a, 2, is_even));
    TRY(count_if(a, 2, NULL));
    TRY(count_if(NULL, 1, is_even));
}
#endif
