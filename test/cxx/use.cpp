// The header from C++20: a class of C++ talks to one of C, with everything the
// macros offer but the short names.
#include "words.h"

#include <cstdio>

TR_SIGNAL(work);
TR_PROTOCOL(boss, work, gone, add);
struct boss {
    adder_ref adder;
    int got, gone, late;
};
TR_STATES(boss, idle, busy);

TR_HANDLER(boss, work)
{
    tr_become(ctx, boss, busy);
    tr_watch(ctx, self->adder, boss, gone);
    for (int i = 1; i <= 4; i++)
        tr_send(ctx, self->adder, add, .n = i);
    auto f = tr_ask(ctx, self->adder, total, .scale = 2);
    self->got = tr_await(ctx, f)->value;
    tr_after(ctx, 10, tr_me(ctx, boss), add, .n = 7);
    tr_send(ctx, self->adder, finish);
}

TR_HANDLER(boss, gone)
{
    self->gone++;
}

TR_HANDLER(boss, add)
{
    self->late += msg->n;
#if defined MISTAKE
    tr_send(ctx, self->adder, work); // refused: see run
#endif
}

TR_INIT(boss)
{
    self->late = 100;
}

TR_BEHAVIOUR(boss, idle, TR_ON(work, boss_work), TR_DEFER(gone),
             TR_IGNORE(add));
TR_BEHAVIOUR(boss, busy, TR_ON(gone), TR_ON(add, boss_add),
             TR_IGNORE(work));
TR_CLASS(boss, .start = &boss_idle, .init = boss_init_);
TR_HOT(boss, idle);

TR_INVARIANT(one_boss)
{
    int n = 0;
    for (tr_each(ctx, boss, b))
        n += b->gone <= 1;
    return n <= 1;
}

static boss_ref first;

TR_SYSTEM(firm)
{
    adder_ref adder = adder_new(ctx, 5);
    boss_ref boss = tr_spawn(ctx, boss, .adder = adder);
    tr_expose(ctx, boss);
    tr_expose_as(ctx, adder, "sum");
    tr_send(ctx, boss, work);
    first = boss;
}

#ifdef CONTAINER // its bytes cannot be copied
TR_PROTOCOL(shelf, work);
struct shelf {
    struct tracked {
        tracked(const tracked &);
    } books;
};
TR_BEHAVIOUR(shelf, open);
TR_CLASS(shelf, .start = &shelf_open);
#endif

TR_TEST(listed_only, .timeout_ms = 5)
{
    tr_drain(ctx);
}

static int run(const tr_manager *manager)
{
    tr_runtime *r = nullptr;
    if (tr_start(&r, firm, .manager = manager, .seed = 3) != 0)
        return 1;
    tr_wait(r);
    tr_ctx *ctx = tr_enter(r);
    boss_ref boss = tr_receptionist(ctx, boss, "boss");
    const struct boss *b = tr_peek(ctx, boss, boss);
    bool right = tr_receptionist(ctx, adder, "sum") && boss == first && b && b->got == 30 && b->gone == 1 &&
                 b->late == 107 && one_boss_invariant_(ctx);
    if (!right)
        std::printf("FAILED: got %d, gone %d, late %d\n", b ? b->got : -1,
                    b ? b->gone : -1, b ? b->late : -1);
    tr_leave(ctx);
    tr_end(r);
    return right ? 0 : 1;
}

int main()
{
    int failed = run(&tr_single) + run(&tr_random) + run(&tr_threads);
    std::printf("%d passed, %d failed\n", 3 - failed, failed);
    return failed ? 1 : 0;
}
