#include <stdlib.h>
static void die(int code)
{
    exit(code);
}
struct pool {
    unsigned used, size;
    char *at;
};
void *allocate(struct pool *p, unsigned n)
{
    if (!p)
        die(3);
    if (n > p->size || p->used > p->size - n)
        return 0;
    n = (n + 7) & ~7u;
    void *r = p->at + p->used;
    p->used += n;
    if (p->used > p->size)
        p->used = p->size;
    return r;
}
#ifdef BRUTE
static void brute(void)
{
    char room[32];
    for (unsigned used = 0; used < 12; used++)
        for (unsigned size = 0; size < 12; size++)
            for (unsigned n = 0; n < 12; n++) {
                struct pool p = {used, size, room};
                TRY(allocate(&p, n));
            }
    TRY(allocate(0, 1));
}
#endif
