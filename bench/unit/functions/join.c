#include <stddef.h>
struct node {
    int v;
    struct node *next;
};
struct node *join(struct node *a, struct node *b)
{
    if (!a)
        return b;
    struct node *last = a;
    while (last->next) {
        last = last->next;
        if (last == b)
            return NULL;
    }
    if (last == b)
        return a;
    last->next = b;
    return a;
}
#ifdef BRUTE
static void brute(void)
{
    struct node n[3];
#define FRESH n[0] = (struct node){0, &n[1]}, n[1] = n[2] = (struct node){0, 0}
    FRESH;
    TRY(join(NULL, NULL));
    FRESH;
    TRY(join(&n[0], NULL));
    FRESH;
    TRY(join(&n[0], &n[2]));
    FRESH;
    TRY(join(&n[0], &n[1]));
    FRESH;
    TRY(join(&n[1], &n[1]));
    FRESH;
    TRY(join(&n[1], &n[0]));
}
#endif
