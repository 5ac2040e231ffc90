#include "play/spot.h"

#include "base/file.h"
#include "base/text.h"

#include <ctype.h>
#include <string.h>

static const char blanks[] = " \t\r\n\v\f";

static size_t length(const char *line)
{
    return strcspn(line, "\n");
}

// Does a definition begin on this line?  As diff tells it: something stands in
// the first column, which is not a brace, a label or a directive.
static bool begins(const char *line)
{
    size_t n = length(line);
    while (n && isspace((unsigned char)line[n - 1]))
        n--;
    return n && (isalpha((unsigned char)*line) || *line == '_') &&
           line[n - 1] != ':';
}

// Are two lines the same but for blanks?
static bool same_line(const char *a, const char *b)
{
    for (;; a++, b++) {
        a += strspn(a, " \t\r\v\f");
        b += strspn(b, " \t\r\v\f");
        bool over = !*a || *a == '\n', other = !*b || *b == '\n';
        if (over || other || *a != *b)
            return over && other;
    }
}

enum { LONGEST = 400 };

// A line with single blanks.
static void add_line(struct text *to, const char *line)
{
    size_t n = length(line);
    bool gap = false, begun = false;
    for (size_t i = 0; i < n && i < LONGEST; i++) {
        unsigned char c = (unsigned char)line[i];
        if (isspace(c)) {
            gap = begun;
            continue;
        }
        if (gap)
            text_char(to, ' ');
        text_char(to, (char)c);
        gap = false;
        begun = true;
    }
}

bool spot_words(const char *file, int line, struct text *to)
{
    struct text all = {0};
    const char *at = NULL, *head = NULL;
    int nth = 1;
    if (line > 0 && file_read(file, &all)) {
        at = text_get(&all);
        head = at;
    }
    for (int i = 1; at && i < line; i++) {
        if (begins(at))
            head = at;
        at = strchr(at, '\n');
        at = at ? at + 1 : NULL;
    }
    if (at && *at) {
        if (begins(at))
            head = at;
        for (const char *l = head; l < at; l += length(l) + 1)
            nth += same_line(l, at);
        add_line(to, head);
        text_add(to, " / ");
        add_line(to, at);
        text_format(to, " / %d", nth);
    }
    bool found = at && *at;
    text_free(&all);
    return found;
}

bool spot_same(const char *a, const char *b)
{
    for (;; a++, b++) {
        a += strspn(a, blanks);
        b += strspn(b, blanks);
        if (*a != *b || !*a)
            return *a == *b;
    }
}

bool spot_is(const char *words, const char *file, int line)
{
    struct text t = {0};
    bool same = spot_words(file, line, &t) && spot_same(words, text_get(&t));
    text_free(&t);
    return same;
}
