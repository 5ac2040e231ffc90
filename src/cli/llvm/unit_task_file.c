// The file of tests of a task, and a kept case for each.
#include "cli/llvm/unit_task.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"
#include "cli/session.h"
#include "play/case.h"
#include "program/home.h"
#include "troupe.h"
#include "unit/testfile.h"

static void print_schedule(const char *steps, struct text *t)
{
    for (const char *p = steps; *p;) {
        size_t n = strcspn(p, ";");
        n += p[n] ? (p[n + 1] ? 2 : 1) : 0;
        text_format(t, "\n        \"%.*s\"", (int)n, p);
        p += n;
    }
}

// Parts with "; " between them, in lines that are not too long.
static void print_comment(const char *parts, struct text *t)
{
    size_t column = 0;
    while (*parts) {
        const char *end = strstr(parts, "; ");
        size_t n = end ? (size_t)(end - parts) + 1 : strlen(parts);
        if (column && column + n >= 78)
            column = 0;
        text_add(t, column                                  ? " "
                    : t->n && text_get(t)[t->n - 1] != '\n' ? "\n// "
                                                            : "// ");
        text_format(t, "%.*s", (int)n, parts);
        column += n + 1;
        parts += n;
        parts += strspn(parts, " ");
    }
    text_char(t, '\n');
}

static void print_case(const struct task_case *c, const char *expect,
                       struct text *t)
{
    text_format(t, "\n%s%s", c->before, *c->before ? "\n" : "");
    if (*c->decisions)
        print_comment(c->decisions, t);
    if (*c->waiting)
        text_format(t, "// %s wait%s\n", c->waiting,
                    strchr(c->waiting, '}') == strrchr(c->waiting, '}') ? "s"
                                                                        : "");
    if (c->labels & SX_MODELLED)
        text_add(t, "// leans on a model of a library function\n");
    text_format(t, "TR_TEST(%s, .delivery = \"any\", .strict = true,\n",
                c->name);
    if (expect)
        text_format(t, "        .expect = \"%s\",\n", expect);
    text_add(t, "        .schedule =");
    print_schedule(c->steps, t);
    text_format(t, ")\n{\n%s}\n", c->body);
}

static bool compares_texts(const struct task_outcome *x)
{
    for (uint32_t i = 0; i < x->cases.n; i++)
        if (strstr(x->cases.at[i].body, "strcmp("))
            return true;
    return false;
}

static void print_file(struct tasks *t, const struct task_outcome *x,
                       const char *path, struct text *to)
{
    struct session *s = t->s;
    struct text rest = {0};
    text_format(&rest,
                "/* Tests of the task %s.  Each makes the actors, sends the "
                "call and what\n * waits, and follows one order of receives: "
                "\"a#1 m<b#2\" is that a#1 receives\n * m from b#2.  "
                "Build and run:\n *   cc -g",
                x->name);
    for (uint32_t i = 0; i < s->flags.n; i++)
        text_format(&rest, " %s", s->flags.at[i]);
    text_format(&rest, " %s", path);
    for (uint32_t i = 0; i < t->from->n_others; i++)
        text_format(&rest, " %s", t->from->others[i]);
    text_add(&rest, " \\\n *      $(pkg-config --cflags --libs troupe-test) && "
                    "./a.out\n */\n");
    if (t->from->has_main)
        text_add(&rest, "#define main main_of_source\n");
    text_format(&rest, "#include \"%s\"\n",
                testfile_relative(&s->arena, t->from->folder, t->from->path));
    if (t->from->has_main)
        text_add(&rest, "#undef main\n");
    text_add(&rest, "\n#undef NDEBUG\n#include <assert.h>\n#include "
                    "<stdlib.h>\n");
    if (compares_texts(x))
        text_add(&rest, "#include <string.h>\n");
    for (uint32_t i = 0; i < x->cases.n; i++)
        print_case(&x->cases.at[i], x->cases.at[i].trap, &rest);
    testfile_sign(&rest, to);
    text_free(&rest);
}

static bool is_used(const struct task_outcome *f, uint32_t n, const char *name)
{
    for (uint32_t i = 0; i < n; i++)
        if (strcmp(f->cases.at[i].name, name) == 0)
            return true;
    return false;
}

// Names of classes that a test makes begin with its own.
static const char *with_name(struct arena *a, const char *text,
                             const char *from, const char *to)
{
    struct text t = {0};
    const char *p = text, *at;
    while ((at = strstr(p, from))) {
        text_bytes(&t, p, (size_t)(at - p));
        text_add(&t, to);
        p = at + strlen(from);
    }
    text_add(&t, p);
    const char *out = arena_text(a, text_get(&t));
    text_free(&t);
    return out;
}

static void unique_names(struct tasks *t, struct task_outcome *f)
{
    struct arena *a = &t->s->arena;
    for (uint32_t i = 1; i < f->cases.n; i++) {
        struct task_case *c = &f->cases.at[i];
        const char *name = c->name;
        for (uint32_t k = 2; is_used(f, i, name); k++)
            name = arena_format(a, "%s_%u", c->name, k);
        if (name == c->name)
            continue;
        const char *old = arena_format(a, "%s_", c->name);
        const char *new = arena_format(a, "%s_", name);
        c->before = with_name(a, c->before, old, new);
        c->body = with_name(a, c->body, old, new);
        c->steps = with_name(a, c->steps, old, new);
        c->name = name;
    }
}

static bool keep_cases(struct tasks *t, const struct task_outcome *x)
{
    struct session *s = t->s;
    mkdir(home_path(&s->arena, ""), 0777);
    mkdir(home_path(&s->arena, "unit"), 0777);
    for (uint32_t i = 0; i < x->cases.n; i++) {
        const struct task_case *k = &x->cases.at[i];
        struct test_case c = {
            .tool = TR_VERSION, .test = k->name, .delivery = "any"};
        vec_push(&c.programs, home_name(&s->arena, x->path));
        for (uint32_t n = 0; n < t->from->n_others; n++)
            vec_push(&c.programs, home_name(&s->arena, t->from->others[n]));
        for (uint32_t n = 0; n < s->flags.n; n++)
            vec_push(&c.flags, s->flags.at[n]);
        c.bug.kind = k->trap ? bug_kind_of(k->trap) : BUG_NONE;
        char *steps = arena_text(&s->arena, k->steps), *save = NULL;
        for (char *p = strtok_r(steps, ";", &save); p;
             p = strtok_r(NULL, ";", &save)) {
            struct words_step w;
            if (!words_parse(&s->arena, p + strspn(p, " "), &w))
                vec_push(&c.steps, w);
        }
        bool ok = case_write(
            &c,
            home_path(&s->arena,
                      arena_format(&s->arena, "unit/%s.case", k->name)),
            &s->diag);
        case_release(&c);
        if (!ok)
            return false;
    }
    return true;
}

bool task_file_try(struct tasks *t, struct task_outcome *x, bool *lost,
                   uint8_t *hits)
{
    struct session *s = t->s;
    const char *trial = arena_format(&s->arena, "%s/.task-%ld.c",
                                     t->from->folder, (long)getpid());
    struct text text = {0};
    bool made = mkdir(t->from->folder, 0777) == 0;
    unique_names(t, x);
    print_file(t, x, trial, &text);
    bool ok = session_write(s, trial, &text) &&
              task_confirm(s, t->from, trial, x, lost, hits);
    unlink(trial);
    if (made && option_flag(s->options, OPT_dry_run))
        rmdir(t->from->folder);
    text_free(&text);
    return ok;
}

bool task_file_write(struct tasks *t, struct task_outcome *x)
{
    struct session *s = t->s;
    const char *path = arena_format(&s->arena, "%s/task_%s.c", t->from->folder,
                                    t->ir->fns.at[x->o.fn]->name);
    struct text text = {0};
    print_file(t, x, path, &text);
    x->path = path;
    bool ok = testfile_write(&s->arena, &text, &x->path, &s->diag);
    x->beside = ok && strcmp(x->path, path) != 0;
    text_free(&text);
    return ok && keep_cases(t, x);
}
