// What void * stands for is what a variable takes it for.
#include <string.h>

struct list {
    int n;
    struct list *next;
};

int visit(void *self, int v)
{
    struct list *l = self;
    if (v < 0)
        return -1;
    l->n += v;
    return l->next && l->next->n == v;
}

int by_length(const void *a, const void *b)
{
    const char *const *x = a, *const *y = b;
    size_t n = strlen(*x), m = strlen(*y);
    if (n != m)
        return n < m ? -1 : 1;
    return strcmp(*x, *y);
}

// One or the other.
int look(int kind, const void *p)
{
    if (kind == 1) {
        const struct list *l = p;
        return l->n > 5;
    }
    const char *s = p;
    return s[0] == 'x' && s[1] == 'y';
}
