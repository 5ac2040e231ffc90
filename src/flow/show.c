// The graph as text, DOT and JSON.
//
// As in TAP's figure 6: dashed arrows create, others carry messages; the
// environment is a node; receptionists have a double border.  Messages between
// the same two classes share an arrow, so that forty classes stay readable.
#include "flow/flow.h"

#include "base/json.h"
#include "base/text.h"

#include <string.h>

static const char *msg_name(const struct flow *f, const struct flow_edge *e)
{
    return e->msg == IR_NOTHING ? "" : f->ir->msgs.at[e->msg].name;
}

static bool is_message(const struct flow_edge *e)
{
    return e->kind != FLOW_CREATE;
}

// ---- text ---------------------------------------------------------------

static void print_site(const struct flow *f, const struct flow_site *s,
                       FILE *to)
{
    const struct ir_inst *i = &f->ir->fns.at[s->fn]->insts.at[s->inst];
    fprintf(to, " %s:%u", f->ir->files.at[i->file], i->line);
}

static void print_edge(const struct flow *f, const struct flow_edge *e,
                       FILE *to)
{
    const char *reply =
        e->kind == FLOW_REPLY ? f->ir->msgs.at[e->msg].reply : NULL;
    fprintf(to, "  %s -> %s  %s%s%s", flow_name(f, e->from),
            flow_name(f, e->to), flow_kind_text((enum flow_kind)e->kind),
            is_message(e) ? " " : "", reply ? reply : msg_name(f, e));
    if (reply)
        fprintf(to, " (to %s)", msg_name(f, e));
    for (uint32_t i = 0; i < e->n; i++)
        print_site(f, &e->sites[i], to);
    fprintf(to, "\n");
}

static void print_class(const struct flow *f, uint32_t c, FILE *to)
{
    const struct ir_class *k = &f->ir->classes.at[c];
    fprintf(to, "class %s%s%s\n", k->name,
            f->receptionist[c] ? ", receptionist" : "",
            f->created[c] ? "" : ", never created");
    for (uint32_t i = 0; i < f->handlers.n; i++) {
        const struct flow_handler *h = &f->handlers.at[i];
        if (h->cls != c)
            continue;
        fprintf(to, "  %s: %s -> %s%s", f->ir->behaviours.at[h->behaviour].name,
                f->ir->msgs.at[h->msg].name, f->ir->fns.at[h->fn]->name,
                h->live ? "" : " (no such message comes)");
        for (uint32_t k2 = 0; k2 < h->n; k2++) {
            const struct flow_access *a = &h->accesses[k2];
            char path[128] = "";
            if (a->global)
                snprintf(path, sizeof path, "@%s",
                         f->ir->globals.at[a->of].name);
            else
                ir_path(f->ir, f->ir->classes.at[a->of].type, a->offset, path,
                        sizeof path);
            fprintf(to, "%s %s", a->write ? ", writes" : ", reads", path);
        }
        fprintf(to, "\n");
    }
}

static void print_cycle(void *to, const uint32_t *cls, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        fprintf(to, "%s%u", i ? " -> " : "  classes ", cls[i]);
    fprintf(to, "\n");
}

void flow_print(const struct flow *f, FILE *to)
{
    (void)print_cycle;
    for (uint32_t c = 0; c < f->ir->classes.n; c++)
        print_class(f, c, to);
    fprintf(to, "edges\n");
    for (uint32_t i = 0; i < f->edges.n; i++)
        print_edge(f, &f->edges.at[i], to);
    for (uint32_t i = 0; i < f->doubts.n; i++) {
        fprintf(to, "%s", i ? "" : "taken for granted\n");
        print_site(f, &f->doubts.at[i].site, to);
        fprintf(to, ": %s\n", f->doubts.at[i].what);
    }
    fprintf(to, "%u nodes, %u edges, %u labels\n", f->counts.nodes,
            f->counts.edges, f->counts.labels);
}
