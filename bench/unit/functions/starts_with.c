#include <string.h>
int starts_with(const char *s, const char *prefix)
{
    size_t n = strlen(prefix);
    if (n > strlen(s))
        return 0;
    if (strncmp(s, prefix, n) != 0)
        return 0;
    return s[n] ? 1 : 2;
}
#ifdef BRUTE
static void brute(void)
{
    EACH(const char *, s, "", "a", "b", "ab", NULL)
    EACH(const char *, p, "", "a", "b", "ab", NULL)
    TRY(starts_with(*s, *p));
}
#endif
