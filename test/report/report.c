// Values in source lines, JUnit, numbers for people.
#include "scratch.h"
#include "test.h"

#include "base/arena.h"
#include "base/diag.h"
#include "base/text.h"
#include "report/junit.h"
#include "report/progress.h"
#include "program/source.h"
#include "report/source_lines.h"

#include <stdlib.h>
#include <unistd.h>

static scratch_path dir;

TEST(a_folder_to_write_in)
{
    scratch_new(dir);
}

TEST(values_of_a_line)
{
    struct text t = {0};
    source_values("if (self->n > msg->amount && self->n) f(itself->n);",
                  "{.m = {.n = 9}, .n = 4, .s = \".n = 7\"}",
                  "{.amount = {1, 2}}", &t);
    CHECK_TEXT(text_get(&t), "self->n = 4, msg->amount = {1, 2}");
    text_free(&t);
    CHECK(!source_line("/nothing", 1, &t));
}

TEST(junit_escapes)
{
    struct diag d = {0};
    char path[SCRATCH + 16], read[2048] = "";
    snprintf(path, sizeof path, "%s/j.xml", dir);
    struct junit *j = junit_new("s<");
    struct junit_case bad = {.program = "p", .test = "t&", .kind = "crash",
                             .message = "\"x\"", .report = "<\x01>"};
    struct junit_case good = {.program = "p", .test = "ok"};
    junit_add(j, &bad);
    junit_add(j, &good);
    CHECK(junit_write(j, path, &d));
    FILE *f = fopen(path, "r");
    CHECK(f && fread(read, 1, sizeof read - 1, f) > 0);
    if (f)
        fclose(f);
    CHECK(strstr(read, "tests=\"2\" failures=\"1\""));
    CHECK(strstr(read, "name=\"t&amp;\""));
    CHECK(strstr(read, "message=\"&quot;x&quot;\""));
    CHECK(strstr(read, "&lt;?&gt;"));
    CHECK(!junit_write(junit_new("s"), "/proc/no/where", &d));
    diag_free(&d);
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

TEST(the_folder_goes_away)
{
    scratch_remove(dir);
    CHECK(access(dir, F_OK) != 0);
}

TEST_MAIN()
