int fib(int n)
{
    if (n < 0)
        return -1;
    if (n < 2)
        return n;
    return fib(n - 1) + fib(n - 2);
}
#ifdef BRUTE
static void brute(void)
{
    for (int n = -1; n < 5; n++)
        TRY(fib(n));
}
#endif
