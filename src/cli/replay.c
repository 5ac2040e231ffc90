// troupe replay: one case again, natively.
#include "base/command.h"
#include "base/json.h"
#include "base/temp.h"
#include "base/text.h"
#include "cases/c_source.h"
#include "cases/describe.h"
#include "cli/shell/command.h"
#include "cli/gdb.h"
#include "cli/kept_call.h"
#include "cli/open_case.h"
#include "cases/replay.h"
#include "report/bug.h"
#include "report/terminal.h"
#include "program/build.h"
#include "stage/native.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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
    if (!isatty(STDIN_FILENO))
        return;
    fputs("   (Enter goes on) ", stderr);
    do
        c = getchar();
    while (c != '\n' && c != EOF);
}

static void step_line(const struct trace *t, uint32_t i, struct text *to)
{
    const struct trace_step *st = &t->steps.at[i];
    text_format(to, "%4u  %-16s %s %s  %s", i, t->actors.at[st->actor].title,
                st->msg ? st->msg : "goes on", st->fields, st->change);
    for (uint32_t k = 0; k < st->sends.n; k++)
        text_format(to, "%s%s to %s", k ? ", " : "   sends ",
                    st->sends.at[k].msg, st->sends.at[k].to);
    text_char(to, '\n');
    report_output("      ", st->output ? st->output : "", to);
}

static void actor_lines(const struct trace *t, struct text *to)
{
    for (uint32_t i = 1; i < t->actors.n; i++)
        text_format(to, "      %-16s %-10s %s\n", t->actors.at[i].title,
                    t->actors.at[i].behaviour, t->actors.at[i].state);
}

struct walk {
    struct open_case *kept;
    uint32_t shown; // steps of the schedule
};

// Make the first n steps of the case and show those that were not shown yet;
// with `actors`, also the states after them.  False if a step does not fit.
static bool show_words(struct walk *w, uint32_t n, bool actors)
{
    struct arena a = {0};
    struct replay r = {0};
    struct subject *s = &w->kept->trial.subject;
    struct describer d = {.native = s->native, .play = s->play};
    struct describe describe = describe_native(&d);
    struct text t = {0};
    bool fits =
        replay_words(s->play, s->explore.delivery, w->kept->c.steps.at, n, &r);
    struct trace *trace = trace_make(&a, s->play, &r.schedule, &describe);
    for (; fits && w->shown < trace->steps.n; w->shown++)
        if (w->shown)
            step_line(trace, w->shown, &t);
    if (fits && actors)
        actor_lines(trace, &t);
    fputs(text_get(&t), stdout);
    text_free(&t);
    trace_release(trace);
    replay_free(&r);
    arena_free(&a);
    return fits;
}

// Stop before each step, or only before step `at`.
static void walk(struct open_case *k, bool each, uint32_t at)
{
    struct walk w = {k, 0};
    struct arena a = {0};
    for (uint32_t i = 0; i < k->c.steps.n && show_words(&w, i, false); i++) {
        if (!each && w.shown < at)
            continue;
        if (w.shown >= at)
            show_words(&w, i, true);
        printf("next  %s\n", step_words(&a, &k->c.steps.at[i]));
        fflush(stdout);
        wait_for_enter();
        if (w.shown >= at)
            break;
    }
    arena_free(&a);
}

// The kind and the place of a bug: "assertion at bank.c:16".
static const char *bug_words(struct arena *a, const struct bug *b)
{
    const char *kind = b->kind ? bug_kind_id(b->kind) : "pass";
    return b->kind && b->file
               ? arena_format(a, "%s at %s:%d", kind, b->file, b->line)
               : kind;
}

static void bug_json(struct json *j, const char *key, const struct bug *b)
{
    if (b->kind == BUG_NONE)
        return;
    json_object(j, key);
    json_text(j, "kind", bug_kind_id(b->kind));
    json_text(j, "text", b->text);
    json_text(j, "file", b->file);
    json_number(j, "line", b->line);
    json_end(j);
}

static bool outcome_json(const struct open_case *k, const struct confirmed *f)
{
    static const char *const words[] = {[CONFIRM_SAME] = "same",
                                        [CONFIRM_PASSES] = "passes",
                                        [CONFIRM_OTHER] = "other",
                                        [CONFIRM_MISFIT] = "misfit"};
    struct session *s = k->trial.session;
    struct text t = {0};
    struct json j;
    if (!session_json_begin(s, &j, &t))
        return true;
    json_text(&j, "case", k->path);
    json_text(&j, "test", k->c.test);
    json_text(&j, "delivery", k->c.delivery);
    json_text(&j, "outcome", words[f->outcome]);
    bug_json(&j, "expected", &k->c.bug);
    if (f->found)
        bug_json(&j, "found", &f->bug);
    return session_json_end(s, &j);
}

// The last line, and the exit status: is there a bug?
static int say_outcome(const struct open_case *k, const struct confirmed *f)
{
    bool expects = k->c.bug.kind != BUG_NONE;
    const char *kind = expects ? bug_kind_id(k->c.bug.kind) : "pass";
    struct arena *a = &k->trial.session->arena;
    FILE *to = session_say(k->trial.session);
    if (f->outcome == CONFIRM_LOST || !outcome_json(k, f))
        return k->trial.session->diag.status; // the caller prints it
    switch (f->outcome) {
    case CONFIRM_SAME:
        fprintf(to, "troupe: replayed: %s, as the case says\n", kind);
        return expects ? EXIT_BUG : EXIT_GOOD;
    case CONFIRM_PASSES:
        fprintf(to, "troupe: replayed: it passes, the case says %s\n", kind);
        return EXIT_GOOD;
    case CONFIRM_OTHER:
        fprintf(to, "troupe: replayed: %s, but the case says %s\n",
                bug_words(a, &f->bug), bug_words(a, &k->c.bug));
        return EXIT_BUG;
    case CONFIRM_MISFIT:
        fprintf(to,
                "troupe: not replayed: the case says %s, but does not fit the "
                "program\n",
                kind);
        return expects ? EXIT_NO_ANSWER : EXIT_BUG;
    case CONFIRM_LOST:
        break;
    }
    return EXIT_FAULT;
}

static void print_report(const struct open_case *k, const struct confirmed *f)
{
    struct text report = {0};
    FILE *to = session_say(k->trial.session);
    struct case_view v = {.name = k->name,
                          .colour = session_colour(k->trial.session, to),
                          .width = terminal_width(to)};
    case_text(&k->trial.subject, &k->c, f, &v, &report);
    fputs(text_get(&report), to);
    text_free(&report);
}

static enum confirm_how how(const struct open_case *k)
{
    return option_flag(k->trial.session->options, OPT_strict) ? CONFIRM_STRICTLY
                                                              : CONFIRM_LOOSELY;
}

// The step before which a debugger stops is made anew, even if the same was
// made before.
static void before_step(void *self)
{
    struct open_case *k = self;
    play_again(k->trial.subject.play);
    troupe_next_step("the step to look at");
}

static int here(struct open_case *k)
{
    struct session *s = k->trial.session;
    struct subject *of = &k->trial.subject;
    struct confirmed f;
    struct replay r = {0};
    uint32_t at = UINT32_MAX;
    if (option_given(s->options, OPT_break))
        at = (uint32_t)option_number(s->options, OPT_break);
    of->explain = true;
    if (!subject_open(of, &s->diag))
        return s->diag.status; // the caller prints it
    struct replay_stop stop = {at, before_step, k};
    if (option_flag(s->options, OPT_no_fork))
        replay_words_to(of->play, of->explore.delivery, k->c.steps.at,
                        k->c.steps.n, &stop, &r);
    else
        walk(k, option_flag(s->options, OPT_step), at);
    replay_free(&r);
    confirm_here(of, &k->c, how(k), &f);
    print_report(k, &f);
    int status = say_outcome(k, &f);
    confirmed_release(&f);
    subject_close(of);
    return status;
}

static int apart(struct open_case *k)
{
    struct confirmed f;
    confirm_apart(&k->trial.subject, &k->c, how(k), &f,
                  &k->trial.session->diag);
    print_report(k, &f);
    int status = say_outcome(k, &f);
    confirmed_release(&f);
    return status;
}

// ---- other programs -----------------------------------------------------

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

static int build_with_asan(struct open_case *k, const char *source,
                           const char *out)
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
static void tell(const struct open_case *k, const char *exe, const char *said)
{
    for (const char *at; (at = strstr(said, exe));) {
        bool source = strncmp(at + strlen(exe), ".c", 2) == 0;
        printf("%.*s", (int)(at - said), said);
        if (source)
            printf("test_%s.c", k->id);
        else
            printf("%s replay %s --asan", command_typed(), k->name);
        said = at + (source ? strlen(exe) + 2 : strcspn(at, "\n"));
    }
    fputs(said, stdout);
}

static int run_test(const struct open_case *k, const char *exe)
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
static int run_with_asan(struct open_case *k)
{
    struct session *s = k->trial.session;
    struct text source = {0};
    const char *dir = temp_new(&s->arena, &s->diag);
    if (!dir)
        return s->diag.status; // the caller prints it
    const char *c = arena_format(&s->arena, "%s/case.c", dir);
    const char *exe = arena_format(&s->arena, "%s/case", dir);
    case_source(&k->c, NULL, &source);
    int status = session_write(s, c, &source) ? build_with_asan(k, c, exe)
                                              : s->diag.status;
    if (!status)
        status = run_test(k, exe);
    text_free(&source);
    temp_remove(dir);
    return status;
}

int cmd_replay(struct session *s)
{
    static const enum option_id words[] = {OPT_gdb, OPT_asan, OPT_step,
                                           OPT_break};
    if (!session_json_without(s, words, sizeof words / sizeof *words))
        return s->diag.status; // the caller prints it
    if (kept_call_given(s))
        return kept_call_replay(s);
    struct open_case k;
    if (!open_case_load(&k, s))
        return s->diag.status; // the caller prints it
    int status;
    if (option_flag(s->options, OPT_gdb)) {
        status = gdb_exec(&k);
    } else if (option_flag(s->options, OPT_asan)) {
        status = run_with_asan(&k);
    } else if (option_flag(s->options, OPT_no_fork) ||
               option_flag(s->options, OPT_step) ||
               option_given(s->options, OPT_break)) {
        status = here(&k);
    } else {
        status = apart(&k);
    }
    open_case_close(&k);
    return status;
}
