// Terms as C source.  A normal form is turned back into what people write:
// !(x < 6) is x >= 6, x + -1 is x - 1, zeros to the left are not shown.
#include "solver/fold.h"

#include "base/text.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEEP_MOST = 14, TEXT_MOST = 600 };

// How tightly operators bind in C, loosest first.
enum {
    P_ITE,
    P_OROR,
    P_ANDAND,
    P_OR,
    P_XOR,
    P_AND,
    P_EQ,
    P_LESS,
    P_SHIFT,
    P_ADD,
    P_MUL,
    P_UNARY,
    P_ATOM
};

// How to show constants.
enum as { AS_SIGNED, AS_UNSIGNED, AS_FLOAT, AS_TEXT, AS_UNSIGNED_TEXT };

struct printer {
    const struct terms *ts;
    struct text *out;
    size_t start;
    unsigned deep;
};

static void show(struct printer *p, term t, unsigned around, enum as as);

// ---- constants ----------------------------------------------------------

// The shortest decimal that reads back as the same float.
static void float_text(char *out, size_t size, double x, bool single)
{
    for (int digits = 1; digits <= 17; digits++) {
        snprintf(out, size, "%.*g", digits, x);
        double back = strtod(out, NULL);
        if (single ? (float)back == (float)x : back == x)
            break;
    }
}

static void show_float(struct printer *p, term t)
{
    union ir_bits v = {.i = value_of(p->ts, t)};
    bool single = bits_of(p->ts, t) == 32;
    double x = single ? (double)v.f : v.d;
    char text[40];
    if (isnan(x) || isinf(x)) {
        text_add(p->out, isnan(x) ? "NAN" : x < 0 ? "-INFINITY" : "INFINITY");
        return;
    }
    float_text(text, sizeof text, x, single);
    text_format(p->out, "%s%s%s", text, text[strcspn(text, ".en")] ? "" : ".0",
                single ? "f" : "");
}

static void show_wide(struct printer *p, u128 v)
{
    text_format(p->out, "0x%llx%016llx", (unsigned long long)(v >> 64),
                (unsigned long long)v);
}

static void show_const(struct printer *p, term t, enum as as)
{
    unsigned bits = bits_of(p->ts, t);
    u128 v = value_of(p->ts, t);
    bool minus = bits > 1 && v >> (bits - 1) & 1;
    if (as == AS_FLOAT && (bits == 32 || bits == 64))
        show_float(p, t);
    else if ((as == AS_TEXT || as == AS_UNSIGNED_TEXT) && v < 127 &&
             isprint((int)v))
        text_format(p->out, v == '\'' || v == '\\' ? "'\\%c'" : "'%c'", (int)v);
    else if (v >> 64)
        show_wide(p, v);
    else if (minus && (as == AS_SIGNED || as == AS_TEXT))
        text_format(p->out, "%lld", (long long)ir_signed(v, bits));
    else
        text_format(p->out, "%llu", (unsigned long long)v);
}

// ---- operators ----------------------------------------------------------

static void open_at(struct printer *p, unsigned around, unsigned own)
{
    if (own < around)
        text_char(p->out, '(');
}

static void close_at(struct printer *p, unsigned around, unsigned own)
{
    if (own < around)
        text_char(p->out, ')');
}

static void infix(struct printer *p, unsigned around, unsigned own,
                  const char *op, term a, term b, enum as as)
{
    open_at(p, around, own);
    show(p, a, own, as);
    text_format(p->out, " %s ", op);
    show(p, b, own + 1, as);
    close_at(p, around, own);
}

static void prefix(struct printer *p, unsigned around, const char *op, term a,
                   enum as as)
{
    open_at(p, around, P_UNARY);
    text_add(p->out, op);
    show(p, a, P_UNARY, as);
    close_at(p, around, P_UNARY);
}

static void call(struct printer *p, const char *name, const struct node *n,
                 enum as as)
{
    text_format(p->out, "%s(", name);
    for (uint32_t i = 0; i < n_args(n); i++) {
        if (i)
            text_add(p->out, ", ");
        show(p, arg_of(n, i), P_ITE, as);
    }
    text_char(p->out, ')');
}

// Constants beside a character are shown as characters.
static enum as beside(const struct printer *p, const struct node *n)
{
    const struct node *a = node_of(p->ts, n->a);
    while (a->op == IR_SEXT || (a->op == TERM_CONCAT && is_zero(p->ts, a->a)))
        a = node_of(p->ts, a->op == IR_SEXT ? a->a : a->b);
    if (a->op == TERM_VAR && p->ts->vars.at[a->a].kind == TERM_BYTE_TEXT)
        return n->op == IR_ULT ? AS_UNSIGNED_TEXT : AS_TEXT;
    if (a->op == TERM_VAR && p->ts->vars.at[a->a].kind == TERM_REFERENCE)
        return AS_UNSIGNED;
    return n->op == IR_ULT ? AS_UNSIGNED : AS_SIGNED;
}

static void comparison(struct printer *p, const struct node *n, bool holds,
                       unsigned around)
{
    enum as as = beside(p, n);
    if (n->op == IR_EQ)
        infix(p, around, P_EQ, holds ? "==" : "!=", n->a, n->b, as);
    else
        infix(p, around, P_LESS, holds ? "<" : ">=", n->a, n->b, as);
}

static void float_comparison(struct printer *p, const struct node *n,
                             unsigned around)
{
    static const char *const ordered[] = {
        [IR_EQUAL] = "==",
        [IR_LESS] = "<",
        [IR_GREATER] = ">",
        [IR_LESS | IR_EQUAL] = "<=",
        [IR_GREATER | IR_EQUAL] = ">=",
        [15] = NULL,
    };
    struct node other = *n;
    other.sub ^= 15;
    if (n->sub == 14) {
        infix(p, around, P_EQ, "!=", n->a, n->b, AS_FLOAT);
    } else if (ordered[n->sub]) {
        infix(p, around, P_LESS, ordered[n->sub], n->a, n->b, AS_FLOAT);
    } else if (n->sub == IR_UNORDERED) {
        call(p, "isunordered", n, AS_FLOAT);
    } else if (n->sub == (IR_LESS | IR_GREATER)) {
        call(p, "islessgreater", n, AS_FLOAT);
    } else {
        text_add(p->out, "!");
        float_comparison(p, &other, P_ATOM);
    }
}

static void negation(struct printer *p, term t, unsigned around)
{
    const struct node *n = node_of(p->ts, t);
    if (n->op == IR_EQ || n->op == IR_ULT || n->op == IR_SLT)
        comparison(p, n, false, around);
    else
        prefix(p, around, "!", t, AS_SIGNED);
}

static void sum(struct printer *p, const struct node *n, unsigned around)
{
    const struct terms *ts = p->ts;
    bool constant = is_const(ts, n->b);
    i128 c = constant ? ir_signed(value_of(ts, n->b), n->bits) : 0;
    if (constant && c < 0 && c > -((i128)1 << 62)) {
        open_at(p, around, P_ADD);
        show(p, n->a, P_ADD, AS_SIGNED);
        text_format(p->out, " - %lld", (long long)-c);
        close_at(p, around, P_ADD);
    } else {
        infix(p, around, P_ADD, "+", n->a, n->b, AS_SIGNED);
    }
}

static void bitwise(struct printer *p, const struct node *n, unsigned around)
{
    bool bit = n->bits == 1;
    if (n->op == IR_XOR && is_const(p->ts, n->b) && bit)
        negation(p, n->a, around);
    else if (n->op == IR_XOR && is_const(p->ts, n->b) &&
             value_of(p->ts, n->b) == all_ones(n->bits))
        prefix(p, around, "~", n->a, AS_UNSIGNED);
    else if (n->op == IR_AND)
        infix(p, around, bit ? P_ANDAND : P_AND, bit ? "&&" : "&", n->a, n->b,
              AS_UNSIGNED);
    else if (n->op == IR_OR)
        infix(p, around, bit ? P_OROR : P_OR, bit ? "||" : "|", n->a, n->b,
              AS_UNSIGNED);
    else
        infix(p, around, P_XOR, "^", n->a, n->b, AS_UNSIGNED);
}

// ---- parts --------------------------------------------------------------

static void shifted(struct printer *p, term x, unsigned by, unsigned around)
{
    open_at(p, around, P_SHIFT);
    show(p, x, P_SHIFT, AS_UNSIGNED);
    text_format(p->out, " >> %u", by);
    close_at(p, around, P_SHIFT);
}

static void part(struct printer *p, const struct node *n, unsigned around)
{
    unsigned top = n->sub + n->bits, whole = bits_of(p->ts, n->a);
    if (n->sub && top == whole) {
        shifted(p, n->a, n->sub, around);
        return;
    }
    open_at(p, around, P_AND);
    if (n->sub)
        shifted(p, n->a, n->sub, P_AND);
    else
        show(p, n->a, P_AND, AS_UNSIGNED);
    text_format(
        p->out, " & %llu",
        (unsigned long long)(n->bits < 64 ? mask_of(n->bits) : UINT64_MAX));
    close_at(p, around, P_AND);
}

static void join(struct printer *p, const struct node *n, unsigned around,
                 enum as as)
{
    if (is_zero(p->ts, n->a)) {
        show(p, n->b, around, as);
        return;
    }
    open_at(p, around, P_OR);
    show(p, n->a, P_SHIFT, AS_UNSIGNED);
    text_format(p->out, " << %u", bits_of(p->ts, n->b));
    if (!is_zero(p->ts, n->b)) {
        text_add(p->out, " | ");
        show(p, n->b, P_OR, AS_UNSIGNED);
    }
    close_at(p, around, P_OR);
}

static void choice(struct printer *p, const struct node *n, unsigned around,
                   enum as as)
{
    open_at(p, around, P_ITE);
    show(p, n->a, P_ITE + 1, AS_SIGNED);
    text_add(p->out, " ? ");
    show(p, n->b, P_ITE + 1, as);
    text_add(p->out, " : ");
    show(p, n->c, P_ITE, as);
    close_at(p, around, P_ITE);
}

// ---- all ----------------------------------------------------------------

static void arithmetic(struct printer *p, const struct node *n, unsigned around)
{
    bool sign = n->op != IR_UDIV && n->op != IR_UREM;
    enum as as = sign ? AS_SIGNED : AS_UNSIGNED;
    switch (n->op) {
    case IR_ADD:
        sum(p, n, around);
        break;
    case IR_SUB:
        if (is_zero(p->ts, n->a))
            prefix(p, around, "-", n->b, as);
        else
            infix(p, around, P_ADD, "-", n->a, n->b, as);
        break;
    case IR_MUL:
        infix(p, around, P_MUL, "*", n->a, n->b, as);
        break;
    case IR_UDIV:
    case IR_SDIV:
        infix(p, around, P_MUL, "/", n->a, n->b, as);
        break;
    case IR_UREM:
    case IR_SREM:
        infix(p, around, P_MUL, "%", n->a, n->b, as);
        break;
    case IR_SHL:
        infix(p, around, P_SHIFT, "<<", n->a, n->b, AS_UNSIGNED);
        break;
    default:
        infix(p, around, P_SHIFT, ">>", n->a, n->b, AS_UNSIGNED);
        break;
    }
}

static void floats(struct printer *p, const struct node *n, unsigned around)
{
    switch (n->op) {
    case IR_FADD:
        infix(p, around, P_ADD, "+", n->a, n->b, AS_FLOAT);
        break;
    case IR_FSUB:
        infix(p, around, P_ADD, "-", n->a, n->b, AS_FLOAT);
        break;
    case IR_FMUL:
        infix(p, around, P_MUL, "*", n->a, n->b, AS_FLOAT);
        break;
    case IR_FDIV:
        infix(p, around, P_MUL, "/", n->a, n->b, AS_FLOAT);
        break;
    case IR_FREM:
        call(p, "fmod", n, AS_FLOAT);
        break;
    case IR_FNEG:
        prefix(p, around, "-", n->a, AS_FLOAT);
        break;
    default:
        float_comparison(p, n, around);
        break;
    }
}

static void conversion(struct printer *p, const struct node *n, unsigned around)
{
    const char *to = n->bits == 32 ? "(float)" : "(double)";
    if (n->op == IR_FPTOSI)
        to = n->bits == 32 ? "(int)" : "(long)";
    prefix(p, around, to, n->a,
           n->op == IR_SITOFP || n->op == IR_UITOFP ? AS_SIGNED : AS_FLOAT);
}

static void show_node(struct printer *p, const struct node *n, unsigned around,
                      enum as as)
{
    if (n->op == TERM_VAR)
        text_add(p->out, p->ts->vars.at[n->a].name);
    else if (n->op >= IR_ADD && n->op <= IR_ASHR)
        arithmetic(p, n, around);
    else if (n->op >= IR_AND && n->op <= IR_XOR)
        bitwise(p, n, around);
    else if (n->op >= IR_EQ && n->op <= IR_SLE)
        comparison(p, n, true, around);
    else if (n->op >= IR_FADD && n->op <= IR_FCMP)
        floats(p, n, around);
    else if (n->op == IR_SEXT)
        show(p, n->a, around, as);
    else if (n->op == TERM_SLICE)
        part(p, n, around);
    else if (n->op == TERM_CONCAT)
        join(p, n, around, as);
    else if (n->op == IR_SELECT)
        choice(p, n, around, as);
    else if (n->op == IR_MATH)
        call(p, ir_math_text((enum ir_math)n->sub), n,
             n->sub <= IR_M_COS ? AS_FLOAT : AS_SIGNED);
    else
        conversion(p, n, around);
}

static void show(struct printer *p, term t, unsigned around, enum as as)
{
    const struct node *n = node_of(p->ts, t);
    if (n->op == TERM_CONST) {
        show_const(p, t, as);
        return;
    }
    if (p->deep >= DEEP_MOST || p->out->n - p->start > TEXT_MOST) {
        text_add(p->out, "...");
        return;
    }
    p->deep++;
    show_node(p, n, around, as);
    p->deep--;
}

void term_print(const struct terms *ts, term t, struct text *out)
{
    struct printer p = {ts, out, out->n, 0};
    show(&p, t, P_ITE, AS_SIGNED);
}
