// Coverage as text and what is shown of it.
#include "cover/curve.h"
#include "cover/coverage_text.h"
#include "cover/survey.h"

#include "base/json.h"
#include "base/text.h"
#include "test.h"

// Flags: 1 a before b, 2 b before a, 16 and 32 tried, 256 and 512 left open.
static const char *const lines = "a worker#10\n"
                                 "r 0000000000000001 0 go<test\n"
                                 "r 0000000000000002 0 stop<test\n"
                                 "pr 3 0 0 1\n"
                                 "a worker#2\n"
                                 "r 0000000000000003 1 go<test\n"
                                 "r 0000000000000004 1 go:2<test\n"
                                 "pr 1 2 2 3\n"
                                 "r 0000000000000005 1 end<test\n"
                                 "pr 545 0 2 4\n"
                                 "pcr 513 0 2 4\n"
                                 "e 0000000000000011\n"
                                 "e 0000000000000012\n"
                                 "+pr 3 0 0 1\n"
                                 "full\n";

static const bool all[CRITERIA_N] = {true, true, true};

TEST(text_is_read_as_it_was_printed)
{
    struct coverage c = {0};
    struct text t = {0};
    CHECK_EQ(coverage_read(&c, lines), 0);
    CHECK(c.full);
    CHECK_EQ(c.totals[CRITERION_PR].goals, 6);
    CHECK_EQ(c.totals[CRITERION_PR].covered, 4);
    CHECK_EQ(c.totals[CRITERION_PR].impossible, 1);
    coverage_print(&c, &t);
    struct coverage again = {0};
    struct text same = {0};
    CHECK_EQ(coverage_read(&again, text_get(&t)), 0);
    coverage_print(&again, &same);
    CHECK_TEXT(text_get(&same), text_get(&t));
    CHECK_TEXT(text_get(&t), lines);
    CHECK_EQ(coverage_read(&again, "full\nqr 1 0 0 0\n"), 2);
    CHECK_EQ(coverage_read(&again, "pr 1 0 0 1\n"), 1);
    CHECK_EQ(coverage_read(&again, "a x\nr 01 0 y\n"), 2);
    CHECK_EQ(coverage_read(&again, "a x\nr 0000000000000001 1 y\n"), 2);
    CHECK_EQ(coverage_read(&again, "e 0000000000000011\n+pr 1 0 0 1\n"), 2);
    coverage_free(&c);
    coverage_free(&again);
    text_free(&t);
    text_free(&same);
}

TEST(a_survey_sorts_and_numbers)
{
    struct coverage c = {0};
    struct survey v;
    struct text t = {0};
    coverage_read(&c, lines);
    survey_make(&v, &c);
    CHECK_EQ(v.actors.n, 2);
    CHECK_TEXT(v.actors.at[0].name, "worker#2");
    CHECK_EQ(v.actors.at[0].counts[CRITERION_PR].goals, 4);
    CHECK_EQ(v.actors.at[0].counts[CRITERION_PR].impossible, 1);
    CHECK_TEXT(v.events.at[v.actors.at[0].events.at[1]].name, "go:2<test");
    survey_matrices(&v, CRITERION_PR, 2, &t);
    CHECK(strstr(text_get(&t), "    2 go:2<test                 no:s    .\n"));
    CHECK(strstr(text_get(&t), "   and 1 more receives\n"));
    text_clear(&t);
    survey_left(&v, all, "no time", 1, &t);
    CHECK_TEXT(text_get(&t),
               "not covered: ruled out by other constraints in every recorded "
               "schedule: 1 goal (sender-receiver 1)\n"
               "not covered: tried, but the receives came otherwise: 1 goal\n"
               "   pr   worker#2: end<test before go<test\n"
               "not covered: not tried: no time: 1 goal\n"
               "   pcr  worker#2: end<test before go<test\n");
    text_clear(&t);
    survey_numbers(&v, all, &t);
    CHECK(strstr(text_get(&t), "there are more goals than the"));
    CHECK(!strstr(text_get(&t), "pmr"));
    survey_free(&v);
    coverage_free(&c);
    text_free(&t);
}

TEST(nothing_is_shown_as_nothing)
{
    struct coverage c = {0};
    struct survey v;
    struct text t = {0};
    struct json j = {.to = &t, .compact = true};
    survey_make(&v, &c);
    json_object(&j, NULL);
    survey_json(&v, all, &j);
    json_end(&j);
    CHECK(strstr(text_get(&t), "\"full\":false,\"actors\":[],\"left\":[]"));
    text_clear(&t);
    survey_numbers(&v, all, &t);
    CHECK_TEXT(text_get(&t), "   no actor receives two messages\n");
    text_clear(&t);
    struct curve k = {0};
    curve_csv(&k, &t);
    CHECK_TEXT(text_get(&t), "executions,seconds,pr,pmr,pcr,pr_possible,"
                             "pmr_possible,pcr_possible\n");
    curve_svg(&k, "a < b & c", &t);
    CHECK(strstr(text_get(&t), "a &lt; b &amp; c"));
    survey_free(&v);
    text_free(&t);
}

TEST_MAIN()
