// How random runs get their values: from a vocabulary, from what comparisons
// showed, from what a value was before.
#include "unit/fuzzer.h"

#include "base/arena.h"
#include "unit/spell.h"

#include <math.h>
#include <string.h>

enum { TEXT_MOST = 40, TEXTS_MOST = 256 };

// ---- vocabulary -------------------------------------------------------------

static void add_word(struct fuzzer *w, uint64_t x)
{
    for (uint32_t i = 0; i < w->n_words; i++)
        if (w->words[i] == x)
            return;
    if (w->n_words < FUZZ_WORDS_MOST)
        w->words[w->n_words++] = x;
    else
        w->words[rng_below(&w->rng, FUZZ_WORDS_MOST)] = x;
}

static void add_constants(struct fuzzer *w, const struct ir_fn *f, bool *seen)
{
    const struct ir *ir = w->s->ir;
    if (seen[f->id])
        return;
    seen[f->id] = true;
    for (uint32_t i = 0; i < f->insts.n; i++)
        for (uint32_t k = 0; k < f->insts.at[i].n; k++) {
            ir_id v = ir_args(f, &f->insts.at[i])[k];
            if (!ir_is_const(v))
                continue;
            const struct ir_const *c = ir_const_at(ir, v);
            if (c->kind == IR_C_INT || c->kind == IR_C_FLOAT) {
                add_word(w, c->lo);
                add_word(w, c->lo + (c->kind == IR_C_INT));
                add_word(w, c->lo - (c->kind == IR_C_INT));
            } else if (c->kind == IR_C_FUNCTION) {
                add_constants(w, ir->fns.at[c->index], seen);
            }
        }
}

static void add_special(struct fuzzer *w)
{
    static const uint64_t special[] = {
        0,           1,          UINT64_MAX, 2,
        3,           4,          5,          7,
        8,           10,         16,         31,
        32,          63,         64,         100,
        127,         128,        255,        256,
        1000,        32767,      65535,      INT32_MAX,
        0x80000000u, UINT32_MAX, INT64_MAX,  (uint64_t)INT64_MIN,
        ' ',         '0',        '9',        'a',
        'z',         'A',        'Z',        '-',
        '+',         '.',        ',',        '(',
        ')',         '"',        '\n',       '\\',
        '/',         '%',        '=',        '_'};
    for (size_t i = 0; i < sizeof special / sizeof *special; i++)
        add_word(w, special[i]);
}

static bool is_text(const struct ir_global *g)
{
    if (!g->constant || !g->bytes || g->n_relocs || g->size < 3 ||
        g->size > TEXT_MOST || g->bytes[g->size - 1])
        return false;
    for (uint64_t i = 0; i + 1 < g->size; i++)
        if (g->bytes[i] < ' ' || g->bytes[i] > '~')
            return false;
    return true;
}

static void add_texts(struct fuzzer *w)
{
    const struct ir *ir = w->s->ir;
    for (uint32_t i = 0; i < ir->globals.n && w->texts.n < TEXTS_MOST; i++)
        if (is_text(&ir->globals.at[i]))
            vec_push(&w->texts, (const char *)ir->globals.at[i].bytes);
}

void fuzz_words(struct fuzzer *w)
{
    add_special(w);
    add_texts(w);
    add_constants(w, w->f, arena_zero(w->a, w->s->ir->fns.n + 1ul));
}

// ---- changing ---------------------------------------------------------------

static uint64_t number(struct fuzzer *w, const struct shape_cell *c)
{
    switch (rng_below(&w->rng, 6)) {
    case 0:
        return rng_next(&w->rng);
    case 1:
        return rng_below(&w->rng, 16);
    case 2:
        return c->bytes == 1 ? ' ' + rng_below(&w->rng, 95)
                             : rng_below(&w->rng, 256);
    default:
        return w->words[rng_below(&w->rng, w->n_words)];
    }
}

static uint64_t real(struct fuzzer *w, const struct shape_cell *c)
{
    static const double some[] = {0,   1,    -1,     2,        0.5,   -0.5,
                                  10,  100,  1e-3,   1e10,     -1e10, 1e300,
                                  3.5, -0.0, 1e-300, INFINITY, NAN};
    double d = rng_below(&w->rng, 2)
                   ? some[rng_below(&w->rng, sizeof some / sizeof *some)]
                   : (double)(int64_t)number(w, c);
    uint64_t v = w->words[rng_below(&w->rng, w->n_words)];
    if (rng_below(&w->rng, 4) == 0)
        return v;
    if (c->bytes == 4) {
        float f = (float)d;
        v = 0;
        memcpy(&v, &f, 4);
    } else {
        memcpy(&v, &d, 8);
    }
    return v;
}

static uint64_t any_value(struct fuzzer *w, const struct shape_cell *c)
{
    switch (c->kind) {
    case CALL_POINTER:
        return rng_below(&w->rng, c->n_links + 1);
    case CALL_FLOAT:
    case CALL_DOUBLE:
    case CALL_LONG_DOUBLE:
        return real(w, c);
    case CALL_SIGNED:
    case CALL_UNSIGNED:
    case CALL_TEXT:
    case CALL_KINDS_N:
        break;
    }
    uint64_t v = number(w, c);
    if (spell_bare(w->s->ir, c->type)->kind == IR_D_BOOL)
        v &= 1;
    return v;
}

// Give a cell the value that its own was compared with.
static bool follow_comparison(struct fuzzer *w, uint64_t *values,
                              const struct pair *pairs, uint32_t n)
{
    if (!n)
        return false;
    struct pair p = pairs[rng_below(&w->rng, n)];
    if (rng_below(&w->rng, 2))
        p = (struct pair){p.b, p.a};
    uint32_t from = rng_below(&w->rng, w->shape.cells.n);
    for (uint32_t k = 0; k < w->shape.cells.n; k++) {
        uint32_t i = (from + k) % w->shape.cells.n;
        const struct shape_cell *c = &w->shape.cells.at[i];
        uint64_t mask =
            c->bytes < 8 ? (UINT64_C(1) << 8 * c->bytes) - 1 : UINT64_MAX;
        if (c->kind == CALL_POINTER || ((values[i] ^ p.a) & mask))
            continue;
        values[i] = p.b + rng_below(&w->rng, 3) - 1;
        return true;
    }
    return false;
}

// A literal of the program, and every other time the end of the text.
static void put_text(struct fuzzer *w, uint64_t *values, uint32_t n)
{
    const char *text = w->texts.at[rng_below(&w->rng, w->texts.n)];
    uint32_t k = 0;
    for (; k < n && text[k]; k++)
        values[k] = (uint8_t)text[k];
    if (k < n && rng_below(&w->rng, 2))
        values[k] = 0;
}

// A run of characters: all the same, or moved by one.
static void change_text(struct fuzzer *w, uint64_t *values, uint32_t i)
{
    const struct shape_cell *c = w->shape.cells.at;
    uint32_t end = i;
    while (end < w->shape.cells.n && c[end].object == c[i].object &&
           c[end].bytes == 1)
        end++;
    uint32_t n = end - i;
    if (!n)
        return;
    uint32_t some = 1 + rng_below(&w->rng, n);
    switch (rng_below(&w->rng, w->texts.n ? 6 : 4)) {
    case 5:
    case 4: // a literal of the program
        put_text(w, values + i, n);
        return;
    case 3: // a number that fits nothing
        for (uint32_t k = 0; k < n; k++)
            values[i + k] = k + 1 < n ? '9' : 0;
        return;
    case 0:
        for (uint32_t k = 1; k < some; k++)
            values[i + k] = values[i];
        return;
    case 1: // one more
        for (uint32_t k = n; k-- > 1;)
            values[i + k] = values[i + k - 1];
        return;
    default: // one less
        for (uint32_t k = 0; k + 1 < n; k++)
            values[i + k] = values[i + k + 1];
    }
}

// Parameters matter most: every other change is one of them.
static uint32_t any_cell(struct fuzzer *w)
{
    return rng_below(&w->rng, w->n_own && rng_below(&w->rng, 2)
                                  ? w->n_own
                                  : w->shape.cells.n);
}

static void change(struct fuzzer *w, uint64_t *values)
{
    uint32_t i = any_cell(w), k = any_cell(w);
    const struct shape_cell *c = &w->shape.cells.at[i];
    if (c->bytes == 1 && i >= w->n_own && rng_below(&w->rng, 3) == 0) {
        change_text(w, values, i);
        return;
    }
    switch (rng_below(&w->rng, 8)) {
    case 0:
        if (c->kind != CALL_POINTER)
            values[i] += rng_below(&w->rng, 5) - 2u;
        return;
    case 1:
        if (c->kind == w->shape.cells.at[k].kind && c->kind != CALL_POINTER)
            values[i] = values[k];
        return;
    case 2:
        if (c->kind != CALL_POINTER)
            values[i] ^= UINT64_C(1) << rng_below(&w->rng, 8 * c->bytes);
        return;
    default:
        values[i] = any_value(w, c);
    }
}

void fuzz_change(struct fuzzer *w, uint64_t *values, const struct pair *pairs,
                 uint32_t n_pairs)
{
    if (rng_below(&w->rng, 3) == 0 &&
        follow_comparison(w, values, pairs, n_pairs) && rng_below(&w->rng, 2))
        return;
    for (uint32_t n = 1 + rng_below(&w->rng, 6); n--;)
        change(w, values);
}
