// troupe graph: the message flow graph as text, DOT, SVG or JSON.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/command.h"
#include "base/json.h"
#include "base/temp.h"
#include "base/text.h"
#include "cli/llvm/analysis.h"
#include "cli/shell/command.h"
#include "cli/session.h"
#include "flow/flow.h"

static void dot_text(const struct flow *f, const char *cls, struct text *to)
{
    char *s = NULL;
    size_t n = 0;
    FILE *m = open_memstream(&s, &n);
    if (!m)
        return;
    flow_dot(f, cls, m);
    fclose(m);
    text_bytes(to, s, n);
    free(s);
}

// dot reads a file and writes what we then write.
static bool write_svg(struct session *s, const struct text *dot,
                      const char *path)
{
    struct text svg = {0};
    struct args argv = {0};
    const char *dir = temp_new(&s->arena, &s->diag);
    if (!dir)
        return false;
    const char *name = arena_format(&s->arena, "%s/graph.dot", dir);
    bool ok = session_write(s, name, dot);
    vec_push(&argv, "dot");
    vec_push(&argv, "-Tsvg");
    vec_push(&argv, name);
    if (ok && !command_path(&s->arena, "dot"))
        ok = diag_set(&s->diag, EXIT_USAGE,
                      "--svg needs graphviz's dot, which is not there; --dot "
                      "writes the graph without it");
    else if (ok && command_run(&argv, false, &svg) != 0)
        ok = diag_set(&s->diag, EXIT_USAGE, "graphviz's dot failed");
    ok = ok && session_write(s, path, &svg);
    temp_remove(dir);
    vec_free(&argv);
    text_free(&svg);
    return ok;
}

static bool write_json(struct session *s, const struct flow *f,
                       const char *path)
{
    struct text t = {0};
    struct json j = {.to = &t};
    json_object(&j, NULL);
    session_json_head(s, &j);
    flow_json(f, &j);
    json_end(&j);
    bool ok = session_write(s, path, &t);
    text_free(&t);
    return ok;
}

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void show_counts(const char *what, const struct flow *f, double time)
{
    printf("%-10s %6u %6u %7u %8.3f s\n", what, f->counts.nodes,
           f->counts.edges, f->counts.labels, time);
}

// As in TAP's table 2.
static bool compare(struct session *s, const struct ir *ir,
                    const struct flow *f, double time)
{
    double from = seconds();
    struct flow *b = analysis_flow(s, ir, true);
    double took = seconds() - from;
    if (!b)
        return false;
    printf("%-10s %6s %6s %7s %10s\n", "", "nodes", "edges", "labels", "time");
    show_counts("baseline", b, took);
    show_counts("optimised", f, time);
    flow_free(b);
    return true;
}

static bool show(struct session *s, const struct ir *ir, const struct flow *f,
                 double time)
{
    const char *cls = option_text(s->options, OPT_class);
    const char *dot = option_text(s->options, OPT_dot);
    const char *svg = option_text(s->options, OPT_svg);
    const char *json = option_text(s->options, OPT_json);
    struct text picture = {0};
    bool ok = true;
    if (cls && ir_find_class(ir, cls) == IR_NOTHING)
        return diag_set(&s->diag, EXIT_USAGE, "no class is called '%s'", cls);
    dot_text(f, cls, &picture);
    if (json)
        ok = write_json(s, f, json);
    if (ok && svg)
        ok = write_svg(s, &picture, svg);
    if (ok && (dot || (cls && !svg && !json)))
        ok = session_write(s, dot ? dot : "-", &picture);
    text_free(&picture);
    if (ok && option_flag(s->options, OPT_baseline))
        return compare(s, ir, f, time);
    if (ok && !json && !svg && !dot && !cls)
        flow_print(f, stdout);
    return ok;
}

int cmd_graph(struct session *s)
{
    struct ir *ir = analysis_ir(s);
    double from = seconds();
    struct flow *f = ir ? analysis_flow(s, ir, false) : NULL;
    bool ok = f && show(s, ir, f, seconds() - from);
    flow_free(f);
    ir_free(ir);
    return ok ? EXIT_GOOD : s->diag.status;
}
