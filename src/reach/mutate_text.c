// Random changes of texts.
//
// A text is changed in place by pieces: what the program compares with (words
// and characters of its code, operands of comparisons), numbers written in the
// ways that C reads them, and parts of the text itself, so that words,
// separators and brackets come to stand beside each other.
#include "reach/fuzz.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

enum { PIECE = 64 };

struct edit {
    struct fuzz *f;
    char *at; // the text's bytes,
    uint32_t size;
    uint32_t n; // and how many stand before its end
};

static uint32_t below(struct fuzz *f, uint32_t n)
{
    return n ? rng_below(&f->rng, n) : 0;
}

static const struct words *words_of(struct fuzz *f)
{
    return &runner_options(f->runner)->model->words;
}

static const struct pool *pool_of(struct fuzz *f)
{
    return runner_options(f->runner)->pool;
}

// ---- pieces -----------------------------------------------------------------

static char any_char(struct fuzz *f)
{
    const struct words *w = words_of(f);
    if (w->chars.n && below(f, 3))
        return (char)w->chars.at[below(f, w->chars.n)];
    switch (below(f, 4)) {
    case 0:
        return (char)('0' + below(f, 10));
    case 1:
        return " .,:;=-+/_"[below(f, 10)];
    default:
        return (char)(32 + below(f, 95));
    }
}

static double a_float(struct fuzz *f)
{
    double seen = fuzz_seen_float(f);
    return below(f, 4) ? seen : seen + (double)below(f, 5) - 2;
}

static void a_number(struct fuzz *f, char *out)
{
    uint64_t v = below(f, 4) ? fuzz_seen(f) : below(f, 1000);
    v += below(f, 3) ? 0 : (uint64_t)((int64_t)below(f, 3) - 1);
    switch (below(f, 8)) {
    case 0:
        snprintf(out, PIECE, "%llx", (unsigned long long)v);
        return;
    case 1:
        snprintf(out, PIECE, "0x%llX", (unsigned long long)v);
        return;
    case 2:
        snprintf(out, PIECE, "0%llo", (unsigned long long)v);
        return;
    case 3:
        snprintf(out, PIECE, "%.15g", a_float(f));
        return;
    case 4:
        snprintf(out, PIECE, "%d", (int)(int32_t)(uint32_t)v);
        return;
    default:
        snprintf(out, PIECE, "%lld", (long long)v);
        return;
    }
}

static void a_word(struct fuzz *f, char *out)
{
    const struct pool *p = pool_of(f);
    const struct words *w = words_of(f);
    const char *from = "";
    if (w->texts.n && (!p->n_texts || below(f, 2)))
        from = w->texts.at[below(f, w->texts.n)];
    else if (p->n_texts)
        from = p->texts[below(f, p->n_texts)];
    snprintf(out, PIECE, "%s", from);
}

// What a conversion of scanf's reads.
static void a_conversion(struct fuzz *f, char how, char *out)
{
    if (how == 'c')
        snprintf(out, PIECE, "%c", any_char(f));
    else if (how == 's' || how == '[')
        a_word(f, out);
    else
        a_number(f, out);
}

// A format that the program reads or writes, with something for each
// conversion.
static void fill_format(struct fuzz *f, char *piece)
{
    char out[PIECE] = "", part[PIECE];
    size_t n = 0;
    for (const char *s = piece; *s && n + 1 < sizeof out; s++) {
        if (*s != '%' || !s[1]) {
            out[n++] = *s;
            continue;
        }
        s += 1 + strspn(s + 1, "*0123456789.hlzjt");
        if (!*s)
            break;
        a_conversion(f, *s, part);
        n += (size_t)snprintf(out + n, sizeof out - n, "%s",
                              *s == '%' ? "%" : part);
    }
    out[n < sizeof out ? n : sizeof out - 1] = 0;
    memcpy(piece, out, sizeof out);
}

// An operator or a separator, and what may follow it.
static void an_operand(struct fuzz *f, char *out)
{
    out[0] = any_char(f);
    if (below(f, 2))
        snprintf(out + 1, PIECE - 1, "%u", below(f, 10));
    else
        snprintf(out + 1, PIECE - 1, "%lld", (long long)fuzz_seen(f));
}

// A character that separates words, as far as the program tells: a text without
// letters and digits is most likely a set of those.
static char a_separator(struct fuzz *f)
{
    const struct words *w = words_of(f);
    for (int k = 0; k < 8 && w->texts.n; k++) {
        const char *s = w->texts.at[below(f, w->texts.n)];
        size_t n = strlen(s), i = 0;
        while (i < n && !isalnum((unsigned char)s[i]) && s[i] != '%')
            i++;
        if (n && i == n)
            return s[below(f, (uint32_t)n)];
    }
    return ' ';
}

static void separated(struct fuzz *f, char *out)
{
    char rest[PIECE];
    if (below(f, 2))
        a_word(f, rest);
    else
        a_number(f, rest);
    snprintf(out, PIECE, "%c%.*s", a_separator(f), PIECE - 2, rest);
}

static void any_piece(struct fuzz *f, char *out)
{
    switch (below(f, 7)) {
    case 0:
        snprintf(out, PIECE, "%c", any_char(f));
        return;
    case 1:
        an_operand(f, out);
        return;
    case 2:
        a_number(f, out);
        return;
    case 3:
        separated(f, out);
        return;
    default:
        a_word(f, out);
        if (strchr(out, '%') && below(f, 8))
            fill_format(f, out);
        return;
    }
}

// ---- changes ----------------------------------------------------------------

// Put n bytes in place of `old` ones; what does not fit is left out.
static void replace(struct edit *e, uint32_t at, uint32_t old, const char *s,
                    uint32_t n)
{
    char behind[PIECE * 8];
    if (at > e->size)
        return;
    n = n < e->size - at ? n : e->size - at;
    uint32_t rest = at + old < e->n ? e->n - at - old : 0;
    rest = rest < e->size - at - n ? rest : e->size - at - n;
    rest = rest < sizeof behind ? rest : (uint32_t)sizeof behind;
    memcpy(behind, e->at + at + old, rest);
    memcpy(e->at + at, s, n);
    memcpy(e->at + at + n, behind, rest);
    e->n = at + n + rest;
    memset(e->at + e->n, 0, e->size - e->n);
}

static void replace_by_piece(struct edit *e, uint32_t at, uint32_t old)
{
    char piece[PIECE];
    any_piece(e->f, piece);
    replace(e, at, old, piece, (uint32_t)strlen(piece));
}

static bool in_number(char c)
{
    return isxdigit((unsigned char)c) || (c && strchr("+-.xX", c));
}

// Another number where one stands.
static void renumber(struct edit *e)
{
    char piece[PIECE];
    uint32_t from = below(e->f, e->n), to;
    while (from < e->n && !isdigit((unsigned char)e->at[from]))
        from++;
    while (from > 0 && from < e->n && in_number(e->at[from - 1]))
        from--;
    for (to = from; to < e->n && in_number(e->at[to]);)
        to++;
    a_number(e->f, piece);
    replace(e, from, to - from, piece, (uint32_t)strlen(piece));
}

static void duplicate(struct edit *e)
{
    char piece[PIECE];
    uint32_t from = below(e->f, e->n), n = 1 + below(e->f, e->n - from);
    n = n < PIECE ? n : PIECE;
    memcpy(piece, e->at + from, e->n ? n : 0);
    replace(e, below(e->f, e->n + 1), 0, piece, e->n ? n : 0);
}

// Brackets or quotes around a part; one of those that the program knows if it
// knows any.
static void enclose(struct edit *e)
{
    static const char pairs[] = "()[]{}<>\"\"''";
    const struct words *w = words_of(e->f);
    uint32_t k = below(e->f, (sizeof pairs - 1) / 2);
    for (uint32_t i = 0; i < w->chars.n; i++) {
        char c = (char)w->chars.at[below(e->f, w->chars.n)];
        const char *known = strchr(pairs, c);
        if (!known)
            continue;
        k = (uint32_t)(known - pairs) / 2;
        break;
    }
    uint32_t from = below(e->f, e->n + 1);
    uint32_t to = from + below(e->f, e->n - from + 1);
    replace(e, to, 0, &pairs[2 * k + 1], 1);
    replace(e, from, 0, &pairs[2 * k], 1);
}

static void change_byte(struct edit *e)
{
    char *c = &e->at[below(e->f, e->n < e->size ? e->n + 1 : e->n)];
    switch (below(e->f, 4)) {
    case 0:
        *c = (char)(*c + (int)below(e->f, 3) - 1);
        return;
    case 1:
        *c = (char)fuzz_seen(e->f);
        return;
    default:
        *c = any_char(e->f);
        return;
    }
}

void fuzz_text(struct fuzz *f, const struct leaf *l, unsigned char *bytes)
{
    struct edit e = {.f = f, .at = (char *)bytes + l->offset, .size = l->size};
    if (!l->size)
        return;
    e.n = (uint32_t)strnlen(e.at, e.size);
    uint32_t at = below(f, e.n + 1);
    switch (below(f, 14)) {
    case 0:
    case 1:
        replace_by_piece(&e, 0, e.n);
        return;
    case 2:
    case 3:
        replace_by_piece(&e, e.n, 0);
        return;
    case 4:
        replace_by_piece(&e, at, 0);
        return;
    case 5:
        replace_by_piece(&e, at, below(f, e.n - at + 1));
        return;
    case 6:
        renumber(&e);
        return;
    case 7:
        duplicate(&e);
        return;
    case 8:
        enclose(&e);
        return;
    case 9:
        replace(&e, at, 1 + below(f, 3), "", 0);
        return;
    case 10: // bytes behind the end may count, too
        e.at[below(f, e.size)] = (char)rng_next(&f->rng);
        return;
    default:
        change_byte(&e);
        return;
    }
}

// ---- numbers in a text ------------------------------------------------------

enum { NUMBERS_MOST = 6 };

// The nth number that the text holds, as C reads it: where it begins, and how
// many characters it has.  False: the text holds less.
static bool find_number(const char *s, uint32_t size, uint32_t nth,
                        uint32_t *at, uint32_t *n)
{
    for (uint32_t i = 0; i < size && s[i]; i += *n) {
        *at = i;
        *n = 1;
        if (!isdigit((unsigned char)s[i]))
            continue;
        bool hex = s[i] == '0' && i + 2 < size && (s[i + 1] | 32) == 'x' &&
                   isxdigit((unsigned char)s[i + 2]);
        for (*n = hex ? 3 : 1; i + *n < size; ++*n)
            if (hex ? !isxdigit((unsigned char)s[i + *n])
                    : !isdigit((unsigned char)s[i + *n]))
                break;
        if (!nth--)
            return true;
    }
    return false;
}

uint32_t fuzz_numbers(const struct leaf *l, const unsigned char *bytes)
{
    uint32_t n = 0, at, length;
    while (n < NUMBERS_MOST && find_number((const char *)bytes + l->offset,
                                           l->size, n, &at, &length))
        n++;
    return n;
}

uint64_t fuzz_number(const struct leaf *l, const unsigned char *bytes,
                     uint32_t nth)
{
    const char *s = (const char *)bytes + l->offset;
    char digits[PIECE] = "";
    uint32_t at, n;
    if (!find_number(s, l->size, nth, &at, &n))
        return 0;
    snprintf(digits, sizeof digits, "%.*s", (int)n, s + at);
    bool hex = n > 2 && (digits[1] | 32) == 'x';
    uint64_t v = strtoull(digits, NULL, hex ? 16 : 10);
    return at && s[at - 1] == '-' ? -v : v;
}

void fuzz_set_number(const struct leaf *l, unsigned char *bytes, uint32_t nth,
                     uint64_t v)
{
    struct edit e = {.at = (char *)bytes + l->offset, .size = l->size};
    char digits[PIECE];
    uint32_t at, n;
    e.n = (uint32_t)strnlen(e.at, e.size);
    if (!find_number(e.at, e.size, nth, &at, &n))
        return;
    bool hex = n > 2 && (e.at[at + 1] | 32) == 'x';
    if (at && e.at[at - 1] == '-') {
        at--;
        n++;
    }
    snprintf(digits, sizeof digits, hex ? "0x%llx" : "%lld", (long long)v);
    replace(&e, at, n, digits, (uint32_t)strlen(digits));
}
