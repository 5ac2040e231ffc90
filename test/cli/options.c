#include "cli/shell/command.h"
#include "cli/shell/options.h"

#include <stdlib.h>

#include "base/diag.h"
#include "base/text.h"
#include "cli/shell/help.h"
#include "test.h"

static struct options *o;
static struct args words;
static struct diag d;

// Read a command line for `run`; words and diag are left for the test.
static bool read_line(const char *line)
{
    static char copy[256];
    struct args argv = {0};
    snprintf(copy, sizeof copy, "%s", line);
    char *rest = copy;
    for (char *w; (w = strtok_r(rest, " ", &rest));)
        vec_push(&argv, w);
    options_free(o);
    diag_free(&d);
    vec_clear(&words);
    o = options_new("run", true);
    bool ok = options_read_words(o, &argv, &words, &d);
    vec_free(&argv);
    return ok;
}

TEST(defaults_are_there_without_any_option)
{
    CHECK(read_line("bank.c"));
    CHECK_TEXT(option_text(o, OPT_manager), "threads");
    CHECK_TEXT(option_where(o, OPT_manager), "default");
    CHECK_EQ(option_number(o, OPT_steps), 10000);
    CHECK_EQ(option_duration(o, OPT_timeout), 10000000000);
    CHECK(!option_given(o, OPT_seed) && !option_flag(o, OPT_tap));
    CHECK(option_text(o, OPT_junit) == NULL);
}

TEST(both_forms_of_values_and_words_between)
{
    CHECK(read_line("a.c --seed=0x10 b.c --manager single -n 3 -q name"));
    CHECK_EQ(option_number(o, OPT_seed), 16);
    CHECK_TEXT(option_text(o, OPT_manager), "single");
    CHECK_EQ(option_number(o, OPT_repeat), 3);
    CHECK(option_flag(o, OPT_quiet));
    CHECK_EQ(words.n, 3);
    CHECK_TEXT(words.at[0], "a.c");
    CHECK_TEXT(words.at[2], "name");
    CHECK_TEXT(option_where(o, OPT_seed), "command line");
}

TEST(lists_keep_all_and_the_last_of_others_counts)
{
    CHECK(read_line("--param n=1 --param m=-2 --seed=1 --seed=2"));
    CHECK_EQ(option_count(o, OPT_param), 2);
    CHECK_TEXT(option_item(o, OPT_param, 0), "n=1");
    CHECK_TEXT(option_item(o, OPT_param, 1), "m=-2");
    CHECK_EQ(option_number(o, OPT_seed), 2);
}

TEST(a_value_may_be_left_out_for_results)
{
    CHECK(read_line("--json a.c") && words.n == 1);
    CHECK_TEXT(option_text(o, OPT_json), "-");
    CHECK(read_line("--json out.json a.c") && words.n == 1);
    CHECK_TEXT(option_text(o, OPT_json), "out.json");
    CHECK(read_line("--json=x a.c"));
    CHECK_TEXT(option_text(o, OPT_json), "x");
}

static void refused(const char *line, const char *text, const char *hint)
{
    CHECK(!read_line(line));
    CHECK_EQ(d.status, EXIT_USAGE);
    CHECK_TEXT(d.text, text);
    if (hint)
        CHECK_TEXT(d.hint, hint);
}

TEST(mistakes_are_told_and_corrected)
{
    refused("--mangaer=single", "error: run has no option --mangaer",
            "did you mean --manager?");
    refused("--zzzzzzz", "error: run has no option --zzzzzzz",
            "see troupe run --help");
    refused("--delivery=any", "error: run has no option --delivery", NULL);
    refused("--seed", "error: --seed needs a value", NULL);
    refused("--manager", "error: --manager needs a value",
            "one of threads|single|random");
    refused("-m", "error: -m needs a value", "one of threads|single|random");
    refused("--seed=ten",
            "error: --seed: 'ten' is not a number (10_000, 10k, 0x5e)", NULL);
    refused("--manager=x",
            "error: --manager: 'x' must be one of threads|single|random", NULL);
    refused("--timeout=1x",
            "error: --timeout: '1x' is not a duration (500ms, 60s, 10m)", NULL);
    refused("--param n", "error: --param: 'n' is not NAME=NUMBER", NULL);
    refused("--tap=yes", "error: --tap takes no value", NULL);
    refused("-Z", "error: run has no option -Z", NULL);
}

TEST(stronger_origins_win_whatever_the_order)
{
    CHECK(read_line("--seed=1"));
    CHECK(options_set(o, OPT_seed, "2", FROM_FILE, "troupe.ini:3", &d));
    CHECK_EQ(option_number(o, OPT_seed), 1);
    CHECK(options_set(o, OPT_timeout, "2s", FROM_PROFILE, "x:1", &d));
    CHECK(options_set(o, OPT_timeout, "1s", FROM_FILE, "x:2", &d));
    CHECK_EQ(option_duration(o, OPT_timeout), 2000000000);
    CHECK_TEXT(option_where(o, OPT_timeout), "x:1");
    setenv("TR_TIMEOUT", "3s", 1);
    CHECK(options_read_environment(o, &d));
    unsetenv("TR_TIMEOUT");
    CHECK_EQ(option_duration(o, OPT_timeout), 3000000000);
    CHECK_TEXT(option_where(o, OPT_timeout), "TR_TIMEOUT");
}

TEST(values_of_files_are_told_with_their_place)
{
    CHECK(read_line(""));
    CHECK(!options_set(o, OPT_seed, "x", FROM_FILE, "troupe.ini:3", &d));
    CHECK_TEXT(d.text, "troupe.ini:3: error: seed: 'x' is not a number "
                       "(10_000, 10k, 0x5e)");
}

TEST(names_take_either_dash)
{
    CHECK_EQ(options_id("repeat-until-fail", 17), OPT_repeat_until_fail);
    CHECK_EQ(options_id("repeat_until_fail", 17), OPT_repeat_until_fail);
    CHECK_EQ(options_id("repeat", 6), OPT_repeat);
    CHECK_EQ(options_id("repea", 5), OPTIONS_N);
}

// A row with a wrong default would make reading fail where it cannot.
TEST(every_default_is_a_value_of_its_kind)
{
    for (enum option_id i = 0; i < OPTIONS_N; i++) {
        const char *otherwise = option_table[i].otherwise;
        CHECK(read_line(""));
        if (otherwise)
            CHECK(options_set(o, i, otherwise, FROM_FILE, "table", &d));
        for (enum option_id k = 0; k < i; k++)
            CHECK(strcmp(option_table[i].name, option_table[k].name) != 0);
    }
}

// Nobody is told of an option of a command that is not there.
TEST(every_option_is_of_commands_that_exist)
{
    for (enum option_id i = 0; i < OPTIONS_N; i++) {
        const char *p = option_table[i].commands;
        for (char name[32]; *p; p += strspn(p, " ")) {
            size_t n = strcspn(p, " ");
            snprintf(name, sizeof name, "%.*s", (int)n, p);
            CHECK(!strcmp(name, "*") || !strcmp(name, "PROG") ||
                  command_find(name));
            p += n;
        }
    }
}

TEST(help_stays_within_the_terminal)
{
    struct text t = {0};
    CHECK(read_line(""));
    options_help(o, &t);
    for (const char *p = text_get(&t); *p;) {
        size_t n = strcspn(p, "\n");
        CHECK(n < 80);
        p += n + (p[n] != 0);
    }
    CHECK(strstr(text_get(&t), "  -n, --repeat=N ") != NULL);
    text_free(&t);
    options_free(o);
    o = NULL;
    vec_free(&words);
    diag_free(&d);
}

TEST_MAIN()
