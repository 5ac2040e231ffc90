int isqrt(int n)
{
    if (n < 0)
        return -1;
    int low = 0, high = 46341;
    while (high - low > 1) {
        int mid = (low + high) / 2;
        if (mid * mid <= n)
            low = mid;
        else
            high = mid;
    }
    return low * low == n ? low : low + 1;
}
#ifdef BRUTE
static void brute(void)
{
    for (int n = -2; n < 200; n++)
        TRY(isqrt(n));
}
#endif
