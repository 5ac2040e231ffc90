// Making the graph: roots, the fixed point, the open environment.
#include "flow/inner.h"

#include "base/diag.h"
#include "base/die.h"

#include <stdlib.h>
#include <string.h>

void flow_event(void *owner, uint32_t op, int64_t role, uint32_t loc);

static void add_root(struct flow_inner *f, uint32_t fn)
{
    if (fn != IR_NOTHING && f->ir->fns.at[fn]->defined)
        instance_get(f, fn, f->env);
}

static bool add_roots(struct flow_inner *f, const char *system, struct diag *d)
{
    const struct ir *ir = f->ir;
    bool found = system == NULL;
    for (uint32_t i = 0; i < ir->systems.n; i++)
        if (!system || strcmp(ir->systems.at[i].name, system) == 0) {
            add_root(f, ir->systems.at[i].fn);
            found = true;
        }
    if (!found)
        return diag_set(d, EXIT_NO_MATCH, "no system is called '%s'", system);
    for (uint32_t i = 0; i < ir->invariants.n; i++)
        add_root(f, ir->invariants.at[i].fn);
    for (uint32_t i = 0; !system && i < ir->tests.n; i++)
        add_root(f, ir->tests.at[i].fn);
    if (!system)
        add_root(f, ir_find_fn(ir, "main"));
    return true;
}

static void prepare(struct flow_inner *f, const struct ir *ir)
{
    uint32_t classes = ir->classes.n + 1;
    f->sender = need(classes * sizeof *f->sender);
    f->reachable = need_zero((ir->behaviours.n + 1) * classes);
    f->created = need_zero(classes);
    f->receptionist = need_zero(classes);
    f->wrapper = need_zero(ir->fns.n + 1);
    f->tag_offset = need((ir->fns.n + 1) * sizeof *f->tag_offset);
    for (uint32_t i = 0; i < classes; i++)
        f->sender[i] = pts_node(&f->pts);
    f->kept_text = pts_node(&f->pts);
    find_wrappers(f);
    find_tags(f);
}

static void solve(struct flow_inner *f)
{
    do {
        gen_pending(f);
        pts_solve(&f->pts);
    } while (f->pending.n || complete_tags(f) || open_receptionists(f) ||
             f->pts.head < f->pts.queue.n);
}

struct flow *flow_new(const struct ir *ir, const struct flow_options *options,
                      struct diag *d)
{
    if (!ir->classes.n) {
        diag_set(d, EXIT_USAGE, "no actors found: no file has a TR_CLASS");
        return NULL;
    }
    struct flow *f = need_zero(sizeof *f);
    struct flow_inner *in = need_zero(sizeof *in);
    f->ir = in->ir = ir;
    f->inner = in;
    in->f = f;
    in->env = ir->classes.n;
    in->outside_object = IR_NOTHING;
    in->baseline = options && options->baseline;
    in->pts.ir = ir;
    in->pts.owner = in;
    in->pts.event = flow_event;
    prepare(in, ir);
    if (!add_roots(in, options ? options->system : NULL, d)) {
        flow_free(f);
        return NULL;
    }
    for (uint32_t i = 0; options && options->open && i < ir->classes.n; i++)
        open_class(in, i);
    solve(in);
    graph_collect(in);
    return f;
}

static void inner_free(struct flow_inner *in)
{
    for (uint32_t i = 0; i < in->instances.n; i++) {
        struct instance *k = &in->instances.at[i];
        free(k->nodes);
        free(k->active);
        vec_free(&k->todo);
        vec_free(&k->callees);
        vec_free(&k->messages);
        vec_free(&k->narrowed);
    }
    for (uint32_t i = 0; i < in->edges.n; i++)
        vec_free(&in->edges.at[i].sites);
    vec_free(&in->instances);
    vec_free(&in->edges);
    vec_free(&in->ops);
    vec_free(&in->inboxes);
    vec_free(&in->asked);
    vec_free(&in->answers);
    vec_free(&in->sender_ops);
    vec_free(&in->flying_ops);
    vec_free(&in->tagged);
    vec_free(&in->becomes);
    vec_free(&in->numbers);
    vec_free(&in->tag_offsets);
    vec_free(&in->pending);
    vec_free(&in->outside_fns);
    vec_free(&in->outside_ctxs);
    map_free(&in->instance_ids);
    map_free(&in->const_nodes);
    map_free(&in->objects);
    map_free(&in->edge_ids);
    map_free(&in->op_ids);
    map_free(&in->done);
    free(in->sender);
    free(in->reachable);
    free(in->created);
    free(in->receptionist);
    free(in->wrapper);
    free(in->tag_offset);
    pts_free(&in->pts);
    free(in);
}

void flow_free(struct flow *f)
{
    if (!f)
        return;
    inner_free(f->inner);
    vec_free(&f->edges);
    vec_free(&f->handlers);
    vec_free(&f->becomes);
    vec_free(&f->unhandled);
    vec_free(&f->nobody);
    vec_free(&f->doubts);
    arena_free(&f->arena);
    free(f);
}
