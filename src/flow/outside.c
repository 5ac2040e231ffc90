// Code that is not given: what it may hold, write and call.
//
// Whatever a function without a body is given it may keep, and use whenever
// any such function is called.  So all of them are one *outside*: a node with
// all that was ever given to them or can be found from there.  They may
//
//   write    any of it into memory that they can find,
//   return   any of it,
//   call     the functions in it, with any of it as each parameter, whenever
//            code of an actor calls them.
//
// They have memory of their own, an object that holds all of it; a function
// found in there may be one of theirs.  An address is good for the member of
// state, message or global that it lies in: library code does not look around
// what it is given.
#include "flow/inner.h"

static void add_outside(struct flow_inner *f)
{
    struct pts_object o = {
        .kind = OBJECT_OUTSIDE, .type = IR_NOTHING, .size = UINT32_MAX};
    if (f->outside_object != IR_NOTHING)
        return;
    f->outside_object = pts_object(&f->pts, o);
    pts_blur(&f->pts, f->outside_object);
    f->outside = pts_cell(&f->pts, f->outside_object, 0);
    pts_add(&f->pts, f->outside, pts_loc(&f->pts, f->outside_object, 0));
    pts_on(&f->pts, f->outside,
           (struct pts_constraint){ON_EVENT, IR_NOTHING, 0, 0});
}

static bool carries(struct ir_type t)
{
    return t.kind == IR_PTR || t.kind == IR_INT || t.kind == IR_BLOB;
}

// A function may be called from outside in the code of one actor.
static void let_call(struct flow_inner *f, uint32_t fn, uint32_t ctx)
{
    const struct ir_fn *callee = f->ir->fns.at[fn];
    uint32_t to = instance_get(f, fn, ctx);
    for (uint32_t i = 0; i < callee->n_params; i++)
        if (carries(callee->insts.at[i].type))
            pts_copy(&f->pts, f->outside, param_node(f, to, i));
    pts_copy(&f->pts, f->instances.at[to].result, f->outside);
}

static void let_call_function(struct flow_inner *f, uint32_t fn)
{
    if (!f->ir->fns.at[fn]->defined || gen_seen(f, 10, fn, 0))
        return;
    vec_push(&f->outside_fns, fn);
    for (uint32_t i = 0; i < f->outside_ctxs.n; i++)
        let_call(f, fn, f->outside_ctxs.at[i]);
}

static void let_call_in(struct flow_inner *f, uint32_t ctx)
{
    if (gen_seen(f, 11, ctx, 0))
        return;
    vec_push(&f->outside_ctxs, ctx);
    for (uint32_t i = 0; i < f->outside_fns.n; i++)
        let_call(f, f->outside_fns.at[i], ctx);
}

// The member of the object's type around an offset; all of it for one at the
// start, which may be the object's own address.
struct pts_span outside_member(const struct flow_inner *f,
                               const struct pts_object *o, uint32_t offset)
{
    struct pts_span all = {0, UINT32_MAX, f->outside, true};
    uint32_t type = ir_bare_type(f->ir, o->type);
    if (!offset || o->blurred || type == IR_NOTHING ||
        f->ir->types.at[type].kind != IR_D_STRUCT)
        return all;
    const struct ir_dtype *t = &f->ir->types.at[type];
    for (uint32_t i = 0; i < t->n; i++) {
        uint64_t from = t->members[i].bit / 8;
        uint32_t m = t->members[i].type;
        uint64_t size = m == IR_NOTHING ? 0 : f->ir->types.at[m].size;
        if (offset >= from && offset - from < size)
            return (struct pts_span){(uint32_t)from, (uint32_t)(from + size),
                                     f->outside, true};
    }
    return all;
}

static bool is_constant(const struct flow_inner *f, const struct pts_object *o)
{
    return o->kind == OBJECT_GLOBAL && f->ir->globals.at[o->of].constant;
}

void outside_event(struct flow_inner *f, uint32_t loc)
{
    const struct pts_object *o = pts_object_at(&f->pts, loc);
    struct pts_loc own = {f->outside_object, 0};
    if (o->kind == OBJECT_FUNCTION) {
        let_call_function(f, o->of);
    } else if (is_constant(f, o)) {
        pts_copy_range(&f->pts, own, pts_place(&f->pts, loc), UINT32_MAX);
    } else if (o->kind != OBJECT_REF && o->kind != OBJECT_NUMBER &&
               o->kind != OBJECT_OUTSIDE) {
        struct pts_loc at = pts_place(&f->pts, loc);
        o = &f->pts.objects.at[at.object];
        pts_pour(&f->pts, at.object, outside_member(f, o, at.offset));
    }
}

void call_outside(struct flow_inner *f, uint32_t op)
{
    uint32_t instance = f->ops.at[op].instance;
    add_outside(f);
    f->instances.at[instance].calls_outside = true;
    let_call_in(f, f->instances.at[instance].ctx);
    for (uint32_t i = 1; i < op_inst(f, op)->n; i++) {
        uint32_t n = op_node(f, op, i);
        if (n != IR_NOTHING)
            pts_copy(&f->pts, n, f->outside);
    }
    uint32_t r = value_node(f, instance, f->ops.at[op].inst, 0);
    if (r != IR_NOTHING)
        pts_copy(&f->pts, f->outside, r);
}
