int weekday(int y, int m, int d)
{
    static const int t[] = {0, 3, 2, 5, 0, 3, 5, 1, 4, 6, 2, 4};
    if (m < 1 || m > 12 || d < 1 || d > 31 || y < 1)
        return -1;
    if (m < 3)
        y--;
    int w = (y + y / 4 - y / 100 + y / 400 + t[m - 1] + d) % 7;
    return w == 0 ? 7 : w;
}
#ifdef BRUTE
static void brute(void)
{
    for (int y = 0; y < 3; y++)
        for (int m = 0; m < 14; m++)
            for (int d = 0; d < 33; d++)
                TRY(weekday(y, m, d));
}
#endif
