int partition(int *a, int low, int high)
{
    int pivot = a[high], at = low;
    for (int i = low; i < high; i++) {
        if (a[i] >= pivot)
            continue;
        int t = a[i];
        a[i] = a[at];
        a[at++] = t;
    }
    a[high] = a[at];
    a[at] = pivot;
    return at;
}
#ifdef BRUTE
static void brute(void)
{
    for (int high = 0; high < 3; high++)
        for (int k = 0; k < 27; k++) {
            int a[3] = {k % 3, k / 3 % 3, k / 9};
            TRY(partition(a, 0, high));
        }
    TRY(partition(0, 0, 0));
}
#endif
