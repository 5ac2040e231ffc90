int stack_run(const char *code)
{
    int stack[4], n = 0;
    for (; *code; code++) {
        if (*code >= '0' && *code <= '9') {
            if (n == 4)
                return -1;
            stack[n++] = *code - '0';
            continue;
        }
        if (n < 2)
            return -2;
        int b = stack[--n], a = stack[--n];
        switch (*code) {
        case '+':
            a += b;
            break;
        case '*':
            a *= b;
            break;
        case '/':
            a /= b;
            break;
        default:
            return -3;
        }
        stack[n++] = a;
    }
    return n == 1 ? stack[0] : -4;
}
#ifdef BRUTE
static void brute(void)
{
    EACH(const char *, s, "", "1", "/", "a", "+", "11+", "11*", "11/", "10/",
         "11x", "11", "11111", "1:", NULL)
    TRY(stack_run(*s));
}
#endif
