// JUnit files: what is counted, what is escaped.
#include "scratch.h"
#include "test.h"

#include "base/diag.h"
#include "base/junit.h"

#include <stdio.h>

static scratch_path dir;
static char written[4096];

// Write it and read it back.
static void read_back(struct junit *j)
{
    char path[SCRATCH + 16];
    scratch_new(dir);
    snprintf(path, sizeof path, "%s/j.xml", dir);
    CHECK(junit_write(j, path, &(struct diag){0}));
    FILE *f = fopen(path, "r");
    size_t n = f ? fread(written, 1, sizeof written - 1, f) : 0;
    written[n] = 0;
    if (f)
        fclose(f);
    scratch_remove(dir);
}

TEST(what_xml_cannot_say_is_escaped)
{
    struct junit *j = junit_new("s<");
    junit_add(j, &(struct junit_case){.program = "p",
                                      .test = "t&",
                                      .kind = "crash",
                                      .message = "\"x\"",
                                      .report = "<\x01>"});
    read_back(j);
    CHECK(strstr(written, "name=\"s&lt;\""));
    CHECK(strstr(written, "name=\"t&amp;\""));
    CHECK(strstr(written, "message=\"&quot;x&quot;\""));
    CHECK(strstr(written, ">&lt;?&gt;</failure>"));
}

TEST(tests_are_counted)
{
    struct junit *j = junit_new("s");
    junit_add(j, &(struct junit_case){.test = "bad", .kind = "crash"});
    junit_add(j, &(struct junit_case){.test = "ok", .seconds = 1.5});
    junit_add(j, &(struct junit_case){
                     .test = "not", .skipped = "why", .output = "said"});
    read_back(j);
    CHECK(strstr(written, "tests=\"3\" failures=\"1\" errors=\"0\" "
                          "skipped=\"1\" time=\"1.500000\""));
    CHECK(strstr(written, "<skipped message=\"why\"/>"));
    CHECK(strstr(written, "<system-out>said</system-out>"));
}

TEST(a_file_that_cannot_be_written)
{
    struct diag d = {0};
    CHECK(!junit_write(junit_new("s"), "/proc/no/where", &d));
    CHECK(strstr(d.text, "cannot write '/proc/no/where': No such file"));
    diag_free(&d);
}

TEST_MAIN()
