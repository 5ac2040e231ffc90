#include "base/text.h"

#include <stdlib.h>

#include "dies.h"
#include "test.h"

TEST(text_grows_and_stays_ended)
{
    struct text t = {0};
    CHECK_TEXT(text_get(&t), "");
    for (int i = 0; i < 1000; i++)
        text_format(&t, "%d,", i % 10);
    CHECK_EQ(t.n, 2000);
    CHECK(strlen(text_get(&t)) == t.n);
    text_clear(&t);
    text_add(&t, "a");
    text_char(&t, 'b');
    text_bytes(&t, "", 0);
    char *s = text_take(&t);
    CHECK_TEXT(s, "ab");
    CHECK(t.at == NULL && t.n == 0);
    free(s);
}

TEST(text_taken_from_nothing_is_a_string)
{
    struct text t = {0};
    char *s = text_take(&t);
    CHECK_TEXT(s, "");
    free(s);
}

TEST(distance_counts_edits)
{
    CHECK_EQ(text_distance("", ""), 0);
    CHECK_EQ(text_distance("explore", ""), 7);
    CHECK_EQ(text_distance("", "run"), 3);
    CHECK_EQ(text_distance("explore", "explore"), 0);
    CHECK_EQ(text_distance("exlpore", "explore"), 1);
    CHECK_EQ(text_distance("xplore", "explore"), 1);
    CHECK_EQ(text_distance("explores", "explore"), 1);
    CHECK_EQ(text_distance("kitten", "sitting"), 3);
}

TEST(globs)
{
    CHECK(text_matches("*", ""));
    CHECK(text_matches("a*c", "abbc"));
    CHECK(text_matches("*bank*", "mybank_test"));
    CHECK(text_matches("a?c", "abc"));
    CHECK(!text_matches("a?c", "ac"));
    CHECK(!text_matches("a*c", "abcd"));
    CHECK(text_matches("*a*b", "aaxbab"));
    CHECK(!text_matches("", "a"));
}

// A length that was computed as less than nothing once doubled the room for
// ever.
static void add_too_much(void *t)
{
    text_bytes(t, "x", (size_t)-7);
}

TEST(text_dies_of_impossible_lengths)
{
    struct text t = {0};
    CHECK_EQ(ending_of(add_too_much, &t), 3);
    text_free(&t);
}

TEST_MAIN()
