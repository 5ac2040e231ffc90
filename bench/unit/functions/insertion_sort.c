int insertion_sort(int *a, int n)
{
    int moves = 0;
    for (int i = 1; i < n; i++) {
        int v = a[i], j = i;
        while (j > 0 && a[j - 1] > v) {
            a[j] = a[j - 1];
            j--;
            moves++;
        }
        a[j] = v;
    }
    return moves;
}
#ifdef BRUTE
static void brute(void)
{
    for (int n = 0; n < 4; n++)
        for (int k = 0; k < 27; k++) {
            int a[3] = {k % 3, k / 3 % 3, k / 9};
            TRY(insertion_sort(a, n));
        }
    TRY(insertion_sort(0, 0));
    TRY(insertion_sort(0, 2));
}
#endif
