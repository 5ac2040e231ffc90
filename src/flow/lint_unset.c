// Can a handler use a reference in its actor's state before any message has set
// it?
//
// Three questions are asked: in which behaviours can the actor be before a
// handler sets the field; can the message come at all while no handler has set
// it; and does the handler itself test the field for null first?
#include "flow/lint_inner.h"

#include <string.h>

// ---- references that are not set yet ------------------------------------

static bool covers(const struct flow_access *a, uint32_t cls, uint32_t offset)
{
    return a->write && !a->global && a->of == cls && a->offset <= offset &&
           offset - a->offset < a->size;
}

static bool sets(const struct flow_handler *h, uint32_t offset)
{
    for (uint32_t i = 0; i < h->n; i++)
        if (covers(&h->accesses[i], h->cls, offset))
            return true;
    return false;
}

static bool holds_ref(struct linter *l, uint32_t node)
{
    for (struct set_walk w = {.of = pts_of(&l->in->pts, node)}; set_next(&w);)
        if (pts_object_at(&l->in->pts, w.x)->kind == OBJECT_REF)
            return true;
    return false;
}

// Does some spawn of the class leave the field null?
static bool starts_unset(struct linter *l, uint32_t cls, uint32_t offset)
{
    uint32_t global = l->ir->classes.at[cls].global;
    for (uint32_t i = 0; i < l->in->ops.n; i++) {
        if (op_inst(l->in, i)->op != IR_SPAWN)
            continue;
        struct flow_site s = op_site(l->in, i);
        const struct ir_fn *fn = l->ir->fns.at[s.fn];
        if (ir_as_global(l->ir, ir_args(fn, op_inst(l->in, i))[1]) != global)
            continue;
        bool set = false;
        for (struct set_walk w = {.of = op_set(l->in, i, 2)}; set_next(&w);) {
            struct pts_loc p = pts_at(&l->in->pts, w.x);
            const struct pts_object *o = &l->in->pts.objects.at[p.object];
            for (uint32_t k = 0; k < o->cells.n; k++)
                if (o->cells.at[k].offset == p.offset + offset &&
                    holds_ref(l, o->cells.at[k].node))
                    set = true;
        }
        if (!set)
            return true;
    }
    return false;
}

static bool init_sets(struct linter *l, uint32_t cls, uint32_t offset)
{
    uint32_t state = pts_at(&l->in->pts, state_loc(l->in, cls)).object;
    for (uint32_t k = 0; k < l->in->instances.n; k++) {
        const struct instance *in = &l->in->instances.at[k];
        const struct ir_fn *fn = l->ir->fns.at[in->fn];
        uint32_t init = l->ir->classes.at[cls].init;
        if (in->ctx != cls || init == IR_NOTHING ||
            strncmp(fn->name, l->ir->fns.at[init]->name,
                    strlen(l->ir->fns.at[init]->name) - 1) != 0)
            continue;
        for (uint32_t i = 0; i < fn->insts.n; i++) {
            if (fn->insts.at[i].op != IR_STORE)
                continue;
            uint32_t n = value_node(l->in, k, ir_args(fn, &fn->insts.at[i])[1],
                                    ir_block_of(fn, i));
            uint32_t loc = pts_loc(&l->in->pts, state, offset);
            if (n != IR_NOTHING && set_has(pts_of(&l->in->pts, n), loc))
                return true;
        }
    }
    return false;
}

// Behaviours that an actor can be in before the field is set.
static void unset_behaviours(struct linter *l, uint32_t cls, uint32_t offset,
                             bool *mark)
{
    const struct flow *f = l->f;
    uint32_t start = l->ir->classes.at[cls].start;
    if (start != IR_NOTHING)
        mark[start] = true;
    for (bool again = true; again;) {
        again = false;
        for (uint32_t i = 0; i < f->becomes.n; i++) {
            const struct flow_become *b = &f->becomes.at[i];
            if (b->cls != cls || !mark[b->from] || mark[b->to])
                continue;
            bool set = false;
            for (uint32_t k = 0; k < f->handlers.n; k++) {
                const struct flow_handler *h = &f->handlers.at[k];
                set |= h->cls == cls && h->behaviour == b->from &&
                       h->msg == b->msg && sets(h, offset);
            }
            if (!set)
                mark[b->to] = again = true;
        }
    }
}

// Is the instruction below a test of this field for null?
static bool guarded(struct linter *l, uint32_t instance, uint32_t inst,
                    uint32_t loc)
{
    const struct ir_fn *fn = l->ir->fns.at[l->in->instances.at[instance].fn];
    uint32_t block = ir_block_of(fn, inst);
    for (uint32_t i = 0; i < fn->insts.n; i++) {
        const struct ir_inst *t = &fn->insts.at[i];
        if (t->op != IR_EQ && t->op != IR_NE)
            continue;
        uint32_t at = ir_block_of(fn, i);
        for (uint32_t k = 0; k < 2; k++) {
            ir_id v = ir_args(fn, t)[k];
            if (ir_is_const(v) || fn->insts.at[v].op != IR_LOAD)
                continue;
            uint32_t n = value_node(l->in, instance,
                                    ir_args(fn, &fn->insts.at[v])[0], at);
            if (n != IR_NOTHING && set_has(pts_of(&l->in->pts, n), loc) &&
                at != block && ir_dominates(fn, at, block))
                return true;
        }
    }
    return false;
}

static const struct flow_handler *early_handler(struct linter *l, uint32_t cls,
                                                uint32_t fn, uint32_t offset,
                                                const bool *unset)
{
    for (uint32_t i = 0; i < l->f->handlers.n; i++) {
        const struct flow_handler *h = &l->f->handlers.at[i];
        if (h->cls == cls && h->live && h->fn == fn && unset[h->behaviour] &&
            !sets(h, offset))
            return h;
    }
    return NULL;
}

static bool some_setter(struct linter *l, uint32_t cls, uint32_t offset)
{
    for (uint32_t i = 0; i < l->f->handlers.n; i++) {
        const struct flow_handler *h = &l->f->handlers.at[i];
        if (h->cls == cls && h->live && sets(h, offset))
            return true;
    }
    return false;
}

// ---- what can come while a field is not set -----------------------------

// One round of: a message that can come runs its handlers, and what these send
// can come too.  Handlers that set the field do not run.
struct arrivals {
    bool *came; // class * messages + message
    bool *ran;  // instances
};

static bool *came(const struct linter *l, struct arrivals *a, uint32_t cls,
                  uint32_t msg)
{
    return &a->came[cls * l->ir->msgs.n + msg];
}

static void run_handlers(struct linter *l, struct arrivals *a, uint32_t cls,
                         uint32_t offset)
{
    for (uint32_t i = 0; i < l->f->handlers.n; i++) {
        const struct flow_handler *h = &l->f->handlers.at[i];
        if (!h->live || !*came(l, a, h->cls, h->msg) ||
            (h->cls == cls && sets(h, offset)))
            continue;
        uint32_t in = instance_find(l->in, h->fn, h->cls);
        if (in != MAP_NONE)
            reach_instances(l->in, in, a->ran);
    }
}

// The outside is taken to send what no actor sends.
static bool is_input(const struct linter *l, const struct flow_edge *e)
{
    for (uint32_t i = 0; i < l->f->edges.n; i++) {
        const struct flow_edge *o = &l->f->edges.at[i];
        if (o->to == e->to && o->msg == e->msg && o->from != l->in->env)
            return false;
    }
    return true;
}

static bool is_run(const struct linter *l, const struct arrivals *a,
                   const struct flow_edge *e)
{
    bool run = e->kind == FLOW_OUTSIDE && is_input(l, e);
    for (uint32_t i = 0; i < e->n; i++) {
        const struct flow_site *s = &e->sites[i];
        uint32_t in = instance_find(l->in, s->fn, s->ctx);
        run |= s->ctx == l->in->env || (in != MAP_NONE && a->ran[in]);
    }
    return run;
}

// Can class cls get msg while no handler has set the field at offset?
static bool can_come(struct linter *l, uint32_t cls, uint32_t msg,
                     uint32_t offset)
{
    struct arena scratch = {0};
    uint32_t n = (l->ir->classes.n + 1) * (l->ir->msgs.n + 1);
    struct arrivals a = {arena_zero(&scratch, n),
                         arena_zero(&scratch, l->in->instances.n + 1)};
    for (uint32_t c = 0; c < l->ir->classes.n; c++) {
        uint32_t in = instance_find(l->in, l->ir->classes.at[c].init, c);
        if (in != MAP_NONE)
            reach_instances(l->in, in, a.ran);
    }
    for (bool again = true; again;) {
        again = false;
        for (uint32_t i = 0; i < l->f->edges.n; i++) {
            const struct flow_edge *e = &l->f->edges.at[i];
            if (e->kind == FLOW_CREATE || e->kind == FLOW_REPLY ||
                e->to == l->in->env || *came(l, &a, e->to, e->msg) ||
                !is_run(l, &a, e))
                continue;
            *came(l, &a, e->to, e->msg) = again = true;
        }
        run_handlers(l, &a, cls, offset);
    }
    bool yes = *came(l, &a, cls, msg);
    arena_free(&scratch);
    return yes;
}

static void lint_use(struct linter *l, uint32_t op, uint32_t loc)
{
    struct flow_site s = op_site(l->in, op);
    uint32_t offset = pts_at(&l->in->pts, loc).offset;
    struct arena scratch = {0};
    bool *unset = arena_zero(&scratch, l->ir->behaviours.n + 1);
    unset_behaviours(l, s.ctx, offset, unset);
    const struct flow_handler *h = early_handler(l, s.ctx, s.fn, offset, unset);
    if (h && some_setter(l, s.ctx, offset) && starts_unset(l, s.ctx, offset) &&
        !init_sets(l, s.ctx, offset) && can_come(l, s.ctx, h->msg, offset) &&
        !guarded(l, l->in->ops.at[op].instance, s.inst, loc)) {
        char path[128] = "";
        ir_path(l->ir, l->ir->classes.at[s.ctx].type, offset, path,
                sizeof path);
        lint_say_at(l, LINT_UNSET, s,
                    arena_format(&l->f->arena,
                                 "self->%s may not be set yet when %s comes",
                                 path, lint_msg_name(l, h->msg)));
    }
    arena_free(&scratch);
}

// Sends of a class's code whose destination is loaded from its own state.
void lint_unset(struct linter *l)
{
    for (uint32_t i = 0; i < l->in->ops.n; i++) {
        struct flow_site s = op_site(l->in, i);
        const struct ir_inst *in = op_inst(l->in, i);
        if (!lint_is_send((enum ir_op)in->op) || s.ctx == l->in->env)
            continue;
        const struct ir_fn *fn = l->ir->fns.at[s.fn];
        ir_id to = ir_args(fn, in)[in->op == IR_AFTER ? 2 : 1];
        if (ir_is_const(to) || fn->insts.at[to].op != IR_LOAD)
            continue;
        ir_id from = ir_args(fn, &fn->insts.at[to])[0];
        uint32_t n = value_node(l->in, l->in->ops.at[i].instance, from,
                                ir_block_of(fn, to));
        // an element of an array is not one reference
        bool indexed = !ir_is_const(from) && fn->insts.at[from].op == IR_INDEX;
        if (n == IR_NOTHING || indexed)
            continue;
        for (struct set_walk w = {.of = pts_of(&l->in->pts, n)};
             set_next(&w);) {
            const struct pts_object *o = pts_object_at(&l->in->pts, w.x);
            if (o->kind == OBJECT_STATE && o->of == s.ctx)
                lint_use(l, i, w.x);
        }
    }
}
