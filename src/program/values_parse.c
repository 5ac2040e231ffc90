// Text to values: the inverse of printing with `exact`.
//
// One walk over the shape.  Where the text does not fit, the walk ends and the
// place is told.
#include "program/values.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "program/program.h"
#include "program/shape.h"

struct parse {
    struct values *v;
    const struct values_makers *makers;
    const char *at;
    const char *wrong; // NULL: nothing so far
};

struct room {
    const struct shape *shape;
    unsigned char *at;
    uint32_t bit, bits; // of a bit-field, from `at`; bits 0: none
};

static bool parse(struct parse *p, struct room r);

static bool fail(struct parse *p, const char *what)
{
    if (!p->wrong)
        p->wrong = what;
    return false;
}

static void blanks(struct parse *p)
{
    p->at += strspn(p->at, " \t");
}

static bool take(struct parse *p, const char *s)
{
    blanks(p);
    size_t n = strlen(s);
    if (strncmp(p->at, s, n) != 0)
        return false;
    p->at += n;
    return true;
}

static bool need_text(struct parse *p, const char *s, const char *what)
{
    return take(p, s) || fail(p, what);
}

// ---- leaves ---------------------------------------------------------------

static void store(struct room r, uint64_t v)
{
    if (!r.bits) {
        memcpy(r.at, &v, r.shape->size < 8 ? r.shape->size : 8);
        return;
    }
    for (uint32_t i = 0; i < r.bits && i < 64; i++) {
        uint32_t bit = r.bit + i;
        unsigned char mask = (unsigned char)(1u << bit % 8);
        r.at[bit / 8] = (unsigned char)(v >> i & 1 ? r.at[bit / 8] | mask
                                                   : r.at[bit / 8] & ~mask);
    }
}

static uint32_t width(struct room r)
{
    return r.bits ? r.bits : r.shape->size * 8;
}

// Does the number fit?  Negative ones must fit with their sign.
static bool fits(struct room r, uint64_t v, bool negative)
{
    uint32_t bits = width(r);
    bool is_signed = r.shape->kind == SHAPE_INT ||
                     r.shape->kind == SHAPE_CHAR ||
                     (r.shape->kind == SHAPE_ENUM && r.shape->is_signed);
    if (negative && !is_signed)
        return false;
    if (bits >= 64)
        return negative || !is_signed || v <= INT64_MAX;
    uint64_t most =
        is_signed ? (UINT64_C(1) << (bits - 1)) - 1 : (UINT64_C(1) << bits) - 1;
    return negative ? -v <= most + 1 : v <= most;
}

static unsigned escaped(struct parse *p)
{
    static const char from[] = "ntr", to[] = "\n\t\r";
    const char *known = *p->at ? strchr(from, *p->at) : NULL;
    unsigned c = 0;
    if (*p->at >= '0' && *p->at <= '7') {
        for (int i = 0; i < 3 && *p->at >= '0' && *p->at <= '7'; i++)
            c = c * 8 + (unsigned)(*p->at++ - '0');
        return c & 0xff;
    }
    if (*p->at == 'x') {
        p->at++;
        for (int i = 0; i < 2 && isxdigit((unsigned char)*p->at); i++, p->at++)
            c = c * 16 + (unsigned)(isdigit((unsigned char)*p->at)
                                        ? *p->at - '0'
                                        : (*p->at | 32) - 'a' + 10);
        return c;
    }
    c = (unsigned char)(known ? to[known - from] : *p->at);
    p->at += *p->at != 0;
    return c;
}

static bool letter(struct parse *p, uint64_t *v)
{
    unsigned c = (unsigned char)*p->at;
    if (!c)
        return fail(p, "the text ends here");
    p->at++;
    *v = c == '\\' ? escaped(p) : c;
    return true;
}

static bool number(struct parse *p, struct room r)
{
    blanks(p);
    bool negative = *p->at == '-';
    char *end;
    uint64_t v = 0;
    if (*p->at == '\'') {
        p->at++;
        if (!letter(p, &v) || !need_text(p, "'", "a quote is not closed"))
            return false;
        store(r, v);
        return true;
    }
    if (!isdigit((unsigned char)p->at[negative]))
        return fail(p, "not a number");
    errno = 0;
    v = strtoull(p->at + negative, &end, 0);
    if (negative && v > UINT64_C(1) << 63)
        errno = ERANGE;
    v = negative ? -v : v;
    if (errno || !fits(r, v, negative && v))
        return fail(p, "the number does not fit its type");
    p->at = end;
    store(r, v);
    return true;
}

static bool parse_nan(struct parse *p, struct room r)
{
    char *end;
    uint64_t bits = strtoull(p->at, &end, 16);
    if (end == p->at || *end != ')')
        return fail(p, "not the bits of a number");
    p->at = end + 1;
    memcpy(r.at, &bits, r.shape->size < 8 ? r.shape->size : 8);
    return true;
}

static bool parse_float(struct parse *p, struct room r)
{
    char *end;
    blanks(p);
    if (take(p, "nan(0x"))
        return parse_nan(p, r);
    if (r.shape->size == sizeof(float)) {
        float f = strtof(p->at, &end);
        memcpy(r.at, &f, sizeof f);
    } else if (r.shape->size == sizeof(double)) {
        double d = strtod(p->at, &end);
        memcpy(r.at, &d, sizeof d);
    } else {
        long double d = strtold(p->at, &end);
        memcpy(r.at, &d, 10);
    }
    if (end == p->at)
        return fail(p, "not a number");
    p->at = end;
    return true;
}

static size_t word(struct parse *p)
{
    blanks(p);
    size_t n = 0;
    while (isalnum((unsigned char)p->at[n]) || p->at[n] == '_')
        n++;
    return n;
}

static bool enumerator(struct parse *p, const struct shape *e, int64_t *v)
{
    size_t n = word(p);
    for (uint32_t i = 0; i < e->n; i++)
        if (strlen(e->values[i].name) == n &&
            strncmp(e->values[i].name, p->at, n) == 0) {
            *v |= e->values[i].value;
            p->at += n;
            return true;
        }
    return fail(p, "no such enumerator");
}

static bool parse_enum(struct parse *p, struct room r)
{
    int64_t v = 0;
    blanks(p);
    if (isdigit((unsigned char)*p->at) || *p->at == '-')
        return number(p, r);
    do
        if (!enumerator(p, r.shape, &v))
            return false;
    while (take(p, "|"));
    store(r, (uint64_t)v);
    return true;
}

static bool parse_bool(struct parse *p, struct room r)
{
    bool yes = take(p, "true") || take(p, "1");
    if (!yes && !take(p, "false") && !take(p, "0"))
        return fail(p, "neither true nor false");
    store(r, yes);
    return true;
}

// A string into at most n bytes; *length is how many it has.
static bool string(struct parse *p, unsigned char *to, size_t n, size_t *length)
{
    *length = 0;
    if (!need_text(p, "\"", "not a text in quotes"))
        return false;
    while (*p->at != '"') {
        uint64_t c = 0;
        if (!letter(p, &c))
            return false;
        if (*length == n)
            return fail(p, "the text is too long");
        to[(*length)++] = (unsigned char)c;
    }
    p->at++;
    return true;
}

// ---- references and pointers ----------------------------------------------

enum { MOST_TEXT = 1024 };

static bool parse_ref(struct parse *p, struct room r)
{
    char name[MOST_TEXT + 1];
    uintptr_t ref = 0;
    size_t n = word(p);
    if (!n && *p->at == '"') {
        if (!string(p, (unsigned char *)name, MOST_TEXT, &n))
            return false;
    } else {
        n = n < MOST_TEXT ? n : MOST_TEXT;
        memcpy(name, p->at, n);
        p->at += n;
    }
    name[n] = 0;
    if (!p->makers || !p->makers->ref ||
        !p->makers->ref(p->makers->user, name, &ref))
        return fail(p, "no actor is exposed under this name");
    store(r, ref);
    return true;
}

static void *block(struct parse *p, size_t size)
{
    size = size > VALUES_BLOCK ? size : VALUES_BLOCK;
    void *b = p->makers && p->makers->block
                  ? p->makers->block(p->makers->user, size)
                  : NULL;
    if (!b)
        fail(p, "the message owns no memory");
    return b;
}

static bool parse_text(struct parse *p, struct room r)
{
    unsigned char text[MOST_TEXT];
    size_t n;
    if (!string(p, text, sizeof text, &n))
        return false;
    char *b = block(p, n + 1);
    if (!b)
        return false;
    memcpy(b, text, n);
    b[n] = 0;
    store(r, (uintptr_t)b);
    return true;
}

// VALUE, (type)VALUE or (type){VALUE}; the type is for the C compiler.
static bool parse_literal(struct parse *p, struct room r)
{
    enum shape_kind k = r.shape->kind;
    bool scalar = k != SHAPE_STRUCT && k != SHAPE_UNION && k != SHAPE_ARRAY;
    const char *end = take(p, "(") ? strchr(p->at, ')') : p->at - 1;
    if (!end)
        return fail(p, "a type ends with )");
    p->at = end + 1;
    bool braces = scalar && take(p, "{");
    return parse(p, r) && (!braces || need_text(p, "}", "} is missing"));
}

static bool parse_pointer(struct parse *p, struct room r)
{
    if (take(p, "NULL")) {
        store(r, 0);
        return true;
    }
    if (r.shape->kind == SHAPE_REF)
        return parse_ref(p, r);
    if (r.shape->kind == SHAPE_TEXT)
        return parse_text(p, r);
    const struct shape *to = shapes_at(values_shapes(p->v), r.shape->to);
    if (!need_text(p, "&", "not a pointer: NULL or &VALUE"))
        return false;
    if (!to || !to->size)
        return fail(p, "a pointer to what is not known");
    unsigned char *b = block(p, to->size);
    if (!b)
        return false;
    store(r, (uintptr_t)b);
    return parse_literal(p, (struct room){to, b, 0, 0});
}

// ---- structs and arrays ---------------------------------------------------

// The field of this name, in unnamed members too.
static bool find_field(struct room in, const char *name, size_t n,
                       struct room *out)
{
    for (uint32_t i = 0; i < in.shape->n; i++) {
        const struct shape_field *f = &in.shape->fields[i];
        struct room m = f->packed
                            ? (struct room){f->shape, in.at, f->bit, f->bits}
                            : (struct room){f->shape, in.at + f->bit / 8, 0, 0};
        if (f->name && strlen(f->name) == n && !strncmp(f->name, name, n)) {
            *out = m;
            return true;
        }
        if (!f->name &&
            (f->shape->kind == SHAPE_STRUCT || f->shape->kind == SHAPE_UNION) &&
            find_field(m, name, n, out))
            return true;
    }
    return false;
}

static bool parse_field(struct parse *p, struct room r)
{
    struct room m;
    if (!need_text(p, ".", "a field is .NAME = VALUE"))
        return false;
    size_t n = word(p);
    if (!find_field(r, p->at, n, &m))
        return fail(p, "no such field");
    p->at += n;
    return need_text(p, "=", "a field is .NAME = VALUE") && parse(p, m);
}

static bool parse_fields(struct parse *p, struct room r)
{
    if (!need_text(p, "{", "a struct begins with {"))
        return false;
    if (take(p, "}"))
        return true;
    do
        if (!parse_field(p, r))
            return false;
    while (take(p, ","));
    return need_text(p, "}", "a struct ends with }");
}

static bool parse_element(struct parse *p, struct room r, uint32_t *i)
{
    if (take(p, "[")) {
        char *end;
        unsigned long k = strtoul(p->at, &end, 10);
        if (end == p->at)
            return fail(p, "not an index");
        p->at = end;
        *i = k < r.shape->n ? (uint32_t)k : r.shape->n;
        if (!need_text(p, "]", "an index ends with ]") ||
            !need_text(p, "=", "an element is [N] = VALUE"))
            return false;
    }
    if (*i >= r.shape->n)
        return fail(p, "the array has fewer elements");
    struct room e = {r.shape->of, r.at + *i * r.shape->of->size, 0, 0};
    ++*i;
    return parse(p, e);
}

static bool parse_array(struct parse *p, struct room r)
{
    size_t n;
    uint32_t i = 0;
    blanks(p);
    if (r.shape->of->kind == SHAPE_CHAR && *p->at == '"')
        return string(p, r.at, r.shape->n, &n);
    if (!need_text(p, "{", "an array begins with {"))
        return false;
    if (take(p, "0}") || take(p, "}"))
        return true;
    do
        if (!parse_element(p, r, &i))
            return false;
    while (take(p, ","));
    return need_text(p, "}", "an array ends with }");
}

static bool parse_bytes(struct parse *p, struct room r)
{
    if (!need_text(p, "0x", "bytes begin with 0x"))
        return false;
    for (uint32_t i = 0; i < r.shape->size; i++) {
        char two[3] = {p->at[0], p->at[0] ? p->at[1] : 0, 0};
        if (!isxdigit((unsigned char)two[0]) ||
            !isxdigit((unsigned char)two[1]))
            return fail(p, "not a byte");
        r.at[i] = (unsigned char)strtoul(two, NULL, 16);
        p->at += 2;
    }
    return true;
}

static bool parse(struct parse *p, struct room r)
{
    switch (r.shape->kind) {
    case SHAPE_INT:
    case SHAPE_UNSIGNED:
    case SHAPE_CHAR:
    case SHAPE_TIMER:
        return number(p, r);
    case SHAPE_BOOL:
        return parse_bool(p, r);
    case SHAPE_FLOAT:
        return parse_float(p, r);
    case SHAPE_ENUM:
        return parse_enum(p, r);
    case SHAPE_POINTER:
    case SHAPE_TEXT:
    case SHAPE_REF:
        return parse_pointer(p, r);
    case SHAPE_STRUCT:
    case SHAPE_UNION:
        return parse_fields(p, r);
    case SHAPE_ARRAY:
        return parse_array(p, r);
    case SHAPE_BYTES:
        return parse_bytes(p, r);
    }
    return false;
}

bool values_parse(struct values *v, const char *type, const char *text, void *p,
                  size_t size, const struct values_makers *makers,
                  struct text *why)
{
    const struct shape *s = shapes_find(values_shapes(v), type, size);
    struct parse x = {.v = v, .makers = makers, .at = text};
    memset(p, 0, size);
    if (!*text)
        return true;
    bool ok = s ? parse(&x, (struct room){s, p, 0, 0})
                : fail(&x, "its type is not known");
    blanks(&x);
    if (ok && *x.at)
        ok = fail(&x, "something follows the value");
    if (!ok && why)
        text_format(why, "%s, at '%.20s'", x.wrong, x.at);
    return ok;
}
