int average(int sum, int count, int scale)
{
    if (scale < 1 || scale > 4)
        return 0;
    int mean = sum / count;
    if (mean > 100)
        return mean / scale;
    return sum % scale;
}
#ifdef BRUTE
static void brute(void)
{
    EACH(int, sum, 0, 1, 5, 1000, -2147483647 - 1)
    EACH(int, count, 0, 1, -1, 2)
    for (int scale = 0; scale < 6; scale++)
        TRY(average(*sum, *count, scale));
}
#endif
