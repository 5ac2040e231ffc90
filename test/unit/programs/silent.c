// Calls that go wrong without a signal, or never end.
#include <stdlib.h>
#include <string.h>

int copy(char *d, const char *s)
{
    char b[8];
    if (strlen(s) > 8)
        return -1;
    strcpy(b, s);
    strcpy(d, b);
    return 0;
}

int put(unsigned n, char c)
{
    char *q = malloc(n);
    if (c == 'Z')
        q[n] = 0;
    free(q);
    return 0;
}

struct named {
    char name[4];
    int n;
};

int rename_at(struct named *p, int i)
{
    if (i < 0 || i > 5)
        return 0;
    p->name[i] = 'x';
    return p->n;
}

int halves(unsigned n)
{
    int k = 0;
    while (n != 1) {
        n /= 2;
        k++;
    }
    return k;
}

struct node {
    struct node *next;
};

int length(const struct node *n)
{
    int k = 0;
    for (; n; n = n->next)
        k++;
    return k;
}
