// Bytes are columns, but for those that continue a letter and for colours.
#include "report/terminal.h"

#include "base/number.h"
#include "base/text.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { NARROWEST = 20, USUAL = 80 };

uint32_t terminal_width(FILE *f)
{
    struct winsize w;
    uint64_t n;
    const char *columns = getenv("COLUMNS");
    if (!isatty(fileno(f)))
        return 0;
    if (columns && number_parse(columns, &n) && n >= NARROWEST && n < 10000)
        return (uint32_t)n;
    if (ioctl(fileno(f), TIOCGWINSZ, &w) == 0 && w.ws_col >= NARROWEST)
        return w.ws_col;
    return USUAL;
}

static size_t escape_length(const char *s)
{
    size_t n = strcspn(s, "m");
    return *s == '\033' ? n + (s[n] == 'm') : 0;
}

static bool is_column(char c)
{
    return ((unsigned char)c & 0xc0) != 0x80;
}

static uint32_t columns_of(const char *s)
{
    uint32_t n = 0;
    for (; *s && *s != '\n'; s++) {
        size_t skip = escape_length(s);
        if (skip)
            s += skip - 1;
        else
            n += is_column(*s);
    }
    return n;
}

// Copy the first columns of a line; returns where the line ends.
static const char *copy(const char *s, uint32_t columns, struct text *to)
{
    bool coloured = false;
    while (*s && *s != '\n') {
        size_t n = escape_length(s);
        if (n) {
            text_bytes(to, s, n);
            coloured = true;
            s += n;
            continue;
        }
        if (is_column(*s) && !columns--)
            break;
        text_char(to, *s++);
    }
    if (coloured)
        text_add(to, "\033[0m");
    return s + strcspn(s, "\n");
}

void terminal_cut(struct text *t, size_t from, uint32_t width)
{
    struct text out = {0};
    const char *s = text_get(t) + from;
    if (!width)
        return;
    while (*s) {
        size_t n = strcspn(s, "\n");
        if (columns_of(s) <= width) {
            text_bytes(&out, s, n);
            s += n;
        } else {
            s = copy(s, width - 3, &out);
            text_add(&out, "...");
        }
        if (*s == '\n')
            text_char(&out, *s++);
    }
    t->n = from;
    text_bytes(t, text_get(&out), out.n);
    text_free(&out);
}

// Bytes of s that fit this number of columns and end before a space; all of the
// first word if that does not fit.
static size_t fitting(const char *s, uint32_t columns)
{
    size_t n = 0, fits = 0;
    uint32_t used = 0;
    for (; s[n] && s[n] != '\n'; n++) {
        size_t skip = escape_length(s + n);
        if (s[n] == ' ' && s[n + 1] != ' ') {
            if (fits && used > columns)
                return fits;
            fits = n;
        }
        n += skip ? skip - 1 : 0;
        used += !skip && is_column(s[n]);
    }
    return used > columns && fits ? fits : n;
}

// One line, with its end if it has one; returns what follows it.
static const char *wrap_line(const char *s, uint32_t width, uint32_t indent,
                             struct text *to)
{
    size_t n = fitting(s, width);
    text_bytes(to, s, n);
    s += n;
    while (*s && *s != '\n') {
        s += strspn(s, " ");
        n = fitting(s, width - indent);
        if (n)
            text_format(to, "\n%*s%.*s", (int)indent, "", (int)n, s);
        s += n;
    }
    if (*s == '\n')
        text_char(to, *s++);
    return s;
}

void terminal_wrap(struct text *t, size_t from, uint32_t width, uint32_t indent)
{
    struct text out = {0};
    if (!width || width <= 2 * indent)
        return;
    for (const char *s = text_get(t) + from; *s;)
        s = wrap_line(s, width, indent, &out);
    t->n = from;
    text_bytes(t, text_get(&out), out.n);
    text_free(&out);
}

void terminal_print(FILE *f, const char *words)
{
    struct text t = {0};
    text_add(&t, words);
    terminal_wrap(&t, 0, terminal_width(f), 4);
    fputs(text_get(&t), f);
    text_free(&t);
}
