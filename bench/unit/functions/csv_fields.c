int csv_fields(const char *line)
{
    enum { START, PLAIN, QUOTED, CLOSED } state = START;
    int fields = 1;
    for (; *line; line++) {
        switch (state) {
        case START:
            if (*line == '"')
                state = QUOTED;
            else if (*line == ',')
                fields++;
            else
                state = PLAIN;
            break;
        case PLAIN:
            if (*line == ',') {
                fields++;
                state = START;
            } else if (*line == '"') {
                return -1;
            }
            break;
        case QUOTED:
            if (*line == '"')
                state = CLOSED;
            break;
        case CLOSED:
            if (*line == '"')
                state = QUOTED;
            else if (*line == ',')
                fields++, state = START;
            else
                return -2;
            break;
        }
    }
    return state == QUOTED ? -3 : fields;
}
#ifdef BRUTE
static void brute(void)
{
    static const char letters[] = {'a', ',', '"'};
    char s[6] = "";
    TRY(csv_fields(s));
    for (int n = 1; n < 6; n++)
        for (int k = 0, most = n == 1   ? 3
                               : n == 2 ? 9
                               : n == 3 ? 27
                               : n == 4 ? 81
                                        : 243;
             k < most; k++) {
            memset(s, 0, sizeof s);
            for (int i = 0, v = k; i < n; i++, v /= 3)
                s[i] = letters[v % 3];
            TRY(csv_fields(s));
        }
    TRY(csv_fields(NULL));
}
#endif
