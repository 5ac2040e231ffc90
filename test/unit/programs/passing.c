// How values come to a function and leave it: structs in registers, errno,
// functions of its own through a pointer, a null that a callee follows.
#include <errno.h>
#include <setjmp.h>

struct rect {
    int a, b, c, d;
};
struct mixed {
    double x;
    int n;
};

struct rect pieces(struct rect r, int k, struct mixed m, const struct rect *y)
{
    if (r.c == 12345 && k == 77)
        r.a = m.n == 31337 ? 1 : 2;
    else if (y->d == r.d + 55555)
        r.a = 3;
    return r;
}

int checked(int n)
{
    if (n < 0) {
        errno = EDOM;
        return -1;
    }
    return errno == EDOM ? 1 : 0;
}

struct getter {
    int (*get)(struct getter *);
    int n;
};
static int twice(struct getter *g)
{
    return g->n * 2;
}
int through(struct getter *g)
{
    return g->get && g->get(g) == 10 ? 1 : 0;
}
int nested(struct getter *g)
{
    return twice(g) == 4 ? 1 : 0;
}

static jmp_buf back;
int jumps(int n)
{
    return setjmp(back) ? n : 0;
}

// A result that depends on where an object lies: no test may expect it.
struct bits {
    unsigned char set[20];
};
struct bits bits_of(const int *p)
{
    struct bits b = {{(unsigned char)*p}};
    for (int i = 0; i < 20; i++)
        b.set[i] = (unsigned char)((unsigned long)p >> (12 + i) & 1);
    return b;
}
