// Names that the tool has, too: the program's own count.
#include <stddef.h>
struct text {
    char *at;
    size_t n;
};
int text_add(struct text *t, const char *s)
{
    return t && s ? 1 : 0;
}
int json_object(int n)
{
    return n > 3 ? text_add(NULL, "a") : text_add(&(struct text){0}, "a");
}
int die(int x)
{
    return x == 5 ? 1 : 2;
}
