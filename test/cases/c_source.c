// A case as C source.
#include "test.h"

#include "base/arena.h"
#include "base/diag.h"
#include "base/text.h"
#include "cases/c_source.h"
#include "play/case.h"

static const char whole[] = "troupe-case 1\n"
                            "test deposit\n"
                            "param n=3\n"
                            "delivery any\n"
                            "expect assertion\n"
                            "step client#1 deposit<test\n"
                            "step server#1 withdraw:2<client#1\n"
                            "step node#2 timer\n";

TEST(source_quotes_what_c_would_misread)
{
    struct arena a = {0};
    struct diag d = {0};
    struct test_case c;
    struct text out = {0};
    CHECK(case_parse(&a, "x", whole, &c, &d));
    c.bug.text = "odd */ text";
    case_source(&c, NULL, &out);
    CHECK(strstr(text_get(&out), "odd * / text"));
    CHECK(strstr(text_get(&out), "TR_REPLAY(bug_"));
    CHECK(strstr(text_get(&out), "\"server#1 withdraw:2<client#1; \""));
    CHECK(strstr(text_get(&out), ".params = \"n=3\""));
    text_free(&out);
    case_release(&c);
    arena_free(&a);
}

TEST(source_says_when_it_will_not_fail)
{
    struct arena a = {0};
    struct diag d = {0};
    struct test_case c;
    struct text out = {0};
    CHECK(case_parse(&a, "x", whole, &c, &d));
    case_source(&c, NULL, &out);
    CHECK(!strstr(text_get(&out), "the test passes"));
    c.bug.kind = BUG_STOPPED;
    case_source(&c, NULL, &out);
    CHECK(strstr(text_get(&out), "the test passes"));
    text_free(&out);
    case_release(&c);
    arena_free(&a);
}

TEST_MAIN()
