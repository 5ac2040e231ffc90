// The persistent map against an array of all keys, with many owners at once.
#include "symex/pmap.h"

#include "base/rng.h"
#include "test.h"

enum { KEYS = 300, OWNERS = 6 };

struct twin {
    struct pmap m;
    uint64_t value[KEYS]; // 0: not there
};

static uint64_t key_of(uint32_t k)
{
    return k % 3 ? k : (uint64_t)k << 40;
}

static void check_twin(const struct twin *t)
{
    for (uint32_t k = 0; k < KEYS; k++) {
        uint64_t v = 0;
        bool there = pmap_get(&t->m, key_of(k), &v);
        CHECK(there == (t->value[k] != 0));
        CHECK(!there || v == t->value[k]);
    }
}

static void add(void *self, uint64_t key, uint64_t value)
{
    (void)key;
    *(uint64_t *)self += value;
}

static void check_sum(const struct twin *t)
{
    uint64_t sum = 0, expected = 0;
    pmap_each(&t->m, add, &sum);
    for (uint32_t k = 0; k < KEYS; k++)
        expected += t->value[k];
    CHECK(sum == expected);
}

static void change(struct twin *t, struct rng *r)
{
    uint32_t k = (uint32_t)(rng_next(r) % KEYS);
    if (rng_next(r) % 4 == 0) {
        pmap_remove(&t->m, key_of(k));
        t->value[k] = 0;
    } else {
        t->value[k] = rng_next(r) | 1;
        pmap_put(&t->m, key_of(k), t->value[k]);
    }
}

TEST(owners_of_a_map_do_not_see_each_other)
{
    struct twin t[OWNERS] = {{.m = {0}}};
    struct rng r = {.state = 7};
    for (uint32_t n = 0; n < test_share(20000); n++) {
        uint32_t i = (uint32_t)(rng_next(&r) % OWNERS);
        change(&t[i], &r);
        if (n % 97 == 0) {
            uint32_t j = (i + 1) % OWNERS;
            pmap_release(&t[j].m);
            t[j] = t[i];
            t[j].m = pmap_share(&t[i].m);
        }
        if (n % 499 == 0)
            for (uint32_t k = 0; k < OWNERS; k++)
                check_twin(&t[k]);
    }
    for (uint32_t k = 0; k < OWNERS; k++) {
        check_sum(&t[k]);
        pmap_release(&t[k].m);
    }
}

TEST_MAIN()
