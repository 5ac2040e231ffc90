#include "reach/summary.h"

#include "base/arena.h"
#include "base/die.h"
#include "base/map.h"
#include "base/text.h"

#include <stdlib.h>

enum { CASES_MOST = 400, CUTS_TOLD = 4 };

struct summaries {
    const struct ir *ir;
    struct terms *ts;
    struct symex *symex;
    struct summary_options o;
    struct arena arena;
    VEC(struct summary *) at;
};

struct summaries *summaries_new(const struct ir *ir, struct terms *ts,
                                struct solver *s,
                                const struct summary_options *o)
{
    struct summaries *ss = need_zero(sizeof *ss);
    struct sx_options x = {
        .loop = o->loop, .plain_refs = true, .undefined_any = o->undefined_any};
    ss->ir = ir;
    ss->ts = ts;
    ss->o = *o;
    ss->o.cases = o->cases ? o->cases : CASES_MOST;
    ss->symex = symex_new(ir, ts, s, &x);
    symex_stop(ss->symex, o->stop, o->user);
    return ss;
}

void summaries_free(struct summaries *ss)
{
    for (uint32_t i = 0; i < ss->at.n; i++) {
        sx_end(ss->at.at[i]->run);
        vec_free(&ss->at.at[i]->cases);
    }
    symex_free(ss->symex);
    vec_free(&ss->at);
    arena_free(&ss->arena);
    free(ss);
}

static struct summary *find(struct summaries *ss, struct summary key)
{
    for (uint32_t i = 0; i < ss->at.n; i++) {
        struct summary *s = ss->at.at[i];
        if (s->cls == key.cls && s->msg == key.msg && s->fn == key.fn &&
            s->to == key.to && s->wide == key.wide &&
            s->stop_fn == key.stop_fn && s->stop_block == key.stop_block)
            return s;
    }
    struct sx_start start = {.fn = key.fn,
                             .pre = IR_NOTHING,
                             .handler = true,
                             .cls = key.cls,
                             .msg = key.msg,
                             .stops = key.to,
                             .stop_fn = key.stop_fn,
                             .stop_block = key.stop_block,
                             .wide = key.wide,
                             .all = !key.to,
                             .skip = ss->o.skip};
    struct summary *s = arena_copy(&ss->arena, &key, sizeof key);
    s->run = sx_begin(ss->symex, &start);
    sx_set_order(s->run, SX_WIDE, 1);
    vec_push(&ss->at, s);
    return s;
}

struct summary *summary_of(struct summaries *ss, uint32_t cls, uint32_t msg,
                           uint32_t fn)
{
    return find(ss, (struct summary){.cls = cls, .msg = msg, .fn = fn});
}

struct summary *summary_of_wide(struct summaries *ss, uint32_t cls,
                                uint32_t msg, uint32_t fn)
{
    return find(
        ss, (struct summary){.cls = cls, .msg = msg, .fn = fn, .wide = true});
}

struct summary *summary_to(struct summaries *ss, uint32_t cls, uint32_t msg,
                           uint32_t fn, uint32_t stop_fn, uint32_t stop_block)
{
    return find(ss, (struct summary){.cls = cls,
                                     .msg = msg,
                                     .fn = fn,
                                     .to = true,
                                     .stop_fn = stop_fn,
                                     .stop_block = stop_block});
}

struct summary *summary_wide(struct summaries *ss, uint32_t cls, uint32_t msg,
                             uint32_t fn, uint32_t stop_fn, uint32_t stop_block)
{
    return find(ss, (struct summary){.cls = cls,
                                     .msg = msg,
                                     .fn = fn,
                                     .to = true,
                                     .wide = true,
                                     .stop_fn = stop_fn,
                                     .stop_block = stop_block});
}

// ---- from a path to a case ----------------------------------------------

static bool has_heap(const struct sx_path *p)
{
    for (uint32_t i = 0; i < p->n_cells; i++)
        if (p->cells[i].ref != IR_NOTHING)
            return true;
    return p->n_followed > 0;
}

// What the init of a new actor made of its behaviour.
static void settle_child(const struct ir *ir, const struct sx_path *p,
                         struct summary_child *c)
{
    term me = p->effects[c->effect].result;
    c->behaviour = ir->classes.at[c->cls].start;
    for (uint32_t i = c->effect + 1; i < p->n_effects; i++) {
        const struct sx_effect *e = &p->effects[i];
        if (e->actor != me)
            continue;
        if (e->op == IR_BECOME)
            c->behaviour = e->behaviour;
        c->stopped |= e->op == IR_STOP;
    }
}

static const struct summary_child *children_of(struct summaries *ss,
                                               struct summary *s,
                                               const struct sx_path *p,
                                               uint32_t *n, bool *ok)
{
    VEC(struct summary_child) all = {0};
    for (uint32_t i = 0; i < p->n_effects; i++) {
        const struct sx_effect *e = &p->effects[i];
        if (e->op != IR_SPAWN)
            continue;
        struct summary_child c = {.effect = i, .cls = e->cls};
        settle_child(ss->ir, p, &c);
        uint32_t size = ss->ir->classes.at[e->cls].size;
        *ok &= sx_read_all(s->run, p, e->state, size, &c.cells, &c.n_cells);
        vec_push(&all, c);
    }
    *n = all.n;
    const struct summary_child *kept =
        arena_copy(&ss->arena, all.at, all.n * sizeof *all.at);
    vec_free(&all);
    return kept;
}

static void add_path(struct summaries *ss, struct summary *s,
                     const struct sx_path *p)
{
    struct summary_case c = {.path = p, .heap = has_heap(p), .exact = true};
    c.exact = !(p->labels & ~(uint32_t)SX_PRECISE);
    c.turned = p->end == SX_TURNED;
    c.children = children_of(ss, s, p, &c.n_children, &c.exact);
    vec_push(&s->cases, c);
}

// One more path; false: there is none now.
static bool next_path(struct summaries *ss, struct summary *s)
{
    const struct sx_path *p = sx_next(s->run);
    if (!p) {
        s->done = !sx_stopped(s->run);
        return false;
    }
    switch (p->end) {
    case SX_REACHED:
    case SX_TURNED:
        add_path(ss, s, p);
        break;
    case SX_RETURNED:
        if (!s->to)
            add_path(ss, s, p);
        break;
    case SX_TRAPPED:
        s->traps++;
        break;
    case SX_UNSUPPORTED:
        s->unsupported = p->text;
        break;
    case SX_UNKNOWN:
    case SX_STEPS:
    case SX_STUCK:
        s->unknown++;
        break;
    }
    return true;
}

const struct summary_case *summary_case(struct summaries *ss, struct summary *s,
                                        uint32_t i)
{
    while (i >= s->cases.n && !s->done) {
        if (s->cases.n >= ss->o.cases) {
            s->full = true;
            return NULL;
        }
        if (!next_path(ss, s))
            break;
    }
    return i < s->cases.n ? &s->cases.at[i] : NULL;
}

bool summary_complete(const struct summary *s)
{
    return s->done && !s->full && sx_complete(s->run);
}

const char *summary_cut(const struct ir *ir, const struct summary *s,
                        struct arena *a)
{
    struct sx_cut cuts[CUTS_TOLD];
    uint32_t n = sx_cuts(s->run, cuts, CUTS_TOLD);
    struct text t = {0};
    for (uint32_t i = 0; i < n; i++)
        text_format(&t, "%s%s of %s", i ? ", " : "",
                    cuts[i].block ? "a loop" : "calls",
                    ir->fns.at[cuts[i].fn]->name);
    const char *told = n ? arena_text(a, text_get(&t)) : NULL;
    text_free(&t);
    return told;
}

bool summaries_raise(struct summaries *ss, uint32_t loop)
{
    bool any = false;
    for (uint32_t i = 0; i < ss->at.n; i++)
        if (sx_raise(ss->at.at[i]->run, loop, loop)) {
            ss->at.at[i]->done = false;
            any = true;
        }
    return any;
}

// ---- segments -----------------------------------------------------------

struct summary_terms case_conditions(const struct summary_case *c, uint32_t k)
{
    const struct sx_path *p = c->path;
    uint32_t from = p->segments[k].conditions;
    uint32_t to =
        k + 1 < p->n_segments ? p->segments[k + 1].conditions : p->n_conditions;
    return (struct summary_terms){p->conditions + from, to - from};
}

struct summary_effects case_effects(const struct summary_case *c, uint32_t k)
{
    const struct sx_path *p = c->path;
    uint32_t from = p->segments[k].effects;
    uint32_t to =
        k + 1 < p->n_segments ? p->segments[k + 1].effects : p->n_effects;
    return (struct summary_effects){p->effects + from, to - from};
}

// ---- writes -------------------------------------------------------------

static const struct sx_write *
write_at(struct terms *ts, const struct sx_write *w, uint32_t n, uint64_t byte)
{
    for (uint32_t i = 0; i < n; i++)
        if (w[i].offset <= byte &&
            byte < w[i].offset + term_bits(ts, w[i].value) / 8)
            return &w[i];
    return NULL;
}

bool writes_touch(struct terms *ts, const struct sx_write *w, uint32_t n,
                  uint64_t offset, uint32_t bytes)
{
    for (uint32_t i = 0; i < n; i++)
        if (w[i].offset < offset + bytes &&
            offset < w[i].offset + term_bits(ts, w[i].value) / 8)
            return true;
    return false;
}

term writes_read(struct terms *ts, const struct sx_write *w, uint32_t n,
                 uint64_t offset, uint32_t bytes, term before)
{
    term all = TERM_NONE;
    for (uint32_t i = 0; i < bytes; i++) {
        const struct sx_write *at = write_at(ts, w, n, offset + i);
        term byte = at       ? term_slice(ts, at->value,
                                          (unsigned)(offset + i - at->offset) * 8, 8)
                    : before ? term_slice(ts, before, i * 8, 8)
                             : term_const(ts, 8, 0);
        all = all ? term_concat(ts, byte, all) : byte;
    }
    return all;
}
