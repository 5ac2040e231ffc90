#include "program/unset.h"

#include "base/arena.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { PLACES_MOST = 5 };

// Without colours.
static void make_plain(char *line)
{
    char *to = line;
    for (const char *p = line; *p;) {
        if (*p == '\033') {
            p += strcspn(p, "mK");
            p += *p != '\0';
        } else {
            *to++ = *p++;
        }
    }
    *to = '\0';
}

// "FILE:LINE" at the start of a line, 0 if there is none: how long it is.
static size_t place_length(const char *line)
{
    const char *colon = strchr(line, ':');
    size_t digits = colon ? strspn(colon + 1, "0123456789") : 0;
    return digits ? (size_t)(colon - line) + 1 + digits : 0;
}

static void add_place(char *line, struct unset *to)
{
    make_plain(line);
    size_t n = place_length(line);
    if (!n || !strstr(line, "warning:") || !strstr(line, "uninitialized"))
        return;
    line[n] = '\0';
    const char *slash = strrchr(line, '/');
    const char *place = slash ? slash + 1 : line;
    if (to->places.n && strstr(to->places.at, place))
        return;
    if (to->n++ < PLACES_MOST)
        text_format(&to->places, "%s%s", to->places.n ? ", " : "", place);
}

void unset_read(const char *said, struct unset *to)
{
    char line[4096];
    FILE *f = fopen(said, "r");
    while (f && fgets(line, sizeof line, f)) {
        fputs(line, stderr);
        add_place(line, to);
    }
    if (f)
        fclose(f);
}

// As the contents of a string literal.
static void add_literal(struct text *to, const char *s)
{
    for (; *s; s++) {
        if (*s == '"' || *s == '\\')
            text_char(to, '\\');
        text_char(to, isprint((unsigned char)*s) ? *s : '?');
    }
}

const char *unset_source(struct arena *a, const struct unset *u,
                         const char *folder)
{
    struct text t = {0};
    if (!u->n)
        return NULL;
    const char *path = arena_format(a, "%s/unset.c", folder);
    FILE *f = fopen(path, "w");
    add_literal(&t, u->places.at);
    if (u->n > PLACES_MOST)
        text_format(&t, " and %u more", u->n - PLACES_MOST);
    if (f) {
        fprintf(f,
                "__attribute__((section(\"%s\"), used)) "
                "static const char places[] = \"%s\";\n",
                UNSET_SECTION, t.at);
        fclose(f);
    }
    text_free(&t);
    return f ? path : NULL;
}
