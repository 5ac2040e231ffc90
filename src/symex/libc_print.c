// Models of functions that print into text.
//
// The state splits by the lengths of what is printed, so that every byte has
// its place.
#include "symex/libc.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH_MAX = 256 };

struct format {
    bool left, zeros, plus, space, precise;
    uint64_t width, precision;
    unsigned bits; // of a number
    bool narrow;   // it has fewer bits than its argument
    char what;     // 0: a character
    char literal;
};

// The conversion at f, and where the next one begins; NULL: none that is known.
static const char *format_at(const char *f, struct format *d)
{
    *d = (struct format){.bits = 32, .literal = *f};
    if (*f++ != '%')
        return f;
    if (*f == '%')
        return f + 1;
    for (; *f && strchr("-0+ ", *f); f++) {
        d->left |= *f == '-';
        d->zeros |= *f == '0';
        d->plus |= *f == '+';
        d->space |= *f == ' ';
    }
    char *behind = NULL;
    if (isdigit((unsigned char)*f)) {
        d->width = strtoul(f, &behind, 10);
        f = behind;
    }
    if (*f == '.') {
        d->precise = true;
        d->precision = strtoul(f + 1, &behind, 10);
        f = isdigit((unsigned char)f[1]) ? behind : f + 1;
    }
    size_t n = strspn(f, "hlzjt");
    d->narrow = n && *f == 'h';
    d->bits = n == 0 ? 32 : *f != 'h' ? 64 : n == 1 ? 16 : 8;
    f += n;
    d->what = *f;
    bool known = *f && strchr("diuxXcs", *f) && n <= 2 &&
                 d->width <= WIDTH_MAX && d->precision <= WIDTH_MAX &&
                 (!n || !strchr("cs", *f));
    return known ? f + 1 : NULL;
}

struct printing {
    struct model_call *c;
    VEC(term) out;
};

static void put(struct printing *p, char c)
{
    vec_push(&p->out, term_const(p->c->r->ts, 8, (uint8_t)c));
}

static void fill(struct printing *p, char c, uint64_t n, uint64_t width)
{
    for (; n < width; n++)
        put(p, c);
}

// Digits of u, the last one first; the state splits by how many there are.
static uint32_t digits_of(struct printing *p, term u, unsigned base, char ten,
                          term *out)
{
    struct sx_run *r = p->c->r;
    struct terms *ts = r->ts;
    unsigned bits = term_bits(ts, u);
    uint64_t power = 1;
    uint32_t n = 0;
    for (;;) {
        term one = term_binary(ts, IR_UDIV, u, term_const(ts, bits, power));
        one = term_binary(ts, IR_UREM, one, term_const(ts, bits, base));
        one = term_slice(ts, one, 0, 8);
        term low =
            term_binary(ts, IR_ADD, one, term_const(ts, 8, (uint8_t)'0'));
        term high = term_binary(ts, IR_ADD, one,
                                term_const(ts, 8, (uint8_t)(ten - 10)));
        out[n++] =
            base == 10
                ? low
                : term_ite(ts,
                           term_binary(ts, IR_ULT, one, term_const(ts, 8, 10)),
                           low, high);
        uint64_t most = bits == 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
        if (power > most / base)
            return n;
        power *= base;
        live_mark(r, 1 + p->out.n * 64 + n);
        bool last =
            decide(r, p->c->s,
                   term_binary(ts, IR_ULT, u, term_const(ts, bits, power)));
        live_pinned(r);
        if (last)
            return n;
    }
}

static void put_number(struct printing *p, const struct format *d, term v)
{
    struct sx_run *r = p->c->r;
    struct terms *ts = r->ts;
    bool is_signed = d->what == 'd' || d->what == 'i';
    term digit[24];
    if (term_bits(ts, v) > d->bits)
        v = term_slice(ts, v, 0, d->bits);
    unsigned bits = term_bits(ts, v);
    if (bits < 32) {
        v = term_convert(ts, is_signed ? IR_SEXT : IR_ZEXT, 32, v);
        bits = 32;
    }
    term zero = term_const(ts, bits, 0);
    bool minus =
        is_signed && decide(r, p->c->s, term_binary(ts, IR_SLT, v, zero));
    if (minus)
        v = term_binary(ts, IR_SUB, zero, v);
    uint32_t n = digits_of(p, v, strchr("xX", d->what) ? 16 : 10,
                           d->what == 'X' ? 'A' : 'a', digit);
    if (d->precise && !d->precision && n == 1 &&
        decide(r, p->c->s, term_eq(ts, v, zero)))
        n = 0;
    char sign = minus                   ? '-'
                : is_signed && d->plus  ? '+'
                : is_signed && d->space ? ' '
                                        : 0;
    uint64_t shown = d->precision > n ? d->precision : n;
    uint64_t whole = shown + (sign != 0);
    bool zeros = d->zeros && !d->left && !d->precise;
    if (!d->left && !zeros)
        fill(p, ' ', whole, d->width);
    if (sign)
        put(p, sign);
    if (zeros)
        fill(p, '0', whole, d->width);
    fill(p, '0', n, shown);
    while (n)
        vec_push(&p->out, digit[--n]);
    if (d->left)
        fill(p, ' ', whole, d->width);
}

static bool put_text(struct printing *p, const struct format *d, term address)
{
    struct chars t;
    uint64_t n;
    if (!chars_read(p->c, address, d->precise ? d->precision : UINT64_MAX, &t))
        return false;
    bool ok = pin(p->c->r, p->c->s, t.length, "a text of unknown length", &n);
    if (ok && !d->left)
        fill(p, ' ', n, d->width);
    for (uint64_t i = 0; ok && i < n; i++)
        vec_push(&p->out, t.at.at[i]);
    if (ok && d->left)
        fill(p, ' ', n, d->width);
    chars_free(&t);
    return ok;
}

static bool print_one(struct printing *p, const struct format *d, term arg)
{
    struct terms *ts = p->c->r->ts;
    if (!d->what) {
        put(p, d->literal);
        return true;
    }
    if (d->what == 's')
        return put_text(p, d, arg);
    if (d->what != 'c') {
        put_number(p, d, arg);
        return true;
    }
    if (!d->left)
        fill(p, ' ', 1, d->width);
    vec_push(&p->out, term_slice(ts, arg, 0, 8));
    if (d->left)
        fill(p, ' ', 1, d->width);
    return true;
}

// Are all conversions known, and the arguments there?
static bool is_known(const struct model_call *c, const char *f, uint32_t arg)
{
    struct format d;
    while (*f) {
        f = format_at(f, &d);
        if (!f || (d.what && arg >= c->n))
            return false;
        unsigned need = d.what == 's' ? 64 : d.narrow ? 32 : d.bits;
        if (d.what &&
            (!c->args[arg] || term_bits(c->r->ts, c->args[arg++]) < need))
            return false;
    }
    return true;
}

// Is it only asked how long the text is?
static bool only_counts(const struct model_call *c)
{
    return c->detail == 5;
}

// snprintf; sprintf (detail 1); fprintf (detail 5).
int do_snprintf(struct model_call *c)
{
    struct terms *ts = c->r->ts;
    struct printing p = {.c = c};
    uint32_t arg = c->detail ? 1 : 2;
    const char *f = constant_text(c, arg++);
    struct format d;
    uint64_t room = UINT64_MAX;
    bool ok = true;
    if (!f || !is_known(c, f, arg))
        return 0;
    if (only_counts(c))
        room = 0;
    if (!c->detail &&
        !pin(c->r, c->s, c->args[1], "a text of unknown length", &room))
        return -1;
    while (ok && *f) {
        f = format_at(f, &d);
        ok = print_one(&p, &d, d.what ? c->args[arg++] : TERM_NONE);
    }
    for (uint32_t i = 0; ok && room && i <= p.out.n && i < room; i++)
        ok = store(
            c->r, c->s, address_add(c->r, c->args[0], term_const(ts, 64, i)),
            i == p.out.n || i + 1 == room ? term_const(ts, 8, 0) : p.out.at[i]);
    uint32_t n = p.out.n;
    vec_free(&p.out);
    return ok ? give_int(c, n) : -1;
}
