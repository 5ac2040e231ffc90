#include "play/spot.h"

#include "base/file.h"
#include "base/text.h"
#include "play/case.h"
#include "scratch.h"
#include "test.h"

#include <string.h>

static const char *write_source(const char *text)
{
    CHECK(file_replace("s.c", text, strlen(text)));
    return "s.c";
}

static void check_words(const char *path, int line, const char *want)
{
    struct text t = {0};
    CHECK(spot_words(path, line, &t));
    CHECK_TEXT(text_get(&t), want);
    text_free(&t);
}

static const char one[] = "#include <x.h>\n"
                          "int f(void)\n"
                          "{\n"
                          "    g( 1 );\n"
                          "out:\n"
                          "    g(1);\n"
                          "}\n"
                          "int h(void) { g(1); }\n";

TEST(a_line_in_words)
{
    scratch_enter();
    const char *path = write_source(one);
    check_words(path, 4, "int f(void) / g( 1 ); / 1");
    check_words(path, 6, "int f(void) / g(1); / 2"); // blanks do not count
    check_words(path, 8, "int h(void) { g(1); } / int h(void) { g(1); } / 1");
    struct text t = {0};
    CHECK(!spot_words(path, 9, &t));
    CHECK(!spot_words(path, 0, &t));
    CHECK(!spot_words("/nowhere/s.c", 1, &t));
    CHECK(!t.n);
    scratch_leave();
}

TEST(it_stays_when_lines_above_come_and_go)
{
    struct text t = {0};
    scratch_enter();
    text_format(&t, "int before(void)\n{\n    g(1);\n}\n\n%s", one);
    const char *path = write_source(one);
    struct text words = {0};
    CHECK(spot_words(path, 6, &words));
    write_source(text_get(&t));
    CHECK(spot_is(text_get(&words), path, 11));
    CHECK(!spot_is(text_get(&words), path, 9)); // the first g(1) of f
    CHECK(!spot_is(text_get(&words), path, 3)); // that of before()
    text_free(&words);
    text_free(&t);
    scratch_leave();
}

TEST(ids_stay_and_the_older_ones_are_known)
{
    struct bug a = {.kind = BUG_CRASH, .file = "s.c", .line = 4};
    struct bug b = a;
    char first[9], second[9];
    b.line = 9;
    a.spot = "int f(void) / g( 1 ); / 1";
    b.spot = "int f(void) / g(1); / 1";
    case_id(&a, "t", first);
    case_id(&b, "t", second);
    CHECK_TEXT(first, second);
    b.spot = "int f(void) / g(1); / 2";
    case_id(&b, "t", second);
    CHECK(strcmp(first, second) != 0);
    case_id_by_line(&a, "t", first);
    a.spot = NULL;
    case_id(&a, "t", second);
    CHECK_TEXT(first, second);
}

TEST_MAIN()
