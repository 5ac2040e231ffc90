// Strings are kept with room for the final zero byte: cap > n whenever at is
// not NULL.
#include "base/text.h"

#include <assert.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/die.h"

// A larger size can only come from arithmetic that overflowed.
#define MOST_BYTES (SIZE_MAX / 4)

enum { FIRST_CAP = 64 };

static void room(struct text *t, size_t more)
{
    if (t->cap - t->n > more)
        return;
    if (more > MOST_BYTES - t->n)
        die("a text of %zu bytes: no room for %zu more", t->n, more);
    size_t cap = t->cap ? t->cap * 2 : FIRST_CAP;
    while (cap - t->n <= more)
        cap *= 2;
    t->at = realloc(t->at, cap);
    if (!t->at)
        die("out of memory");
    t->cap = cap;
    t->at[t->n] = 0;
}

void text_bytes(struct text *t, const void *p, size_t n)
{
    assert(p || !n);
    room(t, n);
    if (n)
        memcpy(t->at + t->n, p, n);
    t->n += n;
    t->at[t->n] = 0;
}

void text_add(struct text *t, const char *s)
{
    text_bytes(t, s, strlen(s));
}

void text_char(struct text *t, char c)
{
    text_bytes(t, &c, 1);
}

void text_vformat(struct text *t, const char *format, va_list args)
{
    va_list again;
    va_copy(again, args);
    int n = vsnprintf(NULL, 0, format, args);
    if (n < 0)
        die("cannot format '%s'", format);
    room(t, (size_t)n);
    vsnprintf(t->at + t->n, (size_t)n + 1, format, again);
    va_end(again);
    t->n += (size_t)n;
}

void text_format(struct text *t, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    text_vformat(t, format, args);
    va_end(args);
}

void text_clear(struct text *t)
{
    t->n = 0;
    if (t->at)
        t->at[0] = 0;
}

void text_free(struct text *t)
{
    free(t->at);
    *t = (struct text){0};
}

const char *text_get(const struct text *t)
{
    return t->at ? t->at : "";
}

char *text_take(struct text *t)
{
    room(t, 0);
    char *s = t->at;
    *t = (struct text){0};
    return s;
}

static unsigned least(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

// Only three rows of the usual table are kept; swaps look two rows back.
unsigned text_distance(const char *a, const char *b)
{
    enum { MOST = 64 };
    size_t m = strnlen(a, MOST - 1), n = strnlen(b, MOST - 1);
    unsigned rows[3][MOST];
    for (size_t j = 0; j <= n; j++)
        rows[0][j] = (unsigned)j;
    for (size_t i = 1; i <= m; i++) {
        unsigned *now = rows[i % 3], *up = rows[(i + 2) % 3];
        const unsigned *upup = rows[(i + 1) % 3];
        now[0] = (unsigned)i;
        for (size_t j = 1; j <= n; j++) {
            unsigned replace = up[j - 1] + (a[i - 1] != b[j - 1]);
            now[j] = least(replace, least(up[j], now[j - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                now[j] = least(now[j], upup[j - 2] + 1);
        }
    }
    return rows[m % 3][n];
}

// On a mismatch only the last star can be stretched, so one mark is enough.
bool text_matches(const char *glob, const char *s)
{
    const char *star = NULL, *mark = NULL;
    while (*s) {
        if (*glob == '*') {
            star = ++glob;
            mark = s;
        } else if (*glob == '?' || *glob == *s) {
            glob++, s++;
        } else if (star) {
            glob = star;
            s = ++mark;
        } else {
            return false;
        }
    }
    while (*glob == '*')
        glob++;
    return !*glob;
}
