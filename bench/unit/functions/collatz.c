int collatz(unsigned n)
{
    int steps = 0;
    if (n == 0)
        return -1;
    while (n != 1) {
        n = n % 2 ? 3 * n + 1 : n / 2;
        if (++steps == 12)
            return 100;
    }
    return steps;
}
#ifdef BRUTE
static void brute(void)
{
    for (unsigned n = 0; n < 100; n++)
        TRY(collatz(n));
}
#endif
