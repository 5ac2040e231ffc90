#include "base/json.h"

#include <math.h>

#include "base/die.h"

// How many bytes make the character here, 0 if they are not UTF-8 (Unicode
// 15.0, table 3-7).
static size_t utf8(const unsigned char *s)
{
    unsigned char a = s[0], b = a < 0x80 ? 0 : s[1];
    size_t n = a < 0x80                ? 1
               : a >= 0xc2 && a < 0xe0 ? 2
               : a >= 0xe0 && a < 0xf0 ? 3
               : a >= 0xf0 && a < 0xf5 ? 4
                                       : 0;
    if ((a == 0xe0 && b < 0xa0) || (a == 0xed && b > 0x9f) ||
        (a == 0xf0 && b < 0x90) || (a == 0xf4 && b > 0x8f))
        return 0;
    for (size_t i = 1; i < n; i++)
        if ((s[i] & 0xc0) != 0x80)
            return 0;
    return n;
}

static void quoted(struct text *t, const char *s)
{
    text_char(t, '"');
    for (; *s; s++) {
        unsigned char c = (unsigned char)*s;
        size_t n = utf8((const unsigned char *)s);
        if (n != 1) {
            if (n)
                text_bytes(t, s, n);
            else // not part of a UTF-8 character
                text_add(t, "\\ufffd");
            s += n ? n - 1 : 0;
            continue;
        }
        if (c == '"' || c == '\\')
            text_format(t, "\\%c", c);
        else if (c == '\n')
            text_add(t, "\\n");
        else if (c == '\t')
            text_add(t, "\\t");
        else if (c < 0x20 || c == 0x7f)
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
