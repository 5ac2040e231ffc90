// From CLASS.MESSAGE to handlers, their cases and the files that are written.
#include "cli/llvm/unit_task.h"

#include "cli/llvm/unit_loop.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/clock.h"
#include "base/hash.h"
#include "base/interrupt.h"
#include "base/text.h"
#include "cli/session.h"
#include "flow/related.h"
#include "play/play.h"
#include "program/build.h"

enum { SWITCHES_MOST = 64, QUEUE_MOST = 16, LOOP_MOST = 1000 };
static const double COMPARE = 2;  // seconds to count orders without prunings
static const double SEARCH = 0.6; // of the time; the rest is for native runs

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
    t->o.ticks = TICKS_USUAL;
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
                   "'%s' must be int %s(tr_ctx *ctx, struct %s *self, const "
                   "struct %s *msg)",
                   name, name, t->ir->classes.at[x->o.cls].name,
                   t->ir->msgs.at[x->o.msg].name);
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
    if (f->sides[side] & TASK_SIDE_ENDS)
        return x->why ? x->why : "a path takes it, but no test of it is left";
    if (f->stopped)
        return t->interrupted ? "interrupted" : "time (--time)";
    if (f->notes.n)
        return f->notes.at[0];
    struct text text = {0};
    if (f->cut_loops)
        text_format(&text, ", %u turns of a loop (--loop %u)", f->loop,
                    f->loop * 2);
    if (f->cut_switches)
        text_format(&text, ", %u switches of one actor (--switches %u)",
                    x->o.switches, x->o.switches * 2);
    if (f->cut_actors)
        text_format(&text, ", %u actors", TASK_ACTORS);
    if (f->more)
        text_format(&text, ", %u messages that wait (--queue %u)", x->o.queue,
                    x->o.queue + 1);
    const char *out =
        text.n ? arena_format(a, "needs more than %s", text_get(&text) + 2)
        : f->sides[side] && f->complete
            ? "no order that takes it gets to the end of the task"
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

static bool has_result(const struct task_found *f, uint64_t key)
{
    for (uint32_t k = 0; k < f->results.n; k++)
        if (f->results.at[k] == key)
            return true;
    return false;
}

// How many orders do the prunings save?  What they lose is taken in: what comes
// of a task does not depend on them, as far as there is time.
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
    }
    for (uint32_t i = 0; i < all.cases.n; i++)
        if (!has_result(&x->found, all.cases.at[i].key)) {
            vec_push(&x->found.cases, all.cases.at[i]);
            x->regained++;
        }
    for (uint32_t i = 0; i < x->sides.at.n; i++)
        x->found.sides[i] |= all.sides[i];
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
    if (!task_interrupted(t))
        compare(t, x, seconds - (clock_now() - begin));
    bool ok = task_choose(t, x, hits);
    if (ok && x->cases.n && !option_flag(t->s->options, OPT_dry_run))
        ok = task_file_write(t, x);
    judge_sides(t, x, hits);
    x->seconds = clock_now() - begin;
    if (ok)
        task_report(t, x);
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
    for (uint32_t i = 0; i < t.all.n && ok && !task_interrupted(&t); i++) {
        double left = (all - (clock_now() - begin)) / (t.all.n - i);
        double share = t.all.n > 1 && left > 10 ? 10 : left;
        ok = do_task(&t, t.all.at[i], share > 0.1 ? share : 0.1);
    }
    int status = ok ? task_report_end(&t) : s->diag.status;
    if (ok && t.interrupted)
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
