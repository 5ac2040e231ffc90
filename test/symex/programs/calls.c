// Functions that call others: with the callees' summaries and with their code
// the paths must be the same.
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

// ---- numbers ----

static int sign(int x)
{
    if (x < 0)
        return -1;
    return x > 0;
}

int signs(int a, int b, int c)
{
    int s = sign(a) + sign(b) + sign(c);
    if (s == 3)
        return 1;
    if (s == -3)
        return 2;
    return 0;
}

static int clamp(int x, int lo, int hi)
{
    return x < lo ? lo : x > hi ? hi : x;
}

int clamps(int a, int b)
{
    int x = clamp(a, 0, 10), y = clamp(b, x, 20), z = clamp(3, 0, 5);
    return x + y + z == 33;
}

// A side that is impossible whatever it is called with.
static int twice(int x)
{
    unsigned y = (unsigned)x * 6u;
    if (y % 2)
        abort();
    return (int)(y / 3);
}

int doubled(int a, int b)
{
    return twice(a) > twice(b) ? twice(a - b) : twice(b - a);
}

static int halvings(unsigned n)
{
    int k = 0;
    while (n > 1) {
        n /= 2;
        k++;
    }
    return k;
}

// Constants make a loop run that the summary has only a few turns of.
int halved(unsigned a, unsigned b)
{
    return halvings(a) + halvings(1000) == halvings(b) + halvings(600) + 1;
}

static int fact(int n)
{
    return n <= 1 ? 1 : n * fact(n - 1);
}

int facts(int n)
{
    if (fact(n) == 6)
        return fact(5);
    return fact(n - 1) + fact(2);
}

static int is_odd(unsigned n);
static int is_even(unsigned n)
{
    return n == 0 ? 1 : is_odd(n - 1);
}
static int is_odd(unsigned n)
{
    return n == 0 ? 0 : is_even(n - 1);
}

int both(unsigned a, unsigned b)
{
    return is_even(a) && is_odd(b) && is_even(4);
}

// ---- deep ----

static int d1(int x)
{
    return x > 10 ? x - 10 : x;
}
static int d2(int x)
{
    return d1(x) > 5 ? d1(x + 1) : 0;
}
static int d3(int x)
{
    return d2(x) + d2(x + 2);
}

int deep(int x)
{
    return d3(x) == 7 ? d3(x - 1) : d1(x);
}

// ---- memory ----

struct node {
    int data;
    struct node *next;
};

static int first(const struct node *n)
{
    return n ? n->data : -1;
}

int firsts(struct node *a, struct node *b)
{
    if (first(a) == first(b))
        return a == b;
    return first(a->next);
}

static void set(struct node *n, int v)
{
    n->data = v;
}

int aliased(struct node *a, struct node *b, struct node *c)
{
    set(a, 1);
    set(b, 2);
    set(c, 3);
    return a->data + b->data;
}

static void swap(int *a, int *b)
{
    int t = *a;
    *a = *b;
    *b = t;
}

int swapped(int *x, int *y, int *z)
{
    swap(x, y);
    swap(y, z);
    if (*x > *y)
        swap(x, y);
    return *x;
}

int swap_locals(int a, int b)
{
    int t[2] = {a, b};
    swap(&t[0], &t[1]);
    if (t[0] > t[1])
        swap(t + 1, t);
    return t[0] <= t[1];
}

static struct node *last(struct node *n)
{
    while (n->next)
        n = n->next;
    return n;
}

int joined(struct node *a, struct node *b)
{
    last(a)->next = b;
    if (last(a) == a)
        return 1;
    return last(b)->data;
}

// The pointer that a call gets is one of two.
int picked(struct node *a, struct node *b, int c)
{
    struct node *p = a->data > 0 ? a : b;
    set(p, c);
    p = c ? p->next : a;
    set(p, 5);
    return first(p) + first(b);
}

static int table_at(unsigned i)
{
    static const int squares[] = {0, 1, 4, 9, 16};
    return i < 5 ? squares[i] : -1;
}

int tables(unsigned i, unsigned j)
{
    return table_at(i) == table_at(j) + table_at(2) + 1;
}

static int counter;

static int next_number(void)
{
    return ++counter;
}

int numbers(void)
{
    int a = next_number(), b = next_number();
    if (a > b)
        return next_number();
    return b == 8;
}

static void remember(int **where, int *what)
{
    *where = what;
}

// A local that a callee hands on.
int handed(int v)
{
    int here = v, other = 7, *p = NULL;
    remember(&p, &here);
    *p = v + 1;
    remember(&p, &other);
    *p = 9;
    return here == 5 ? other : here;
}

static int sum_three(const int *at, int n)
{
    int s = 0;
    for (int i = 0; i < n; i++)
        s += at[i];
    return s;
}

int sums(const int *at, int n)
{
    int three[3] = {1, 2, 3};
    if (sum_three(three, 3) != 6)
        return -1;
    return sum_three(at, n) > sum_three(three, 2);
}

static struct node *make(int v)
{
    struct node *n = malloc(sizeof *n);
    n->data = v;
    n->next = NULL;
    return n;
}

int made(int a, int b)
{
    struct node *x = make(a), *y = make(b);
    x->next = y;
    int out = x->next->data == a ? 1 : 0;
    free(x);
    if (b == 3)
        free(x);
    return out;
}

// ---- the C library, copies, ends ----

static int starts(const char *s, const char *with)
{
    return strncmp(s, with, 2) == 0;
}

int words(const char *s)
{
    if (starts(s, "ab"))
        return 1;
    return starts(s, "cd") ? 2 : (int)strlen(s) == 1;
}

struct box {
    int w, h, d;
    long v[3];
};

static struct box grow(struct box b, int by)
{
    b.w += by;
    if (b.w > 10)
        b.w = 10;
    return b;
}

int boxes(struct box *a, struct box *b)
{
    struct box x = grow(*a, 1);
    x = grow(x, 2);
    *b = grow(x, a->h);
    return b->w == 10;
}

static void check(int ok)
{
    if (!ok)
        exit(3);
}

int checked(int a, int b)
{
    check(a > b);
    check(b > 0);
    return a / b;
}

static int divide(int a, int b)
{
    return a / b;
}

int divided(int a, int b)
{
    return divide(a, b) > 2 ? divide(b, a) : divide(a - b, 3);
}

static int less(int a, int b)
{
    return a < b;
}
static int more(int a, int b)
{
    return a > b;
}

static int apply(int (*f)(int, int), int a, int b)
{
    return f(a, b);
}

int applied(int a, int b, int c)
{
    return apply(c ? less : more, a, b) + apply(less, b, a);
}

// An address as a number.
static uintptr_t mask(uintptr_t p)
{
    return p & ~(uintptr_t)7;
}

int masked(int *p, unsigned long n)
{
    if (mask(n) == 16 && mask(n + 1) == 24)
        return 1;
    return (int *)mask((uintptr_t)p) == p && *(int *)mask((uintptr_t)p) == 3;
}

static double half(double x)
{
    return x > 1 ? x / 2 : x;
}

int halves(double a, float b)
{
    return half(a) > 4 ? half(b) < 0 : half(half(a)) == 0.5;
}

static int label(int c)
{
    switch (c) {
    case 'a':
    case 'b':
        return 1;
    case 'x':
        return 2;
    default:
        return c > 'x' ? 3 : 0;
    }
}

int labels(char a, char b)
{
    return label(a) == label(b) && label('x') == 2 && label(a) != 1;
}

static _Bool flag(unsigned bits, unsigned n)
{
    return bits >> (n & 31) & 1;
}

int flags(unsigned bits, _Bool *out)
{
    *out = flag(bits, 3);
    if (*out && flag(bits, 40))
        return flag(bits, bits & 3);
    return 0;
}
