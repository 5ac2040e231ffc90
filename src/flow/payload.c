// What travels on an edge: the references in a message, or in the fields a new
// actor starts with.
#include "flow/inner.h"

struct payload_walk {
    const struct flow *f;
    struct flow_inner *in;
    uint32_t type, size; // of the message or state
    void (*use)(void *self, const char *field, uint32_t actor);
    void *self;
    struct set told; // cell offset * actors + actor
};

static void tell_cell(struct payload_walk *w, uint32_t byte, uint32_t node)
{
    uint32_t actors = w->f->ir->classes.n + 1;
    for (struct set_walk x = {.of = pts_of(&w->in->pts, node)}; set_next(&x);) {
        const struct pts_object *o = pts_object_at(&w->in->pts, x.x);
        if (o->kind != OBJECT_REF || !set_add(&w->told, byte * actors + o->of))
            continue;
        char path[128] = "";
        ir_path(w->f->ir, w->type, byte, path, sizeof path);
        w->use(w->self, path, o->of);
    }
}

static void tell_object(struct payload_walk *w, struct pts_loc at)
{
    const struct pts_object *o = &w->in->pts.objects.at[at.object];
    for (uint32_t i = 0; i < o->cells.n; i++) {
        const struct pts_cell *c = &o->cells.at[i];
        if (c->offset >= at.offset && c->offset - at.offset < w->size)
            tell_cell(w, c->offset - at.offset, c->node);
    }
}

static uint32_t payload_role(enum ir_op op)
{
    return op == IR_AFTER ? 4 : op == IR_SPAWN || op == IR_REPLY ? 2 : 3;
}

static void describe(struct payload_walk *w, const struct flow_edge *e)
{
    const struct ir *ir = w->f->ir;
    if (e->kind == FLOW_CREATE) {
        w->type = ir->classes.at[e->to].type;
        w->size = ir->classes.at[e->to].size;
    } else if (e->kind == FLOW_REPLY) {
        w->type = ir->msgs.at[e->msg].reply_type;
        w->size = ir->msgs.at[e->msg].reply_size;
    } else {
        w->type = ir->msgs.at[e->msg].type;
        w->size = ir->msgs.at[e->msg].size;
    }
}

void flow_payload(const struct flow *f, const struct flow_edge *e,
                  void (*use)(void *self, const char *field, uint32_t actor),
                  void *self)
{
    struct payload_walk w = {.f = f, .in = f->inner, .use = use, .self = self};
    describe(&w, e);
    for (uint32_t k = 0; k < e->n; k++) {
        uint32_t op = op_at(w.in, e->sites[k]);
        if (op == MAP_NONE)
            continue;
        uint32_t role = payload_role((enum ir_op)op_inst(w.in, op)->op);
        for (struct set_walk p = {.of = op_set(w.in, op, role)}; set_next(&p);)
            tell_object(&w, pts_at(&w.in->pts, p.x));
    }
    set_free(&w.told);
}
