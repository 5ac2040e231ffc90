// One scanner reads digits with underscores and a fraction into a value and a
// power of ten; units scale it.  Everything is checked for overflow.
#include "base/number.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// "1_000.5" at *s; false if there is no digit.
static bool scan(const char **s, long double *out)
{
    char digits[64];
    size_t n = 0;
    const char *p = *s;
    bool any = false;
    while (isdigit((unsigned char)*p) || (*p == '_' && any) || *p == '.') {
        any |= isdigit((unsigned char)*p) != 0;
        if (*p != '_' && n < sizeof digits - 1)
            digits[n++] = *p;
        p++;
    }
    digits[n] = 0;
    char *end;
    *out = strtold(digits, &end);
    *s = p;
    return any && !*end && n < sizeof digits - 1;
}

static bool whole(long double v, uint64_t *out)
{
    if (v < 0 || v >= 18446744073709551616.0L || v != floorl(v))
        return false;
    *out = (uint64_t)v;
    return true;
}

static bool scan_hex(const char *s, uint64_t *out)
{
    char *end;
    if (!isxdigit((unsigned char)*s) || strlen(s) > 16)
        return false;
    *out = strtoull(s, &end, 16);
    return !*end;
}

bool number_parse(const char *s, uint64_t *out)
{
    if (s[0] == '0' && (s[1] == 'x' || s[1] == 'X'))
        return scan_hex(s + 2, out);
    long double v;
    if (!scan(&s, &v))
        return false;
    static const struct {
        char letter;
        double factor;
    } units[] = {{'k', 1e3}, {'K', 1e3}, {'M', 1e6}, {'G', 1e9}};
    for (size_t i = 0; *s && i < sizeof units / sizeof *units; i++)
        if (*s == units[i].letter) {
            v *= units[i].factor;
            s++;
            break;
        }
    return !*s && whole(v, out);
}

bool number_parse_signed(const char *s, int64_t *out)
{
    bool minus = *s == '-';
    uint64_t v;
    if (!number_parse(s + (minus || *s == '+'), &v))
        return false;
    if (v > (uint64_t)INT64_MAX + minus)
        return false;
    *out = minus ? (int64_t)(0 - v) : (int64_t)v;
    return true;
}

// The longest unit that *s begins with.
static double unit(const char **s)
{
    static const struct {
        const char *name;
        double ns;
    } units[] = {{"ns", 1},  {"us", 1e3}, {"ms", 1e6},   {"min", 60e9},
                 {"s", 1e9}, {"m", 60e9}, {"h", 3600e9}, {"d", 86400e9}};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        size_t n = strlen(units[i].name);
        if (strncmp(*s, units[i].name, n) == 0) {
            *s += n;
            return units[i].ns;
        }
    }
    return 0;
}

bool duration_parse(const char *s, uint64_t *ns)
{
    long double sum = 0;
    if (!*s)
        return false;
    for (bool first = true; *s; first = false) {
        long double v;
        if (!scan(&s, &v))
            return false;
        double factor = *s ? unit(&s) : first ? 1e9 : 0;
        if (factor == 0)
            return false;
        sum += v * factor;
    }
    return whole(floorl(sum + 0.5L), ns);
}

const char *number_grouped(char *buffer, uint64_t n)
{
    char plain[24];
    int len = snprintf(plain, sizeof plain, "%llu", (unsigned long long)n);
    char *to = buffer;
    for (int i = 0; i < len; i++) {
        if (i && (len - i) % 3 == 0)
            *to++ = ',';
        *to++ = plain[i];
    }
    *to = '\0';
    return buffer;
}

uint64_t double_bits(double v)
{
    uint64_t bits;
    memcpy(&bits, &v, sizeof bits);
    return bits;
}
