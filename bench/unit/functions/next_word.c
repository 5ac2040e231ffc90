int next_word(const char **s)
{
    if (!*s)
        return -1;
    while (**s == ' ')
        ++*s;
    int n = 0;
    while (**s && **s != ' ') {
        ++*s;
        n++;
    }
    if (!**s)
        *s = 0;
    return n;
}
#ifdef BRUTE
static void brute(void)
{
    EACH(const char *, t, "", "a", " ", " a", "a ", NULL)
    {
        const char *s = *t;
        TRY(next_word(&s));
    }
    TRY(next_word(NULL));
}
#endif
