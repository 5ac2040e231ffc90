// Constraints of ordinary instructions: figure 13 of TAP, on C.
//
//   variable reference, casting   copies between nodes
//   field reference               loads and stores through fields
//   object allocation             an object per site (and class, and caller of
//                                 an allocating function)
//   method invocation, return     copies between arguments and parameters
//
// Code becomes part of the analysis block by block, so that what no message
// can reach adds nothing.
#include "flow/inner.h"

#include "base/hash.h"

bool gen_seen(struct flow_inner *f, uint64_t a, uint64_t b, uint64_t c)
{
    uint64_t all[3] = {a, b, c};
    uint32_t *at = map_at(&f->done, hash_bytes(all, sizeof all));
    bool old = *at != MAP_NONE;
    *at = 1;
    return old;
}

// ---- calls --------------------------------------------------------------

// The variable arguments of an instance, all in one place.
static uint32_t varargs(struct flow_inner *f, uint32_t instance)
{
    const struct instance *i = &f->instances.at[instance];
    struct pts_object o = {.kind = OBJECT_LOCAL,
                           .ctx = i->ctx,
                           .fn = i->fn,
                           .type = IR_NOTHING,
                           .size = UINT32_MAX};
    uint64_t key[3] = {i->ctx, i->fn, 2};
    uint32_t id = object_of(f, o, hash_bytes(key, sizeof key));
    pts_blur(&f->pts, id);
    return id;
}

// Method invocation and return.
static void connect(struct flow_inner *f, uint32_t op, uint32_t fn)
{
    uint32_t from = f->ops.at[op].instance, inst = f->ops.at[op].inst;
    uint32_t to = instance_get(f, fn, f->instances.at[from].ctx);
    const struct ir_fn *callee = f->ir->fns.at[fn];
    const struct ir_inst *call = op_inst(f, op);
    vec_push(&f->instances.at[from].callees, to);
    for (uint32_t i = 0; i + 1 < call->n; i++) {
        uint32_t n = op_node(f, op, i + 1);
        if (n == IR_NOTHING)
            continue;
        if (i >= callee->n_params)
            pts_copy(&f->pts, n, pts_cell(&f->pts, varargs(f, to), 0));
        else if (value_carries(callee->insts.at[i].type))
            pts_copy(&f->pts, n, param_node(f, to, i));
    }
    if (!value_carries(call->type) || f->wrapper[fn])
        return;
    pts_copy(&f->pts, f->instances.at[to].result, inst_node(f, from, inst));
}

uint32_t heap_at(struct flow_inner *f, uint32_t op, uint32_t size)
{
    struct flow_site s = op_site(f, op);
    struct pts_object o = {.kind = OBJECT_HEAP,
                           .ctx = s.ctx,
                           .fn = s.fn,
                           .inst = s.inst,
                           .type = IR_NOTHING,
                           .size = size ? size : UINT32_MAX};
    uint64_t key[3] = {s.ctx, s.fn, s.inst};
    return object_of(f, o, hash_bytes(key, sizeof key));
}

// Each call of an allocating function makes an object of its own.  It starts
// with what the function stored in the object that stands for all its calls.
static void wrap_result(struct flow_inner *f, uint32_t op, uint32_t fn)
{
    uint32_t from = f->ops.at[op].instance;
    uint32_t to = instance_get(f, fn, f->instances.at[from].ctx);
    uint32_t mine = heap_at(f, op, 0);
    pts_add(&f->pts, inst_node(f, from, f->ops.at[op].inst),
            pts_loc(&f->pts, mine, 0));
    pts_on(&f->pts, f->instances.at[to].result,
           (struct pts_constraint){ON_EVENT, op, 0, -1});
}

static void copy_fresh(struct flow_inner *f, uint32_t op, uint32_t loc)
{
    struct pts_loc to = {heap_at(f, op, 0), 0};
    if (pts_object_at(&f->pts, loc)->kind == OBJECT_HEAP)
        pts_copy_range(&f->pts, to, pts_place(&f->pts, loc), UINT32_MAX);
}

static uint32_t constant_size(struct flow_inner *f, uint32_t op)
{
    const struct ir_inst *i = op_inst(f, op);
    uint64_t size = i->n > 1 ? 1 : 0;
    for (uint32_t k = 1; k < i->n; k++) {
        ir_id v = op_arg(f, op, k);
        if (!ir_is_const(v) || ir_const_at(f->ir, v)->kind != IR_C_INT)
            return 0;
        size *= ir_const_at(f->ir, v)->lo;
    }
    return size < UINT32_MAX ? (uint32_t)size : 0;
}

static void call_instance(struct flow_inner *f, uint32_t op, uint32_t fn)
{
    const struct ir_fn *callee = f->ir->fns.at[fn];
    if (gen_seen(f, 1, op, fn))
        return;
    if (callee->defined) {
        if (f->wrapper[fn])
            wrap_result(f, op, fn);
        connect(f, op, fn);
    } else if (is_allocator(callee->name)) {
        uint32_t size =
            is_sized_allocator(callee->name) ? constant_size(f, op) : 0;
        uint32_t o = heap_at(f, op, size);
        uint32_t n = inst_node(f, f->ops.at[op].instance, f->ops.at[op].inst);
        pts_add(&f->pts, n, pts_loc(&f->pts, o, 0));
        gen_external(f, op, fn);
    } else {
        gen_external(f, op, fn);
    }
}

static void gen_call(struct flow_inner *f, uint32_t instance, uint32_t inst)
{
    uint32_t op = op_new(f, instance, inst);
    uint32_t fn = ir_as_fn(f->ir, op_arg(f, op, 0));
    if (fn != IR_NOTHING)
        call_instance(f, op, fn);
    else
        op_watch(f, op, 0);
}

static void call_event(struct flow_inner *f, uint32_t op, int64_t role,
                       uint32_t loc)
{
    const struct pts_object *o = pts_object_at(&f->pts, loc);
    if (role == -1) {
        copy_fresh(f, op, loc);
    } else if (role < -1) {
        external_event(f, op);
    } else if (role == 0 && o->kind == OBJECT_OUTSIDE) {
        call_outside(f, op);
    } else if (role == 0 && o->kind == OBJECT_FUNCTION) {
        const struct ir_fn *fn = f->ir->fns.at[o->of];
        uint32_t n = op_inst(f, op)->n - 1;
        if (fn->n_params <= n)
            call_instance(f, op, o->of);
    }
}

// ---- instructions -------------------------------------------------------

// The instruction that is looked at.
struct gen_at {
    struct flow_inner *f;
    uint32_t instance, block, inst;
    const struct ir_inst *i;
    const ir_id *args;
};

static uint32_t arg_node(const struct gen_at *p, uint32_t k)
{
    return value_node(p->f, p->instance, p->args[k], p->block);
}

static void gen_copies(const struct gen_at *p, uint32_t first)
{
    if (!value_carries(p->i->type))
        return;
    uint32_t to = inst_node(p->f, p->instance, p->inst);
    for (uint32_t k = first; k < p->i->n; k++) {
        uint32_t n = arg_node(p, k);
        if (n != IR_NOTHING)
            pts_copy(&p->f->pts, n, to);
        else if (p->f->numbers.n && p->i->type.kind != IR_PTR)
            pts_add(&p->f->pts, to, p->f->any_number);
    }
}

// A pointer may hide in the result of arithmetic on integers.
static void gen_blur(const struct gen_at *p)
{
    if (!value_carries(p->i->type))
        return;
    uint32_t to = inst_node(p->f, p->instance, p->inst);
    if (p->f->numbers.n)
        pts_add(&p->f->pts, to, p->f->any_number);
    for (uint32_t k = 0; k < p->i->n; k++) {
        uint32_t n = ir_is_const(p->args[k]) ? IR_NOTHING : arg_node(p, k);
        if (n != IR_NOTHING)
            pts_on(&p->f->pts, n, (struct pts_constraint){ON_BLUR, to, 0, 0});
    }
}

static void gen_address(const struct gen_at *p, enum constraint_kind kind)
{
    uint32_t from = arg_node(p, 0);
    uint32_t to = inst_node(p->f, p->instance, p->inst);
    struct pts_constraint c = {(uint8_t)kind, to, p->i->count, p->i->imm};
    if (from != IR_NOTHING)
        pts_on(&p->f->pts, from, c);
}

static void gen_alloca(const struct gen_at *p)
{
    struct flow_inner *f = p->f;
    const struct instance *in = &f->instances.at[p->instance];
    struct pts_object o = {.kind = OBJECT_LOCAL,
                           .ctx = in->ctx,
                           .fn = in->fn,
                           .inst = p->inst,
                           .type = IR_NOTHING,
                           .size = p->i->n ? UINT32_MAX : (uint32_t)p->i->imm};
    uint64_t key[4] = {in->ctx, in->fn, p->inst, 1};
    uint32_t id = object_of(f, o, hash_bytes(key, sizeof key));
    pts_add(&f->pts, inst_node(f, p->instance, p->inst),
            pts_loc(&f->pts, id, 0));
}

static void gen_access(const struct gen_at *p)
{
    bool load = p->i->op == IR_LOAD;
    uint32_t at = arg_node(p, load ? 0 : 1);
    if (!value_carries(p->i->type) || at == IR_NOTHING)
        return;
    uint32_t v = load ? inst_node(p->f, p->instance, p->inst) : arg_node(p, 0);
    struct pts_constraint c = {load ? ON_LOAD : ON_STORE, v,
                               ir_bytes(p->i->type),
                               p->i->type.kind == IR_BLOB};
    if (v != IR_NOTHING)
        pts_on(&p->f->pts, at, c);
}

static uint32_t constant_or_all(const struct flow_inner *f, ir_id v)
{
    if (!ir_is_const(v) || ir_const_at(f->ir, v)->kind != IR_C_INT ||
        ir_const_at(f->ir, v)->lo > UINT32_MAX)
        return UINT32_MAX;
    return (uint32_t)ir_const_at(f->ir, v)->lo;
}

static void gen_copy(const struct gen_at *p)
{
    uint32_t to = arg_node(p, 0), from = arg_node(p, 1);
    uint32_t n = constant_or_all(p->f, p->args[2]);
    if (to == IR_NOTHING || from == IR_NOTHING)
        return;
    pts_transfer(&p->f->pts, to, from, n);
}

static void gen_set(const struct gen_at *p)
{
    uint32_t to = arg_node(p, 0);
    if (!p->f->numbers.n || to == IR_NOTHING)
        return;
    uint32_t any = pts_node(&p->f->pts);
    pts_add(&p->f->pts, any, p->f->any_number);
    for (uint32_t k = 0; k < p->f->tag_offsets.n; k++) {
        uint32_t field = pts_node(&p->f->pts);
        struct pts_constraint step = {ON_FIELD, field, 0,
                                      p->f->tag_offsets.at[k]};
        pts_on(&p->f->pts, to, step);
        pts_on(&p->f->pts, field, (struct pts_constraint){ON_STORE, any, 4, 0});
    }
}

// x86-64's va_list: two pointers to where arguments are, at 8 and 16.
static void gen_vastart(const struct gen_at *p)
{
    uint32_t list = arg_node(p, 0), all = pts_node(&p->f->pts);
    if (list == IR_NOTHING)
        return;
    pts_add(&p->f->pts, all,
            pts_loc(&p->f->pts, varargs(p->f, p->instance), 0));
    for (uint32_t k = 8; k <= 16; k += 8) {
        uint32_t field = pts_node(&p->f->pts);
        pts_on(&p->f->pts, list,
               (struct pts_constraint){ON_FIELD, field, 0, k});
        pts_on(&p->f->pts, field, (struct pts_constraint){ON_STORE, all, 8, 0});
    }
}

static void gen_return(const struct gen_at *p)
{
    if (!p->i->n)
        return;
    uint32_t n = arg_node(p, 0);
    if (n != IR_NOTHING)
        pts_copy(&p->f->pts, n, p->f->instances.at[p->instance].result);
}

static void gen_value(const struct gen_at *p)
{
    switch ((enum ir_op)p->i->op) {
    case IR_PHI:
    case IR_BITS:
    case IR_PTRTOINT:
    case IR_INTTOPTR:
    case IR_ZEXT:
    case IR_SEXT:
    case IR_TRUNC:
    case IR_EXTRACT:
    case IR_INSERT:
        gen_copies(p, 0);
        break;
    case IR_SELECT:
        gen_copies(p, 1);
        break;
    case IR_FIELD:
        gen_address(p, ON_FIELD);
        break;
    case IR_INDEX:
        gen_address(p, ON_INDEX);
        break;
    default:
        gen_blur(p);
        break;
    }
}

static void gen_inst(const struct gen_at *p)
{
    enum ir_op op = (enum ir_op)p->i->op;
    switch (ir_op_group(op)) {
    case IR_G_VALUE:
        gen_value(p);
        break;
    case IR_G_MEM:
        if (op == IR_ALLOCA)
            gen_alloca(p);
        else if (op == IR_LOAD || op == IR_STORE)
            gen_access(p);
        else if (op == IR_COPY || op == IR_MOVE)
            gen_copy(p);
        else if (op == IR_SET)
            gen_set(p);
        else if (op == IR_VASTART)
            gen_vastart(p);
        break;
    case IR_G_CALL:
        if (op == IR_CALL)
            gen_call(p->f, p->instance, p->inst);
        break;
    case IR_G_ACTOR:
        gen_actor(p->f, p->instance, p->inst);
        break;
    case IR_G_END:
        if (op == IR_RETURN)
            gen_return(p);
        break;
    }
}

static void gen_block(struct flow_inner *f, uint32_t instance, uint32_t block)
{
    const struct ir_fn *fn = f->ir->fns.at[f->instances.at[instance].fn];
    const struct ir_block *b = &fn->blocks.at[block];
    for (uint32_t k = 0; k < b->n; k++) {
        const struct ir_inst *i = &fn->insts.at[b->first + k];
        struct gen_at p = {f, instance, block, b->first + k, i, ir_args(fn, i)};
        gen_inst(&p);
    }
    tags_follow(f, instance, block);
}

void gen_pending(struct flow_inner *f)
{
    while (f->pending.n) {
        uint32_t i = vec_pop(&f->pending);
        while (f->instances.at[i].todo.n)
            gen_block(f, i, vec_pop(&f->instances.at[i].todo));
    }
}

// What the solver tells: see pts.h.
void flow_event(void *owner, uint32_t op, int64_t role, uint32_t loc);

void flow_event(void *owner, uint32_t op, int64_t role, uint32_t loc)
{
    struct flow_inner *f = owner;
    if (op == IR_NOTHING)
        outside_event(f, loc);
    else if (op_inst(f, op)->op == IR_CALL)
        call_event(f, op, role, loc);
    else
        actor_event(f, op, (uint32_t)role, loc);
    gen_pending(f);
}
