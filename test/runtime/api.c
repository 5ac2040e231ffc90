// What the face checks for every manager: messages of one name with two
// structs. Parameters, texts and defaults of the hooks.
#include "troupe_short.h"
#include "runtime/common.h"
#include "test.h"

#include <stdlib.h>

struct deposit {
    double amount;
};
TR_MESSAGE(deposit);

// What another file would leave whose struct deposit is larger.
static const tr_seen other_deposit = {&tr_msg_deposit,
                                      sizeof(struct deposit) + 8, "other.c"};
TR_IN_(tr_msgs, tr_seen, other_deposit);

static char said[200];
static void on_log(void *user, tr_level level, const char *text)
{
    *(tr_level *)user = level;
    snprintf(said, sizeof said, "%s", text);
}

TEST(two_structs_of_one_name_are_told_at_start)
{
    tr_runtime *r = NULL;
    tr_level level = TR_DEBUG;
    int error =
        tr_start_(NULL, &(tr_config){.on_log = on_log, .user = &level}, &r);
    CHECK_EQ(error, TR_EMISMATCH);
    CHECK(r == NULL);
    CHECK_EQ(level, TR_ERROR);
    CHECK_TEXT(said, "message 'deposit' has two different structs: one of them "
                     "in other.c");
    CHECK_TEXT(tr_strerror(error), "one message name, two different structs");
}

TEST(parameters_are_checked)
{
    static const char *const good[] = {
        "", " ", "n=1", "n=1,m=-2", "a=0x1f b=010", NULL};
    static const char *const bad[] = {"n", "=1", "n=", "n=1x", "n=1 m", NULL};
    for (int i = 0; good[i]; i++)
        CHECK_EQ(tr__params(good[i]), 0);
    for (int i = 0; bad[i]; i++)
        CHECK_EQ(tr__params(bad[i]), TR_EINVAL);
    CHECK_EQ(tr__params("n=99999999999999999999"), TR_EINVAL);
    CHECK_EQ(tr__params(NULL), 0);
    CHECK_EQ(tr__param("n=1 n=2", "n", 0), 2); // the last one counts
    CHECK_EQ(tr__param("nn=1", "n", 5), 5);
    CHECK_EQ(tr__param(NULL, "n", 5), 5);
}

TEST(a_fault_without_a_hook_is_logged)
{
    tr_level level = TR_DEBUG;
    tr_config c = {.on_log = on_log, .user = &level};
    tr__fault(&c, &(tr_fault){.kind = TR_FAULT_UNHANDLED,
                              .msg = &tr_msg_deposit,
                              .behaviour = "open"});
    CHECK_TEXT(said, "no row for a message: deposit in behaviour open");
    CHECK_EQ(level, TR_WARN);
}

TEST(counters_are_wanted_by_hook_or_environment)
{
    tr_config c = {0};
    unsetenv("TR_STATS");
    CHECK(!tr__stats_wanted(&c));
    setenv("TR_STATS", "0", 1);
    CHECK(!tr__stats_wanted(&c));
    setenv("TR_STATS", "1", 1);
    CHECK(tr__stats_wanted(&c));
    unsetenv("TR_STATS");
}

TEST_MAIN()
