// troupe reach: a test that gets to a given line.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "base/interrupt.h"
#include "base/text.h"
#include "cli/llvm/analysis.h"
#include "cli/llvm/reaching.h"
#include "cli/session.h"
#include "cli/shell/command.h"
#include "flow/flow.h"
#include "troupe.h"

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

static bool want_blocks(struct reaching *g, const char *file, uint32_t line,
                        bool assertion, bool jumps, bool *known)
{
    bool any = false;
    for (uint32_t f = 0; f < g->ir->files.n; f++) {
        if (!names_file(g->ir->files.at[f], file))
            continue;
        *known = true;
        for (uint32_t i = 0; i < g->r.targets.n; i++) {
            const struct ir_target *t = &g->r.targets.at[i].at;
            bool fits =
                assertion ? t->ends == IR_TRAP_ASSERT : t->trap == IR_TRAPS_N;
            if (fits && ir_target_on(g->ir, t, (uint16_t)f, line, jumps))
                any = want(&g->r, i);
        }
    }
    return any;
}

static bool want_line(struct reaching *g, const char *word, bool assertion)
{
    const char *colon = strrchr(word, ':');
    char *end;
    unsigned long line = strtoul(colon + 1, &end, 10);
    char *file = arena_format(&g->s->arena, "%.*s", (int)(colon - word), word);
    bool known = false;
    // A block that only goes on elsewhere is meant if the line has no other, as
    // that of a break; behind the body of an if there is one, too.
    for (int jumps = 0; jumps < 2; jumps++)
        if (want_blocks(g, file, (uint32_t)line, assertion, jumps, &known))
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
        if ((g->all && t->trap == IR_TRAPS_N) || (traps && reaching_failure(t)))
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

static enum reach_search search_of(const char *text)
{
    int s = 0;
    while (s < REACH_SEARCHES_N &&
           strcmp(text, reach_search_text((enum reach_search)s)) != 0)
        s++;
    return (enum reach_search)s;
}

static bool read_loop(struct session *s, struct reach_options *o)
{
    const char *text = option_text(s->options, OPT_loop);
    char *end;
    if (!option_given(s->options, OPT_loop))
        return true;
    unsigned long n = strtoul(text, &end, 10);
    o->loop = (uint32_t)n;
    return (*text >= '1' && *text <= '9' && !*end && n <= LOOP_MOST) ||
           diag_set(&s->diag, EXIT_USAGE,
                    "--loop: a number from 1 to %u, not '%s'", LOOP_MOST, text);
}

static bool read_options(struct reaching *g, struct reach_options *o)
{
    struct session *s = g->s;
    const char *search = option_text(s->options, OPT_search);
    *o = (struct reach_options){
        .delivery = delivery_of(option_text(s->options, OPT_delivery)),
        .params = given_params(s),
        .seed = option_given(s->options, OPT_seed)
                    ? option_number(s->options, OPT_seed)
                    : 1,
        .runs = option_number(s->options, OPT_runs),
        .messages = (uint32_t)option_number(s->options, OPT_messages),
        .actors = (uint32_t)option_number(s->options, OPT_actors),
        .search = search_of(search),
        .cpu = option_flag(s->options, OPT_cpu_time),
        .with_tests = option_flag(s->options, OPT_with_tests),
        .alloc_fails = option_flag(s->options, OPT_alloc_fails),
        .stop = interrupted,
    };
    o->seconds = (double)option_duration(s->options, OPT_time) * 1e-9;
    if (option_given(s->options, OPT_total_time))
        o->total = (double)option_duration(s->options, OPT_total_time) * 1e-9;
    // A bound on the whole alone leaves each target as long as it takes.
    if (o->total > 0 && !option_given(s->options, OPT_time))
        o->seconds = 0;
    o->system = choose_system(g);
    return o->system && read_loop(s, o);
}

// ---- the command ------------------------------------------------------------

static int status_of(const struct reaching *g)
{
    bool bug = false, open = false, shown = true, wrong = false;
    for (uint32_t i = 0; i < g->r.targets.n; i++) {
        const struct reach_target *t = &g->r.targets.at[i];
        if (!t->wanted)
            continue;
        bug |= t->status == REACH_COVERED && reaching_failure(&t->at);
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

static bool is_param(const struct reach_model *m, const char *given)
{
    size_t n = strcspn(given, "=");
    bool found = m->more_params;
    for (uint32_t i = 0; i < m->params.n; i++)
        found |= strncmp(m->params.at[i], given, n) == 0 && !m->params.at[i][n];
    return found;
}

static bool params_known(struct reaching *g)
{
    const struct options *o = g->s->options;
    for (uint32_t i = 0; i < option_count(o, OPT_param); i++) {
        const char *given = option_item(o, OPT_param, i);
        if (!is_param(&g->r.model, given))
            return diag_set(&g->s->diag, EXIT_USAGE,
                            "--param: the program does not ask for '%.*s'",
                            (int)strcspn(given, "="), given);
    }
    return true;
}

// A function and a global that it writes, where a call of the root leads to;
// false if there are none.
static bool writes(const struct ir *ir, uint32_t root, uint32_t *fn,
                   uint32_t *global)
{
    if (root == IR_NOTHING)
        return false;
    bool *called = need_zero((ir->fns.n + 1) * sizeof *called);
    *global = IR_NOTHING;
    called[root] = true;
    ir_spread(ir, called);
    for (*fn = 0; *fn < ir->fns.n; ++*fn) {
        *global = called[*fn] ? ir_writes(ir, ir->fns.at[*fn]) : IR_NOTHING;
        if (*global != IR_NOTHING)
            break;
    }
    free(called);
    return *global != IR_NOTHING;
}

// Where the setup writes globals, its cases are replayed as those of actors
// that share memory: handlers then find what it wrote.
static bool setup_writes(const struct reaching *g, const char *system)
{
    uint32_t fn, global;
    for (uint32_t i = 0; i < g->ir->systems.n; i++)
        if (strcmp(g->ir->systems.at[i].name, system) == 0 &&
            writes(g->ir, g->ir->systems.at[i].fn, &fn, &global))
            return true;
    return false;
}

static bool refuse_global(struct reaching *g, uint32_t fn, uint32_t global)
{
    diag_set(&g->s->diag, EXIT_USAGE,
             "%s writes the global variable '%s': actors that share memory are "
             "not independent",
             g->ir->fns.at[fn]->name, g->ir->globals.at[global].name);
    diag_hint(&g->s->diag, "--assume-atomic searches all the same");
    return false;
}

// What a handler leaves in a global variable another one finds: the order of
// handler runs then is an input that no case tells.
static bool globals_kept(struct reaching *g)
{
    uint32_t fn, global;
    if (option_flag(g->s->options, OPT_assume_atomic))
        return true;
    for (uint32_t i = 0; i < g->ir->classes.n; i++)
        if (g->flow->created[i] &&
            (writes(g->ir, g->ir->classes.at[i].init, &fn, &global) ||
             writes(g->ir, g->ir->classes.at[i].fini, &fn, &global)))
            return refuse_global(g, fn, global);
    for (uint32_t i = 0; i < g->flow->handlers.n; i++) {
        const struct flow_handler *h = &g->flow->handlers.at[i];
        for (uint32_t k = 0; h->live && k < h->n; k++) {
            const struct flow_access *a = &h->accesses[k];
            if (!a->write || !a->global || a->guessed)
                continue;
            return refuse_global(g, h->fn, a->of);
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

// The flags are part of the cases.
static void keep_allocations(struct session *s)
{
    for (size_t i = 0; ir_allocation_flags[i]; i++)
        vec_push(&s->flags, ir_allocation_flags[i]);
}

static bool prepare(struct reaching *g)
{
    struct session *s = g->s;
    struct reach_builds b = {0};
    struct reach_options o;
    if (option_flag(s->options, OPT_alloc_fails))
        keep_allocations(s);
    if (!session_inputs(s) || !build_all(g, &b) || !read_options(g, &o))
        return false;
    o.shared =
        option_flag(s->options, OPT_assume_atomic) || setup_writes(g, o.system);
    struct flow_options f = {.system = o.system};
    g->flow = flow_new(g->ir, &f, &s->diag);
    if (!g->flow || !reach_open(&g->r, g->ir, g->flow, &o, &b, &s->diag))
        return false;
    g->r.origin.tool = TR_VERSION;
    for (uint32_t i = 0; i < s->inputs.n; i++)
        vec_push(&g->r.origin.programs, s->inputs.at[i]);
    for (uint32_t i = 0; i < s->flags.n; i++)
        vec_push(&g->r.origin.flags, s->flags.at[i]);
    return has_inputs(g) && params_known(g) && globals_kept(g) &&
           want_targets(g);
}

int cmd_reach(struct session *s)
{
    struct reaching g = {.s = s, .out = stdout};
    int status;
    if (prepare(&g) && search(&g)) {
        reaching_keep(&g);
        reaching_tell(&g);
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
