#include "cli/shell/config.h"

#include "scratch.h"
#include "base/arena.h"
#include "base/diag.h"
#include "cli/shell/options.h"
#include "test.h"

struct setting {
    struct arena a;
    struct options *o;
    struct config c;
    struct diag d;
};

static bool read_ini(struct setting *s, const char *profile, const char *ini)
{
    *s = (struct setting){.o = options_new("run", true)};
    if (ini)
        scratch_write("troupe.ini", ini);
    if (profile)
        options_set(s->o, OPT_profile, profile, FROM_COMMAND_LINE, NULL, &s->d);
    return config_read(&s->c, &s->a, s->o, "run", &s->d);
}

static void drop(struct setting *s)
{
    config_free(&s->c);
    options_free(s->o);
    arena_free(&s->a);
    diag_free(&s->d);
}

static const char ini[] = "[build]\n"
                          "flags = -O2 -lm\n"
                          "program = a.c b.c ; both\n"
                          "[run]\n"
                          "manager = single\n"
                          "timeout = 2s\n"
                          "[explore]\n"
                          "delivery = any\n"
                          "[profile.ci]\n"
                          "timeout = 5s\n"
                          "[profile.other]\n"
                          "timeout = 7s\n"
                          "[test.slow_*]\n"
                          "timeout = 9s\n";

TEST(sections_apply_to_their_command_and_profile)
{
    struct setting s;
    scratch_enter();
    CHECK(read_ini(&s, NULL, ini));
    CHECK_TEXT(option_text(s.o, OPT_manager), "single");
    CHECK_TEXT(option_where(s.o, OPT_manager), "troupe.ini:5");
    CHECK_TEXT(option_text(s.o, OPT_timeout), "2s");
    CHECK_EQ(s.c.flags.n, 2);
    CHECK_EQ(s.c.program.n, 2);
    CHECK_TEXT(s.c.program.at[1], "b.c");
    CHECK(!option_given(s.o, OPT_delivery));
    drop(&s);
    CHECK(read_ini(&s, "ci", ini));
    CHECK_TEXT(option_text(s.o, OPT_timeout), "5s");
    CHECK_TEXT(option_where(s.o, OPT_timeout), "troupe.ini:10");
    drop(&s);
    scratch_leave();
}

TEST(tests_have_their_own_values)
{
    struct setting s;
    scratch_enter();
    CHECK(read_ini(&s, "ci", ini));
    struct options *slow = options_copy(s.o), *fast = options_copy(s.o);
    CHECK(config_apply_test(&s.c, slow, "slow_one", &s.d));
    CHECK(config_apply_test(&s.c, fast, "fast_one", &s.d));
    CHECK_TEXT(option_text(slow, OPT_timeout), "9s");
    CHECK_TEXT(option_text(fast, OPT_timeout), "5s");
    options_free(slow);
    options_free(fast);
    drop(&s);
    scratch_leave();
}

TEST(the_file_is_found_above)
{
    struct setting s;
    scratch_enter();
    scratch_write("troupe.ini", ini);
    CHECK(system("mkdir -p x/y") == 0 && chdir("x/y") == 0);
    CHECK(read_ini(&s, NULL, NULL));
    CHECK_TEXT(option_text(s.o, OPT_manager), "single");
    // names in it are meant from where it lies
    CHECK(s.c.program.n == 2 && access("../../troupe.ini", R_OK) == 0);
    CHECK(s.c.program.n && s.c.program.at[0][0] == '/');
    drop(&s);
    scratch_leave();
}

static void refused(const char *text, const char *message)
{
    struct setting s;
    CHECK(!read_ini(&s, NULL, text));
    CHECK_EQ(s.d.status, EXIT_USAGE);
    CHECK_TEXT(s.d.text, message);
    drop(&s);
}

TEST(mistakes_are_told_with_their_line)
{
    scratch_enter();
    refused("\n[run]\nmanger = single\n",
            "troupe.ini:3: error: section [run] knows no 'manger'");
    refused("[explore]\nstragety = optimal\n",
            "troupe.ini:2: error: section [explore] knows no 'stragety'");
    refused("[rnu]\nmanager = single\n",
            "troupe.ini:2: error: unknown section [rnu]");
    refused("[run]\nmanager = x\n", "troupe.ini:2: error: manager: 'x' must "
                                    "be one of threads|single|random");
    refused("[run]\n\nwhat is this\n",
            "troupe.ini:3: error: neither [section] nor name = value");
    refused("[build]\ncompiler = gcc\n",
            "troupe.ini:2: error: section [build] knows no 'compiler'");
    scratch_leave();
}

TEST_MAIN()
