int popcount(unsigned x)
{
    int n = 0;
    while (x) {
        x &= x - 1;
        n++;
    }
    if (n == 32)
        return -1;
    return n & 1 ? n : -n;
}
#ifdef BRUTE
static void brute(void)
{
    for (unsigned i = 0; i < 9; i++)
        TRY(popcount(i));
    TRY(popcount(0xffffffffu));
}
#endif
