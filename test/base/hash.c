#include "base/hash.h"

#include "test.h"

// Names of cached builds and of kept cases depend on these numbers.
TEST(hash_gives_the_same_numbers_for_ever)
{
    CHECK(hash_bytes("troupe", 6) == 0xec21d174febec525);
    CHECK(hash_bytes(NULL, 0) == 0x2d06800538d394c2);
    CHECK(hash_join(1, 2) == 0x7ee86c281446bef);
}

TEST(hash_join_heeds_the_order)
{
    CHECK(hash_join(1, 2) != hash_join(2, 1));
    CHECK(hash_join(0, 0) != hash_join(0, 1));
    CHECK(hash_seeded("a", 1, 1) != hash_seeded("a", 1, 2));
}

TEST_MAIN()
