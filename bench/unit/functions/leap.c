int leap(int year)
{
    if (year % 400 == 0)
        return 1;
    if (year % 100 == 0)
        return 0;
    return year % 4 == 0 ? 1 : 0;
}
#ifdef BRUTE
static void brute(void)
{
    for (int y = -5; y < 2005; y++)
        TRY(leap(y));
}
#endif
