void heap_down(int heap[], int n, int at)
{
    for (;;) {
        int big = at, l = 2 * at + 1, r = 2 * at + 2;
        if (l < n && heap[l] > heap[big])
            big = l;
        if (r < n && heap[r] > heap[big])
            big = r;
        if (big == at)
            return;
        int t = heap[at];
        heap[at] = heap[big];
        heap[big] = t;
        at = big;
    }
}
#ifdef BRUTE
static void brute(void)
{
    for (int n = 0; n < 4; n++)
        for (int k = 0; k < 27; k++) {
            int a[3] = {k % 3, k / 3 % 3, k / 9};
            TRY(heap_down(a, n, 0));
        }
    TRY(heap_down(0, 2, 0));
}
#endif
