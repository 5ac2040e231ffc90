// The judge of paths: the inputs of a path's model, run by the interpreter,
// must enter the same blocks, end the same way and give the same result.
#ifndef TEST_SYMEX_REPLAY_H
#define TEST_SYMEX_REPLAY_H

#include "ir/interp.h"
#include "symex/symex.h"

#include <stdlib.h>
#include <string.h>

struct replay {
    struct sx_run *run;
    const struct ir *ir;
    struct terms *ts;
    const struct sx_path *p;
    struct interp *in;
    uint64_t trail;
    uint32_t n_objects;
    struct {
        uint32_t number;
        uint64_t size, address;
    } objects[256];
    uint32_t calls[4096]; // of functions without a body
    bool unsure;          // something that the interpreter cannot be given
};

static void replay_step(void *self, uint32_t fn, uint32_t inst)
{
    struct replay *v = self;
    const struct ir_fn *f = v->ir->fns.at[fn];
    uint32_t b = ir_block_of(f, inst), first = f->blocks.at[b].first;
    while (f->insts.at[first].op == IR_PHI)
        first++;
    if (inst == first)
        v->trail = sx_trail(v->trail, fn, b);
}

static u128 replay_eval(struct replay *v, term t)
{
    return term_eval(v->ts, t, v->p->model);
}

// The place of an object in the table, made if it is new.
static uint32_t replay_object(struct replay *v, uint32_t number)
{
    for (uint32_t i = 0; i < v->n_objects; i++)
        if (v->objects[i].number == number)
            return i;
    if (v->n_objects == 256) {
        v->unsure = true;
        return 0;
    }
    v->objects[v->n_objects].number = number;
    v->objects[v->n_objects].size = 0;
    return v->n_objects++;
}

static uint32_t replay_number(struct replay *v, uint32_t ref)
{
    return (uint32_t)replay_eval(v, sx_run_ref(v->run, ref)->var);
}

static void replay_sizes(struct replay *v)
{
    for (uint32_t i = 0; i < v->p->n_refs; i++) {
        const struct sx_ref *r = sx_run_ref(v->run, v->p->refs[i]);
        uint32_t n = replay_number(v, v->p->refs[i]);
        if (n == 0 || n >= SX_FUNCTIONS)
            continue;
        uint32_t at = replay_object(v, n);
        uint64_t size = r->count ? (uint64_t)replay_eval(v, r->count) : 0;
        v->objects[at].size =
            size > v->objects[at].size ? size : v->objects[at].size;
    }
    for (uint32_t i = 0; i < v->p->n_cells; i++) {
        const struct sx_cell *c = &v->p->cells[i];
        uint64_t end = (uint64_t)c->place.offset + c->bytes;
        if (c->place.from != SX_CELL || !replay_number(v, c->place.index))
            continue;
        const struct sx_ref *r = sx_run_ref(v->run, c->place.index);
        uint32_t at = replay_object(v, replay_number(v, c->place.index));
        if (!r->count && end > v->objects[at].size)
            v->objects[at].size = end;
    }
    for (uint32_t i = 0; i < v->n_objects; i++)
        v->objects[i].address = interp_alloc(v->in, v->objects[i].size);
}

static uint64_t replay_address(struct replay *v, uint64_t pointer)
{
    uint32_t number = (uint32_t)(pointer >> SX_OFFSET_BITS);
    uint64_t offset =
        (uint64_t)((int64_t)(pointer << SX_OBJECT_BITS) >> SX_OBJECT_BITS);
    if (number == 0)
        return offset;
    if (number >= SX_MADE || number == SX_STUB_FN)
        v->unsure = true;
    if (number >= SX_GLOBALS)
        return interp_global(v->in, number - SX_GLOBALS) + offset;
    if (number >= SX_FUNCTIONS)
        return interp_fn(v->in, number - SX_FUNCTIONS);
    return v->objects[replay_object(v, number)].address + offset;
}

static u128 replay_value(struct replay *v, const struct sx_cell *c)
{
    u128 x = replay_eval(v, c->value);
    return c->ref == IR_NOTHING ? x : replay_address(v, (uint64_t)x);
}

static void replay_put(struct replay *v, uint64_t to, const struct sx_cell *c)
{
    u128 x = replay_value(v, c);
    uint8_t *bytes = interp_bytes(v->in, to, c->bytes);
    if (bytes)
        memcpy(bytes, &x, c->bytes);
}

// Cells of memory, and pieces of parameters: *bytes of each parameter.
static void replay_fill(struct replay *v, uint8_t params[][64])
{
    for (uint32_t i = 0; i < v->p->n_cells; i++) {
        const struct sx_cell *c = &v->p->cells[i];
        if (c->place.from == SX_CELL) {
            uint32_t n = replay_number(v, c->place.index);
            if (n)
                replay_put(v,
                           v->objects[replay_object(v, n)].address +
                               (uint64_t)c->place.offset,
                           c);
        } else if (c->place.from == SX_GLOBAL) {
            replay_put(v,
                       interp_global(v->in, c->place.index) +
                           (uint64_t)c->place.offset,
                       c);
        } else if (c->place.from == SX_PARAM && c->place.index < 16 &&
                   c->place.offset + c->bytes <= 64) {
            u128 x = replay_value(v, c);
            memcpy(params[c->place.index] + c->place.offset, &x, c->bytes);
        }
    }
}

static bool replay_call(void *self, struct interp *in, const char *name,
                        uint32_t n, const union ir_bits *args,
                        union ir_bits *result)
{
    struct replay *v = self;
    uint32_t fn = ir_find_fn(v->ir, name);
    (void)in, (void)n, (void)args;
    result->i = 0;
    if (sx_precision(name) != SX_NO_MODEL || v->ir->fns.at[fn]->noreturn)
        return false; // only the engine has a model of it
    uint32_t call = v->calls[fn % 4096]++;
    for (uint32_t i = 0; i < v->p->n_cells; i++) {
        const struct sx_cell *c = &v->p->cells[i];
        if (c->place.from == SX_STUB && c->place.index == fn &&
            c->place.offset == call)
            result->i = replay_value(v, c);
    }
    return true;
}

// Arguments as the IR takes them: a struct in pieces of eight bytes.
static uint32_t replay_args(struct replay *v, const struct ir_fn *f,
                            uint8_t params[][64], union ir_bits *args)
{
    uint32_t index = 0, piece = 0, first = 0;
    if (f->result.kind == IR_VOID && f->n_types && f->types[0] != IR_NOTHING)
        args[first++].i = interp_alloc(v->in, 4096); // for a big result
    for (uint32_t i = first; i < f->n_params; i++) {
        if (i > first && f->insts.at[i].name && f->insts.at[i - 1].name &&
            strcmp(f->insts.at[i].name, f->insts.at[i - 1].name) == 0)
            piece++;
        else if (i > first)
            piece = 0, index++;
        args[i].i = 0;
        if (index >= 16 || !f->insts.at[i].name)
            v->unsure = true;
        else
            memcpy(args[i].b, params[index] + piece * 8,
                   ir_bytes(f->insts.at[i].type));
        if (f->insts.at[i].type.kind == IR_INT)
            args[i].i = ir_cut(args[i].i, f->insts.at[i].type.bits);
    }
    return f->n_params;
}

static const char *replay_end(struct replay *v, struct interp_outcome o,
                              union ir_bits result)
{
    const struct sx_path *p = v->p;
    if (o.end == INTERP_UNSUPPORTED || o.end == INTERP_STEPS)
        return NULL; // nothing is said
    if (p->end == SX_TRAPPED && p->trap >= IR_TRAPS_N)
        return o.end == INTERP_BAD_ACCESS ? NULL : "no bad access";
    if (p->end == SX_TRAPPED && o.end == INTERP_BAD_ACCESS)
        return p->trap == IR_TRAP_NULL || p->trap == IR_TRAP_BOUNDS
                   ? NULL
                   : "another trap";
    if (p->end == SX_TRAPPED)
        return o.end == INTERP_TRAPPED && o.trap == p->trap ? NULL
                                                            : "no such trap";
    if (o.end == INTERP_BAD_ACCESS && o.text)
        return NULL; // its models of libc want texts that end
    if (o.end != INTERP_RETURNED)
        return o.end == INTERP_BAD_ACCESS ? "a bad access" : "a trap";
    const char *blocks = v->trail == p->trail ? NULL : "other blocks";
    if (!p->result)
        return blocks;
    u128 x = replay_eval(v, p->result);
    const struct ir_fn *f = v->ir->fns.at[p->fn];
    if (f->result.kind == IR_PTR) {
        if ((uint64_t)x >> SX_OFFSET_BITS >= SX_MADE)
            return result.i ? blocks : "a null result";
        x = replay_address(v, (uint64_t)x);
    }
    return x == result.i || f->result.kind == IR_BLOB ? blocks
                                                      : "another result";
}

// NULL: the path is true, or the interpreter cannot tell; else what differs.
static const char *replay_path(struct sx_run *run, const struct ir *ir,
                               struct terms *ts, const struct sx_path *p,
                               uint32_t fn)
{
    struct replay v = {.run = run, .ir = ir, .ts = ts, .p = p};
    struct interp_host host = {
        .self = &v, .call = replay_call, .step = replay_step};
    uint8_t params[16][64] = {{0}};
    union ir_bits args[64], result = {.i = 0};
    if (p->end != SX_RETURNED && p->end != SX_TRAPPED)
        return NULL;
    for (uint32_t i = 0; i < p->n_conditions; i++)
        if (!term_judge(ts, p->conditions[i], p->model))
            return "a condition that its model does not satisfy";
    v.in = interp_new(ir, &host);
    interp_budget(v.in, 10000000);
    replay_sizes(&v);
    replay_fill(&v, params);
    uint32_t n = replay_args(&v, ir->fns.at[fn], params, args);
    struct interp_outcome o = interp_call(v.in, fn, args, n, &result);
    const char *wrong = v.unsure ? NULL : replay_end(&v, o, result);
    interp_free(v.in);
    return wrong;
}

#endif
