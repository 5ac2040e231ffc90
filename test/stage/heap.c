// The heap against a naive twin, and its promise: equal contents in equal
// places make equal bytes, whatever came before.
#include "stage/heap.h"

#include "base/rng.h"
#include "stage/heap_layout.h"
#include "test.h"

#include <stdlib.h>
#include <sys/mman.h>

enum { ROOM = 16 << 20, BLOCKS = 200 };

static struct heap *heap_new(void)
{
    void *p = mmap(NULL, ROOM, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return p == MAP_FAILED ? NULL : p;
}

static void heap_free(struct heap *h)
{
    munmap(h, ROOM);
}

static size_t save(const struct heap *h, unsigned char *to)
{
    size_t n = (size_t)(heap_save(h, ROOM, to) - to);
    CHECK_EQ(n, heap_image_size(h));
    return n;
}

static void get_and_put(heap_get_fn *get)
{
    struct heap *h = heap_new();
    struct rng rng = rng_of(1);
    unsigned char *block[BLOCKS] = {0};
    size_t size[BLOCKS] = {0};
    for (int step = 0; step < 20000; step++) {
        uint32_t i = rng_below(&rng, BLOCKS);
        if (block[i]) {
            for (size_t k = 0; k < size[i]; k++)
                CHECK_EQ(block[i][k], (unsigned char)(i + 1));
            CHECK_EQ(heap_size(h, ROOM, block[i]), size[i]);
            CHECK(heap_block(h, ROOM, block[i] + size[i] / 2) == block[i]);
            heap_put(h, ROOM, block[i]);
            CHECK_EQ(heap_size(h, ROOM, block[i]), 0);
            block[i] = NULL;
            continue;
        }
        uint32_t kind = rng_below(&rng, 10);
        size[i] = 1 + rng_below(&rng, kind ? 300 : 20000);
        block[i] = get(h, ROOM, size[i], 16);
        CHECK(block[i] && (uintptr_t)block[i] % 16 == 0);
        for (size_t k = 0; k < size[i]; k++)
            CHECK_EQ(block[i][k], 0);
        memset(block[i], (int)i + 1, size[i]);
    }
    uint32_t live = 0;
    for (int i = 0; i < BLOCKS; i++)
        live += block[i] != NULL;
    CHECK_EQ(heap_live(h, ROOM), live);
    CHECK(!heap_damaged(h, ROOM));
    heap_free(h);
}

TEST(blocks_do_not_overlap_and_come_zeroed)
{
    get_and_put(heap_get);
    get_and_put(heap_get_scattered);
}

TEST(scattered_blocks_lie_in_another_order)
{
    struct heap *h = heap_new();
    unsigned char *block[BLOCKS];
    int above = 0, below = 0;
    for (int i = 0; i < BLOCKS; i++) {
        block[i] = heap_get_scattered(h, ROOM, 24, 16);
        for (int k = 0; k < i; k++)
            *(block[k] < block[i] ? &above : &below) += 1;
    }
    CHECK(above > BLOCKS && below > BLOCKS);
    heap_free(h);
}

TEST(an_emptied_heap_is_all_zero)
{
    struct heap *h = heap_new();
    struct rng rng = rng_of(2);
    void *block[BLOCKS];
    for (int i = 0; i < BLOCKS; i++) {
        size_t size = 1 + rng_below(&rng, 9000);
        block[i] = heap_get(h, ROOM, size, 16);
        memset(block[i], 0xff, size);
    }
    for (int i = 0; i < BLOCKS; i++)
        heap_put(h, ROOM, block[i * 77 % BLOCKS]);
    const uint64_t *word = (const uint64_t *)(const void *)h;
    size_t wrong = 0;
    for (size_t i = 0; i < ROOM / sizeof *word; i++)
        wrong += word[i] != 0;
    CHECK_EQ(wrong, 0);
    heap_free(h);
}

// In every chunk of a class, and in pages.
TEST(a_block_is_given_back_by_its_size)
{
    static const size_t sizes[] = {1, 14, 15, 100, 127, 300, 4000, 4095, 20000};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        struct heap *h = heap_new();
        void *block[BLOCKS];
        for (int i = 0; i < BLOCKS; i++)
            block[i] = heap_get(h, ROOM, sizes[s], 16);
        for (uint32_t i = 0; i < BLOCKS; i++) {
            void *p = block[i * 77 % BLOCKS];
            heap_put_whole(h, ROOM, p, heap_whole(h, ROOM, p));
            CHECK(!heap_block(h, ROOM, p));
            CHECK_EQ(heap_live(h, ROOM), BLOCKS - 1 - i);
        }
        heap_check(h, ROOM);
        heap_free(h);
    }
}

// Four keyed blocks of different sizes, all histories of 7 steps: each key is
// there or not, so there are 16 images and no more.
static unsigned char images[64][4096];
static size_t image_size[64];
static int n_images;

static void histories(struct heap *h, void **block, int steps)
{
    static const size_t sizes[] = {20, 50, 100, 200};
    unsigned char now[4096];
    size_t n = save(h, now);
    int i = 0;
    while (i < n_images && (image_size[i] != n || memcmp(images[i], now, n)))
        i++;
    if (i == n_images && n_images < 64) {
        memcpy(images[i], now, n);
        image_size[n_images++] = n;
    }
    for (int k = 0; steps && k < 4; k++) {
        bool was = block[k];
        if (was) {
            heap_put(h, ROOM, block[k]);
            block[k] = NULL;
        } else {
            block[k] = heap_get(h, ROOM, sizes[k], 16);
            memset(block[k], k + 1, sizes[k]);
        }
        histories(h, block, steps - 1);
        if (was) {
            block[k] = heap_get(h, ROOM, sizes[k], 16);
            memset(block[k], k + 1, sizes[k]);
        } else {
            heap_put(h, ROOM, block[k]);
            block[k] = NULL;
        }
    }
}

// The other heap has had blocks of its own.
TEST(an_image_is_loaded_as_it_was_saved)
{
    static unsigned char image[1 << 20];
    struct heap *h = heap_new(), *other = heap_new();
    struct rng rng = rng_of(5);
    unsigned char *block[12] = {0};
    for (int round = 0; round < 60; round++) {
        uint32_t i = rng_below(&rng, 12);
        size_t size = 1 + rng_below(&rng, round % 5 ? 400 : 20000);
        if (block[i])
            heap_put(h, ROOM, block[i]);
        block[i] = round % 3 ? heap_get(h, ROOM, size, 16) : NULL;
        if (block[i])
            memset(block[i], round + 1, size);
        memset(heap_get(other, ROOM, size, 16), 0xee, size);
        size_t n = save(h, image);
        CHECK(heap_load(other, ROOM, image) == image + n);
        CHECK(memcmp(h, other, ROOM) == 0);
    }
    heap_free(h);
    heap_free(other);
}

TEST(the_image_is_a_function_of_what_lives)
{
    struct heap *h = heap_new();
    void *block[4] = {0};
    histories(h, block, 7);
    CHECK_EQ(n_images, 16);
    heap_free(h);
}

TEST(trimming_makes_zero_what_is_not_used)
{
    struct heap *h = heap_new();
    void *a = heap_get(h, ROOM, 100, 16), *b = heap_get(h, ROOM, 100, 16);
    void *c = heap_get(h, ROOM, 10000, 16);
    memset(a, 1, 100);
    memset(b, 2, 100);
    memset(c, 3, 10000);
    struct heap old = *h;
    memset(h, 0, sizeof *h);
    heap_trim(h, ROOM, &old);
    CHECK_EQ(*(char *)a, 0);
    CHECK_EQ(*(char *)b, 0);
    CHECK_EQ(((char *)c)[9999], 0);
    CHECK(heap_get(h, ROOM, 100, 16) == a);
    CHECK(heap_get(h, ROOM, 10000, 16) == c);
    heap_free(h);
}

// One byte behind the end of each of many blocks, of all kinds.
TEST(a_write_past_the_end_shows)
{
    struct heap *h = heap_new();
    struct rng rng = rng_of(3);
    for (size_t size = 0; size < 9000; size += 1 + rng_below(&rng, 40)) {
        unsigned char *p = heap_get(h, ROOM, size, 16);
        CHECK(!heap_damaged(h, ROOM));
        CHECK(heap_fenced(p, heap_whole(h, ROOM, p)));
        CHECK_EQ(heap_whole(h, ROOM, p + 1), 0);
        unsigned char was = p[size];
        for (int with = 0; with < 256; with += 85) {
            p[size] = (unsigned char)with;
            CHECK_EQ(heap_damaged(h, ROOM) == p, with != was);
            CHECK_EQ(heap_fenced(p, heap_whole(h, ROOM, p)), with == was);
        }
        p[size] = was;
        if (size % 3 == 0)
            heap_put(h, ROOM, p);
    }
    heap_free(h);
}

TEST(one_byte_among_others_that_are_the_same_shows)
{
    unsigned char bytes[41];
    for (size_t n = 0; n < sizeof bytes; n++) {
        memset(bytes, FENCE, n);
        CHECK(uniform(bytes, n));
        for (size_t k = 0; k < n; k++) {
            bytes[k] ^= 1;
            CHECK_EQ(uniform(bytes, n), n == 1);
            bytes[k] ^= 1;
        }
    }
}

TEST(a_block_changes_its_size_in_place)
{
    struct heap *h = heap_new();
    unsigned char *p = heap_get(h, ROOM, 40, 16);
    memset(p, 7, 40);
    CHECK(heap_resize(h, ROOM, p, 30));
    CHECK_EQ(heap_size(h, ROOM, p), 30);
    CHECK(heap_resize(h, ROOM, p, 46));
    CHECK_EQ(heap_size(h, ROOM, p), 46);
    for (int i = 0; i < 46; i++)
        CHECK_EQ(p[i], i < 30 ? 7 : 0);
    CHECK(!heap_resize(h, ROOM, p, 47)); // no room for the fence
    CHECK(!heap_resize(h, ROOM, p, 3));
    CHECK(!heap_damaged(h, ROOM));
    heap_put(h, ROOM, p);
    p = heap_get(h, ROOM, 0, 16);
    CHECK(p && heap_block(h, ROOM, p) == p);
    CHECK_EQ(heap_size(h, ROOM, p), 0);
    heap_free(h);
}

TEST(the_bookkeeping_fits_together)
{
    struct heap *h = heap_new();
    struct rng rng = rng_of(7);
    void *block[BLOCKS] = {0};
    for (uint32_t i = 0; i < 5000; i++) {
        uint32_t k = rng_below(&rng, BLOCKS);
        if (block[k])
            heap_put(h, ROOM, block[k]);
        block[k] =
            block[k] ? NULL : heap_get(h, ROOM, rng_below(&rng, 9000), 16);
        heap_check(h, ROOM);
    }
    CHECK(heap_live(h, ROOM) > 0);
    heap_free(h);
}

TEST(alignment_and_exhaustion)
{
    struct heap *h = heap_new();
    CHECK_EQ((uintptr_t)heap_get(h, ROOM, 10, 4096) % 4096, 0);
    CHECK(!heap_get(h, ROOM, ROOM, 16));
    CHECK(!heap_get(h, ROOM, SIZE_MAX, 16));
    heap_put(h, ROOM, heap_get(h, ROOM, heap_most(ROOM) - 4096, 16));
    CHECK(!heap_get(h, ROOM, heap_most(ROOM) + 1, 16));
    uint32_t n = 0;
    while (n < 1000000 && heap_get(h, ROOM, 64, 16))
        n++;
    CHECK(n > 10000 && n < 1000000);
    CHECK(!heap_block(h, ROOM, h));
    heap_free(h);
}

TEST(a_write_to_free_memory_shows)
{
    struct heap *h = heap_new();
    unsigned char *a = heap_get(h, ROOM, 10, 16);
    unsigned char *b = heap_get(h, ROOM, 10, 16);
    unsigned char *c = heap_get(h, ROOM, 5000, 16);
    heap_put(h, ROOM, a);
    CHECK(!heap_stray(h, ROOM, 256));
    unsigned char *strays[] = {a,       a + 15,         b - 1 - 16,
                               b + 100, c + 8192 + 255, a - 1};
    for (size_t i = 0; i < sizeof strays / sizeof *strays; i++) {
        *strays[i] = 3;
        CHECK(heap_stray(h, ROOM, 256) == strays[i]);
        *strays[i] = 0;
        CHECK(!heap_stray(h, ROOM, 256));
    }
    CHECK(heap_neighbour(h, ROOM, a + 15) == b);
    CHECK(heap_neighbour(h, ROOM, b + 100) == b);
    heap_free(h);
}

static void fill_some(struct heap *h, struct rng *rng, unsigned char **block)
{
    for (int i = 0; i < BLOCKS; i++) {
        if (block[i] && rng_below(rng, 2)) {
            heap_put(h, ROOM, block[i]);
            block[i] = NULL;
        } else if (!block[i]) {
            size_t size = 1 + rng_below(rng, i % 10 ? 200 : 9000);
            block[i] = heap_get(h, ROOM, size, 16);
            for (size_t k = 0; k < size; k++)
                CHECK_EQ(block[i][k], 0);
        }
    }
}

// The quick look and the two that say where: they agree, whichever byte of a
// block, of its fence, of a freed block or behind the last one is changed.
TEST(one_look_sees_what_two_do)
{
    struct heap *h = heap_new();
    struct rng rng = rng_of(7);
    unsigned char *block[300];
    size_t whole[300];
    int seen = 0;
    for (int i = 0; i < 300; i++) { // more than a chunk of some sizes
        size_t size = i < 150 ? 20 : 1 + rng_below(&rng, 4000);
        block[i] = heap_get(h, ROOM, size, 16);
        whole[i] = heap_whole(h, ROOM, block[i]);
    }
    for (int i = 0; i < 300; i += 3)
        heap_put(h, ROOM, block[i]);
    CHECK(heap_intact(h, ROOM, 256));
    for (int i = 0; i < 300; i++) {
        unsigned char *p = block[i] + rng_below(&rng, (uint32_t)whole[i] + 100);
        bool watched = heap_watches(h, ROOM, block[i], whole[i], 256);
        *p ^= 0x10;
        bool hurt = heap_damaged(h, ROOM) || heap_stray(h, ROOM, 256);
        CHECK_EQ(heap_intact(h, ROOM, 256), !hurt);
        CHECK(hurt || i % 3 || !watched || p >= block[i] + whole[i]);
        seen += hurt;
        *p ^= 0x10;
    }
    CHECK(seen > 100 && seen < 290);
    heap_free(h);
}

// Poison, get and put blocks, heal: the same bytes as without poison.
TEST(poison_leaves_no_trace)
{
    static unsigned char one[8 << 20], two[8 << 20];
    struct heap *h = heap_new(), *twin = heap_new();
    unsigned char *of_h[BLOCKS] = {0}, *of_twin[BLOCKS] = {0};
    for (uint32_t round = 0; round < 50; round++) {
        struct rng a = rng_of(round), b = rng_of(round);
        heap_poison(h, ROOM, 8192);
        CHECK(!heap_stray(h, ROOM, 8192));
        fill_some(h, &a, of_h);
        CHECK(!heap_stray(h, ROOM, 8192) && !heap_damaged(h, ROOM));
        heap_heal(h, ROOM, 8192);
        fill_some(twin, &b, of_twin);
        size_t n = save(h, one);
        CHECK_EQ(n, save(twin, two));
        CHECK(memcmp(one, two, n) == 0);
        CHECK(!heap_stray(h, ROOM, 65536));
    }
    heap_free(h);
    heap_free(twin);
}

TEST(poison_shows_to_readers_and_writers)
{
    struct heap *h = heap_new();
    unsigned char *a = heap_get(h, ROOM, 10, 16);
    unsigned char *b = heap_get(h, ROOM, 10, 16);
    unsigned char fence = a[12];
    heap_put(h, ROOM, b);
    heap_poison(h, ROOM, 256);
    CHECK_EQ(b[0], HEAP_POISON);
    CHECK_EQ(a[-1], HEAP_POISON);
    CHECK(a[12] != fence && !heap_damaged(h, ROOM));
    b[4] = 0; // a write that would not show in zeros
    CHECK(heap_stray(h, ROOM, 256));
    a[12] = fence;
    CHECK(heap_damaged(h, ROOM) == a);
    heap_free(h);
}

TEST_MAIN()
