#include <stddef.h>
struct entry {
    int key;
    struct entry *next;
};
struct entry *insert_sorted(struct entry *list, struct entry *new)
{
    struct entry **at = &list;
    while (*at && (*at)->key < new->key)
        at = &(*at)->next;
    if (*at && (*at)->key == new->key)
        return list;
    new->next = *at;
    *at = new;
    return list;
}
#ifdef BRUTE
static void brute(void)
{
    for (int k = 0; k < 6; k++) {
        struct entry b = {4, NULL}, a = {2, &b}, n = {k, NULL};
        TRY(insert_sorted(&a, &n));
    }
    struct entry n = {1, NULL};
    TRY(insert_sorted(NULL, &n));
    TRY(insert_sorted(NULL, NULL));
    TRY(insert_sorted(&n, NULL));
}
#endif
