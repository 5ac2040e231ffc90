int parse_ip(const char *s, unsigned char out[4])
{
    for (int i = 0; i < 4; i++) {
        int v = 0, digits = 0;
        while (*s >= '0' && *s <= '9') {
            v = v * 10 + *s++ - '0';
            if (++digits > 3 || v > 255)
                return -1;
        }
        if (!digits)
            return -2;
        out[i] = (unsigned char)v;
        if (i < 3 && *s++ != '.')
            return -3;
    }
    return *s ? -4 : 0;
}
#ifdef BRUTE
static void brute(void)
{
    unsigned char out[4];
    EACH(const char *, s, "", "1", "1.2.3.4", "1.2.3.4x", "0000", "256", "a",
         ":", "1:", "1/", "1.2.3.", "1.2.3.4.", NULL)
    {
        TRY(parse_ip(*s, out));
        TRY(parse_ip(*s, NULL));
    }
}
#endif
