// Memory that grows, and what it holds before anybody writes to it; callbacks
// that answer yes or no; texts and numbers behind pointers of one size.
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct text {
    char *at;
    size_t n, room;
};

int text_add(struct text *t, const char *more, size_t n)
{
    if (t->n + n + 1 > t->room) {
        size_t room = 2 * t->room;
        if (room < t->n + n + 1)
            room = t->n + n + 1;
        char *at = realloc(t->at, room);
        if (!at)
            return -1;
        t->at = at;
        t->room = room;
    }
    memcpy(t->at + t->n, more, n);
    t->n += n;
    t->at[t->n] = '\0';
    return 0;
}

struct heap {
    int *at;
    size_t n, room;
};

int heap_put(struct heap *h, int v)
{
    if (h->n == h->room) {
        size_t room = h->room ? 2 * h->room : 4;
        int *at = realloc(h->at, room * sizeof *at);
        if (!at)
            return -1;
        h->at = at;
        h->room = room;
    }
    if (h->n && h->at[h->n - 1] > v)
        return 1;
    h->at[h->n++] = v;
    return 0;
}

// The memory is not needed, but it may be refused.
int can_have(int n)
{
    char *p = n > 0 && n < 100 ? malloc((size_t)n) : NULL;
    if (!p)
        return 0;
    free(p);
    return 1;
}

struct button {
    bool (*enabled)(const struct button *);
    int presses;
};

int press(struct button *b)
{
    if (b->enabled && !b->enabled(b))
        return 0;
    return ++b->presses;
}

// Digits become numbers.
int digits(const char *s, uint8_t out[4])
{
    int n = 0;
    for (; *s >= '0' && *s <= '9'; s++) {
        if (n == 4)
            return -1;
        out[n++] = (uint8_t)(*s - '0');
    }
    return *s == '\0' ? n : -2;
}
