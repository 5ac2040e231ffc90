#include "unit/characters.h"

#include "base/arena.h"
#include "base/text.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHORTEST = 2 };

// The stem of "stem[0]"; 0 if the place does not end so.
static size_t stem_of(const char *place)
{
    size_t n = strlen(place);
    return n > 3 && strcmp(place + n - 3, "[0]") == 0 ? n - 3 : 0;
}

static bool is_element(const struct call_value *v, const char *of, size_t stem,
                       uint32_t index)
{
    char tail[32];
    snprintf(tail, sizeof tail, "[%u]", index);
    return v->kind == CALL_SIGNED && strncmp(v->place, of, stem) == 0 &&
           strcmp(v->place + stem, tail) == 0 &&
           (*v->value == '\'' || isdigit((unsigned char)*v->value) ||
            *v->value == '-');
}

// One byte inside a string literal.
static void add_byte(const char *value, const char *next, struct text *to)
{
    size_t n = strlen(value);
    if (strcmp(value, "'\\0'") == 0 &&
        !(next && *next == '\'' && isdigit((unsigned char)next[1])))
        text_add(to, "\\0");
    else if (*value != '\'')
        text_format(to, "\\%03o", (unsigned)strtol(value, NULL, 10) & 0xff);
    else if (strcmp(value, "'\\0'") == 0)
        text_add(to, "\\000");
    else if (strcmp(value, "'\\''") == 0)
        text_char(to, '\'');
    else if (strcmp(value, "'\"'") == 0)
        text_add(to, "\\\"");
    else if (strcmp(value, "'?'") == 0)
        text_add(to, "\\?");
    else
        text_bytes(to, value + 1, n - 2);
}

// How many elements of characters begin here.
static uint32_t run_at(const struct call_value *v, uint32_t n, size_t stem)
{
    uint32_t k = 0;
    bool quoted = false;
    for (; k < n && is_element(&v[k], v[0].place, stem, k); k++)
        quoted |= *v[k].value == '\'';
    return quoted ? k : 0;
}

uint32_t characters_merge(struct arena *a, struct call_value *values,
                          uint32_t n)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < n;) {
        struct call_value v = values[i];
        size_t stem = stem_of(v.place);
        uint32_t run = stem ? run_at(values + i, n - i, stem) : 0;
        if (run >= SHORTEST) {
            struct text t = {0};
            text_char(&t, '"');
            for (uint32_t k = 0; k < run; k++)
                add_byte(values[i + k].value,
                         k + 1 < run ? values[i + k + 1].value : NULL, &t);
            text_char(&t, '"');
            v = (struct call_value){CALL_TEXT,
                                    arena_format(a, "%.*s", (int)stem, v.place),
                                    arena_text(a, text_get(&t))};
            text_free(&t);
        }
        i += run >= SHORTEST ? run : 1;
        values[kept++] = v;
    }
    return kept;
}
