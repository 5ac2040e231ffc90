// Handlers: effects, segments at waits, inputs of the outside.
#include "engine.h"

struct handling {
    struct bench b;
    struct symex *x;
    struct sx_run *r;
};

// The handler of a class for a message, all paths.
static struct handling handle(const char *class, const char *function)
{
    static const char *const flags[] = {"-Iinclude"};
    const char *path = "test/symex/programs/shop.c";
    static const struct sx_options options = {.loop = 1};
    struct handling h = {0};
    struct diag d = {0};
    bench_enter();
    struct ir_options o = {.cache = bench_dir, .flags = flags, .n_flags = 1};
    h.b.ir = ir_load(&path, 1, &o, &d);
    if (!h.b.ir) {
        diag_print(&d, stderr);
        exit(1);
    }
    h.b.ts = terms_new();
    h.b.solver = solver_new(h.b.ts, &(struct solver_options){.full_ms = 20000});
    h.x = symex_new(h.b.ir, h.b.ts, h.b.solver, &options);
    struct sx_start start = bench_start(&h.b, function, NULL);
    start.handler = true;
    start.cls = ir_find_class(h.b.ir, class);
    h.r = sx_begin(h.x, &start);
    return h;
}

static void handled(struct handling *h)
{
    CHECK(sx_complete(h->r));
    sx_end(h->r);
    symex_free(h->x);
    bench_close(&h->b);
}

static int64_t value_of(struct handling *h, const struct sx_path *p, term t)
{
    return (int64_t)ir_signed(term_eval(h->b.ts, t, p->model),
                              term_bits(h->b.ts, t));
}

TEST(a_reply_carries_what_the_state_is_after_it)
{
    struct handling h = handle("store", "store_take");
    const struct sx_path *p;
    uint32_t refused = 0, taken = 0;
    while ((p = sx_next(h.r))) {
        CHECK_EQ(p->end, SX_RETURNED);
        CHECK_EQ(p->n_effects, 1);
        CHECK_EQ(p->n_segments, 1);
        CHECK_EQ(p->effects[0].op, IR_REPLY);
        CHECK_EQ(p->effects[0].n_cells, 1);
        int64_t left = value_of(&h, p, p->effects[0].cells[0].value);
        if (p->segments[0].n_writes) {
            CHECK_EQ(left, value_of(&h, p, p->segments[0].writes[0].value));
            taken++;
        } else {
            CHECK_EQ(left, -1);
            refused++;
        }
    }
    CHECK_EQ(taken, 1);
    CHECK_EQ(refused, 1);
    handled(&h);
}

TEST(a_wait_divides_a_handler_and_forgets_the_state)
{
    struct handling h = handle("shop", "shop_buy");
    const struct sx_path *p;
    uint32_t late = 0, sent = 0, unchanged = 0;
    while ((p = sx_next(h.r))) {
        CHECK_EQ(p->end, SX_RETURNED);
        CHECK_EQ(p->n_segments, 2);
        CHECK_EQ(p->segments[0].wait, IR_AWAIT);
        CHECK_EQ(p->effects[0].op, IR_ASK);
        CHECK_EQ(p->segments[0].future, p->effects[0].result);
        CHECK_EQ(p->segments[1].effects, 1);
        late += p->n_cells == 4 && p->n_effects == 1;
        if (p->n_effects == 2) {
            CHECK_EQ(p->effects[1].op, IR_SEND);
            sent++;
        } else if (p->segments[1].n_writes || p->n_decisions > 1) {
            unchanged++;
        }
    }
    // The state before and after the wait are two inputs, so that a message is
    // sent both with and without a sale.
    CHECK_EQ(late, 1);
    CHECK_EQ(sent, 2);
    CHECK_EQ(unchanged, 2);
    handled(&h);
}

TEST(a_new_actor_runs_its_init_inside_its_creator)
{
    struct handling h = handle("shop", "shop_wait");
    const struct sx_path *p = sx_next(h.r);
    CHECK(p != NULL);
    if (!p)
        return;
    CHECK_EQ(p->n_effects, 3);
    CHECK_EQ(p->effects[0].op, IR_SPAWN);
    CHECK_EQ(p->effects[1].op, IR_SEND); // by the clerk, in its init
    CHECK_EQ(p->effects[1].actor, p->effects[0].result);
    CHECK_EQ(p->effects[2].op, IR_SEND);
    CHECK_EQ(p->effects[2].actor, TERM_NONE);
    CHECK_EQ(p->effects[2].args[1], p->effects[0].result);
    term at = term_binary(h.b.ts, IR_ADD, p->effects[0].result,
                          term_const(h.b.ts, 64, 4));
    term ready = sx_read(h.r, p, at, 4, false);
    term desk = sx_read(h.r, p, p->effects[0].result, 4, false);
    CHECK_EQ(value_of(&h, p, ready), value_of(&h, p, desk) + 1);
    CHECK(sx_next(h.r) == NULL);
    handled(&h);
}

TEST(become_choose_and_stop_are_told)
{
    struct handling h = handle("shop", "shop_close");
    const struct sx_path *p;
    uint32_t n = 0;
    for (; (p = sx_next(h.r)); n++) {
        CHECK_EQ(p->n_effects, 2);
        CHECK_EQ(p->effects[0].op, IR_BECOME);
        CHECK_EQ(p->effects[1].op, IR_CHOOSE);
        CHECK(p->segments[0].behaviour == p->effects[0].behaviour);
        CHECK(p->segments[0].behaviour != IR_NOTHING);
        CHECK_EQ(value_of(&h, p, p->effects[1].result) == 2,
                 p->segments[0].n_writes == 1);
    }
    CHECK_EQ(n, 2);
    handled(&h);
    h = handle("store", "store_close");
    p = sx_next(h.r);
    CHECK(p && p->segments[0].stopped);
    CHECK(!sx_next(h.r));
    handled(&h);
}

TEST_MAIN()
