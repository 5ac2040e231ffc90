int never_odd(int n)
{
    int twice = n & 0x3fffffff;
    twice *= 2;
    if (twice & 1)
        return -1;
    if (twice > 100 && twice < 90)
        return -2;
    return twice;
}
#ifdef BRUTE
static void brute(void)
{
    for (int n = -60; n < 60; n++)
        TRY(never_odd(n));
}
#endif
