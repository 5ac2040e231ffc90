// Types that a test must be able to name.
#include <stddef.h>
#include <string.h>

typedef unsigned long count;
enum colour { RED = 1, GREEN = 5, BLUE };
typedef struct {
    int x, y;
} point;

struct box {
    const char *label;
    struct {
        short low, high;
    } range[2];
    union {
        int number;
        float part;
    } as;
    unsigned flag : 1, mode : 3;
    enum colour colour;
    char name[8];
};

static struct {
    int hits;
} stats;

int name_length(const char *const *names, count n)
{
    int sum = 0;
    for (count i = 0; i < n; i++)
        if (names[i] != NULL)
            sum += (int)strlen(names[i]);
    return sum;
}

int quadrant(point p)
{
    if (p.x > 0)
        return p.y > 0 ? 1 : 4;
    return p.y > 0 ? 2 : 3;
}

int look(const struct box *b)
{
    if (b->range[1].high < b->range[0].low)
        return -1;
    if (b->mode == 5)
        return b->as.number == 7;
    return b->colour == GREEN;
}

void hit(void)
{
    if (stats.hits < 3)
        stats.hits++;
}

double half(double x)
{
    return x < 0 ? -x / 2 : x / 2;
}

int apply(int (*step)(int), int n)
{
    return step ? step(n) : n;
}

int twice(int n)
{
    return 2 * n;
}

int fill(char *to, const char *from, size_t room)
{
    size_t n = strlen(from);
    if (n >= room)
        return 0;
    memcpy(to, from, n + 1);
    return 1;
}
