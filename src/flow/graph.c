// The message flow graph, read off the fixed point: see flow.h.
#include "flow/inner.h"

#include <stdlib.h>

// ---- edges --------------------------------------------------------------

static int by_edge(const void *a, const void *b)
{
    const struct flow_edge *x = a, *y = b;
    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    if (x->to != y->to)
        return x->to < y->to ? -1 : 1;
    if (x->kind != y->kind)
        return x->kind < y->kind ? -1 : 1;
    return x->msg < y->msg ? -1 : x->msg > y->msg;
}

static int by_site(const void *a, const void *b)
{
    const struct flow_site *x = a, *y = b;
    if (x->fn != y->fn)
        return x->fn < y->fn ? -1 : 1;
    if (x->inst != y->inst)
        return x->inst < y->inst ? -1 : 1;
    return x->ctx < y->ctx ? -1 : x->ctx > y->ctx;
}

static void collect_edges(struct flow_inner *in)
{
    struct flow *f = in->f;
    for (uint32_t i = 0; i < in->edges.n; i++) {
        struct edge *e = &in->edges.at[i];
        if (e->sites.n)
            qsort(e->sites.at, e->sites.n, sizeof *e->sites.at, by_site);
        vec_push(&f->edges, ((struct flow_edge){e->from, e->to, e->kind, e->msg,
                                                e->sites.n, e->sites.at}));
    }
    if (f->edges.n)
        qsort(f->edges.at, f->edges.n, sizeof *f->edges.at, by_edge);
}

static bool same_label(const struct flow_edge *a, const struct flow_edge *b)
{
    return a->from == b->from && a->to == b->to && a->msg == b->msg &&
           (a->kind == FLOW_REPLY) == (b->kind == FLOW_REPLY);
}

// As TAP counts: an edge per pair and operation (create or send), a label per
// message type on it.
static void count_graph(struct flow_inner *in)
{
    struct flow *f = in->f;
    struct flow_counts *c = &f->counts;
    c->nodes = 1;
    for (uint32_t i = 0; i < in->ir->classes.n; i++)
        c->nodes += in->created[i];
    for (uint32_t i = 0; i < f->edges.n; i++) {
        const struct flow_edge *e = &f->edges.at[i];
        const struct flow_edge *before = i ? &f->edges.at[i - 1] : NULL;
        bool pair = before && before->from == e->from && before->to == e->to;
        bool again = false;
        for (uint32_t k = i; k-- > 0 && f->edges.at[k].from == e->from &&
                             f->edges.at[k].to == e->to;)
            again |= same_label(&f->edges.at[k], e);
        c->edges +=
            !pair || (before->kind == FLOW_CREATE) != (e->kind == FLOW_CREATE);
        c->labels += !again;
    }
    c->instances = in->instances.n;
    c->locations = in->pts.locs.n;
    c->variables = in->pts.nodes.n;
    c->steps = in->pts.steps;
}

// ---- what a handler does ------------------------------------------------

void reach_instances(const struct flow_inner *in, uint32_t from, bool *mark)
{
    VEC(uint32_t) stack = {0};
    vec_push(&stack, from);
    while (stack.n) {
        uint32_t i = vec_pop(&stack);
        if (mark[i])
            continue;
        mark[i] = true;
        const struct instance *from_here = &in->instances.at[i];
        for (uint32_t k = 0; k < from_here->callees.n; k++)
            vec_push(&stack, from_here->callees.at[k]);
        for (uint32_t k = 0; from_here->calls_outside && k < in->outside_fns.n;
             k++)
            vec_push(&stack,
                     instance_find(in, in->outside_fns.at[k], from_here->ctx));
    }
    vec_free(&stack);
}

enum { CERTAIN_MAX = 16 }; // places that a pointer is said to point to

static void note_access(struct accesses *a, struct flow_access x)
{
    for (uint32_t i = 0; i < a->at.n; i++) {
        struct flow_access *o = &a->at.at[i];
        if (o->write == x.write && o->global == x.global && o->of == x.of &&
            o->offset == x.offset) {
            if (x.size > o->size)
                o->size = x.size;
            if (o->guessed && !x.guessed) {
                o->guessed = false;
                o->site = x.site;
            }
            return;
        }
    }
    vec_push(&a->at, x);
}

// A size: up to the end of the member of a struct.
static const uint32_t MEMBER = UINT32_MAX - 1;

static uint32_t member_size(const struct flow_inner *in,
                            const struct pts_object *o, uint32_t offset)
{
    struct pts_span m = outside_member(in, o, offset);
    return m.to == UINT32_MAX ? UINT32_MAX : m.to - offset;
}

static void note_accesses(struct flow_inner *in, struct accesses *a,
                          uint32_t node, struct flow_access x)
{
    if (node == IR_NOTHING)
        return;
    x.guessed |= set_count(pts_of(&in->pts, node)) > CERTAIN_MAX;
    for (struct set_walk w = {.of = pts_of(&in->pts, node)}; set_next(&w);) {
        const struct pts_object *o = pts_object_at(&in->pts, w.x);
        bool global =
            o->kind == OBJECT_GLOBAL && !in->ir->globals.at[o->of].constant;
        if (!global && o->kind != OBJECT_STATE)
            continue;
        x.global = global;
        x.of = o->of;
        x.offset = pts_at(&in->pts, w.x).offset;
        struct flow_access one = x;
        if (x.size == MEMBER)
            one.size = member_size(in, o, x.offset);
        note_access(a, one);
    }
}

static uint32_t constant_size(const struct ir *ir, ir_id v)
{
    bool known = ir_is_const(v) && ir_const_at(ir, v)->kind == IR_C_INT &&
                 ir_const_at(ir, v)->lo < UINT32_MAX;
    return known ? (uint32_t)ir_const_at(ir, v)->lo : UINT32_MAX;
}

// What a function without a body may do to what it is given: an address is good
// for the member that it lies in.
static void external_accesses(struct flow_inner *in, uint32_t instance,
                              uint32_t block, uint32_t inst, struct accesses *a)
{
    const struct instance *k = &in->instances.at[instance];
    const struct ir_fn *fn = in->ir->fns.at[k->fn];
    const struct ir_inst *i = &fn->insts.at[inst];
    const ir_id *args = ir_args(fn, i);
    uint32_t to = ir_as_fn(in->ir, args[0]);
    struct flow_access x = {.site = {k->ctx, k->fn, inst}, .size = MEMBER};
    if (to == IR_NOTHING || in->ir->fns.at[to]->defined)
        return;
    x.guessed = !is_known(in->ir->fns.at[to]->name);
    for (uint32_t n = 1; n < i->n; n++) {
        uint32_t node = value_node(in, instance, args[n], block);
        x.write = false;
        note_accesses(in, a, node, x);
        x.write = true;
        if (external_writes(in, fn, i, n - 1))
            note_accesses(in, a, node, x);
    }
}

void inst_accesses(struct flow_inner *in, uint32_t instance, uint32_t block,
                   uint32_t inst, struct accesses *a)
{
    const struct instance *k = &in->instances.at[instance];
    const struct ir_fn *fn = in->ir->fns.at[k->fn];
    const struct ir_inst *i = &fn->insts.at[inst];
    const ir_id *args = ir_args(fn, i);
    struct flow_access x = {.site = {k->ctx, k->fn, inst},
                            .size = ir_bytes(i->type)};
    if (i->op == IR_LOAD || i->op == IR_STORE) {
        x.write = i->op == IR_STORE;
        ir_id p = args[x.write ? 1 : 0];
        note_accesses(in, a, value_node(in, instance, p, block), x);
    } else if (i->op == IR_COPY || i->op == IR_MOVE || i->op == IR_SET) {
        x.size = constant_size(in->ir, args[2]);
        x.write = true;
        note_accesses(in, a, value_node(in, instance, args[0], block), x);
        x.write = false;
        if (i->op != IR_SET)
            note_accesses(in, a, value_node(in, instance, args[1], block), x);
    } else if (i->op == IR_CALL) {
        external_accesses(in, instance, block, inst, a);
    }
}

static void instance_accesses(struct flow_inner *in, uint32_t instance,
                              struct accesses *a)
{
    const struct ir_fn *fn = in->ir->fns.at[in->instances.at[instance].fn];
    for (uint32_t b = 0; b < fn->blocks.n; b++) {
        const struct ir_block *k = &fn->blocks.at[b];
        for (uint32_t i = 0; in->instances.at[instance].active[b] && i < k->n;
             i++)
            inst_accesses(in, instance, b, k->first + i, a);
    }
}

static int by_access(const void *a, const void *b)
{
    const struct flow_access *x = a, *y = b;
    if (x->write != y->write)
        return x->write ? 1 : -1;
    if (x->global != y->global)
        return x->global ? 1 : -1;
    if (x->of != y->of)
        return x->of < y->of ? -1 : 1;
    return x->offset < y->offset ? -1 : x->offset > y->offset;
}

static void fill_handler(struct flow_inner *in, struct flow_handler *h)
{
    uint32_t i = instance_find(in, h->fn, h->cls);
    struct accesses a = {0};
    struct arena scratch = {0};
    if (i == MAP_NONE)
        return;
    bool *mark = arena_zero(&scratch, in->instances.n + 1);
    reach_instances(in, i, mark);
    for (uint32_t k = 0; k < in->instances.n; k++)
        if (mark[k])
            instance_accesses(in, k, &a);
    if (a.at.n) {
        qsort(a.at.at, a.at.n, sizeof *a.at.at, by_access);
        h->accesses =
            arena_copy(&in->f->arena, a.at.at, a.at.n * sizeof *a.at.at);
    }
    h->n = a.at.n;
    // a `become` in a function that the handler calls is the handler's
    for (uint32_t k = 0; k < in->becomes.n; k++) {
        struct flow_become x = in->becomes.at[k];
        if (x.cls == h->cls && mark[instance_find(in, x.site.fn, x.site.ctx)] &&
            h->live) {
            x.from = h->behaviour;
            x.msg = h->msg;
            vec_push(&in->f->becomes, x);
        }
    }
    arena_free(&scratch);
    vec_free(&a.at);
}

static bool has_inbox(const struct flow_inner *in, uint32_t cls, uint32_t msg)
{
    for (uint32_t i = 0; i < in->inboxes.n; i++)
        if (in->inboxes.at[i].cls == cls && in->inboxes.at[i].msg == msg)
            return true;
    return false;
}

static bool belongs(const struct flow_inner *in, uint32_t cls,
                    uint32_t behaviour)
{
    return in->reachable[behaviour * (in->ir->classes.n + 1) + cls];
}

static void collect_handlers(struct flow_inner *in)
{
    const struct ir *ir = in->ir;
    for (uint32_t c = 0; c < ir->classes.n; c++)
        for (uint32_t b = 0; b < ir->behaviours.n; b++) {
            const struct ir_behaviour *k = &ir->behaviours.at[b];
            for (uint32_t i = 0; belongs(in, c, b) && i < k->n; i++) {
                struct flow_handler h = {.cls = c,
                                         .behaviour = b,
                                         .row = i,
                                         .fn = k->rows[i].fn,
                                         .msg = k->rows[i].msg};
                if (h.fn == IR_NOTHING || k->rows[i].policy != 0)
                    continue;
                h.live = has_inbox(in, c, h.msg);
                fill_handler(in, &h);
                vec_push(&in->f->handlers, h);
            }
        }
}

static bool has_row(const struct ir_behaviour *b, uint32_t msg)
{
    for (uint32_t i = 0; i < b->n; i++)
        if (b->rows[i].msg == msg)
            return true;
    return false;
}

static void collect_unhandled(struct flow_inner *in)
{
    const struct ir *ir = in->ir;
    for (uint32_t c = 0; c < ir->classes.n; c++)
        for (uint32_t b = 0; b < ir->behaviours.n; b++)
            for (uint32_t m = 0; belongs(in, c, b) && m < ir->msgs.n; m++)
                if (has_inbox(in, c, m) && !has_row(&ir->behaviours.at[b], m))
                    vec_push(&in->f->unhandled,
                             ((struct flow_unhandled){c, b, m}));
}

// ---- sends to nobody ----------------------------------------------------

static bool is_send(enum ir_op op)
{
    return op == IR_SEND || op == IR_FORWARD || op == IR_TRY_SEND ||
           op == IR_ASK || op == IR_AFTER;
}

static bool reaches(struct flow_inner *in, uint32_t op)
{
    uint32_t role = op_inst(in, op)->op == IR_AFTER ? 2 : 1;
    for (struct set_walk w = {.of = op_set(in, op, role)}; set_next(&w);)
        if (pts_object_at(&in->pts, w.x)->kind == OBJECT_REF)
            return true;
    return false;
}

// Sends whose destination names nobody, in whichever actor's code they run.
static void collect_nobody(struct flow_inner *in)
{
    struct map reached = {0}; // (function, instruction): somebody
    for (uint32_t i = 0; i < in->ops.n; i++) {
        struct flow_site s = op_site(in, i);
        if (is_send((enum ir_op)op_inst(in, i)->op) && reaches(in, i))
            map_put(&reached, map_pair(s.fn, s.inst), 1);
    }
    for (uint32_t i = 0; i < in->ops.n; i++) {
        struct flow_site s = op_site(in, i);
        uint32_t *at;
        if (!is_send((enum ir_op)op_inst(in, i)->op))
            continue;
        at = map_at(&reached, map_pair(s.fn, s.inst));
        if (*at == MAP_NONE)
            vec_push(&in->f->nobody, s);
        *at = 1;
    }
    map_free(&reached);
}

// ---- doubts -------------------------------------------------------------

static void doubt(struct flow_inner *in, const char *what, uint32_t instance,
                  uint32_t inst)
{
    const struct instance *k = &in->instances.at[instance];
    for (uint32_t i = 0; i < in->f->doubts.n; i++) {
        const struct flow_doubt *d = &in->f->doubts.at[i];
        if (d->site.fn == k->fn && d->site.inst == inst)
            return;
    }
    vec_push(&in->f->doubts,
             ((struct flow_doubt){what, {k->ctx, k->fn, inst}}));
}

static bool holds_pointer(struct flow_inner *in, uint32_t node)
{
    if (node == IR_NOTHING)
        return false;
    for (struct set_walk w = {.of = pts_of(&in->pts, node)}; set_next(&w);) {
        const struct pts_object *o = pts_object_at(&in->pts, w.x);
        bool constant =
            o->kind == OBJECT_GLOBAL && in->ir->globals.at[o->of].constant;
        if (o->kind != OBJECT_NUMBER && !constant)
            return true;
    }
    return false;
}

static const char *doubt_call(struct flow_inner *in, uint32_t instance,
                              uint32_t block, const struct ir_fn *fn,
                              const struct ir_inst *i)
{
    uint32_t to = ir_as_fn(in->ir, ir_args(fn, i)[0]);
    if (to == IR_NOTHING) {
        uint32_t n = value_node(in, instance, ir_args(fn, i)[0], block);
        if (n == IR_NOTHING || !set_count(pts_of(&in->pts, n)))
            return "a call of an unknown function";
        return NULL;
    }
    const struct ir_fn *callee = in->ir->fns.at[to];
    if (callee->defined || is_known(callee->name))
        return NULL;
    for (uint32_t k = 1; k < i->n; k++)
        if (holds_pointer(in,
                          value_node(in, instance, ir_args(fn, i)[k], block)))
            return arena_format(&in->f->arena,
                                "%s() is not known here and is given a "
                                "pointer",
                                callee->name);
    return NULL;
}

static const char *doubt_of(struct flow_inner *in, uint32_t instance,
                            uint32_t block, uint32_t inst)
{
    const struct ir_fn *fn = in->ir->fns.at[in->instances.at[instance].fn];
    const struct ir_inst *i = &fn->insts.at[inst];
    if (i->op == IR_UNSUPPORTED)
        return arena_format(&in->f->arena, "%s has no meaning here", i->text);
    if (i->op == IR_CALL)
        return doubt_call(in, instance, block, fn, i);
    if (i->op == IR_INTTOPTR && !ir_is_const(ir_args(fn, i)[0])) {
        uint32_t n = value_node(in, instance, ir_args(fn, i)[0], block);
        if (!holds_pointer(in, n))
            return "a pointer made from an integer";
    }
    if (i->op == IR_SPAWN) {
        uint32_t g = ir_as_global(in->ir, ir_args(fn, i)[1]);
        if (g != IR_NOTHING && ir_class_of(in->ir, g) == IR_NOTHING)
            return arena_format(&in->f->arena, "%s is defined in no file given",
                                in->ir->globals.at[g].name);
    }
    return NULL;
}

static void collect_doubts(struct flow_inner *in)
{
    for (uint32_t k = 0; k < in->instances.n; k++) {
        const struct ir_fn *fn = in->ir->fns.at[in->instances.at[k].fn];
        for (uint32_t b = 0; b < fn->blocks.n; b++)
            for (uint32_t i = 0;
                 in->instances.at[k].active[b] && i < fn->blocks.at[b].n; i++) {
                uint32_t at = fn->blocks.at[b].first + i;
                const char *what = doubt_of(in, k, b, at);
                if (what)
                    doubt(in, what, k, at);
            }
    }
}

static void collect_init_becomes(struct flow_inner *in)
{
    const struct ir *ir = in->ir;
    for (uint32_t c = 0; c < ir->classes.n; c++) {
        uint32_t init = ir->classes.at[c].init;
        uint32_t i = instance_find(in, init, c);
        if (i == MAP_NONE)
            continue;
        struct arena scratch = {0};
        bool *mark = arena_zero(&scratch, in->instances.n + 1);
        reach_instances(in, i, mark);
        for (uint32_t k = 0; k < in->becomes.n; k++) {
            struct flow_become x = in->becomes.at[k];
            if (x.cls != c || !mark[instance_find(in, x.site.fn, x.site.ctx)])
                continue;
            x.from = ir->classes.at[c].start;
            x.msg = IR_NOTHING;
            vec_push(&in->f->becomes, x);
        }
        arena_free(&scratch);
    }
}

void graph_collect(struct flow_inner *in)
{
    in->f->created = in->created;
    in->f->receptionist = in->receptionist;
    collect_edges(in);
    count_graph(in);
    collect_handlers(in);
    collect_init_becomes(in);
    collect_unhandled(in);
    collect_nobody(in);
    collect_doubts(in);
}

// ---- questions ----------------------------------------------------------

const char *flow_kind_text(enum flow_kind k)
{
    static const char *const texts[] = {
#define FLOW_KIND_(name, text) text,
        FLOW_KINDS(FLOW_KIND_)
#undef FLOW_KIND_
    };
    return texts[k];
}

const char *flow_name(const struct flow *f, uint32_t actor)
{
    return actor >= f->ir->classes.n ? "environment"
                                     : f->ir->classes.at[actor].name;
}

bool flow_reachable(const struct flow *f, uint32_t cls, uint32_t behaviour)
{
    return belongs(f->inner, cls, behaviour);
}

bool flow_has(const struct flow *f, uint32_t from, uint32_t to,
              enum flow_kind kind, uint32_t msg)
{
    for (uint32_t i = 0; i < f->edges.n; i++) {
        const struct flow_edge *e = &f->edges.at[i];
        if (e->from == from && e->to == to && e->kind == kind && e->msg == msg)
            return true;
    }
    return false;
}

bool flow_sends(const struct flow *f, uint32_t from, uint32_t to, uint32_t msg)
{
    return flow_has(f, from, to, FLOW_SEND, msg) ||
           flow_has(f, from, to, FLOW_TIMER, msg) ||
           flow_has(f, from, to, FLOW_NOTICE, msg) ||
           flow_has(f, from, to, FLOW_OUTSIDE, msg);
}

uint32_t flow_targets(const struct flow *f, struct flow_site site,
                      uint32_t *out, uint32_t room)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < f->edges.n; i++)
        for (uint32_t k = 0; k < f->edges.at[i].n; k++) {
            const struct flow_site *s = &f->edges.at[i].sites[k];
            if (s->fn != site.fn || s->inst != site.inst || s->ctx != site.ctx)
                continue;
            if (n < room)
                out[n] = f->edges.at[i].to;
            n++;
        }
    return n;
}

// ---- cycles of requests -------------------------------------------------

// May class a wait for an answer of class b?
static bool asks(const struct flow *f, uint32_t a, uint32_t b)
{
    for (uint32_t i = 0; i < f->edges.n; i++) {
        const struct flow_edge *e = &f->edges.at[i];
        if (e->from != a || e->to != b || e->kind != FLOW_SEND)
            continue;
        for (uint32_t k = 0; k < e->n; k++) {
            const struct ir_fn *fn = f->ir->fns.at[e->sites[k].fn];
            if (fn->insts.at[e->sites[k].inst].op == IR_ASK)
                return true;
        }
    }
    return false;
}

struct cycle_walk {
    const struct flow *f;
    void (*use)(void *, const uint32_t *, uint32_t);
    void *self;
    bool *asks; // classes * classes
    VEC(uint32_t) path;
    uint32_t steps;
};

enum { CYCLE_STEPS = 20000, CYCLE_LENGTH = 8 };

// Each cycle once, from its smallest class; as many as a bounded search finds.
static void walk_cycles(struct cycle_walk *w, uint32_t first, uint32_t at)
{
    uint32_t n = w->f->ir->classes.n;
    vec_push(&w->path, at);
    for (uint32_t c = first; c < n && w->steps < CYCLE_STEPS; c++) {
        bool on_path = false;
        if (!w->asks[at * n + c])
            continue;
        w->steps++;
        for (uint32_t i = 0; i < w->path.n; i++)
            on_path |= w->path.at[i] == c;
        if (c == first)
            w->use(w->self, w->path.at, w->path.n);
        else if (!on_path && w->path.n < CYCLE_LENGTH)
            walk_cycles(w, first, c);
    }
    w->path.n--;
}

void flow_request_cycles(const struct flow *f,
                         void (*use)(void *self, const uint32_t *cls,
                                     uint32_t n),
                         void *self)
{
    uint32_t n = f->ir->classes.n;
    struct arena scratch = {0};
    struct cycle_walk w = {.f = f, .use = use, .self = self};
    w.asks = arena_zero(&scratch, (size_t)n * n + 1);
    for (uint32_t a = 0; a < n; a++)
        for (uint32_t b = 0; b < n; b++)
            w.asks[a * n + b] = asks(f, a, b);
    for (uint32_t c = 0; c < n; c++)
        walk_cycles(&w, c, c);
    vec_free(&w.path);
    arena_free(&scratch);
}
