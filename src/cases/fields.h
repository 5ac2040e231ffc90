// The fields of a struct as text, "{.a = 1, .b = {.c = 2}}", one by one.
#ifndef CASES_FIELDS_H
#define CASES_FIELDS_H

#include <stdbool.h>
#include <stddef.h>

struct text;

struct field {
    const char *at; // ".b = {.c = 2}"
    size_t n, name; // its length, and that of the name behind the dot
};

// The next field of the outermost struct; *s is the text at first.  False if
// there is none left, or the text is not of this form.
bool fields_next(const char **s, struct field *f);
// The field of the same name, false if there is none.  Of `like` only the name
// behind its first character is looked at.
bool fields_find(const char *text, const struct field *like, struct field *f);
bool fields_equal(const struct field *a, const struct field *b);

#endif
