// Values as text.  A pointer is followed into the program's own constant data.
// Other memory is read only through the caller (values_names.read).
#include "program/values.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/peek.h"
#include "base/die.h"
#include "base/text.h"
#include "program/program.h"
#include "program/values_inner.h"

enum { MOST_ELEMENTS = 32, MOST_BYTES = 64, MANY = 4 };
enum { MOST_DEEP = 16, MOST_FOLLOWED = 1024 }; // bounds with names->plain

struct values *values_new(const struct program *p)
{
    struct values *v = need_zero(sizeof *v);
    v->program = p;
    v->shapes = shapes_new(program_dwarf(p));
    return v;
}

void values_free(struct values *v)
{
    if (!v)
        return;
    shapes_free(v->shapes);
    map_free(&v->mask_of);
    vec_free(&v->masks);
    arena_free(&v->arena);
    free(v);
}

bool values_known(const struct values *v)
{
    return program_dwarf(v->program) != NULL;
}

// ---- leaves ---------------------------------------------------------------

static void print_char(struct text *out, unsigned char c, char quote)
{
    static const char from[] = "\n\t\r\\\"'", to[] = "ntr\\\"'";
    const char *p = c ? strchr(from, c) : NULL;
    if (p && !(c == '"' && quote == '\'') && !(c == '\'' && quote == '"'))
        text_format(out, "\\%c", to[p - from]);
    else if (isprint(c) || c >= 0x80)
        text_char(out, (char)c);
    else
        text_format(out, "\\x%02x", c);
}

static void print_string(struct text *out, const char *s, size_t n)
{
    text_char(out, '"');
    for (size_t i = 0; i < n; i++)
        print_char(out, (unsigned char)s[i], '"');
    text_char(out, '"');
}

// All of it, up to the last character that is not zero; C reads it, too.
static void print_exactly(struct text *out, const unsigned char *s, size_t n)
{
    while (n && !s[n - 1])
        n--;
    text_char(out, '"');
    for (size_t i = 0; i < n; i++)
        if (s[i] == '"' || s[i] == '\\')
            text_format(out, "\\%c", s[i]);
        else if (s[i] >= 0x20 && s[i] < 0x7f)
            text_char(out, (char)s[i]);
        else
            text_format(out, "\\%03o", s[i]);
    text_char(out, '"');
}

void values_print_bytes(struct text *out, const unsigned char *p, size_t n)
{
    for (size_t i = 0; i < n && i < MOST_BYTES; i++)
        text_format(out, i && i % 4 == 0 ? " %02x" : "%02x", p[i]);
    if (n > MOST_BYTES)
        text_format(out, " (%zu bytes)", n);
}

static bool is_exact(const struct walk *w)
{
    return w->names && w->names->exact;
}

// Not a number: there are many of them, told apart by their bits.
static bool print_nan(struct text *out, struct spot s)
{
    float f;
    double d;
    memcpy(&f, s.at, sizeof f);
    if (s.shape->size == sizeof f && isnan(f))
        text_format(out, "nan(0x%08llx)", (unsigned long long)load(s));
    else if (s.shape->size == sizeof d &&
             (memcpy(&d, s.at, sizeof d), isnan(d)))
        text_format(out, "nan(0x%016llx)", (unsigned long long)load(s));
    else
        return false;
    return true;
}

// The shortest text that reads back as the same number.
static void print_float(const struct walk *w, struct spot s)
{
    char buf[64];
    struct text *out = w->out;
    if (is_exact(w) && print_nan(out, s))
        return;
    if (s.shape->size == sizeof(float)) {
        float f;
        memcpy(&f, s.at, sizeof f);
        for (int digits = 6; digits <= 9; digits++) {
            snprintf(buf, sizeof buf, "%.*g", digits, (double)f);
            float back = strtof(buf, NULL);
            if (back == f)
                break;
        }
    } else if (s.shape->size == sizeof(double)) {
        double d;
        memcpy(&d, s.at, sizeof d);
        for (int digits = 6; digits <= 17; digits++) {
            snprintf(buf, sizeof buf, "%.*g", digits, d);
            double back = strtod(buf, NULL);
            if (back == d)
                break;
        }
    } else {
        long double d;
        memcpy(&d, s.at, sizeof d);
        snprintf(buf, sizeof buf, "%.21Lg", d);
    }
    text_add(out, buf);
}

static bool one_bit(int64_t v)
{
    return v > 0 && (v & (v - 1)) == 0;
}

// A value without a name of its own may be several flags: "READ|WRITE".
static void print_flags(struct text *out, const struct shape *e, int64_t v)
{
    int64_t rest = v;
    for (uint32_t i = 0; i < e->n; i++)
        if (one_bit(e->values[i].value))
            rest &= ~e->values[i].value;
    if (v <= 0 || rest) {
        text_format(out, "%lld", (long long)v);
        return;
    }
    bool first = true;
    for (uint32_t i = 0; i < e->n; i++) {
        int64_t flag = e->values[i].value;
        if (!one_bit(flag) || !(v & flag))
            continue;
        text_format(out, "%s%s", first ? "" : "|", e->values[i].name);
        v &= ~flag;
        first = false;
    }
}

static void print_enum(struct text *out, struct spot s)
{
    const struct shape *e = s.shape;
    int64_t v = e->is_signed ? load_signed(s) : (int64_t)load(s);
    for (uint32_t i = 0; i < e->n; i++)
        if (e->values[i].value == v) {
            text_add(out, e->values[i].name);
            return;
        }
    print_flags(out, e, v);
}

// Text that the program's own constant data holds; other memory may be gone.
static bool print_constant(const struct walk *w, uintptr_t at)
{
    struct range r = w->v->program->image, data = w->v->program->data;
    if (at < r.from || at >= r.to || (at >= data.from && at < data.to))
        return false;
    const char *s = (const char *)at;
    size_t n = strnlen(s, r.to - at < MOST_BYTES ? r.to - at : MOST_BYTES);
    print_string(w->out, s, n);
    return true;
}

size_t values_read_here(void *user, uintptr_t at, char *out, size_t most)
{
    (void)user;
    return peek_most(at, out, most);
}

// Text elsewhere, if it ends within a line.
static bool print_text(const struct walk *w, uintptr_t at)
{
    char s[MOST_BYTES];
    if (!w->names || !w->names->read)
        return false;
    size_t n = w->names->read(w->names->user, at, s, sizeof s);
    size_t length = strnlen(s, n);
    if (!n || (length == n && n < sizeof s))
        return false;
    print_string(w->out, s, length);
    text_add(w->out, length == sizeof s ? "..." : "");
    return true;
}

static bool is_plain(const struct walk *w)
{
    return w->names && w->names->plain;
}

static bool is_future(const struct shape *s)
{
    return s->kind == SHAPE_UNION && s->name && !strncmp(s->name, "tr_fut", 6);
}

// (struct point){.x = 1}, (int){5}: C reads it, too.
static void print_literal(const struct walk *w, struct spot s)
{
    enum shape_kind k = s.shape->kind;
    bool braces = k != SHAPE_STRUCT && k != SHAPE_UNION && k != SHAPE_ARRAY;
    text_format(w->out, "(%s%s)%s",
                k == SHAPE_STRUCT  ? "struct "
                : k == SHAPE_UNION ? "union "
                : k == SHAPE_ENUM  ? "enum "
                                   : "",
                s.shape->name ? s.shape->name : "", braces ? "{" : "");
    values_print_spot(w, s);
    text_add(w->out, braces ? "}" : "");
}

// What the pointer leads to; "set" if that is not to be had.
static void print_pointee(const struct walk *w, struct spot s, uintptr_t at)
{
    const struct shape *to = shapes_at(w->v->shapes, s.shape->to);
    unsigned char copy[MOST_FOLLOWED];
    struct walk deeper = *w;
    if (s.shape->kind != SHAPE_POINTER || !to || !to->size || is_future(to) ||
        to->size > sizeof copy || ++deeper.deep > MOST_DEEP ||
        !w->names->read ||
        w->names->read(w->names->user, at, (char *)copy, to->size) !=
            to->size) {
        text_add(w->out, is_exact(w) ? "NULL" : "set");
        return;
    }
    text_char(w->out, '&');
    if (is_exact(w))
        print_literal(&deeper, (struct spot){to, copy, 0, 0});
    else
        values_print_spot(&deeper, (struct spot){to, copy, 0, 0});
}

// What values_parse() makes anew: a text, or one element.
static void print_target(const struct walk *w, struct spot s, uintptr_t at)
{
    unsigned char text[MOST_FOLLOWED];
    if (s.shape->kind != SHAPE_TEXT) {
        print_pointee(w, s, at);
        return;
    }
    size_t n = w->names->read ? w->names->read(w->names->user, at, (char *)text,
                                               sizeof text)
                              : 0;
    print_exactly(w->out, text, strnlen((char *)text, n));
}

static void print_pointer(const struct walk *w, struct spot s)
{
    uintptr_t at = (uintptr_t)load(s), offset = 0;
    if (!at) {
        text_add(w->out, "NULL");
        return;
    }
    if (s.shape->kind == SHAPE_REF && w->names && w->names->ref &&
        w->names->ref(w->names->user, at, w->out))
        return;
    if (is_exact(w)) {
        print_target(w, s, at);
        return;
    }
    if (s.shape->kind == SHAPE_TEXT &&
        (print_constant(w, at) || print_text(w, at)))
        return;
    const char *name = s.shape->kind == SHAPE_REF
                           ? NULL
                           : program_symbol(w->v->program, at, &offset);
    if (name && offset)
        text_format(w->out, "&%s+%zu", name, (size_t)offset);
    else if (name)
        text_format(w->out, "&%s", name);
    else if (is_plain(w))
        print_pointee(w, s, at);
    else
        text_format(w->out, "0x%zx", (size_t)at);
}

static void print_timer(const struct walk *w, struct spot s)
{
    uint64_t v = load(s);
    if (is_exact(w))
        text_format(w->out, "%llu", (unsigned long long)v);
    else if (is_plain(w))
        text_add(w->out, v ? "set" : "0");
    else if (!v)
        text_add(w->out, "none");
    else if (!w->names || !w->names->timer ||
             !w->names->timer(w->names->user, v, w->out))
        text_format(w->out, "%llu", (unsigned long long)v);
}

// A char is most often a small number; show letters as letters.
static void print_letter(struct text *out, struct spot s)
{
    int64_t v = load_signed(s);
    if (v < 0x20 || v > 0x7e) {
        text_format(out, "%lld", (long long)v);
        return;
    }
    text_char(out, '\'');
    print_char(out, (unsigned char)v, '\'');
    text_char(out, '\'');
}

// ---- printing -------------------------------------------------------------

// Members that plain text does not show as they are: what the C++ library keeps
// for itself, where ends of ranges point to nothing.
static bool print_plainly(const struct walk *w, const struct shape_field *f)
{
    if (!is_plain(w))
        return false;
    if (f->name && f->name[0] == '_')
        text_add(w->out, "...");
    return f->name && f->name[0] == '_';
}

// How many bits of a union's bytes a member does not tell.
static uint32_t untold(struct spot s, const struct shape_field *f)
{
    uint32_t n = 0;
    unsigned char *told = need_zero(s.shape->size + 1);
    values_tell(told, f);
    for (uint32_t i = 0; i < s.shape->size; i++)
        n += (uint32_t)__builtin_popcount(s.at[i] & ~told[i]);
    free(told);
    return n;
}

// The member of a union that tells the most of what its bytes hold; of several
// the largest.
static const struct shape_field *telling(struct spot s)
{
    const struct shape_field *best = NULL;
    uint32_t least = UINT32_MAX;
    for (uint32_t i = 0; i < s.shape->n; i++) {
        const struct shape_field *f = &s.shape->fields[i];
        uint32_t n = untold(s, f);
        if (n < least || (n == least && f->bits > best->bits)) {
            best = f;
            least = n;
        }
    }
    return best;
}

static void print_fields(const struct walk *w, struct spot s, bool *first)
{
    const char *between = s.shape->kind == SHAPE_UNION ? " | " : ", ";
    const struct shape_field *only =
        s.shape->kind == SHAPE_UNION && is_exact(w) ? telling(s) : NULL;
    for (uint32_t i = 0; i < s.shape->n; i++) {
        const struct shape_field *f = &s.shape->fields[i];
        struct spot m = member(s, f);
        bool open =
            !f->name && (f->shape->kind == SHAPE_STRUCT ||
                         (f->shape->kind == SHAPE_UNION && is_exact(w)));
        if (only && f != only)
            continue;
        if (open) {
            print_fields(w, m, first);
            continue;
        }
        text_add(w->out, *first ? "" : between);
        *first = false;
        if (f->name)
            text_format(w->out, ".%s = ", f->name);
        if (!print_plainly(w, f))
            values_print_spot(w, m);
    }
}

static bool same_bytes(struct spot a, struct spot b)
{
    return memcmp(a.at, b.at, a.shape->size) == 0;
}

// Runs of equal elements are told once: {1, 0 (31 times)}.
static void print_elements(const struct walk *w, struct spot s)
{
    uint32_t shown = 0, n = s.shape->n;
    text_char(w->out, '{');
    for (uint32_t i = 0, run; i < n; i += run) {
        for (run = 1; i + run < n; run++)
            if (!same_bytes(element(s, i), element(s, i + run)))
                break;
        run = run >= MANY ? run : 1;
        text_add(w->out, i ? ", " : "");
        if (shown++ == MOST_ELEMENTS) {
            text_format(w->out, "... %u more", n - i);
            break;
        }
        values_print_spot(w, element(s, i));
        if (run > 1)
            text_format(w->out, " (%u times)", run);
    }
    text_char(w->out, '}');
}

static bool is_zero(struct spot s)
{
    for (uint32_t i = 0; i < s.shape->size; i++)
        if (s.at[i])
            return false;
    return true;
}

// {[2] = 5, [7] = 6}: elements that are not zero.
static void print_each(const struct walk *w, struct spot s)
{
    bool any = false;
    text_char(w->out, '{');
    for (uint32_t i = 0; i < s.shape->n; i++) {
        if (is_zero(element(s, i)))
            continue;
        text_format(w->out, "%s[%u] = ", any ? ", " : "", i);
        values_print_spot(w, element(s, i));
        any = true;
    }
    text_add(w->out, any ? "}" : "0}");
}

static void print_array(const struct walk *w, struct spot s)
{
    if (is_exact(w)) {
        if (s.shape->of->kind == SHAPE_CHAR)
            print_exactly(w->out, s.at, s.shape->n);
        else
            print_each(w, s);
        return;
    }
    if (s.shape->of->kind != SHAPE_CHAR) {
        print_elements(w, s);
        return;
    }
    const char *text = (const char *)s.at;
    print_string(w->out, text, strnlen(text, s.shape->n));
}

void values_print_spot(const struct walk *w, struct spot s)
{
    switch (s.shape->kind) {
    case SHAPE_INT:
        text_format(w->out, "%lld", (long long)load_signed(s));
        return;
    case SHAPE_UNSIGNED:
        text_format(w->out, "%llu", (unsigned long long)load(s));
        return;
    case SHAPE_CHAR:
        print_letter(w->out, s);
        return;
    case SHAPE_BOOL:
        text_add(w->out, load(s) ? "true" : "false");
        return;
    case SHAPE_FLOAT:
        print_float(w, s);
        return;
    case SHAPE_ENUM:
        print_enum(w->out, s);
        return;
    case SHAPE_POINTER:
    case SHAPE_TEXT:
    case SHAPE_REF:
        print_pointer(w, s);
        return;
    case SHAPE_TIMER:
        print_timer(w, s);
        return;
    case SHAPE_STRUCT:
    case SHAPE_UNION:
        text_char(w->out, '{');
        print_fields(w, s, &(bool){true});
        text_char(w->out, '}');
        return;
    case SHAPE_ARRAY:
        print_array(w, s);
        return;
    case SHAPE_BYTES:
        text_add(w->out, "0x");
        for (uint32_t i = 0; is_exact(w) && i < s.shape->size; i++)
            text_format(w->out, "%02x", s.at[i]);
        if (!is_exact(w))
            values_print_bytes(w->out, s.at, s.shape->size);
        return;
    }
}

// TR_SIGNAL's struct: one char of the name none.
bool values_is_signal(const struct shape *s)
{
    return s->n == 1 && s->size == 1 && s->fields[0].name &&
           strcmp(s->fields[0].name, "none") == 0;
}

void values_print(struct values *v, const char *type, const void *p,
                  size_t size, const struct values_names *names,
                  struct text *out)
{
    const struct shape *s = shapes_find(v->shapes, type, size);
    const struct walk w = {v, names, out, 0};
    if (!s) {
        values_print_bytes(out, p, size);
        return;
    }
    if (!values_is_signal(s))
        values_print_spot(&w, (struct spot){s, p, 0, 0});
}

void values_print_shape(struct values *v, const struct shape *s, const void *p,
                        uint32_t bit, uint32_t bits,
                        const struct values_names *names, struct text *out)
{
    const struct walk w = {v, names, out, 0};
    values_print_spot(&w, (struct spot){s, p, bit, bits});
}

struct shapes *values_shapes(const struct values *v)
{
    return v->shapes;
}

const struct program *values_program(const struct values *v)
{
    return v->program;
}
