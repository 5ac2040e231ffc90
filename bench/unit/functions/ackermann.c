int ackermann(int m, int n)
{
    if (m < 0 || n < 0)
        return -1;
    if (m == 0)
        return n + 1;
    if (n == 0)
        return ackermann(m - 1, 1);
    return ackermann(m - 1, ackermann(m, n - 1));
}
#ifdef BRUTE
static void brute(void)
{
    for (int m = -1; m < 3; m++)
        for (int n = -1; n < 3; n++)
            TRY(ackermann(m, n));
}
#endif
