// Pointers into the middle of an object, to one of another type, to a variable.
#include <stddef.h>

#define COLUMNS 2

struct pool {
    unsigned used;
    unsigned char memory[4][16];
};
struct reader {
    const unsigned char *at, *end;
};
struct item {
    int value;
} last;

int pool_put(struct pool *p, void *block)
{
    unsigned char *c = block;
    if (c < p->memory[0] || c >= p->memory[0] + sizeof p->memory)
        return -1;
    size_t offset = (size_t)(c - p->memory[0]);
    if (offset % 16)
        return -2;
    p->used &= ~(1u << offset / 16);
    return 0;
}

int is_last(const struct item *i)
{
    if (i == &last)
        return 1;
    return 0;
}

static int is_next(const int *a, const int *b)
{
    return a + 1 == b;
}

int neighbours(const int *a, const int *b)
{
    if (is_next(a, b) || is_next(b, a))
        return 1;
    return 0;
}

int read_two(struct reader *r)
{
    if (r->end - r->at < 2)
        return -1;
    if (r->at[0] == 0xff && r->at[1] == 0xfe)
        return 1;
    return 0;
}

const void *find(const void *in, size_t n, unsigned char byte)
{
    const unsigned char *p = in;
    for (size_t i = 0; i < n; i++)
        if (p[i] == byte)
            return p + i;
    return NULL;
}

int row_of(int table[COLUMNS][COLUMNS], int value)
{
    for (int i = 0; i < COLUMNS; i++)
        if (table[i][0] == value)
            return i;
    return -1;
}

struct link {
    struct link *next;
};
struct entry {
    int key, weight;
    struct link link;
};

int weigh_all(struct link *head, int least)
{
    int sum = 0;
    for (struct link *l = head->next; l != head; l = l->next) {
        struct entry *e =
            (struct entry *)((char *)l - offsetof(struct entry, link));
        if (e->key < least)
            continue;
        sum += e->weight;
        if (sum > 100)
            return -1;
    }
    return sum;
}

struct list {
    int n;
    struct link head;
};

int longest(const struct list *all)
{
    int n = 0;
    for (const struct link *l = all->head.next; l != &all->head; l = l->next) {
        const struct entry *e =
            (const struct entry *)((const char *)l -
                                   offsetof(struct entry, link));
        if (e->weight > n)
            n = e->weight;
    }
    return n;
}

int first_key(const struct link *l)
{
    int n = 0;
    for (; l; l = l->next) {
        const struct entry *e =
            (const struct entry *)((const char *)l -
                                   offsetof(struct entry, link));
        if (e->key == 7)
            return 1;
        n++;
    }
    return n > 1 ? 2 : 0;
}
