// Tokens, texts longer than a line of code, numbers that do not fit, floats that
// are long, a union that a tag tells apart, a table that nobody writes.
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

int words(char *line)
{
    int n = 0;
    for (char *t = strtok(line, ","); t; t = strtok(NULL, ",")) {
        if (*t == '#')
            return -1;
        if (++n == 2)
            break;
    }
    return n;
}

int header(const char *line)
{
    if (!strcmp(line, "Transfer-Encoding: chunked"))
        return 1;
    return strlen(line) > 30 ? 2 : 0;
}

long number(const char *s)
{
    errno = 0;
    long n = strtol(s, NULL, 10);
    if (errno == ERANGE)
        return -1;
    return n;
}

int range_of(long double x)
{
    if (x != x)
        return -1;
    if (x > 1e10L)
        return 2;
    return x < 0.5L ? 0 : 1;
}

enum kind { NUMBER, NEXT, TEXT };
struct value {
    enum kind kind;
    union {
        int number;
        const struct value *next;
        const char *text;
    } u;
};

int weight(const struct value *v)
{
    if (v->kind == NUMBER)
        return v->u.number > 10 ? 1 : 2;
    if (v->kind == NEXT)
        return v->u.next ? 3 : 4;
    return v->u.text && v->u.text[0] == 'x' ? 5 : 6;
}

int unit_of(unsigned u)
{
    static const char *names[] = {"B", "K", "M"};
    if (u > 2)
        return -1;
    if (!names[u])
        return 0;
    return names[u][0];
}

// Members of a union that are pointers of several types, and numbers.
struct tree {
    int tag;
    union {
        int number;
        struct tree *next;
        const char *text;
        struct {
            unsigned long n;
            struct tree **at;
        } all;
    };
};
int look_at(const struct tree *t)
{
    switch (t->tag) {
    case 0:
        return (t->number ^ 0x5a5a) * 31 == 382719 * 31 ? 1 : 2;
    case 1:
        return t->next && t->next->tag == 77 && t->next->number == 8881;
    case 2:
        return t->text[0] == 'a' && t->text[1] == 'q';
    case 3:
        for (unsigned long i = 0; i < t->all.n; i++)
            if (t->all.at[i]->tag == 40 && t->all.at[i]->number == 41)
                return 3;
    }
    return 4;
}

// A library function that says which case it compares, and two traps at a line.
int same(const char *a, const int *b, const int *c)
{
    return !strcasecmp(a, "x") ? *b + *c : 0;
}
