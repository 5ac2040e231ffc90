#include "program/unset.h"

#include "base/arena.h"
#include "program/diagnostics.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { PLACES_MOST = 5 };

static void add_place(char *line, struct unset *to)
{
    size_t n = diagnostics_place(line);
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
    struct text plain = {0};
    diagnostics_plain(said, &plain);
    for (char *line = plain.n ? plain.at : NULL, *next; line; line = next) {
        next = strchr(line, '\n');
        if (next)
            *next++ = '\0';
        add_place(line, to);
    }
    text_free(&plain);
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
