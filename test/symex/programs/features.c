// What C code does with memory, text and numbers: one function each.
#include <stdlib.h>
#include <string.h>
#include <ctype.h>
#include <stdint.h>
#include <stddef.h>
struct pair {
    char *p;
    long n;
};
struct big {
    int a[8];
    int n;
};
struct bits {
    unsigned a : 3, b : 5;
    int c : 9;
};
union u {
    int i;
    float f;
    unsigned char b[4];
};
struct tagged {
    int tag;
    union {
        int i;
        double d;
        struct tagged *next;
    } v;
};
struct flex {
    int n;
    int at[];
};
int by_value(struct pair x)
{
    if (x.n > 3 && x.p)
        return x.p[0] == 'q' ? 1 : 2;
    return 3;
}
struct big make_big(int n)
{
    struct big b = {.n = n};
    for (int i = 0; i < 8; i++)
        b.a[i] = i * n;
    return b;
}
int use_big(struct big b)
{
    return b.a[3] == 7 ? b.n : -1;
}
int call_big(int n)
{
    struct big b = make_big(n);
    return use_big(b);
}
int bitfields(struct bits *x)
{
    if (x->a == 5 && x->c < 0) {
        x->b = 9;
        return x->b + x->c;
    }
    return x->b;
}
int unions(union u *x)
{
    if (x->i == 0x3f800000)
        return x->f == 1.0f ? 10 : 20;
    return x->b[1];
}
int tags(struct tagged *t)
{
    if (t->tag == 1)
        return t->v.i;
    if (t->tag == 2)
        return t->v.d > 2.5;
    return t->v.next ? t->v.next->tag : -1;
}
int flexible(struct flex *f)
{
    int s = 0;
    for (int i = 0; i < f->n; i++)
        s += f->at[i];
    return s > 10;
}
static int dbl(int x)
{
    return 2 * x;
}
static int inc(int x)
{
    return x + 1;
}
int (*table[2])(int) = {dbl, inc};
int callback(int (*f)(int), int x)
{
    return f(x) == 8 ? 1 : 0;
}
int from_table(unsigned i, int x)
{
    return i < 2 ? table[i](x) : -1;
}
int counter;
static int limit = 3;
int globals(int x)
{
    counter += x;
    if (counter > limit)
        return 1;
    return 0;
}
int matrix(int m[2][3], int i, int j)
{
    if (i < 0 || i > 1 || j < 0 || j > 2)
        return -1;
    return m[i][j] == 42;
}
int pointers(char **argv)
{
    return argv[0] && argv[0][0] == '-' && argv[1] == NULL;
}
int middle(int *from, int *to)
{
    int n = 0;
    for (; from < to; from++)
        n += *from;
    return n;
}
int offset(struct pair *x)
{
    long *n = &x->n;
    struct pair *back = (struct pair *)((char *)n - offsetof(struct pair, n));
    return back == x && *n == 4;
}
static int cmp(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}
int sorts(int a, int b, int c)
{
    int v[3] = {a & 7, b & 7, c & 7};
    qsort(v, 3, sizeof *v, cmp);
    return v[0] == 1 && v[2] == 6;
}
int searches(int k)
{
    static const int v[5] = {1, 4, 9, 16, 25};
    const int *p = bsearch(&k, v, 5, sizeof *v, cmp);
    return p ? (int)(p - v) : -1;
}
int word(const char *s)
{
    return strcmp(s, "go") == 0       ? 1
           : strncmp(s, "st", 2) == 0 ? 2
           : strlen(s) == 3           ? 3
                                      : 0;
}
int digits(const char *s)
{
    int v = 0;
    while (isdigit((unsigned char)*s))
        v = v * 10 + *s++ - '0';
    return v == 12;
}
int parse(const char *s)
{
    char *end;
    long v = strtol(s, &end, 10);
    return *end ? -1 : v == -17;
}
int find(const char *s)
{
    const char *p = strchr(s, '=');
    return p ? (int)(p - s) : -1;
}
double area(double r)
{
    if (r < 0)
        return -1;
    double a = r * r * 3;
    return a > 27 ? a : 0;
}
int floats(float f, double d)
{
    if (f == 0.5f)
        return 1;
    if (d > 1e10 && d < 1e11)
        return 2;
    if (d != d)
        return 3;
    return 0;
}
int shifts(uint32_t x)
{
    return (x << 3 | x >> 29) == 0xdeadbeef;
}
int divide(int a, int b)
{
    return a / b;
}
int wide(uint64_t x)
{
    return x % 1000 == 999 && x / 1000 == 7;
}
char *copy_text(const char *s)
{
    char *c = malloc(strlen(s) + 1);
    strcpy(c, s);
    if (c[0] == 'x')
        c[0] = 'y';
    return c;
}
int freed(int *p, int x)
{
    free(p);
    return x ? *p : 0;
}
int twice(void)
{
    int *p = malloc(4);
    free(p);
    free(p);
    return 0;
}
int outside(unsigned n)
{
    int *p = calloc(n, 4);
    return p[2];
}
int labels(int c)
{
    switch (c) {
    case 1:
    case 2:
        return 10;
    case 'a':
        return 20;
    case -5:
        return 30;
    default:
        return 0;
    }
}
struct s3 {
    short a;
    char b;
    int c;
};
int copies(struct s3 *x)
{
    struct s3 y = *x;
    y.a++;
    memcpy(x, &y, sizeof y);
    return x->a == 5 && x->b == 'k';
}
int swapbytes(uint32_t x)
{
    unsigned char b[4];
    memcpy(b, &x, 4);
    return b[0] == 1 && b[3] == 9;
}
int vla(int n)
{
    if (n < 1 || n > 4)
        return 0;
    int v[n];
    for (int i = 0; i < n; i++)
        v[i] = i;
    return v[n - 1];
}
int opaque(void *p, void *q)
{
    return p == q;
}
int void_follow(void *p)
{
    return *(int *)p == 77;
}
enum color { RED, GREEN = 5 };
int enums(enum color c)
{
    return c == GREEN;
}
_Bool bools(_Bool a, _Bool b)
{
    return a && !b;
}
int ptrint(int *p)
{
    return ((uintptr_t)p & 3) == 0;
}
int recursive(int n)
{
    return n <= 0 ? 0 : 1 + recursive(n - 1);
}
int goto_loop(int n)
{
again:
    if (n > 0) {
        n -= 3;
        goto again;
    }
    return n == -2;
}
int bounded_text(const char *a)
{
    char buf[8];
    strncpy(buf, a, 7);
    buf[7] = 0;
    return strstr(buf, "ab") != NULL;
}
int count_bits(unsigned x)
{
    int n = 0;
    for (int i = 0; i < 32; i++)
        n += x >> i & 1;
    return n == 31;
}
