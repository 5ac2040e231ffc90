#include <limits.h>

int pre_reduce(struct fraction *f)
{
    return f != NULL && f->top > INT_MIN && f->bottom > INT_MIN;
}

int pre_reduce_all(struct row *r)
{
    return r == NULL ||
           (r->length >= 0 &&
            (r->length == 0 || !r->at[0] ||
             (r->at[0]->top > INT_MIN && r->at[0]->bottom > INT_MIN)));
}

int pre_multiple(int a, int b)
{
    return -1000 <= a && a <= 1000 && -1000 <= b && b <= 1000;
}
