double clamp(double x, double low, double high)
{
    if (!(low <= high))
        return 0.0;
    if (x < low)
        return low;
    if (x > high)
        return high;
    return x;
}
#ifdef BRUTE
static void brute(void)
{
    for (int x = -3; x < 4; x++)
        TRY(clamp(x, -1, 1));
    TRY(clamp(0, 2, 1));
}
#endif
