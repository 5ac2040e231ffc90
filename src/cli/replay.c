// troupe replay: one case again, natively.
#include "base/text.h"
#include "cases/c_source.h"
#include "cases/describe.h"
#include "cli/shell/command.h"
#include "cli/open_case.h"
#include "cases/replay.h"
#include "report/bug.h"
#include "program/build.h"
#include "stage/native.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// A place for breakpoints: called before the last step of a case is run.
__attribute__((noinline, visibility("default"))) void
troupe_last_step(const char *step);

void troupe_last_step(const char *step)
{
    fflush(stdout);
    fprintf(stderr, "troupe: now the last step: %s\n", step);
    __asm__ volatile("");
}

static const char *step_words(struct arena *a, const struct words_step *s)
{
    struct text t = {0};
    words_print(s, &t);
    const char *words = arena_text(a, text_get(&t));
    text_free(&t);
    return words;
}

// ---- here, for a debugger, or step by step ------------------------------

static void wait_for_enter(void)
{
    int c;
    fputs("   (Enter goes on) ", stderr);
    do
        c = getchar();
    while (c != '\n' && c != EOF);
}

// False if the case cannot be followed so far.
static bool show_step(struct subject *s, const struct test_case *c, uint32_t n)
{
    struct arena a = {0};
    struct replay r = {0};
    struct describer w = {s->native, s->play};
    struct describe d = describe_native(&w);
    struct text t = {0};
    bool fits = replay_words(s->play, s->explore.delivery, c->steps.at, n, &r);
    struct trace *trace = trace_make(&a, s->play, &r.schedule, &d);
    if (fits && trace->steps.n) {
        const struct trace_step *st = &trace->steps.at[trace->steps.n - 1];
        text_format(&t, "%4u  %-16s %s %s  %s", n,
                    trace->actors.at[st->actor].name, st->msg ? st->msg : "",
                    st->fields, st->change);
        for (uint32_t i = 0; i < st->sends.n; i++)
            text_format(&t, "%s%s to %s", i ? ", " : "   sends ",
                        st->sends.at[i].msg, st->sends.at[i].to);
        printf("%s\n", text_get(&t));
        struct text output = {0};
        report_output("      ", st->output ? st->output : "", &output);
        fputs(text_get(&output), stdout);
        text_free(&output);
    }
    text_free(&t);
    trace_release(trace);
    replay_free(&r);
    arena_free(&a);
    return fits;
}

static void walk(struct kept *k, bool wait, uint32_t until)
{
    for (uint32_t i = 1; i < k->c.steps.n && i < until; i++) {
        if (!show_step(&k->trial.subject, &k->c, i))
            return;
        if (wait && isatty(STDIN_FILENO))
            wait_for_enter();
    }
}

// The last line, and the exit status: is there a bug?
static int say_outcome(const struct kept *k, enum confirm_outcome o)
{
    bool expects = k->c.bug.kind != BUG_NONE;
    const char *kind = expects ? bug_kind_id(k->c.bug.kind) : "pass";
    switch (o) {
    case CONFIRM_SAME:
        printf("troupe: replayed: %s, as the case says\n", kind);
        return expects ? EXIT_BUG : EXIT_GOOD;
    case CONFIRM_PASSES:
        printf("troupe: replayed: it passes, the case says %s\n", kind);
        return EXIT_GOOD;
    case CONFIRM_OTHER:
        printf("troupe: replayed: a bug, but the case says %s\n", kind);
        return EXIT_BUG;
    case CONFIRM_MISFIT:
        printf("troupe: not replayed: the case says %s, but does not fit the "
               "program\n",
               kind);
        return expects ? EXIT_NO_ANSWER : EXIT_BUG;
    case CONFIRM_LOST:
        return k->trial.session->diag.status; // the caller prints it
    }
    return EXIT_FAULT;
}

static void print_report(const struct kept *k, const struct confirmed *f)
{
    struct text report = {0};
    struct case_view v = {.name = k->name,
                           .colour = session_colour(k->trial.session, stdout)};
    case_text(&k->trial.subject, &k->c, f, &v, &report);
    fputs(text_get(&report), stdout);
    text_free(&report);
}

static enum confirm_how how(const struct kept *k)
{
    return option_flag(k->trial.session->options, OPT_strict)
               ? CONFIRM_STRICTLY
               : CONFIRM_LOOSELY;
}

static int here(struct kept *k)
{
    struct session *s = k->trial.session;
    struct arena a = {0};
    struct replay r = {0};
    struct subject *of = &k->trial.subject;
    struct confirmed f;
    uint32_t n = k->c.steps.n;
    uint32_t at = n;
    if (option_given(s->options, OPT_break))
        at = (uint32_t)option_number(s->options, OPT_break);
    of->explain = true;
    if (!subject_open(of, &s->diag))
        return s->diag.status; // the caller prints it
    if (option_flag(s->options, OPT_step))
        walk(k, true, at);
    if (at > n)
        at = n;
    if (at)
        replay_words(of->play, of->explore.delivery, k->c.steps.at, at - 1, &r);
    replay_free(&r);
    troupe_last_step(at ? step_words(&a, &k->c.steps.at[at - 1]) : "none");
    confirm_here(of, &k->c, how(k), &f);
    print_report(k, &f);
    int status = say_outcome(k, f.outcome);
    confirmed_release(&f);
    arena_free(&a);
    subject_close(of);
    return status;
}

static int apart(struct kept *k)
{
    struct confirmed f;
    confirm_apart(&k->trial.subject, &k->c, how(k), &f,
                  &k->trial.session->diag);
    print_report(k, &f);
    int status = say_outcome(k, f.outcome);
    confirmed_release(&f);
    return status;
}

// ---- other programs -----------------------------------------------------

static int exec_gdb(struct kept *k)
{
    struct session *s = k->trial.session;
    struct args argv = {0};
    char self[4096], *place;
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    if (n < 0 || !command_path(&s->arena, "gdb")) {
        diag_set(&s->diag, EXIT_USAGE, "gdb is not installed");
        return s->diag.status; // the caller prints it
    }
    self[n] = '\0';
    const char *const fixed[] = {
        "gdb", "-q",
        "-ex", "set confirm off",
        "-ex", "set breakpoint pending on",
        "-ex", "handle SIGPROF SIGALRM nostop noprint pass",
        "-ex", "break troupe_last_step",
        "-ex", "run"};
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
        vec_push(&argv, fixed[i]);
    if (k->c.bug.file) {
        place = arena_format(&s->arena, "tbreak %s:%d", k->c.bug.file,
                             k->c.bug.line);
        vec_push(&argv, "-ex");
        vec_push(&argv, place);
        vec_push(&argv, "-ex");
        vec_push(&argv, "continue");
    }
    const char *const tail[] = {"--args", self, "replay", k->path, "--no-fork"};
    for (size_t i = 0; i < sizeof tail / sizeof *tail; i++)
        vec_push(&argv, tail[i]);
    if (option_given(s->options, OPT_break))
        vec_push(&argv, arena_format(&s->arena, "--break=%s",
                                     option_text(s->options, OPT_break)));
    vec_push(&argv, NULL);
    fflush(stdout);
    execvp("gdb", (char *const *)(uintptr_t)argv.at);
    diag_set(&s->diag, EXIT_USAGE, "gdb cannot be run: %s", strerror(errno));
    return s->diag.status; // the caller prints it
}

// The archive of libtroupe-test: beside the executable, or installed.
static const char *test_library(struct session *s)
{
    char self[4096];
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    if (n < 0)
        return NULL;
    self[n] = '\0';
    *strrchr(self, '/') = '\0';
    static const char *const places[] = {"%s/libtroupe-test.a",
                                         "%s/../lib/libtroupe-test.a"};
    for (size_t i = 0; i < 2; i++) {
        struct text t = {0};
        text_add(&t, self);
        text_add(&t, places[i] + 2);
        const char *path = arena_text(&s->arena, text_get(&t));
        text_free(&t);
        if (access(path, R_OK) == 0)
            return path;
    }
    return NULL;
}

static void add_all(struct args *a, const char *const *words, size_t n)
{
    for (size_t i = 0; i < n; i++)
        vec_push(a, words[i]);
}

static int build_with_asan(struct kept *k, const char *source, const char *out)
{
    struct session *s = k->trial.session;
    const char *library = test_library(s), *include = build_include(&s->arena);
    if (!library || !include) {
        diag_set(&s->diag, EXIT_USAGE,
                 "libtroupe-test.a is not beside the "
                 "tool; run make");
        return s->diag.status; // the caller prints it
    }
    static const char *const first[] = {"-g",
                                        "-O1",
                                        "-fsanitize=address,undefined",
                                        "-fno-omit-frame-pointer",
                                        "-rdynamic",
                                        "-o"};
    static const char *const last[] = {"-ldw", "-lelf", "-lxxhash",
                                       "-ldl", "-lm",   "-pthread"};
    struct args argv = {0};
    const char *cc = option_text(s->options, OPT_cc);
    cc = cc ? cc : getenv("CC");
    args_split(&argv, &s->arena, cc && *cc ? cc : "cc");
    add_all(&argv, first, sizeof first / sizeof *first);
    vec_push(&argv, out);
    vec_push(&argv, arena_format(&s->arena, "-I%s", include));
    add_all(&argv, s->flags.at, s->flags.n);
    vec_push(&argv, source);
    add_all(&argv, s->inputs.at, s->inputs.n);
    vec_push(&argv, library);
    build_wrap(&argv, &s->arena);
    add_all(&argv, last, sizeof last / sizeof *last);
    int status = command_run(&argv, false, NULL);
    vec_free(&argv);
    return status ? EXIT_USAGE : 0;
}

// What the test says; where it names itself, which is gone by then, the words
// that a user has: the test's source, and the command that runs it again.
static void tell(const struct kept *k, const char *exe, const char *said)
{
    for (const char *at; (at = strstr(said, exe));) {
        bool source = strncmp(at + strlen(exe), ".c", 2) == 0;
        printf("%.*s", (int)(at - said), said);
        printf(source ? "test_%s.c" : "troupe replay %s --asan",
               source ? k->id : k->name);
        said = at + (source ? strlen(exe) + 2 : strcspn(at, "\n"));
    }
    fputs(said, stdout);
}

static int run_test(const struct kept *k, const char *exe)
{
    struct session *s = k->trial.session;
    struct args argv = {0};
    struct text said = {0};
    vec_push(&argv, exe);
    vec_push(&argv, arena_format(&s->arena, "--filter=bug_%s", k->id));
    setenv("ASAN_OPTIONS", "detect_leaks=0", 0);
    int status = command_run(&argv, false, &said);
    tell(k, exe, text_get(&said));
    vec_free(&argv);
    text_free(&said);
    return status;
}

// As a test of its own, on the real heap, where the sanitizer sees everything.
static int run_with_asan(struct kept *k)
{
    struct session *s = k->trial.session;
    char dir[] = "/tmp/troupe-asan-XXXXXX";
    struct text source = {0};
    if (!mkdtemp(dir)) {
        diag_set(&s->diag, EXIT_USAGE, "%s: %s", dir, strerror(errno));
        return s->diag.status; // the caller prints it
    }
    const char *c = arena_format(&s->arena, "%s/case.c", dir);
    const char *exe = arena_format(&s->arena, "%s/case", dir);
    case_source(&k->c, &source);
    int status = session_write(s, c, &source) ? build_with_asan(k, c, exe)
                                              : s->diag.status;
    if (!status)
        status = run_test(k, exe);
    text_free(&source);
    unlink(c);
    unlink(exe);
    rmdir(dir);
    return status;
}

int cmd_replay(struct session *s)
{
    struct kept k;
    if (!kept_open(&k, s))
        return s->diag.status; // the caller prints it
    int status;
    if (option_flag(s->options, OPT_gdb)) {
        status = exec_gdb(&k);
    } else if (option_flag(s->options, OPT_asan)) {
        status = run_with_asan(&k);
    } else if (option_flag(s->options, OPT_no_fork) ||
               option_flag(s->options, OPT_step)) {
        status = here(&k);
    } else {
        status = apart(&k);
    }
    kept_close(&k);
    return status;
}
