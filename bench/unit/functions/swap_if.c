int sort_three(int *a, int *b, int *c)
{
    int swaps = 0, t;
    if (*a > *b) {
        t = *a, *a = *b, *b = t;
        swaps++;
    }
    if (*b > *c) {
        t = *b, *b = *c, *c = t;
        swaps++;
    }
    if (*a > *b) {
        t = *a, *a = *b, *b = t;
        swaps++;
    }
    return swaps;
}
#ifdef BRUTE
static void brute(void)
{
    for (int i = 0; i < 27; i++) {
        int a = i % 3, b = i / 3 % 3, c = i / 9;
        TRY(sort_three(&a, &b, &c));
    }
    int x = 0;
    TRY(sort_three(0, &x, &x));
    TRY(sort_three(&x, 0, &x));
    TRY(sort_three(&x, &x, 0));
}
#endif
