// The arguments of a test program, from one table.
#include "testlib/testlib.h"

#include "base/die.h"
#include "base/diag.h"
#include "base/number.h"
#include "base/text.h"
#include "runtime/common.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

// name, letter or 0, argument or NULL, environment variable or NULL, help
#define OPTIONS(X)                                                             \
    X(LIST, "list", 'l', NULL, NULL, "print the names of the tests")           \
    X(FILTER, "filter", 'f', "GLOB", "TR_FILTER",                              \
      "only tests whose name or tag matches; may be repeated")                 \
    X(MANAGER, "manager", 'm', "NAME", "TR_MANAGER",                           \
      "single (default), random or threads")                                   \
    X(SEED, "seed", 's', "N", "TR_SEED", "of random, and of choose()")         \
    X(PARAM, "param", 'p', "NAME=N", NULL, "a parameter; may be repeated")     \
    X(REPEAT, "repeat", 'n', "N", NULL, "run each test N times, seeds go up")  \
    X(TIMEOUT, "timeout", 't', "TIME", NULL, "of one run; 10s")                \
    X(JOBS, "jobs", 'j', "N", NULL, "tests at a time; 1")                      \
    X(TAP, "tap", 0, NULL, "TR_TAP", "write TAP 13")                           \
    X(JUNIT, "junit", 0, "FILE", "TR_JUNIT", "write JUnit XML as well")        \
    X(RECORD, "record", 0, "PATH", "TR_RECORD",                                \
      "write the schedule of each run, a case, to this folder or FILE.case")   \
    X(FINALS, "finals", 0, "FILE", "TR_FINALS",                                \
      "append the actors' states at the end of each run to this file")         \
    X(STRICT, "strict", 0, NULL, "TR_STRICT",                                  \
      "a kept schedule that no longer fits the program fails")                 \
    X(NO_FORK, "no-fork", 0, NULL, "TR_NO_FORK",                               \
      "no child processes, no time limit: for a debugger")                     \
    X(VERBOSE, "verbose", 'v', NULL, NULL, "show what passing tests print")    \
    X(VERSION, "version", 'V', NULL, NULL, "print the version")                \
    X(HELP, "help", 'h', NULL, NULL, "print this")

enum option_id {
#define ID_(id, name, letter, arg, env, help) OPTION_##id,
    OPTIONS(ID_)
#undef ID_
        OPTIONS_N
};

static const struct {
    const char *name;
    int letter;
    const char *arg, *env, *help;
} table[] = {
#define ROW_(id, name, letter, arg, env, help) {name, letter, arg, env, help},
    OPTIONS(ROW_)
#undef ROW_
};

static const char *const managers[] = {
#define TEXT_(name, text) text,
    TEST_MANAGERS(TEXT_)
#undef TEXT_
};

static bool read_manager(struct test_options *o, const char *s)
{
    for (uint32_t i = 0; i < sizeof managers / sizeof *managers; i++)
        if (strcmp(managers[i], s) == 0) {
            o->manager = (enum test_manager)i;
            return true;
        }
    return false;
}

static bool read_u32(uint32_t *out, const char *s)
{
    uint64_t n;
    if (!number_parse(s, &n) || !n || n > UINT32_MAX)
        return false;
    *out = (uint32_t)n;
    return true;
}

static bool read_timeout(struct test_options *o, const char *s)
{
    uint64_t ns;
    if (!duration_parse(s, &ns) || ns / 1000000 > UINT32_MAX)
        return false;
    o->timeout_ms = (uint32_t)(ns / 1000000);
    return true;
}

static bool read_param(struct test_options *o, const char *s)
{
    struct text all = {0};
    if (!strchr(s, '=') || tr__params(s) != 0)
        return false;
    text_format(&all, "%s%s%s", o->params ? o->params : "",
                o->params ? " " : "", s);
    free((void *)(uintptr_t)o->params);
    o->params = text_take(&all);
    return true;
}

static bool set(struct test_options *o, enum option_id id, const char *s)
{
    switch (id) {
    case OPTION_LIST:
        return o->list = true;
    case OPTION_FILTER:
        vec_push(&o->filters, s);
        return true;
    case OPTION_MANAGER:
        return read_manager(o, s);
    case OPTION_SEED:
        return number_parse(s, &o->seed);
    case OPTION_PARAM:
        return read_param(o, s);
    case OPTION_REPEAT:
        return read_u32(&o->repeat, s);
    case OPTION_TIMEOUT:
        return read_timeout(o, s);
    case OPTION_JOBS:
        return read_u32(&o->jobs, s);
    case OPTION_TAP:
        return o->tap = true;
    case OPTION_JUNIT:
        o->junit = s;
        return true;
    case OPTION_RECORD:
        o->record = s;
        return true;
    case OPTION_FINALS:
        o->finals = s;
        return true;
    case OPTION_STRICT:
        return o->strict = true;
    case OPTION_NO_FORK:
        return o->no_fork = true;
    case OPTION_VERBOSE:
        return o->verbose = true;
    case OPTION_VERSION:
        return o->version = true;
    case OPTION_HELP:
        return o->help = true;
    case OPTIONS_N:
        break;
    }
    return false;
}

static int wrong(const char *from, enum option_id id, const char *value)
{
    fprintf(stderr, "error: %s%s: '%s' is not a %s\n", from, table[id].name, value,
            table[id].arg ? table[id].arg : "value");
    return EXIT_USAGE;
}

// An empty variable counts as none; so does 0 for a switch.
static int read_environment(struct test_options *o)
{
    for (int i = 0; i < OPTIONS_N; i++) {
        const char *s = table[i].env ? getenv(table[i].env) : NULL;
        if (!s || !*s || (!table[i].arg && strcmp(s, "0") == 0))
            continue;
        if (!set(o, (enum option_id)i, s))
            return wrong("environment, ", (enum option_id)i, s);
    }
    return 0;
}

static void suggest(const char *word)
{
    unsigned best = 4;
    const char *name = NULL;
    size_t n = strcspn(word, "=");
    char given[64];
    snprintf(given, sizeof given, "%.*s", (int)n, word);
    for (int i = 0; i < OPTIONS_N; i++)
        if (text_distance(given, table[i].name) < best) {
            best = text_distance(given, table[i].name);
            name = table[i].name;
        }
    fprintf(stderr, "error: no option '--%s'%s%s%s\n", given,
            name ? "; did you mean '--" : "", name ? name : "",
            name ? "'?" : "");
}

static int read_arguments(struct test_options *o, int argc, char **argv)
{
    struct option longs[OPTIONS_N + 1] = {{0}};
    char shorts[3 * OPTIONS_N + 2] = ":";
    for (int i = 0, at = 1; i < OPTIONS_N; i++) {
        longs[i] = (struct option){
            table[i].name, table[i].arg ? required_argument : no_argument, NULL,
            256 + i};
        if (table[i].letter)
            at += sprintf(shorts + at, "%c%s", table[i].letter,
                          table[i].arg ? ":" : "");
    }
    optind = 1;
    for (int c; (c = getopt_long(argc, argv, shorts, longs, NULL)) != -1;) {
        int id = c - 256;
        for (int i = 0; c < 256 && i < OPTIONS_N; i++)
            if (table[i].letter == c)
                id = i;
        if (c == '?' && argv[optind - 1][0] == '-' &&
            argv[optind - 1][1] == '-') {
            suggest(argv[optind - 1] + 2);
            return EXIT_USAGE;
        }
        if (id < 0) {
            fprintf(stderr, "error: %s '%s'\n",
                    c == ':' ? "a value is missing after" : "no option",
                    argv[optind - 1]);
            return EXIT_USAGE;
        }
        if (!set(o, (enum option_id)id, optarg))
            return wrong("--", (enum option_id)id, optarg);
    }
    for (int i = optind; i < argc; i++)
        vec_push(&o->filters, argv[i]);
    return 0;
}

int test_options_read(struct test_options *o, int argc, char **argv)
{
    int status;
    *o = (struct test_options){.program = argc ? argv[0] : "test",
                               .seed = 1,
                               .repeat = 1,
                               .jobs = 1,
                               .timeout_ms = 10000};
    status = read_environment(o);
    return status ? status : read_arguments(o, argc, argv);
}

void test_options_free(struct test_options *o)
{
    vec_free(&o->filters);
    free((void *)(uintptr_t)o->params);
}

void test_options_help(FILE *to)
{
    fprintf(to, "usage: test program [options] [TEST...]\n\n");
    for (int i = 0; i < OPTIONS_N; i++) {
        char name[40];
        snprintf(name, sizeof name, "--%s%s%s", table[i].name,
                 table[i].arg ? "=" : "", table[i].arg ? table[i].arg : "");
        if (table[i].letter)
            fprintf(to, "  -%c, %-16s %s", table[i].letter, name,
                    table[i].help);
        else
            fprintf(to, "      %-16s %s", name, table[i].help);
        if (table[i].env)
            fprintf(to, " (%s)", table[i].env);
        fputc('\n', to);
    }
    fprintf(to, "\nexit status: 0 all passed, 1 a test failed, 2 wrong usage, "
                "5 no test matched\n");
}
