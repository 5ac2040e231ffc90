// From CLASS.MESSAGE to handlers, their cases and the files that are written.
#include "cli/llvm/unit_task.h"

#include "cli/llvm/unit_loop.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/hash.h"
#include "base/interrupt.h"
#include "base/text.h"
#include "cli/session.h"
#include "flow/related.h"
#include "play/case.h"
#include "program/build.h"
#include "program/home.h"
#include "troupe.h"
#include "unit/testfile.h"

enum { SWITCHES_MOST = 64, QUEUE_MOST = 16, LOOP_MOST = 1000 };
static const double COMPARE = 2;  // seconds to count orders without prunings
static const double SEARCH = 0.6; // of the time; the rest is for native runs
enum { ROUNDS = 3, WRITTEN_MOST = 60 };

struct tasks {
    struct session *s;
    const struct task_source *from;
    struct ir *ir;
    struct flow *flow;
    struct task_options o;
    uint8_t *policies;
    VEC(struct task_outcome *) all;
};

// ---- options ------------------------------------------------------------

static bool read_prunings(struct tasks *t)
{
    const char *text = option_text(t->s->options, OPT_prune);
    t->o.prunings = 0;
    if (strcmp(text, "none") == 0)
        return true;
    for (const char *p = text; *p; p++) {
        if (*p < '1' || *p > '3' || (p[1] && p[1] != ','))
            return diag_set(&t->s->diag, EXIT_USAGE,
                            "--prune takes 1,2,3 or none, not '%s'", text);
        t->o.prunings |= 1u << (*p - '1');
        p += p[1] == ',';
    }
    return true;
}

// "fifo" for all classes, "a=lifo" for one.
static bool read_policy(struct tasks *t, const char *word)
{
    const char *is = strchr(word, '='), *what = is ? is + 1 : word;
    uint8_t p = strcmp(what, "fifo") == 0   ? SX_OLDEST
                : strcmp(what, "lifo") == 0 ? SX_NEWEST
                                            : SX_ANY_TASK;
    bool any = false;
    if (p == SX_ANY_TASK)
        return diag_set(&t->s->diag, EXIT_USAGE,
                        "--policy takes [CLASS=]fifo or [CLASS=]lifo, not '%s'",
                        word);
    if (!t->policies)
        t->policies = arena_zero(&t->s->arena, t->ir->classes.n + 1ul);
    t->o.policies = t->policies;
    for (uint32_t i = 0; i < t->ir->classes.n; i++) {
        const char *name = t->ir->classes.at[i].name;
        if (is && (strlen(name) != (size_t)(is - word) ||
                   strncmp(name, word, strlen(name)) != 0))
            continue;
        t->policies[i] = p;
        any = true;
    }
    return any || diag_set(&t->s->diag, EXIT_NO_MATCH,
                           "--policy %s: there is no such class", word);
}

static bool read_options(struct tasks *t)
{
    const struct options *o = t->s->options;
    t->o.switches = (uint32_t)option_number(o, OPT_switches);
    t->o.queue = (uint32_t)option_number(o, OPT_queue);
    t->o.all = option_given(o, OPT_loop);
    uint32_t least;
    t->o.loop = 1;
    if (t->o.all && !unit_loop(t->s, &least, &t->o.loop))
        return false;
    t->o.distinct = option_flag(o, OPT_distinct);
    t->o.stopped = option_flag(o, OPT_stopped);
    t->o.every_object = option_flag(o, OPT_every_actor);
    t->o.overflow = option_flag(o, OPT_overflow);
    if (t->o.switches > SWITCHES_MOST || t->o.queue > QUEUE_MOST ||
        t->o.loop > LOOP_MOST)
        return diag_set(&t->s->diag, EXIT_USAGE,
                        "--switches takes at most %d, --queue %d, --loop %d",
                        SWITCHES_MOST, QUEUE_MOST, LOOP_MOST);
    for (uint32_t i = 0; i < option_count(o, OPT_policy); i++)
        if (!read_policy(t, option_item(o, OPT_policy, i)))
            return false;
    return read_prunings(t);
}

// ---- names --------------------------------------------------------------

static uint32_t find_msg(const struct ir *ir, const char *name)
{
    for (uint32_t i = 0; i < ir->msgs.n; i++)
        if (strcmp(ir->msgs.at[i].name, name) == 0)
            return i;
    return IR_NOTHING;
}

static bool is_known(const struct tasks *t, uint32_t cls, uint32_t fn)
{
    for (uint32_t i = 0; i < t->all.n; i++)
        if (t->all.at[i]->o.cls == cls && t->all.at[i]->o.fn == fn)
            return true;
    return false;
}

static bool precondition(struct tasks *t, struct task_outcome *x)
{
    const char *name =
        arena_format(&t->s->arena, "pre_%s", t->ir->fns.at[x->o.fn]->name);
    x->o.pre = ir_find_fn(t->ir, name);
    if (x->o.pre == IR_NOTHING)
        return true;
    const struct ir_fn *pre = t->ir->fns.at[x->o.pre];
    if (pre->defined && pre->n_params == 3 && pre->result.kind == IR_INT)
        return true;
    return diag_at(&t->s->diag, EXIT_USAGE, t->ir->files.at[pre->file],
                   (int)pre->line,
                   "'%s' must take the parameters of '%s' and return a truth "
                   "value",
                   name, t->ir->fns.at[x->o.fn]->name);
}

// Each handler that the class has for the message, with the first behaviour
// that has it.
static bool add_task(struct tasks *t, const char *name)
{
    struct session *s = t->s;
    const char *dot = strchr(name, '.');
    const char *path = t->from->path;
    if (!dot)
        return diag_at(&s->diag, EXIT_USAGE, path, 0,
                       "'%s': functions and tasks cannot be mixed; a task is "
                       "CLASS.MESSAGE",
                       name);
    const char *class =
        arena_format(&s->arena, "%.*s", (int)(dot - name), name);
    uint32_t cls = ir_find_class(t->ir, class);
    uint32_t msg = find_msg(t->ir, dot + 1);
    if (cls == IR_NOTHING)
        return diag_at(&s->diag, EXIT_NO_MATCH, path, 0,
                       "no class '%s' is defined there", class);
    if (msg == IR_NOTHING)
        return diag_at(&s->diag, EXIT_NO_MATCH, path, 0,
                       "no message '%s' is declared there", dot + 1);
    uint32_t before = t->all.n;
    for (int first = 1; first >= 0; first--)
        for (uint32_t i = 0; i < t->flow->handlers.n; i++) {
            const struct flow_handler *h = &t->flow->handlers.at[i];
            bool start = h->behaviour == t->ir->classes.at[cls].start;
            if (h->cls != cls || h->msg != msg || start != (first == 1) ||
                is_known(t, cls, h->fn))
                continue;
            struct task_outcome *x = arena_zero(&s->arena, sizeof *x);
            x->name = arena_text(&s->arena, name);
            x->o = t->o;
            x->no_traps = option_flag(s->options, OPT_no_traps);
            x->strict = option_flag(s->options, OPT_strict);
            x->o.ir = t->ir;
            x->o.flow = t->flow;
            x->o.cls = cls;
            x->o.msg = msg;
            x->o.fn = h->fn;
            x->o.behaviour = h->behaviour;
            if (!precondition(t, x))
                return false;
            vec_push(&t->all, x);
        }
    return t->all.n > before ||
           diag_at(&s->diag, EXIT_NO_MATCH, path, 0,
                   "class '%s' has no handler for '%s'", class, dot + 1);
}

static bool add_tasks(struct tasks *t)
{
    char *names = arena_text(&t->s->arena, t->from->names), *save = NULL;
    for (char *n = strtok_r(names, ",:", &save); n;
         n = strtok_r(NULL, ",:", &save))
        if (!add_task(t, n))
            return false;
    return true;
}

// ---- the file -----------------------------------------------------------

static void print_schedule(const char *steps, struct text *t)
{
    for (const char *p = steps; *p;) {
        size_t n = strcspn(p, ";");
        n += p[n] ? (p[n + 1] ? 2 : 1) : 0;
        text_format(t, "\n        \"%.*s\"", (int)n, p);
        p += n;
    }
}

static void print_case(const struct task_case *c, const char *expect,
                       struct text *t)
{
    text_format(t, "\n%s%s", c->before, *c->before ? "\n" : "");
    if (*c->decisions)
        text_format(t, "// %s\n", c->decisions);
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

static void print_file(struct tasks *t, const struct task_outcome *x,
                       const char *path, struct text *to)
{
    struct session *s = t->s;
    struct text rest = {0};
    text_format(&rest,
                "/* Tests of the task %s.  Each makes the actors, sends the "
                "call and what\n * waits, and follows one order of receives.  "
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

// Under another name, for the native runs.
static bool try_file(struct tasks *t, struct task_outcome *x, bool *lost,
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

static bool write_file(struct tasks *t, struct task_outcome *x)
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

// ---- which cases --------------------------------------------------------

static bool same_place(const struct task_case *a, const struct task_case *b)
{
    return a->end == TASK_TRAPS && b->end == TASK_TRAPS && a->fn == b->fn &&
           a->inst == b->inst;
}

// A candidate is taken if it has a side that no simpler one has, or a trap at a
// new place; all are, if all were asked for.
static bool adds(const struct task_outcome *x, const struct task_case *c,
                 const uint8_t *have)
{
    if (c->end == TASK_TRAPS && x->no_traps)
        return false;
    if (x->strict && c->labels & (SX_ASSUMED_INSIDE | SX_STUBBED | SX_MODELLED))
        return false;
    if (x->o.all)
        return true;
    for (uint32_t i = 0; i < x->cases.n; i++)
        if (same_place(c, &x->cases.at[i]))
            return false;
    for (uint32_t i = 0; i < x->silent.n; i++)
        if (same_place(c, &x->silent.at[i]))
            return false;
    if (c->end == TASK_TRAPS || !x->sides.at.n)
        return c->end == TASK_TRAPS || !x->cases.n;
    for (uint32_t i = 0; i < x->sides.at.n; i++)
        if (c->sides[i] && !have[i])
            return true;
    return false;
}

// Candidates that were tried are out.  Returns how many were added.
static uint32_t choose(struct task_outcome *x, bool *tried)
{
    uint8_t have[4096] = {0};
    uint32_t n = 0;
    x->unwritten = 0;
    for (uint32_t i = 0; i < x->cases.n; i++)
        for (uint32_t k = 0; k < x->sides.at.n && k < sizeof have; k++)
            have[k] |= x->cases.at[i].sides[k];
    for (uint32_t i = 0; i < x->found.cases.n; i++) {
        const struct task_case *c = &x->found.cases.at[i];
        if (tried[i] || !adds(x, c, have))
            continue;
        if (x->cases.n == WRITTEN_MOST) {
            x->unwritten++;
            continue;
        }
        tried[i] = true;
        vec_push(&x->cases, *c);
        n++;
        for (uint32_t k = 0; k < x->sides.at.n && k < sizeof have; k++)
            have[k] |= c->sides[k];
    }
    return n;
}

// What the native runs do not bear out is taken out, and others come in for it.
static bool confirm(struct tasks *t, struct task_outcome *x, uint8_t *hits)
{
    struct arena *a = &t->s->arena;
    bool *tried = arena_zero(a, x->found.cases.n + 1ul), ok = true;
    uint32_t lost_now = 1;
    for (uint32_t round = 0; round < ROUNDS && lost_now && ok; round++) {
        if (!choose(x, tried))
            break;
        bool *lost = arena_zero(a, x->cases.n + 1ul);
        uint32_t kept = 0;
        memset(hits, 0, x->sides.at.n);
        ok = try_file(t, x, lost, hits);
        for (uint32_t i = 0; ok && i < x->cases.n; i++)
            if (!lost[i])
                x->cases.at[kept++] = x->cases.at[i];
        lost_now = x->cases.n - kept;
        if (ok)
            x->cases.n = kept;
    }
    return ok;
}

// ---- one task -----------------------------------------------------------

// The condition of an await_until as the source has it: the macro's loop tests
// that it does not hold.
static void plain_conditions(struct arena *a, struct sides *sides)
{
    static const char *const macros[] = {"tr_await_until(", "await_until("};
    for (uint32_t i = 0; i < sides->at.n; i++) {
        struct side *s = &sides->at.at[i];
        for (uint32_t k = 0; k < 2; k++) {
            size_t n = strlen(macros[k]), length = strlen(s->text);
            if (strncmp(s->text, macros[k], n) != 0 || length < n + 2)
                continue;
            const char *from = s->text + n;
            if (k == 0)
                from += strcspn(from, ",") + 1;
            from += strspn(from, " ");
            size_t end = strlen(from);
            end -= end && from[end - 1] == ')';
            s->text = arena_format(a, "%.*s", (int)end, from);
            s->which = strcmp(s->which, "true") == 0 ? "false" : "true";
            break;
        }
    }
}

// The bound that keeps a side open.
static const char *why_open(struct tasks *t, const struct task_outcome *x,
                            uint32_t side)
{
    struct arena *a = &t->s->arena;
    const struct task_found *f = &x->found;
    if (f->died)
        return "the search was lost";
    if (f->sides[side])
        return x->why ? x->why : "a path takes it, but no test of it is left";
    if (f->stopped)
        return "time (--time)";
    if (f->notes.n)
        return f->notes.at[0];
    struct text text = {0};
    if (f->cut_loops)
        text_format(&text, ", %u turns of a loop (--loop %u)", f->loop,
                    f->loop * 2);
    if (f->cut_switches)
        text_format(&text, ", %u switches of one actor (--switches %u)",
                    x->o.switches, x->o.switches * 2);
    if (f->more)
        text_format(&text, ", %u messages that wait (--queue %u)", x->o.queue,
                    x->o.queue + 1);
    const char *out =
        text.n ? arena_format(a, "needs more than %s", text_get(&text) + 2)
               : "needs other messages to the actors that are given";
    text_free(&text);
    return out;
}

static void judge_sides(struct tasks *t, struct task_outcome *x,
                        const uint8_t *hits)
{
    for (uint32_t i = 0; i < x->sides.at.n; i++) {
        struct side_result *r = &x->of[i];
        if (hits[i])
            r->state = SIDE_COVERED;
        else if (x->found.complete && !x->found.sides[i] && !x->o.distinct)
            *r = (struct side_result){SIDE_INFEASIBLE,
                                      "no order of receives takes it"};
        else
            *r = (struct side_result){SIDE_OPEN, why_open(t, x, i)};
    }
}

static bool same_results(const struct task_found *a, const struct task_found *b)
{
    for (uint32_t i = 0; i < b->results.n; i++) {
        bool found = false;
        for (uint32_t k = 0; k < a->results.n; k++)
            found |= a->results.at[k] == b->results.at[i];
        if (!found)
            return false;
    }
    return true;
}

// How many orders do the prunings save?
static void compare(struct tasks *t, struct task_outcome *x, double left)
{
    struct task_options o = x->o;
    struct task_found all = {0};
    uint32_t msgs[64];
    o.prunings = 0;
    if (!x->o.prunings || x->found.stopped || x->found.died ||
        flow_related(t->flow, o.cls, o.fn, 0, msgs, 64) == x->found.n_related)
        return;
    o.seconds = left / 4 < COMPARE ? left / 4 : COMPARE;
    task_search(&o, &x->sides, &t->s->arena, &all);
    if (!all.died) {
        x->unpruned = all.orders;
        x->unpruned_more = all.stopped;
        x->differs = !same_results(&x->found, &all);
    }
    task_found_free(&all);
}

static bool do_task(struct tasks *t, struct task_outcome *x, double seconds)
{
    struct arena *a = &t->s->arena;
    double begin = clock_now();
    const struct ir_fn *f = t->ir->fns.at[x->o.fn];
    sides_of(t->ir, f, a, &x->sides);
    plain_conditions(a, &x->sides);
    x->of = arena_zero(a, (x->sides.at.n + 1ul) * sizeof *x->of);
    uint8_t *hits = arena_zero(a, x->sides.at.n + 1ul);
    x->o.seconds = seconds * SEARCH;
    x->until = begin + seconds;
    task_search(&x->o, &x->sides, a, &x->found);
    compare(t, x, seconds - (clock_now() - begin));
    bool ok = confirm(t, x, hits);
    if (ok && x->cases.n && !option_flag(t->s->options, OPT_dry_run))
        ok = write_file(t, x);
    judge_sides(t, x, hits);
    x->seconds = clock_now() - begin;
    if (ok)
        task_report(t->s, t->from, x);
    return ok;
}

// ---- all of it ----------------------------------------------------------

// Types of replies that nothing in the source makes the compiler describe.
static bool wants_types(const struct ir *ir, struct text *t)
{
    bool any = false;
    for (uint32_t i = 0; i < ir->msgs.n; i++) {
        const struct ir_msg *m = &ir->msgs.at[i];
        if (m->reply && m->reply_type == IR_NOTHING) {
            text_format(t, "struct %s *unit_reply_of_%s;\n", m->reply, m->name);
            any = true;
        }
    }
    return any;
}

// A file that includes the source and names them.
static const char *with_types(struct tasks *t)
{
    struct session *s = t->s;
    struct text text = {0}, types = {0};
    char full[4096];
    const char *folder = build_cache(&s->arena), *out = NULL;
    if (wants_types(t->ir, &types) && folder && realpath(t->from->path, full)) {
        text_format(&text, "#include \"%s\"\n%s", full, text_get(&types));
        out = arena_format(
            &s->arena, "%s/task-%016llx.c", folder,
            (unsigned long long)hash_bytes(text_get(&text), text.n));
        if (!session_write(s, out, &text))
            out = NULL;
    }
    text_free(&text);
    text_free(&types);
    return out;
}

static bool load(struct tasks *t)
{
    struct session *s = t->s;
    const struct task_source *from = t->from;
    const char **paths =
        arena_get(&s->arena, (from->n_others + 2ul) * sizeof *paths);
    uint32_t n = 0;
    struct ir_options o = {.flags = from->flags,
                           .n_flags = from->n_flags,
                           .database = from->database};
    struct flow_options fo = {.open = true};
    paths[n++] = from->path;
    for (uint32_t i = 0; i < from->n_others; i++)
        paths[n++] = from->others[i];
    if (option_text(s->options, OPT_pre))
        paths[n++] = option_text(s->options, OPT_pre);
    t->ir = ir_load(paths, n, &o, &s->diag);
    const char *wrapper = t->ir ? with_types(t) : NULL;
    if (wrapper) {
        ir_free(t->ir);
        paths[0] = wrapper;
        t->ir = ir_load(paths, n, &o, &s->diag);
    }
    t->flow = t->ir ? flow_new(t->ir, &fo, &s->diag) : NULL;
    return t->flow != NULL;
}

static bool make_folder(struct tasks *t)
{
    if (option_flag(t->s->options, OPT_dry_run) ||
        mkdir(t->from->folder, 0777) == 0 || errno == EEXIST)
        return true;
    return diag_set(&t->s->diag, EXIT_USAGE, "cannot make '%s': %s",
                    t->from->folder, strerror(errno));
}

int unit_tasks(struct session *s, const struct task_source *source)
{
    struct task_source from = *source;
    struct tasks t = {.s = s, .from = &from};
    double all = (double)option_duration(s->options, OPT_time) * 1e-9;
    double begin = clock_now();
    interrupt_catch();
    bool ok = load(&t);
    if (ok) {
        uint32_t main = ir_find_fn(t.ir, "main");
        from.has_main = main != IR_NOTHING && t.ir->fns.at[main]->defined;
    }
    ok = ok && read_options(&t) && add_tasks(&t) && make_folder(&t);
    for (uint32_t i = 0; i < t.all.n && ok && !interrupted(); i++) {
        double left = (all - (clock_now() - begin)) / (t.all.n - i);
        double share = t.all.n > 1 && left > 10 ? 10 : left;
        ok = do_task(&t, t.all.at[i], share > 0.1 ? share : 0.1);
    }
    int status = ok ? task_report_end(
                          s, &from,
                          (const struct task_outcome *const *)t.all.at, t.all.n)
                    : s->diag.status;
    if (ok && interrupted())
        status = EXIT_INTERRUPTED;
    for (uint32_t i = 0; i < t.all.n; i++) {
        task_found_free(&t.all.at[i]->found);
        vec_free(&t.all.at[i]->cases);
        vec_free(&t.all.at[i]->silent);
        sides_free(&t.all.at[i]->sides);
    }
    vec_free(&t.all);
    flow_free(t.flow);
    if (t.ir)
        ir_free(t.ir);
    interrupt_release();
    return status;
}
