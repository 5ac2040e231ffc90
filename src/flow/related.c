// Fields are bytes of the state.  What is before or after a wait is asked of
// the control flow graph: an instruction is before a wait if the wait can be
// reached from it, after one if it can be reached from there.  A call is a wait
// if what it calls may wait; what is called is before or after a wait if its
// call is.
#include "flow/related.h"

#include "flow/inner.h"

#include <string.h>

struct uses {
    bool *before, *written_before; // used, written where a wait may follow
    bool *after;                   // read where one may have been
    bool *read, *written;
    bool heap_before, heap_after, heap_read, heap_written; // memory that is
                                                           // no field
    bool direct;   // it writes some field, or becomes or stops
    bool turns;    // it becomes or stops
    bool outwards; // it sends what changes others
    bool impure;   // ... or itself
};

struct related {
    struct flow_inner *in;
    const struct ir *ir;
    struct arena arena;
    uint32_t size; // of the state
    bool *waits;   // by instance: may it wait?
};

// ---- waits --------------------------------------------------------------

static bool is_wait(enum ir_op op)
{
    return op == IR_AWAIT || op == IR_GET || op == IR_PAUSE;
}

static bool calls_one_that_waits(const struct related *x, uint32_t instance,
                                 const struct ir_inst *i)
{
    const struct instance *k = &x->in->instances.at[instance];
    const struct ir_fn *f = x->ir->fns.at[k->fn];
    if (i->op != IR_CALL)
        return false;
    uint32_t to = ir_as_fn(x->ir, ir_args(f, i)[0]);
    for (uint32_t c = 0; c < k->callees.n; c++)
        if (x->waits[k->callees.at[c]] &&
            (to == IR_NOTHING ||
             x->in->instances.at[k->callees.at[c]].fn == to))
            return true;
    return false;
}

static bool waits_here(const struct related *x, uint32_t instance,
                       const struct ir_inst *i)
{
    return is_wait((enum ir_op)i->op) || calls_one_that_waits(x, instance, i);
}

static bool any_wait(const struct related *x, uint32_t instance)
{
    const struct ir_fn *f = x->ir->fns.at[x->in->instances.at[instance].fn];
    for (uint32_t i = 0; i < f->insts.n; i++)
        if (waits_here(x, instance, &f->insts.at[i]))
            return true;
    return false;
}

static void find_waits(struct related *x)
{
    uint32_t n = x->in->instances.n;
    bool more = true;
    x->waits = arena_zero(&x->arena, n + 1ul);
    while (more) {
        more = false;
        for (uint32_t i = 0; i < n; i++)
            if (!x->waits[i] && any_wait(x, i))
                more = x->waits[i] = true;
    }
}

// Mark the blocks that can be reached from block b, or with `back` those from
// which b can be reached.  b itself is marked if it lies on a cycle.
static void flood(const struct ir_fn *f, uint32_t b, bool back, bool *mark)
{
    const struct ir_block *k = &f->blocks.at[b];
    uint32_t n = back ? k->n_preds : k->n_succs;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t to = back ? ir_preds(f, k)[i] : ir_succs(f, k)[i];
        if (!mark[to]) {
            mark[to] = true;
            flood(f, to, back, mark);
        }
    }
}

// One function that a handler runs through.
struct visit {
    uint32_t instance;
    bool follows, precedes; // a wait may have been before, may come afterwards
};

struct sides_of_waits {
    bool *after, *before; // by instruction
};

// A wait at instruction i of block b: what may run before it, and after it.
static void divide_at(struct related *x, const struct ir_fn *f, uint32_t b,
                      uint32_t i, struct sides_of_waits *out)
{
    bool *from = arena_zero(&x->arena, f->blocks.n + 1ul);
    bool *to = arena_zero(&x->arena, f->blocks.n + 1ul);
    flood(f, b, false, from);
    flood(f, b, true, to);
    for (uint32_t c = 0; c < f->blocks.n; c++) {
        const struct ir_block *k = &f->blocks.at[c];
        for (uint32_t j = k->first; j < k->first + k->n; j++) {
            out->after[j] |= from[c] || (c == b && j > i);
            out->before[j] |= to[c] || (c == b && j < i);
        }
    }
}

static struct sides_of_waits divide(struct related *x, const struct visit *v)
{
    const struct ir_fn *f = x->ir->fns.at[x->in->instances.at[v->instance].fn];
    struct sides_of_waits out = {arena_zero(&x->arena, f->insts.n + 1ul),
                                 arena_zero(&x->arena, f->insts.n + 1ul)};
    memset(out.after, v->follows, f->insts.n);
    memset(out.before, v->precedes, f->insts.n);
    for (uint32_t b = 0; b < f->blocks.n; b++) {
        const struct ir_block *k = &f->blocks.at[b];
        for (uint32_t i = k->first; i < k->first + k->n; i++)
            if (waits_here(x, v->instance, &f->insts.at[i]))
                divide_at(x, f, b, i, &out);
    }
    return out;
}

// ---- what a handler does ------------------------------------------------

static void mark_bytes(const struct related *x, bool *bytes,
                       const struct flow_access *a)
{
    uint64_t end =
        a->size == UINT32_MAX ? x->size : (uint64_t)a->offset + a->size;
    for (uint64_t i = a->offset; i < end && i < x->size; i++)
        bytes[i] = true;
}

static void use(const struct related *x, uint32_t cls,
                const struct accesses *all, bool before, bool after,
                struct uses *u)
{
    for (uint32_t i = 0; i < all->at.n; i++) {
        const struct flow_access *a = &all->at.at[i];
        if (a->global) {
            u->direct |= a->write; // actors share it
            continue;
        }
        if (a->of != cls)
            continue;
        mark_bytes(x, a->write ? u->written : u->read, a);
        u->direct |= a->write;
        if (before)
            mark_bytes(x, u->before, a);
        if (before && a->write)
            mark_bytes(x, u->written_before, a);
        if (after && !a->write)
            mark_bytes(x, u->after, a);
    }
}

// Memory that a field may point to, all of it one thing.
static bool is_heap(struct related *x, uint32_t instance, uint32_t block,
                    ir_id pointer)
{
    uint32_t node = value_node(x->in, instance, pointer, block);
    if (node == IR_NOTHING)
        return false;
    for (struct set_walk w = {.of = pts_of(&x->in->pts, node)}; set_next(&w);) {
        enum object_kind k = pts_object_at(&x->in->pts, w.x)->kind;
        if (k == OBJECT_HEAP || k == OBJECT_OUTSIDE)
            return true;
    }
    return false;
}

// A function without a body on memory that a field points to.
static void call_on_heap(struct related *x, uint32_t instance, uint32_t block,
                         const struct ir_inst *call, bool *writes, bool *reads)
{
    const struct ir_fn *f = x->ir->fns.at[x->in->instances.at[instance].fn];
    const ir_id *args = ir_args(f, call);
    uint32_t to = ir_as_fn(x->ir, args[0]);
    if (to == IR_NOTHING || x->ir->fns.at[to]->defined)
        return;
    for (uint32_t k = 1; k < call->n; k++)
        if (is_heap(x, instance, block, args[k])) {
            *reads = true;
            *writes |= external_writes(x->in, f, call, k - 1);
        }
}

static void use_heap(struct related *x, uint32_t instance, uint32_t block,
                     const struct ir_inst *i, bool before, bool after,
                     struct uses *u)
{
    const struct ir_fn *f = x->ir->fns.at[x->in->instances.at[instance].fn];
    const ir_id *args = ir_args(f, i);
    bool copies = i->op == IR_COPY || i->op == IR_MOVE;
    bool writes =
        (i->op == IR_STORE && is_heap(x, instance, block, args[1])) ||
        ((copies || i->op == IR_SET) && is_heap(x, instance, block, args[0]));
    bool reads = (i->op == IR_LOAD && is_heap(x, instance, block, args[0])) ||
                 (copies && is_heap(x, instance, block, args[1]));
    if (i->op == IR_CALL)
        call_on_heap(x, instance, block, i, &writes, &reads);
    u->direct |= writes;
    u->heap_written |= writes;
    u->heap_read |= reads;
    u->heap_before |= before && (writes || reads);
    u->heap_after |= after && reads;
}

struct todo {
    VEC(struct visit) at;
};

static void visit(struct todo *t, struct visit v)
{
    for (uint32_t i = 0; i < t->at.n; i++)
        if (t->at.at[i].instance == v.instance &&
            t->at.at[i].follows >= v.follows &&
            t->at.at[i].precedes >= v.precedes)
            return;
    vec_push(&t->at, v);
}

static void visit_callees(struct related *x, struct todo *t, uint32_t instance,
                          const struct ir_inst *i, bool before, bool after)
{
    const struct instance *k = &x->in->instances.at[instance];
    const struct ir_fn *f = x->ir->fns.at[k->fn];
    if (i->op != IR_CALL)
        return;
    uint32_t to = ir_as_fn(x->ir, ir_args(f, i)[0]);
    for (uint32_t c = 0; c < k->callees.n; c++) {
        uint32_t callee = k->callees.at[c];
        if (to == IR_NOTHING || x->in->instances.at[callee].fn == to)
            visit(t, (struct visit){callee, after, before});
    }
}

// The functions that a handler runs through, as they are found.
struct using
{
    struct related *x;
    uint32_t cls;
    struct uses *uses;
    struct todo todo;
};

// What one instruction does, and which functions it calls.
static void use_inst(struct using *w, const struct visit *v, uint32_t block,
                     uint32_t inst, const struct sides_of_waits *d)
{
    struct related *x = w->x;
    const struct ir_fn *f = x->ir->fns.at[x->in->instances.at[v->instance].fn];
    const struct ir_inst *i = &f->insts.at[inst];
    bool before = d->before[inst], after = d->after[inst];
    struct accesses all = {0};
    inst_accesses(x->in, v->instance, block, inst, &all);
    use(x, w->cls, &all, before, after, w->uses);
    vec_free(&all.at);
    use_heap(x, v->instance, block, i, before, after, w->uses);
    if (i->op == IR_BECOME || i->op == IR_STOP)
        w->uses->direct = w->uses->turns = true;
    visit_callees(x, &w->todo, v->instance, i, before, after);
}

static void use_fn(struct using *w, const struct visit *v)
{
    struct related *x = w->x;
    const struct ir_fn *f = x->ir->fns.at[x->in->instances.at[v->instance].fn];
    struct sides_of_waits d = divide(x, v);
    for (uint32_t b = 0; b < f->blocks.n; b++) {
        const struct ir_block *k = &f->blocks.at[b];
        for (uint32_t i = k->first; i < k->first + k->n; i++)
            use_inst(w, v, b, i, &d);
    }
}

static void uses_of(struct related *x, uint32_t cls, uint32_t fn,
                    struct uses *u)
{
    struct using w = {.x = x, .cls = cls, .uses = u};
    uint32_t first = instance_find(x->in, fn, cls);
    bool **sets[] = {&u->before, &u->written_before, &u->after, &u->read,
                     &u->written};
    for (uint32_t i = 0; i < sizeof sets / sizeof *sets; i++)
        *sets[i] = arena_zero(&x->arena, x->size + 1ul);
    if (first != MAP_NONE)
        visit(&w.todo, (struct visit){first, false, false});
    for (uint32_t n = 0; n < w.todo.at.n; n++) {
        struct visit v = w.todo.at.at[n]; // more may be pushed
        use_fn(&w, &v);
    }
    vec_free(&w.todo.at);
}

// ---- what is sent -------------------------------------------------------

static bool is_sending(enum ir_op op)
{
    return op == IR_SEND || op == IR_FORWARD || op == IR_TRY_SEND ||
           op == IR_ASK || op == IR_AFTER || op == IR_WATCH;
}

static uint32_t message_of(const struct ir *ir, const struct ir_fn *f,
                           const struct ir_inst *i)
{
    uint32_t arg = i->op == IR_AFTER ? 3 : 2;
    uint32_t g = arg < i->n ? ir_as_global(ir, ir_args(f, i)[arg]) : IR_NOTHING;
    return g == IR_NOTHING ? IR_NOTHING : ir_msg_of(ir, g);
}

// A message that a watch brings comes to the watcher.
static bool to_itself(const struct ir_fn *f, const struct ir_inst *i)
{
    if (i->op == IR_WATCH)
        return true;
    ir_id to = ir_args(f, i)[i->op == IR_AFTER ? 2 : 1];
    return to != IR_NOTHING && !ir_is_const(to) &&
           f->insts.at[to].op == IR_SELF;
}

// A handler of some class, and what it is known to do.
struct doer {
    uint32_t cls, fn, msg;
    bool direct, impure, outwards;
};

struct doers {
    VEC(struct doer) at;
};

static void add_doers(const struct flow *f, struct doers *out)
{
    for (uint32_t i = 0; i < f->handlers.n; i++) {
        const struct flow_handler *h = &f->handlers.at[i];
        struct doer n = {.cls = h->cls, .fn = h->fn, .msg = h->msg};
        bool known = false;
        for (uint32_t k = 0; k < out->at.n; k++)
            known |= out->at.at[k].cls == n.cls && out->at.at[k].fn == n.fn &&
                     out->at.at[k].msg == n.msg;
        if (!known)
            vec_push(&out->at, n);
    }
}

static bool changes(const struct doers *all, uint32_t msg)
{
    if (msg == IR_NOTHING)
        return true;
    for (uint32_t i = 0; i < all->at.n; i++)
        if (all->at.at[i].msg == msg && all->at.at[i].impure)
            return true;
    return false;
}

static bool spread(struct related *x, struct doers *all, struct doer *n)
{
    struct arena scratch = {0};
    uint32_t first = instance_find(x->in, n->fn, n->cls);
    bool before = n->impure, out = n->outwards;
    bool *mark = arena_zero(&scratch, x->in->instances.n + 1ul);
    if (first != MAP_NONE)
        reach_instances(x->in, first, mark);
    for (uint32_t k = 0; k < x->in->instances.n; k++) {
        const struct ir_fn *f = x->ir->fns.at[x->in->instances.at[k].fn];
        for (uint32_t i = 0; mark[k] && i < f->insts.n; i++) {
            const struct ir_inst *in = &f->insts.at[i];
            if (!is_sending((enum ir_op)in->op))
                continue;
            uint32_t msg = message_of(x->ir, f, in);
            if (changes(all, msg)) {
                n->impure = true;
                n->outwards |= !to_itself(f, in);
            }
        }
    }
    arena_free(&scratch);
    return n->impure != before || n->outwards != out;
}

static void find_impure(struct related *x, struct doers *all)
{
    bool more = true;
    for (uint32_t i = 0; i < all->at.n; i++) {
        struct doer *n = &all->at.at[i];
        struct uses u = {0};
        x->size = x->ir->classes.at[n->cls].size;
        uses_of(x, n->cls, n->fn, &u);
        n->direct = n->impure = u.direct;
    }
    while (more) {
        more = false;
        for (uint32_t i = 0; i < all->at.n; i++)
            more |= spread(x, all, &all->at.at[i]);
    }
}

// ---- what is caused -----------------------------------------------------

// Mark the messages that a handler sends.  *any: one whose type is not known.
static void mark_sent(struct related *x, const struct doer *n, bool *msgs,
                      bool *any)
{
    struct arena scratch = {0};
    uint32_t first = instance_find(x->in, n->fn, n->cls);
    bool *mark = arena_zero(&scratch, x->in->instances.n + 1ul);
    if (first != MAP_NONE)
        reach_instances(x->in, first, mark);
    for (uint32_t k = 0; k < x->in->instances.n; k++) {
        const struct ir_fn *f = x->ir->fns.at[x->in->instances.at[k].fn];
        for (uint32_t i = 0; mark[k] && i < f->insts.n; i++) {
            if (!is_sending((enum ir_op)f->insts.at[i].op))
                continue;
            uint32_t msg = message_of(x->ir, f, &f->insts.at[i]);
            if (msg == IR_NOTHING)
                *any = true;
            else
                msgs[msg] = true;
        }
    }
    arena_free(&scratch);
}

// By doer: may the handler cause its message, by what it or others send?
static bool *find_caused(struct related *x, const struct doers *all,
                         uint32_t cls, uint32_t fn)
{
    bool *msgs = arena_zero(&x->arena, x->ir->msgs.n + 1ul);
    bool *caused = arena_zero(&x->arena, all->at.n + 1ul);
    bool any = false, more = true;
    mark_sent(x, &(struct doer){.cls = cls, .fn = fn}, msgs, &any);
    while (more) {
        more = false;
        for (uint32_t i = 0; i < all->at.n; i++) {
            const struct doer *n = &all->at.at[i];
            if (caused[i] || !(any || msgs[n->msg]))
                continue;
            more = caused[i] = true;
            mark_sent(x, n, msgs, &any);
        }
    }
    return caused;
}

// What a handler of the same class does while m waits, because m asked or sent,
// counts as used before a wait and read after one: m has its results.
static void add_caused(const struct related *x, const struct uses *u,
                       struct uses *m)
{
    for (uint32_t i = 0; i < x->size; i++) {
        m->before[i] |= u->read[i] || u->written[i];
        m->written_before[i] |= u->written[i];
        m->after[i] |= u->read[i];
    }
    m->heap_before |= u->heap_read || u->heap_written;
    m->heap_after |= u->heap_read;
}

// ---- related ------------------------------------------------------------

static bool meet(const struct related *x, const bool *a, const bool *b)
{
    for (uint32_t i = 0; i < x->size; i++)
        if (a[i] && b[i])
            return true;
    return false;
}

// Handlers that write a field which matters; what they read may matter, too.
static void find_writers(struct related *x, const struct uses *m,
                         const struct uses *us, uint32_t n, bool *writes)
{
    bool *matters = arena_zero(&x->arena, x->size + 1ul), more = true;
    bool heap = m->heap_before && m->heap_after;
    for (uint32_t i = 0; i < x->size; i++)
        matters[i] = m->before[i] && m->after[i];
    while (more) {
        more = false;
        for (uint32_t k = 0; k < n; k++) {
            writes[k] = us[k].turns || meet(x, us[k].written, matters) ||
                        (heap && us[k].heap_written);
            if (writes[k] && us[k].heap_read && m->heap_before && !heap)
                heap = more = true;
            for (uint32_t i = 0; writes[k] && i < x->size; i++)
                if (us[k].read[i] && m->written_before[i] && !matters[i])
                    more = matters[i] = true;
        }
    }
}

uint32_t flow_related(const struct flow *f, uint32_t cls, uint32_t fn,
                      unsigned prunings, uint32_t *msgs, uint32_t room)
{
    struct related x = {.in = f->inner, .ir = f->ir};
    struct doers all = {0};
    uint32_t n = 0;
    add_doers(f, &all);
    find_waits(&x);
    find_impure(&x, &all);
    x.size = f->ir->classes.at[cls].size;
    struct uses m = {0};
    struct uses *us = arena_zero(&x.arena, (all.at.n + 1ul) * sizeof *us);
    bool *writes = arena_zero(&x.arena, all.at.n + 1ul);
    uses_of(&x, cls, fn, &m);
    for (uint32_t i = 0; i < all.at.n; i++)
        uses_of(&x, all.at.at[i].cls == cls ? cls : IR_NOTHING, all.at.at[i].fn,
                &us[i]);
    const bool *caused = find_caused(&x, &all, cls, fn);
    for (uint32_t i = 0; i < all.at.n; i++)
        if (caused[i] && all.at.at[i].cls == cls)
            add_caused(&x, &us[i], &m);
    find_writers(&x, &m, us, all.at.n, writes);
    for (uint32_t i = 0; i < all.at.n; i++) {
        const struct doer *h = &all.at.at[i];
        bool known = h->cls != cls;
        for (uint32_t k = 0; k < n && k < room; k++)
            known |= msgs[k] == h->msg;
        if (known || (prunings & FLOW_PRUNE_1 && !h->impure) ||
            (prunings & FLOW_PRUNE_2 && !h->direct && !h->outwards) ||
            (prunings & FLOW_PRUNE_3 && !writes[i] && !h->outwards))
            continue;
        if (n < room)
            msgs[n] = h->msg;
        n++;
    }
    vec_free(&all.at);
    arena_free(&x.arena);
    return n;
}

// ---- who causes messages to whom ----------------------------------------

// Note to which classes a handler, and what it calls, may send.
static void sends_of(struct related *x, const struct doer *h, bool *out)
{
    const struct flow *f = x->in->f;
    bool any = false;
    bool *msgs = arena_zero(&x->arena, x->ir->msgs.n + 1ul);
    mark_sent(x, h, msgs, &any);
    for (uint32_t c = 0; c < f->handlers.n; c++) {
        uint32_t msg = f->handlers.at[c].msg;
        if (any || (msg != IR_NOTHING && msgs[msg]))
            out[h->cls * x->ir->classes.n + f->handlers.at[c].cls] = true;
    }
}

const bool *flow_causes(const struct flow *f, struct arena *a)
{
    struct related x = {.in = f->inner, .ir = f->ir};
    struct doers all = {0};
    uint32_t n = f->ir->classes.n;
    bool *out = arena_zero(a, (size_t)n * n + 1);
    add_doers(f, &all);
    for (uint32_t i = 0; i < all.at.n; i++)
        sends_of(&x, &all.at.at[i], out);
    for (uint32_t k = 0; k < n; k++)
        for (uint32_t i = 0; i < n; i++)
            for (uint32_t j = 0; j < n; j++)
                out[i * n + j] |= out[i * n + k] && out[k * n + j];
    vec_free(&all.at);
    arena_free(&x.arena);
    return out;
}
