int triangle(int a, int b, int c)
{
    if (a <= 0 || b <= 0 || c <= 0)
        return -1;
    if (a + b <= c || b + c <= a || a + c <= b)
        return 0;
    if (a == b && b == c)
        return 3;
    if (a == b || b == c || a == c)
        return 2;
    return 1;
}
#ifdef BRUTE
static void brute(void)
{
    for (int a = -1; a < 6; a++)
        for (int b = -1; b < 6; b++)
            for (int c = -1; c < 6; c++)
                TRY(triangle(a, b, c));
}
#endif
