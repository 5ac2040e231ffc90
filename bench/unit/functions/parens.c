int parens(const char *s)
{
    int depth = 0;
    for (; *s; s++) {
        if (*s == '(') {
            depth++;
        } else if (*s == ')') {
            if (depth == 0)
                return 0;
            depth--;
        } else if (*s != ' ') {
            return -1;
        }
    }
    return depth == 0 ? 1 : 0;
}
#ifdef BRUTE
static void brute(void)
{
    static const char *const all[] = {"",  "(", ")",   "()",
                                      "a", " ", "(()", "())"};
    for (int i = 0; i < 8; i++)
        TRY(parens(all[i]));
    TRY(parens(0));
}
#endif
