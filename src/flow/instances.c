// Objects, instances and operations: what the constraints are about.
//
// An instance is a function in the code of one actor, with a node for each
// value that can hold a location.  An operation is an instruction of an
// instance that is told when its arguments get locations.
#include "flow/inner.h"

#include "base/die.h"
#include "base/hash.h"

#include <string.h>

// ---- objects ------------------------------------------------------------

uint32_t object_of(struct flow_inner *f, struct pts_object o, uint64_t key)
{
    uint64_t all[2] = {key, o.kind};
    uint64_t h = hash_bytes(all, sizeof all);
    uint32_t known = map_get(&f->objects, h);
    if (known != MAP_NONE)
        return known;
    uint32_t id = pts_object(&f->pts, o);
    map_put(&f->objects, h, id);
    return id;
}

static uint32_t global_loc(struct flow_inner *f, uint32_t g, uint32_t offset);

static uint32_t fn_loc(struct flow_inner *f, uint32_t fn)
{
    struct pts_object o = {.kind = OBJECT_FUNCTION, .of = fn};
    return pts_loc(&f->pts, object_of(f, o, fn), 0);
}

static void fill_global(struct flow_inner *f, uint32_t object, uint32_t g)
{
    const struct ir_global *o = &f->ir->globals.at[g];
    for (uint32_t i = 0; i < o->n_relocs; i++) {
        const struct ir_const *c = ir_const_at(f->ir, o->relocs[i].value);
        uint32_t loc = c->kind == IR_C_FUNCTION
                           ? fn_loc(f, c->index)
                           : global_loc(f, c->index, (uint32_t)c->lo);
        pts_add(&f->pts, pts_cell(&f->pts, object, o->relocs[i].offset), loc);
    }
    for (uint32_t i = 0; i < f->tag_offsets.n; i++) {
        uint32_t at = f->tag_offsets.at[i], x = 0;
        if (at + 4u > o->size)
            continue;
        if (o->bytes)
            memcpy(&x, o->bytes + at, 4);
        pts_add(&f->pts, pts_cell(&f->pts, object, at), number_loc(f, x));
    }
}

static uint32_t global_loc(struct flow_inner *f, uint32_t g, uint32_t offset)
{
    const struct ir_global *from = &f->ir->globals.at[g];
    uint32_t before = f->pts.objects.n;
    struct pts_object o = {.kind = OBJECT_GLOBAL,
                           .of = g,
                           .type = from->type,
                           .size = from->size && from->size < UINT32_MAX
                                       ? (uint32_t)from->size
                                       : UINT32_MAX};
    uint32_t id = object_of(f, o, g);
    uint32_t loc = pts_loc(&f->pts, id, offset);
    if (id == before)
        fill_global(f, id, g);
    return loc;
}

// ---- instances and their values -----------------------------------------

uint32_t instance_find(const struct flow_inner *f, uint32_t fn, uint32_t ctx)
{
    return map_get(&f->instance_ids, map_pair(fn, ctx));
}

uint32_t instance_get(struct flow_inner *f, uint32_t fn, uint32_t ctx)
{
    uint32_t known = instance_find(f, fn, ctx);
    if (known != MAP_NONE)
        return known;
    const struct ir_fn *in = f->ir->fns.at[fn];
    struct instance i = {.fn = fn, .ctx = ctx, .result = pts_node(&f->pts)};
    i.nodes = need((in->insts.n + 1) * sizeof *i.nodes);
    memset(i.nodes, 0xff, (in->insts.n + 1) * sizeof *i.nodes);
    i.active = need_zero(in->blocks.n + 1);
    vec_push(&f->instances, i);
    uint32_t id = f->instances.n - 1;
    map_put(&f->instance_ids, map_pair(fn, ctx), id);
    if (in->blocks.n)
        gen_activate(f, id, 0);
    return id;
}

void gen_activate(struct flow_inner *f, uint32_t instance, uint32_t block)
{
    struct instance *i = &f->instances.at[instance];
    if (i->active[block])
        return;
    i->active[block] = true;
    if (!i->todo.n)
        vec_push(&f->pending, instance);
    vec_push(&i->todo, block);
}

bool value_carries(struct ir_type t)
{
    return t.kind == IR_PTR || (t.kind == IR_INT && t.bits > 1) ||
           t.kind == IR_BLOB;
}

static uint32_t const_node(struct flow_inner *f, ir_id v)
{
    const struct ir_const *c = ir_const_at(f->ir, v);
    uint32_t known = map_get(&f->const_nodes, v);
    if (known != MAP_NONE)
        return known;
    bool number = f->numbers.n && c->kind == IR_C_INT &&
                  c->type.kind == IR_INT && c->type.bits > 1;
    if (c->kind != IR_C_GLOBAL && c->kind != IR_C_FUNCTION && !number)
        return IR_NOTHING;
    uint32_t node = pts_node(&f->pts);
    map_put(&f->const_nodes, v, node);
    if (number) {
        pts_add(&f->pts, node, number_loc(f, (int64_t)c->lo));
        return node;
    }
    uint32_t loc = c->kind == IR_C_FUNCTION
                       ? fn_loc(f, c->index)
                       : global_loc(f, c->index, (uint32_t)c->lo);
    pts_add(&f->pts, node, loc);
    return node;
}

uint32_t inst_node(struct flow_inner *f, uint32_t instance, uint32_t inst)
{
    uint32_t *at = &f->instances.at[instance].nodes[inst];
    if (*at == IR_NOTHING)
        *at = pts_node(&f->pts);
    return *at;
}

uint32_t value_node(struct flow_inner *f, uint32_t instance, ir_id v,
                    uint32_t block)
{
    if (v == IR_NOTHING)
        return IR_NOTHING;
    if (ir_is_const(v))
        return const_node(f, v);
    const struct ir_fn *fn = f->ir->fns.at[f->instances.at[instance].fn];
    if (!value_carries(fn->insts.at[v].type))
        return IR_NOTHING;
    if (v == 2 && fn->is_handler && f->tag_offsets.n) {
        uint32_t n = narrowed_node(f, instance, block);
        if (n != IR_NOTHING)
            return n;
    }
    return inst_node(f, instance, v);
}

uint32_t param_node(struct flow_inner *f, uint32_t instance, uint32_t param)
{
    return inst_node(f, instance, param);
}

// ---- operations ---------------------------------------------------------

uint32_t op_new(struct flow_inner *f, uint32_t instance, uint32_t inst)
{
    vec_push(&f->ops, ((struct op){instance, inst}));
    map_put(&f->op_ids, map_pair(instance, inst), f->ops.n - 1);
    return f->ops.n - 1;
}

uint32_t op_at(const struct flow_inner *f, struct flow_site s)
{
    uint32_t i = instance_find(f, s.fn, s.ctx);
    if (i == MAP_NONE)
        return MAP_NONE;
    return map_get(&f->op_ids, map_pair(i, s.inst));
}

const struct ir_inst *op_inst(const struct flow_inner *f, uint32_t op)
{
    const struct instance *i = &f->instances.at[f->ops.at[op].instance];
    return &f->ir->fns.at[i->fn]->insts.at[f->ops.at[op].inst];
}

ir_id op_arg(const struct flow_inner *f, uint32_t op, uint32_t role)
{
    const struct instance *i = &f->instances.at[f->ops.at[op].instance];
    return ir_args(f->ir->fns.at[i->fn], op_inst(f, op))[role];
}

uint32_t op_node(struct flow_inner *f, uint32_t op, uint32_t role)
{
    uint32_t i = f->ops.at[op].instance;
    const struct ir_fn *fn = f->ir->fns.at[f->instances.at[i].fn];
    return value_node(f, i, op_arg(f, op, role),
                      ir_block_of(fn, f->ops.at[op].inst));
}

void op_watch(struct flow_inner *f, uint32_t op, uint32_t role)
{
    uint32_t n = op_node(f, op, role);
    if (n != IR_NOTHING)
        pts_on(&f->pts, n, (struct pts_constraint){ON_EVENT, op, 0, role});
}

const struct set *op_set(struct flow_inner *f, uint32_t op, uint32_t role)
{
    static const struct set none;
    uint32_t n = op_node(f, op, role);
    return n == IR_NOTHING ? &none : pts_of(&f->pts, n);
}

struct flow_site op_site(const struct flow_inner *f, uint32_t op)
{
    const struct instance *i = &f->instances.at[f->ops.at[op].instance];
    return (struct flow_site){i->ctx, i->fn, f->ops.at[op].inst};
}
