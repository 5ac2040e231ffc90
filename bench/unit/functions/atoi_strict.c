int atoi_strict(const char *s, int *out)
{
    int sign = 1, n = 0;
    if (*s == '-') {
        sign = -1;
        s++;
    } else if (*s == '+') {
        s++;
    }
    if (!*s)
        return 0;
    for (; *s; s++) {
        if (*s < '0' || *s > '9')
            return 0;
        if (n > 99999)
            return 0;
        n = 10 * n + (*s - '0');
    }
    *out = sign * n;
    return 1;
}
#ifdef BRUTE
static void brute(void)
{
    static const char *const all[] = {"",   "-",  "+",   "7",       "-12",
                                      "+3", "1a", "1/2", "1234567", "a"};
    int x;
    for (int i = 0; i < 10; i++)
        TRY(atoi_strict(all[i], &x));
    TRY(atoi_strict(0, &x));
    TRY(atoi_strict("1", 0));
}
#endif
