// Values in source lines, numbers for people.
#include "test.h"

#include "base/arena.h"
#include "base/text.h"
#include "report/progress.h"
#include "program/source.h"
#include "report/source_lines.h"

#include <stdlib.h>

TEST(values_of_a_line)
{
    struct text t = {0};
    source_values("if (self->n > msg->amount && self->n) f(itself->n);",
                  "{.m = {.n = 9}, .n = 4, .s = \".n = 7\"}",
                  "{.amount = {1, 2}}", &t);
    CHECK_TEXT(text_get(&t), "self->n = 4, msg->amount = {1, 2}");
    text_clear(&t);
    source_values("self->s == self->s", "{.s = \"a, .b = 1}\", .t = 2}", "", &t);
    CHECK_TEXT(text_get(&t), "self->s = \"a, .b = 1}\"");
    text_free(&t);
    CHECK(!source_line("/nothing", 1, &t));
}

TEST(numbers_for_people)
{
    char b[32];
    CHECK_TEXT(progress_count(b, 0), "0");
    CHECK_TEXT(progress_count(b, 1234567), "1,234,567");
    CHECK_TEXT(progress_about(b, 950), "~950");
    CHECK_TEXT(progress_about(b, 12345), "~12k");
    CHECK_TEXT(progress_about(b, 3.2e9), "~3200M");
    CHECK_TEXT(progress_time(b, 3725), "1:02:05");
}

TEST_MAIN()
