#include <stddef.h>
struct link {
    int value;
    struct link *next;
};
struct link *reverse_list(struct link *l)
{
    struct link *out = NULL;
    while (l) {
        struct link *next = l->next;
        l->next = out;
        out = l;
        l = next;
    }
    return out;
}
#ifdef BRUTE
static void brute(void)
{
    struct link b = {2, NULL}, a = {1, &b};
    TRY(reverse_list(NULL));
    TRY(reverse_list(&a));
}
#endif
