// What functions of the C library make of two texts, as one number each: run
// natively by test/symex/follow.c, and followed on terms.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define MODELS(X)                                                              \
    X(strlen)                                                                  \
    X(strnlen)                                                                 \
    X(strcmp) X(strncmp) X(strcasecmp) X(strncasecmp) X(memcmp) X(strchr)      \
        X(strrchr) X(strchrnul) X(memchr) X(index) X(strspn) X(strcspn)        \
            X(strpbrk) X(strstr) X(tokens) X(tokens_r) X(strtol) X(strtoul)    \
                X(atoi) X(classes) X(other_classes) X(tocase) X(strcpy)        \
                    X(strncpy) X(stpcpy) X(strncat) X(memory) X(strdup)        \
                        X(strndup) X(sscanf) X(scan_other) X(scan_literal)     \
                            X(print) X(print_other) X(strtod) X(rounded)       \
                                X(compared) X(absolute)

#define MODEL(name)                                                            \
    long m_##name(const char *a, const char *b);                               \
    long m_##name(const char *a, const char *b)

static int sign(int c)
{
    return (c > 0) - (c < 0);
}

static long at(const char *a, const char *p)
{
    return p ? p - a : -1;
}

static long sum_of(const char *t, long s)
{
    for (; *t; t++)
        s = (long)((unsigned long)s * 3 + (unsigned long)*t);
    return s;
}

// ---- texts ----------------------------------------------------------------

MODEL(strlen)
{
    (void)b;
    return (long)strlen(a);
}
MODEL(strnlen)
{
    (void)b;
    return (long)strnlen(a, 3);
}
MODEL(strcmp)
{
    return sign(strcmp(a, b));
}
MODEL(strncmp)
{
    return sign(strncmp(a, b, 2));
}
MODEL(strcasecmp)
{
    return sign(strcasecmp(a, b));
}
MODEL(strncasecmp)
{
    return sign(strncasecmp(a, b, 2));
}
MODEL(memcmp)
{
    return sign(memcmp(a, b, a[0] && b[0] ? 2 : 1));
}
MODEL(strchr)
{
    return at(a, strchr(a, b[0]));
}
MODEL(strrchr)
{
    return at(a, strrchr(a, b[0]));
}
MODEL(strchrnul)
{
    return at(a, strchrnul(a, b[0]));
}
MODEL(memchr)
{
    return at(a, memchr(a, b[0], strlen(a)));
}
MODEL(index)
{
    return at(a, index(a, b[0])) * 100 + at(a, rindex(a, b[0]));
}
MODEL(strspn)
{
    return (long)strspn(a, b);
}
MODEL(strcspn)
{
    return (long)strcspn(a, b);
}
MODEL(strpbrk)
{
    return at(a, strpbrk(a, b));
}
MODEL(strstr)
{
    return at(a, strstr(a, b));
}

MODEL(tokens)
{
    char t[16], *s, *k = t;
    long h = 0;
    (void)b;
    strcpy(t, a);
    for (s = strtok(t, "=b "); s; s = strtok(NULL, "=b "))
        h = h * 31 + s[0] + 7 * (s - t) + (long)strlen(s);
    strcpy(t, a);
    while ((s = strsep(&k, "=b ")))
        h = h * 37 + (s - t) + (long)strlen(s);
    return h;
}

MODEL(tokens_r)
{
    char t[16], *s, *rest;
    long h = 0;
    (void)b;
    strcpy(t, a);
    for (s = strtok_r(t, "=b ", &rest); s; s = strtok_r(NULL, "=b ", &rest))
        h = h * 31 + s[0] + 7 * (rest - t) + (long)strlen(s);
    return h;
}

MODEL(strcpy)
{
    char t[40];
    strcpy(t, a);
    strcat(t, b);
    return (long)strlen(t) * 1000 + t[0] + t[strlen(a)];
}

MODEL(strncpy)
{
    char t[8] = "zzzzzzz";
    (void)b;
    strncpy(t, a, 4);
    return t[0] + 3 * t[1] + 5 * t[2] + 7 * t[3] + 11 * t[4];
}

MODEL(stpcpy)
{
    char t[40];
    char *end = stpcpy(t, a);
    end = stpcpy(end, b);
    return (end - t) * 1000 + sum_of(t, 1) % 1000;
}

MODEL(strncat)
{
    char t[40];
    strcpy(t, a);
    strncat(t, b, 2);
    return sum_of(t, (long)strlen(t));
}

MODEL(memory)
{
    char t[40];
    size_t n = strlen(a);
    (void)b;
    memset(t, 'x', sizeof t - 1);
    t[sizeof t - 1] = 0;
    char *end = mempcpy(t + 2, a, n);
    memmove(t + 1, t, n + 2);
    return sum_of(t, end - t);
}

MODEL(strdup)
{
    char *t = strdup(a);
    (void)b;
    if (!t)
        return 0;
    long n = (long)strlen(t) + t[0];
    free(t);
    return n;
}

MODEL(strndup)
{
    char *t = strndup(a, 2);
    (void)b;
    if (!t)
        return 0;
    long n = (long)strlen(t) * 1000 + t[0];
    free(t);
    return n;
}

// ---- characters -------------------------------------------------------------

MODEL(classes)
{
    int c = (unsigned char)a[0];
    (void)b;
    return !!isalnum(c) + 2 * !!isalpha(c) + 4 * !!isdigit(c) +
           8 * !!isspace(c) + 16 * !!ispunct(c) + 32 * !!isxdigit(c) +
           64 * !!isupper(c) + 128 * !!iscntrl(c);
}

MODEL(other_classes)
{
    int c = (unsigned char)a[0];
    (void)b;
    return !!islower(c) + 2 * !!isblank(c) + 4 * !!isgraph(c) +
           8 * !!isprint(c);
}

MODEL(tocase)
{
    (void)b;
    return toupper((unsigned char)a[0]) * 256 + tolower((unsigned char)a[0]);
}

// ---- numbers in texts -------------------------------------------------------

MODEL(strtol)
{
    char *e;
    (void)b;
    long v = strtol(a, &e, 0);
    return v * 100 + (e - a);
}

MODEL(strtoul)
{
    char *e;
    (void)b;
    unsigned long v = strtoul(a, &e, 16);
    return (long)v * 100 + (e - a);
}

MODEL(atoi)
{
    (void)b;
    return atoi(a) + atol(a) * 1000;
}

MODEL(sscanf)
{
    int x = 5, n = 0;
    char w[8] = "..";
    (void)b;
    int k = sscanf(a, "%d%n%3s", &x, &n, w);
    return k * 100000 + x * 100 + n * 7 + w[0] + w[1];
}

MODEL(scan_other)
{
    unsigned x = 5;
    char c = '.';
    short h = 1;
    (void)b;
    int k = sscanf(a, " %c%2x=%hd", &c, &x, &h);
    return k * 100000 + x * 100 + c + h;
}

MODEL(scan_literal)
{
    int n = 0;
    char c = '.';
    (void)b;
    int k = sscanf(a, "a=b%c%n", &c, &n);
    return k * 1000 + n * 10 + c;
}

// The compiler need not know that what is cut off is meant to be.
static size_t twelve(void)
{
    volatile size_t n = 12;
    return n;
}

MODEL(print)
{
    char t[40];
    int n = snprintf(t, twelve(), "<%5d|%-4s%c%u>", a[0] * 1000 - 60000, b,
                     a[0] ? a[0] : '!', (unsigned)a[0] * 3u);
    return sum_of(t, n);
}

MODEL(print_other)
{
    char t[60];
    (void)b;
    int n = sprintf(t, "%04x%+d%.3d%X%5.2s%%%hhd%ld", (unsigned)a[0], a[0] - 60,
                    a[0], (unsigned)('J' + a[0]), a, (signed char)(a[0] * 5),
                    a[0] * 100000000000L);
    return sum_of(t, n);
}

MODEL(strtod)
{
    char *e;
    (void)b;
    double d = strtod(a, &e);
    return (long)(d * 1024) * 100 + (e - a) + (long)atof(a);
}

// ---- numbers ----------------------------------------------------------------

MODEL(rounded)
{
    double x = atof(a) / 4 - 1.125 * a[0];
    float f = (float)x;
    (void)b;
    return (long)floor(x) + 3 * (long)ceil(x) + 5 * (long)trunc(x) +
           7 * (long)round(x) + 11 * (long)rint(x) + 13 * lround(x) +
           17 * lrint(x) + 19 * (long)floorf(f) + 23 * (long)nearbyint(x);
}

MODEL(compared)
{
    double x = atof(a), y = a[0] - b[0] + 0.5;
    return (long)(fmin(x, y) * 8) + 3 * (long)(fmax(x, y) * 8) +
           5 * (long)(fmod(x, y) * 8) + 7 * (long)(copysign(x, y) * 8) +
           11 * (long)(fabs(y) * 8) + 13 * (long)(sqrt(fabs(y)) * 1024);
}

MODEL(absolute)
{
    return abs(a[0] - b[0]) + 1000 * labs(a[0] * 7L - b[0] * 9L) +
           llabs(b[0] - 100LL);
}
