#include "base/temp.h"

#include "base/arena.h"
#include "base/diag.h"
#include "test.h"

#include <sys/stat.h>
#include <unistd.h>

static bool is_there(const char *path)
{
    return access(path, F_OK) == 0;
}

TEST(temp_is_removed_with_what_is_in_it)
{
    struct arena a = {0};
    struct diag d = {0};
    const char *one = temp_new(&a, &d), *two = temp_new(&a, &d);
    CHECK(one && two && strcmp(one, two) != 0);
    const char *inner = arena_format(&a, "%s/inner", one);
    CHECK(mkdir(inner, 0777) == 0);
    CHECK(symlink(two, arena_format(&a, "%s/link", inner)) == 0);
    FILE *f = fopen(arena_format(&a, "%s/file", inner), "w");
    CHECK(f && fclose(f) == 0);
    temp_remove(one);
    CHECK(!is_there(one) && is_there(two));
    temp_remove(two);
    CHECK(!is_there(two));
    arena_free(&a);
}

TEST(temp_is_where_the_user_wants_it)
{
    struct arena a = {0};
    struct diag d = {0};
    const char *outer = temp_new(&a, &d);
    setenv("TMPDIR", outer, 1);
    const char *inner = temp_new(&a, &d);
    CHECK(inner && strncmp(inner, outer, strlen(outer)) == 0);
    const char *blank = arena_format(&a, "%s/a b", outer);
    CHECK(mkdir(blank, 0777) == 0);
    setenv("TMPDIR", blank, 1);
    const char *plain = temp_new_plain(&a, &d);
    CHECK(plain && !strchr(plain, ' ') && is_there(plain));
    temp_remove(plain);
    setenv("TMPDIR", "/nowhere", 1);
    CHECK(!temp_new_plain(&a, &d));
    CHECK(!temp_new(&a, &d));
    CHECK_EQ(d.status, EXIT_USAGE);
    CHECK(d.text && strstr(d.text, "/nowhere"));
    unsetenv("TMPDIR");
    temp_remove(outer);
    diag_free(&d);
    arena_free(&a);
}

TEST_MAIN()
