// Models of functions that read numbers and words in text.
#include "symex/libc.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

// The most that the model looks at: with so few digits no number overflows.
enum { DIGITS_MAX = 10, SPACES_MAX = 1 };

struct scan {
    struct model_call *c;
    term address;
    uint64_t at;
    uint64_t stop; // where the field ends, 0: nowhere
};

static bool peek(struct scan *p, term *byte)
{
    struct model_call *c = p->c;
    if (p->stop && p->at >= p->stop) {
        *byte = term_const(c->r->ts, 8, 0);
        return true;
    }
    term at = address_add(c->r, p->address, term_const(c->r->ts, 64, p->at));
    return load(c->r, c->s, at, 1, false, byte);
}

// Decide about the byte at hand; `what` is a character, or a kind above them.
enum { A_SPACE = 256, A_DIGIT, AN_END, KINDS };

static bool decide_at(struct scan *p, term condition, unsigned what)
{
    live_mark(p->c->r, 1 + p->at * KINDS + what);
    bool yes = decide(p->c->r, p->c->s, condition);
    live_pinned(p->c->r);
    return yes;
}

static bool is_char(struct scan *p, term byte, char c)
{
    struct terms *ts = p->c->r->ts;
    return decide_at(p, term_eq(ts, byte, term_const(ts, 8, (uint8_t)c)),
                     (uint8_t)c);
}

// Is the byte a digit of this base?  Its value.
static term digit_of(struct terms *ts, term byte, unsigned base, term *value)
{
    bool set[256], letter[256], small[256];
    for (unsigned i = 0; i < 256; i++) {
        small[i] = i >= 'a' && i < 'a' + base - 10 && base > 10;
        letter[i] = i >= 'A' && i < 'A' + base - 10 && base > 10;
        set[i] = (i >= '0' && i < '0' + (base < 10 ? base : 10)) || small[i] ||
                 letter[i];
    }
    term zero = term_const(ts, 8, '0');
    if (base > 10)
        zero =
            term_ite(ts, byte_in(ts, byte, small), term_const(ts, 8, 'a' - 10),
                     term_ite(ts, byte_in(ts, byte, letter),
                              term_const(ts, 8, 'A' - 10), zero));
    *value = term_convert(ts, IR_ZEXT, 64, term_binary(ts, IR_SUB, byte, zero));
    return byte_in(ts, byte, set);
}

// Exclude inputs that are longer than the model looks at, and say so by a
// label.
static bool no_more(struct scan *p, term condition)
{
    p->c->s->labels |= SX_MODELLED;
    p->c->r->assumed = true;
    return assume(p->c->r, p->c->s, term_not(p->c->r->ts, condition));
}

static bool skip_space(struct scan *p)
{
    bool set[256];
    term byte;
    for (int i = 0; i < 256; i++)
        set[i] = i < 128 && isspace(i);
    while (peek(p, &byte)) {
        struct sx_run *r = p->c->r;
        term space = byte_in(r->ts, byte, set);
        if (p->at >= SPACES_MAX && !r->start.follow &&
            !term_is_const(r->ts, space))
            return no_more(p, space);
        if (!decide_at(p, space, A_SPACE))
            return true;
        p->at++;
    }
    return false;
}

// A prefix that says the base; 0 with nothing of the kind is 10.
static bool find_base(struct scan *p, uint64_t *base)
{
    term zero, x, digit;
    if (*base != 0 && *base != 16)
        return true;
    if (!peek(p, &zero))
        return false;
    if (!is_char(p, zero, '0')) {
        *base = *base ? *base : 10;
        return true;
    }
    p->at++;
    if (!peek(p, &x))
        return false;
    bool hex = is_char(p, x, 'x') || is_char(p, x, 'X');
    if (hex) {
        p->at++;
        if (!peek(p, &digit))
            return false;
        hex = decide_at(p, digit_of(p->c->r->ts, digit, 16, &x), A_DIGIT);
        p->at--;
    }
    p->at = hex ? p->at + 1 : p->at - 1;
    *base = hex ? 16 : *base ? *base : 8;
    return true;
}

// The same in a run that follows one input, where nobody asks for the end: one
// term for all numbers of digits.  False: the state is put away.
static bool all_digits(struct scan *p, unsigned base, term *value)
{
    struct terms *ts = p->c->r->ts;
    term go = term_bool(ts, true), byte, digit;
    uint64_t room;
    bool assumed;
    term at = address_add(p->c->r, p->address, term_const(ts, 64, p->at));
    *value = term_const(ts, 64, 0);
    if (!room_at(p->c->r, p->c->s, at, &room, &assumed))
        return false;
    for (uint64_t n = 0; n < room; n++, p->at++) {
        if (!peek(p, &byte))
            return false;
        go = term_and(ts, go, digit_of(ts, byte, base, &digit));
        if (term_is_false(ts, go))
            break;
        if (n >= DIGITS_MAX)
            return no_more(p, go);
        term more = term_binary(ts, IR_MUL, *value, term_const(ts, 64, base));
        more = term_binary(ts, IR_ADD, more, digit);
        *value = term_ite(ts, go, more, *value);
    }
    return true;
}

// Digits up to the first byte that is none; false: the state is put away.
static bool digits(struct scan *p, unsigned base, term *value, uint64_t *n)
{
    struct sx_run *r = p->c->r;
    struct terms *ts = r->ts;
    term byte, digit;
    *value = term_const(ts, 64, 0);
    for (*n = 0; peek(p, &byte); ++*n, p->at++) {
        term is = digit_of(ts, byte, base, &digit);
        if (*n >= DIGITS_MAX)
            return no_more(p, is);
        if (!decide_at(p, is, A_DIGIT))
            return true;
        *value = term_binary(ts, IR_MUL, *value, term_const(ts, 64, base));
        *value = term_binary(ts, IR_ADD, *value, digit);
    }
    return false;
}

int do_strtol(struct model_call *c)
{
    struct terms *ts = c->r->ts;
    struct scan p = {c, c->args[0], 0, 0};
    uint64_t base = 10, n;
    term sign, value;
    bool minus = false, whole = c->detail == 2;
    if (!whole && !pin(c->r, c->s, c->args[2], "an unknown base", &base))
        return -1;
    if (!skip_space(&p) || !peek(&p, &sign))
        return -1;
    if ((minus = is_char(&p, sign, '-')) || is_char(&p, sign, '+'))
        p.at++;
    if (!find_base(&p, &base))
        return -1;
    bool one = c->r->live && (whole || term_is(ts, c->args[1], 0));
    n = 0;
    if (one ? !all_digits(&p, (unsigned)base, &value)
            : !digits(&p, (unsigned)base, &value, &n))
        return -1;
    if (minus)
        value = term_binary(ts, IR_SUB, term_const(ts, 64, 0), value);
    if (!whole) {
        term null = term_const(ts, 64, 0);
        term end =
            address_add(c->r, c->args[0], term_const(ts, 64, n ? p.at : 0));
        bool wanted = !decide(c->r, c->s,
                              compare_pointers(c->r, IR_EQ, c->args[1], null));
        if (wanted && !store(c->r, c->s, c->args[1], end))
            return -1;
    }
    return give(c, value);
}

// ---- numbers with a point -----------------------------------------------

// A number with at most EXACT_DIGITS digits and its power of ten are doubles
// without rounding, so one division gives what the function gives.
enum { EXACT_DIGITS = 15 };

// Digits behind those in *value; *n counts all of them.
static bool more_digits(struct scan *p, term *value, uint64_t *n)
{
    struct sx_run *r = p->c->r;
    struct terms *ts = r->ts;
    term byte, digit;
    for (; peek(p, &byte); ++*n, p->at++) {
        term is = digit_of(ts, byte, 10, &digit);
        if (*n >= EXACT_DIGITS)
            return no_more(p, is);
        if (!decide_at(p, is, A_DIGIT))
            return true;
        *value = term_binary(ts, IR_MUL, *value, term_const(ts, 64, 10));
        *value = term_binary(ts, IR_ADD, *value, digit);
    }
    return false;
}

// Exclude one of these characters here, where the condition holds.
static bool none_of(struct scan *p, const char *set, term where)
{
    struct sx_run *r = p->c->r;
    struct terms *ts = r->ts;
    term byte, any = term_bool(ts, false);
    if (!peek(p, &byte))
        return false;
    for (; *set; set++)
        any = term_or(ts, any,
                      term_eq(ts, byte, term_const(ts, 8, (uint8_t)*set)));
    any = term_and(ts, any, where);
    if (path_decides(ts, &p->c->s->path, any) == 0)
        return true;
    if (r->start.follow && state_eval(r, p->c->s, any))
        return finish_unsupported(r, p->c->s, "a number of this form");
    return no_more(p, any);
}

// [+-]digits[.digits]; words, hexadecimal numbers and exponents are excluded.
// *n: how many digits; 0: no number, and the place is where it was.
static bool scan_double(struct scan *p, term *out, uint64_t *n)
{
    struct terms *ts = p->c->r->ts;
    uint64_t begin = p->at, whole;
    term byte, value = term_const(ts, 64, 0), yes = term_bool(ts, true);
    double power = 1;
    bool minus = false;
    *n = 0;
    if (!peek(p, &byte))
        return false;
    if ((minus = is_char(p, byte, '-')) || is_char(p, byte, '+'))
        p->at++;
    if (!none_of(p, "iInN", yes) || !more_digits(p, &value, n))
        return false;
    whole = *n;
    term zero = term_eq(ts, value, term_const(ts, 64, 0));
    if ((whole == 1 && !none_of(p, "xX", zero)) || !peek(p, &byte))
        return false;
    if (is_char(p, byte, '.')) {
        p->at++;
        if (!more_digits(p, &value, n))
            return false;
    }
    if (*n && !none_of(p, "eE", yes))
        return false;
    if (!*n)
        p->at = begin;
    for (uint64_t i = whole; i < *n; i++)
        power *= 10;
    *out = term_convert(ts, IR_SITOFP, 64, value);
    if (*n > whole)
        *out = term_binary(ts, IR_FDIV, *out, term_double(ts, power));
    if (minus && *n)
        *out = term_convert(ts, IR_FNEG, 64, *out);
    return true;
}

// strtod, atof (detail 1).
int do_strtod(struct model_call *c)
{
    struct terms *ts = c->r->ts;
    struct scan p = {c, c->args[0], 0, 0};
    uint64_t n;
    term value;
    if (!skip_space(&p) || !scan_double(&p, &value, &n))
        return -1;
    term end = address_add(c->r, c->args[0], term_const(ts, 64, n ? p.at : 0));
    if (!c->detail &&
        !decide(
            c->r, c->s,
            compare_pointers(c->r, IR_EQ, c->args[1], term_const(ts, 64, 0))) &&
        !store(c->r, c->s, c->args[1], end))
        return -1;
    return give(c, value);
}

// ---- sscanf -------------------------------------------------------------

struct directive {
    bool skip; // %*d
    uint64_t width;
    uint32_t bytes; // of a number
    char what;      // conversion, ' ' for white space, 0 for characters
    const char *literal;
    uint32_t n_literal;
};

// The directive at f, and where the next one begins; NULL: none that is known.
static const char *directive_at(const char *f, struct directive *d)
{
    *d = (struct directive){.bytes = 4};
    if (isspace((unsigned char)*f)) {
        d->what = ' ';
        return f + strspn(f, " \t\n\v\f\r");
    }
    d->literal = f;
    d->n_literal = (uint32_t)strcspn(f, "% \t\n\v\f\r");
    if (d->n_literal)
        return f + d->n_literal;
    d->n_literal = 1;
    if (*++f == '%')
        return f + 1;
    d->skip = *f == '*';
    f += d->skip;
    char *behind;
    d->width = isdigit((unsigned char)*f) ? strtoul(f, &behind, 10) : 0;
    f += strspn(f, "0123456789");
    size_t n = strspn(f, "hlzjt");
    d->bytes = n == 0 ? 4 : *f != 'h' ? 8 : n == 1 ? 2 : 1;
    f += n;
    d->what = *f;
    bool known = *f && strchr("diuxXcsn", *f) && n <= 2 &&
                 (*f != 'c' || d->width <= 1) && (!n || *f != 'c') &&
                 (!n || *f != 's');
    return known ? f + 1 : NULL;
}

enum scanned { SCAN_AWAY, SCAN_DONE, SCAN_MISMATCH, SCAN_END };

struct word {
    term to, value;
};

struct words {
    struct scan p;
    VEC(struct word) stores; // done at the end
    uint32_t arg;            // the next one
};

static void keep(struct words *w, term to, term value)
{
    vec_push(&w->stores, ((struct word){to, value}));
}

// Characters that must stand here, all of them in one decision.  If they do
// not, what counts is whether the text ends before one differs.
static enum scanned scan_literal(struct words *w, const char *text, uint32_t n)
{
    struct scan *p = &w->p;
    struct terms *ts = p->c->r->ts;
    term same = term_bool(ts, true), ends = term_bool(ts, false), byte;
    uint64_t begin = p->at, room;
    bool assumed;
    if (!room_at(p->c->r, p->c->s,
                 address_add(p->c->r, p->address, term_const(ts, 64, begin)),
                 &room, &assumed))
        return SCAN_AWAY;
    for (uint32_t i = 0; i < n; i++, p->at++) {
        if (i >= room) // the text ended before
            same = term_bool(ts, false);
        if (term_is_false(ts, same))
            break;
        if (!peek(p, &byte))
            return SCAN_AWAY;
        ends = term_or(
            ts, ends,
            term_and(ts, same, term_eq(ts, byte, term_const(ts, 8, 0))));
        same = term_and(ts, same,
                        term_eq(ts, byte, term_const(ts, 8, (uint8_t)text[i])));
    }
    p->at = begin;
    if (decide_at(p, same, (uint8_t)text[0])) {
        p->at += n;
        return SCAN_DONE;
    }
    return decide_at(p, ends, 0) ? SCAN_END : SCAN_MISMATCH;
}

static enum scanned scan_number(struct words *w, const struct directive *d,
                                term *value)
{
    struct scan *p = &w->p;
    struct terms *ts = p->c->r->ts;
    uint64_t n, base = d->what == 'i' ? 0 : strchr("xX", d->what) ? 16 : 10;
    term byte;
    bool minus;
    if (!skip_space(p) || !peek(p, &byte))
        return SCAN_AWAY;
    if (is_char(p, byte, 0))
        return SCAN_END;
    p->stop = d->width ? p->at + d->width : 0;
    if ((minus = is_char(p, byte, '-')) || is_char(p, byte, '+'))
        p->at++;
    if (!find_base(p, &base) || !digits(p, (unsigned)base, value, &n))
        return SCAN_AWAY;
    p->stop = 0;
    if (minus)
        *value = term_binary(ts, IR_SUB, term_const(ts, 64, 0), *value);
    return n ? SCAN_DONE : SCAN_MISMATCH;
}

static enum scanned scan_word(struct words *w, const struct directive *d,
                              term to)
{
    struct scan *p = &w->p;
    struct sx_run *r = p->c->r;
    bool ends[256];
    term byte;
    uint64_t n = 0;
    for (int i = 0; i < 256; i++)
        ends[i] = i == 0 || (i < 128 && isspace(i));
    if (!skip_space(p))
        return SCAN_AWAY;
    for (; !d->width || n < d->width; n++, p->at++) {
        if (!peek(p, &byte))
            return SCAN_AWAY;
        if (decide_at(p, byte_in(r->ts, byte, ends), AN_END))
            break;
        keep(w, address_add(r, to, term_const(r->ts, 64, n)), byte);
    }
    keep(w, address_add(r, to, term_const(r->ts, 64, n)),
         term_const(r->ts, 8, 0));
    return n ? SCAN_DONE : SCAN_END;
}

static enum scanned scan_one(struct words *w, const struct directive *d)
{
    struct model_call *c = w->p.c;
    struct terms *ts = c->r->ts;
    term value = TERM_NONE;
    enum scanned got = SCAN_DONE;
    uint32_t before = w->stores.n;
    if (d->what == ' ')
        return skip_space(&w->p) ? SCAN_DONE : SCAN_AWAY;
    if (!d->what)
        return scan_literal(w, d->literal, d->n_literal);
    term to = d->skip ? TERM_NONE : c->args[w->arg];
    if (d->what == 's') {
        got = scan_word(w, d, d->skip ? term_const(ts, 64, 0) : to);
        if (d->skip || got != SCAN_DONE)
            w->stores.n = before;
    } else if (d->what == 'c') {
        if (!peek(&w->p, &value))
            return SCAN_AWAY;
        got = is_char(&w->p, value, 0) ? SCAN_END : SCAN_DONE;
        w->p.at += got == SCAN_DONE;
    } else if (d->what == 'n') {
        value = term_const(ts, 64, w->p.at);
    } else {
        got = scan_number(w, d, &value);
    }
    if (got == SCAN_DONE && value && !d->skip)
        keep(w, to,
             term_slice(ts, value, 0, d->what == 'c' ? 8 : d->bytes * 8));
    w->arg += !d->skip;
    return got;
}

// Conversions that have an argument; UINT32_MAX: some are not known.
static uint32_t count_arguments(const char *f)
{
    struct directive d;
    uint32_t n = 0;
    while (*f) {
        f = directive_at(f, &d);
        if (!f)
            return UINT32_MAX;
        n += d.what && d.what != ' ' && !d.skip;
    }
    return n;
}

int do_sscanf(struct model_call *c)
{
    const char *f = constant_text(c, 1);
    struct words w = {.p = {c, c->args[0], 0, 0}, .arg = 2};
    struct directive d;
    uint64_t count = 0;
    enum scanned got = SCAN_DONE;
    if (!f || count_arguments(f) > c->n - 2)
        return 0;
    while (*f && got == SCAN_DONE) {
        f = directive_at(f, &d);
        got = scan_one(&w, &d);
        count += got == SCAN_DONE && d.what && d.what != ' ' && d.what != 'n' &&
                 !d.skip;
    }
    bool ok = got != SCAN_AWAY;
    for (uint32_t i = 0; ok && i < w.stores.n; i++)
        ok = store(c->r, c->s, w.stores.at[i].to, w.stores.at[i].value);
    vec_free(&w.stores);
    if (!ok)
        return -1;
    return give_int(c, got == SCAN_END && !count ? UINT32_MAX : count);
}
