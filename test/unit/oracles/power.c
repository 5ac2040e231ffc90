// The loop-k counts of a loop that an argument bounds: k + 2 cases.
#include <stdlib.h>

int power(int base, int times)
{
    int product = 1;
    if (times < 0)
        abort();
    for (; times > 0; times--)
        product *= base;
    return product;
}
