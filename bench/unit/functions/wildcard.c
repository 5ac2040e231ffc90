int wildcard(const char *p, const char *s)
{
    if (!*p)
        return !*s;
    if (*p == '*')
        return wildcard(p + 1, s) || (*s && wildcard(p, s + 1));
    if (*p == '?' ? !*s : *p != *s)
        return 0;
    return wildcard(p + 1, s + 1);
}
#ifdef BRUTE
static void brute(void)
{
    EACH(const char *, p, "", "a", "*", "?", "b", "*a", NULL)
    EACH(const char *, s, "", "a", "b", "ab", NULL)
    TRY(wildcard(*p, *s));
}
#endif
