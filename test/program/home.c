#include "program/home.h"

#include "base/arena.h"
#include "base/file.h"
#include "scratch.h"
#include "test.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

TEST(without_troupe_ini_it_is_here)
{
    struct arena a = {0};
    scratch_enter();
    CHECK_TEXT(home_folder(&a), "");
    CHECK(!home_ini(&a));
    CHECK_TEXT(home_path(&a, ""), ".troupe");
    CHECK_TEXT(home_path(&a, "cache"), ".troupe/cache");
    CHECK_TEXT(home_name(&a, "../x.c"), "../x.c");
    CHECK_TEXT(home_here(&a, "x.c"), "x.c");
    arena_free(&a);
    scratch_leave();
}

TEST(names_are_the_same_from_every_folder)
{
    static const struct {
        const char *here, *name;
    } row[] = {
        {"../../x.c", "x.c"},       {"y.c", "below/deep/y.c"},
        {"../z.c", "below/z.c"},    {"./y.c", "below/deep/y.c"},
        {"/else/x.c", "/else/x.c"}, {"../../../out.c", "../out.c"},
    };
    struct arena a = {0};
    char here[4096];
    scratch_enter();
    CHECK(file_replace("troupe.ini", "", 0));
    CHECK(mkdir("below", 0777) == 0 && mkdir("below/deep", 0777) == 0);
    CHECK_TEXT(home_path(&a, "runs"), ".troupe/runs");
    CHECK(getcwd(here, sizeof here) && chdir("below/deep") == 0);
    CHECK_TEXT(home_folder(&a), here);
    CHECK_TEXT(home_path(&a, ""), arena_format(&a, "%s/.troupe", here));
    for (size_t i = 0; i < sizeof row / sizeof *row; i++)
        CHECK_TEXT(home_name(&a, row[i].here), row[i].name);
    CHECK_TEXT(home_name(&a, arena_format(&a, "%s/x.c", here)), "x.c");
    CHECK_TEXT(home_here(&a, "x.c"), "../../x.c");
    CHECK_TEXT(home_here(&a, "below/deep/y.c"), "y.c");
    CHECK_TEXT(home_here(&a, "../out.c"), "../../../out.c");
    arena_free(&a);
    scratch_leave();
}

TEST_MAIN()
