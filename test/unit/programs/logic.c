// What a branch side is where a value is kept, functions that do not return,
// callbacks, conditions that are constants on a path, unions with pointers.
#include <stddef.h>

_Noreturn void die(const char *why);

int both(int a, int b)
{
    int yes = a > 3 && b < 2;
    return yes;
}

int look(const int *p)
{
    if (!p)
        die("null");
    return *p > 3 ? 1 : 0;
}

struct handler {
    int id;
    int (*run)(void *self, int arg);
    void *self;
};
int dispatch(const struct handler *h, int id, int arg)
{
    if (h->id != id)
        return -1;
    if (!h->run)
        return -2;
    return h->run(h->self, arg) > 7 ? 1 : 0;
}

// ++digits > 3 is a constant on each path.
int digits(const char *s)
{
    int n = 0;
    while (*s >= '0' && *s <= '9') {
        s++;
        if (++n > 3)
            return -1;
    }
    return n;
}

struct item {
    unsigned kind : 2;
    union {
        struct {
            short x, y;
        } point;
        struct item *inner;
    } u;
};
int inside(const struct item *m)
{
    if (m->kind == 1)
        return m->u.point.x != m->u.point.y;
    return m->u.inner == m ? 2 : 3;
}

// An index below the array is never called inside.
int pick(const int *a, int low, int high)
{
    int n = 0;
    for (int i = low; i < high; i++)
        if (a[i] >= a[high])
            n++;
    return n;
}
