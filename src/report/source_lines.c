#include "report/source_lines.h"

#include "base/text.h"
#include "cases/fields.h"

#include <ctype.h>
#include <string.h>

// The name that begins here: its length.
static size_t name_length(const char *s)
{
    size_t n = 0;
    while (isalnum((unsigned char)s[n]) || s[n] == '_')
        n++;
    return n;
}

// Was the field told already, for an earlier place in the line?
static bool told(const struct text *values, const char *whose,
                 const struct field *f)
{
    struct text name = {0};
    text_format(&name, "%s%.*s = ", whose, (int)f->name, f->at + 1);
    bool yes = strstr(text_get(values), text_get(&name));
    text_free(&name);
    return yes;
}

static void mentioned(const char *line, const char *whose, const char *fields,
                      struct text *to)
{
    for (const char *s = line; (s = strstr(s, whose)); s++) {
        // with the last character of `whose` in the place of the field's dot
        const char *dot = s + strlen(whose) - 1;
        struct field like = {dot, 0, name_length(dot + 1)}, f;
        bool inside = s > line && name_length(s - 1);
        if (inside || !like.name || !fields_find(fields, &like, &f) ||
            told(to, whose, &f))
            continue;
        text_format(to, "%s%s%.*s", to->n ? ", " : "", whose, (int)f.n - 1,
                    f.at + 1);
    }
}

void source_values(const char *line, const char *self, const char *msg,
                   struct text *to)
{
    mentioned(line, "self->", self, to);
    mentioned(line, "msg->", msg, to);
}
