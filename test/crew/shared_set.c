// A set that processes share: nothing is counted twice, nothing is lost.
#include "test.h"

#include "base/rng.h"
#include "base/hashset.h"
#include "crew/shared_set.h"

#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

TEST(agrees_with_a_plain_set)
{
    struct shared_set *s = shared_set_new();
    struct hashset plain = {0};
    struct rng r = rng_of(1);
    uint64_t sum = 0, wrong = 0;
    for (int i = 0; i < 300000; i++) {
        uint64_t h = rng_next(&r) % 200000 * 0x9e3779b97f4a7c15u;
        bool fresh = hashset_add(&plain, h);
        wrong += shared_set_add(s, h) != fresh;
        sum += fresh ? h ? h : 1 : 0;
    }
    CHECK_EQ(wrong, 0);
    struct shared_sum found = shared_set_sum(s);
    CHECK_EQ(found.n, plain.n);
    CHECK_EQ(found.sum, sum);
    CHECK(!found.more);
    hashset_free(&plain);
    shared_set_free(s);
}

TEST(zero_is_a_hash)
{
    struct shared_set *s = shared_set_new();
    CHECK_EQ(shared_set_sum(s).n, 0);
    CHECK(shared_set_add(s, 0));
    CHECK(!shared_set_add(s, 0));
    CHECK_EQ(shared_set_sum(s).n, 1);
    shared_set_free(s);
}

// Hashes that differ only in their low bits meet in one bucket per level.
TEST(says_when_there_is_no_room)
{
    const uint64_t inverse = 0xf1de83e19937733du; // of the set's multiplier
    struct shared_set *s = shared_set_new();
    for (uint64_t i = 1; i <= 72; i++)
        CHECK(shared_set_add(s, i * inverse));
    CHECK(!shared_set_add(s, inverse));
    CHECK(!shared_set_sum(s).more);
    CHECK(shared_set_add(s, 73 * inverse));
    CHECK(shared_set_add(s, 73 * inverse));
    CHECK(shared_set_sum(s).more);
    CHECK_EQ(shared_set_sum(s).n, 72);
    shared_set_free(s);
}

enum { PROCESSES = 4, HASHES = 200000 };

// All add the same hashes at one time: each is new to exactly one of them.
TEST(processes_add_each_hash_once)
{
    struct shared_set *s = shared_set_new();
    atomic_uint *fresh = mmap(NULL, sizeof *fresh, PROT_READ | PROT_WRITE,
                              MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    for (int p = 0; p < PROCESSES; p++)
        if (fork() == 0) {
            uint32_t mine = 0;
            for (uint64_t i = 1; i <= HASHES; i++)
                mine += shared_set_add(s, i * i * 0xd6e8feb86659fd93u);
            atomic_fetch_add(fresh, mine);
            _exit(0);
        }
    while (wait(NULL) > 0)
        continue;
    CHECK_EQ(*fresh, HASHES);
    CHECK_EQ(shared_set_sum(s).n, HASHES);
    munmap(fresh, sizeof *fresh);
    shared_set_free(s);
}

TEST_MAIN()
