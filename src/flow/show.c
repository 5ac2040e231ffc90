// The graph as text, DOT and JSON.
//
// As in TAP's figure 6: dashed arrows create, others carry messages; the
// environment is a node; receptionists have a double border.  Messages between
// the same two classes share an arrow, so that forty classes stay readable.
#include "flow/flow.h"

#include "base/json.h"
#include "base/text.h"

#include <string.h>

static const char *msg_name(const struct flow *f, uint32_t msg)
{
    return msg == IR_NOTHING ? "" : f->ir->msgs.at[msg].name;
}

// A reply is called by its own name.
static const char *edge_name(const struct flow *f, const struct flow_edge *e)
{
    const char *reply =
        e->kind == FLOW_REPLY ? f->ir->msgs.at[e->msg].reply : NULL;
    return reply ? reply : msg_name(f, e->msg);
}

static const struct ir_inst *inst_at(const struct flow *f,
                                     const struct flow_site *s)
{
    return &f->ir->fns.at[s->fn]->insts.at[s->inst];
}

static void access_name(const struct flow *f, const struct flow_access *a,
                        char *out, size_t size)
{
    if (a->global)
        snprintf(out, size, "@%s", f->ir->globals.at[a->of].name);
    else
        ir_path(f->ir, f->ir->classes.at[a->of].type, a->offset, out, size);
    if (!out[0])
        snprintf(out, size, "+%u", a->offset);
}

// ---- text ---------------------------------------------------------------

static void print_site(const struct flow *f, const struct flow_site *s,
                       FILE *to)
{
    const struct ir_inst *i = inst_at(f, s);
    fprintf(to, " %s:%u", f->ir->files.at[i->file], i->line);
}

static void print_edge(const struct flow *f, const struct flow_edge *e,
                       FILE *to)
{
    fprintf(to, "  %s -> %s: ", flow_name(f, e->from), flow_name(f, e->to));
    if (e->kind != FLOW_SEND)
        fprintf(to, "%s ", flow_kind_text((enum flow_kind)e->kind));
    fprintf(to, "%s", edge_name(f, e));
    if (e->kind == FLOW_REPLY)
        fprintf(to, " to %s", msg_name(f, e->msg));
    if (e->n)
        fprintf(to, "%sat", e->kind == FLOW_CREATE ? "" : " ");
    for (uint32_t i = 0; i < e->n; i++)
        print_site(f, &e->sites[i], to);
    fprintf(to, "\n");
}

static void print_handler(const struct flow *f, const struct flow_handler *h,
                          FILE *to)
{
    static const char *const verbs[] = {"reads", "writes"};
    fprintf(to, "  %s: on %s %s%s\n", f->ir->behaviours.at[h->behaviour].name,
            msg_name(f, h->msg), f->ir->fns.at[h->fn]->name,
            h->live ? "" : ", but no such message can come");
    for (int w = 0; w < 2; w++) {
        bool first = true;
        for (uint32_t i = 0; i < h->n; i++) {
            char path[128] = "";
            if (h->accesses[i].write != w)
                continue;
            access_name(f, &h->accesses[i], path, sizeof path);
            if (first)
                fprintf(to, "    %s ", verbs[w]);
            fprintf(to, "%s%s", first ? "" : ", ", path);
            first = false;
        }
        if (!first)
            fprintf(to, "\n");
    }
}

static void print_class(const struct flow *f, uint32_t c, FILE *to)
{
    fprintf(to, "class %s%s%s\n", flow_name(f, c),
            f->receptionist[c] ? ", a receptionist" : "",
            f->created[c] ? "" : ", never created");
    for (uint32_t i = 0; i < f->handlers.n; i++)
        if (f->handlers.at[i].cls == c)
            print_handler(f, &f->handlers.at[i], to);
    for (uint32_t i = 0; i < f->unhandled.n; i++)
        if (f->unhandled.at[i].cls == c)
            fprintf(to, "  %s: no row for %s\n",
                    f->ir->behaviours.at[f->unhandled.at[i].behaviour].name,
                    msg_name(f, f->unhandled.at[i].msg));
}

struct cycles {
    const struct flow *f;
    FILE *to;
    bool some;
};

static void print_cycle(void *self, const uint32_t *cls, uint32_t n)
{
    struct cycles *c = self;
    if (!c->some)
        fprintf(c->to, "requests that may wait for each other\n");
    c->some = true;
    for (uint32_t i = 0; i <= n; i++)
        fprintf(c->to, "%s%s", i ? " -> " : "  ", flow_name(c->f, cls[i % n]));
    fprintf(c->to, "\n");
}

void flow_print(const struct flow *f, FILE *to)
{
    struct cycles cycles = {f, to, false};
    for (uint32_t c = 0; c < f->ir->classes.n; c++)
        print_class(f, c, to);
    fprintf(to, "edges\n");
    for (uint32_t i = 0; i < f->edges.n; i++)
        print_edge(f, &f->edges.at[i], to);
    flow_request_cycles(f, print_cycle, &cycles);
    for (uint32_t i = 0; i < f->nobody.n; i++) {
        fprintf(to, "%s ", i ? "" : "sends to nobody\n");
        print_site(f, &f->nobody.at[i], to);
        fprintf(to, "\n");
    }
    for (uint32_t i = 0; i < f->doubts.n; i++) {
        fprintf(to, "%s ", i ? "" : "taken for granted\n");
        print_site(f, &f->doubts.at[i].site, to);
        fprintf(to, ": %s\n", f->doubts.at[i].what);
    }
}

// ---- DOT ----------------------------------------------------------------

static void dot_head(const char *name, FILE *to)
{
    fprintf(to,
            "digraph \"%s\" {\n"
            "  rankdir=LR; nodesep=0.4; ranksep=0.9;\n"
            "  node [shape=box, style=rounded, fontname=\"Helvetica\", "
            "fontsize=12];\n"
            "  edge [fontname=\"Helvetica\", fontsize=10];\n",
            name);
}

static void dot_name(const struct flow *f, uint32_t actor, FILE *to)
{
    if (actor == flow_env(f))
        fprintf(to, "environment");
    else
        fprintf(to, "c%u", actor);
}

static bool has_label(const struct flow *f, uint32_t from, uint32_t i)
{
    for (uint32_t k = from; k < i; k++)
        if (f->edges.at[k].kind != FLOW_CREATE &&
            strcmp(edge_name(f, &f->edges.at[k]),
                   edge_name(f, &f->edges.at[i])) == 0)
            return true;
    return false;
}

// One arrow for all messages of a pair; edges are sorted by pair.
static uint32_t dot_pair(const struct flow *f, uint32_t i, FILE *to)
{
    const struct flow_edge *first = &f->edges.at[i];
    uint32_t end = i, n = 0;
    while (end < f->edges.n && f->edges.at[end].from == first->from &&
           f->edges.at[end].to == first->to)
        end++;
    if (first->kind == FLOW_CREATE) {
        fprintf(to, "  ");
        dot_name(f, first->from, to);
        fprintf(to, " -> ");
        dot_name(f, first->to, to);
        fprintf(to, " [style=dashed];\n");
    }
    for (uint32_t k = i; k < end; k++) {
        const struct flow_edge *e = &f->edges.at[k];
        if (e->kind == FLOW_CREATE || has_label(f, i, k))
            continue;
        if (!n++) {
            fprintf(to, "  ");
            dot_name(f, e->from, to);
            fprintf(to, " -> ");
            dot_name(f, e->to, to);
            fprintf(to, " [label=\"");
        } else {
            fprintf(to, n % 4 == 1 ? ",\\n" : ", ");
        }
        fprintf(to, "%s", edge_name(f, e));
    }
    if (n)
        fprintf(to, "\"];\n");
    return end;
}

static void dot_graph(const struct flow *f, FILE *to)
{
    bool env = false;
    dot_head("message flow", to);
    for (uint32_t c = 0; c < f->ir->classes.n; c++)
        if (f->created[c])
            fprintf(to, "  c%u [label=\"%s\"%s];\n", c, flow_name(f, c),
                    f->receptionist[c] ? ", peripheries=2" : "");
    for (uint32_t i = 0; i < f->edges.n; i++)
        env |= f->edges.at[i].from == flow_env(f) ||
               f->edges.at[i].to == flow_env(f);
    if (env)
        fprintf(to, "  environment [shape=ellipse, style=dotted];\n");
    for (uint32_t i = 0; i < f->edges.n;)
        i = dot_pair(f, i, to);
    fprintf(to, "}\n");
}

// The behaviours of a class and what leads from one to another.
static void dot_class(const struct flow *f, uint32_t c, FILE *to)
{
    const struct ir *ir = f->ir;
    dot_head(flow_name(f, c), to);
    fprintf(to, "  start [shape=point];\n");
    for (uint32_t b = 0; b < ir->behaviours.n; b++) {
        const struct ir_behaviour *k = &ir->behaviours.at[b];
        if (!flow_reachable(f, c, b))
            continue;
        bool hot = false;
        for (uint32_t i = 0; i < ir->hots.n; i++)
            hot |= ir->hots.at[i].cls == c && ir->hots.at[i].behaviour == b;
        fprintf(to, "  b%u [shape=%s, label=\"%s", b,
                hot ? "doubleoctagon" : "box", k->name);
        for (uint32_t i = 0; i < k->n; i++)
            if (k->rows[i].policy)
                fprintf(to, "\\n%s %s",
                        k->rows[i].policy == 1 ? "defers" : "ignores",
                        msg_name(f, k->rows[i].msg));
        fprintf(to, "\"];\n");
    }
    if (ir->classes.at[c].start != IR_NOTHING)
        fprintf(to, "  start -> b%u;\n", ir->classes.at[c].start);
    for (uint32_t i = 0; i < f->becomes.n; i++) {
        const struct flow_become *b = &f->becomes.at[i];
        if (b->cls == c)
            fprintf(to, "  b%u -> b%u [label=\"%s\"];\n", b->from, b->to,
                    b->msg == IR_NOTHING ? "init" : msg_name(f, b->msg));
    }
    fprintf(to, "}\n");
}

void flow_dot(const struct flow *f, const char *cls, FILE *to)
{
    uint32_t c = cls ? ir_find_class(f->ir, cls) : IR_NOTHING;
    if (c != IR_NOTHING)
        dot_class(f, c, to);
    else
        dot_graph(f, to);
}

// ---- JSON ---------------------------------------------------------------

static void json_site(const struct flow *f, const struct flow_site *s,
                      struct json *j)
{
    const struct ir_inst *i = inst_at(f, s);
    json_text(j, "file", f->ir->files.at[i->file]);
    json_number(j, "line", i->line);
    json_number(j, "column", i->column);
    json_text(j, "function", f->ir->fns.at[s->fn]->name);
}

struct json_payload {
    const struct flow *f;
    struct json *j;
};

static void json_carried(void *self, const char *field, uint32_t actor)
{
    struct json_payload *p = self;
    json_object(p->j, NULL);
    json_text(p->j, "field", field);
    json_text(p->j, "names", flow_name(p->f, actor));
    json_end(p->j);
}

static void json_edge(const struct flow *f, const struct flow_edge *e,
                      struct json *j)
{
    json_object(j, NULL);
    json_text(j, "from", flow_name(f, e->from));
    json_text(j, "to", flow_name(f, e->to));
    json_text(j, "kind", flow_kind_text((enum flow_kind)e->kind));
    if (e->kind != FLOW_CREATE)
        json_text(j, "message", edge_name(f, e));
    if (e->kind == FLOW_REPLY)
        json_text(j, "request", msg_name(f, e->msg));
    struct json_payload payload = {f, j};
    json_array(j, "carries");
    flow_payload(f, e, json_carried, &payload);
    json_end(j);
    json_array(j, "sites");
    for (uint32_t i = 0; i < e->n; i++) {
        json_object(j, NULL);
        json_site(f, &e->sites[i], j);
        json_end(j);
    }
    json_end(j);
    json_end(j);
}

static void json_accesses(const struct flow *f, const struct flow_handler *h,
                          bool write, struct json *j)
{
    json_array(j, write ? "writes" : "reads");
    for (uint32_t i = 0; i < h->n; i++) {
        char path[128] = "";
        if (h->accesses[i].write != write)
            continue;
        access_name(f, &h->accesses[i], path, sizeof path);
        json_text(j, NULL, path);
    }
    json_end(j);
}

static void json_class(const struct flow *f, uint32_t c, struct json *j)
{
    json_object(j, NULL);
    json_text(j, "name", flow_name(f, c));
    json_bool(j, "created", f->created[c]);
    json_bool(j, "receptionist", f->receptionist[c]);
    json_array(j, "handlers");
    for (uint32_t i = 0; i < f->handlers.n; i++) {
        const struct flow_handler *h = &f->handlers.at[i];
        if (h->cls != c)
            continue;
        json_object(j, NULL);
        json_text(j, "behaviour", f->ir->behaviours.at[h->behaviour].name);
        json_text(j, "message", msg_name(f, h->msg));
        json_text(j, "function", f->ir->fns.at[h->fn]->name);
        json_bool(j, "live", h->live);
        json_accesses(f, h, false, j);
        json_accesses(f, h, true, j);
        json_end(j);
    }
    json_end(j);
    json_array(j, "becomes");
    for (uint32_t i = 0; i < f->becomes.n; i++) {
        const struct flow_become *b = &f->becomes.at[i];
        if (b->cls != c)
            continue;
        json_object(j, NULL);
        json_text(j, "from", f->ir->behaviours.at[b->from].name);
        json_text(j, "to", f->ir->behaviours.at[b->to].name);
        json_text(j, "on", b->msg == IR_NOTHING ? NULL : msg_name(f, b->msg));
        json_site(f, &b->site, j);
        json_end(j);
    }
    json_end(j);
    json_end(j);
}

struct json_cycles {
    const struct flow *f;
    struct json *j;
};

static void json_cycle(void *self, const uint32_t *cls, uint32_t n)
{
    struct json_cycles *c = self;
    json_array(c->j, NULL);
    for (uint32_t i = 0; i < n; i++)
        json_text(c->j, NULL, flow_name(c->f, cls[i]));
    json_end(c->j);
}

static void json_problems(const struct flow *f, struct json *j)
{
    json_array(j, "unhandled");
    for (uint32_t i = 0; i < f->unhandled.n; i++) {
        const struct flow_unhandled *u = &f->unhandled.at[i];
        json_object(j, NULL);
        json_text(j, "class", flow_name(f, u->cls));
        json_text(j, "behaviour", f->ir->behaviours.at[u->behaviour].name);
        json_text(j, "message", msg_name(f, u->msg));
        json_end(j);
    }
    json_end(j);
    json_array(j, "nobody");
    for (uint32_t i = 0; i < f->nobody.n; i++) {
        json_object(j, NULL);
        json_site(f, &f->nobody.at[i], j);
        json_end(j);
    }
    json_end(j);
    json_array(j, "request_cycles");
    struct json_cycles cycles = {f, j};
    flow_request_cycles(f, json_cycle, &cycles);
    json_end(j);
    json_array(j, "taken_for_granted");
    for (uint32_t i = 0; i < f->doubts.n; i++) {
        json_object(j, NULL);
        json_text(j, "what", f->doubts.at[i].what);
        json_site(f, &f->doubts.at[i].site, j);
        json_end(j);
    }
    json_end(j);
}

void flow_json(const struct flow *f, struct json *j)
{
    json_array(j, "classes");
    for (uint32_t c = 0; c < f->ir->classes.n; c++)
        json_class(f, c, j);
    json_end(j);
    json_array(j, "edges");
    for (uint32_t i = 0; i < f->edges.n; i++)
        json_edge(f, &f->edges.at[i], j);
    json_end(j);
    json_problems(f, j);
    json_object(j, "counts");
    json_number(j, "nodes", f->counts.nodes);
    json_number(j, "edges", f->counts.edges);
    json_number(j, "labels", f->counts.labels);
    json_end(j);
}
