int word_count(const char *s)
{
    int words = 0, inside = 0;
    for (; *s; s++) {
        if (*s == ' ' || *s == '\t' || *s == '\n') {
            inside = 0;
        } else if (!inside) {
            inside = 1;
            words++;
        }
    }
    return words;
}
#ifdef BRUTE
static void brute(void)
{
    static const char letters[] = {'a', ' ', '\t', '\n'};
    char s[4] = "";
    TRY(word_count(s));
    for (int k = 0; k < 64; k++) {
        s[0] = letters[k & 3];
        s[1] = letters[k >> 2 & 3];
        s[2] = letters[k >> 4];
        TRY(word_count(s));
    }
    TRY(word_count(NULL));
}
#endif
