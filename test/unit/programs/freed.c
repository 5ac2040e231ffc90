// Memory that is used after it was given back.
#include <stdlib.h>
struct node {
    int v;
    struct node *next;
};
int free_list(struct node *n)
{
    int count = 0;
    while (n) {
        free(n);
        n = n->next;
        count++;
    }
    return count;
}
int twice(struct node *a, struct node *b)
{
    free(a);
    if (b->v > 3)
        free(b);
    return 1;
}
int own(int n)
{
    int *p = malloc(sizeof *p);
    *p = n;
    free(p);
    if (n > 7)
        return *p;
    return 0;
}
