int add(int a, int b)
{
    return a + b;
}
int largest(int a, int b)
{
    return a > b ? a : b;
}
int fold(int (*f)(int, int), const int *a, int n)
{
    if (!f || n < 1)
        return 0;
    int r = a[0];
    for (int i = 1; i < n; i++)
        r = f(r, a[i]);
    return r > 10 ? 10 : r;
}
#ifdef BRUTE
static void brute(void)
{
    for (int n = 0; n < 3; n++)
        EACH(int, x, 0, 11)
        {
            int a[2] = {*x, 1};
            TRY(fold(add, a, n));
            TRY(fold(largest, a, n));
            TRY(fold(0, a, n));
        }
    TRY(fold(add, 0, 1));
}
#endif
