// From debug types: a protocol's union says what a class accepts, a message's
// struct what it contains.
#include "reach/model.h"

#include "base/die.h"

#include <stdlib.h>
#include <string.h>

enum { LEAVES_MOST = 96, BLOCK_MOST = 64, TEXT_ROOM = 32, NAMES_DEEP = 6 };

struct gather {
    struct reach_model *m;
    struct model_msg *msg;
    uint32_t room;   // bytes that have leaves
    uint32_t unions; // that the field lies in
};

static void gather(struct gather *g, uint32_t type, uint32_t offset,
                   const struct ir_member *field, bool inside);

static void add(struct gather *g, struct leaf l)
{
    uint32_t end = l.offset + (l.bits ? (l.bit + l.bits + 7) / 8 : l.size);
    l.shared = g->unions != 0;
    if (g->msg->leaves.n < LEAVES_MOST && end <= MODEL_BYTES)
        vec_push(&g->msg->leaves, l);
}

static const char *base_of(const struct ir *ir, uint32_t type,
                           struct ir_dtype *out)
{
    uint32_t to = ir_bare_type(ir, type);
    *out = (struct ir_dtype){.name = ""};
    if (to != IR_NOTHING)
        *out = ir->types.at[to];
    return out->name;
}

static bool is_char(const struct ir *ir, uint32_t type)
{
    struct ir_dtype d;
    const char *name = base_of(ir, type, &d);
    return d.size == 1 && strcmp(name, "char") == 0;
}

// Text, or one element of a known size.
static void gather_pointer(struct gather *g, uint32_t base, uint32_t offset,
                           bool inside)
{
    const struct ir *ir = g->m->ir;
    struct leaf l = {.kind = LEAF_REF, .offset = offset, .size = 8};
    struct ir_dtype d;
    if (ir_is_actor(ir, base, &l.cls)) {
        add(g, l);
        return;
    }
    base_of(ir, base, &d);
    l.kind = LEAF_BLOCK;
    l.to = (g->msg->bytes + 7) & ~7u;
    l.room = is_char(ir, base) ? TEXT_ROOM : (uint32_t)d.size;
    if (!g->msg->owns || inside || !l.room || l.room > BLOCK_MOST ||
        l.to + l.room > MODEL_BYTES || d.kind == IR_D_FUNCTION)
        return;
    add(g, l);
    g->msg->bytes = l.to + l.room;
    if (is_char(ir, base))
        add(g, (struct leaf){
                   .kind = LEAF_TEXT, .offset = l.to, .size = TEXT_ROOM - 1});
    else
        gather(g, base, l.to, NULL, true);
}

static void gather_array(struct gather *g, const struct ir_dtype *t,
                         uint32_t offset, bool inside)
{
    struct ir_dtype e;
    base_of(g->m->ir, t->base, &e);
    if (is_char(g->m->ir, t->base)) {
        add(g, (struct leaf){.kind = LEAF_TEXT,
                             .offset = offset,
                             .size = (uint32_t)t->count});
        return;
    }
    for (uint64_t i = 0; i < t->count && g->msg->leaves.n < LEAVES_MOST; i++)
        gather(g, t->base, offset + (uint32_t)(i * e.size), NULL, inside);
}

static bool has_pointer(const struct ir *ir, uint32_t type)
{
    uint32_t bare = ir_bare_type(ir, type);
    if (bare == IR_NOTHING)
        return false;
    const struct ir_dtype *t = &ir->types.at[bare];
    if (t->kind == IR_D_POINTER)
        return true;
    if (t->kind == IR_D_ARRAY)
        return has_pointer(ir, t->base);
    bool any = false;
    for (uint32_t i = 0;
         i < t->n && (t->kind == IR_D_STRUCT || t->kind == IR_D_UNION); i++)
        any |= has_pointer(ir, t->members[i].type);
    return any;
}

// A union is filled through each of its members; through the first one only if
// a number in its place may be taken for a pointer.
static void gather_members(struct gather *g, const struct ir_dtype *t,
                           uint32_t offset, bool inside)
{
    uint32_t n = t->n;
    bool shares = t->kind == IR_D_UNION && t->n > 1;
    for (uint32_t i = 0; i < t->n && shares; i++)
        shares = !has_pointer(g->m->ir, t->members[i].type);
    if (t->kind == IR_D_UNION && !shares)
        n = t->n != 0;
    g->unions += shares;
    for (uint32_t i = 0; i < n; i++) {
        const struct ir_member *m = &t->members[i];
        gather(g, m->type, offset + (m->bits ? 0 : (uint32_t)(m->bit / 8)),
               m->bits ? m : NULL, inside);
    }
    g->unions -= shares;
}

static void gather_scalar(struct gather *g, const struct ir_dtype *t,
                          uint32_t offset, const struct ir_member *field)
{
    static const enum leaf_kind kinds[] = {[IR_D_SIGNED] = LEAF_INT,
                                           [IR_D_UNSIGNED] = LEAF_UNSIGNED,
                                           [IR_D_BOOL] = LEAF_BOOL,
                                           [IR_D_FLOAT] = LEAF_FLOAT,
                                           [IR_D_ENUM] = LEAF_ENUM};
    struct leaf l = {.kind = kinds[t->kind],
                     .offset = offset,
                     .size = (uint32_t)t->size,
                     .type = t};
    if (t->kind == IR_D_FLOAT && t->size > 8)
        return;
    if (field) {
        l.bit = (uint32_t)field->bit;
        l.bits = field->bits;
    }
    if (t->size <= 8)
        add(g, l);
}

static void gather(struct gather *g, uint32_t type, uint32_t offset,
                   const struct ir_member *field, bool inside)
{
    uint32_t bare = ir_bare_type(g->m->ir, type);
    const struct ir_dtype *t;
    if (bare == IR_NOTHING)
        return;
    t = &g->m->ir->types.at[bare];
    switch ((enum ir_dkind)t->kind) {
    case IR_D_POINTER:
        gather_pointer(g, t->base, offset, inside);
        return;
    case IR_D_STRUCT:
    case IR_D_UNION:
        gather_members(g, t, offset, inside);
        return;
    case IR_D_ARRAY:
        gather_array(g, t, offset, inside);
        return;
    case IR_D_SIGNED:
    case IR_D_UNSIGNED:
    case IR_D_BOOL:
    case IR_D_FLOAT:
    case IR_D_ENUM:
        gather_scalar(g, t, offset, field);
        return;
    default:
        return;
    }
}

// Is it the struct of TR_SIGNAL?  That has a single char, named `none`.
static bool is_signal(const struct ir_dtype *t)
{
    return t->n == 1 && t->size == 1 && strcmp(t->members[0].name, "none") == 0;
}

static void add_message(struct reach_model *m, const struct ir_msg *from)
{
    struct model_msg msg = {.name = from->name,
                            .size = from->size,
                            .bytes = from->size,
                            .owns = from->copy != IR_NOTHING ||
                                    from->drop != IR_NOTHING};
    vec_push(&m->msgs, msg);
    struct gather g = {.m = m, .msg = &vec_last(&m->msgs)};
    if (from->type != IR_NOTHING && !is_signal(&m->ir->types.at[from->type]))
        gather(&g, from->type, 0, NULL, false);
}

static void add_protocol(struct reach_model *m, uint32_t cls)
{
    const struct ir *ir = m->ir;
    const char *tag =
        arena_format(&m->arena, "%s_protocol", ir->classes.at[cls].name);
    uint32_t type = ir_find_struct(ir, tag);
    for (uint32_t i = 0; type != IR_NOTHING && i < ir->types.at[type].n; i++) {
        const char *name = ir->types.at[type].members[i].name;
        if (strncmp(name, "accepts_", 8) != 0)
            continue;
        for (uint32_t k = 0; k < ir->msgs.n; k++)
            if (strcmp(ir->msgs.at[k].name, name + 8) == 0)
                vec_push(&m->accepts[cls], k);
    }
}

static uint32_t param_of(struct reach_model *m, const char *name)
{
    for (uint32_t k = 0; k < m->params.n; k++)
        if (strcmp(m->params.at[k], name) == 0)
            return k;
    if (m->params.n < MODEL_PARAMS)
        vec_push(&m->params, (const char *)arena_text(&m->arena, name));
    else
        m->more_params = true;
    return m->params.n - 1;
}

static void add_default(struct reach_model *m, uint32_t fn, uint32_t param,
                        ir_id v)
{
    if (!ir_is_const(v) || ir_const_at(m->ir, v)->kind != IR_C_INT)
        return;
    if (!m->defaults.n || vec_last(&m->defaults).fn != fn)
        vec_push(&m->defaults, ((struct model_defaults){.fn = fn}));
    struct model_defaults *d = &vec_last(&m->defaults);
    if (d->params >> param & 1)
        return;
    d->params |= 1u << param;
    d->values[param] = (int64_t)ir_const_at(m->ir, v)->lo;
}

// Names that an argument of param() may be: texts of constants and of tables,
// also where a function passes on what it was given.
struct naming {
    struct reach_model *m;
    const struct ir_fn *f; // that asks
    ir_id otherwise;
};

static void add_name(struct naming *g, uint32_t global)
{
    const struct ir_global *at = &g->m->ir->globals.at[global];
    if (!at->bytes || !memchr(at->bytes, 0, at->size)) {
        g->m->more_params = true;
        return;
    }
    uint32_t k = param_of(g->m, (const char *)at->bytes);
    add_default(g->m, g->f->id, k, g->otherwise);
}

static void find_names(struct naming *g, const struct ir_fn *f, ir_id v,
                       unsigned deep);

static void names_in_table(struct naming *g, uint32_t table)
{
    const struct ir_global *at = &g->m->ir->globals.at[table];
    g->m->more_params |= !at->constant || !at->n_relocs;
    for (uint32_t i = 0; i < at->n_relocs; i++) {
        uint32_t to = ir_as_global(g->m->ir, at->relocs[i].value);
        if (to != IR_NOTHING && g->m->ir->globals.at[to].constant)
            add_name(g, to);
    }
}

static void names_of_callers(struct naming *g, const struct ir_fn *callee,
                             uint32_t param, unsigned deep)
{
    const struct ir *ir = g->m->ir;
    for (uint32_t k = 0; k < ir->fns.n; k++) {
        const struct ir_fn *f = ir->fns.at[k];
        for (uint32_t n = 0; n < f->insts.n; n++) {
            const struct ir_inst *i = &f->insts.at[n];
            if (i->op == IR_CALL && param + 1 < i->n &&
                ir_as_fn(ir, ir_args(f, i)[0]) == callee->id)
                find_names(g, f, ir_args(f, i)[param + 1], deep);
        }
    }
}

static void find_names(struct naming *g, const struct ir_fn *f, ir_id v,
                       unsigned deep)
{
    const struct ir *ir = g->m->ir;
    uint32_t global = ir_as_global(ir, v);
    if (global != IR_NOTHING) {
        add_name(g, global);
        return;
    }
    const struct ir_inst *i =
        ir_is_const(v) || v == IR_NOTHING ? NULL : &f->insts.at[v];
    if (!i || !deep) {
        g->m->more_params = true;
    } else if (i->op == IR_PHI || i->op == IR_SELECT) {
        for (uint32_t k = i->op == IR_SELECT; k < i->n; k++)
            find_names(g, f, ir_args(f, i)[k], deep - 1);
    } else if (i->op == IR_PARAM && v < f->n_params) {
        names_of_callers(g, f, v, deep - 1);
    } else if (i->op == IR_LOAD &&
               ir_global_of(ir, f, ir_args(f, i)[0]) != IR_NOTHING) {
        names_in_table(g, ir_global_of(ir, f, ir_args(f, i)[0]));
    } else {
        g->m->more_params = true;
    }
}

static void add_param(struct reach_model *m, const struct ir_fn *f,
                      const struct ir_inst *i)
{
    struct naming g = {m, f, ir_args(f, i)[2]};
    find_names(&g, f, ir_args(f, i)[1], NAMES_DEEP);
}

void model_init(struct reach_model *m, const struct ir *ir)
{
    *m = (struct reach_model){.ir = ir};
    for (uint32_t i = 0; i < ir->msgs.n; i++)
        add_message(m, &ir->msgs.at[i]);
    m->accepts = need_zero((ir->classes.n + 1) * sizeof *m->accepts);
    for (uint32_t i = 0; i < ir->classes.n; i++)
        add_protocol(m, i);
    for (uint32_t k = 0; k < ir->fns.n; k++)
        for (uint32_t i = 0; i < ir->fns.at[k]->insts.n; i++)
            if (ir->fns.at[k]->insts.at[i].op == IR_GETPARAM)
                add_param(m, ir->fns.at[k], &ir->fns.at[k]->insts.at[i]);
    words_init(&m->words, ir, &m->arena);
}

void model_release(struct reach_model *m)
{
    for (uint32_t i = 0; i < m->msgs.n; i++)
        vec_free(&m->msgs.at[i].leaves);
    for (uint32_t i = 0; m->ir && i < m->ir->classes.n; i++)
        vec_free(&m->accepts[i]);
    free(m->accepts);
    vec_free(&m->msgs);
    vec_free(&m->params);
    vec_free(&m->defaults);
    words_free(&m->words);
    arena_free(&m->arena);
}

// ---- leaves ---------------------------------------------------------------

uint32_t leaf_bits(const struct leaf *l)
{
    return l->bits ? l->bits : l->size * 8 < 64 ? l->size * 8 : 64;
}

uint64_t leaf_get(const struct leaf *l, const unsigned char *bytes)
{
    uint64_t v = 0;
    if (!l->bits) {
        memcpy(&v, bytes + l->offset, l->size < 8 ? l->size : 8);
        return v;
    }
    for (uint32_t i = 0; i < l->bits; i++) {
        uint32_t bit = l->bit + i;
        v |= (uint64_t)(bytes[l->offset + bit / 8] >> bit % 8 & 1) << i;
    }
    return v;
}

void leaf_set(const struct leaf *l, unsigned char *bytes, uint64_t v)
{
    if (l->kind == LEAF_BOOL)
        v &= 1;
    if (!l->bits) {
        memcpy(bytes + l->offset, &v, l->size < 8 ? l->size : 8);
        return;
    }
    for (uint32_t i = 0; i < l->bits; i++) {
        uint32_t bit = l->bit + i;
        unsigned char *at = &bytes[l->offset + bit / 8];
        unsigned char mask = (unsigned char)(1u << bit % 8);
        *at = (unsigned char)(v >> i & 1 ? *at | mask : *at & ~mask);
    }
}
