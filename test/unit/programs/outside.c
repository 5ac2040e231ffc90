// What comes from outside: the environment, a struct that another file fills;
// an index that only one sanitizer tells; rows of numbers; complex numbers.
#include <complex.h>
#include <stdlib.h>
#include <unistd.h>

const char *home_of(void)
{
    const char *h = getenv("HOME");
    if (!h || !*h)
        return "/";
    return h;
}

struct box {
    int width, height;
};
int load_box(struct box *b);

// Without its code nobody knows what it fills in.
int area(void)
{
    struct box b;
    if (load_box(&b) != 0)
        return -1;
    if (b.width <= 0)
        return -2;
    return b.width * b.height;
}

static int depth;
static char names[4][8];

// The address is wrong, but nothing is read there.
const char *pop_name(void)
{
    if (depth == 0)
        return NULL;
    return names[--depth];
}

int cell_of(const int (*rows)[4], unsigned i, unsigned j)
{
    if (i >= 3 || j > 4)
        return -1;
    return rows[i][j];
}

double norm(double complex z)
{
    return creal(z) == 0 ? cimag(z) : creal(z);
}

// Other functions of the file may start processes; tests need fork() themselves.
int start(int n)
{
    return n > 0 ? (int)fork() : -1;
}
