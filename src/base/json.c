#include "base/json.h"

#include <math.h>

#include "base/die.h"

static void quoted(struct text *t, const char *s)
{
    text_char(t, '"');
    for (; *s; s++) {
        unsigned char c = (unsigned char)*s;
        if (c == '"' || c == '\\')
            text_format(t, "\\%c", c);
        else if (c == '\n')
            text_add(t, "\\n");
        else if (c == '\t')
            text_add(t, "\\t");
        else if (c < 0x20)
            text_format(t, "\\u%04x", c);
        else
            text_char(t, (char)c);
    }
    text_char(t, '"');
}

static void line(struct json *j)
{
    if (j->compact)
        return;
    text_char(j->to, '\n');
    for (uint32_t i = 0; i < j->depth; i++)
        text_add(j->to, "  ");
}

// What comes before a value: comma, new line, key.
static void before(struct json *j, const char *key)
{
    if (j->some)
        text_char(j->to, ',');
    if (j->depth)
        line(j);
    j->some = true;
    if (key) {
        quoted(j->to, key);
        text_add(j->to, j->compact ? ":" : ": ");
    }
}

static void open(struct json *j, const char *key, bool array)
{
    before(j, key);
    if (++j->depth >= 64)
        die("JSON nested too deeply");
    uint64_t bit = (uint64_t)1 << j->depth;
    j->arrays = array ? j->arrays | bit : j->arrays & ~bit;
    text_char(j->to, array ? '[' : '{');
    j->some = false;
}

void json_object(struct json *j, const char *key)
{
    open(j, key, false);
}

void json_array(struct json *j, const char *key)
{
    open(j, key, true);
}

void json_end(struct json *j)
{
    bool array = j->arrays >> j->depth & 1;
    j->depth--;
    if (j->some)
        line(j);
    text_char(j->to, array ? ']' : '}');
    j->some = true;
    if (!j->depth && !j->compact)
        text_char(j->to, '\n');
}

void json_text(struct json *j, const char *key, const char *value)
{
    before(j, key);
    if (value)
        quoted(j->to, value);
    else
        text_add(j->to, "null");
}

void json_number(struct json *j, const char *key, int64_t value)
{
    before(j, key);
    text_format(j->to, "%lld", (long long)value);
}

void json_real(struct json *j, const char *key, double value)
{
    before(j, key);
    if (isfinite(value))
        text_format(j->to, "%.17g", value);
    else
        text_add(j->to, "null");
}

void json_bool(struct json *j, const char *key, bool value)
{
    before(j, key);
    text_add(j->to, value ? "true" : "false");
}
