unsigned gcd_binary(unsigned a, unsigned b)
{
    unsigned shift = 0;
    if (a == 0)
        return b;
    if (b == 0)
        return a;
    while (((a | b) & 1) == 0) {
        a >>= 1;
        b >>= 1;
        shift++;
    }
    while (b != 0) {
        while ((a & 1) == 0)
            a >>= 1;
        while ((b & 1) == 0)
            b >>= 1;
        if (a >= b)
            a -= b;
        else
            b -= a;
        if (a == 0)
            return b << shift;
    }
    return a << shift;
}
#ifdef BRUTE
static void brute(void)
{
    for (unsigned a = 0; a < 40; a++)
        for (unsigned b = 0; b < 40; b++)
            TRY(gcd_binary(a, b));
}
#endif
