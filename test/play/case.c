// The text format of cases: what is printed is read back; what is wrong is
// told with its line.
#include "test.h"

#include "base/arena.h"
#include "base/diag.h"
#include "base/text.h"
#include "play/case.h"

static const char whole[] = "troupe-case 1\n"
                            "tool 0.1.0\n"
                            "program bank.c\n"
                            "program lib.c\n"
                            "flag -DLIMIT=3\n"
                            "build 9c3a\n"
                            "test deposit\n"
                            "param n=3\n"
                            "delivery any\n"
                            "expect assertion\n"
                            "place dir/bank.c:7\n"
                            "class server\n"
                            "message withdraw\n"
                            "text assertion 'a >= b' failed\n"
                            "label client#1 alice\n"
                            "send client#1 deposit {.amount = 50}\n"
                            "step client#1 deposit<test\n"
                            "step server#1 withdraw:2<client#1\n"
                            "step node#2 timer\n"
                            "step dice#1 roll<test pick 3 0\n"
                            "step test body pick 1\n";

TEST(what_is_read_is_printed)
{
    struct arena a = {0};
    struct diag d = {0};
    struct test_case c;
    struct text out = {0};
    CHECK(case_parse(&a, "x.case", whole, &c, &d));
    case_print(&c, &out);
    CHECK_TEXT(text_get(&out), whole);
    CHECK_EQ(c.steps.n, 5);
    CHECK_TEXT(c.steps.at[1].msg, "withdraw:2");
    CHECK(!c.steps.at[2].sender);
    CHECK_EQ(c.steps.at[3].n_picks, 2);
    CHECK_EQ(c.steps.at[3].picks[0], 3);
    CHECK_EQ(c.bug.line, 7);
    CHECK_TEXT(c.bug.file, "dir/bank.c");
    text_free(&out);
    case_release(&c);
    arena_free(&a);
}

static const char posts[] = "troupe-case 3\n"
                            "test bank\n"
                            "delivery pair\n"
                            "expect pass\n"
                            "reach dir/bank.c:16\n"
                            "post client deposit {.amount = 50}\n"
                            "post \"the bank\" tick times 1000\n"
                            "post client say {.text = \"3 times 4\"} times 2\n"
                            "step client#1 deposit<test\n"
                            "step bank#1 tick<test times 1000\n"
                            "step client#1 say<test times 2\n";

TEST(posts_and_repeated_steps_are_printed_as_they_are_read)
{
    struct arena a = {0};
    struct diag d = {0};
    struct test_case c;
    struct text out = {0};
    CHECK(case_parse(&a, "x.case", posts, &c, &d));
    case_print(&c, &out);
    CHECK_TEXT(text_get(&out), posts);
    CHECK_EQ(c.steps.n, 1003);
    CHECK_EQ(c.posts.n, 3);
    CHECK_TEXT(c.posts.at[1].to, "the bank");
    CHECK_EQ(c.posts.at[1].times, 1000);
    CHECK_TEXT(c.posts.at[2].fields, "{.text = \"3 times 4\"}");
    CHECK_EQ(c.posts.at[2].times, 2);
    CHECK_TEXT(c.reach_file, "dir/bank.c");
    CHECK_EQ(c.reach_line, 16);
    text_free(&out);
    case_release(&c);
    arena_free(&a);
}

static const char rounds[] = "troupe-case 5\n"
                             "test bank\n"
                             "delivery pair\n"
                             "expect pass\n"
                             "post client go times 1000\n"
                             "step bank#1 open<test\n"
                             "step client#1 go<test\n"
                             "step bank#1 add<client#1 times 2\n"
                             "step bank#1 look<client#1\n"
                             "again 4 times 999\n"
                             "step bank#1 shut<test times 3\n";

TEST(steps_that_come_round_are_printed_as_they_are_read)
{
    struct arena a = {0};
    struct diag d = {0};
    struct test_case c;
    struct text out = {0};
    CHECK(case_parse(&a, "x.case", rounds, &c, &d));
    case_print(&c, &out);
    CHECK_TEXT(text_get(&out), rounds);
    CHECK_EQ(c.steps.n, 4004);
    CHECK_TEXT(c.steps.at[4000].msg, "look");
    CHECK_TEXT(c.steps.at[3999].msg, "add");
    text_free(&out);
    case_release(&c);
    arena_free(&a);
    CHECK(!case_parse(&a, "x.case",
                      "troupe-case 5\ntest t\ndelivery pair\n"
                      "step a#1 m<test\nagain 2 times 3\n",
                      &c, &d));
    diag_free(&d);
    case_release(&c);
    arena_free(&a);
}

TEST(a_case_has_the_lowest_version_that_has_its_words)
{
    static const struct {
        const char *lines, *version;
    } rows[] = {
        {"step a#1 m<test\nstep a#1 m<test\n", "troupe-case 1\n"},
        {"step a#1 timer x\n", "troupe-case 2\n"},
        {"reach a.c:1\n", "troupe-case 3\n"},
        {"post a m\n", "troupe-case 3\n"},
        {"alloc-fails\nreach a.c:1\n", "troupe-case 4\n"},
        {"post a m\nstep a#1 m<test\nstep a#1 n<a#1\nagain 2 times 2\n",
         "troupe-case 3\n"}, // three rounds are told one by one
        {"post a m\nstep a#1 m<test\nstep a#1 n<a#1\nagain 2 times 3\n",
         "troupe-case 5\n"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct arena a = {0};
        struct diag d = {0};
        struct test_case c;
        struct text out = {0}, in = {0};
        text_format(&in, "troupe-case 3\ntest t\ndelivery pair\n%s",
                    rows[i].lines);
        CHECK(case_parse(&a, "x", text_get(&in), &c, &d));
        case_print(&c, &out);
        CHECK(strncmp(text_get(&out), rows[i].version, 14) == 0);
        text_free(&out);
        text_free(&in);
        case_release(&c);
        arena_free(&a);
    }
}

TEST(comments_and_blanks_are_skipped)
{
    struct arena a = {0};
    struct diag d = {0};
    struct test_case c;
    CHECK(case_parse(&a, "x",
                     "# a\n\n  troupe-case 1  \n test t\n"
                     "\tdelivery pair\r\n#x\nexpect pass",
                     &c, &d));
    CHECK_TEXT(c.test, "t");
    CHECK_EQ(c.bug.kind, BUG_NONE);
    case_release(&c);
    arena_free(&a);
}

TEST(what_is_wrong_is_told_with_its_line)
{
    static const struct {
        const char *text, *told;
    } bad[] = {
        {"", "x.case:1:"},
        {"test t\n", "x.case:1:"},
        {"troupe-case 2\n", "x.case:1:"},
        {"troupe-case 1\nnonsense 4\n", "x.case:2:"},
        {"troupe-case 1\ntest t\ndelivery sideways\n", "x.case:3:"},
        {"troupe-case 1\n\nexpect surprise\n", "x.case:3:"},
        {"troupe-case 1\nplace here\n", "x.case:2:"},
        {"troupe-case 1\nplace a.c:99999999999\n", "x.case:2:"},
        {"troupe-case 1\nplace a.c:4294967295\n", "x.case:2:"},
        {"troupe-case 1\nplace a.c:7x\n", "x.case:2:"},
        {"troupe-case 1\nstep a\n", "x.case:2:"},
        {"troupe-case 1\nstep a b\n", "x.case:2:"},
        {"troupe-case 1\nstep a b<c pick x\n", "x.case:2:"},
        {"troupe-case 1\nsend a\n", "x.case:2:"},
        {"troupe-case 1\nlabel a\n", "x.case:2:"},
        {"troupe-case 1\ntest t\n", "x.case:"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct arena a = {0};
        struct diag d = {0};
        struct test_case c;
        CHECK(!case_parse(&a, "x.case", bad[i].text, &c, &d));
        CHECK(d.text && strstr(d.text, bad[i].told));
        CHECK_EQ(d.status, EXIT_USAGE);
        diag_free(&d);
        case_release(&c);
        arena_free(&a);
    }
}

TEST(ids_follow_the_group_not_the_folder)
{
    struct bug a = {.kind = BUG_CRASH, .file = "x/y.c", .line = 3};
    struct bug b = {.kind = BUG_CRASH, .file = "/else/y.c", .line = 3};
    char one[9], two[9];
    case_id(&a, "t", one);
    case_id(&b, "t", two);
    CHECK_TEXT(one, two);
    b.line = 4;
    case_id(&b, "t", two);
    CHECK(strcmp(one, two) != 0);
    case_id(&b, "u", one); // a place is the same in every test
    CHECK_TEXT(one, two);
    b.file = NULL; // but a deadlock has none
    case_id(&b, "t", one);
    case_id(&b, "u", two);
    CHECK(strcmp(one, two) != 0);
}

TEST(assertions_on_one_line_are_told_apart)
{
    struct bug a = {.kind = BUG_ASSERTION, .file = "y.c", .line = 3};
    struct bug b = a;
    struct test_case c = {.bug = a};
    char one[9], two[9];
    a.text = c.bug.text = "assertion 'a > 0' failed";
    b.text = "assertion 'b > 0' failed";
    case_id(&a, "t", one);
    case_id(&b, "t", two);
    CHECK(strcmp(one, two) != 0);
    CHECK(case_meets(&c, &a));
    CHECK(!case_meets(&c, &b));
    b.text = "assertion\n'a > 0' failed "; // as a case on one line has it
    case_id(&b, "t", two);
    CHECK_TEXT(one, two);
    CHECK(case_meets(&c, &b));
}

TEST(values_in_a_text_do_not_count)
{
    struct bug a = {.kind = BUG_CRASH, .text = "SIGSEGV at 0x8"};
    struct bug b = {.kind = BUG_CRASH, .text = "SIGSEGV at 0x10"};
    struct test_case c = {.bug = a};
    char one[9], two[9];
    case_id(&a, "t", one);
    case_id(&b, "t", two);
    CHECK_TEXT(one, two);
    CHECK(case_meets(&c, &b));
}

TEST_MAIN()
