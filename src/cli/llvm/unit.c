// troupe unit: tests for the functions of a C source.
#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/command.h"
#include "base/interrupt.h"
#include "base/number.h"
#include "base/text.h"
#include "cli/kept_call.h"
#include "cli/page_write.h"
#include "cli/llvm/unit_kept.h"
#include "cli/llvm/unit_loop.h"
#include "cli/llvm/unit_report.h"
#include "cli/llvm/unit_task.h"
#include "cli/session.h"
#include "cli/shell/command.h"
#include "program/build.h"
#include "program/home.h"
#include "troupe.h"
#include "unit/guide.h"
#include "unit/sanitized.h"
#include "unit/testfile.h"
#include "unit/verify.h"

enum { ARRAY_MOST = 4096 };

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
    uint32_t kept, changed; // calls of earlier runs
    double beside; // seconds that a function took beside its search, the mean
    struct text pages; // with --html, its objects
};

// ---- the words of the command line ------------------------------------------

static bool take_word(struct run *r)
{
    struct session *s = r->session;
    if (s->words.n != 1) {
        diag_set(&s->diag, EXIT_USAGE,
                 s->words.n ? "one source at a time" : "no source given");
        diag_hint(&s->diag, "%s unit FILE.c[:FUNCTION,...]", command_typed());
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
    return diag_at(&r->session->diag, EXIT_NO_MATCH, r->options.source, 0,
                   "no function '%s' is defined there", name);
}

// What a function calls comes before it.
static void add_after_callees(struct run *r, uint32_t fn, bool *seen)
{
    const struct ir *ir = r->subject.ir;
    const struct ir_fn *f = ir->fns.at[fn];
    bool mine = false;
    if (seen[fn])
        return;
    seen[fn] = true;
    for (uint32_t i = 0; i < f->insts.n; i++) {
        const struct ir_inst *in = &f->insts.at[i];
        uint32_t to =
            in->op == IR_CALL ? ir_as_fn(ir, ir_args(f, in)[0]) : IR_NOTHING;
        if (to != IR_NOTHING && ir->fns.at[to]->defined)
            add_after_callees(r, to, seen);
    }
    for (uint32_t i = 0; i < r->subject.fns.n; i++)
        mine |= r->subject.fns.at[i] == fn;
    if (mine && !option_count(r->session->options, OPT_at) &&
        unit_is_of_actors(ir, f))
        r->report.left_out++;
    else if (mine)
        vec_push(&r->fns, fn);
}

static bool choose_functions(struct run *r)
{
    assert(r->subject.ir); // opened before
    if (!r->names) {
        bool *seen = arena_zero(&r->session->arena, r->subject.ir->fns.n + 1ul);
        for (uint32_t i = 0; i < r->subject.fns.n; i++)
            add_after_callees(r, r->subject.fns.at[i], seen);
        return r->fns.n || r->report.left_out ||
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

static const char *command_of(struct run *r, const char *path,
                              const char *first)
{
    struct arena *a = &r->session->arena;
    struct text t = {0};
    text_format(&t, "%s -g -O0", first);
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
        .source = r->options.source,
        .include = testfile_relative(a, r->dir, r->options.source),
        .command = command_of(r, path, "cc"),
        .sanitized = command_of(
            r, path,
            arena_format(a, "cc %s", sanitized_flags(SANITIZED_MEMORY))),
        .has_main = r->subject.has_main,
        .remembers = unit_remembers(r->subject.ir, f->of->f),
        .calls = calls,
        .notes = f->of->notes.at,
        .n_notes = f->of->notes.n,
    };
    for (uint32_t i = 0; i < f->of->cases.n; i++)
        calls[file.n++] = &f->of->cases.at[i].call;
    testfile_print(&file, t);
}

// Has it a trap that only a sanitizer notices?
static bool has_reports(const struct unit_result *u)
{
    for (uint32_t i = 0; i < u->cases.n; i++)
        if (u->cases.at[i].call.end == CALL_REPORTED)
            return true;
    return false;
}

// Cases that do not pass with both compilers are taken out, and others that
// take their sides put in.
static bool drop_failed(struct run *r, struct unit_file *f,
                        const struct verified *v)
{
    struct unit_result *u = f->of;
    struct arena *a = &r->session->arena;
    uint32_t kept = 0, n = u->cases.n;
    VEC(const char *) names = {0};
    for (uint32_t i = 0; i < n; i++) {
        if (!is_failed(v, &u->cases.at[i].call)) {
            u->cases.at[kept++] = u->cases.at[i];
            continue;
        }
        vec_push(&names, arena_text(a, u->cases.at[i].call.name));
        call_release(&u->cases.at[i].call);
        input_release(&u->cases.at[i].in);
    }
    u->cases.n = kept;
    if (names.n && !unit_recount(u, a))
        for (uint32_t i = 0; i < names.n; i++)
            vec_push(&u->notes,
                     arena_format(a,
                                  "Left out: %s, which does not pass with "
                                  "every compiler.",
                                  names.at[i]));
    vec_free(&names);
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
        verify(&s->arena, &r->options, trial, has_reports(f->of), &v);
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
    mkdir(home_path(&s->arena, ""), 0777);
    mkdir(home_path(&s->arena, "unit"), 0777);
    unit_kept_remove(s, r->options.source, f->of->f->name);
    for (uint32_t i = 0; i < f->of->cases.n; i++) {
        struct call_case *c = &f->of->cases.at[i].call;
        c->tool = TR_VERSION;
        vec_push(&c->programs, home_name(&s->arena, r->options.source));
        for (uint32_t k = 0; k < r->others.n; k++)
            vec_push(&c->programs, home_name(&s->arena, r->others.at[k]));
        for (uint32_t k = 0; k < s->flags.n; k++)
            vec_push(&c->flags, s->flags.at[k]);
        if (option_given(s->options, OPT_html))
            kept_call_page(s, c, &r->pages);
        if (!call_write(
                c,
                home_path(&s->arena, arena_format(&s->arena, "unit/%s.%s.call",
                                                  c->function, c->name)),
                &s->diag))
            return false;
    }
    return true;
}

// ---- the command ------------------------------------------------------------

static const double SHARE_LEAST = 0.2;

// What one function leaves of its share goes to the others.  0: nothing is
// left.
static double share_of(const struct run *r, double from, uint32_t left)
{
    double all = (double)option_duration(r->session->options, OPT_time) * 1e-9;
    double rest = all - (clock_now() - from);
    double share = rest / left - (left > 1 ? r->beside : 0);
    if (rest <= 0)
        return 0;
    if (share > 10 && r->fns.n > 1)
        return 10;
    return share > SHARE_LEAST  ? share
           : rest < SHARE_LEAST ? rest
                                : SHARE_LEAST;
}

// Calls that were kept and come out otherwise now.
static void tell_changes(struct run *r, const char *function)
{
    struct unit_kept k;
    struct text t = {0};
    unit_kept_check(r->session, &r->subject, function, &k);
    unit_kept_print(function, &k, &t);
    r->kept += k.calls.n;
    r->changed += unit_kept_changed(&k);
    unit_report_text(&r->report, text_get(&t));
    text_free(&t);
    unit_kept_free(&k);
}

// --check: nothing else.
static int do_check(struct run *r)
{
    struct session *s = r->session;
    for (uint32_t i = 0; i < r->fns.n && !interrupted(); i++)
        tell_changes(r, r->subject.ir->fns.at[r->fns.at[i]]->name);
    if (!r->kept) {
        diag_at(&s->diag, EXIT_NO_MATCH, r->options.source, 0,
                "no calls of its functions are kept in .troupe/unit");
        diag_hint(&s->diag, "%s unit FILE.c writes tests and keeps them",
                  command_typed());
        return s->diag.status;
    }
    struct text t = {0};
    text_format(&t, "%u of %u kept calls changed\n", r->changed, r->kept);
    unit_report_text(&r->report, text_get(&t));
    text_free(&t);
    return interrupted() ? EXIT_INTERRUPTED : r->changed ? EXIT_BUG : EXIT_GOOD;
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
    tell_changes(r, r->subject.ir->fns.at[fn]->name);
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
    struct session *s = r->session;
    double from = clock_now();
    bool ok = true;
    for (uint32_t i = 0; i < r->fns.n && ok && !interrupted(); i++) {
        double begin = clock_now();
        ok = do_function(r, r->fns.at[i], share_of(r, from, r->fns.n - i));
        double searched = ok ? vec_last(&r->report.files).of->seconds : 0;
        r->beside += (clock_now() - begin - searched - r->beside) / (i + 1);
    }
    r->report.interrupted = interrupted();
    ok = ok && page_write(s, text_get(&r->pages), false);
    text_free(&r->pages);
    return ok;
}

// --at LINE, or --at FILE:LINE of the source itself.
static bool take_lines(struct run *r)
{
    struct session *s = r->session;
    uint32_t n = option_count(s->options, OPT_at);
    uint32_t *lines = arena_zero(&s->arena, (n + 1ul) * sizeof *lines);
    for (uint32_t i = 0; i < n; i++) {
        const char *word = option_item(s->options, OPT_at, i);
        const char *colon = strrchr(word, ':');
        uint64_t line;
        if (!number_parse(colon ? colon + 1 : word, &line) || !line ||
            line > UINT32_MAX)
            return diag_set(&s->diag, EXIT_USAGE,
                            "--at %s: not a line of the source", word);
        lines[i] = (uint32_t)line;
    }
    r->search.lines = lines;
    r->search.n_lines = n;
    return true;
}

// A line is asked for of the function that has it.
static bool check_lines(struct run *r)
{
    struct arena *a = &r->session->arena;
    for (uint32_t i = 0; i < r->search.n_lines; i++) {
        bool any = false;
        for (uint32_t k = 0; k < r->fns.n; k++) {
            struct guide g = {0};
            any |=
                guide_point(r->subject.ir, r->subject.ir->fns.at[r->fns.at[k]],
                            r->search.lines[i], 0, a, &g);
            guide_free(&g);
        }
        if (!any)
            return diag_at(&r->session->diag, EXIT_NO_MATCH, r->options.source,
                           (int)r->search.lines[i],
                           "no code of the functions under test is there");
    }
    return true;
}

// What only tasks have.
static bool refuse_task_options(struct session *s)
{
    static const struct {
        enum option_id id;
        const char *name;
    } all[] = {{OPT_switches, "switches"},
               {OPT_queue, "queue"},
               {OPT_prune, "prune"},
               {OPT_policy, "policy"},
               {OPT_distinct, "distinct"},
               {OPT_stopped, "stopped"},
               {OPT_every_actor, "every-actor"}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (option_given(s->options, all[i].id)) {
            diag_set(&s->diag, EXIT_USAGE, "--%s is for tasks only",
                     all[i].name);
            diag_hint(&s->diag, "%s unit FILE.c:CLASS.MESSAGE",
                      command_typed());
            return false;
        }
    return true;
}

static bool check_pre(struct run *r)
{
    const char *pre = r->options.pre;
    return !pre || access(pre, R_OK) == 0 ||
           diag_at(&r->session->diag, EXIT_USAGE, pre, 0, "no such file");
}

static bool prepare(struct run *r)
{
    struct session *s = r->session;
    r->search.seed = option_number(s->options, OPT_seed);
    r->search.no_traps = option_flag(s->options, OPT_no_traps);
    r->search.fewest = option_flag(s->options, OPT_fewest);
    r->search.strict = option_flag(s->options, OPT_strict);
    r->search.local = option_flag(s->options, OPT_local);
    if (!take_lines(r))
        return false;
    bool guided = r->search.local || r->search.n_lines;
    r->search.all = option_given(s->options, OPT_loop) && !guided;
    r->search.loop = r->search.loop_to = 1;
    if (option_given(s->options, OPT_loop) &&
        !unit_loop(s, &r->search.loop, &r->search.loop_to))
        return false;
    r->search.recursion =
        option_given(s->options, OPT_recursion)
            ? (uint32_t)option_number(s->options, OPT_recursion)
            : UINT32_MAX;
    r->search.by_path = strcmp(option_text(s->options, OPT_cases), "path") == 0;
    r->search.lazy = option_flag(s->options, OPT_lazy);
    r->search.inlined = option_flag(s->options, OPT_inline);
    r->search.overflow = option_flag(s->options, OPT_overflow);
    r->search.array = (uint32_t)option_number(s->options, OPT_array);
    if (r->search.array > ARRAY_MOST ||
        (option_given(s->options, OPT_array) && !r->search.array))
        return diag_set(&s->diag, EXIT_USAGE, "--array takes 1 to %d elements",
                        ARRAY_MOST);
    if (!refuse_task_options(s) || !check_pre(r))
        return false;
    if (!verify_possible(&s->arena)) {
        diag_set(&s->diag, EXIT_USAGE, "cmocka is not installed");
        diag_hint(&s->diag, "Debian: apt install libcmocka-dev");
        return false;
    }
    return unit_build(&s->arena, &r->options, &r->subject, &s->diag) &&
           choose_functions(r) && check_lines(r) && make_folder(r) &&
           runner_open(&r->subject, &s->diag);
}

// FILE.c:CLASS.MESSAGE
static int do_tasks(struct run *r)
{
    const char *dir = option_text(r->session->options, OPT_out);
    struct task_source from = {.path = r->options.source,
                               .flags = r->options.flags,
                               .n_flags = r->options.n_flags,
                               .others = r->options.others,
                               .n_others = r->options.n_others,
                               .database = r->options.database,
                               .names = r->names,
                               .folder = dir ? dir : "tests"};
    int status = unit_tasks(r->session, &from);
    vec_free(&r->flags);
    vec_free(&r->others);
    return status;
}

int cmd_unit(struct session *s)
{
    struct run r = {.session = s};
    if (!take_word(&r))
        return s->diag.status;
    collect_flags(&r);
    if (r.names && strchr(r.names, '.'))
        return do_tasks(&r);
    interrupt_catch();
    r.report = (struct unit_report){.session = s, .subject = &r.subject};
    bool ok = prepare(&r), check = option_flag(s->options, OPT_check);
    ok = ok && (check || do_all(&r));
    int status = !ok     ? s->diag.status
                 : check ? do_check(&r)
                         : unit_report_end(&r.report);
    runner_close();
    unit_report_free(&r.report);
    unit_release(&r.subject);
    vec_free(&r.fns);
    vec_free(&r.flags);
    vec_free(&r.others);
    interrupt_release();
    return status;
}
