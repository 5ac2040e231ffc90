// Runs that were kept are made plain: each value as small as it can be while
// the run takes the same sides and ends the same way.
#include "unit/fuzzer.h"

#include "base/clock.h"
#include "base/hash.h"
#include "base/wire.h"
#include "unit/input_wire.h"
#include "unit/literal.h"
#include "unit/spell.h"

#include <stdlib.h>
#include <string.h>

// ---- making plain -----------------------------------------------------------

struct print { // what a run must have in common with another
    enum ending end;
    uint32_t trap;
    uint8_t *sides;
};

static void take_print(struct fuzzer *w, enum ending end, struct print *p)
{
    p->end = end;
    p->trap = w->trap;
    for (uint32_t i = 0; i < w->sides->at.n; i++)
        p->sides[i] = w->map[w->sides->at.at[i].hit] != 0;
}

static bool same_print(struct fuzzer *w, enum ending end, const struct print *p)
{
    if (end != p->end || w->trap != p->trap)
        return false;
    for (uint32_t i = 0; i < w->sides->at.n; i++)
        if (p->sides[i] != (w->map[w->sides->at.at[i].hit] != 0))
            return false;
    return true;
}

static bool is_plain_better(const struct fuzzer *w, uint64_t *v, uint32_t i,
                            uint64_t to)
{
    uint64_t was = v[i], a, b;
    a = fuzz_weight(w, v);
    v[i] = to;
    b = fuzz_weight(w, v);
    v[i] = was;
    return b < a;
}

static bool has_time(const struct fuzzer *w)
{
    return clock_now() < w->until;
}

static bool takes_plain(struct fuzzer *w, struct best *b, uint32_t i,
                        uint64_t v, const struct print *p)
{
    uint64_t was = b->values[i];
    if (v == was || !is_plain_better(w, b->values, i, v))
        return false;
    b->values[i] = v;
    if (same_print(w, fuzz_run(w, b->values), p) && w->steps <= b->steps) {
        b->steps = w->steps;
        return true;
    }
    b->values[i] = was;
    return false;
}

// The first of an enumeration that will do, or what comes behind the last.
static bool simplify_enum(struct fuzzer *w, struct best *b, uint32_t i,
                          const struct print *p)
{
    const struct shape_cell *c = &w->shape.cells.at[i];
    const struct ir_dtype *t = spell_bare(w->s->ir, c->type);
    uint64_t mask =
        c->bytes < 8 ? (UINT64_C(1) << 8 * c->bytes) - 1 : UINT64_MAX;
    int64_t most = 0;
    if (t->kind != IR_D_ENUM)
        return false;
    for (uint32_t k = 0; k < t->n; k++) {
        if (takes_plain(w, b, i, (uint64_t)t->values[k].value & mask, p))
            return true;
        most = t->values[k].value > most ? t->values[k].value : most;
    }
    return takes_plain(w, b, i, ((uint64_t)most + 1) & mask, p);
}

static void simplify_cell(struct fuzzer *w, struct best *b, uint32_t i,
                          const struct print *p)
{
    static const uint64_t numbers[] = {0, 1, UINT64_MAX, 2, 'a', '0', 3, 4, 5};
    static const uint64_t letters[] = {0,   'a', 'b', 'c', 'x', '0',
                                       '1', ' ', '-', '.', 1};
    const struct shape_cell *cell = &w->shape.cells.at[i];
    bool is_char = literal_is_char(w->s->ir, cell->type);
    const uint64_t *plain = is_char ? letters : numbers;
    size_t n = is_char ? sizeof letters / sizeof *letters
                       : sizeof numbers / sizeof *numbers;
    uint64_t was = b->values[i];
    if (simplify_enum(w, b, i, p))
        return;
    for (size_t k = 0; k < n; k++) {
        const struct shape_cell *c = &w->shape.cells.at[i];
        uint64_t v = plain[k];
        if (c->kind == CALL_POINTER && v > c->n_links)
            continue;
        if (c->kind == CALL_POINTER && !v && i < w->n_own && b->end == TRAPPED)
            continue; // a null parameter is another finding
        if (takes_plain(w, b, i, v, p))
            return;
    }
    for (uint64_t v = was / 2; v > 5 && v < INT64_MAX && !is_char; v /= 2) {
        if (w->shape.cells.at[i].kind == CALL_POINTER)
            break;
        b->values[i] = v;
        if (!same_print(w, fuzz_run(w, b->values), p) || w->steps > b->steps)
            break;
        was = v;
    }
    b->values[i] = was;
}

// May it be null only because nothing is copied from there?
static bool is_copied(const struct fuzzer *w, const struct best *b, uint32_t i)
{
    return w->copies && i < w->n_own && b->end == RETURNED &&
           w->shape.cells.at[i].kind == CALL_POINTER;
}

static void simplify(struct fuzzer *w, struct best *b, struct print *p)
{
    take_print(w, fuzz_run(w, b->values), p);
    for (int round = 0; round < 2; round++)
        for (uint32_t i = 0; i < w->shape.cells.n; i++)
            if ((b->values[i] || is_copied(w, b, i)) && has_time(w))
                simplify_cell(w, b, i, p);
    b->weight = fuzz_weight(w, b->values);
    take_print(w, fuzz_run(w, b->values), p);
}

// ---- telling values -------------------------------------------------------

// A test at the edge of what its sides allow notices more than one far from it,
// and so does one whose numbers show in the result.  Small numbers are as plain
// as 0.
enum { EDGE_MOST = 1000 };

static bool is_same(struct fuzzer *w, const struct best *b,
                    const struct print *p)
{
    return same_print(w, fuzz_run(w, b->values), p) && w->steps == b->steps;
}

// Does the run take other sides if this value is one more, or one less?
static bool is_edge(struct fuzzer *w, struct best *b, uint32_t i,
                    const struct print *p)
{
    uint64_t was = b->values[i];
    bool edge = false;
    for (int k = -1; k <= 1 && !edge; k += 2) {
        b->values[i] = was + (uint64_t)k;
        edge = !same_print(w, fuzz_run(w, b->values), p);
    }
    b->values[i] = was;
    return edge;
}

static bool is_small(uint64_t v)
{
    return (int64_t)v <= EDGE_MOST && (int64_t)v >= -EDGE_MOST;
}

static bool try_edge(struct fuzzer *w, struct best *b, uint32_t i, uint64_t v,
                     const struct print *p)
{
    uint64_t was = b->values[i];
    if (v == was || !is_small(v))
        return false;
    b->values[i] = v;
    if (is_same(w, b, p) && is_edge(w, b, i, p))
        return true;
    b->values[i] = was;
    return false;
}

static bool move_to_edge(struct fuzzer *w, struct best *b, uint32_t i,
                         const struct print *p)
{
    bool found = false;
    for (uint32_t k = 0; k < w->n_words && !found; k++)
        found = try_edge(w, b, i, w->words[k], p);
    for (uint32_t k = 0; k < w->shape.cells.n && !found; k++)
        if (w->shape.cells.at[k].kind == w->shape.cells.at[i].kind && k != i)
            found = try_edge(w, b, i, b->values[k], p);
    return found;
}

// What can be seen of a run: its result, and for a parameter also what objects
// and variables hold then.
static uint64_t observed(struct fuzzer *w, const uint64_t *values, bool objects)
{
    fuzz_run(w, values);
    uint64_t all = hash_bytes(w->result, w->result_size);
    for (uint32_t i = 0; objects && i < w->shape.all.objects.n; i++) {
        const struct input_object *o = &w->shape.all.objects.at[i];
        if (o->role == INPUT_OBJECT || o->role == INPUT_GLOBAL)
            all = 31 * all + hash_bytes(w->layout.at[i], o->size);
    }
    return all;
}

// Instead of 0 a number that can be seen.
static void show_number(struct fuzzer *w, struct best *b, uint32_t i,
                        const struct print *p)
{
    static const uint64_t numbers[] = {2, 3, 5, 7};
    bool own = i < w->n_own;
    uint64_t before = observed(w, b->values, own);
    if (b->values[i] || observed(w, b->values, own) != before)
        return;
    b->values[i] = numbers[i % 4];
    if (!is_same(w, b, p) || observed(w, b->values, own) == before)
        b->values[i] = 0;
}

static bool is_number(const struct fuzzer *w, uint32_t i)
{
    const struct shape_cell *c = &w->shape.cells.at[i];
    return (c->kind == CALL_SIGNED || c->kind == CALL_UNSIGNED) &&
           !c->in_union && !c->bits && !literal_is_char(w->s->ir, c->type) &&
           c->bytes >= 2;
}

static void make_telling(struct fuzzer *w, struct best *b,
                         const struct print *p)
{
    enum { CELLS_MOST = 64 };
    uint32_t tried = 0;
    for (uint32_t i = 0; i < w->shape.cells.n && p->end == RETURNED; i++) {
        if (!is_number(w, i) || tried++ == CELLS_MOST || !has_time(w))
            continue;
        if (!is_edge(w, b, i, p) && !move_to_edge(w, b, i, p))
            show_number(w, b, i, p);
    }
    b->weight = fuzz_weight(w, b->values);
}

// A cell matters if another value there changes anything.
static void find_matters(struct fuzzer *w, struct best *b,
                         const struct print *p, bool *matters)
{
    char *result = arena_copy(w->a, w->result, w->result_size + 1);
    enum ending end = fuzz_run(w, b->values);
    memcpy(result, w->result, w->result_size);
    for (uint32_t i = 0; i < w->shape.cells.n; i++) {
        const struct shape_cell *c = &w->shape.cells.at[i];
        uint64_t was = b->values[i];
        matters[i] = was != 0;
        if (!has_time(w))
            continue;
        if (c->kind == CALL_POINTER && !was && !c->n_links)
            continue;
        for (uint64_t k = 1; k <= 2 && !matters[i]; k++) {
            b->values[i] = was ^ k;
            if (c->kind == CALL_POINTER && b->values[i] > c->n_links)
                continue;
            matters[i] = !same_print(w, fuzz_run(w, b->values), p) ||
                         memcmp(result, w->result, w->result_size) != 0;
        }
        b->values[i] = was;
    }
    (void)end;
}

// ---- answering --------------------------------------------------------------

static void put_found(struct fuzzer *w, struct text *t, const struct best *b,
                      const struct print *p, const bool *matters)
{
    struct input in;
    shape_input(&w->shape, w->a, b->values, matters, &in);
    wire_put64(t, b->steps);
    wire_put64(t, b->weight);
    wire_put32(t, p->end == RETURNED);
    wire_put32(t, p->end == LATE);
    wire_put32(t, p->end == TRAPPED ? p->trap : IR_NOTHING);
    wire_put(t, p->sides, w->sides->at.n);
    input_send(&in, t);
    input_release(&in);
}

static int by_simplicity(const void *x, const void *y)
{
    const struct best *a = *(struct best *const *)x;
    const struct best *b = *(struct best *const *)y;
    if (a->steps != b->steps)
        return a->steps < b->steps ? -1 : 1;
    return a->weight < b->weight ? -1 : a->weight > b->weight;
}

// Simplest first; one that adds no side is left out.
static uint32_t choose(struct fuzzer *w, struct best **all, uint32_t n,
                       struct text *t)
{
    uint32_t n_sides = w->sides->at.n, kept = 0;
    uint8_t *seen = arena_zero(w->a, n_sides + 1ul);
    bool *matters = arena_zero(w->a, w->shape.cells.n + 1ul);
    struct print p = {.sides = arena_zero(w->a, n_sides + 1ul)};
    qsort(all, n, sizeof *all, by_simplicity);
    for (uint32_t i = 0; i < n; i++) {
        take_print(w, fuzz_run(w, all[i]->values), &p);
        bool adds = p.end == TRAPPED || !n_sides;
        for (uint32_t k = 0; k < n_sides; k++)
            adds |= p.sides[k] && !seen[k];
        if (!adds)
            continue;
        simplify(w, all[i], &p);
        make_telling(w, all[i], &p);
        take_print(w, fuzz_run(w, all[i]->values), &p);
        find_matters(w, all[i], &p, matters);
        put_found(w, t, all[i], &p, matters);
        kept++;
        for (uint32_t k = 0; k < n_sides && p.end != TRAPPED; k++)
            seen[k] |= p.sides[k];
    }
    return kept;
}

// All of its values may matter: to find out takes too long.
static uint32_t tell_late(struct fuzzer *w, struct text *t)
{
    bool *matters = arena_zero(w->a, w->shape.cells.n + 1ul);
    struct print p = {.sides = arena_zero(w->a, w->sides->at.n + 1ul),
                      .end = LATE};
    if (!w->of_late.values)
        return 0;
    for (uint32_t i = 0; i < w->shape.cells.n; i++)
        matters[i] = w->of_late.values[i] != 0;
    put_found(w, t, &w->of_late, &p, matters);
    return 1;
}

uint32_t fuzz_tell(struct fuzzer *w, struct text *to)
{
    uint32_t n = 0, most = 2 * w->sides->at.n + w->of_trap.n + 1;
    struct best **all = arena_get(w->a, (most + 1ul) * sizeof *all);
    for (uint32_t i = 0; i < w->sides->at.n; i++) {
        if (w->of_side[i].values)
            all[n++] = &w->of_side[i];
        if (w->of_end[i].values)
            all[n++] = &w->of_end[i];
    }
    if (!w->sides->at.n && w->of_side[0].values)
        all[n++] = &w->of_side[0];
    for (uint32_t i = 0; i < w->of_trap.n; i++)
        all[n++] = &w->of_trap.at[i];
    struct best first = {.values = arena_zero(w->a, (w->shape.cells.n + 1ul) *
                                                        sizeof(uint64_t))};
    if (!w->sides->at.n && !n)
        all[n++] = &first;
    return choose(w, all, n, to) + tell_late(w, to);
}
