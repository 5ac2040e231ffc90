#include "cli/llvm/unit_report.h"

#include "base/command.h"
#include "base/diag.h"
#include "base/json.h"
#include "base/junit.h"
#include "cli/session.h"
#include "unit/verify.h"

#include <stdio.h>
#include <string.h>

static bool is_quiet(const struct unit_report *r)
{
    return option_flag(r->session->options, OPT_quiet);
}

static bool to_stdout(const struct unit_report *r)
{
    const char *json = option_text(r->session->options, OPT_json);
    return !json || strcmp(json, "-") != 0;
}

static const char *source(const struct unit_report *r)
{
    return r->subject->options->source;
}

static uint32_t traps(const struct unit_result *u)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < u->cases.n; i++)
        n += u->cases.at[i].ends;
    return n;
}

static void count_text(uint32_t n, const char *what, struct text *t)
{
    text_format(t, "%u %s%s", n, what, n == 1 ? "" : "s");
}

// ---- text -------------------------------------------------------------------

static void trap_line(const struct unit_report *r, const struct unit_case *c,
                      struct text *t)
{
    const struct call_trap *k = &c->call.trap;
    text_format(t, "  trap   %-9s %s:%u  %-16s", k->kind, source(r), k->line,
                k->text);
    const char *null = c->null_parameter == IR_NOTHING
                           ? NULL
                           : c->in.objects.at[c->null_parameter].name;
    if (null)
        text_format(t,
                    " when %s == NULL (a parameter: is %s != NULL a "
                    "precondition?)",
                    null, null);
    else
        text_format(t, " see %s__traps_%s%s", c->call.function, c->call.name,
                    c->call.end == CALL_REPORTED
                        ? " (only a sanitizer notices it)"
                        : "");
    text_char(t, '\n');
}

// Does an earlier case come to the same trap?
static bool is_told(const struct unit_result *u, uint32_t i)
{
    for (uint32_t k = 0; k < i; k++)
        if (u->cases.at[k].ends &&
            unit_same_trap(&u->cases.at[k], &u->cases.at[i]))
            return true;
    return false;
}

static void side_line(const struct unit_report *r, const struct unit_result *u,
                      uint32_t i, struct text *t)
{
    const struct side *s = &u->sides.at.at[i];
    text_format(t, "  %-6s %s:%u  %s is %s   %s\n",
                u->of[i].state == SIDE_OPEN ? "open" : "never", source(r),
                s->line, *s->text ? s->text : "condition", s->which,
                u->of[i].why ? u->of[i].why : "");
}

static void head_line(const struct unit_report *r, const struct unit_result *u,
                      struct text *t)
{
    uint32_t ended = traps(u), never = unit_count(u, SIDE_INFEASIBLE);
    text_format(t, "%s  %s:%u", u->f->name, source(r), u->f->line);
    if (u->refused) {
        text_format(t, "   not tested: %s\n", u->refused);
        return;
    }
    text_format(t, "   branches %u of %u", unit_count(u, SIDE_COVERED),
                u->sides.at.n);
    if (never)
        text_format(t, " (%u infeasible)", never);
    text_add(t, "   ");
    if (u->traces) {
        count_text(u->cases.n - ended, "test", t);
        text_add(t, ", ");
        count_text(ended, "trap", t);
        text_format(t, "   %u traces tried, %u feasible", u->traces,
                    u->feasible);
        if (u->undecided)
            text_format(t, ", %u not decided", u->undecided);
    } else if (u->levels.n) {
        text_format(t, "%llu cases on %llu paths, %u of them traps, %llu cut",
                    (unsigned long long)u->listed, (unsigned long long)u->paths,
                    ended, (unsigned long long)u->cut);
        if (u->stopped)
            text_add(t, ", stopped by the time (--time)");
    } else {
        count_text(u->cases.n - ended, "test", t);
        text_add(t, ", ");
        count_text(ended, "trap", t);
    }
    text_format(t, "   %.1f s\n", u->seconds);
}

static void level_line(const struct engine_level *l, struct text *t)
{
    text_format(t,
                "  loop %u   %llu cases on %llu paths, %llu cut   %llu steps, "
                "%llu questions to the solver\n",
                l->loop, (unsigned long long)l->cases,
                (unsigned long long)l->paths, (unsigned long long)l->cut,
                (unsigned long long)l->steps, (unsigned long long)l->asked);
}

// "gcd: 5 cases, 2 of them traps, partial; 3 calls"
static void summary_line(const struct unit_report *r,
                         const struct sx_summary *m, struct text *t)
{
    text_format(t, "  summary  %s   ", r->subject->ir->fns.at[m->fn]->name);
    count_text(m->returns + m->traps, "case", t);
    if (m->traps)
        text_format(t, ", %u of them traps", m->traps);
    if (m->open)
        text_format(t, ", partial (%u run on in place)", m->open);
    text_add(t, "   ");
    count_text((uint32_t)m->used, "call", t);
    text_add(t, "\n");
}

static void file_line(const struct unit_file *f, struct text *t)
{
    if (f->path)
        text_format(t, "wrote %s%s\n", f->path,
                    f->beside ? "   (the file beside it was edited by hand and "
                                "is kept)"
                              : "");
    else if (f->why)
        text_format(t, "  not written: %s\n", f->why);
}

void unit_report_text(const struct unit_report *r, const char *text)
{
    if (!is_quiet(r) && to_stdout(r))
        fputs(text, stdout);
}

void unit_report_function(struct unit_report *r, const struct unit_file *f)
{
    struct text t = {0};
    const struct unit_result *u = f->of;
    if (is_quiet(r) || !to_stdout(r))
        return;
    head_line(r, u, &t);
    for (uint32_t i = 0; i < u->cases.n; i++)
        if (u->cases.at[i].ends && !is_told(u, i))
            trap_line(r, &u->cases.at[i], &t);
    if (u->f->is_handler && traps(u))
        text_format(&t,
                    "  note   a handler, called without its actor; with one: "
                    "%s unit %s:CLASS.MESSAGE\n",
                    command_typed(), source(r));
    for (uint32_t i = 0; i < u->levels.n && u->levels.n > 1; i++)
        level_line(&u->levels.at[i], &t);
    bool more = u->levels.n || option_flag(r->session->options, OPT_verbose);
    for (uint32_t i = 0; i < u->summaries.n && more; i++)
        summary_line(r, &u->summaries.at[i], &t);
    bool points = option_count(r->session->options, OPT_at) > 0;
    for (uint32_t i = 0; i < u->sides.at.n && !u->refused && !points; i++)
        if (u->of[i].state != SIDE_COVERED)
            side_line(r, u, i, &t);
    for (uint32_t i = 0; i < u->notes.n; i++)
        text_format(&t, "  note   %s\n", u->notes.at[i]);
    file_line(f, &t);
    fputs(text_get(&t), stdout);
    fflush(stdout);
    text_free(&t);
}

// ---- the sum ----------------------------------------------------------------

struct sum {
    uint32_t functions, refused, sides, covered, infeasible, open, tests, traps;
    uint32_t bugs, unwritten;
};

static struct sum sum_of(const struct unit_report *r)
{
    struct sum s = {.functions = r->files.n};
    uint32_t points = option_count(r->session->options, OPT_at), reached = 0;
    for (uint32_t i = 0; i < r->files.n; i++) {
        const struct unit_result *u = r->files.at[i].of;
        uint32_t ended = traps(u);
        s.refused += u->refused != NULL;
        s.sides += u->sides.at.n;
        s.covered += unit_count(u, SIDE_COVERED);
        s.infeasible += unit_count(u, SIDE_INFEASIBLE);
        s.open += points ? 0 : unit_count(u, SIDE_OPEN);
        reached += u->reached;
        s.tests += u->cases.n - ended;
        s.traps += ended;
        s.bugs += u->overflows;
        s.unwritten += r->files.at[i].why != NULL;
        for (uint32_t k = 0; k < u->cases.n; k++)
            s.bugs += u->cases.at[k].ends &&
                      u->cases.at[k].null_parameter == IR_NOTHING;
    }
    s.open += points > reached ? points - reached : 0;
    return s;
}

static void sum_line(const struct unit_report *r, const struct sum *s)
{
    struct text t = {0};
    count_text(s->functions, "function", &t);
    text_format(&t, ", %u of %u branch sides, ", s->covered, s->sides);
    count_text(s->tests, "test", &t);
    text_add(&t, " and ");
    count_text(s->traps, "trap", &t);
    if (s->unwritten) {
        text_add(&t, "; ");
        count_text(s->unwritten, "file", &t);
        text_add(&t, " not written\n");
    } else {
        text_add(&t, s->tests + s->traps ? ", all confirmed by running them\n"
                                         : "\n");
    }
    if (r->interrupted)
        text_add(&t, "interrupted; what was confirmed before is written\n");
    fputs(text_get(&t), stdout);
    text_free(&t);
}

// ---- JSON and JUnit ---------------------------------------------------------

void unit_report_sides(const struct sides *sides, const struct side_result *of,
                       struct json *j)
{
    static const char *const states[] = {"open", "covered", "infeasible"};
    json_array(j, "sides");
    for (uint32_t i = 0; i < sides->at.n; i++) {
        json_object(j, NULL);
        json_number(j, "line", sides->at.at[i].line);
        json_text(j, "condition", sides->at.at[i].text);
        json_text(j, "side", sides->at.at[i].which);
        json_text(j, "state", states[of[i].state]);
        if (of[i].why)
            json_text(j, "why", of[i].why);
        json_end(j);
    }
    json_end(j);
}

static void json_cases(const struct unit_result *u, struct json *j)
{
    json_array(j, "cases");
    for (uint32_t i = 0; i < u->cases.n; i++) {
        const struct call_case *c = &u->cases.at[i].call;
        json_object(j, NULL);
        json_text(j, "name", c->name);
        json_text(j, "end", c->end == CALL_RETURNS ? "return" : c->trap.kind);
        if (c->end != CALL_RETURNS) {
            json_text(j, "signal", c->trap.signal);
            json_number(j, "line", c->trap.line);
            json_text(j, "text", c->trap.text);
        }
        json_end(j);
    }
    json_end(j);
}

static void json_summaries(const struct ir *ir, const struct unit_result *u,
                           struct json *j)
{
    json_array(j, "summaries");
    for (uint32_t i = 0; i < u->summaries.n; i++) {
        const struct sx_summary *m = &u->summaries.at[i];
        json_object(j, NULL);
        json_text(j, "function", ir->fns.at[m->fn]->name);
        json_number(j, "returns", m->returns);
        json_number(j, "traps", m->traps);
        json_number(j, "partial", m->open);
        json_number(j, "calls", (int64_t)m->used);
        json_number(j, "joined", (int64_t)m->joined);
        json_end(j);
    }
    json_end(j);
}

static void json_function(const struct ir *ir, const struct unit_file *f,
                          struct json *j)
{
    const struct unit_result *u = f->of;
    json_object(j, NULL);
    json_text(j, "function", u->f->name);
    json_number(j, "line", u->f->line);
    if (u->refused)
        json_text(j, "refused", u->refused);
    json_number(j, "covered", unit_count(u, SIDE_COVERED));
    json_number(j, "infeasible", unit_count(u, SIDE_INFEASIBLE));
    json_number(j, "open", unit_count(u, SIDE_OPEN));
    if (u->listed) {
        json_number(j, "cases listed", (int64_t)u->listed);
        json_number(j, "paths", (int64_t)u->paths);
        json_number(j, "cut", (int64_t)u->cut);
        json_bool(j, "stopped", u->stopped);
    }
    if (u->levels.n) {
        json_array(j, "levels");
        for (uint32_t i = 0; i < u->levels.n; i++) {
            json_object(j, NULL);
            json_number(j, "loop", u->levels.at[i].loop);
            json_number(j, "cases", (int64_t)u->levels.at[i].cases);
            json_number(j, "paths", (int64_t)u->levels.at[i].paths);
            json_number(j, "cut", (int64_t)u->levels.at[i].cut);
            json_number(j, "steps", (int64_t)u->levels.at[i].steps);
            json_number(j, "asked", (int64_t)u->levels.at[i].asked);
            json_end(j);
        }
        json_end(j);
    }
    if (u->traces) {
        json_number(j, "traces", u->traces);
        json_number(j, "feasible", u->feasible);
        json_number(j, "undecided", u->undecided);
    }
    json_number(j, "paths followed", (int64_t)u->paths);
    json_number(j, "steps", (int64_t)u->steps);
    json_number(j, "asked", (int64_t)u->asked);
    if (u->summaries.n)
        json_summaries(ir, u, j);
    json_real(j, "seconds", u->seconds);
    json_number(j, "runs", (int64_t)u->runs);
    json_text(j, "test", f->path);
    unit_report_sides(&u->sides, u->of, j);
    json_cases(u, j);
    json_array(j, "notes");
    for (uint32_t i = 0; i < u->notes.n; i++)
        json_text(j, NULL, u->notes.at[i]);
    json_end(j);
    json_end(j);
}

static bool write_json(struct unit_report *r, const char *path)
{
    struct text t = {0};
    struct json j = {.to = &t};
    json_object(&j, NULL);
    session_json_head(r->session, &j);
    json_text(&j, "source", source(r));
    json_bool(&j, "interrupted", r->interrupted);
    json_array(&j, "functions");
    for (uint32_t i = 0; i < r->files.n; i++)
        json_function(r->subject->ir, &r->files.at[i], &j);
    json_end(&j);
    json_end(&j);
    text_char(&t, '\n');
    bool ok = session_write(r->session, path, &t);
    text_free(&t);
    return ok;
}

static void junit_function(const struct unit_report *r,
                           const struct unit_file *f, struct junit *to)
{
    const struct unit_result *u = f->of;
    struct text t = {0}, said = {0};
    const char *kind = NULL;
    for (uint32_t i = 0; i < u->cases.n; i++)
        if (u->cases.at[i].ends &&
            u->cases.at[i].null_parameter == IR_NOTHING) {
            kind = kind ? kind : u->cases.at[i].call.trap.kind;
            trap_line(r, &u->cases.at[i], &said);
        }
    head_line(r, u, &t);
    junit_add(to, &(struct junit_case){.program = source(r),
                                       .test = u->f->name,
                                       .file = source(r),
                                       .line = (int)u->f->line,
                                       .seconds = u->seconds,
                                       .kind = kind,
                                       .message = kind ? text_get(&t) : NULL,
                                       .report = text_get(&said),
                                       .skipped = u->refused});
    text_free(&t);
    text_free(&said);
}

static bool write_junit(struct unit_report *r, const char *path)
{
    struct junit *to = junit_new("troupe unit");
    for (uint32_t i = 0; i < r->files.n; i++)
        junit_function(r, &r->files.at[i], to);
    return junit_write(to, path, &r->session->diag);
}

static void left_out_line(const struct unit_report *r)
{
    uint32_t n = r->left_out;
    if (n)
        printf("left out: %u function%s of actors and tests; %s unit "
               "FILE.c:CLASS.MESSAGE tests a handler\n",
               n, n == 1 ? "" : "s", command_typed());
}

int unit_report_end(struct unit_report *r)
{
    struct sum s = sum_of(r);
    const char *json = option_text(r->session->options, OPT_json);
    const char *junit = option_text(r->session->options, OPT_junit);
    if (to_stdout(r) && !is_quiet(r)) {
        left_out_line(r);
        if (r->files.n)
            sum_line(r, &s);
    }
    if (json && !write_json(r, json))
        return r->session->diag.status;
    if (junit && !write_junit(r, junit))
        return r->session->diag.status;
    if (r->interrupted)
        return EXIT_INTERRUPTED;
    if (s.bugs)
        return EXIT_BUG;
    if (!r->files.n && r->left_out)
        return EXIT_NO_MATCH;
    return s.open || s.refused || s.unwritten ? EXIT_NO_ANSWER : EXIT_GOOD;
}

void unit_report_free(struct unit_report *r)
{
    for (uint32_t i = 0; i < r->files.n; i++)
        unit_result_free(r->files.at[i].of);
    vec_free(&r->files);
}
