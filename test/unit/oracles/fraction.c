// Fractions in lowest terms, and an array of them that keeps the old ones.
#include <stdlib.h>

struct fraction {
    int top, bottom;
};
struct row {
    int length;
    struct fraction *at[];
};

static int magnitude(int a)
{
    return a < 0 ? -a : a;
}

static int common(int a, int b)
{
    while (b != 0) {
        int rest = a % b;
        a = b;
        b = rest;
    }
    if (a >= 0)
        return a;
    return -a;
}

int multiple(int a, int b)
{
    if (a < b) {
        int keep = a;
        a = b;
        b = keep;
    }
    int d = common(a, b);
    int product = a * b;
    if (product < 0)
        product = -product;
    if (d == 0)
        return -1;
    return product / d;
}

void reduce(struct fraction *f)
{
    int d = common(f->top, f->bottom);
    f->top = f->top / d;
    f->bottom = f->bottom / d;
}

void copy_row(struct row *from, struct row *to, int length);

struct row *reduce_all(struct row *r)
{
    int length = r->length;
    struct row *old =
        malloc(sizeof *old + (size_t)length * sizeof old->at[0]);
    old->length = length;
    copy_row(r, old, length);
    for (int i = 0; i < length; i++)
        reduce(r->at[i]);
    return old;
}

int use_magnitude(int a)
{
    return magnitude(a);
}
