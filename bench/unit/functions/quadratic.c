int quadratic(double a, double b, double c)
{
    if (a == 0)
        return b == 0 ? (c == 0 ? 3 : 0) : 1;
    double d = b * b - 4 * a * c;
    if (d < 0)
        return 0;
    if (d == 0)
        return 1;
    return d > 0 ? 2 : -1;
}
#ifdef BRUTE
static void brute(void)
{
    for (int a = -2; a < 3; a++)
        for (int b = -2; b < 3; b++)
            for (int c = -2; c < 3; c++)
                TRY(quadratic(a, b, c));
    TRY(quadratic(__builtin_nan(""), 0, 0));
}
#endif
