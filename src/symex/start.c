// The state before a function: parameters and globals as inputs.
#include "symex/engine.h"

#include <string.h>

// ---- globals ------------------------------------------------------------

const struct object *global_object(struct sx_run *r, uint32_t global)
{
    const struct ir_global *g = &r->ir->globals.at[global];
    if (r->globals[global])
        return r->globals[global];
    struct object *o = arena_zero(&r->arena, sizeof *o);
    bool fixed = g->constant || g->external || r->o.constant_globals;
    // A test of a function sets globals, too; for an actor, and what a function
    // keeps for itself, only code does.
    bool only_code = r->start.handler || strchr(g->name, '.');
    bool input = !fixed && !(only_code && !r->x->written[global]);
    uint64_t size = g->external && g->size < 8 ? 8 : g->size;
    *o = (struct object){.number = SX_GLOBALS + global,
                         .fill = g->external ? FILL_ITSELF
                                 : input     ? FILL_INPUT
                                             : FILL_BYTES,
                         .constant = g->constant,
                         .size = offset_const(r, size),
                         .type = g->type,
                         .place = {SX_GLOBAL, global, 0},
                         .global = g,
                         .name = g->name};
    if (input)
        o->region = region_new(r, g->type);
    r->globals[global] = o;
    return o;
}

// ---- parameters ---------------------------------------------------------

// A result that is too big to return is put where a parameter points that the
// source does not have.
static uint32_t hidden(const struct ir_fn *f)
{
    return f->n_params && f->n_types && f->result.kind == IR_VOID &&
                   f->types[0] != IR_NOTHING
               ? 1
               : 0;
}

static bool is_aggregate(const struct ir *ir, uint32_t type)
{
    type = ir_bare_type(ir, type);
    return type != IR_NOTHING && (ir->types.at[type].kind == IR_D_STRUCT ||
                                  ir->types.at[type].kind == IR_D_UNION);
}

// How many parameters of the IR one of the source is: a struct of up to 16
// bytes comes in registers, eight bytes in each.
static uint32_t pieces_of(const struct ir *ir, uint32_t type)
{
    uint64_t size = is_aggregate(ir, type) ? layout_size(ir, type) : 1;
    return size > 16 ? 1 : (uint32_t)((size + 7) / 8);
}

// The source's parameter of the IR's i-th; *piece: which part of it.
static uint32_t source_param(const struct ir *ir, const struct ir_fn *f,
                             uint32_t i, uint32_t *piece)
{
    uint32_t at = hidden(f), k = 0;
    for (; k + 1 < f->n_types; k++) {
        uint32_t n = pieces_of(ir, f->types[k + 1]);
        if (i < at + n)
            break;
        at += n;
    }
    *piece = i - at;
    return k;
}

uint32_t sx_source_param(const struct ir *ir, const struct ir_fn *f, uint32_t i)
{
    uint32_t piece;
    return i < hidden(f) ? IR_NOTHING : source_param(ir, f, i, &piece);
}

const char *param_source_name(const struct ir *ir, const struct ir_fn *f,
                              uint32_t index)
{
    uint32_t piece;
    for (uint32_t i = hidden(f); i < f->n_params; i++)
        if (source_param(ir, f, i, &piece) == index)
            return f->insts.at[i].name;
    return NULL;
}

uint32_t sx_param_type(const struct ir *ir, const struct ir_fn *f,
                       uint32_t index)
{
    uint32_t type = index + 1 < f->n_types ? f->types[index + 1] : IR_NOTHING;
    uint32_t bare = ir_bare_type(ir, type), piece;
    if (bare == IR_NOTHING || ir->types.at[bare].kind != IR_D_POINTER ||
        ir_bare_type(ir, ir->types.at[bare].base) != IR_NOTHING)
        return type;
    for (uint32_t i = hidden(f); i < f->n_params; i++)
        if (source_param(ir, f, i, &piece) == index && f->insts.at[i].imm > 0)
            return (uint32_t)f->insts.at[i].imm - 1;
    return type;
}

uint32_t param_type(const struct sx_run *r, uint32_t index)
{
    return sx_param_type(r->ir, r->ir->fns.at[r->start.fn], index);
}

// A struct that the compiler passes in registers, cell by cell.
static term aggregate_piece(struct sx_run *r, struct sx_state *s,
                            const struct object *o, uint64_t at,
                            struct ir_type t)
{
    uint64_t size = (uint64_t)term_value(r->ts, o->size);
    uint32_t bytes = ir_bytes(t), have = bytes;
    if (at + bytes > size)
        have = (uint32_t)(size - at);
    term v = cell_read(r, s, o, at, have, t.kind == IR_PTR);
    if (have < bytes)
        v = term_convert(r->ts, IR_ZEXT, bytes * 8, v);
    return t.kind == IR_INT && t.bits < bytes * 8
               ? term_slice(r->ts, v, 0, t.bits)
               : v;
}

static struct object param_object(struct sx_run *r, uint32_t index)
{
    uint32_t type = param_type(r, index);
    return (struct object){.fill = FILL_INPUT,
                           .size = offset_const(r, layout_size(r->ir, type)),
                           .type = type,
                           .place = {SX_PARAM, index, 0},
                           .region = region_new(r, type)};
}

static term plain_param(struct sx_run *r, struct sx_state *s, uint32_t index,
                        struct ir_type t)
{
    struct slot slot = {.bytes = ir_bytes(t),
                        .pointer = t.kind == IR_PTR,
                        .type = param_type(r, index)};
    struct sx_place at = {SX_PARAM, index, 0};
    term v = input_value(r, s, at, &slot);
    return t.kind == IR_INT && t.bits < slot.bytes * 8
               ? term_slice(r->ts, v, 0, t.bits)
               : v;
}

// Arguments of the run's function as the IR takes them.
static void make_args(struct sx_run *r, struct sx_state *s, term *args)
{
    const struct ir_fn *f = r->ir->fns.at[r->start.fn];
    uint32_t piece;
    struct object o = {0};
    for (uint32_t i = 0; i < f->n_params; i++) {
        struct ir_type t = f->insts.at[i].type;
        uint32_t index = source_param(r->ir, f, i, &piece);
        if (i < hidden(f)) {
            uint64_t size = layout_size(r->ir, f->types[0]);
            args[i] = allocate(r, s, term_const(r->ts, 64, size),
                               FILL_UNDEFINED, false);
            r->result_object = args[i];
        } else if (!is_aggregate(r->ir, param_type(r, index))) {
            args[i] = plain_param(r, s, index, t);
        } else if (t.kind == IR_PTR && !piece &&
                   layout_size(r->ir, param_type(r, index)) > 16) {
            args[i] = address_of(r, object_make(r, s, param_object(r, index)),
                                 0); // a copy of the caller's
        } else {
            if (!piece)
                o = param_object(r, index);
            args[i] = aggregate_piece(r, s, &o, piece * 8u, t);
        }
    }
}

// ---- starting -----------------------------------------------------------

bool start_fn(struct sx_run *r, struct sx_state *s)
{
    const struct ir_fn *f = r->ir->fns.at[r->start.fn];
    term args[64];
    memcpy(args, r->args, f->n_params * sizeof *args);
    return call_fn(r, s, f, args, f->n_params, FOR_CALLER);
}

bool start_run(struct sx_run *r)
{
    struct sx_state *s = state_new(r);
    const struct ir_fn *f = r->ir->fns.at[r->start.fn];
    state_push(r, s, f, FOR_CALLER); // ends that come too early have a place
    if (!f->defined || f->variadic || f->n_params > 64)
        return finish_unsupported(r, s,
                                  !f->defined ? "a function without a body"
                                              : "variable arguments");
    if (r->start.handler)
        handler_args(r, s, r->args);
    else
        make_args(r, s, r->args);
    struct frame *first = s->top;
    s->top = NULL;
    s->depth = 0;
    frame_drop(first);
    if (r->start.pre == IR_NOTHING) {
        if (start_fn(r, s))
            search_add(r, s);
        return true;
    }
    s->in_pre = true;
    if (call_fn(r, s, r->ir->fns.at[r->start.pre], r->args, f->n_params,
                FOR_PRE))
        search_add(r, s);
    return true;
}

// ---- functions that a pointer may be ------------------------------------

static bool fits_value(const struct ir *ir, uint32_t a, uint32_t b)
{
    a = ir_bare_type(ir, a);
    b = ir_bare_type(ir, b);
    if (a == b || a == IR_NOTHING || b == IR_NOTHING)
        return a == b;
    const struct ir_dtype *x = &ir->types.at[a], *y = &ir->types.at[b];
    if (x->kind == IR_D_POINTER && y->kind == IR_D_POINTER)
        return true;
    return x->kind == y->kind && x->size == y->size;
}

bool fn_fits(const struct sx_run *r, uint32_t fn, const struct ir_dtype *t)
{
    const struct ir_fn *f = r->ir->fns.at[fn];
    if (!f->defined || !r->x->taken[fn] || f->n_types != t->n + 1 ||
        f->variadic != t->variadic || !fits_value(r->ir, f->types[0], t->base))
        return false;
    for (uint32_t i = 0; i < t->n; i++)
        if (!fits_value(r->ir, f->types[i + 1], t->members[i].type))
            return false;
    return true;
}

void find_taken(struct symex *x)
{
    const struct ir *ir = x->ir;
    for (uint32_t g = 0; g < ir->globals.n; g++)
        for (uint32_t k = 0; k < ir->globals.at[g].n_relocs; k++) {
            uint32_t f = ir_as_fn(ir, ir->globals.at[g].relocs[k].value);
            if (f != IR_NOTHING)
                x->taken[f] = true;
        }
    for (uint32_t n = 0; n < ir->fns.n; n++) {
        const struct ir_fn *f = ir->fns.at[n];
        for (uint32_t i = 0; i < f->insts.n; i++) {
            const struct ir_inst *in = &f->insts.at[i];
            for (uint32_t k = in->op == IR_CALL; k < in->n; k++) {
                uint32_t to = ir_as_fn(ir, ir_args(f, in)[k]);
                if (to != IR_NOTHING)
                    x->taken[to] = true;
            }
        }
    }
}
