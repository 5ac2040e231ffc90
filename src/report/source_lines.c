#include "report/source_lines.h"

#include "base/text.h"

#include <ctype.h>
#include <string.h>

// The value of `.name = ` in a text such as "{.a = 1, .b = {.c = 2}}", top
// level only, appended to *to; false if it is not there.
static bool value_in(const char *fields, const char *name, struct text *to)
{
    size_t n = strlen(name);
    int depth = 0;
    bool quoted = false;
    for (const char *s = fields; *s; s++) {
        quoted ^= *s == '"';
        depth += !quoted && (*s == '{' || *s == '[');
        depth -= !quoted && (*s == '}' || *s == ']');
        if (depth != 1 || quoted || *s != '.' || strncmp(s + 1, name, n) != 0 ||
            strncmp(s + 1 + n, " = ", 3) != 0)
            continue;
        const char *v = s + n + 4;
        for (depth = 0; *v && !(depth == 0 && strchr(",}", *v)); v++) {
            depth += *v == '{' || *v == '[';
            depth -= *v == '}' || *v == ']';
            text_char(to, *v);
        }
        return true;
    }
    return false;
}

static void mentioned(const char *line, const char *whose, const char *fields,
                      struct text *to)
{
    struct text seen = {0};
    for (const char *s = line; (s = strstr(s, whose)); s++) {
        char name[64];
        size_t n = 0;
        const char *from = s + strlen(whose);
        if (s > line && (isalnum((unsigned char)s[-1]) || s[-1] == '_'))
            continue;
        while (n < sizeof name - 1 &&
               (isalnum((unsigned char)from[n]) || from[n] == '_')) {
            name[n] = from[n];
            n++;
        }
        name[n] = '\0';
        struct text value = {0}, mark = {0};
        text_format(&mark, " %s ", name);
        if (n && !strstr(text_get(&seen), text_get(&mark)) &&
            value_in(fields, name, &value))
            text_format(to, "%s%s%s = %s", to->n ? ", " : "", whose, name,
                        text_get(&value));
        text_add(&seen, text_get(&mark));
        text_free(&value);
        text_free(&mark);
    }
    text_free(&seen);
}

void source_values(const char *line, const char *self, const char *msg,
                   struct text *to)
{
    mentioned(line, "self->", self, to);
    mentioned(line, "msg->", msg, to);
}
