#include "cases/fields.h"

#include <ctype.h>
#include <string.h>

// The end of a value: a comma or brace outside of braces and quotes.
static const char *value_end(const char *s)
{
    int depth = 0;
    for (char quote = 0; *s; s++) {
        if (quote) {
            if (*s == '\\' && s[1])
                s++;
            else if (*s == quote)
                quote = 0;
        } else if (*s == '"' || *s == '\'') {
            quote = *s;
        } else if (*s == '{') {
            depth++;
        } else if (depth == 0 && (*s == ',' || *s == '}')) {
            break;
        } else if (*s == '}') {
            depth--;
        }
    }
    return s;
}

bool fields_next(const char **s, struct field *f)
{
    const char *at = *s;
    if (*at != '{' && *at != ',')
        return false;
    for (at++; *at == ' ';)
        at++;
    if (*at != '.')
        return false;
    size_t name = 0;
    while (isalnum((unsigned char)at[1 + name]) || at[1 + name] == '_')
        name++;
    *s = value_end(at);
    *f = (struct field){at, (size_t)(*s - at), name};
    return name;
}

bool fields_find(const char *text, const struct field *like, struct field *f)
{
    while (fields_next(&text, f))
        if (f->name == like->name &&
            memcmp(f->at + 1, like->at + 1, like->name) == 0)
            return true;
    return false;
}

bool fields_equal(const struct field *a, const struct field *b)
{
    return a->n == b->n && memcmp(a->at, b->at, a->n) == 0;
}
