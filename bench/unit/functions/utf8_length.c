int utf8_length(const unsigned char *s)
{
    int n = 0;
    while (*s) {
        int more;
        if (*s < 0x80)
            more = 0;
        else if ((*s & 0xe0) == 0xc0)
            more = 1;
        else if ((*s & 0xf0) == 0xe0)
            more = 2;
        else
            return -1;
        s++;
        while (more-- > 0) {
            if ((*s & 0xc0) != 0x80)
                return -2;
            s++;
        }
        n++;
    }
    return n;
}
#ifdef BRUTE
static void brute(void)
{
    EACH(const char *, s, "", "a", "\xff", "\xc3", "\xc3\x80", "\xe2\x82",
         "\xe2\x82\x80", NULL)
    TRY(utf8_length((const unsigned char *)*s));
}
#endif
