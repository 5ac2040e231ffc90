static int sum(const char **s, int *bad);
static int atom(const char **s, int *bad)
{
    int v = 0;
    if (**s == '(') {
        ++*s;
        v = sum(s, bad);
        if (**s != ')')
            *bad = 1;
        else
            ++*s;
        return v;
    }
    if (**s < '0' || **s > '9') {
        *bad = 1;
        return 0;
    }
    while (**s >= '0' && **s <= '9')
        v = v * 10 + *(*s)++ - '0';
    return v;
}
static int sum(const char **s, int *bad)
{
    int v = atom(s, bad);
    while (!*bad && (**s == '+' || **s == '-')) {
        char op = *(*s)++;
        int w = atom(s, bad);
        v = op == '+' ? v + w : v - w;
    }
    return v;
}
int expression(const char *s)
{
    int bad = 0;
    int v = sum(&s, &bad);
    if (bad)
        return -1;
    if (*s)
        return -2;
    return v == 42 ? 1 : 0;
}
#ifdef BRUTE
static void brute(void)
{
    EACH(const char *, s, "", "1", "42", "1+", "1x", "(1)", "41+1", NULL)
    TRY(expression(*s));
}
#endif
