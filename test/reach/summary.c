// Cases of handlers: conditions, writes, effects, new actors, ways to a block.
#include "base/diag.h"
#include "reach/summary.h"
#include "scratch.h"
#include "test.h"

#include <stdlib.h>

struct bench {
    scratch_path dir;
    struct ir *ir;
    struct terms *ts;
    struct solver *solver;
    struct summaries *all;
};

static void bench_open(struct bench *b)
{
    static const char *const flags[] = {"-Iinclude"};
    const char *path = "test/symex/programs/shop.c";
    struct diag d = {0};
    scratch_new(b->dir);
    struct ir_options o = {.cache = b->dir, .flags = flags, .n_flags = 1};
    b->ir = ir_load(&path, 1, &o, &d);
    if (!b->ir) {
        diag_print(&d, stderr);
        exit(1);
    }
    b->ts = terms_new();
    b->solver = solver_new(b->ts, &(struct solver_options){.full_ms = 20000});
    b->all = summaries_new(b->ir, b->ts, b->solver,
                           &(struct summary_options){.loop = 1});
}

static void bench_close(struct bench *b)
{
    summaries_free(b->all);
    solver_free(b->solver);
    terms_free(b->ts);
    ir_free(b->ir);
    scratch_remove(b->dir);
}

static struct summary *of(struct bench *b, const char *cls, const char *fn)
{
    return summary_of(b->all, ir_find_class(b->ir, cls), IR_NOTHING,
                      ir_find_fn(b->ir, fn));
}

TEST(a_summary_has_one_case_for_each_way)
{
    struct bench b;
    bench_open(&b);
    struct summary *s = of(&b, "store", "store_take");
    uint32_t n = 0, writes = 0;
    const struct summary_case *c;
    for (; (c = summary_case(b.all, s, n)); n++) {
        CHECK(c->exact && !c->heap);
        CHECK_EQ(case_effects(c, 0).n, 1);
        writes += c->path->segments[0].n_writes;
    }
    CHECK_EQ(n, 2);
    CHECK_EQ(writes, 1);
    CHECK(summary_complete(s));
    CHECK(s == of(&b, "store", "store_take"));
    bench_close(&b);
}

TEST(a_reference_is_a_number_and_a_new_actor_an_input)
{
    struct bench b;
    bench_open(&b);
    struct summary *s = of(&b, "shop", "shop_wait");
    const struct summary_case *c = summary_case(b.all, s, 0);
    CHECK(c && !c->heap);
    CHECK_EQ(c->n_children, 1);
    const struct summary_child *child = &c->children[0];
    const struct sx_effect *e = c->path->effects;
    CHECK_EQ(term_op(b.ts, e[0].result), TERM_VAR);
    CHECK_EQ(e[1].actor, e[0].result);
    CHECK_EQ(e[2].args[1], e[0].result);
    // desk, ready = desk + 1, of = me
    term desk = writes_read(b.ts, child->cells, child->n_cells, 0, 4, 0);
    term ready = writes_read(b.ts, child->cells, child->n_cells, 4, 4, 0);
    CHECK_EQ(ready, term_binary(b.ts, IR_ADD, desk, term_const(b.ts, 32, 1)));
    CHECK_EQ(writes_read(b.ts, child->cells, child->n_cells, 8, 8, 0),
             e[1].args[1]);
    CHECK(!summary_case(b.all, s, 1));
    CHECK(summary_complete(s));
    bench_close(&b);
}

TEST(ways_to_a_block_end_there_and_others_are_not_run)
{
    struct bench b;
    bench_open(&b);
    uint32_t fn = ir_find_fn(b.ir, "store_take");
    const struct ir_fn *f = b.ir->fns.at[fn];
    uint32_t reached = 0;
    for (uint32_t k = 0; k < f->blocks.n; k++) {
        struct summary *s = summary_to(b.all, ir_find_class(b.ir, "store"),
                                       IR_NOTHING, fn, fn, k);
        const struct summary_case *c = summary_case(b.all, s, 0);
        CHECK(!c || c->path->end == SX_REACHED);
        CHECK_EQ(k == 0 && c ? c->path->n_conditions : 0, 0);
        while (c)
            c = summary_case(b.all, s, s->cases.n);
        CHECK(summary_complete(s));
        reached += s->cases.n > 0;
    }
    CHECK(reached >= 3);
    bench_close(&b);
}

TEST(writes_are_read_as_bytes)
{
    struct terms *ts = terms_new();
    term x = term_var(ts, "x", 32, TERM_INT),
         y = term_var(ts, "y", 64, TERM_INT);
    struct sx_write w = {4, x};
    CHECK_EQ(writes_read(ts, &w, 1, 4, 4, 0), x);
    CHECK_EQ(writes_read(ts, &w, 1, 0, 8, y),
             term_concat(ts, x, term_slice(ts, y, 0, 32)));
    CHECK(writes_touch(ts, &w, 1, 7, 1));
    CHECK(!writes_touch(ts, &w, 1, 8, 4));
    CHECK(!writes_touch(ts, &w, 1, 0, 4));
    terms_free(ts);
}

TEST_MAIN()
