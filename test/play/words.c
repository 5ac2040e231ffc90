// A receive in words: what is read is printed, blanks do not matter, and what
// is wrong is told.
#include "test.h"

#include "base/arena.h"
#include "base/text.h"
#include "play/words.h"

TEST(what_is_read_is_printed)
{
    static const char *const steps[] = {
        "client#1 deposit<test",
        "client#1 deposit:2<test",
        "node#2 timer",
        "dice#1 roll<test pick 3 0",
        "node#2 timer retry",
        "node#2 timer retry:2 pick 1",
        "test body pick 1",
        "master#1/worker#2 go<master#1",
        "test body before timers",
        "test body before timers pick 2 1",
    };
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        struct arena a = {0};
        struct words_step s;
        struct text out = {0};
        CHECK(!words_parse(&a, steps[i], &s));
        words_print(&s, &out);
        CHECK_TEXT(text_get(&out), steps[i]);
        text_free(&out);
        arena_free(&a);
    }
}

TEST(blanks_do_not_matter)
{
    struct arena a = {0};
    struct words_step s;
    CHECK(!words_parse(&a, " \tdice#1\t roll < test pick  3   0 ", &s));
    CHECK_TEXT(s.actor, "dice#1");
    CHECK_TEXT(s.msg, "roll");
    CHECK_TEXT(s.sender, "test");
    CHECK_EQ(s.n_picks, 2);
    CHECK_EQ(s.picks[0], 3);
    arena_free(&a);
}

TEST(what_is_wrong_is_told)
{
    static const char *const wrong[] = {
        "",
        "a",
        "a b",
        "a b<c pick x",
        "a b<c pick -1",
        "a b<c pick 70000",
        "a b<c pick 1,2",
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct arena a = {0};
        struct words_step s;
        CHECK(words_parse(&a, wrong[i], &s));
        arena_free(&a);
    }
}

TEST(timers_are_meant_by_what_they_bring)
{
    struct arena a = {0};
    struct words_step s;
    CHECK(!words_parse(&a, "node#2 timer", &s));
    CHECK(words_is_timer(&s));
    CHECK(words_mean_timer(&s, "retry", true));
    CHECK(!words_mean_timer(&s, "retry", false));
    CHECK(!words_parse(&a, "node#2 timer  retry:2", &s));
    CHECK(words_mean_timer(&s, "retry", false));
    CHECK(words_mean_timer(&s, "retry", true));
    CHECK(!words_mean_timer(&s, "retr", true));
    CHECK(words_parse(&a, "node#2 timers", &s));
    CHECK(!words_parse(&a, "node#2 timer<test", &s));
    CHECK(!words_is_timer(&s));
    arena_free(&a);
}

TEST(a_number_tells_twins_apart)
{
    size_t n;
    CHECK_EQ(words_twin("deposit", &n), 1);
    CHECK_EQ(n, 7);
    CHECK_EQ(words_twin("deposit:12", &n), 12);
    CHECK_EQ(n, 7);
    CHECK_EQ(words_twin("de:posit", &n), 1);
    CHECK_EQ(n, 8);
    CHECK_EQ(words_twin("deposit:0", &n), 1);
    CHECK_EQ(n, 9);
}

TEST_MAIN()
