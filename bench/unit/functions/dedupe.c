int dedupe(int *a, int n)
{
    int kept = 0;
    for (int i = 0; i < n; i++) {
        if (kept > 0 && a[kept - 1] == a[i])
            continue;
        a[kept++] = a[i];
    }
    return kept;
}
#ifdef BRUTE
static void brute(void)
{
    for (int n = 0; n < 4; n++)
        for (int k = 0; k < 8; k++) {
            int a[3] = {k & 1, k >> 1 & 1, k >> 2};
            TRY(dedupe(a, n));
        }
    TRY(dedupe(NULL, 1));
}
#endif
