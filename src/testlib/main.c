// The test program as a whole: choose the tests, run them, tell, count.
#include "testlib/testlib.h"

#include "base/diag.h"
#include "program/declared.h"
#include "base/die.h"
#include "base/text.h"
#include "program/program.h"
#include "testlib/output.h"
#include "testlib/sections.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct program_run {
    struct test_options options;
    VEC(const tr_test *) tests;
    struct report *reports;
    struct totals totals;
    bool interrupted;
};

// One message name must mean one struct in all files.
static int check_seen(const struct sections *s)
{
    for (uint32_t i = 0; i < s->n_seen; i++)
        if (s->seen[i]->size != s->seen[i]->msg->size) {
            fprintf(stderr,
                    "error: message '%s' has two different structs: one of "
                    "them in %s\n",
                    s->seen[i]->msg->name, s->seen[i]->file);
            return EXIT_USAGE;
        }
    return 0;
}

static bool tagged(const tr_test *t, const char *glob)
{
    for (const char *s = t->tags; s && *s; s += strspn(s, " ,")) {
        char word[64];
        size_t n = strcspn(s, " ,");
        snprintf(word, sizeof word, "%.*s", (int)n, s);
        if (text_matches(glob, word))
            return true;
        s += n;
    }
    return false;
}

static bool wanted(const struct test_options *o, const tr_test *t)
{
    for (uint32_t i = 0; i < o->filters.n; i++)
        if (text_matches(o->filters.at[i], t->name) ||
            tagged(t, o->filters.at[i]))
            return true;
    return !o->filters.n;
}

// Compilers put a file's tests in any order they like.
static void in_source_order(struct program_run *p)
{
    for (uint32_t i = 1; i < p->tests.n; i++) {
        const tr_test *t = p->tests.at[i];
        uint32_t to = i;
        while (to && strcmp(p->tests.at[to - 1]->file, t->file) == 0 &&
               p->tests.at[to - 1]->line > t->line) {
            p->tests.at[to] = p->tests.at[to - 1];
            to--;
        }
        p->tests.at[to] = t;
    }
}

static void list(const struct program_run *p)
{
    for (uint32_t i = 0; i < p->tests.n; i++) {
        const tr_test *t = p->tests.at[i];
        if (p->options.verbose)
            printf("%s  %s:%d%s%s\n", t->name, t->file, t->line,
                   t->tags ? "  " : "", t->tags ? t->tags : "");
        else
            printf("%s\n", t->name);
    }
}

static void done(void *user, uint32_t i)
{
    struct program_run *p = user;
    const tr_test *t = p->tests.at[i];
    const struct report *r = &p->reports[i];
    p->interrupted |= r->interrupted;
    *(r->skipped            ? &p->totals.skipped
      : report_passed(t, r) ? &p->totals.passed
                            : &p->totals.failed) += 1;
    if (p->options.tap)
        output_tap(stdout, i + 1, t, r);
    else
        output_text(stdout, t, r, p->options.verbose);
    fflush(stdout);
}

static int run(struct program_run *p)
{
    const struct test_options *o = &p->options;
    int status = EXIT_GOOD;
    p->reports = need_zero(p->tests.n * sizeof *p->reports);
    if (o->tap)
        printf("TAP version 13\n1..%u\n", p->tests.n);
    run_tests(p->tests.at, p->tests.n, o, p->reports, done, p);
    struct diag d = {0};
    if (o->junit && !output_junit(o->junit, o->program, p->tests.at, p->reports,
                                  p->tests.n, &d))
        status = diag_print(&d, stderr);
    diag_free(&d);
    output_totals(stdout, &p->totals);
    for (uint32_t i = 0; i < p->tests.n; i++)
        free(p->reports[i].output);
    free(p->reports);
    return p->interrupted     ? EXIT_INTERRUPTED
           : p->totals.failed ? EXIT_BUG
                              : status;
}

static int choose_and_run(struct program_run *p)
{
    struct sections s = sections_here();
    int status = check_seen(&s);
    struct diag d = {0};
    if (!status &&
        !(declared_names(s.tests, s.n_tests, &d) &&
          declared_check(s.classes, s.n_classes, s.hooks, s.n_hooks, &d)))
        status = diag_print(&d, stderr);
    diag_free(&d);
    if (status)
        return status;
    for (uint32_t i = 0; i < s.n_tests; i++)
        if (wanted(&p->options, s.tests[i]))
            vec_push(&p->tests, s.tests[i]);
    in_source_order(p);
    if (p->options.list) {
        list(p);
        return p->tests.n ? EXIT_GOOD : EXIT_NO_MATCH;
    }
    if (!p->tests.n) {
        fprintf(stderr, "error: no test matched\n");
        output_totals(stdout, &p->totals);
        return EXIT_NO_MATCH;
    }
    const char *why =
        p->options.record ? record_refuses(&p->options, p->tests.n) : NULL;
    if (why) {
        fprintf(stderr, "error: --record: %s: %s\n", p->options.record, why);
        return EXIT_USAGE;
    }
    return run(p);
}

int tr_test_main(int argc, char **argv)
{
    struct program_run p = {.reports = NULL};
    program_started();
    int status = test_options_read(&p.options, argc, argv);
    if (!status && p.options.help)
        test_options_help(stdout);
    else if (!status && p.options.version)
        printf("troupe-test %s\n", TR_VERSION);
    else if (!status)
        status = choose_and_run(&p);
    vec_free(&p.tests);
    test_options_free(&p.options);
    return status;
}
