int run_length(const char *from, char *to, int room)
{
    int used = 0;
    while (*from) {
        int n = 1;
        while (from[n] == *from && n < 9)
            n++;
        if (used + 2 > room)
            return -1;
        to[used++] = (char)('0' + n);
        to[used++] = *from;
        from += n;
    }
    return used;
}
#ifdef BRUTE
static void brute(void)
{
    char to[16];
    EACH(const char *, s, "", "a", "aa", "ab", "aaaaaaaaa", "aaaaaaaaaa", NULL)
    for (int room = 0; room < 9; room++)
        TRY(run_length(*s, to, room));
    TRY(run_length("a", 0, 2));
}
#endif
