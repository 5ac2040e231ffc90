#include <math.h>
int classify(float x, float y)
{
    if (isnan(x) || isnan(y))
        return -1;
    if (isinf(x))
        return x > 0 ? 1 : 2;
    if (x + 1.0f == x)
        return 3;
    if (fabsf(x - y) < 0.25f)
        return 4;
    return x < y ? 5 : 6;
}
#ifdef BRUTE
static void brute(void)
{
    EACH(float, x, 0, 1, -1, 1e20f, INFINITY, -INFINITY, NAN)
    EACH(float, y, 0, 1, -1, 1e20f, INFINITY, -INFINITY, NAN)
    TRY(classify(*x, *y));
}
#endif
