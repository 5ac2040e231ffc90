// Calls by summaries: the paths of functions that call others are the same with
// their summaries and with their code, under every option; what a summary saves
// is seen in the counts.
#include "base/hash.h"
#include "base/map.h"
#include "engine.h"

#include <stdlib.h>

static struct bench open_calls(void)
{
    return bench_file("test/symex/programs/calls.c");
}

struct paths {
    VEC(uint64_t) at;
    uint32_t n, wrong, cuts, complete;
    uint64_t used, joined, open, cases;
    struct sx_counts counts;
};

static uint64_t hash_path(struct sx_run *r, const struct sx_path *p)
{
    uint64_t h = hash_join(p->end, map_pair(p->fn, p->inst));
    h = hash_join(h, p->end == SX_TRAPPED ? p->trap : 0);
    h = hash_join(h, p->trail);
    h = hash_join(h, map_pair(p->labels, p->n_cells));
    for (uint32_t i = 0; i < p->n_decisions; i++) {
        const struct sx_decision *d = &p->decisions[i];
        h = hash_join(h, map_pair(d->fn, d->inst));
        h = hash_join(h, map_pair(d->side, d->depth));
        h = hash_join(h, d->implied);
    }
    if (p->end == SX_RETURNED || p->end == SX_TRAPPED)
        h = hash_join(h, sx_cases(r, p, 200, NULL, NULL));
    return h;
}

static int rising(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static void count_summaries(const struct symex *x, struct paths *out)
{
    struct sx_summary all[64];
    uint32_t n = sx_summaries(x, all, 64);
    for (uint32_t i = 0; i < n; i++) {
        out->used += all[i].used;
        out->joined += all[i].joined;
        out->open += all[i].open;
        out->cases += all[i].returns + all[i].traps;
    }
}

// All paths at o->loop, then at twice that.
static struct paths paths_of(struct bench *b, uint32_t fn,
                             const struct sx_options *o)
{
    struct symex *x = symex_new(b->ir, b->ts, b->solver, o);
    struct sx_start start = {
        .fn = fn, .pre = IR_NOTHING, .cls = IR_NOTHING, .msg = IR_NOTHING};
    struct sx_run *r = sx_begin(x, &start);
    struct paths out = {0};
    struct sx_cut cuts[16];
    const struct sx_path *p;
    for (int round = 0; round < 2; round++) {
        while ((p = sx_next(r))) {
            vec_push(&out.at, hash_path(r, p));
            const char *wrong = replay_path(r, b->ir, b->ts, p, fn);
            // Joined calls enter no blocks.
            out.wrong +=
                wrong && !(o->join && strcmp(wrong, "other blocks") == 0);
        }
        out.cuts = out.cuts * 100 + sx_cuts(r, cuts, 16);
        if (round == 0)
            sx_raise(r, o->loop + 1, o->loop + 1);
    }
    out.complete = sx_complete(r);
    out.n = out.at.n;
    qsort(out.at.at, out.at.n, sizeof *out.at.at, rising);
    count_summaries(x, &out);
    out.counts = sx_counts(x);
    sx_end(r);
    symex_free(x);
    return out;
}

static bool are_same(const struct paths *a, const struct paths *b)
{
    bool same = a->n == b->n && a->cuts == b->cuts && a->wrong == b->wrong &&
                a->complete == b->complete;
    for (uint32_t i = 0; same && i < a->n; i++)
        same = a->at.at[i] == b->at.at[i];
    return same;
}

static const char *const functions[] = {
    "signs",  "clamps", "doubled", "halved",  "facts",   "both",
    "deep",   "firsts", "aliased", "swapped", "handed",  "swap_locals",
    "joined", "picked", "tables",  "numbers", "sums",    "made",
    "words",  "boxes",  "checked", "divided", "applied", "masked",
    "halves", "labels", "flags"};
enum { FUNCTIONS = sizeof functions / sizeof *functions };

static uint64_t compare(struct bench *b, const char *function,
                        struct sx_options o, const char *what)
{
    uint32_t fn = ir_find_fn(b->ir, function);
    struct paths here = paths_of(b, fn, &o);
    o.summaries = true;
    struct paths by = paths_of(b, fn, &o);
    bool same = are_same(&here, &by);
    if (!same)
        fprintf(stderr,
                "%s, %s: in place %u paths, cuts %u, %u wrong; by summaries "
                "%u, %u, %u (%u calls)\n",
                function, what, here.n, here.cuts, here.wrong, by.n, by.cuts,
                by.wrong, (unsigned)by.used);
    CHECK(same);
    CHECK_EQ(here.used, 0);
    CHECK_EQ(by.joined, 0);
    vec_free(&here.at);
    vec_free(&by.at);
    return by.used;
}

TEST(paths_are_the_same_with_summaries)
{
    struct bench b = open_calls();
    static const struct {
        const char *name;
        struct sx_options o;
    } ways[] = {
        {"loop 1", {.loop = 1}},
        {"loop 2", {.loop = 2}},
        {"lazy", {.loop = 1, .lazy = true}},
        {"overflow", {.loop = 1, .overflow = true}},
        {"selects", {.loop = 1, .selects = true, .labels = true}},
    };
    enum { WAYS = sizeof ways / sizeof *ways };
    for (uint32_t i = 0; b.ir && i < FUNCTIONS; i++) {
        uint64_t used = 0;
        for (size_t k = 0; k < WAYS; k++)
            if (k == 0 || test_takes(i + k))
                used += compare(&b, functions[i], ways[k].o, ways[k].name);
        if (!used)
            fprintf(stderr, "%s: no summary was used\n", functions[i]);
        CHECK(used > 0);
    }
    bench_close(&b);
}

// Table 1 and 2 of the paper, without its preconditions: a fraction is reduced
// in 8 ways (a null pointer, and twice the quotient that does not fit, are not
// in the table), a row is copied in 5.
static const char fractions[] =
    "struct fraction { int n, d; };\n"
    "struct row { int length; struct fraction *at[]; };\n"
    "static int gcd(int a, int b) {\n"
    "    while (b != 0) { int rest = a % b; a = b; b = rest; }\n"
    "    if (a >= 0) return a;\n"
    "    return -a;\n"
    "}\n"
    "static void reduce(struct fraction *r) {\n"
    "    int g = gcd(r->n, r->d);\n"
    "    r->n = r->n / g;\n"
    "    r->d = r->d / g;\n"
    "}\n"
    "static void copy(struct row *from, struct row *to, int n) {\n"
    "    if (n < 0) __builtin_trap();\n"
    "    for (int i = 0; i < n; i++) to->at[i] = from->at[i];\n"
    "}\n"
    "void twice(struct fraction *a, struct fraction *b, struct row *x,\n"
    "           struct row *y) {\n"
    "    if (a) { reduce(a); reduce(b); }\n"
    "    else { copy(x, y, 1); copy(y, x, 1); }\n"
    "}\n";

TEST(the_cases_of_a_summary_are_those_of_the_paper)
{
    struct bench b = bench_open(fractions);
    struct sx_options o = {.loop = 1, .summaries = true};
    struct symex *x = symex_new(b.ir, b.ts, b.solver, &o);
    struct sx_start start = bench_start(&b, "twice", NULL);
    struct sx_run *r = sx_begin(x, &start);
    struct sx_summary all[8];
    while (sx_summaries(x, all, 8) < 2 && sx_next(r))
        ;
    CHECK_EQ(sx_summaries(x, all, 8), 2);
    for (uint32_t i = 0; i < 2; i++) {
        bool copy = all[i].fn == ir_find_fn(b.ir, "copy");
        CHECK_EQ(all[i].returns, copy ? 2 : 4);
        CHECK_EQ(all[i].traps, copy ? 3 : 4);
        CHECK_EQ(all[i].open, 1); // more turns: partial
        CHECK(all[i].used > 0);
    }
    sx_end(r);
    symex_free(x);
    bench_close(&b);
}

// Cases that differ in the result alone are one path; each path still is one
// that the interpreter takes, and nothing is complete that was not.
TEST(joined_cases_are_one_path)
{
    static const struct {
        const char *function;
        uint32_t paths;
    } joined[] = {{"signs", 4}, {"clamps", 3}, {"deep", 6}, {"labels", 10}};
    struct bench b = open_calls();
    for (size_t i = 0; b.ir && i < sizeof joined / sizeof *joined; i++) {
        uint32_t fn = ir_find_fn(b.ir, joined[i].function);
        struct sx_options o = {.loop = 1,
                               .selects = true,
                               .labels = true,
                               .traps_once = true,
                               .summaries = true};
        struct paths apart = paths_of(&b, fn, &o);
        o.join = true;
        struct paths by = paths_of(&b, fn, &o);
        if (by.n != joined[i].paths)
            fprintf(stderr, "%s: %u paths, %u apart\n", joined[i].function,
                    by.n, apart.n);
        CHECK_EQ(by.n, joined[i].paths);
        CHECK(by.n < apart.n);
        CHECK(by.joined > 0);
        CHECK_EQ(by.wrong, 0);
        CHECK_EQ(by.complete, apart.complete);
        vec_free(&apart.at);
        vec_free(&by.at);
    }
    bench_close(&b);
}

// A side that is impossible in every context is not asked for at every call.
TEST(what_never_holds_is_asked_once)
{
    struct bench b = open_calls();
    uint32_t fn = ir_find_fn(b.ir, "doubled");
    struct sx_options o = {.loop = 1};
    struct paths here = paths_of(&b, fn, &o);
    o.summaries = true;
    struct paths by = paths_of(&b, fn, &o);
    CHECK_EQ(by.n, here.n);
    CHECK(by.counts.steps < here.counts.steps);
    vec_free(&here.at);
    vec_free(&by.at);
    bench_close(&b);
}

TEST_MAIN()
