// Debug information has one position per condition: of its operator, or of the
// operand that is tested.  The text around it ends at what binds weaker: && and
// ||, ?:, a comma, an assignment, or the parenthesis around it.
#include "unit/condition.h"

#include "base/arena.h"
#include "base/file.h"
#include "base/text.h"

#include <ctype.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 400 };

static bool load(struct condition_file *f, struct arena *a, const char *file)
{
    struct text t = {0};
    if (f->name && strcmp(f->name, file) == 0)
        return f->at;
    f->name = arena_text(a, file);
    f->at = file_read(file, &t) ? arena_text(a, text_get(&t)) : NULL;
    text_free(&t);
    return f->at;
}

static const char *position(const char *s, uint32_t line, uint32_t column)
{
    while (line > 1 && *s)
        line -= *s++ == '\n';
    while (column > 1 && *s && *s != '\n')
        s++, column--;
    return *s ? s : NULL;
}

// "=" or "+=", but no comparison.
static bool is_assignment(const char *s, const char *start)
{
    return *s == '=' && s[1] != '=' &&
           (s == start || !strchr("=!<>", s[-1]) ||
            (s - start > 1 && strchr("<>", s[-1]) && s[-2] == s[-1]));
}

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

// Is this the last character of `return` or of another word that begins a
// statement?
static bool ends_word(const char *start, const char *c)
{
    static const char *const words[] = {"return", "else", "do", "case"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t n = strlen(words[i]);
        if ((size_t)(c - start) + 1 >= n &&
            strncmp(c + 1 - n, words[i], n) == 0 && !is_word(c[1]) &&
            ((size_t)(c - start) + 1 == n || !is_word(c[-(ptrdiff_t)n])))
            return true;
    }
    return false;
}

// A literal of one character whose quotes stand around c.
static bool is_quoted(const char *start, const char *c)
{
    return c > start && c[-1] == '\'' && c[1] == '\'';
}

static bool is_logical(const char *s)
{
    return (*s == '&' && s[1] == '&') || (*s == '|' && s[1] == '|');
}

// The first character of the condition.
static const char *begin_of(const char *start, const char *at)
{
    int depth = 0;
    const char *s = at;
    for (; s > start && at - s < LONGEST; s--) {
        const char *c = s - 1;
        if (is_quoted(start, c))
            continue;
        if (*c == ')' || *c == ']')
            depth++;
        else if ((*c == '(' || *c == '[') && depth-- == 0)
            break;
        if (depth)
            continue;
        if (strchr(";{},?:", *c) || is_assignment(c, start) ||
            ends_word(start, c) || (c > start && is_logical(c - 1)))
            break;
    }
    return s;
}

static const char *end_of(const char *at)
{
    int depth = 0;
    const char *s = at;
    for (; *s && s - at < LONGEST; s++) {
        if (*s == '\'' && s[1] && s[1] != '\\' && s[2] == '\'') {
            s += 2;
            continue;
        }
        if (*s == '(' || *s == '[')
            depth++;
        else if ((*s == ')' || *s == ']') && depth-- == 0)
            break;
        if (!depth && s > at &&
            (strchr(";{},?:", *s) || is_assignment(s, at) || is_logical(s)))
            break;
    }
    return s;
}

static const char *skip_words(const char *s, const char *end)
{
    static const char *const words[] = {"return", "else", "do", "case"};
    for (;;) {
        while (s < end && isspace((unsigned char)*s))
            s++;
        size_t n = 0;
        for (size_t i = 0; i < sizeof words / sizeof *words && !n; i++) {
            size_t k = strlen(words[i]);
            if (strncmp(s, words[i], k) == 0 && isspace((unsigned char)s[k]))
                n = k;
        }
        if (!n)
            return s;
        s += n;
    }
}

// A position at the keyword of a statement stands for its condition.
static const char *into_statement(const char *at)
{
    static const char *const words[] = {"while", "if", "switch", "for"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t n = strlen(words[i]);
        if (strncmp(at, words[i], n) != 0 ||
            !(at[n] == '(' || isspace((unsigned char)at[n])))
            continue;
        const char *open = strchr(at, '(');
        if (open && *words[i] == 'f')
            open = strchr(open, ';');
        if (!open)
            return at;
        for (at = open + 1; isspace((unsigned char)*at);)
            at++;
        return at;
    }
    return at;
}

static const char *plain(struct arena *a, const char *s, const char *end)
{
    struct text t = {0};
    bool blank = false;
    for (; s < end; s++) {
        if (*s == '/' && s + 1 < end && s[1] == '*') {
            const char *close = strstr(s + 2, "*/");
            s = close && close < end ? close + 1 : end - 1;
        } else if (*s == '/' && s + 1 < end && s[1] == '/') {
            while (s + 1 < end && s[1] != '\n')
                s++;
        } else if (isspace((unsigned char)*s)) {
            blank = t.n > 0;
        } else {
            if (blank)
                text_char(&t, ' ');
            blank = false;
            text_char(&t, *s);
        }
    }
    const char *out = arena_text(a, text_get(&t));
    text_free(&t);
    return out;
}

struct condition condition_at(struct condition_file *f, struct arena *a,
                              const char *file, uint32_t line, uint32_t column)
{
    struct condition c = {.text = ""};
    const char *at =
        line && load(f, a, file) ? position(f->at, line, column) : NULL;
    if (!at)
        return c;
    at = into_statement(at);
    const char *end = end_of(at), *s = skip_words(begin_of(f->at, at), end);
    c.text = plain(a, s, end);
    if (!strchr("=!<>", *at))
        for (; s < at && (*s == '!' || isspace((unsigned char)*s)); s++)
            c.negated ^= *s == '!';
    return c;
}

const char *condition_line(struct condition_file *f, struct arena *a,
                           const char *file, uint32_t line, uint32_t column)
{
    const char *at =
        line && load(f, a, file) ? position(f->at, line, column) : NULL;
    if (!at)
        return "";
    at = into_statement(at);
    const char *begin = begin_of(f->at, at), *end = end_of(at);
    if (is_assignment(end, at)) // "a /= b" is one expression
        end = end_of(end + 1);
    for (const char *s = begin; s < at; s++)
        if (*s == '\n')
            begin = s + 1;
    begin = skip_words(begin, end);
    const char *stop = memchr(at, '\n', (size_t)(end - at));
    return plain(a, begin, stop ? stop : end);
}

// The last name before the comma or parenthesis that ends a parameter.
static const char *last_word(struct arena *a, const char *s, const char *end)
{
    const char *word = NULL;
    size_t n = 0;
    for (; s < end && *s != '['; s++) {
        if (!isalpha((unsigned char)*s) && *s != '_')
            continue;
        word = s;
        while (s < end && (isalnum((unsigned char)*s) || *s == '_'))
            s++;
        n = (size_t)(s - word);
        // A function pointer, (*name)(...), or an array, name[COUNT].
        if (s < end && (*s == ')' || *s == '['))
            break;
    }
    return word ? arena_format(a, "%.*s", (int)n, word) : "";
}

// The text of parameter i: *end is behind it; NULL if it is not found.
static const char *parameter(const char *at, const char *function, uint32_t i,
                             const char **end)
{
    const char *s = at ? strstr(at, function) : NULL;
    if (!s || s - at > LONGEST)
        return NULL;
    s += strlen(function) + strspn(s + strlen(function), " \t\n");
    int depth = 0;
    const char *begin = s + 1;
    for (; *s == '(' || depth; s++) {
        depth += (*s == '(') - (*s == ')');
        bool ends = (*s == ',' && depth == 1) || (*s == ')' && !depth);
        *end = s;
        if (ends && i-- == 0)
            return begin;
        if (ends)
            begin = s + 1;
        if (!*s || (ends && !depth))
            break;
    }
    return NULL;
}

const char *condition_parameter(struct condition_file *f, struct arena *a,
                                const char *file, uint32_t line,
                                const char *function, uint32_t i)
{
    const char *at = line && load(f, a, file) ? position(f->at, line, 1) : NULL;
    const char *end, *s = parameter(at, function, i, &end);
    return s ? last_word(a, s, end) : "";
}

// The number that a macro of the file stands for, 0 if it is none.
static uint64_t macro(const char *text, const char *name, size_t n)
{
    for (const char *s = text; (s = strstr(s, "#define")); s++) {
        const char *at = s + 7 + strspn(s + 7, " \t");
        if (strncmp(at, name, n) == 0 && (at[n] == ' ' || at[n] == '\t'))
            return strtoull(at + n, NULL, 0);
    }
    return 0;
}

uint64_t condition_count(struct condition_file *f, struct arena *a,
                         const char *file, uint32_t line, const char *function,
                         uint32_t i)
{
    const char *at = line && load(f, a, file) ? position(f->at, line, 1) : NULL;
    const char *end, *s = parameter(at, function, i, &end);
    const char *open = s ? memchr(s, '[', (size_t)(end - s)) : NULL;
    if (!open)
        return 0;
    open += 1 + strspn(open + 1, " \t");
    if (strncmp(open, "static ", 7) == 0)
        open += 7;
    size_t n = 0;
    while (isalnum((unsigned char)open[n]) || open[n] == '_')
        n++;
    if (!n || open[n] != ']')
        return 0;
    return isdigit((unsigned char)*open) ? strtoull(open, NULL, 0)
                                         : macro(f->at, open, n);
}
