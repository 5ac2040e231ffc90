void rotate(int *a, int n, int by)
{
    if (n <= 0)
        return;
    by %= n;
    if (by < 0)
        by += n;
    while (by-- > 0) {
        int last = a[n - 1];
        for (int i = n - 1; i > 0; i--)
            a[i] = a[i - 1];
        a[0] = last;
    }
}
#ifdef BRUTE
static void brute(void)
{
    for (int n = -1; n < 4; n++)
        for (int by = -4; by < 5; by++) {
            int a[4] = {1, 2, 3, 4};
            TRY(rotate(a, n, by));
        }
    TRY(rotate(NULL, 2, 1));
}
#endif
