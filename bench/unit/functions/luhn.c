int luhn(const char *digits)
{
    int sum = 0, odd = 0, n = 0;
    while (digits[n])
        n++;
    if (n < 2)
        return 0;
    for (int i = n - 1; i >= 0; i--) {
        int d = digits[i] - '0';
        if (d < 0 || d > 9)
            return -1;
        if (odd) {
            d *= 2;
            if (d > 9)
                d -= 9;
        }
        odd = !odd;
        sum += d;
    }
    return sum % 10 == 0;
}
#ifdef BRUTE
static void brute(void)
{
    EACH(const char *, s, "", "00", "a0", "/0", "18", "05", "91", NULL)
    TRY(luhn(*s));
}
#endif
