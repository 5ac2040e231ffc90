// What is probably wrong, read off the graph.
//
// Each rule is a walk over products, and reports facts of the analysis; but
// one, `unset-reference`, asks a question of its own (lint_unset.c).
#include "flow/lint_inner.h"

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

void lint_say_at(struct linter *l, enum lint_kind kind, struct flow_site site,
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

const char *lint_msg_name(const struct linter *l, uint32_t msg)
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

// Two cases are notes.  If another behaviour has a row, the protocol may
// promise that the message does not come in this one.  If the message is sent
// through an untyped reference only, the analysis may follow that to too many
// classes.
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
            flow_name(l->f, u->cls), lint_msg_name(l, u->msg), b->name,
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
            lint_msg_name(l, h->msg), flow_name(l->f, h->cls),
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
                lint_say_at(
                    l, LINT_BLOCKING, (struct flow_site){in->ctx, in->fn, i},
                    arena_format(&l->f->arena,
                                 "%s() blocks the thread that runs class "
                                 "%s",
                                 name, flow_name(l->f, in->ctx)));
        }
    }
}

// ---- messages -----------------------------------------------------------

bool lint_is_send(enum ir_op op)
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
                lint_say_at(
                    l, LINT_POINTER, s,
                    arena_format(&l->f->arena,
                                 "message %s carries a pointer into %s of "
                                 "its sender",
                                 lint_msg_name(l, msg),
                                 t->kind == OBJECT_STATE ? "the state"
                                                         : "the stack"));
        }
    }
}

static void lint_messages(struct linter *l)
{
    for (uint32_t i = 0; i < l->in->ops.n; i++)
        if (lint_is_send((enum ir_op)op_inst(l->in, i)->op) &&
            op_site(l->in, i).ctx != l->in->env)
            lint_send(l, i);
    for (uint32_t i = 0; i < l->f->nobody.n; i++)
        lint_say_at(l, LINT_NOBODY, l->f->nobody.at[i],
                    "the reference this is sent to is never set");
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
