#include <string.h>
struct item {
    char name[8];
    int count;
};
struct store {
    struct item items[3];
    int n;
};
int take_item(struct store *s, const char *name, int count)
{
    if (count <= 0)
        return -1;
    for (int i = 0; i < s->n && i < 3; i++) {
        struct item *it = &s->items[i];
        if (strcmp(it->name, name) != 0)
            continue;
        if (it->count < count)
            return -2;
        it->count -= count;
        if (it->count == 0)
            *it = s->items[--s->n];
        return 1;
    }
    return 0;
}
#ifdef BRUTE
static void brute(void)
{
    EACH(const char *, name, "", "a", "b")
    for (int n = 0; n < 4; n++)
        for (int count = 0; count < 3; count++) {
            struct store s = {{{"", 1}, {"a", 2}}, n};
            TRY(take_item(&s, *name, count));
        }
    struct store s = {{{"", 1}}, 1};
    TRY(take_item(0, "", 1));
    TRY(take_item(&s, 0, 1));
    struct store three = {{{"x", 1}, {"y", 1}, {"z", 1}}, 4};
    TRY(take_item(&three, "a", 1));
}
#endif
