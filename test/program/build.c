#include "program/build.h"

#include <sys/stat.h>

#include "base/arena.h"
#include "base/diag.h"
#include "scratch.h"
#include "test.h"

static const char *const inputs[] = {"x.c"};

static bool build(struct arena *a, const struct build_options *o,
                  struct built *b, struct diag *d)
{
    struct build_options with = *o;
    if (!with.inputs) {
        with.inputs = inputs;
        with.n_inputs = 1;
    }
    return build_program(a, &with, b, d);
}

static bool again(struct arena *a, struct built *b)
{
    struct diag d = {0};
    bool ok = build(a, &(struct build_options){0}, b, &d);
    diag_print(&d, stderr);
    diag_free(&d);
    return ok;
}

TEST(a_second_build_is_a_look_into_the_cache)
{
    struct arena a = {0};
    struct built first, second, edited, back;
    scratch_enter();
    scratch_write("x.c", "#include \"x.h\"\nint f(void) { return X; }\n");
    scratch_write("x.h", "#define X 1\n");
    CHECK(again(&a, &first) && !first.cached);
    CHECK(again(&a, &second) && second.cached);
    CHECK_TEXT(first.path, second.path);
    scratch_write("x.h", "#define X 2\n");
    CHECK(again(&a, &edited) && !edited.cached);
    CHECK(strcmp(edited.path, first.path) != 0);
    scratch_write("x.h", "#define X 1\n");
    CHECK(again(&a, &back) && back.cached);
    CHECK_TEXT(back.path, first.path);
    arena_free(&a);
    scratch_leave();
}

TEST(flags_are_part_of_the_key)
{
    struct arena a = {0};
    struct built first, second;
    struct diag d = {0};
    scratch_enter();
    scratch_write("x.c", "int f(void) { return X; }\n");
    const char *one[] = {"-DX=1"}, *two[] = {"-DX=2"};
    const char *linked[] = {"-DX=1", "-lm"};
    CHECK(build(&a, &(struct build_options){.flags = one, .n_flags = 1}, &first,
                &d));
    CHECK(build(&a, &(struct build_options){.flags = two, .n_flags = 1},
                &second, &d));
    CHECK(!second.cached && strcmp(first.path, second.path) != 0);
    CHECK(build(&a, &(struct build_options){.flags = linked, .n_flags = 2},
                &second, &d));
    CHECK(!second.cached && strcmp(first.path, second.path) != 0);
    CHECK(build(&a, &(struct build_options){.flags = one, .n_flags = 1},
                &second, &d));
    CHECK(second.cached);
    CHECK(build(
        &a, &(struct build_options){.flags = one, .n_flags = 1, .fresh = true},
        &second, &d));
    CHECK(!second.cached);
    arena_free(&a);
    scratch_leave();
}

TEST(nothing_is_left_behind_by_a_build)
{
    struct arena a = {0};
    struct built b;
    scratch_enter();
    scratch_write("x.c", "int x;\n");
    CHECK(again(&a, &b));
    CHECK(system("test -z \"$(ls .troupe/cache | grep tmp)\"") == 0);
    arena_free(&a);
    scratch_leave();
}

TEST(the_oldest_objects_are_removed)
{
    struct arena a = {0};
    struct built b;
    scratch_enter();
    CHECK(system("mkdir -p .troupe/cache && cd .troupe/cache && "
                 "for i in $(seq 500); do touch -d 2020-01-01 $i.so; done") ==
          0);
    scratch_write("x.c", "int x;\n");
    CHECK(again(&a, &b));
    CHECK(access(b.path, R_OK) == 0);
    CHECK(system("test $(ls .troupe/cache/*.so .troupe/cache/*.deps | wc -l) "
                 "= 400") == 0);
    CHECK(again(&a, &b) && b.cached);
    arena_free(&a);
    scratch_leave();
}

static void fails(const struct build_options *o, const char *words)
{
    struct arena a = {0};
    struct built b;
    struct diag d = {0};
    CHECK(!build(&a, o, &b, &d));
    CHECK_EQ(d.status, EXIT_USAGE);
    CHECK(b.path == NULL);
    CHECK(words ? d.text && strstr(d.text, words) : d.text == NULL);
    diag_free(&d);
    arena_free(&a);
}

TEST(errors_are_told_with_the_file)
{
    static const char *const pair[] = {"x.c", "y.so"}, *const odd[] = {"x.txt"};
    scratch_enter();
    fails(&(struct build_options){0}, "x.c: error: No such file");
    scratch_write("x.c", "int x = ;\n");
    scratch_write("y.so", "");
    scratch_write("x.txt", "");
    // the compiler has its own words, on stderr
    int err = dup(2);
    CHECK(freopen("errors", "w", stderr) != NULL);
    fails(&(struct build_options){0}, NULL);
    fflush(stderr);
    dup2(err, 2);
    close(err);
    CHECK(system("grep -q 'x.c:1' errors") == 0);
    fails(&(struct build_options){.inputs = pair, .n_inputs = 2},
          "y.so: error: a ready object stands alone");
    fails(&(struct build_options){.inputs = odd, .n_inputs = 1},
          "x.txt: error: neither");
    fails(&(struct build_options){.cc = "no-such-compiler -x"},
          "cannot find 'no-such-compiler -x'");
    scratch_leave();
}

TEST(compilers_may_be_chosen)
{
    struct arena a = {0};
    struct built b;
    struct diag d = {0};
    scratch_enter();
    scratch_write("x.c", "int f(int *p) { return *p; }\n");
    if (system("command -v clang >/dev/null") == 0)
        CHECK(build(&a, &(struct build_options){.cc = "clang"}, &b, &d));
    CHECK(build(&a, &(struct build_options){.cc = "env gcc"}, &b, &d));
    diag_print(&d, stderr);
    diag_free(&d);
    arena_free(&a);
    scratch_leave();
}

TEST(names_with_blanks_are_followed)
{
    static const char *const odd[] = {"a b.c"};
    struct arena a = {0};
    struct built b;
    struct diag d = {0};
    struct build_options o = {.inputs = odd, .n_inputs = 1};
    scratch_enter();
    scratch_write("a b.c", "#include \"c d.h\"\nint x = X;\n");
    scratch_write("c d.h", "#define X 1\n");
    CHECK(build_program(&a, &o, &b, &d) && !b.cached);
    CHECK(build_program(&a, &o, &b, &d) && b.cached);
    scratch_write("c d.h", "#define X 2\n");
    CHECK(build_program(&a, &o, &b, &d) && !b.cached);
    diag_free(&d);
    arena_free(&a);
    scratch_leave();
}

TEST_MAIN()
