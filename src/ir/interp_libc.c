// The functions of libc that handlers use, on the interpreter's memory.
//
// base/libc.h names the model of a function.  Time, chance and input have none:
// they are the host's.  Models that may fail (a string that does not end) stop
// the run.
#include "ir/interp.h"

#include "base/libc.h"
#include "base/text.h"

#include <assert.h>
#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct libc_call {
    struct interp *p;
    uint32_t n;
    const struct ir_type *types;
    const union ir_bits *a;
    union ir_bits *r;
};

static uint64_t arg(const struct libc_call *c, uint32_t i)
{
    return i < c->n ? (uint64_t)c->a[i].i : 0;
}

static bool result(const struct libc_call *c, uint64_t x)
{
    c->r->i = x;
    return true;
}

static bool bad(const struct libc_call *c)
{
    return interp_stop(c->p, INTERP_BAD_ACCESS, "in a library function");
}

static uint8_t *bytes(const struct libc_call *c, uint32_t i, uint64_t n)
{
    return interp_bytes(c->p, arg(c, i), n);
}

// A string that ends inside its object, or NULL.
static const char *string_at(struct interp *p, uint64_t address)
{
    uint64_t size, offset;
    if (!interp_extent(p, address, &size, &offset) || offset >= size)
        return NULL;
    const char *s = (const char *)interp_bytes(p, address, size - offset);
    return s && memchr(s, 0, size - offset) ? s : NULL;
}

static const char *string(const struct libc_call *c, uint32_t i)
{
    return string_at(c->p, arg(c, i));
}

// ---- memory -------------------------------------------------------------

// No memory beyond a gigabyte.
static uint64_t allocate(const struct libc_call *c, uint64_t n, uint64_t size)
{
    const uint64_t most = UINT64_C(1) << 30;
    if (n && size > most / n)
        return 0;
    return interp_alloc(c->p, n * size);
}

static bool do_malloc(const struct libc_call *c)
{
    return result(c, allocate(c, 1, arg(c, 0)));
}

static bool do_calloc(const struct libc_call *c)
{
    return result(c, allocate(c, arg(c, 0), arg(c, 1)));
}

static bool do_free(const struct libc_call *c)
{
    if (arg(c, 0) && !interp_release(c->p, arg(c, 0)))
        return bad(c);
    return result(c, 0);
}

static bool do_realloc(const struct libc_call *c)
{
    uint64_t size = 0, offset = 0, to = allocate(c, 1, arg(c, 1));
    if (arg(c, 0) && to) {
        if (!interp_extent(c->p, arg(c, 0), &size, &offset) || offset)
            return bad(c);
        uint64_t n = size < arg(c, 1) ? size : arg(c, 1);
        memcpy(interp_bytes(c->p, to, n), bytes(c, 0, n), n);
        interp_release(c->p, arg(c, 0));
    }
    return result(c, to);
}

static bool do_memcpy(const struct libc_call *c)
{
    uint64_t n = arg(c, 2);
    uint8_t *to = bytes(c, 0, n), *from = bytes(c, 1, n);
    if (n && (!to || !from))
        return bad(c);
    if (n)
        memmove(to, from, n);
    return result(c, arg(c, 0));
}

static bool do_memset(const struct libc_call *c)
{
    uint8_t *to = bytes(c, 0, arg(c, 2));
    if (arg(c, 2) && !to)
        return bad(c);
    if (arg(c, 2))
        memset(to, (int)(arg(c, 1) & 255), arg(c, 2));
    return result(c, arg(c, 0));
}

static uint64_t sign_of(int x)
{
    return x < 0 ? UINT32_MAX : (uint64_t)(x > 0);
}

static bool do_memcmp(const struct libc_call *c)
{
    uint64_t n = arg(c, 2);
    uint8_t *a = bytes(c, 0, n), *b = bytes(c, 1, n);
    if (n && (!a || !b))
        return bad(c);
    return result(c, n ? sign_of(memcmp(a, b, n)) : 0);
}

// ---- strings ------------------------------------------------------------

static bool do_strlen(const struct libc_call *c)
{
    const char *s = string(c, 0);
    return s ? result(c, strlen(s)) : bad(c);
}

static bool do_strcmp(const struct libc_call *c)
{
    const char *a = string(c, 0), *b = string(c, 1);
    return a && b ? result(c, sign_of(strcmp(a, b))) : bad(c);
}

static bool do_strncmp(const struct libc_call *c)
{
    const char *a = string(c, 0), *b = string(c, 1);
    return a && b ? result(c, sign_of(strncmp(a, b, arg(c, 2)))) : bad(c);
}

static bool copy_string(const struct libc_call *c, uint64_t at,
                        const char *from, uint64_t n, uint64_t fill)
{
    uint8_t *to = interp_bytes(c->p, at, fill);
    if (!to)
        return bad(c);
    memmove(to, from, n);
    memset(to + n, 0, fill - n);
    return result(c, arg(c, 0));
}

static bool do_strcpy(const struct libc_call *c)
{
    const char *s = string(c, 1);
    return s ? copy_string(c, arg(c, 0), s, strlen(s), strlen(s) + 1) : bad(c);
}

static bool do_strncpy(const struct libc_call *c)
{
    const char *s = string(c, 1);
    if (!s)
        return bad(c);
    size_t n = strnlen(s, arg(c, 2));
    return copy_string(c, arg(c, 0), s, n, arg(c, 2));
}

static bool do_strcat(const struct libc_call *c)
{
    const char *to = string(c, 0), *s = string(c, 1);
    if (!to || !s)
        return bad(c);
    return copy_string(c, arg(c, 0) + strlen(to), s, strlen(s), strlen(s) + 1);
}

static bool do_strchr(const struct libc_call *c)
{
    const char *s = string(c, 0);
    if (!s)
        return bad(c);
    const char *at = strchr(s, (char)arg(c, 1));
    return result(c, at ? arg(c, 0) + (uint64_t)(at - s) : 0);
}

static bool do_strstr(const struct libc_call *c)
{
    const char *s = string(c, 0), *t = string(c, 1);
    if (!s || !t)
        return bad(c);
    const char *at = strstr(s, t);
    return result(c, at ? arg(c, 0) + (uint64_t)(at - s) : 0);
}

static bool do_strdup(const struct libc_call *c)
{
    const char *s = string(c, 0);
    if (!s)
        return bad(c);
    size_t n = strlen(s) + 1;
    uint64_t to = interp_alloc(c->p, n);
    uint8_t *copy = interp_bytes(c->p, to, n);
    s = string(c, 0); // the allocation may have moved it
    assert(copy && s);
    memcpy(copy, s, n);
    return result(c, to);
}

static bool do_atoi(const struct libc_call *c)
{
    const char *s = string(c, 0);
    return s ? result(c, (uint32_t)(int)strtol(s, NULL, 10)) : bad(c);
}

static bool do_atol(const struct libc_call *c)
{
    const char *s = string(c, 0);
    return s ? result(c, (uint64_t)strtol(s, NULL, 10)) : bad(c);
}

// ---- numbers ------------------------------------------------------------

static bool do_abs(const struct libc_call *c)
{
    int64_t x = (int32_t)arg(c, 0);
    return result(c, (uint32_t)(x < 0 ? -x : x));
}

static bool do_labs(const struct libc_call *c)
{
    int64_t x = (int64_t)arg(c, 0);
    return result(c, x < 0 ? -(uint64_t)x : (uint64_t)x);
}

#define CTYPES(X)                                                              \
    X(isalpha)                                                                 \
    X(isdigit)                                                                 \
    X(isalnum)                                                                 \
    X(isspace)                                                                 \
    X(isupper) X(islower) X(ispunct) X(isxdigit) X(tolower) X(toupper)
#define CTYPE_(name)                                                           \
    static bool do_##name(const struct libc_call *c)                           \
    {                                                                          \
        return result(c, (uint32_t)(name)((uint8_t)arg(c, 0)));                \
    }
CTYPES(CTYPE_)
#undef CTYPE_

#define UNARY_MATHS(X)                                                         \
    X(sin)                                                                     \
    X(cos)                                                                     \
    X(tan)                                                                     \
    X(asin)                                                                    \
    X(acos)                                                                    \
    X(atan) X(exp) X(log) X(log2) X(log10) X(sqrt) X(cbrt) X(floor) X(ceil)    \
        X(round) X(trunc) X(fabs) X(rint) X(sinh) X(cosh) X(tanh) X(log1p)     \
            X(expm1)
#define UNARY_(name)                                                           \
    static bool do_##name(const struct libc_call *c)                           \
    {                                                                          \
        c->r->i = 0;                                                           \
        c->r->d = name(c->a[0].d);                                             \
        return true;                                                           \
    }
UNARY_MATHS(UNARY_)
#undef UNARY_

#define BINARY_MATHS(X) X(pow) X(fmod) X(atan2) X(hypot) X(fmin) X(fmax)
#define BINARY_(name)                                                          \
    static bool do_##name(const struct libc_call *c)                           \
    {                                                                          \
        c->r->i = 0;                                                           \
        c->r->d = name(c->a[0].d, c->a[1].d);                                  \
        return true;                                                           \
    }
BINARY_MATHS(BINARY_)
#undef BINARY_

// ---- printing -----------------------------------------------------------

// One conversion, from % to its letter, and its argument.
static bool print_one(const struct libc_call *c, const char *spec,
                      uint32_t *next, struct text *out)
{
    char kind = spec[strlen(spec) - 1], form[64];
    const union ir_bits *v = *next < c->n ? &c->a[*next] : NULL;
    int stars[2], n_stars = 0;
    snprintf(form, sizeof form, "%s", spec);
    for (const char *s = spec; *s; s++)
        if (*s == '*' && n_stars < 2 && v) {
            stars[n_stars++] = (int)v->i;
            v = ++*next < c->n ? &c->a[*next] : NULL;
        }
    if (!v || n_stars > 1)
        return false;
    bool wide = c->types[*next].bits == 64;
    ++*next;
    struct text piece = {0};
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
#define PUT(x)                                                                 \
    (n_stars ? text_format(&piece, form, stars[0], x)                          \
             : text_format(&piece, form, x))
    if (strchr("aAeEfFgG", kind) && strchr(spec, 'L'))
        PUT(v->ld);
    else if (strchr("aAeEfFgG", kind))
        PUT(v->d);
    else if (kind == 's')
        PUT(string_at(c->p, (uint64_t)v->i) ? string_at(c->p, (uint64_t)v->i)
                                            : "(null)");
    else if (kind == 'p' || wide)
        PUT((uint64_t)v->i);
    else
        PUT((uint32_t)v->i);
#undef PUT
#pragma GCC diagnostic pop
    text_bytes(out, text_get(&piece), piece.n);
    text_free(&piece);
    return true;
}

static bool format(const struct libc_call *c, uint32_t at, struct text *out)
{
    const char *f = string(c, at);
    uint32_t next = at + 1;
    if (!f)
        return false;
    while (*f) {
        size_t plain = strcspn(f, "%");
        text_bytes(out, f, plain);
        f += plain;
        if (!*f)
            break;
        if (f[1] == '%') {
            text_char(out, '%');
            f += 2;
            continue;
        }
        char spec[64];
        size_t n = 1 + strspn(f + 1, "-+ #0123456789.*hlLqjzt") + 1;
        if (n >= sizeof spec || !f[n - 1])
            return false;
        memcpy(spec, f, n);
        spec[n] = 0;
        if (!print_one(c, spec, &next, out))
            return false;
        f += n;
    }
    return true;
}

static void show(const struct libc_call *c, const char *s, size_t n)
{
    const struct interp_host *h = interp_host(c->p);
    if (h->print)
        h->print(h->self, s, n);
}

// Only what goes to stdout is shown.
static bool is_stdout(const struct libc_call *c, uint64_t stream)
{
    uint32_t g = interp_global_at(c->p, stream);
    return g != IR_NOTHING &&
           strcmp(interp_ir(c->p)->globals.at[g].name, "stdout") == 0;
}

static bool print_from(const struct libc_call *c, uint32_t at, bool shown)
{
    struct text out = {0};
    bool ok = format(c, at, &out);
    if (ok && shown)
        show(c, text_get(&out), out.n);
    uint64_t n = out.n;
    text_free(&out);
    return ok ? result(c, n) : bad(c);
}

static bool do_printf(const struct libc_call *c)
{
    return print_from(c, 0, true);
}

static bool do_fprintf(const struct libc_call *c)
{
    return print_from(c, 1, is_stdout(c, arg(c, 0)));
}

static bool print_into(const struct libc_call *c, uint32_t at, uint64_t room)
{
    struct text out = {0};
    if (!format(c, at, &out)) {
        text_free(&out);
        return bad(c);
    }
    uint64_t n = out.n < room ? out.n : room ? room - 1 : 0;
    bool ok = !room || copy_string(c, arg(c, 0), text_get(&out), n, n + 1);
    uint64_t all = out.n;
    text_free(&out);
    return ok && result(c, all);
}

static bool do_snprintf(const struct libc_call *c)
{
    return print_into(c, 2, arg(c, 1));
}

static bool do_sprintf(const struct libc_call *c)
{
    return print_into(c, 1, UINT64_MAX);
}

static bool do_puts(const struct libc_call *c)
{
    const char *s = string(c, 0);
    if (!s)
        return bad(c);
    show(c, s, strlen(s));
    show(c, "\n", 1);
    return result(c, 1);
}

static bool do_fputs(const struct libc_call *c)
{
    const char *s = string(c, 0);
    if (!s)
        return bad(c);
    if (is_stdout(c, arg(c, 1)))
        show(c, s, strlen(s));
    return result(c, 1);
}

static bool do_putchar(const struct libc_call *c)
{
    char x = (char)arg(c, 0);
    show(c, &x, 1);
    return result(c, (uint8_t)x);
}

static bool do_nothing(const struct libc_call *c)
{
    return result(c, 0);
}

// ---- sorting ------------------------------------------------------------

static bool compare(const struct libc_call *c, uint64_t a, uint64_t b,
                    int *order)
{
    uint32_t fn = interp_fn_at(c->p, arg(c, 3));
    union ir_bits args[2] = {{.i = a}, {.i = b}}, r = {.i = 0};
    if (fn == IR_NOTHING)
        return bad(c);
    if (!interp_again(c->p, fn, args, 2, &r))
        return false;
    *order = (int)(uint32_t)r.i;
    return true;
}

// Insertion sort; the order of equal elements is as glibc's merge sort leaves
// it: kept.
static bool do_qsort(const struct libc_call *c)
{
    uint64_t base = arg(c, 0), n = arg(c, 1), size = arg(c, 2);
    for (uint64_t i = 1; i < n; i++)
        for (uint64_t k = i; k > 0; k--) {
            int order = 0;
            uint64_t x = base + (k - 1) * size, y = base + k * size;
            if (!compare(c, x, y, &order))
                return false;
            if (order <= 0)
                break;
            uint8_t *p = interp_bytes(c->p, x, 2 * size);
            if (!p)
                return bad(c);
            for (uint64_t b = 0; b < size; b++) {
                uint8_t t = p[b];
                p[b] = p[size + b];
                p[size + b] = t;
            }
        }
    return result(c, 0);
}

// ---- the table ----------------------------------------------------------

// By row of the table of the C library.
#define MODEL_M(n, name)                                                       \
    {                                                                          \
        n, do_##name                                                           \
    }
#define MODEL_NONE                                                             \
    {                                                                          \
        0, NULL                                                                \
    }
#define MODEL_(name, stage, does, model, terms) MODEL_##model,
static const struct model {
    uint32_t n; // arguments it must have
    bool (*run)(const struct libc_call *);
} models[] = {LIBC(MODEL_)};

int interp_libc(struct interp *p, const char *name, uint32_t n,
                const struct ir_type *types, const union ir_bits *args,
                union ir_bits *out)
{
    struct libc_call c = {p, n, types, args, out};
    const struct libc_row *row = libc_find(name);
    const struct model *m = row ? &models[row - libc_rows] : NULL;
    if (!m || !m->run || n < m->n)
        return 0;
    return m->run(&c) ? 1 : -1;
}
