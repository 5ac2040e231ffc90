int bsearch_int(const int *a, int n, int key)
{
    int low = 0, high = n - 1;
    while (low <= high) {
        int middle = (low + high) / 2;
        if (a[middle] == key)
            return middle;
        if (a[middle] < key)
            low = middle + 1;
        else
            high = middle - 1;
    }
    return -1;
}
#ifdef BRUTE
static void brute(void)
{
    static const int a[] = {1, 3, 5, 7};
    for (int n = 0; n <= 4; n++)
        for (int k = 0; k < 9; k++)
            TRY(bsearch_int(a, n, k));
    TRY(bsearch_int(0, 1, 0));
}
#endif
