#include <string.h>
char *trim(char *s)
{
    while (*s == ' ')
        s++;
    size_t n = strlen(s);
    while (n > 0 && s[n - 1] == ' ')
        s[--n] = '\0';
    return s;
}
#ifdef BRUTE
static void brute(void)
{
    EACH(const char *, t, "", "a", " ", " a", "a ", " a ")
    {
        char s[8];
        strcpy(s, *t);
        TRY(trim(s));
    }
    TRY(trim(NULL));
}
#endif
