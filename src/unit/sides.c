#include "unit/sides.h"

#include "base/text.h"
#include "unit/condition.h"

#include <ctype.h>
#include <string.h>

struct finder {
    const struct ir *ir;
    const struct ir_fn *f;
    struct arena *a;
    struct condition_file file;
    struct sides *out;
};

static const struct ir_inst *defined_by(const struct ir_fn *f, ir_id v)
{
    return v & IR_CONST_BIT ? NULL : &f->insts.at[v];
}

static bool is_null_test(const struct ir *ir, const struct ir_fn *f,
                         const struct ir_inst *c)
{
    if (!c || (c->op != IR_EQ && c->op != IR_NE))
        return false;
    const ir_id *args = ir_args(f, c);
    return ir_type_of(ir, f, args[0]).kind == IR_PTR && ir_is_const(args[1]) &&
           ir_const_at(ir, args[1])->kind == IR_C_INT;
}

static struct condition text_of(struct finder *w, const struct ir_inst *i,
                                const struct ir_inst *cond)
{
    bool own = cond && cond->line && cond->op != IR_PHI;
    const struct ir_inst *at = own ? cond : i;
    return condition_at(&w->file, w->a, w->ir->files.at[at->file], at->line,
                        at->column);
}

// The value of && or ||, each of whose operands has sides of its own.
static bool is_joined(const struct finder *w, const struct ir_inst *c)
{
    bool joined = c && c->op == IR_PHI && c->type.bits == 1;
    for (uint32_t k = 0; joined && k < c->n; k++) {
        const struct ir_inst *from = defined_by(w->f, ir_args(w->f, c)[k]);
        joined = !from || (from->op == IR_SELECT && from->site != IR_NOTHING);
    }
    return joined;
}

static void add_condition(struct finder *w, uint32_t inst, uint32_t block)
{
    const struct ir_inst *i = &w->f->insts.at[inst];
    const struct ir_inst *cond = defined_by(w->f, ir_args(w->f, i)[0]);
    if (ir_is_const(ir_args(w->f, i)[0]))
        return; // while (1)
    if (is_joined(w, cond))
        return;
    struct condition c = text_of(w, i, cond);
    const struct ir_inst *at = cond && cond->line ? cond : i;
    for (uint32_t k = 0; k < 2; k++) {
        struct side s = {.inst = inst,
                         .k = k,
                         .hit = i->site + k,
                         .block = block,
                         .line = at->line,
                         .text = c.text,
                         .which = (k == 0) != c.negated ? "true" : "false",
                         .pointer = is_null_test(w->ir, w->f, cond)};
        vec_push(&w->out->at, s);
    }
}

// Is it a character that was made an int?
static bool is_character(const struct finder *w, const struct ir_inst *v)
{
    return v && (v->op == IR_SEXT || v->op == IR_ZEXT) &&
           ir_type_of(w->ir, w->f, ir_args(w->f, v)[0]).bits == 8;
}

static void add_switch(struct finder *w, uint32_t inst, uint32_t block)
{
    const struct ir_inst *i = &w->f->insts.at[inst];
    const ir_id *args = ir_args(w->f, i);
    const struct ir_inst *value = defined_by(w->f, args[0]);
    struct condition c = text_of(w, i, i->line ? NULL : value);
    for (uint32_t k = 0; k < i->n; k++) {
        struct side s = {.inst = inst,
                         .k = k,
                         .hit = i->site + k,
                         .block = block,
                         .line = i->line,
                         .text = c.text,
                         .which = "default"};
        if (k) {
            const struct ir_const *v = ir_const_at(w->ir, args[k]);
            uint64_t x = v->lo;
            if (v->type.bits < 64 && x >> (v->type.bits - 1))
                x |= ~UINT64_C(0) << v->type.bits;
            s.which = is_character(w, value) && x > ' ' && x < 0x7f
                          ? arena_format(w->a, "case '%c'", (int)x)
                          : arena_format(w->a, "case %lld", (long long)x);
        }
        vec_push(&w->out->at, s);
    }
}

void sides_of(const struct ir *ir, const struct ir_fn *f, struct arena *a,
              struct sides *out)
{
    struct finder w = {.ir = ir, .f = f, .a = a, .out = out};
    for (uint32_t b = 0; b < f->blocks.n; b++) {
        const struct ir_block *bl = &f->blocks.at[b];
        for (uint32_t i = bl->first; bl->reachable && i < bl->first + bl->n;
             i++) {
            const struct ir_inst *in = &f->insts.at[i];
            if (in->site == IR_NOTHING)
                continue;
            if (in->op == IR_BRANCH || in->op == IR_SELECT)
                add_condition(&w, i, b);
            else if (in->op == IR_SWITCH)
                add_switch(&w, i, b);
        }
    }
}

void sides_free(struct sides *s)
{
    vec_free(&s->at);
}

// ---- names ------------------------------------------------------------------

// Longer ones first; a comparison has its opposite.
static const struct {
    const char *sign, *word, *opposite;
} signs[] = {{"==", "eq", "ne"},  {"!=", "ne", "eq"},   {"<=", "le", "gt"},
             {">=", "ge", "lt"},  {"->", "", NULL},     {"<<", "shl", NULL},
             {">>", "shr", NULL}, {"<", "lt", "ge"},    {">", "gt", "le"},
             {"+", "plus", NULL}, {"-", "minus", NULL}, {"*", "times", NULL},
             {"/", "over", NULL}, {"%", "mod", NULL},   {"&", "and", NULL},
             {"|", "or", NULL},   {"^", "xor", NULL},   {"~", "inv", NULL}};

static size_t add_sign(const char *s, bool opposite, bool first,
                       struct text *to, bool *compared)
{
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
        size_t n = strlen(signs[i].sign);
        if (strncmp(s, signs[i].sign, n) != 0)
            continue;
        bool swap = opposite && signs[i].opposite;
        const char *word = swap ? signs[i].opposite : signs[i].word;
        *compared |= signs[i].opposite != NULL;
        if (first && strchr("*&", *s)) // an operator before its operand
            word = *s == '*' ? "at" : "of";
        text_format(to, "_%s_", word);
        return n;
    }
    return 0;
}

// Underscores made one, and none at the ends.
static void squeeze(const char *s, size_t most, struct text *to)
{
    size_t from = to->n;
    for (; *s && to->n - from < most; s++)
        if (*s != '_' || (to->n > from && to->at[to->n - 1] != '_'))
            text_char(to, *s);
    while (to->n > from && to->at[to->n - 1] == '_')
        to->at[--to->n] = '\0';
}

static void words_of(const char *s, bool opposite, struct text *to,
                     bool *compared)
{
    bool first = true;
    while (*s) {
        size_t n = add_sign(s, opposite, first, to, compared);
        if (n) {
            s += n;
            first = true;
            continue;
        }
        if (!isspace((unsigned char)*s))
            first = *s == '(';
        text_char(to, isalnum((unsigned char)*s) ? *s : '_');
        s++;
    }
}

enum { NAME_MOST = 40 };

void side_name(const struct side *s, struct text *to)
{
    struct text t = {0};
    const char *text = s->text;
    bool truth = strcmp(s->which, "true") == 0, compared = false;
    bool is_case = !truth && strcmp(s->which, "false") != 0;
    while (*text == '!' && text[1] != '=') {
        truth = !truth;
        text++;
    }
    words_of(text, !is_case && !truth, &t, &compared);
    const char *quote = is_case ? strchr(s->which, '\'') : NULL;
    if (quote && !isalnum((unsigned char)quote[1])) // a sign: by its number
        text_format(&t, "_case_%d", quote[1]);
    else if (is_case)
        text_format(&t, "_%s", s->which);
    else if (!compared && s->pointer)
        text_add(&t, truth ? "_is_set" : "_is_null");
    else if (!compared && !truth)
        text_add(&t, "_is_0");
    for (size_t i = 0; i < t.n; i++)
        if (!isalnum((unsigned char)t.at[i]))
            t.at[i] = '_';
    squeeze(text_get(&t), NAME_MOST, to);
    text_free(&t);
}
