// What is said of tasks.
#include "cli/llvm/unit_task.h"

#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "base/junit.h"
#include "base/text.h"
#include "cli/llvm/unit_report.h"
#include "cli/session.h"

typedef unsigned long long wide;

static uint32_t count(const struct task_outcome *t, enum side_state state)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < t->sides.at.n; i++)
        n += t->of[i].state == state;
    return n;
}

static uint32_t traps(const struct task_outcome *t)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < t->cases.n; i++)
        n += t->cases.at[i].end == TASK_TRAPS;
    return n;
}

// Traps that are no null pointer which was given.
static uint32_t bugs_of(const struct task_outcome *t)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < t->cases.n; i++)
        n += t->cases.at[i].end == TASK_TRAPS && !t->cases.at[i].null;
    return n + t->silent.n;
}

static void count_text(uint32_t n, const char *what, struct text *t)
{
    text_format(t, "%u %s%s", n, what, n == 1 ? "" : "s");
}

static uint32_t line_of(const struct task_outcome *t, uint32_t fn,
                        uint32_t inst)
{
    return t->o.ir->fns.at[fn]->insts.at[inst].line;
}

// Without folders: it is in the source or one of its headers.
static const char *file_of(const struct task_outcome *t, uint32_t fn,
                           uint32_t inst)
{
    const struct ir *ir = t->o.ir;
    const char *path = ir->files.at[ir->fns.at[fn]->insts.at[inst].file];
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

// ---- text ---------------------------------------------------------------

static void head_line(const struct task_source *from,
                      const struct task_outcome *t, struct text *to)
{
    const struct ir_fn *f = t->o.ir->fns.at[t->o.fn];
    uint32_t never = count(t, SIDE_INFEASIBLE), ended = traps(t);
    text_format(to, "%s  %s:%u   branches %u of %u", t->name, from->path,
                f->line, count(t, SIDE_COVERED), t->sides.at.n);
    if (never)
        text_format(to, " (%u infeasible)", never);
    text_add(to, "   ");
    count_text(t->cases.n - ended, "test", to);
    text_add(to, ", ");
    count_text(ended, "trap", to);
    text_format(to, "   %.1f s\n", t->seconds);
}

static void orders_line(const struct task_outcome *t, struct text *to)
{
    const struct task_found *f = &t->found;
    text_format(to, "  orders %llu", (wide)f->orders);
    if (f->cut_switches)
        text_format(to, ", %llu cut at %u switches", (wide)f->cut_switches,
                    t->o.switches);
    if (f->cut_actors)
        text_format(to, ", %llu cut at %u actors", (wide)f->cut_actors,
                    TASK_ACTORS);
    if (f->cut_loops)
        text_format(to, ", %llu cut at %u turns", (wide)f->cut_loops, f->loop);
    text_format(to, "; up to %u of {", t->o.queue);
    for (uint32_t i = 0; i < f->n_related; i++)
        text_format(to, "%s%s", i ? ", " : "",
                    t->o.ir->msgs.at[f->related[i]].name);
    text_add(to, "} wait");
    if (t->unpruned > f->orders)
        text_format(to, "; prunings save %s%llu orders",
                    t->unpruned_more ? "at least " : "",
                    (wide)(t->unpruned - f->orders));
    text_char(to, '\n');
    if (t->regained) {
        text_add(to, "  note   ");
        count_text(t->regained, "result", to);
        text_add(to, " that only orders without prunings have\n");
    }
}

static void case_lines(const struct task_outcome *t, const struct task_case *c,
                       struct text *to)
{
    if (c->end == TASK_TRAPS)
        text_format(to, "  trap   %s   %s at %s:%u\n", c->name, c->trap,
                    file_of(t, c->fn, c->inst), line_of(t, c->fn, c->inst));
    else
        text_format(to, "  test   %s\n", c->name);
    if (c->null)
        text_format(
            to, "           (%s was given: is %s != NULL a precondition?)\n",
            c->null, c->null);
    text_format(to, "           given    %s\n", c->given);
    if (*c->waiting)
        text_format(to, "           waiting  %s\n", c->waiting);
    text_format(to, "           call     %s\n", c->call);
    text_format(to, "           order    %s\n", c->steps);
    if (c->result)
        text_format(to, "           result   %s%s\n", c->result,
                    c->waits ? "; another task waits for ever" : "");
}

static void stuck_line(const struct task_source *from,
                       const struct task_outcome *t, const struct task_stuck *k,
                       struct text *to)
{
    text_format(to, "  stuck  %s:%u  waits for ever", from->path,
                line_of(t, k->fn, k->inst));
    if (k->fields && *k->fields)
        text_format(to, " for %s", k->fields);
    text_format(to, " when %s", k->given);
    if (k->call && !strstr(k->call, " {}"))
        text_format(to, ", the call is %s", k->call);
    if (k->waiting && *k->waiting)
        text_format(to, " and %s", k->waiting);
    text_add(to, k->waiting && *k->waiting ? "\n" : " and nothing comes\n");
}

// A task of which no order ends has no test.
static void endless_line(const struct task_outcome *t, struct text *to)
{
    const struct task_found *f = &t->found;
    if (f->cases.n || f->stuck.n || f->died || f->stopped || !f->cut_switches)
        return;
    text_format(to,
                "  open   no order was followed to its end: needs more than %u "
                "switches of one actor (--switches %u)\n",
                t->o.switches, t->o.switches * 2);
}

static void side_lines(const struct task_source *from,
                       const struct task_outcome *t, struct text *to)
{
    for (uint32_t i = 0; i < t->sides.at.n; i++) {
        const struct side *s = &t->sides.at.at[i];
        if (t->of[i].state != SIDE_COVERED)
            text_format(to, "  %-6s %s:%u  %s is %s   %s\n",
                        t->of[i].state == SIDE_OPEN ? "open" : "never",
                        from->path, s->line, *s->text ? s->text : "condition",
                        s->which, t->of[i].why ? t->of[i].why : "");
    }
}

static bool is_silent(struct session *s)
{
    const char *json = option_text(s->options, OPT_json);
    return option_flag(s->options, OPT_quiet) ||
           (json && strcmp(json, "-") == 0);
}

void task_report(const struct tasks *all, const struct task_outcome *t)
{
    const struct task_source *from = all->from;
    struct text to = {0};
    if (is_silent(all->s))
        return;
    head_line(from, t, &to);
    orders_line(t, &to);
    for (uint32_t i = 0; i < t->cases.n; i++)
        case_lines(t, &t->cases.at[i], &to);
    for (uint32_t i = 0; i < t->silent.n; i++) {
        case_lines(t, &t->silent.at[i], &to);
        text_format(&to,
                    "           (no test: %s, but the compiled code does not "
                    "fault)\n",
                    strcmp(t->silent.at[i].trap, sx_trap_id(SX_TRAP_FREED)) == 0
                        ? "freed memory is used"
                        : "the check fails");
    }
    for (uint32_t i = 0; i < t->found.stuck.n; i++)
        stuck_line(from, t, &t->found.stuck.at[i], &to);
    endless_line(t, &to);
    side_lines(from, t, &to);
    for (uint32_t i = 0; i < t->found.notes.n; i++)
        text_format(&to, "  note   not every path became a test: %s\n",
                    t->found.notes.at[i]);
    for (uint32_t i = 0; i < t->found.remarks.n; i++)
        text_format(&to, "  note   %s\n", t->found.remarks.at[i]);
    if (t->unwritten)
        text_format(&to, "  note   %u more cases, which are not written\n",
                    t->unwritten);
    if (t->found.died)
        text_add(&to, "  note   the process of the search was lost\n");
    if (t->lost) {
        text_add(&to, "  note   ");
        count_text(t->lost, "case", &to);
        text_format(&to, " not confirmed; %s\n", t->why);
    }
    if (t->path)
        text_format(&to, "wrote %s%s\n", t->path,
                    t->beside ? "   (the file beside it was edited by hand and "
                                "is kept)"
                              : "");
    fputs(text_get(&to), stdout);
    fflush(stdout);
    text_free(&to);
}

// ---- JSON and JUnit -----------------------------------------------------

static void json_cases(const struct task_outcome *t, struct json *j)
{
    json_array(j, "cases");
    for (uint32_t i = 0; i < t->cases.n; i++) {
        const struct task_case *c = &t->cases.at[i];
        json_object(j, NULL);
        json_text(j, "name", c->name);
        json_text(j, "end", c->trap ? c->trap : "return");
        json_text(j, "given", c->given);
        json_text(j, "waiting", c->waiting);
        json_text(j, "call", c->call);
        json_text(j, "order", c->steps);
        if (c->result)
            json_text(j, "result", c->result);
        json_end(j);
    }
    json_end(j);
    json_array(j, "stuck");
    for (uint32_t i = 0; i < t->found.stuck.n; i++) {
        const struct task_stuck *k = &t->found.stuck.at[i];
        json_object(j, NULL);
        json_number(j, "line", line_of(t, k->fn, k->inst));
        json_text(j, "fields", k->fields);
        json_text(j, "given", k->given);
        json_text(j, "waiting", k->waiting);
        json_text(j, "call", k->call);
        json_end(j);
    }
    json_end(j);
}

static bool write_json(const struct tasks *all, const char *path)
{
    struct session *s = all->s;
    struct text to = {0};
    struct json j = {.to = &to};
    json_object(&j, NULL);
    session_json_head(s, &j);
    json_text(&j, "source", all->from->path);
    json_bool(&j, "interrupted", all->interrupted);
    json_array(&j, "tasks");
    for (uint32_t i = 0; i < all->all.n; i++) {
        const struct task_outcome *t = all->all.at[i];
        if (!t->of)
            continue;
        json_object(&j, NULL);
        json_text(&j, "task", t->name);
        json_text(&j, "function", t->o.ir->fns.at[t->o.fn]->name);
        json_number(&j, "orders", (int64_t)t->found.orders);
        json_number(&j, "cut at switches", (int64_t)t->found.cut_switches);
        json_number(&j, "cut at turns", (int64_t)t->found.cut_loops);
        if (t->unpruned)
            json_number(&j, "orders without prunings", (int64_t)t->unpruned);
        json_array(&j, "related");
        for (uint32_t k = 0; k < t->found.n_related; k++)
            json_text(&j, NULL, t->o.ir->msgs.at[t->found.related[k]].name);
        json_end(&j);
        json_number(&j, "ways", t->found.results.n);
        json_number(&j, "not confirmed", t->lost);
        json_bool(&j, "stopped", t->found.stopped);
        json_text(&j, "test", t->path);
        unit_report_sides(&t->sides, t->of, &j);
        json_cases(t, &j);
        json_end(&j);
    }
    json_end(&j);
    json_end(&j);
    text_char(&to, '\n');
    bool ok = session_write(s, path, &to);
    text_free(&to);
    return ok;
}

static bool write_junit(const struct tasks *all, const char *path)
{
    struct session *s = all->s;
    const struct task_source *from = all->from;
    struct junit *to = junit_new("troupe unit");
    for (uint32_t i = 0; i < all->all.n; i++) {
        const struct task_outcome *t = all->all.at[i];
        struct text head = {0}, said = {0};
        const char *kind = NULL;
        if (!t->of)
            continue;
        for (uint32_t k = 0; k < t->cases.n; k++)
            if (t->cases.at[k].end == TASK_TRAPS && !t->cases.at[k].null) {
                kind = kind ? kind : t->cases.at[k].trap;
                case_lines(t, &t->cases.at[k], &said);
            }
        head_line(from, t, &head);
        junit_add(to, &(struct junit_case){
                          .program = from->path,
                          .test = t->name,
                          .file = from->path,
                          .line = (int)t->o.ir->fns.at[t->o.fn]->line,
                          .seconds = t->seconds,
                          .kind = kind,
                          .message = kind ? text_get(&head) : NULL,
                          .report = text_get(&said)});
        text_free(&head);
        text_free(&said);
    }
    return junit_write(to, path, &s->diag);
}

// ---- the end ------------------------------------------------------------

struct sum {
    uint32_t tasks, sides, covered, open, tests, traps, bugs, lost, unwritten;
};

static struct sum sum_of(const struct tasks *all)
{
    struct sum s = {0};
    for (uint32_t i = 0; i < all->all.n; i++) {
        const struct task_outcome *t = all->all.at[i];
        if (!t->of)
            continue;
        s.tasks++;
        s.covered += count(t, SIDE_COVERED);
        s.open += count(t, SIDE_OPEN) + t->found.died;
        s.open += !t->cases.n && !t->found.stuck.n;
        s.sides += t->sides.at.n;
        s.bugs += bugs_of(t);
        s.traps += traps(t);
        s.tests += t->cases.n - traps(t);
        s.lost += t->lost;
        s.unwritten += t->unwritten;
    }
    return s;
}

static void sum_line(const struct tasks *all, const struct sum *s)
{
    struct text t = {0};
    count_text(s->tasks, "task", &t);
    if (s->tasks < all->all.n)
        text_format(&t, " of %u", all->all.n);
    text_format(&t, ", %u of %u branch sides, ", s->covered, s->sides);
    count_text(s->tests, "test", &t);
    text_add(&t, " and ");
    count_text(s->traps, "trap", &t);
    if (s->lost) {
        text_add(&t, " confirmed by running them; ");
        count_text(s->lost, "case", &t);
        text_add(&t, " not");
    } else if (s->tests || s->traps) {
        text_add(&t, ", all confirmed by running them");
    }
    text_char(&t, '\n');
    if (all->interrupted)
        text_add(&t, "interrupted; what was found before is kept\n");
    fputs(text_get(&t), stdout);
    text_free(&t);
}

int task_report_end(const struct tasks *all)
{
    struct session *s = all->s;
    struct sum sum = sum_of(all);
    const char *json = option_text(s->options, OPT_json);
    const char *junit = option_text(s->options, OPT_junit);
    if (!is_silent(s))
        sum_line(all, &sum);
    if ((json && !write_json(all, json)) || (junit && !write_junit(all, junit)))
        return s->diag.status;
    if (sum.bugs)
        return EXIT_BUG;
    return sum.open || sum.lost || sum.unwritten ? EXIT_NO_ANSWER : EXIT_GOOD;
}
