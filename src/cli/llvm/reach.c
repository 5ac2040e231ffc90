// troupe reach: a test that gets to a given line.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/die.h"
#include "base/file.h"
#include "base/interrupt.h"
#include "base/json.h"
#include "base/text.h"
#include "cases/c_source.h"
#include "cli/llvm/analysis.h"
#include "cli/session.h"
#include "cli/shell/command.h"
#include "flow/flow.h"
#include "program/build.h"
#include "program/program.h"
#include "reach/reach.h"
#include "report/store.h"
#include "troupe.h"

struct reaching {
    struct session *s;
    struct ir *ir;
    struct flow *flow;
    struct reach r;
    struct store *store;
    FILE *out;
    bool all;
};

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

// ---- what is asked for ------------------------------------------------------

// Is this the file that the user means: the same, or the end of its path?
static bool names_file(const char *path, const char *word)
{
    size_t n = strlen(path), m = strlen(word);
    return n >= m && strcmp(path + n - m, word) == 0 &&
           (n == m || path[n - m - 1] == '/');
}

static bool want(struct reach *r, uint32_t i)
{
    r->targets.at[i].wanted = true;
    return true;
}

static bool want_function(struct reaching *g, const char *name)
{
    bool any = false;
    for (uint32_t i = 0; i < g->r.targets.n; i++) {
        const struct ir_target *t = &g->r.targets.at[i].at;
        if (t->trap == IR_TRAPS_N &&
            t->hit == g->ir->fns.at[t->fn]->first_hit &&
            strcmp(g->ir->fns.at[t->fn]->name, name) == 0)
            any = want(&g->r, i);
    }
    if (any)
        return true;
    if (ir_find_fn(g->ir, name) != IR_NOTHING)
        return diag_set(&g->s->diag, EXIT_USAGE,
                        "%s: no actor's code calls this function", name);
    return diag_set(&g->s->diag, EXIT_USAGE, "no function is called '%s'",
                    name);
}

// The lines with code next to this one, as a hint.
static void hint_lines(struct reaching *g, const char *file, uint32_t line)
{
    uint32_t before = 0, after = 0;
    for (uint32_t i = 0; i < g->r.targets.n; i++) {
        const struct ir_target *t = &g->r.targets.at[i].at;
        if (!names_file(g->ir->files.at[t->file], file))
            continue;
        if (t->line < line && t->line > before)
            before = t->line;
        if (t->line > line && (!after || t->line < after))
            after = t->line;
    }
    if (before && after)
        diag_hint(&g->s->diag, "lines %u and %u have some", before, after);
    else if (before || after)
        diag_hint(&g->s->diag, "line %u has some", before ? before : after);
}

static bool is_failure(const struct ir_target *t)
{
    return t->trap != IR_TRAPS_N ||
           (t->ends != IR_TRAPS_N && t->ends != IR_TRAP_EXIT &&
            t->ends != IR_TRAP_UNREACHABLE);
}

static bool want_line(struct reaching *g, const char *word, bool assertion)
{
    const char *colon = strrchr(word, ':');
    char *end;
    unsigned long line = strtoul(colon + 1, &end, 10);
    char *file = arena_format(&g->s->arena, "%.*s", (int)(colon - word), word);
    bool any = false, known = false;
    for (uint32_t f = 0; f < g->ir->files.n; f++) {
        if (!names_file(g->ir->files.at[f], file))
            continue;
        known = true;
        for (uint32_t i = 0; i < g->r.targets.n; i++) {
            const struct ir_target *t = &g->r.targets.at[i].at;
            bool fits =
                assertion ? t->ends == IR_TRAP_ASSERT : t->trap == IR_TRAPS_N;
            if (fits && ir_target_on(g->ir, t, (uint16_t)f, (uint32_t)line))
                any = want(&g->r, i);
        }
    }
    if (any)
        return true;
    if (!known)
        return diag_set(&g->s->diag, EXIT_USAGE,
                        "%s is not a file of this program", file);
    diag_set(&g->s->diag, EXIT_USAGE,
             assertion ? "%s: no assertion on this line"
                       : "%s: no code of an actor on this line",
             word);
    if (!assertion)
        hint_lines(g, file, (uint32_t)line);
    return false;
}

static bool want_word(struct reaching *g, const char *word, bool assertion)
{
    const char *colon = strrchr(word, ':');
    if (colon && colon[1] &&
        strspn(colon + 1, "0123456789") == strlen(colon + 1))
        return want_line(g, word, assertion);
    if (!assertion)
        return want_function(g, word);
    return diag_set(&g->s->diag, EXIT_USAGE, "--assert is FILE:LINE, not '%s'",
                    word);
}

static bool want_targets(struct reaching *g)
{
    const struct options *o = g->s->options;
    for (uint32_t i = 0; i < option_count(o, OPT_at); i++)
        if (!want_word(g, option_item(o, OPT_at, i), false))
            return false;
    for (uint32_t i = 0; i < option_count(o, OPT_assert); i++)
        if (!want_word(g, option_item(o, OPT_assert, i), true))
            return false;
    bool traps = option_flag(o, OPT_traps);
    g->all = option_flag(o, OPT_all);
    for (uint32_t i = 0; i < g->r.targets.n; i++) {
        const struct ir_target *t = &g->r.targets.at[i].at;
        if ((g->all && t->trap == IR_TRAPS_N) || (traps && is_failure(t)))
            want(&g->r, i);
    }
    if (g->all || traps || option_count(o, OPT_at) ||
        option_count(o, OPT_assert))
        return true;
    diag_set(&g->s->diag, EXIT_USAGE, "no target given");
    diag_hint(&g->s->diag, "--at FILE:LINE, --at FUNCTION, --assert FILE:LINE, "
                           "--traps or --all");
    return false;
}

// ---- the system and its builds ----------------------------------------------

static const char *choose_system(struct reaching *g)
{
    struct session *s = g->s;
    const char *name = option_text(s->options, OPT_system);
    for (uint32_t i = 0; name && i < g->ir->systems.n; i++)
        if (strcmp(g->ir->systems.at[i].name, name) == 0)
            return name;
    if (name) {
        diag_set(&s->diag, EXIT_USAGE, "the program has no system '%s'", name);
        return NULL;
    }
    if (g->ir->systems.n == 1)
        return g->ir->systems.at[0].name;
    if (g->ir->systems.n) {
        diag_set(&s->diag, EXIT_USAGE, "the program has %u systems",
                 g->ir->systems.n);
        diag_hint(&s->diag, "name one: --system=%s", g->ir->systems.at[0].name);
    } else {
        diag_set(&s->diag, EXIT_USAGE,
                 "the program has no system to start from");
        diag_hint(&s->diag, "add one: TR_SYSTEM(name) { x_ref x = spawn(x); "
                            "expose(x); }");
    }
    return NULL;
}

static const char *build_watched(struct reaching *g, enum ir_watch watch,
                                 struct ir **ir)
{
    struct args inputs = {0};
    *ir = analysis_objects(g->s, watch, &inputs);
    const char *path = *ir ? session_build(g->s, &inputs) : NULL;
    vec_free(&inputs);
    return path;
}

static bool build_all(struct reaching *g, struct reach_builds *b)
{
    struct ir *counted = NULL;
    b->traced = build_watched(g, IR_TRACE, &g->ir);
    if (b->traced)
        b->counted = build_watched(g, IR_COUNT, &counted);
    ir_free(counted);
    if (b->counted)
        b->plain = session_build(g->s, &g->s->inputs);
    return b->plain;
}

// ---- options ----------------------------------------------------------------

static const char *given_params(struct session *s)
{
    struct text t = {0};
    for (uint32_t i = 0; i < option_count(s->options, OPT_param); i++) {
        const char *p = option_item(s->options, OPT_param, i);
        const char *is = strchr(p, '=');
        if (!is || strcmp(is, "=any") != 0)
            text_format(&t, "%s%s", t.n ? " " : "", p);
    }
    const char *params = arena_text(&s->arena, text_get(&t));
    text_free(&t);
    return params;
}

static bool read_options(struct reaching *g, struct reach_options *o)
{
    struct session *s = g->s;
    const char *search = option_text(s->options, OPT_search);
    const char *total = option_text(s->options, OPT_total_time);
    *o = (struct reach_options){
        .delivery = delivery_of(option_text(s->options, OPT_delivery)),
        .params = given_params(s),
        .seed = option_given(s->options, OPT_seed)
                    ? option_number(s->options, OPT_seed)
                    : 1,
        .runs = option_number(s->options, OPT_runs),
        .messages = (uint32_t)option_number(s->options, OPT_messages),
        .actors = (uint32_t)option_number(s->options, OPT_actors),
        .random = strcmp(search, "forward-random") == 0,
        .stop = interrupted,
    };
    uint64_t ns =
        option_duration(s->options, total ? OPT_total_time : OPT_time);
    o->seconds = (double)ns * 1e-9;
    o->system = choose_system(g);
    return o->system;
}

// ---- what came of it --------------------------------------------------------

static const char *place_of(struct reaching *g, const struct ir_target *t)
{
    return arena_format(&g->s->arena, "%s:%u",
                        base_name(g->ir->files.at[t->file]), t->line);
}

// The condition that must not hold, of an assertion.
static const char *what_of(struct reaching *g, const struct ir_target *t)
{
    const struct ir_fn *f = g->ir->fns.at[t->fn];
    if (t->trap != IR_TRAPS_N)
        return arena_format(&g->s->arena, ": %s",
                            ir_trap_text((enum ir_trap)t->trap));
    for (uint32_t b = 0; t->ends != IR_TRAPS_N && b < f->blocks.n; b++) {
        const struct ir_block *k = &f->blocks.at[b];
        const struct ir_inst *i = &f->insts.at[k->first + k->n - 1];
        if (k->origin == f->blocks.at[t->block].origin && i->op == IR_TRAP &&
            i->site == IR_NOTHING && i->text)
            return arena_format(&g->s->arena, ": not (%s)", i->text);
    }
    return "";
}

static void print_inputs(struct reaching *g)
{
    const struct pool *p = g->r.pool;
    const struct reach_model *m = &g->r.model;
    fprintf(g->out, "inputs     ");
    for (uint32_t i = 0; i < p->n_names; i++) {
        uint32_t cls = p->names[i].cls;
        fprintf(g->out, "%s%s: ", i ? "; " : "messages to ", p->names[i].name);
        for (uint32_t k = 0; cls != IR_NOTHING && k < m->accepts[cls].n; k++)
            fprintf(g->out, "%s%s", k ? ", " : "",
                    m->msgs.at[m->accepts[cls].at[k]].name);
    }
    if (!p->n_names)
        fprintf(g->out, "no messages");
    fprintf(g->out, m->params.n ? "; parameters " : "; no parameters");
    for (uint32_t i = 0; i < m->params.n; i++)
        fprintf(g->out, "%s%s", i ? ", " : "", m->params.at[i]);
    fputc('\n', g->out);
}

enum { SHOWN = 6 };

static void print_found(struct reaching *g, const struct reach_target *t)
{
    const struct test_case *c = &g->r.cases.at[t->found].c;
    fprintf(g->out, "found      %.1f s:", t->seconds);
    for (uint32_t i = 0; i < c->params.n; i++)
        fprintf(g->out, " %s%s", c->params.at[i],
                i + 1 < c->params.n || c->posts.n ? ";" : "");
    for (uint32_t i = 0; i < c->posts.n && i < SHOWN; i++) {
        const struct case_post *p = &c->posts.at[i];
        fprintf(g->out, " %s %s%s%s", p->to, p->msg, *p->fields ? " " : "",
                p->fields);
        if (p->times > 1)
            fprintf(g->out, " %u times", p->times);
        fprintf(g->out, "%s", i + 1 < c->posts.n ? ";" : "");
    }
    if (c->posts.n > SHOWN)
        fprintf(g->out, " and %u more", c->posts.n - SHOWN);
    if (!c->posts.n && !c->params.n)
        fprintf(g->out, " the setup alone");
    fprintf(g->out, "; %u receive%s\n", c->steps.n, c->steps.n == 1 ? "" : "s");
    fprintf(g->out, "confirmed  natively, %s\n",
            c->bug.kind ? c->bug.text ? c->bug.text : bug_kind_text(c->bug.kind)
                        : "the line was passed");
}

static void print_target(struct reaching *g, const struct reach_target *t)
{
    fprintf(g->out, "target     %s in %s%s\n", place_of(g, &t->at),
            g->ir->fns.at[t->at.fn]->name, what_of(g, &t->at));
    if (t->status == REACH_COVERED) {
        print_found(g, t);
        const struct reach_case *c = &g->r.cases.at[t->found];
        char id[9];
        case_id_of(&c->c, id);
        if (c->path)
            fprintf(g->out, "wrote      %s         again: troupe replay %s\n",
                    c->path, id);
        return;
    }
    fprintf(g->out, "%-10s %s\n", reach_status_text(t->status),
            t->why ? t->why : "");
    if (t->status == REACH_EXHAUSTED || t->status == REACH_TIMEOUT)
        fprintf(g->out, "           try more: --time\n");
}

static void print_table(struct reaching *g)
{
    uint32_t n[REACH_STATUSES_N] = {0}, all = 0;
    for (uint32_t i = 0; i < g->r.targets.n; i++) {
        const struct reach_target *t = &g->r.targets.at[i];
        if (!t->wanted)
            continue;
        all++;
        n[t->status]++;
        if (t->status != REACH_COVERED)
            fprintf(g->out, "%-12s %-22s %-24s %s\n",
                    reach_status_text(t->status), place_of(g, &t->at),
                    g->ir->fns.at[t->at.fn]->name, t->why ? t->why : "");
    }
    fprintf(g->out, "%u of %u covered (%u %%)", n[REACH_COVERED], all,
            all ? 100 * n[REACH_COVERED] / all : 100);
    for (int k = REACH_COVERED + 1; k < REACH_STATUSES_N; k++)
        if (n[k])
            fprintf(g->out, ", %u %s", n[k],
                    reach_status_text((enum reach_status)k));
    fprintf(g->out, "; %u test%s, %llu runs, %.1f s\n", g->r.cases.n,
            g->r.cases.n == 1 ? "" : "s", (unsigned long long)g->r.pool->runs,
            reach_elapsed(&g->r));
}

static void json_target(struct reaching *g, const struct reach_target *t,
                        struct json *j)
{
    json_object(j, NULL);
    json_text(j, "file", g->ir->files.at[t->at.file]);
    json_number(j, "line", t->at.line);
    json_text(j, "function", g->ir->fns.at[t->at.fn]->name);
    json_text(j, "kind",
              t->at.trap == IR_TRAPS_N ? "block"
                                       : ir_trap_id((enum ir_trap)t->at.trap));
    json_text(j, "status", reach_status_text(t->status));
    if (t->why)
        json_text(j, "why", t->why);
    if (t->status == REACH_COVERED) {
        const struct reach_case *c = &g->r.cases.at[t->found];
        json_number(j, "ms", (int64_t)(t->seconds * 1e3));
        if (c->path)
            json_text(j, "case", c->path);
        json_text(j, "outcome",
                  c->c.bug.kind ? bug_kind_id(c->c.bug.kind) : "pass");
    }
    json_end(j);
}

static void write_json(struct reaching *g, const char *path)
{
    struct text t = {0};
    struct json j = {.to = &t};
    json_object(&j, NULL);
    json_text(&j, "command", "reach");
    json_text(&j, "version", TR_VERSION);
    json_text(&j, "program", g->s->inputs.at[0]);
    json_text(&j, "system", g->r.o.system);
    json_text(&j, "delivery", delivery_id(g->r.o.delivery));
    json_number(&j, "seed", (int64_t)g->r.o.seed);
    json_number(&j, "runs", (int64_t)g->r.pool->runs);
    json_number(&j, "ms", (int64_t)(reach_elapsed(&g->r) * 1e3));
    json_array(&j, "targets");
    for (uint32_t i = 0; i < g->r.targets.n; i++)
        if (g->r.targets.at[i].wanted)
            json_target(g, &g->r.targets.at[i], &j);
    json_end(&j);
    json_end(&j);
    text_char(&t, '\n');
    session_write(g->s, path, &t);
    text_free(&t);
}

// ---- what is kept -----------------------------------------------------------

static void keep_case(struct reaching *g, struct reach_case *c)
{
    char id[9];
    struct diag d = {0};
    struct text source = {0};
    case_id_of(&c->c, id);
    c->path = store_case(g->store, &g->s->arena, id, &c->c, &d);
    if (!c->path) {
        diag_free(&d);
        return;
    }
    char *folder = arena_text(&g->s->arena, c->path);
    *strrchr(folder, '/') = 0;
    case_source(&c->c, NULL, &source);
    const char *file = arena_format(&g->s->arena, "%s/test.c", folder);
    file_replace(file, text_get(&source), source.n);
    text_free(&source);
}

static void keep_cases(struct reaching *g)
{
    struct diag d = {0};
    g->store = store_open(".troupe", &d);
    diag_free(&d);
    for (uint32_t i = 0; g->store && i < g->r.cases.n; i++)
        if (g->r.cases.at[i].covers)
            keep_case(g, &g->r.cases.at[i]);
    if (g->store)
        store_close(g->store);
}

// -o FILE.c: the tests of what was asked for.
static void write_source(struct reaching *g, const char *path)
{
    struct text t = {0};
    for (uint32_t i = 0; i < g->r.cases.n; i++)
        if (g->r.cases.at[i].covers)
            case_source(&g->r.cases.at[i].c, NULL, &t);
    session_write(g->s, path, &t);
    text_free(&t);
}

// ---- the command ------------------------------------------------------------

static int status_of(const struct reaching *g)
{
    bool bug = false, open = false, shown = true, wrong = false;
    for (uint32_t i = 0; i < g->r.targets.n; i++) {
        const struct reach_target *t = &g->r.targets.at[i];
        if (!t->wanted)
            continue;
        bug |= t->status == REACH_COVERED && is_failure(&t->at);
        wrong |= t->status == REACH_UNCONFIRMED;
        bool never =
            t->status == REACH_UNREACHABLE || t->status == REACH_INFEASIBLE;
        open |= t->status != REACH_COVERED && !never &&
                t->status != REACH_UNCONFIRMED;
        shown &= never;
    }
    if (g->r.interrupted)
        return EXIT_INTERRUPTED;
    return wrong   ? EXIT_FAULT
           : bug   ? EXIT_BUG
           : open  ? EXIT_NO_ANSWER
           : shown ? EXIT_UNREACHABLE
                   : EXIT_GOOD;
}

static void tell(struct reaching *g)
{
    const struct options *o = g->s->options;
    const char *json = option_text(o, OPT_json);
    const char *source = option_text(o, OPT_out);
    g->out = json && strcmp(json, "-") == 0 ? stderr : stdout;
    if (!option_flag(o, OPT_quiet))
        print_inputs(g);
    for (uint32_t i = 0; !g->all && i < g->r.targets.n; i++)
        if (g->r.targets.at[i].wanted)
            print_target(g, &g->r.targets.at[i]);
    print_table(g);
    if (json)
        write_json(g, json);
    if (source)
        write_source(g, source);
}

// Nothing to send to, and nothing to choose?
static bool has_inputs(struct reaching *g)
{
    bool any = g->r.model.params.n;
    for (uint32_t i = 0; i < g->ir->classes.n; i++)
        any |= g->flow->receptionist[i];
    if (any)
        return true;
    diag_set(&g->s->diag, EXIT_USAGE,
             "system %s exposes no actor and asks for no parameter: there is "
             "nothing to choose",
             g->r.o.system);
    diag_hint(&g->s->diag, "let its setup expose one: expose(x);");
    return false;
}

// What a handler leaves in a global variable another one finds: the order of
// handler runs then is an input that no case tells.
static bool globals_kept(struct reaching *g)
{
    if (option_flag(g->s->options, OPT_assume_atomic))
        return true;
    for (uint32_t i = 0; i < g->flow->handlers.n; i++) {
        const struct flow_handler *h = &g->flow->handlers.at[i];
        for (uint32_t k = 0; h->live && k < h->n; k++) {
            const struct flow_access *a = &h->accesses[k];
            if (!a->write || !a->global || a->guessed)
                continue;
            diag_set(&g->s->diag, EXIT_USAGE,
                     "%s writes the global variable '%s': actors that share "
                     "memory are not independent",
                     g->ir->fns.at[h->fn]->name, g->ir->globals.at[a->of].name);
            diag_hint(&g->s->diag, "--assume-atomic searches all the same");
            return false;
        }
    }
    return true;
}

static bool search(struct reaching *g)
{
    struct session *s = g->s;
    interrupt_catch();
    bool ok = reach_search(&g->r, &s->diag);
    interrupt_release();
    return ok;
}

static bool prepare(struct reaching *g)
{
    struct session *s = g->s;
    struct reach_builds b = {0};
    struct reach_options o;
    if (!session_inputs(s) || !build_all(g, &b) || !read_options(g, &o))
        return false;
    struct flow_options f = {.system = o.system};
    g->flow = flow_new(g->ir, &f, &s->diag);
    if (!g->flow || !reach_open(&g->r, g->ir, g->flow, &o, &b, &s->diag))
        return false;
    g->r.origin.tool = TR_VERSION;
    for (uint32_t i = 0; i < s->inputs.n; i++)
        vec_push(&g->r.origin.programs, s->inputs.at[i]);
    for (uint32_t i = 0; i < s->flags.n; i++)
        vec_push(&g->r.origin.flags, s->flags.at[i]);
    return has_inputs(g) && globals_kept(g) && want_targets(g);
}

int cmd_reach(struct session *s)
{
    struct reaching g = {.s = s, .out = stdout};
    int status;
    if (prepare(&g) && search(&g)) {
        keep_cases(&g);
        tell(&g);
        status = status_of(&g);
    } else {
        status = s->diag.status;
    }
    if (g.r.pool)
        reach_close(&g.r);
    flow_free(g.flow);
    ir_free(g.ir);
    return status;
}
