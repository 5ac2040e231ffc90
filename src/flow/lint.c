// What is probably wrong, read off the graph.
//
// Each rule is a walk over products; all but `unset-reference` report facts of
// the analysis.  That one asks: can a handler use a reference in its state
// before any message has set it?  It follows behaviours from the first one
// through handlers that do not set the field; it asks whether the message can
// come at all while no handler has set it; and it takes a handler's own test
// for null as an answer to the question.
#include "flow/inner.h"

#include <stdlib.h>
#include <string.h>

static const struct {
    const char *id, *text;
} rules[LINT_KINDS_N] = {
#define LINT_KIND_(name, id, text) {id, text},
    LINTS(LINT_KIND_)
#undef LINT_KIND_
};

const char *lint_id(enum lint_kind k)
{
    return rules[k].id;
}

const char *lint_text(enum lint_kind k)
{
    return rules[k].text;
}

struct linter {
    struct flow *f;
    struct flow_inner *in;
    const struct ir *ir;
    struct lints *out;
};

// ---- saying it ----------------------------------------------------------

static void say(struct linter *l, struct lint x)
{
    for (uint32_t i = 0; i < l->out->at.n; i++) {
        const struct lint *o = &l->out->at.at[i];
        if (o->kind == x.kind && o->line == x.line &&
            strcmp(o->file, x.file) == 0 && strcmp(o->text, x.text) == 0)
            return;
    }
    vec_push(&l->out->at, x);
}

static void say_site(struct linter *l, enum lint_kind kind, bool note,
                     struct flow_site site, const char *text)
{
    const struct ir_inst *i = &l->ir->fns.at[site.fn]->insts.at[site.inst];
    say(l, (struct lint){.kind = kind,
                         .note = note,
                         .file = l->ir->files.at[i->file],
                         .line = i->line,
                         .column = i->column,
                         .text = text});
}

static void say_at(struct linter *l, enum lint_kind kind, struct flow_site site,
                   const char *text)
{
    say_site(l, kind, false, site, text);
}

static void say_global(struct linter *l, enum lint_kind kind, bool note,
                       uint32_t global, const char *text)
{
    const struct ir_global *g = &l->ir->globals.at[global];
    say(l, (struct lint){.kind = kind,
                         .note = note,
                         .file = l->ir->files.at[g->file],
                         .line = g->line,
                         .text = text});
}

static const char *msg_name(const struct linter *l, uint32_t msg)
{
    return msg == IR_NOTHING ? "?" : l->ir->msgs.at[msg].name;
}

// ---- rows and behaviours ------------------------------------------------

static bool some_row(const struct linter *l, uint32_t cls, uint32_t msg)
{
    for (uint32_t b = 0; b < l->ir->behaviours.n; b++) {
        const struct ir_behaviour *k = &l->ir->behaviours.at[b];
        for (uint32_t i = 0; flow_reachable(l->f, cls, b) && i < k->n; i++)
            if (k->rows[i].msg == msg)
                return true;
    }
    return false;
}

// The class that the type of the destination names: "server_ref" in a field of
// a state or message, or what was just spawned.  IR_NOTHING if none does.
static uint32_t declared_at(const struct linter *l, uint32_t loc)
{
    const struct pts_object *o = pts_object_at(&l->in->pts, loc);
    uint64_t byte = pts_at(&l->in->pts, loc).offset;
    uint32_t type = o->type;
    if (o->kind != OBJECT_STATE && o->kind != OBJECT_MESSAGE &&
        o->kind != OBJECT_GLOBAL)
        return IR_NOTHING;
    const char *name = ir_type_at(l->ir, type, byte);
    for (uint32_t c = 0; c < l->ir->classes.n; c++) {
        size_t n = strlen(flow_name(l->f, c));
        if (strncmp(name, flow_name(l->f, c), n) == 0 &&
            strcmp(name + n, "_ref") == 0)
            return c;
    }
    return IR_NOTHING;
}

static bool may_be_meant(struct linter *l, const struct flow_site *s,
                         uint32_t cls)
{
    const struct ir_fn *fn = l->ir->fns.at[s->fn];
    const struct ir_inst *in = &fn->insts.at[s->inst];
    ir_id to = ir_args(fn, in)[in->op == IR_AFTER ? 2 : 1];
    uint32_t instance = instance_find(l->in, s->fn, s->ctx);
    if (ir_is_const(to) || instance == MAP_NONE)
        return false;
    const struct ir_inst *from = &fn->insts.at[to];
    if (from->op == IR_SPAWN)
        return true;
    if (from->op != IR_LOAD)
        return false;
    uint32_t n =
        value_node(l->in, instance, ir_args(fn, from)[0], ir_block_of(fn, to));
    if (n == IR_NOTHING)
        return false;
    for (struct set_walk w = {.of = pts_of(&l->in->pts, n)}; set_next(&w);)
        if (declared_at(l, w.x) == cls)
            return true;
    return false;
}

// Is the message sent to this class through a reference of its own type?
static bool sent_on_purpose(struct linter *l, uint32_t cls, uint32_t msg)
{
    for (uint32_t i = 0; i < l->f->edges.n; i++) {
        const struct flow_edge *e = &l->f->edges.at[i];
        if (e->to != cls || e->msg != msg || e->kind == FLOW_REPLY)
            continue;
        for (uint32_t k = 0; k < e->n; k++)
            if (e->kind == FLOW_NOTICE || may_be_meant(l, &e->sites[k], cls))
                return true;
    }
    return false;
}

// A row missing in some behaviours only may be what the protocol promises; and
// an untyped reference is followed to more classes than it ever names.
static void lint_rows(struct linter *l)
{
    for (uint32_t i = 0; i < l->f->unhandled.n; i++) {
        const struct flow_unhandled *u = &l->f->unhandled.at[i];
        const struct ir_behaviour *b = &l->ir->behaviours.at[u->behaviour];
        bool other = some_row(l, u->cls, u->msg);
        bool note = other || !sent_on_purpose(l, u->cls, u->msg);
        const char *text = arena_format(
            &l->f->arena,
            "class %s may get %s in behaviour %s, which has no "
            "row for it%s",
            flow_name(l->f, u->cls), msg_name(l, u->msg), b->name,
            other ? "" : ", and no behaviour of the class handles it");
        say_global(l, LINT_NO_ROW, note, b->global, text);
    }
}

static void lint_dead(struct linter *l)
{
    for (uint32_t i = 0; i < l->f->handlers.n; i++) {
        const struct flow_handler *h = &l->f->handlers.at[i];
        const struct ir_fn *fn = l->ir->fns.at[h->fn];
        if (h->live)
            continue;
        const char *text = arena_format(
            &l->f->arena,
            "no %s can come to class %s in behaviour %s, so %s never runs",
            msg_name(l, h->msg), flow_name(l->f, h->cls),
            l->ir->behaviours.at[h->behaviour].name, fn->name);
        say(l, (struct lint){.kind = LINT_DEAD,
                             .file = l->ir->files.at[fn->file],
                             .line = fn->line,
                             .text = text});
    }
}

// A behaviour belongs to the class whose name its own begins with.
static bool is_of_created(const struct linter *l, const char *global)
{
    for (uint32_t c = 0; c < l->ir->classes.n; c++) {
        size_t n = strlen(flow_name(l->f, c));
        if (l->f->created[c] && strncmp(global, flow_name(l->f, c), n) == 0 &&
            global[n] == '_')
            return true;
    }
    return false;
}

static void lint_behaviours(struct linter *l)
{
    for (uint32_t b = 0; b < l->ir->behaviours.n; b++) {
        const struct ir_behaviour *k = &l->ir->behaviours.at[b];
        const char *name = l->ir->globals.at[k->global].name;
        bool reached = false;
        for (uint32_t c = 0; c < l->ir->classes.n; c++)
            reached |= flow_reachable(l->f, c, b);
        if (!reached && is_of_created(l, name))
            say_global(l, LINT_BEHAVIOUR, false, k->global,
                       arena_format(&l->f->arena,
                                    "no actor gets into behaviour %s", name));
    }
}

// ---- what handlers do ---------------------------------------------------

static void lint_globals(struct linter *l)
{
    for (uint32_t i = 0; i < l->f->handlers.n; i++) {
        const struct flow_handler *h = &l->f->handlers.at[i];
        for (uint32_t k = 0; h->live && k < h->n; k++) {
            const struct flow_access *a = &h->accesses[k];
            if (!a->write || !a->global)
                continue;
            say_site(l, LINT_GLOBAL, a->guessed, a->site,
                     arena_format(&l->f->arena,
                                  "handler %s writes the global variable %s, "
                                  "which actors would share",
                                  l->ir->fns.at[h->fn]->name,
                                  l->ir->globals.at[a->of].name));
        }
    }
}

static const char *blocking_name(const struct linter *l, const struct ir_fn *fn,
                                 const struct ir_inst *i)
{
    if (i->op == IR_CALL) {
        uint32_t to = ir_as_fn(l->ir, ir_args(fn, i)[0]);
        bool blocks = to != IR_NOTHING && !l->ir->fns.at[to]->defined &&
                      is_blocking(l->ir->fns.at[to]->name);
        return blocks ? l->ir->fns.at[to]->name : NULL;
    }
    if (i->op != IR_UNSUPPORTED || !i->text)
        return NULL;
    size_t n = strlen(i->text);
    char name[64];
    if (n < 3 || n >= sizeof name || strcmp(i->text + n - 2, "()") != 0)
        return NULL;
    memcpy(name, i->text, n - 2);
    name[n - 2] = 0;
    return is_blocking(name) ? arena_text(&l->f->arena, name) : NULL;
}

static void lint_blocking(struct linter *l)
{
    for (uint32_t k = 0; k < l->in->instances.n; k++) {
        const struct instance *in = &l->in->instances.at[k];
        const struct ir_fn *fn = l->ir->fns.at[in->fn];
        for (uint32_t i = 0; in->ctx != l->in->env && i < fn->insts.n; i++) {
            const char *name = blocking_name(l, fn, &fn->insts.at[i]);
            if (name && in->active[ir_block_of(fn, i)])
                say_at(l, LINT_BLOCKING, (struct flow_site){in->ctx, in->fn, i},
                       arena_format(&l->f->arena,
                                    "%s() blocks the thread that runs class "
                                    "%s",
                                    name, flow_name(l->f, in->ctx)));
        }
    }
}

// ---- messages -----------------------------------------------------------

static bool is_send(enum ir_op op)
{
    return op == IR_SEND || op == IR_FORWARD || op == IR_TRY_SEND ||
           op == IR_ASK || op == IR_AFTER;
}

// May the field of a message at this byte be a pointer, by its type?
static bool may_point(const struct ir *ir, uint32_t type, uint32_t byte)
{
    uint32_t field = ir_bare_type(ir, ir_field_type(ir, type, byte));
    return type == IR_NOTHING ||
           (field != IR_NOTHING && ir->types.at[field].kind == IR_D_POINTER);
}

// What a payload carries that belongs to the sender: its state or its stack.
static const struct pts_object *
carried(struct linter *l, struct pts_loc payload, const struct ir_msg *msg)
{
    const struct pts_object *o = &l->in->pts.objects.at[payload.object];
    for (uint32_t i = 0; i < o->cells.n; i++) {
        const struct pts_cell *c = &o->cells.at[i];
        uint32_t byte = c->offset - payload.offset;
        if (c->offset < payload.offset || byte >= msg->size ||
            !may_point(l->ir, msg->type, byte))
            continue;
        for (struct set_walk w = {.of = pts_of(&l->in->pts, c->node)};
             set_next(&w);) {
            const struct pts_object *t = pts_object_at(&l->in->pts, w.x);
            if (t->kind == OBJECT_STATE || t->kind == OBJECT_LOCAL)
                return t;
        }
    }
    return NULL;
}

static void lint_send(struct linter *l, uint32_t op)
{
    uint32_t shift = op_inst(l->in, op)->op == IR_AFTER;
    struct flow_site s = op_site(l->in, op);
    for (struct set_walk m = {.of = op_set(l->in, op, 2 + shift)};
         set_next(&m);) {
        const struct pts_object *o = pts_object_at(&l->in->pts, m.x);
        uint32_t msg =
            o->kind == OBJECT_GLOBAL ? ir_msg_of(l->ir, o->of) : IR_NOTHING;
        if (msg == IR_NOTHING || l->ir->msgs.at[msg].copy != IR_NOTHING)
            continue;
        for (struct set_walk p = {.of = op_set(l->in, op, 3 + shift)};
             set_next(&p);) {
            const struct pts_object *t =
                carried(l, pts_at(&l->in->pts, p.x), &l->ir->msgs.at[msg]);
            if (t)
                say_at(l, LINT_POINTER, s,
                       arena_format(&l->f->arena,
                                    "message %s carries a pointer into %s of "
                                    "its sender",
                                    msg_name(l, msg),
                                    t->kind == OBJECT_STATE ? "the state"
                                                            : "the stack"));
        }
    }
}

static void lint_messages(struct linter *l)
{
    for (uint32_t i = 0; i < l->in->ops.n; i++)
        if (is_send((enum ir_op)op_inst(l->in, i)->op) &&
            op_site(l->in, i).ctx != l->in->env)
            lint_send(l, i);
    for (uint32_t i = 0; i < l->f->nobody.n; i++)
        say_at(l, LINT_NOBODY, l->f->nobody.at[i],
               "the reference this is sent to is never set");
}

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
        say_at(l, LINT_UNSET, s,
               arena_format(&l->f->arena,
                            "self->%s may not be set yet when %s comes", path,
                            msg_name(l, h->msg)));
    }
    arena_free(&scratch);
}

// Sends of a class's code whose destination is loaded from its own state.
static void lint_unset(struct linter *l)
{
    for (uint32_t i = 0; i < l->in->ops.n; i++) {
        struct flow_site s = op_site(l->in, i);
        const struct ir_inst *in = op_inst(l->in, i);
        if (!is_send((enum ir_op)in->op) || s.ctx == l->in->env)
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

// ---- all of it ----------------------------------------------------------

static int by_place(const void *a, const void *b)
{
    const struct lint *x = a, *y = b;
    int file = strcmp(x->file, y->file);
    if (file)
        return file;
    if (x->line != y->line)
        return x->line < y->line ? -1 : 1;
    if (x->kind != y->kind)
        return x->kind < y->kind ? -1 : 1;
    return strcmp(x->text, y->text);
}

void flow_lint(struct flow *f, struct lints *out)
{
    struct linter l = {f, f->inner, f->ir, out};
    bool some = false;
    for (uint32_t c = 0; c < f->ir->classes.n; c++)
        some |= f->created[c];
    if (some) {
        lint_rows(&l);
        lint_dead(&l);
        lint_behaviours(&l);
    }
    lint_globals(&l);
    lint_blocking(&l);
    lint_messages(&l);
    lint_unset(&l);
    if (out->at.n)
        qsort(out->at.at, out->at.n, sizeof *out->at.at, by_place);
}
