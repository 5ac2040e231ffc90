// Each post is placed right before its receive.  Then few messages are under
// way at any time, and few choices are left.
#include "reach/backward/result.h"

#include "base/die.h"

#include <string.h>

struct writing {
    struct backward *b;
    const struct pool *pool;
    const struct node *n;
    const struct model *m;
    struct result *out;
    struct map natives; // numbers of the search -> of the run
    uint32_t made;
    uint32_t early; // receives before the first post
};

static uint64_t value(struct writing *w, term t)
{
    return (uint64_t)term_eval(w->b->ts, t, w->m);
}

// ---- posts ------------------------------------------------------------------

// In an input a reference is 0, or 1 and the place among the receptionists of
// its class.
static uint64_t receptionist(const struct writing *w, const struct leaf *l,
                             uint64_t actor)
{
    uint64_t n = 0;
    if (!actor || actor > w->b->start.actors.n)
        return 0;
    const char *name = w->b->start.actors.at[actor - 1].name;
    for (uint32_t i = 0; name && i < w->pool->n_names; i++) {
        if (l->cls != IR_NOTHING && w->pool->names[i].cls != l->cls)
            continue;
        n++;
        if (strcmp(w->pool->names[i].name, name) == 0)
            return n;
    }
    return 0;
}

static void fill_message(struct writing *w, const struct instance *i,
                         struct gene *g)
{
    const struct model_msg *msg = &w->b->model->msgs.at[i->msg];
    const struct sx_path *p = i->c.path;
    for (uint32_t k = 0; k < p->n_cells; k++) {
        const struct sx_cell *c = &p->cells[k];
        uint64_t at = (uint64_t)c->place.offset;
        if (c->place.from != SX_MESSAGE || at + c->bytes > MODEL_BYTES)
            continue;
        u128 v = term_eval(w->b->ts, i->vars[k], w->m);
        memcpy(g->bytes + at, &v, c->bytes < 16 ? c->bytes : 16);
    }
    for (uint32_t k = 0; k < msg->leaves.n; k++) {
        const struct leaf *l = &msg->leaves.at[k];
        if (l->kind == LEAF_REF && l->offset + 8 <= MODEL_BYTES)
            leaf_set(l, g->bytes, receptionist(w, l, leaf_get(l, g->bytes)));
    }
}

static bool add_post(struct writing *w, const struct path_step *s,
                     uint32_t times)
{
    struct input *in = &w->out->input;
    const char *name = w->b->start.actors.at[s->of->actor - 1].name;
    if (in->n_genes == INPUT_GENES)
        return false;
    struct gene *g = &in->genes[in->n_genes++];
    memset(g, 0, sizeof *g);
    g->to = POOL_NAMES;
    for (uint32_t i = 0; i < w->pool->n_names; i++)
        if (strcmp(w->pool->names[i].name, name) == 0)
            g->to = (uint8_t)i;
    g->msg = (uint16_t)s->of->msg;
    g->times = times;
    g->pass = (uint8_t)(in->n_genes == 1 ? w->early : 0);
    fill_message(w, s->of, g);
    return g->to < POOL_NAMES;
}

// ---- receives ---------------------------------------------------------------

static uint32_t native(const struct writing *w, uint32_t actor)
{
    uint32_t n = map_get(&w->natives, actor);
    return n == MAP_NONE ? actor : n;
}

static const struct origin *origin_at(const struct writing *w,
                                      uint32_t position)
{
    for (const struct origin *o = w->n->origins; o; o = o->up)
        if (o->position == position)
            return o;
    return NULL;
}

static void add_wish(struct writing *w, const struct path_step *s,
                     uint32_t times)
{
    const struct origin *o = origin_at(w, s->position);
    struct run_wish wish = {.to = native(w, s->of->actor),
                            .from = WISH_ANYBODY,
                            .msg = s->of->msg,
                            .times = times};
    struct input *in = &w->out->input;
    if (s->kind == STEP_PAUSE)
        return;
    if (s->kind == STEP_REPLY || s->kind == STEP_LATE) {
        term future = s->of->c.path->segments[s->segment - 1].future;
        const struct sx_path *p = s->of->c.path;
        for (uint32_t i = 0; i < p->n_effects; i++)
            if (p->effects[i].op == IR_ASK && p->effects[i].result == future)
                wish.msg = p->effects[i].msg;
        wish.what = s->kind == STEP_LATE ? WISH_LIMIT : WISH_REPLY;
    } else if (o && o->op == IR_AFTER) {
        wish.what = WISH_TIMER;
    }
    if (s->kind == STEP_POST)
        wish.from = 0;
    else if (o && wish.what == WISH_MESSAGE)
        wish.from = native(w, o->from);
    vec_push(&w->out->wishes, wish);
    in->bound += times;
    if (!in->n_genes && w->early < PASS_ALL - 1)
        w->early++;
    if (in->n_genes && in->genes[in->n_genes - 1].pass < PASS_ALL - 1)
        in->genes[in->n_genes - 1].pass++;
}

// ---- what a step does -------------------------------------------------------

static bool add_effects(struct writing *w, const struct path_step *s)
{
    struct summary_effects all = case_effects(&s->of->c, s->segment);
    struct input *in = &w->out->input;
    for (uint32_t i = 0; i < all.n; i++) {
        const struct sx_effect *e = &all.at[i];
        if (e->op == IR_SPAWN)
            w->made++;
        if (e->op == IR_CHOOSE) {
            if (in->n_picks == INPUT_PICKS)
                return false;
            in->picks[in->n_picks++] =
                (uint16_t)value(w, instance_term(s->of, e->result));
        }
    }
    return true;
}

// Find the number of each new actor from the bindings: the search has it only
// in conditions.
static void name_children(struct writing *w, const struct path_step *s)
{
    struct summary_effects all = case_effects(&s->of->c, s->segment);
    uint32_t first = (uint32_t)(all.at - s->of->c.path->effects), n = 0;
    for (uint32_t i = 0; i < all.n; i++) {
        if (all.at[i].op != IR_SPAWN)
            continue;
        n++;
        for (const struct birth *c = w->n->births; c; c = c->up)
            if (c->position == s->position && c->effect == first + i)
                map_put(&w->natives, c->number, w->made + n);
    }
}

static bool add_step(struct writing *w, const struct path_step *s)
{
    uint32_t times = s->times ? (uint32_t)value(w, s->times) : 1;
    if (s->kind == STEP_POST && !add_post(w, s, times))
        return false;
    add_wish(w, s, times);
    name_children(w, s);
    return add_effects(w, s);
}

bool result_of(struct backward *b, const struct pool *pool,
               const struct node *n, const struct model *m, struct result *out)
{
    struct writing w = {.b = b,
                        .pool = pool,
                        .n = n,
                        .m = m,
                        .out = out,
                        .made = b->start.actors.n};
    bool ok = true;
    out->input.n_genes = out->input.n_order = out->input.n_picks = 0;
    out->input.bound = 200;
    out->input.seed = out->input.params = 0;
    for (const struct path_step *s = n->path; ok && s; s = s->later)
        ok = add_step(&w, s);
    // A repeated post is followed by its own receives alone.
    for (uint32_t i = 0; i < out->input.n_genes; i++)
        if (out->input.genes[i].times > 1)
            out->input.genes[i].pass = PASS_ALL;
    out->input.bound = out->input.bound * 2;
    map_free(&w.natives);
    return ok;
}

void result_release(struct result *r)
{
    vec_free(&r->wishes);
}
