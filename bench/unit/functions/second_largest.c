int second_largest(const int a[5])
{
    int first, second;
    if (a[0] > a[1]) {
        first = a[0];
        second = a[1];
    } else {
        first = a[1];
        second = a[0];
    }
    for (int i = 2; i < 5; i++) {
        if (a[i] > first) {
            second = first;
            first = a[i];
        } else if (a[i] > second && a[i] != first) {
            second = a[i];
        }
    }
    return second;
}
#ifdef BRUTE
static void brute(void)
{
    for (int k = 0; k < 243; k++) {
        int a[5], v = k;
        for (int i = 0; i < 5; i++, v /= 3)
            a[i] = v % 3;
        TRY(second_largest(a));
    }
    TRY(second_largest(NULL));
}
#endif
