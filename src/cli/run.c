// troupe run: each test under a manager that is live, in a child process.
// The test library does the running; here is what only the tool has: a
// program that was just compiled, configuration, and more forms of results.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "base/die.h"
#include "base/command.h"
#include "base/json.h"
#include "base/text.h"
#include "play/case.h"
#include "cli/shell/command.h"
#include "cli/llvm/blocks.h"
#include "cli/params.h"
#include "cli/run.h"
#include "cli/session.h"
#include "program/program.h"
#include "testlib/output.h"
#include "testlib/sections.h"
#include "testlib/testlib.h"

struct running {
    struct session *s;
    struct tests tests;
    struct report *reports; // one per test
    struct sections sections;
    struct totals totals;
    struct test_case built; // what recorded runs are of
    struct blocks *blocks;  // of the instrumented program; NULL: it is plain
    uint64_t seed;
    bool losing;    // random orders on one thread: run_losing()
    uint32_t first; // test that the current batch begins with
    FILE *out;      // for people: stdout unless that is taken
    bool tap, quiet, verbose, colour, interrupted;
};

// ---- results --------------------------------------------------------------

// Green and red words in a text that is plain otherwise.
static void print_text(const struct running *r, const tr_test *t,
                       const struct report *p)
{
    char *text = NULL;
    size_t n = 0;
    FILE *f = open_memstream(&text, &n);
    if (!f)
        die("out of memory");
    output_text(f, t, p, r->verbose);
    fclose(f);
    bool passed = report_passed(t, p);
    const char *word = passed ? "ok" : "FAILED", *at = strstr(text, word);
    if (!r->colour || p->skipped || !at)
        fputs(text, r->out);
    else
        fprintf(r->out, "%.*s\033[%sm%s\033[0m%s", (int)(at - text), text,
                passed ? "32" : "1;31", word, at + strlen(word));
    free(text);
}

static void annotate(const tr_test *t, const struct report *p)
{
    char reason[1400];
    output_reason(reason, sizeof reason, t, p);
    reason[strcspn(reason, "\n")] = 0;
    printf("::error file=%s,line=%d,title=%s::%s\n",
           *p->file ? p->file : t->file, *p->file ? p->line : t->line, t->name,
           reason);
}

// The known bug that a failing test shows, or NULL: `run` itself knows of none.
static const struct known_bug *
known_failure(const struct running *r, const tr_test *t, const struct report *p)
{
    const struct bug b = {.kind = p->kind, .text = p->text};
    return p->skipped || !p->kind || report_passed(t, p)
               ? NULL
               : known_by_words(&r->s->known, t->of ? t->of : t->name, &b);
}

static void done(void *user, uint32_t i)
{
    struct running *r = user;
    uint32_t at = r->first + i;
    const tr_test *t = r->tests.at[at];
    const struct report *p = &r->reports[at];
    bool passed = report_passed(t, p);
    const struct known_bug *known = known_failure(r, t, p);
    r->interrupted |= p->interrupted;
    if (known) {
        fprintf(r->out, "troupe: %s: known bug %s shows natively: %s\n",
                t->name, known->id, p->text);
        return;
    }
    *(p->skipped ? &r->totals.skipped
      : passed   ? &r->totals.passed
                 : &r->totals.failed) += 1;
    if (r->tap)
        output_tap(r->out, at + 1, t, p);
    else if (!r->quiet || !passed)
        print_text(r, t, p);
    if (!passed && session_github(r->s))
        annotate(t, p);
    fflush(r->out);
}

static void json_test(struct json *j, const tr_test *t, const struct report *p)
{
    bool passed = report_passed(t, p);
    json_object(j, NULL);
    json_text(j, "name", t->name);
    json_text(j, "file", t->file);
    json_number(j, "line", t->line);
    json_text(j, "result",
              p->skipped ? "skipped"
              : passed   ? "passed"
                         : "failed");
    json_number(j, "ms", p->ms);
    json_number(j, "runs", p->runs);
    if (p->kind) {
        json_text(j, "kind", bug_kind_id(p->kind));
        json_object(j, "at");
        json_text(j, "file", *p->file ? p->file : t->file);
        json_number(j, "line", *p->file ? p->line : t->line);
        json_end(j);
        json_number(j, "seed", (int64_t)p->seed);
        json_text(j, "details", p->details);
    }
    if (*p->text)
        json_text(j, "text", p->text);
    if (*p->warnings)
        json_text(j, "warnings", p->warnings);
    if (p->output)
        json_text(j, "output", p->output);
    json_end(j);
}

static void write_json(struct running *r, const char *path)
{
    struct text out = {0};
    struct json j = {.to = &out};
    json_object(&j, NULL);
    session_json_head(r->s, &j);
    json_text(&j, "program", r->s->inputs.at[0]);
    json_text(&j, "manager", option_text(r->s->options, OPT_manager));
    json_number(&j, "seed", (int64_t)r->seed);
    json_number(&j, "passed", r->totals.passed);
    json_number(&j, "failed", r->totals.failed);
    json_number(&j, "skipped", r->totals.skipped);
    json_array(&j, "tests");
    for (uint32_t i = 0; i < r->tests.n; i++)
        json_test(&j, r->tests.at[i], &r->reports[i]);
    json_end(&j);
    if (r->blocks)
        blocks_json(r->blocks, r->tests.at, r->tests.n, &j);
    json_end(&j);
    session_write(r->s, path, &out);
    text_free(&out);
}

static void write_blocks(struct running *r)
{
    struct text out = {0};
    const char *path = option_text(r->s->options, OPT_blocks);
    const char *lcov = option_text(r->s->options, OPT_lcov);
    blocks_print(r->blocks, r->tests.at, r->tests.n, &out);
    if (path)
        session_write(r->s, path, &out);
    text_clear(&out);
    blocks_lcov(r->blocks, r->tests.n, &out);
    if (lcov)
        session_write(r->s, lcov, &out);
    text_free(&out);
}

static void write_results(struct running *r)
{
    struct options *o = r->s->options;
    const char *junit = option_text(o, OPT_junit);
    const char *json = option_text(o, OPT_json);
    if (junit)
        output_junit(junit, r->s->inputs.at[0], r->tests.at, r->reports,
                     r->tests.n, &r->s->diag);
    if (json)
        write_json(r, json);
    if (r->blocks)
        write_blocks(r);
}

// ---- running --------------------------------------------------------------

static enum test_manager manager_of(const struct options *o)
{
    static const char *const names[] = {
#define NAME_(name, text) text,
        TEST_MANAGERS(NAME_)
#undef NAME_
    };
    const char *want = option_text(o, OPT_manager);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i], want) == 0)
            return (enum test_manager)i;
    die("no manager '%s'", want);
}

// "troupe run bank.c other.c", to be followed by the test's name.
static const char *again(struct session *s)
{
    struct text t = {0};
    text_format(&t, "%s run", command_typed());
    for (uint32_t i = 0; i < s->inputs.n; i++)
        text_format(&t, " %s", s->inputs.at[i]);
    const char *words = arena_text(&s->arena, text_get(&t));
    text_free(&t);
    return words;
}

static struct test_options test_options_of(struct running *r,
                                           const struct options *o)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    uint64_t jobs = option_number(o, OPT_jobs);
    uint64_t ms = option_duration(o, OPT_timeout) / 1000000;
    const char *params = session_params(r->s, o);
    return (struct test_options){
        .program = again(r->s),
        .sections = &r->sections,
        .lines = r->s->program,
        .manager = r->losing ? MANAGER_RANDOM : manager_of(o),
        .threads = (uint32_t)option_number(o, OPT_threads),
        .seed = r->seed,
        .params = *params ? params : NULL,
        .repeat = (uint32_t)option_number(o, OPT_repeat),
        .jobs = jobs        ? (uint32_t)jobs
                : cores > 1 ? (uint32_t)cores
                            : 1,
        .timeout_ms = ms ? (uint32_t)ms : 1,
        .max_steps = (uint32_t)option_number(o, OPT_steps),
        .ticks = option_ticks(o),
        .record = option_text(o, OPT_record),
        .finals = option_text(o, OPT_finals),
        .built = &r->built,
        .no_fork = option_flag(o, OPT_no_fork),
        .strict = option_flag(o, OPT_strict),
        .verbose = r->verbose,
    };
}

static void use_map(void *user, uint32_t test)
{
    struct running *r = user;
    blocks_use(r->blocks, r->first + test);
}

static void batch(struct running *r, uint32_t from, uint32_t n,
                  struct test_options *t)
{
    r->first = from;
    t->before = r->blocks ? use_map : NULL;
    t->user = r;
    run_tests(r->tests.at + from, n, t, r->reports + from, done, r);
}

// All tests once; one by one only if the configuration tells them apart.
static bool round_of(struct running *r, uint32_t repeat)
{
    bool apart = r->s->config.tests.n > 0;
    uint32_t step = apart ? 1 : r->tests.n;
    for (uint32_t i = 0; i < r->tests.n; i += step) {
        struct options *o =
            session_options_for(r->s, apart ? r->tests.at[i]->name : "");
        if (!o)
            return false;
        struct test_options t = test_options_of(r, o);
        t.repeat = repeat ? repeat : t.repeat;
        batch(r, i, step, &t);
        options_free(o);
    }
    return true;
}

static void clear_reports(struct running *r)
{
    for (uint32_t i = 0; i < r->tests.n; i++)
        free(r->reports[i].output);
    memset(r->reports, 0, r->tests.n * sizeof *r->reports);
    r->totals = (struct totals){0};
}

// Longer and longer rounds, each with the seeds behind the last one's.
static bool until_failure(struct running *r)
{
    bool was_quiet = r->quiet;
    r->quiet = true;
    for (uint32_t n = 1;; n = n < 1024 ? 2 * n : n) {
        clear_reports(r);
        if (!round_of(r, n))
            return false;
        if (r->totals.failed || r->interrupted)
            break;
        r->seed += n;
    }
    r->quiet = was_quiet;
    return true;
}

static uint64_t fresh_seed(void)
{
    uint32_t seed = 1;
    if (getrandom(&seed, sizeof seed, 0) != sizeof seed)
        seed = (uint32_t)getpid();
    return seed;
}

static bool to_stdout(const struct options *o, enum option_id id)
{
    const char *path = option_text(o, id);
    return path && strcmp(path, "-") == 0;
}

static bool can_record(struct running *r)
{
    struct test_options t = test_options_of(r, r->s->options);
    const char *why = t.record ? record_refuses(&t, r->tests.n) : NULL;
    return !why ||
           diag_set(&r->s->diag, EXIT_USAGE, "--record: %s: %s", t.record, why);
}

static void prepare(struct running *r)
{
    const struct options *o = r->s->options;
    r->sections = sections_of(r->s->program);
    r->tap = option_flag(o, OPT_tap);
    r->quiet = option_flag(o, OPT_quiet);
    r->verbose = option_flag(o, OPT_verbose);
    r->out =
        to_stdout(o, OPT_json) || to_stdout(o, OPT_junit) ? stderr : stdout;
    r->colour = session_colour(r->s, r->out);
    r->seed =
        option_given(o, OPT_seed) ? option_number(o, OPT_seed) : fresh_seed();
    r->reports = need_zero(r->tests.n * sizeof *r->reports);
    session_case(r->s, &r->built);
    if (!r->quiet)
        fprintf(stderr, "troupe: %u test%s, manager %s, seed %llu\n",
                r->tests.n, r->tests.n == 1 ? "" : "s",
                option_text(o, OPT_manager), (unsigned long long)r->seed);
    if (r->tap)
        fprintf(r->out, "TAP version 13\n1..%u\n", r->tests.n);
}

static bool load_program(struct running *r)
{
    if (!option_given(r->s->options, OPT_blocks) &&
        !option_given(r->s->options, OPT_lcov))
        return session_program(r->s);
    r->blocks = blocks_program(r->s);
    return r->blocks;
}

static int run_all(struct running *r)
{
    struct session *s = r->s;
    if (!session_tests(s, &r->tests)) {
        output_totals(stdout, &r->totals);
        return s->diag.status;
    }
    if (!can_record(r) ||
        (r->blocks && !blocks_open(r->blocks, r->tests.n, &s->diag)) ||
        !params_check(s, &r->tests))
        return s->diag.status;
    if (r->blocks) // asking for parameters ran the tests
        blocks_clear(r->blocks, r->tests.n);
    prepare(r);
    if (option_flag(s->options, OPT_repeat_until_fail) ? until_failure(r)
                                                       : round_of(r, 0)) {
        write_results(r);
        fputs(r->tap ? "# " : "", r->out);
        output_totals(r->out, &r->totals);
    }
    int status = r->interrupted     ? EXIT_INTERRUPTED
                 : r->totals.failed ? EXIT_BUG
                                    : EXIT_GOOD;
    clear_reports(r);
    free(r->reports);
    case_release(&r->built);
    return status;
}

static bool run_quietly(struct session *s, const struct tests *tests, FILE *out,
                        struct report *reports, uint32_t losing, bool *stopped)
{
    struct running r = {.s = s,
                        .tests = *tests,
                        .reports = reports,
                        .out = out,
                        .quiet = true,
                        .losing = losing,
                        .colour = session_colour(s, out)};
    r.sections = sections_of(s->program);
    r.seed = option_given(s->options, OPT_seed)
                 ? option_number(s->options, OPT_seed)
                 : fresh_seed();
    session_case(s, &r.built);
    bool ok = round_of(&r, losing);
    case_release(&r.built);
    *stopped |= r.interrupted;
    return ok;
}

bool run_natively(struct session *s, const struct tests *tests, FILE *out,
                  struct report *reports, bool *stopped)
{
    return run_quietly(s, tests, out, reports, 0, stopped);
}

enum { LOSING_RUNS = 200, LOSING_MS = 2000 };

bool run_losing(struct session *s, const struct tr_test *test, FILE *out,
                struct report *report, bool *stopped)
{
    uint32_t ms = report->ms ? report->ms : 1, runs = LOSING_MS / ms;
    struct tests one = {0};
    struct report of = {0};
    vec_push(&one, test);
    bool ok = run_quietly(s, &one, out, &of,
                          runs > LOSING_RUNS ? LOSING_RUNS
                          : runs             ? runs
                                             : 1,
                          stopped);
    of.ms += report->ms;
    free(report->output);
    *report = of;
    vec_free(&one);
    return ok;
}

int cmd_run(struct session *s)
{
    struct running r = {.s = s};
    int status = load_program(&r) ? run_all(&r) : s->diag.status;
    vec_free(&r.tests);
    if (r.blocks)
        blocks_free(r.blocks);
    return status;
}
