// Levels of buckets, each level four times as large as the one before, and two
// small ones at the end for what is left over.
//
// A hash has one bucket in each level, a line of the cache.  It is in the first
// level whose bucket had a free slot when it came; slots are filled in order
// and never cleared.  So two processes that add the same hash at one time meet
// at the same slot: one of them fills it, the other finds it filled.  There is
// no lock that a killed process could hold, and no count that it could leave
// behind wrong: shared_set_sum() counts the slots.
//
// Levels are sparse memory: pages that were never touched cost nothing.
#include "crew/shared_set.h"

#include "base/die.h"
#include "crew/sketch.h"

#include <errno.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>

enum { LEVELS = 9, BUCKET = 8 };

// Logarithm of the number of buckets; slots for 30 million hashes in all.
static const unsigned char level_bits[LEVELS] = {9,  11, 13, 15, 17,
                                                 19, 21, 19, 19};

struct bucket {
    _Alignas(64) _Atomic(uint64_t) slots[BUCKET]; // 0: free
};

struct shared_set {
    atomic_uint levels; // in use
    atomic_bool more;
    _Atomic(unsigned char) sketch[SKETCH_BYTES]; // of what was not kept
    struct bucket buckets[];
};

static size_t set_bytes(void)
{
    size_t n = 0;
    for (int i = 0; i < LEVELS; i++)
        n += (size_t)1 << level_bits[i];
    return sizeof(struct shared_set) + n * sizeof(struct bucket);
}

struct shared_set *shared_set_new(void)
{
    struct shared_set *s =
        mmap(NULL, set_bytes(), PROT_READ | PROT_WRITE,
             MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (s == MAP_FAILED)
        die("no shared memory: %s", strerror(errno));
    return s;
}

void shared_set_free(struct shared_set *s)
{
    if (s)
        munmap(s, set_bytes());
}

// Must be called before anything is added to level i.
static void use_level(struct shared_set *s, unsigned i)
{
    unsigned n = atomic_load_explicit(&s->levels, memory_order_relaxed);
    while (n <= i && !atomic_compare_exchange_weak_explicit(
                         &s->levels, &n, i + 1, memory_order_relaxed,
                         memory_order_relaxed))
        continue;
}

enum outcome { ADDED, FOUND, FULL };

static enum outcome add_to(struct shared_set *s, unsigned level,
                           struct bucket *b, uint64_t h)
{
    for (int i = 0; i < BUCKET; i++) {
        uint64_t at = atomic_load_explicit(&b->slots[i], memory_order_relaxed);
        if (!at) {
            use_level(s, level);
            if (atomic_compare_exchange_strong_explicit(&b->slots[i], &at, h,
                                                        memory_order_relaxed,
                                                        memory_order_relaxed))
                return ADDED;
        }
        if (at == h)
            return FOUND;
    }
    return FULL;
}

static void raise_register(struct shared_set *s, uint32_t i, unsigned char run)
{
    unsigned char at =
        atomic_load_explicit(&s->sketch[i], memory_order_relaxed);
    while (at < run && !atomic_compare_exchange_weak_explicit(
                           &s->sketch[i], &at, run, memory_order_relaxed,
                           memory_order_relaxed))
        continue;
    atomic_store_explicit(&s->more, true, memory_order_relaxed);
}

void shared_set_join(struct shared_set *s, const unsigned char *sketch)
{
    for (uint32_t i = 0; i < SKETCH_BYTES; i++)
        raise_register(s, i, sketch[i]);
}

static void add_to_sketch(struct shared_set *s, uint64_t h)
{
    unsigned char run;
    uint32_t i = sketch_register(h, &run);
    raise_register(s, i, run);
}

bool shared_set_add(struct shared_set *s, uint64_t h)
{
    struct bucket *level = s->buckets;
    h = h ? h : 1;
    uint64_t mixed = h * 0x9e3779b97f4a7c15u;
    for (unsigned i = 0; i < LEVELS; i++) {
        uint64_t at = mixed >> (64 - level_bits[i]);
        enum outcome o = add_to(s, i, &level[at], h);
        if (o != FULL)
            return o == ADDED;
        level += (size_t)1 << level_bits[i];
    }
    add_to_sketch(s, h);
    return true;
}

// ---- looking at all ------------------------------------------------------

static size_t slots_used(const struct shared_set *s)
{
    size_t n = 0;
    unsigned levels = atomic_load_explicit(&s->levels, memory_order_relaxed);
    for (unsigned i = 0; i < levels; i++)
        n += (size_t)BUCKET << level_bits[i];
    return n;
}

// 0: free
static uint64_t slot(const struct shared_set *s, size_t i)
{
    return atomic_load_explicit(&s->buckets[i / BUCKET].slots[i % BUCKET],
                                memory_order_relaxed);
}

struct shared_sum shared_set_sum(const struct shared_set *s)
{
    struct shared_sum sum = {0};
    for (size_t i = 0, n = slots_used(s); i < n; i++) {
        uint64_t h = slot(s, i);
        sum.n += h != 0;
        sum.sum += h;
    }
    sum.more = atomic_load_explicit(&s->more, memory_order_relaxed);
    return sum;
}

double shared_set_about(const struct shared_set *s)
{
    struct sketch all = {0};
    for (int i = 0; i < SKETCH_BYTES; i++)
        all.at[i] = atomic_load_explicit(&s->sketch[i], memory_order_relaxed);
    for (size_t i = 0, n = slots_used(s); i < n; i++)
        if (slot(s, i))
            sketch_add(&all, slot(s, i));
    return sketch_count(&all);
}

uint64_t shared_set_list(const struct shared_set *s, uint64_t *out,
                         uint64_t most)
{
    uint64_t copied = 0;
    for (size_t i = 0, n = slots_used(s); i < n && copied < most; i++) {
        uint64_t h = slot(s, i);
        if (h)
            out[copied++] = h;
    }
    return copied;
}
