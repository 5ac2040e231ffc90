#include "unit/literal.h"

#include "base/text.h"
#include "unit/spell.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

bool literal_is_char(const struct ir *ir, uint32_t type)
{
    const struct ir_dtype *t = spell_bare(ir, type);
    return strcmp(t->name, "char") == 0 && t->size == 1;
}

bool literal_is_text(const uint8_t *bytes, uint64_t n, uint64_t *length)
{
    uint64_t end = 0;
    while (end < n && isprint(bytes[end]) && bytes[end] < 128)
        end++;
    *length = end;
    for (uint64_t i = end; i < n; i++)
        if (bytes[i])
            return false;
    return end < n;
}

static void character(unsigned char c, struct text *to)
{
    static const char from[] = "\n\t\r\a\b\f\v\\'\0", names[] = "ntrabfv\\'0";
    const char *at = memchr(from, c, sizeof from - 1);
    if (at)
        text_format(to, "'\\%c'", names[at - from]);
    else
        text_format(to, "'%c'", c);
}

static bool is_plain_char(unsigned char c)
{
    return (c < 128 && isprint(c)) || (c && strchr("\n\t\r", c)) || !c;
}

static void signed_number(int64_t v, uint64_t size, struct text *to)
{
    if (v == INT64_MIN)
        text_add(to, "INT64_MIN");
    else if (v == INT32_MIN)
        text_add(to, size <= 4 ? "INT_MIN" : "-2147483648LL");
    else if (v > INT32_MAX || v < INT32_MIN)
        text_format(to, "%lldLL", (long long)v);
    else
        text_format(to, "%lld", (long long)v);
}

static void unsigned_number(uint64_t v, uint64_t size, struct text *to)
{
    if (v <= INT32_MAX)
        text_format(to, "%llu", (unsigned long long)v);
    else if (size <= 4)
        text_format(to, "%lluu", (unsigned long long)v);
    else
        text_format(to, "%lluull", (unsigned long long)v);
}

static bool enumerator(const struct ir_dtype *t, int64_t v, struct text *to)
{
    for (uint32_t i = 0; i < t->n; i++)
        if (t->values[i].value == v) {
            text_add(to, t->values[i].name);
            return true;
        }
    return false;
}

// In decimal if that is exact and short, else in hexadecimal.
static void real(long double v, const char *ending, struct text *to)
{
    char s[64];
    if (isnan(v)) {
        text_format(to, "__builtin_nan%s(\"\")", ending);
        return;
    }
    if (isinf(v)) {
        text_format(to, "%s__builtin_inf%s()", v < 0 ? "-" : "", ending);
        return;
    }
    snprintf(s, sizeof s, "%.6Lg", v);
    long double back = 0;
    sscanf(s, "%Lf", &back);
    if (back != v)
        snprintf(s, sizeof s, "%La", v);
    text_format(to, "%s%s%s", s, strpbrk(s, ".ep") ? "" : ".0", ending);
}

static void floating(const struct ir_dtype *t, union ir_bits v, struct text *to)
{
    if (t->size == 4)
        real((long double)v.f, "f", to);
    else if (t->size == 8)
        real((long double)v.d, "", to);
    else
        real(v.ld, "l", to);
}

static void integer(const struct ir *ir, uint32_t type,
                    const struct ir_dtype *t, bool is_signed, uint32_t bits,
                    union ir_bits v, struct text *to)
{
    uint64_t u = (uint64_t)v.i;
    if (bits < 64)
        u &= (UINT64_C(1) << bits) - 1;
    int64_t s = (int64_t)u;
    if (is_signed && bits < 64 && u >> (bits - 1))
        s = (int64_t)(u | ~UINT64_C(0) << bits);
    if (t->kind == IR_D_ENUM && enumerator(t, s, to))
        return;
    if (literal_is_char(ir, type) && bits == 8 && is_plain_char((uint8_t)u))
        character((unsigned char)u, to);
    else if (is_signed)
        signed_number(s, t->size, to);
    else
        unsigned_number(u, t->size, to);
}

void literal(const struct ir *ir, uint32_t type, uint32_t bits,
             union ir_bits value, struct text *to)
{
    const struct ir_dtype *t = spell_bare(ir, type);
    bool is_signed = t->kind == IR_D_SIGNED;
    if (t->kind == IR_D_FLOAT) {
        floating(t, value, to);
        return;
    }
    if (t->kind == IR_D_ENUM)
        is_signed = t->base == IR_NOTHING ||
                    spell_bare(ir, t->base)->kind == IR_D_SIGNED;
    integer(ir, type, t, is_signed, bits, value, to);
}

void literal_text(const uint8_t *bytes, uint64_t n, struct text *to)
{
    text_char(to, '"');
    for (uint64_t i = 0; i < n; i++) {
        uint8_t c = bytes[i];
        if (c == '"' || c == '\\')
            text_format(to, "\\%c", c);
        else if (c == '\n')
            text_add(to, "\\n");
        else if (c == '\t')
            text_add(to, "\\t");
        else if (c < ' ' || c > '~' || // no trigraphs
                 (c == '?' && i && bytes[i - 1] == '?'))
            text_format(to, "\\%03o", c);
        else
            text_char(to, (char)c);
    }
    text_char(to, '"');
}

unsigned literal_char_weight(uint8_t c)
{
    return !c                       ? 0
           : c >= 'a' && c <= 'z'   ? 1
           : isalnum(c) || c == ' ' ? 2
           : isprint(c)             ? 3
                                    : 8;
}
