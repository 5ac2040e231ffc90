// A growing string, always ended by a zero byte.  All zero is empty.
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

struct text {
    char *at; // NULL while nothing was ever added: see text_get
    size_t n, cap;
};

void text_add(struct text *t, const char *s);
void text_bytes(struct text *t, const void *p, size_t n);
void text_char(struct text *t, char c);
void text_format(struct text *t, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void text_vformat(struct text *t, const char *format, va_list args)
    __attribute__((format(printf, 2, 0)));
void text_clear(struct text *t);
void text_free(struct text *t);
// The string, "" if empty; the text's.
const char *text_get(const struct text *t);
// The string, now the caller's to free; the text is empty afterwards.
char *text_take(struct text *t);

// How much one word must be edited to become the other: insertions, deletions,
// replacements and swaps of neighbours (optimal string alignment).
unsigned text_distance(const char *a, const char *b);
// Shell-like match: * any run, ? any character.
bool text_matches(const char *glob, const char *s);

#endif
