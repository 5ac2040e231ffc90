#include "stage/intern.h"

#include "base/hash.h"
#include "test.h"

static uint32_t put(struct images *m, uint32_t owner, uint64_t word)
{
    return images_intern(m, owner, digest_bytes(&word, sizeof word, owner),
                         &word, sizeof word);
}

TEST(equal_contents_equal_ids)
{
    struct images m;
    images_init(&m);
    for (int round = 0; round < 2; round++)
        for (uint32_t i = 0; i < 10000; i++)
            CHECK_EQ(put(&m, 1, i), i);
    CHECK(put(&m, 2, 5) == 10000); // another owner's
    CHECK_EQ(m.at.n, 10001);
    uint64_t word = 77;
    CHECK_EQ(images_find(&m, digest_bytes(&word, sizeof word, 1).low), 77);
    CHECK_EQ(images_find(&m, 12345), UINT32_MAX);
    images_release(&m);
}

TEST(equal_hashes_are_told_apart)
{
    struct digest key = {42, 43};
    struct images m;
    images_init(&m);
    CHECK_EQ(images_intern(&m, 0, key, "one", 4), 0);
    CHECK_EQ(images_intern(&m, 0, key, "two", 4), 1);
    CHECK_EQ(images_intern(&m, 0, key, "two", 3), 2);
    CHECK_EQ(images_intern(&m, 0, key, "two", 4), 1);
    images_release(&m);
}

TEST(kept_ids_stay_and_others_are_given_again)
{
    struct images m;
    bool keep[1000];
    images_init(&m);
    for (uint32_t i = 0; i < 1000; i++)
        put(&m, 0, i);
    for (uint32_t i = 0; i < 1000; i++)
        keep[i] = i % 10 == 3;
    uint64_t before = images_bytes(&m);
    images_keep(&m, keep);
    CHECK(images_bytes(&m) < before);
    for (uint32_t i = 3; i < 1000; i += 10) {
        uint64_t word;
        memcpy(&word, m.at.at[i].bytes, sizeof word);
        CHECK_EQ(word, i);
        CHECK_EQ(put(&m, 0, i), i);
    }
    for (uint32_t i = 0; i < 900; i++) {
        uint32_t id = put(&m, 0, 5000 + i);
        CHECK(id < 1000 && id % 10 != 3);
    }
    CHECK_EQ(put(&m, 0, 9999), 1000);
    images_release(&m);
}

TEST_MAIN()
