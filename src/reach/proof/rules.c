// From the cases of handlers to rules: given what is there before a case, what
// is there after it.
#include "reach/proof/proof.h"

#include "ir/targets.h"

#include <stdlib.h>
#include <string.h>

enum { RECEIVERS_MOST = 64 };

// ---- calls --------------------------------------------------------------

// The init hooks of actors that a function creates run within it.
static bool add_inits(struct proofs *p, const struct ir_fn *f, bool *seen)
{
    bool grew = false;
    for (uint32_t i = 0; i < f->insts.n; i++) {
        if (f->insts.at[i].op != IR_SPAWN)
            continue;
        uint32_t g = ir_as_global(p->ir, ir_args(f, &f->insts.at[i])[1]);
        uint32_t named = g == IR_NOTHING ? g : ir_class_of(p->ir, g);
        for (uint32_t c = 0; c < p->ir->classes.n; c++) {
            uint32_t init = p->ir->classes.at[c].init;
            if ((named != IR_NOTHING && c != named) || init == IR_NOTHING ||
                seen[init])
                continue;
            seen[init] = grew = true;
        }
    }
    return grew;
}

static void spread(struct proofs *p, bool *seen)
{
    for (bool again = true; again;) {
        again = false;
        ir_spread(p->ir, seen);
        for (uint32_t k = 0; k < p->ir->fns.n; k++)
            if (seen[k])
                again |= add_inits(p, p->ir->fns.at[k], seen);
    }
}

bool proofs_calls(struct proofs *p, uint32_t from, uint32_t to)
{
    if (!p->calls)
        p->calls = arena_zero(&p->arena, (p->ir->fns.n + 1) * sizeof *p->calls);
    if (!p->calls[from]) {
        p->calls[from] = arena_zero(&p->arena, p->ir->fns.n + 1);
        p->calls[from][from] = true;
        spread(p, p->calls[from]);
    }
    return p->calls[from][to];
}

// ---- roots --------------------------------------------------------------

static void add_root(struct proofs *p, enum root_kind kind, uint32_t cls,
                     uint32_t fn)
{
    struct root r = {.kind = kind,
                     .cls = cls,
                     .behaviour = IR_NOTHING,
                     .msg = IR_NOTHING,
                     .fn = fn};
    vec_push(&p->roots, r);
}

void roots_collect(struct proofs *p)
{
    const struct ir *ir = p->ir;
    for (uint32_t i = 0; i < p->flow->handlers.n; i++) {
        const struct flow_handler *h = &p->flow->handlers.at[i];
        if (!h->live || h->fn == IR_NOTHING)
            continue;
        add_root(p, ROOT_HANDLER, h->cls, h->fn);
        p->roots.at[p->roots.n - 1].behaviour = h->behaviour;
        p->roots.at[p->roots.n - 1].msg = h->msg;
    }
    for (uint32_t c = 0; c < ir->classes.n; c++) {
        const struct ir_class *class = &ir->classes.at[c];
        if (p->flow->created[c] && class->init != IR_NOTHING)
            add_root(p, ROOT_INIT, c, class->init);
        if (p->flow->created[c] && class->fini != IR_NOTHING)
            add_root(p, ROOT_FINI, c, class->fini);
    }
    for (uint32_t i = 0; i < ir->systems.n; i++)
        if (strcmp(ir->systems.at[i].name, p->r->o.system) == 0)
            add_root(p, ROOT_SETUP, IR_NOTHING, ir->systems.at[i].fn);
}

// ---- terms for cells ----------------------------------------------------

const struct sx_cell *cell_over(const struct sx_path *path, enum sx_from from,
                                uint32_t index, uint64_t byte)
{
    for (uint32_t i = 0; i < path->n_cells; i++) {
        const struct sx_cell *c = &path->cells[i];
        if (c->place.from == from && c->place.index == index &&
            (uint64_t)c->place.offset <= byte &&
            byte < (uint64_t)c->place.offset + c->bytes)
            return c;
    }
    return NULL;
}

// What the path calls this cell; a variable of its own for bytes that the path
// does not look at.
static term value_of(struct proofs *p, const struct sx_path *path,
                     enum sx_from from, uint32_t index, const struct cell *cell)
{
    const struct sx_cell *c = cell_over(path, from, index, cell->offset);
    term own = TERM_NONE, all = TERM_NONE;
    if (c && (uint64_t)c->place.offset == cell->offset &&
        c->bytes == cell->bytes &&
        term_bits(p->ts, c->value) == cell->bytes * 8)
        return c->value;
    for (uint32_t i = 0; i < cell->bytes; i++) {
        uint64_t byte = cell->offset + i;
        term v;
        c = cell_over(path, from, index, byte);
        if (c && term_bits(p->ts, c->value) == c->bytes * 8) {
            v = term_slice(p->ts, c->value,
                           (unsigned)(byte - (uint64_t)c->place.offset) * 8, 8);
        } else {
            if (!own)
                own = term_var(p->ts, cell->name, cell->bytes * 8, TERM_INT);
            v = term_slice(p->ts, own, i * 8, 8);
        }
        all = all ? term_concat(p->ts, v, all) : v;
    }
    return all;
}

struct use use_make(struct proofs *p, uint32_t subject, const term *values)
{
    struct use u = {.subject = subject, .values = values};
    const struct shape *shape = subject_of(p, subject)->shape;
    u.subst = term_subst_new(p->ts);
    for (uint32_t i = 0; i < shape->n; i++)
        term_subst_set(u.subst, shape->at[i].var, values[i]);
    return u;
}

static const term *values_before(struct proofs *p, const struct sx_path *path,
                                 enum sx_from from, uint32_t index,
                                 const struct shape *shape)
{
    term *v = arena_get(&p->arena, (shape->n + 1) * sizeof *v);
    for (uint32_t i = 0; i < shape->n; i++)
        v[i] = value_of(p, path, from, index, &shape->at[i]);
    return v;
}

static const term *values_after(struct proofs *p, const struct sx_write *w,
                                uint32_t n, const struct shape *shape,
                                const term *before)
{
    term *v = arena_get(&p->arena, (shape->n + 1) * sizeof *v);
    for (uint32_t i = 0; i < shape->n; i++)
        v[i] = writes_read(p->ts, w, n, shape->at[i].offset, shape->at[i].bytes,
                           before ? before[i] : TERM_NONE);
    return v;
}

// ---- one case -----------------------------------------------------------

struct building {
    struct proofs *p;
    const struct root *root;
    const struct summary_case *c;
    const term *self; // the state before the segments at hand
    VEC(struct use) ifs, thens;
    VEC(term) conditions;
};

// The terms of its cells, NULL if there is no such subject.
static const term *build_if(struct building *b, uint32_t subject,
                            enum sx_from from, uint32_t index)
{
    if (subject == IR_NOTHING)
        return NULL;
    const struct shape *shape = subject_of(b->p, subject)->shape;
    const term *values = values_before(b->p, b->c->path, from, index, shape);
    vec_push(&b->ifs, use_make(b->p, subject, values));
    return values;
}

static void build_then(struct building *b, uint32_t subject,
                       const struct sx_write *w, uint32_t n, const term *before)
{
    if (subject == IR_NOTHING)
        return;
    const struct shape *shape = subject_of(b->p, subject)->shape;
    vec_push(&b->thens,
             use_make(b->p, subject, values_after(b->p, w, n, shape, before)));
}

// The segments of a group: up to one after which others may run.
static uint32_t group_end(const struct sx_path *path, uint32_t first)
{
    uint32_t k = first;
    while (k + 1 < path->n_segments && path->segments[k].wait == IR_GET)
        k++;
    return k;
}

uint32_t asked_by(const struct sx_path *path, term future)
{
    for (uint32_t i = 0; future && i < path->n_effects; i++)
        if (path->effects[i].op == IR_ASK && path->effects[i].result == future)
            return path->effects[i].msg;
    return IR_NOTHING;
}

static bool has_op(const struct ir_fn *f, enum ir_op op)
{
    for (uint32_t i = 0; i < f->insts.n; i++)
        if (f->insts.at[i].op == op)
            return true;
    return false;
}

// Whose code an effect is: a class, or the environment.
static uint32_t doer(const struct building *b, const struct sx_effect *e)
{
    const struct sx_path *path = b->c->path;
    for (uint32_t i = 0; e->actor && i < path->n_effects; i++)
        if (path->effects[i].op == IR_SPAWN &&
            path->effects[i].result == e->actor)
            return path->effects[i].cls;
    return b->root->kind == ROOT_SETUP ? flow_env(b->p->flow) : b->root->cls;
}

// May an actor of this class stop before it has answered, or leave that to
// another one?
static bool may_stop(struct proofs *p, uint32_t cls)
{
    for (uint32_t i = 0; i < p->roots.n; i++)
        for (uint32_t k = 0; p->roots.at[i].cls == cls && k < p->ir->fns.n; k++)
            if (p->ir->fns.at[k]->defined &&
                proofs_calls(p, p->roots.at[i].fn, k) &&
                (has_op(p->ir->fns.at[k], IR_STOP) ||
                 has_op(p->ir->fns.at[k], IR_FORWARD)))
                return true;
    return p->ir->classes.at[cls].mailbox > 0;
}

// A wait ends without an answer if its time is over, or if nobody was asked, or
// one who has stopped.  Where only nobody can be meant that is a condition.
static void build_late(struct building *b, const struct sx_segment *s)
{
    struct proofs *p = b->p;
    const struct sx_path *path = b->c->path;
    const struct sx_effect *e = NULL;
    uint32_t to[RECEIVERS_MOST], waits = 0;
    for (uint32_t i = 0; i < path->n_effects; i++)
        if (path->effects[i].op == IR_ASK &&
            path->effects[i].result == s->future)
            e = &path->effects[i];
    for (uint32_t k = 0; k < path->n_segments; k++)
        waits += path->segments[k].future == s->future;
    if (!e || waits > 1 || e->n < 5 || !term_is(p->ts, e->args[4], 0) ||
        p->r->o.alloc_fails)
        return;
    struct flow_site site = {.ctx = doer(b, e), .fn = e->fn, .inst = e->inst};
    uint32_t n = flow_targets(p->flow, site, to, RECEIVERS_MOST);
    if (n == 0 || n > RECEIVERS_MOST)
        return;
    for (uint32_t i = 0; i < n; i++)
        if (to[i] >= p->ir->classes.n || may_stop(p, to[i]))
            return;
    vec_push(&b->conditions,
             term_eq(p->ts, e->args[1], term_const(p->ts, 64, 0)));
}

// What is known when segments first..last run.
static void build_ifs(struct building *b, uint32_t first, uint32_t last,
                      uint32_t behaviour)
{
    struct proofs *p = b->p;
    const struct sx_path *path = b->c->path;
    const struct root *root = b->root;
    uint32_t begins = first ? root->behaviour : behaviour;
    if (root->kind == ROOT_HANDLER)
        build_if(b, message_subject(p, root->cls, root->msg), SX_MESSAGE, 0);
    if ((root->kind == ROOT_HANDLER || root->kind == ROOT_FINI) &&
        begins != IR_NOTHING)
        b->self = build_if(b, state_subject(p, root->cls, begins), SX_SELF, 0);
    if (first && behaviour != IR_NOTHING)
        b->self =
            build_if(b, state_subject(p, root->cls, behaviour), SX_SELF, first);
    for (uint32_t k = 0; k < last; k++) {
        const struct sx_segment *s = &path->segments[k];
        uint32_t msg = asked_by(path, s->future);
        if (s->wait != IR_PAUSE && !s->late && msg != IR_NOTHING)
            build_if(b, p->answer_of[msg], SX_ANSWER, k);
        if (s->wait != IR_PAUSE && s->late)
            build_late(b, s);
    }
    uint32_t end = last + 1 < path->n_segments
                       ? path->segments[last + 1].conditions
                       : path->n_conditions;
    for (uint32_t i = 0; i < end; i++)
        vec_push(&b->conditions, path->conditions[i]);
    for (uint32_t i = 0; i < path->n_effects; i++)
        if (path->effects[i].op == IR_SPAWN && path->effects[i].result &&
            term_bits(p->ts, path->effects[i].result) == 64)
            vec_push(&b->conditions, term_ne(p->ts, path->effects[i].result,
                                             term_const(p->ts, 64, 0)));
}

static void build_send(struct building *b, const struct sx_effect *e)
{
    struct proofs *p = b->p;
    uint32_t to[RECEIVERS_MOST];
    struct flow_site site = {.ctx = doer(b, e), .fn = e->fn, .inst = e->inst};
    uint32_t n =
        e->op == IR_WATCH ? 0 : flow_targets(p->flow, site, to, RECEIVERS_MOST);
    if (n == 0 || n > RECEIVERS_MOST) {
        for (uint32_t c = 0; c < p->ir->classes.n; c++)
            build_then(b, message_subject(p, c, e->msg), e->cells, e->n_cells,
                       NULL);
        return;
    }
    for (uint32_t i = 0; i < n; i++)
        if (to[i] < p->ir->classes.n)
            build_then(b, message_subject(p, to[i], e->msg), e->cells,
                       e->n_cells, NULL);
}

// The messages that were sent to the same actor before, in this activation.
static void note_behind(struct building *b, uint32_t i, uint32_t first_then)
{
    const struct sx_effect *all = b->c->path->effects, *e = &all[i];
    VEC(uint32_t) msgs = {0};
    for (uint32_t k = 0; k < i; k++)
        if ((all[k].op == IR_SEND || all[k].op == IR_ASK) &&
            all[k].actor == e->actor && all[k].args[1] == e->args[1])
            vec_push(&msgs, all[k].msg);
    const uint32_t *kept =
        arena_copy(&b->p->arena, msgs.at, msgs.n * sizeof *msgs.at);
    for (uint32_t k = first_then; k < b->thens.n; k++) {
        b->thens.at[k].behind = kept;
        b->thens.at[k].n_behind = msgs.n;
    }
    vec_free(&msgs);
}

// A timer that is cancelled before anybody else runs never fires.
static bool is_cancelled(const struct building *b, uint32_t i, uint32_t end)
{
    const struct sx_effect *all = b->c->path->effects;
    for (uint32_t k = i + 1; k < end; k++)
        if (all[k].op == IR_CANCEL && all[k].n > 1 && all[i].result &&
            all[k].args[1] == all[i].result)
            return true;
    return false;
}

static void build_effect(struct building *b, uint32_t i, uint32_t end)
{
    const struct sx_effect *e = &b->c->path->effects[i];
    uint32_t first_then = b->thens.n;
    switch (e->op) {
    case IR_AFTER:
        if (!is_cancelled(b, i, end))
            build_send(b, e);
        break;
    case IR_SEND:
    case IR_ASK:
        build_send(b, e);
        note_behind(b, i, first_then);
        break;
    case IR_FORWARD:
    case IR_TRY_SEND:
    case IR_WATCH:
        build_send(b, e);
        break;
    case IR_REPLY:
        build_then(b, b->p->answer_of[e->msg], e->cells, e->n_cells, NULL);
        break;
    case IR_SPAWN:
        for (uint32_t k = 0; k < b->c->n_children; k++) {
            const struct summary_child *c = &b->c->children[k];
            bool ends =
                c->stopped && b->p->ir->classes.at[c->cls].fini == IR_NOTHING;
            if (c->effect == i && !ends)
                build_then(b, state_subject(b->p, c->cls, c->behaviour),
                           c->cells, c->n_cells, NULL);
        }
        break;
    default:
        break;
    }
}

static struct rule build_end(struct building *b)
{
    struct proofs *p = b->p;
    struct rule r = {.name = p->ir->fns.at[b->root->fn]->name,
                     .cls = b->root->cls,
                     .n_conditions = b->conditions.n,
                     .n_ifs = b->ifs.n,
                     .n_thens = b->thens.n,
                     .done = UINT64_MAX};
    r.conditions = arena_copy(&p->arena, b->conditions.at,
                              b->conditions.n * sizeof *b->conditions.at);
    r.ifs = arena_copy(&p->arena, b->ifs.at, b->ifs.n * sizeof *b->ifs.at);
    r.thens =
        arena_copy(&p->arena, b->thens.at, b->thens.n * sizeof *b->thens.at);
    vec_free(&b->conditions);
    vec_free(&b->ifs);
    vec_free(&b->thens);
    return r;
}

void rule_free(struct rule *r)
{
    for (uint32_t i = 0; i < r->n_ifs; i++)
        term_subst_free(r->ifs[i].subst);
    for (uint32_t i = 0; i < r->n_thens; i++)
        term_subst_free(r->thens[i].subst);
}

// The segments of a group up to `last`, whether what comes behind it is ever
// run or not.
static void rule_part(struct proofs *p, const struct root *root,
                      const struct summary_case *c, uint32_t first,
                      uint32_t last, uint32_t behaviour)
{
    struct building b = {.p = p, .root = root, .c = c};
    const struct sx_path *path = c->path;
    uint32_t becomes = behaviour;
    bool has_fini = root->cls != IR_NOTHING &&
                    p->ir->classes.at[root->cls].fini != IR_NOTHING;
    bool whole = last == group_end(path, first) &&
                 !(c->turned && last + 1 == path->n_segments);
    build_ifs(&b, first, last, behaviour);
    uint32_t to = last + 1 < path->n_segments ? path->segments[last + 1].effects
                                              : path->n_effects;
    for (uint32_t k = first; k <= last; k++) {
        uint32_t end =
            k + 1 < path->n_segments ? path->segments[k + 1].effects : to;
        for (uint32_t i = path->segments[k].effects; i < end; i++)
            build_effect(&b, i, end);
        if (path->segments[k].behaviour != IR_NOTHING)
            becomes = path->segments[k].behaviour;
    }
    const struct sx_segment *s = &path->segments[last];
    // The fini hook runs on the state that an actor stops in, and on that in
    // which the system ends: a handler may hold its actor for ever.
    bool ends = whole ? s->stopped && !has_fini : !has_fini;
    if (root->kind == ROOT_HANDLER && !ends && b.self)
        build_then(&b, state_subject(p, root->cls, becomes), s->writes,
                   s->n_writes, b.self);
    struct rule r = build_end(&b);
    r.resumed = first > 0;
    vec_push(&p->rules, r);
}

// What was done before a get() was done, even if the answer never comes.
static void rule_of(struct proofs *p, const struct root *root,
                    const struct summary_case *c, uint32_t first,
                    uint32_t behaviour)
{
    for (uint32_t k = first; k <= group_end(c->path, first); k++)
        rule_part(p, root, c, first, k, behaviour);
}

struct rule rule_to(struct proofs *p, const struct root *root,
                    const struct summary_case *c, uint32_t behaviour)
{
    struct building b = {.p = p, .root = root, .c = c};
    const struct sx_path *path = c->path;
    uint32_t first = 0;
    while (group_end(path, first) + 1 < path->n_segments)
        first = group_end(path, first) + 1;
    build_ifs(&b, first, group_end(path, first), behaviour);
    return build_end(&b);
}

// ---- all cases ----------------------------------------------------------

// Is it known what each effect is?  A reply must be one to the message at hand.
static bool names_all(const struct root *root, const struct sx_path *path)
{
    for (uint32_t i = 0; i < path->n_effects; i++) {
        const struct sx_effect *e = &path->effects[i];
        switch (e->op) {
        case IR_SEND:
        case IR_FORWARD:
        case IR_TRY_SEND:
        case IR_ASK:
        case IR_WATCH:
        case IR_AFTER:
            if (e->msg == IR_NOTHING)
                return false;
            break;
        case IR_REPLY:
            if (e->msg == IR_NOTHING || e->msg != root->msg)
                return false;
            break;
        case IR_BECOME:
            if (e->behaviour == IR_NOTHING)
                return false;
            break;
        default:
            break;
        }
    }
    return true;
}

bool summary_exact(const struct summary *s)
{
    return summary_complete(s) &&
           !(sx_labels(s->run) & ~(uint32_t)SX_ALLOCATION);
}

// All cases, if they are all that the root can do.
static bool followed(struct proofs *p, const struct root *root,
                     struct summary *s)
{
    const struct summary_case *c;
    bool waits = false;
    for (uint32_t i = 0; (c = summary_case(p->summaries, s, i)); i++) {
        if (!c->exact || !names_all(root, c->path) || proofs_late(p))
            return false;
        waits |= c->path->n_segments > 1;
    }
    // Of ways that end in a trap after a wait the first part is a run of its
    // own, and is not among the cases.
    return summary_exact(s) && !(waits && s->traps);
}

// All that the root can do, or more where it loops; NULL: that is not known.
// The same handler in several behaviours is followed once.
static struct summary *follow(struct proofs *p, const struct root *root)
{
    struct summary *s =
        summary_of(p->summaries, root->cls, root->msg, root->fn);
    if (proofs_keeps(p, root))
        return NULL;
    if (followed(p, root, s))
        return s;
    s = summary_of_wide(p->summaries, root->cls, root->msg, root->fn);
    return followed(p, root, s) ? s : NULL;
}

static void rules_of(struct proofs *p, struct root *root)
{
    struct summary *s = root->followed = follow(p, root);
    const struct summary_case *c;
    if (!s) {
        rules_havoc(p, root);
        return;
    }
    p->n_handlers++;
    for (uint32_t i = 0; (c = summary_case(p->summaries, s, i)); i++) {
        struct summary_case kept = *c;
        p->n_cases++;
        hints_from(p, root, &kept, false);
        for (uint32_t k = 0; k < kept.path->n_segments;
             k = group_end(kept.path, k) + 1) {
            if (k == 0 && root->kind != ROOT_FINI) {
                rule_of(p, root, &kept, 0, root->behaviour);
                continue;
            }
            for (uint32_t b = 0; b < p->ir->behaviours.n; b++)
                if (state_subject(p, root->cls, b) != IR_NOTHING)
                    rule_of(p, root, &kept, k, b);
        }
    }
}

void rules_make(struct proofs *p)
{
    double end = p->until;
    for (uint32_t i = 0; i < p->roots.n; i++) {
        if (p->roots.at[i].kind == ROOT_INIT)
            continue;
        // One that takes too long is not followed.
        proofs_until(p, proofs_now() + (end - proofs_now()) / 4);
        rules_of(p, &p->roots.at[i]);
        p->gave_up |= proofs_late(p);
        proofs_until(p, end);
    }
}
