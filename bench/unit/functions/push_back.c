#include <stdlib.h>
struct vec {
    int *at;
    unsigned n, cap;
};
int push_back(struct vec *v, int x)
{
    if (v->n == v->cap) {
        unsigned cap = v->cap ? 2 * v->cap : 4;
        int *at = realloc(v->at, cap * sizeof *at);
        if (!at)
            return -1;
        v->at = at;
        v->cap = cap;
    }
    v->at[v->n++] = x;
    return (int)v->n;
}
#ifdef BRUTE
static void brute(void)
{
    struct vec v = {0};
    for (int i = 0; i < 9; i++)
        TRY(push_back(&v, i));
    TRY(push_back(0, 1));
    v = (struct vec){0, 0, 1};
    TRY(push_back(&v, 1));
}
#endif
