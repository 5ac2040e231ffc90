// What `troupe reach` says, writes and keeps.
#include "cli/llvm/reaching.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/command.h"
#include "base/die.h"
#include "base/file.h"
#include "base/json.h"
#include "base/text.h"
#include "cases/c_source.h"
#include "cli/llvm/lcov.h"
#include "cli/session.h"
#include "cli/shell/command.h"
#include "program/home.h"
#include "report/store.h"
#include "troupe.h"

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

bool reaching_failure(const struct ir_target *t)
{
    return t->trap != IR_TRAPS_N ||
           (t->ends != IR_TRAPS_N && t->ends != IR_TRAP_EXIT &&
            t->ends != IR_TRAP_UNREACHABLE);
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

// What a search for the target says where messages between two actors stay in
// order; true if one with more messages may say more.
static bool search_in_order(struct reaching *g, uint32_t target,
                            uint32_t messages, double seconds,
                            struct text *said)
{
    struct reach_options o = g->r.o;
    struct reach r;
    struct diag d = {0};
    bool none = false;
    o.delivery = DELIVERY_PAIR;
    o.search = REACH_TAP_HF;
    o.messages = messages;
    o.total = o.seconds = seconds;
    if (reach_open(&r, g->ir, g->flow, &o, &g->r.builds, &d)) {
        struct reach_target *same = &r.targets.at[target];
        same->wanted = true;
        bool ended = reach_search(&r, &d);
        const char *why = same->backward ? same->backward : same->why;
        none = ended && same->status == REACH_EXHAUSTED;
        // A search that was cut off says less than the one before it.
        if (ended && (!said->n || same->status != REACH_TIMEOUT)) {
            text_clear(said);
            text_format(said, "%s%s%s",
                        same->status == REACH_COVERED
                            ? "reached, too"
                            : reach_status_text(same->status),
                        why ? ", " : "", why ? why : "");
        }
        reach_close(&r);
    }
    diag_free(&d);
    return none;
}

// Does it fail where messages between two actors stay in order, too?  A short
// search says so, with one message, two, four...
static void print_in_order(struct reaching *g, const struct reach_target *t)
{
    uint32_t given = g->r.o.messages, target = (uint32_t)(t - g->r.targets.at);
    double until = clock_now() + IN_ORDER_SECONDS, left;
    struct text said = {0};
    for (uint32_t n = given ? given : 1; n <= IN_ORDER_MESSAGES || n == given;
         n *= 2) {
        left = until - clock_now();
        if (left <= 0 || !search_in_order(g, target, n, left, &said) || given)
            break;
    }
    if (said.n)
        fprintf(g->out, ".  With -d pair: %s", text_get(&said));
    text_free(&said);
}

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
    if (c->alloc_fails)
        fprintf(g->out, "; memory runs out");
    if (!c->posts.n && !c->params.n)
        fprintf(g->out, " the setup alone");
    fprintf(g->out, "; %u receive%s\n", c->steps.n, c->steps.n == 1 ? "" : "s");
    fprintf(g->out, "confirmed  natively, %s",
            c->bug.kind ? c->bug.text ? c->bug.text : bug_kind_text(c->bug.kind)
            : t->at.trap != IR_TRAPS_N
                ? "the check fails; without it the program goes on"
                : "the line was passed");
    if (c->bug.kind && g->r.o.delivery != DELIVERY_PAIR && !g->all)
        print_in_order(g, t);
    fprintf(g->out, "\n");
}

static void print_target(struct reaching *g, const struct reach_target *t)
{
    fprintf(g->out, "target     %s in %s%s\n", place_of(g, &t->at),
            g->ir->fns.at[t->at.fn]->name, what_of(g, &t->at));
    if (t->status == REACH_COVERED && t->test) {
        fprintf(g->out, "covered    by the program's test %s\n", t->test);
        return;
    }
    if (t->status == REACH_COVERED) {
        print_found(g, t);
        const struct reach_case *c = &g->r.cases.at[t->found];
        char id[9];
        case_id_of(&c->c, id);
        if (c->path)
            fprintf(g->out, "wrote      %s         again: %s replay %s\n",
                    c->path, command_typed(), id);
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
    if (!all) {
        fprintf(g->out, "no target: nothing of this kind is in the actors' "
                        "code\n");
        return;
    }
    fprintf(g->out, "%u of %u covered (%u %%)", n[REACH_COVERED], all,
            100 * n[REACH_COVERED] / all);
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
    if (t->status == REACH_COVERED && t->test) {
        json_text(j, "test", t->test);
    } else if (t->status == REACH_COVERED) {
        const struct reach_case *c = &g->r.cases.at[t->found];
        json_number(j, "ms", (int64_t)(t->seconds * 1e3));
        if (c->path)
            json_text(j, "case", c->path);
        json_text(j, "outcome",
                  c->c.bug.kind ? bug_kind_id(c->c.bug.kind) : "pass");
    }
    json_end(j);
}

static void json_concolic(const struct pool_concolic *c, struct json *j)
{
    json_object(j, "concolic");
    json_number(j, "followed", (int64_t)c->followed);
    json_number(j, "partly", (int64_t)c->partly);
    json_number(j, "diverged", (int64_t)c->diverged);
    json_number(j, "asked", (int64_t)c->asked);
    json_number(j, "missed", (int64_t)c->missed);
    json_end(j);
}

static void write_json(struct reaching *g, const char *path)
{
    struct text t = {0};
    struct json j = {.to = &t};
    json_object(&j, NULL);
    session_json_head(g->s, &j);
    json_text(&j, "program", g->s->inputs.at[0]);
    json_text(&j, "system", g->r.o.system);
    json_text(&j, "delivery", delivery_id(g->r.o.delivery));
    json_number(&j, "seed", (int64_t)g->r.o.seed);
    json_number(&j, "runs", (int64_t)g->r.pool->runs);
    json_number(&j, "ms", (int64_t)(reach_elapsed(&g->r) * 1e3));
    json_concolic(&g->r.pool->concolic, &j);
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

static bool keep_case(struct reaching *g, struct reach_case *c, struct diag *d)
{
    char id[9];
    struct text source = {0};
    case_id_of(&c->c, id);
    c->path = store_case(g->store, &g->s->arena, id, &c->c, d);
    if (!c->path)
        return false;
    char *folder = arena_text(&g->s->arena, c->path);
    *strrchr(folder, '/') = 0;
    case_source(&c->c, NULL, &source);
    const char *file = arena_format(&g->s->arena, "%s/test.c", folder);
    bool ok = file_put(file, &source, d);
    text_free(&source);
    return ok;
}

void reaching_keep(struct reaching *g)
{
    struct diag d = {0};
    g->store = store_open(home_path(&g->s->arena, ""), &d);
    bool ok = g->store;
    for (uint32_t i = 0; ok && i < g->r.cases.n; i++)
        if (g->r.cases.at[i].covers)
            ok = keep_case(g, &g->r.cases.at[i], &d);
    if (!ok)
        fprintf(stderr, "troupe: warning: not all cases are kept: %s\n",
                d.text + strlen("error: "));
    diag_free(&d);
    if (g->store)
        store_close(g->store);
}

// -o FILE.c: the tests of what was asked for.
static void write_source(struct reaching *g, const char *path)
{
    struct text t = {0};
    const struct reach_case *first = NULL;
    // The head is that of a case in which memory runs out, if there is one.
    for (uint32_t i = 0; i < g->r.cases.n; i++) {
        const struct reach_case *c = &g->r.cases.at[i];
        if (c->covers &&
            (!first || (c->c.alloc_fails && !first->c.alloc_fails)))
            first = c;
    }
    if (first)
        case_source(&first->c, NULL, &t);
    for (uint32_t i = 0; i < g->r.cases.n; i++)
        if (g->r.cases.at[i].covers && &g->r.cases.at[i] != first)
            case_source_more(&g->r.cases.at[i].c, &t);
    session_write(g->s, path, &t);
    text_free(&t);
}

// --lcov=FILE: lines that a confirmed test passes.
static void write_lcov(struct reaching *g, const char *path)
{
    const struct reach *r = &g->r;
    struct text t = {0};
    uint64_t *hits = need_zero((r->targets.n + 1) * sizeof *hits);
    struct ir_target *at = need_zero((r->targets.n + 1) * sizeof *at);
    for (uint32_t i = 0; i < r->targets.n; i++) {
        at[i] = r->targets.at[i].at;
        hits[i] = r->targets.at[i].status == REACH_COVERED;
    }
    lcov_print(g->ir, at, hits, r->targets.n, &t);
    session_write(g->s, path, &t);
    text_free(&t);
    free(hits);
    free(at);
}

// -v: what the engines did.
static void print_engines(struct reaching *g)
{
    const struct pool *p = g->r.pool;
    const struct pool_concolic *c = &p->concolic;
    fprintf(g->out, "runs       %llu native, %llu receives, %u worker%s lost\n",
            (unsigned long long)p->runs, (unsigned long long)p->receives,
            p->lost, p->lost == 1 ? "" : "s");
    fprintf(g->out,
            "concolic   %llu runs followed, %llu of them partly%s%s; %llu "
            "questions: %llu yes, %llu no, %llu open\n",
            (unsigned long long)c->followed, (unsigned long long)c->partly,
            c->partly ? ": " : "", c->partly_why, (unsigned long long)c->asked,
            (unsigned long long)c->sat, (unsigned long long)c->unsat,
            (unsigned long long)c->unknown);
    if (c->missed)
        fprintf(g->out, "           %llu answers took another side: %s\n",
                (unsigned long long)c->missed, c->missed_at);
    if (c->diverged)
        fprintf(g->out, "           %llu runs are others on the IR: %s\n",
                (unsigned long long)c->diverged, c->diverged_why);
}

void reaching_tell(struct reaching *g)
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
    if (option_flag(o, OPT_verbose))
        print_engines(g);
    print_table(g);
    if (json)
        write_json(g, json);
    if (source)
        write_source(g, source);
    if (option_text(o, OPT_lcov))
        write_lcov(g, option_text(o, OPT_lcov));
}
