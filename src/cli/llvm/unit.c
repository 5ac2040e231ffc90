// troupe unit: tests for the functions of a C source.
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/interrupt.h"
#include "base/text.h"
#include "cli/llvm/unit_report.h"
#include "cli/session.h"
#include "cli/shell/command.h"
#include "program/build.h"
#include "troupe.h"
#include "unit/testfile.h"
#include "unit/verify.h"

enum { LOOP_MOST = 10000, ARRAY_MOST = 4096 };

struct run {
    struct session *session;
    struct unit_options options;
    struct unit_subject subject;
    struct search_options search;
    struct args flags, others;
    const char *names; // behind the colon, NULL: all functions
    const char *dir;
    VEC(uint32_t) fns;
    struct unit_report report;
};

// ---- the words of the command line ------------------------------------------

static bool take_word(struct run *r)
{
    struct session *s = r->session;
    if (s->words.n != 1) {
        diag_set(&s->diag, EXIT_USAGE,
                 s->words.n ? "one source at a time" : "no source given");
        diag_hint(&s->diag, "troupe unit FILE.c[:FUNCTION,...]");
        return false;
    }
    char *word = arena_text(&s->arena, s->words.at[0]);
    char *colon = strrchr(word, ':');
    if (colon && access(word, F_OK) != 0) {
        *colon = '\0';
        r->names = colon + 1;
    }
    size_t n = strlen(word);
    if (access(word, R_OK) != 0)
        return diag_at(&s->diag, EXIT_USAGE, word, 0, "no such file");
    if (n < 3 || strcmp(word + n - 2, ".c") != 0)
        return diag_at(&s->diag, EXIT_USAGE, word, 0, "not a C source (.c)");
    r->options.source = word;
    return true;
}

static void collect_flags(struct run *r)
{
    struct session *s = r->session;
    const char *include = build_include(&s->arena);
    for (uint32_t i = 0; i < s->config.flags.n; i++)
        vec_push(&r->flags, s->config.flags.at[i]);
    for (uint32_t i = 0; i < s->flags.n; i++)
        vec_push(&r->flags, s->flags.at[i]);
    if (include)
        vec_push(&r->flags, arena_format(&s->arena, "-I%s", include));
    for (uint32_t i = 0; i < option_count(s->options, OPT_model); i++)
        vec_push(&r->others, option_item(s->options, OPT_model, i));
    const char *database = option_text(s->options, OPT_compile_commands);
    r->options.database = database ? database : s->config.commands;
    r->options.cc = option_text(s->options, OPT_cc);
    r->options.pre = option_text(s->options, OPT_pre);
    r->options.flags = r->flags.at;
    r->options.n_flags = r->flags.n;
    r->options.others = r->others.at;
    r->options.n_others = r->others.n;
}

static bool add_name(struct run *r, const char *name)
{
    for (uint32_t i = 0; i < r->subject.fns.n; i++)
        if (strcmp(r->subject.ir->fns.at[r->subject.fns.at[i]]->name, name) ==
            0) {
            vec_push(&r->fns, r->subject.fns.at[i]);
            return true;
        }
    struct diag *d = &r->session->diag;
    if (strchr(name, '.'))
        return diag_at(d, EXIT_USAGE, r->options.source, 0,
                       "'%s': tests of tasks are not supported yet", name);
    return diag_at(d, EXIT_NO_MATCH, r->options.source, 0,
                   "no function '%s' is defined there", name);
}

static bool choose_functions(struct run *r)
{
    if (!r->names) {
        for (uint32_t i = 0; i < r->subject.fns.n; i++)
            vec_push(&r->fns, r->subject.fns.at[i]);
        return r->fns.n ||
               diag_at(&r->session->diag, EXIT_NO_MATCH, r->options.source, 0,
                       "no function is defined there");
    }
    char *names = arena_text(&r->session->arena, r->names), *save = NULL;
    for (char *n = strtok_r(names, ",:", &save); n;
         n = strtok_r(NULL, ",:", &save))
        if (!add_name(r, n))
            return false;
    return r->fns.n || diag_set(&r->session->diag, EXIT_USAGE,
                                "no function is named behind the colon");
}

// ---- writing the test of a function -----------------------------------------

static const char *command_of(struct run *r, const char *path)
{
    struct arena *a = &r->session->arena;
    struct text t = {0};
    text_add(&t, "cc -g -O0");
    for (uint32_t i = 0; i < r->session->flags.n; i++)
        text_format(&t, " %s", r->session->flags.at[i]);
    text_format(&t, " %s", path);
    for (uint32_t i = 0; i < r->others.n; i++)
        text_format(&t, " %s", r->others.at[i]);
    text_add(&t, " -lcmocka && ./a.out");
    const char *out = arena_text(a, text_get(&t));
    text_free(&t);
    return out;
}

static bool is_failed(const struct verified *v, const struct call_case *c)
{
    struct text t = {0};
    bool found = false;
    text_format(&t, "%s__%s%s", c->function,
                c->end == CALL_RETURNS ? "" : "traps_", c->name);
    for (uint32_t i = 0; i < v->failed.n; i++)
        found |= strcmp(v->failed.at[i], text_get(&t)) == 0;
    text_free(&t);
    return found;
}

static void print_file(struct run *r, struct unit_file *f, const char *path,
                       struct text *t)
{
    struct arena *a = &r->session->arena;
    const struct call_case **calls =
        arena_get(a, (f->of->cases.n + 1ul) * sizeof *calls);
    struct testfile file = {
        .path = path,
        .include = testfile_relative(a, r->dir, r->options.source),
        .command = command_of(r, path),
        .has_main = r->subject.has_main,
        .calls = calls,
        .notes = f->of->notes.at,
        .n_notes = f->of->notes.n,
    };
    for (uint32_t i = 0; i < f->of->cases.n; i++)
        calls[file.n++] = &f->of->cases.at[i].call;
    testfile_print(&file, t);
}

// Cases that do not pass with both compilers are taken out.
static bool drop_failed(struct run *r, struct unit_file *f,
                        const struct verified *v)
{
    struct unit_result *u = f->of;
    uint32_t kept = 0, n = u->cases.n;
    for (uint32_t i = 0; i < n; i++) {
        if (!is_failed(v, &u->cases.at[i].call)) {
            u->cases.at[kept++] = u->cases.at[i];
            continue;
        }
        vec_push(&u->notes,
                 arena_format(&r->session->arena,
                              "Left out: %s, which does not pass with every "
                              "compiler.",
                              u->cases.at[i].call.name));
        call_release(&u->cases.at[i].call);
        input_release(&u->cases.at[i].in);
    }
    u->cases.n = kept;
    if (kept < n)
        unit_recount(u);
    return kept < n;
}

// Build and run the file under another name in its folder, until what is left
// passes.
static bool try_file(struct run *r, struct unit_file *f, const char *path,
                     struct text *t)
{
    struct session *s = r->session;
    const char *trial =
        arena_format(&s->arena, "%s/.unit-%ld.c", r->dir, (long)getpid());
    bool again = true, ok = true;
    while (again && ok && f->of->cases.n) {
        struct verified v;
        text_clear(t);
        print_file(r, f, path, t);
        if (!session_write(s, trial, t))
            return false;
        verify(&s->arena, &r->options, trial, &v);
        again = v.outcome == VERIFY_FAILED && drop_failed(r, f, &v);
        if (v.outcome != VERIFY_PASSED && !again) {
            f->why = interrupted() ? "interrupted"
                     : v.why       ? v.why
                                   : "its tests do not pass";
            ok = false;
        }
        f->warned = v.warned;
        verified_free(&v);
    }
    unlink(trial);
    return ok && f->of->cases.n > 0;
}

static bool write_file(struct run *r, struct unit_file *f)
{
    struct session *s = r->session;
    struct text t = {0};
    const char *path =
        arena_format(&s->arena, "%s/test_%s.c", r->dir, f->of->f->name);
    bool ok = true;
    if (try_file(r, f, path, &t)) {
        f->path = path;
        ok = testfile_write(&s->arena, &t, &f->path, &s->diag);
        f->beside = ok && strcmp(f->path, path) != 0;
    } else {
        ok = s->diag.status == 0;
    }
    text_free(&t);
    return ok;
}

static bool keep_cases(struct run *r, struct unit_file *f)
{
    struct session *s = r->session;
    mkdir(".troupe", 0777);
    mkdir(".troupe/unit", 0777);
    for (uint32_t i = 0; i < f->of->cases.n; i++) {
        struct call_case *c = &f->of->cases.at[i].call;
        c->tool = TR_VERSION;
        vec_push(&c->programs, r->options.source);
        for (uint32_t k = 0; k < r->others.n; k++)
            vec_push(&c->programs, r->others.at[k]);
        for (uint32_t k = 0; k < s->flags.n; k++)
            vec_push(&c->flags, s->flags.at[k]);
        if (!call_write(c,
                        arena_format(&s->arena, ".troupe/unit/%s.%s.call",
                                     c->function, c->name),
                        &s->diag))
            return false;
    }
    return true;
}

// ---- the command ------------------------------------------------------------

// What one function leaves of its share goes to the others.
static double share_of(const struct run *r, double from, uint32_t left)
{
    double all = (double)option_duration(r->session->options, OPT_time) * 1e-9;
    double rest = all - (clock_now() - from);
    double share = left > 1 ? rest / left : rest;
    if (share > 10 && r->fns.n > 1)
        share = 10;
    return share > 0.05 ? share : 0.05;
}

static bool do_function(struct run *r, uint32_t fn, double seconds)
{
    struct session *s = r->session;
    struct unit_file f = {
        .of = arena_zero(&s->arena, sizeof(struct unit_result))};
    r->search.seconds = seconds;
    if (!unit_precondition(&r->subject, r->subject.ir->fns.at[fn],
                           &r->search.pre, &s->diag))
        return false;
    unit_search(&r->subject, &s->arena, fn, &r->search, f.of);
    if (f.of->unsatisfied) {
        const struct ir_fn *pre = r->subject.ir->fns.at[r->search.pre];
        return diag_at(&s->diag, EXIT_USAGE, r->subject.ir->files.at[pre->file],
                       (int)pre->line, "no input satisfies '%s'", pre->name);
    }
    bool dry = option_flag(s->options, OPT_dry_run);
    bool ok = dry || !f.of->cases.n || write_file(r, &f);
    ok = ok && (dry || keep_cases(r, &f));
    vec_push(&r->report.files, f);
    unit_report_function(&r->report, &vec_last(&r->report.files));
    return ok;
}

static bool make_folder(struct run *r)
{
    const char *dir = option_text(r->session->options, OPT_out);
    r->dir = dir ? dir : "tests";
    if (option_flag(r->session->options, OPT_dry_run))
        return true;
    if (mkdir(r->dir, 0777) == 0 || errno == EEXIST)
        return true;
    return diag_set(&r->session->diag, EXIT_USAGE, "cannot make '%s': %s",
                    r->dir, strerror(errno));
}

static bool do_all(struct run *r)
{
    double from = clock_now();
    bool ok = true;
    for (uint32_t i = 0; i < r->fns.n && ok && !interrupted(); i++)
        ok = do_function(r, r->fns.at[i], share_of(r, from, r->fns.n - i));
    r->report.interrupted = interrupted();
    return ok;
}

static bool prepare(struct run *r)
{
    struct session *s = r->session;
    if (!take_word(r))
        return false;
    collect_flags(r);
    r->search.seed = option_number(s->options, OPT_seed);
    r->search.no_traps = option_flag(s->options, OPT_no_traps);
    r->search.fewest = option_flag(s->options, OPT_fewest);
    r->search.strict = option_flag(s->options, OPT_strict);
    r->search.all = option_given(s->options, OPT_loop);
    r->search.loop = (uint32_t)option_number(s->options, OPT_loop);
    r->search.recursion =
        option_given(s->options, OPT_recursion)
            ? (uint32_t)option_number(s->options, OPT_recursion)
            : UINT32_MAX;
    r->search.by_path = strcmp(option_text(s->options, OPT_cases), "path") == 0;
    r->search.lazy = option_flag(s->options, OPT_lazy);
    r->search.overflow = option_flag(s->options, OPT_overflow);
    r->search.array = (uint32_t)option_number(s->options, OPT_array);
    if (r->search.loop > LOOP_MOST || r->search.array > ARRAY_MOST)
        return diag_set(&s->diag, EXIT_USAGE,
                        "--loop takes at most %d turns, --array at most %d "
                        "elements",
                        LOOP_MOST, ARRAY_MOST);
    if (!verify_possible(&s->arena)) {
        diag_set(&s->diag, EXIT_USAGE, "cmocka is not installed");
        diag_hint(&s->diag, "Debian: apt install libcmocka-dev");
        return false;
    }
    return unit_build(&s->arena, &r->options, &r->subject, &s->diag) &&
           choose_functions(r) && make_folder(r) &&
           runner_open(&r->subject, &s->diag);
}

int cmd_unit(struct session *s)
{
    struct run r = {.session = s};
    interrupt_catch();
    r.report = (struct unit_report){.session = s, .subject = &r.subject};
    bool ok = prepare(&r) && do_all(&r);
    int status = ok ? unit_report_end(&r.report) : s->diag.status;
    runner_close();
    unit_report_free(&r.report);
    unit_release(&r.subject);
    vec_free(&r.fns);
    vec_free(&r.flags);
    vec_free(&r.others);
    interrupt_release();
    return status;
}
