int roman(const char *s)
{
    int total = 0, before = 1000;
    for (; *s; s++) {
        int v;
        switch (*s) {
        case 'I':
            v = 1;
            break;
        case 'V':
            v = 5;
            break;
        case 'X':
            v = 10;
            break;
        case 'L':
            v = 50;
            break;
        default:
            return -1;
        }
        if (v > before)
            total -= 2 * before;
        total += v;
        before = v;
    }
    return total;
}
#ifdef BRUTE
static void brute(void)
{
    static const char letters[] = {'I', 'V', 'X', 'L', '?'};
    char s[3] = "";
    TRY(roman(s));
    for (int k = 0; k < 25; k++) {
        s[0] = letters[k % 5];
        s[1] = letters[k / 5];
        TRY(roman(s));
    }
    TRY(roman(NULL));
}
#endif
