// The run directory, values in source lines, JUnit, numbers for people.
#include "test.h"

#include "base/arena.h"
#include "base/diag.h"
#include "base/text.h"
#include "report/junit.h"
#include "report/progress.h"
#include "program/source.h"
#include "report/source_lines.h"
#include "report/store.h"

#include <stdlib.h>
#include <unistd.h>

static char dir[] = "/tmp/troupe-report-XXXXXX";

static struct store *open_store(void)
{
    struct diag d = {0};
    char path[64];
    snprintf(path, sizeof path, "%s/store", dir);
    struct store *s = store_open(path, &d);
    CHECK(s != NULL);
    return s;
}

TEST(a_finding_is_there_after_a_reopen)
{
    CHECK(mkdtemp(dir) != NULL);
    struct arena a = {0};
    struct diag d = {0};
    struct store *s = open_store();
    uint32_t run = store_begin(s, "explore", "key");
    const char *path = store_case_path(s, &a, "7f3a91c2", "bank");
    CHECK(store_finding(s, run, "7f3a91c2", "assertion", "bank", path));
    CHECK(!store_finding(s, run, "7f3a91c2", "assertion", "bank", path));
    store_event(s, run, "{\"x\":1}");
    store_end(s, run, "{}");
    store_close(s);
    s = open_store();
    CHECK_TEXT(store_find_case(s, &a, "7f3a", &d), path);
    CHECK(!store_find_case(s, &a, "dead", &d));
    CHECK(d.text != NULL);
    diag_free(&d);
    d = (struct diag){0};
    store_finding(s, run, "7f3b0000", "crash", "bank", "other");
    CHECK(!store_find_case(s, &a, "7f3", &d)); // two begin so
    diag_free(&d);
    store_close(s);
    arena_free(&a);
}

TEST(the_rest_of_a_search_is_kept_whole)
{
    struct arena a = {0};
    struct store *s = open_store();
    struct store_unit units[] = {{"one\0more", 8}, {"two", 3}}, *back;
    const void *figures;
    uint32_t size, n;
    CHECK(!store_load_rest(s, &a, "k", &figures, &size, &back, &n));
    store_save_rest(s, "k", "figures", 7, units, 2);
    store_save_rest(s, "k", "FIGURES", 7, units, 1); // replaces
    CHECK(store_load_rest(s, &a, "k", &figures, &size, &back, &n));
    CHECK_EQ(n, 1);
    CHECK_EQ(back[0].size, 8);
    CHECK(memcmp(back[0].bytes, "one\0more", 8) == 0);
    CHECK(size == 7 && memcmp(figures, "FIGURES", 7) == 0);
    store_drop_rest(s, "k");
    CHECK(!store_load_rest(s, &a, "k", &figures, &size, &back, &n));
    store_save_text(s, "t", "a\nb");
    CHECK_TEXT(store_load_text(s, &a, "t"), "a\nb");
    CHECK(!store_load_text(s, &a, "u"));
    store_close(s);
    arena_free(&a);
}

TEST(a_folder_that_cannot_be_made_is_told)
{
    struct diag d = {0};
    CHECK(!store_open("/proc/nothing/here", &d));
    CHECK(d.status == EXIT_USAGE && d.text);
    diag_free(&d);
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
    char path[64], read[2048] = "";
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
    char command[128];
    snprintf(command, sizeof command, "rm -rf %s", dir);
    CHECK_EQ(system(command), 0);
}

TEST_MAIN()
