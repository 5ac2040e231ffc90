#include "runtime/switch.h"
#include "test.h"

#include <stdint.h>
#include <stdlib.h>

struct pair {
    void *caller, *callee;
    int got, turns;
    double sum;
};

static void count(void *arg)
{
    struct pair *p = arg;
    for (;;) {
        double third = p->turns / 3.0; // a value to carry across the switch
        p->turns++;
        tr__switch(&p->callee, p->caller);
        p->sum += third;
    }
}

TEST(switch_goes_to_and_fro)
{
    char *stack = malloc(65536);
    struct pair p = {0};
    p.callee = tr__switch_prepare(stack + 65536, count, &p);
    for (int i = 0; i < 1000; i++)
        tr__switch(&p.caller, p.callee);
    CHECK_EQ(p.turns, 1000);
    CHECK(p.sum > 166166 && p.sum < 166168); // 0/3 + 1/3 + ... + 998/3
    free(stack);
}

static void aligned(void *arg)
{
    struct pair *p = arg;
    _Alignas(16) char here[16];
    p->got = (uintptr_t)here % 16 == 0;
    tr__switch(&p->callee, p->caller);
}

TEST(prepared_stack_is_aligned)
{
    char *stack = malloc(65536);
    for (int i = 0; i < 16; i++) {
        struct pair p = {0};
        p.callee = tr__switch_prepare(stack + 65536 - i, aligned, &p);
        tr__switch(&p.caller, p.callee);
        CHECK(p.got);
    }
    free(stack);
}
TEST_MAIN()
