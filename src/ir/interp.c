// One C call of the host per call of the program; values of a function live in
// an array indexed as its instructions are.
#include "ir/interp.h"

#include "base/die.h"
#include "base/vec.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH_MAX = 2000 };
// An object's address leaves room in front for pointers that step back.
#define FRONT 0x10000u
#define FN_SPACE (UINT64_C(0x7f) << 56)

struct object {
    uint8_t *bytes;
    uint64_t size;
    bool live;
};

struct interp {
    const struct ir *ir;
    const struct interp_host *host;
    VEC(struct object) objects; // globals first, by their numbers
    VEC(uint32_t) unused; // numbers of locals that ended, to be given again
    uint64_t left, steps;
    bool limited;
    uint32_t depth;
    struct interp_outcome outcome;
    uint32_t fn, inst; // being run
};

struct frame {
    const struct ir_fn *f;
    union ir_bits *values;
    VEC(uint32_t) locals; // objects
    const union ir_bits *varargs;
    const struct ir_type *vartypes;
    uint32_t n_varargs;
};

bool interp_stop(struct interp *p, enum interp_end end, const char *text)
{
    if (p->outcome.end == INTERP_RETURNED)
        p->outcome = (struct interp_outcome){end, 0, text, p->fn, p->inst};
    return false;
}

bool interp_stopped(const struct interp *p)
{
    return p->outcome.end != INTERP_RETURNED;
}

// ---- memory -------------------------------------------------------------

static uint64_t address_of(uint32_t object)
{
    return ((uint64_t)object + 1) << 32 | FRONT;
}

static uint32_t make_object(struct interp *p, uint64_t size)
{
    struct object o = {need_zero(size + 16), size, true};
    if (p->unused.n) {
        uint32_t at = vec_pop(&p->unused);
        p->objects.at[at] = o;
        return at;
    }
    vec_push(&p->objects, o);
    return p->objects.n - 1;
}

static void end_object(struct interp *p, uint32_t at)
{
    free(p->objects.at[at].bytes);
    p->objects.at[at] = (struct object){0};
    vec_push(&p->unused, at);
}

uint64_t interp_alloc(struct interp *p, uint64_t size)
{
    return address_of(make_object(p, size));
}

static struct object *object_at(struct interp *p, uint64_t address,
                                uint64_t *offset)
{
    uint64_t id = (address >> 32) - 1;
    if (address >> 32 == 0 || id >= p->objects.n || !p->objects.at[id].live)
        return NULL;
    *offset = (address & UINT32_MAX) - FRONT;
    return &p->objects.at[id];
}

bool interp_extent(struct interp *p, uint64_t address, uint64_t *size,
                   uint64_t *offset)
{
    struct object *o = object_at(p, address, offset);
    if (o)
        *size = o->size;
    return o != NULL;
}

uint8_t *interp_bytes(struct interp *p, uint64_t address, uint64_t n)
{
    uint64_t offset;
    struct object *o = object_at(p, address, &offset);
    if (!o || offset > o->size || n > o->size - offset)
        return NULL;
    return o->bytes + offset;
}

bool interp_release(struct interp *p, uint64_t address)
{
    uint64_t offset;
    struct object *o = object_at(p, address, &offset);
    if (!o || offset)
        return false;
    free(o->bytes);
    *o = (struct object){0}; // not `unused`: so a dangling pointer is noticed
    return true;
}

uint64_t interp_global(const struct interp *p, uint32_t global)
{
    (void)p;
    return address_of(global);
}

uint64_t interp_fn(const struct interp *p, uint32_t fn)
{
    (void)p;
    return FN_SPACE | ((uint64_t)fn << 4);
}

uint32_t interp_global_at(const struct interp *p, uint64_t address)
{
    uint64_t id = (address >> 32) - 1;
    return address >> 32 && id < p->ir->globals.n ? (uint32_t)id : IR_NOTHING;
}

uint32_t interp_fn_at(const struct interp *p, uint64_t address)
{
    uint64_t id = (address & ~FN_SPACE) >> 4;
    if ((address & (UINT64_C(0xff) << 56)) != FN_SPACE || id >= p->ir->fns.n)
        return IR_NOTHING;
    return (uint32_t)id;
}

// ---- values -------------------------------------------------------------

static union ir_bits const_bits(const struct interp *p, ir_id v)
{
    const struct ir_const *c = ir_const_at(p->ir, v);
    union ir_bits r = {.i = 0};
    switch ((enum ir_const_kind)c->kind) {
    case IR_C_INT:
    case IR_C_FLOAT:
    case IR_C_BLOB:
        r.i = (u128)c->hi << 64 | c->lo;
        break;
    case IR_C_GLOBAL:
        r.i = address_of(c->index) + c->lo;
        break;
    case IR_C_FUNCTION:
        r.i = FN_SPACE | ((uint64_t)c->index << 4);
        break;
    case IR_C_UNDEF:
        break;
    }
    return r;
}

static union ir_bits value(const struct interp *p, const struct frame *fr,
                           ir_id v)
{
    if (v == IR_NOTHING)
        return (union ir_bits){.i = 0};
    return ir_is_const(v) ? const_bits(p, v) : fr->values[v];
}

static void place_global(struct interp *p, uint32_t g)
{
    const struct ir_global *o = &p->ir->globals.at[g];
    uint64_t size = o->external && o->size < 8 ? 8 : o->size;
    uint32_t at = make_object(p, size);
    uint8_t *bytes = p->objects.at[at].bytes;
    uint64_t self = address_of(at);
    if (o->bytes)
        memcpy(bytes, o->bytes, o->size);
    else if (o->external)
        memcpy(bytes, &self, 8); // stdout, stderr...: must only be distinct
}

static void relocate_global(struct interp *p, uint32_t g)
{
    const struct ir_global *o = &p->ir->globals.at[g];
    for (uint32_t i = 0; i < o->n_relocs; i++) {
        uint64_t to = (uint64_t)const_bits(p, o->relocs[i].value).i;
        if (o->relocs[i].offset + 8u <= o->size)
            memcpy(p->objects.at[g].bytes + o->relocs[i].offset, &to, 8);
    }
}

struct interp *interp_new(const struct ir *ir, const struct interp_host *host)
{
    static const struct interp_host nobody;
    struct interp *p = need_zero(sizeof *p);
    p->ir = ir;
    p->host = host ? host : &nobody;
    for (uint32_t g = 0; g < ir->globals.n; g++)
        place_global(p, g);
    for (uint32_t g = 0; g < ir->globals.n; g++)
        relocate_global(p, g);
    return p;
}

void interp_free(struct interp *p)
{
    for (uint32_t i = 0; i < p->objects.n; i++)
        free(p->objects.at[i].bytes);
    vec_free(&p->objects);
    vec_free(&p->unused);
    free(p);
}

void interp_budget(struct interp *p, uint64_t steps)
{
    p->left = steps;
    p->limited = steps != 0;
}

uint64_t interp_steps(const struct interp *p)
{
    return p->steps;
}

const struct ir *interp_ir(const struct interp *p)
{
    return p->ir;
}

const struct interp_host *interp_host(const struct interp *p)
{
    return p->host;
}

// ---- memory instructions ------------------------------------------------

static bool load(struct interp *p, struct ir_type t, uint64_t address,
                 union ir_bits *out)
{
    uint32_t n = ir_bytes(t);
    const uint8_t *at = interp_bytes(p, address, n);
    if (!at)
        return interp_stop(p, INTERP_BAD_ACCESS, NULL);
    out->i = 0;
    memcpy(out->b, at, n);
    if (t.kind == IR_INT)
        out->i = ir_cut(out->i, t.bits);
    return true;
}

static bool store(struct interp *p, struct ir_type t, uint64_t address,
                  const union ir_bits *v)
{
    uint8_t *at = interp_bytes(p, address, ir_bytes(t));
    if (!at)
        return interp_stop(p, INTERP_BAD_ACCESS, NULL);
    memcpy(at, v->b, ir_bytes(t));
    return true;
}

static bool move_bytes(struct interp *p, enum ir_op op, const union ir_bits *a)
{
    uint64_t n = (uint64_t)a[2].i;
    if (!n)
        return true;
    uint8_t *to = interp_bytes(p, (uint64_t)a[0].i, n);
    const uint8_t *from =
        op == IR_SET ? to : interp_bytes(p, (uint64_t)a[1].i, n);
    if (!to || !from)
        return interp_stop(p, INTERP_BAD_ACCESS, NULL);
    if (op == IR_SET)
        memset(to, (int)(a[1].i & 255), n);
    else
        memmove(to, from, n);
    return true;
}

static bool make_local(struct interp *p, struct frame *fr,
                       const struct ir_inst *i, const union ir_bits *a,
                       union ir_bits *out)
{
    uint64_t n = i->n ? (uint64_t)a[0].i : 1;
    if (n > UINT32_MAX || (uint64_t)i->imm * n > UINT32_MAX)
        return interp_stop(p, INTERP_BAD_ACCESS, "a local beyond all measure");
    uint32_t at = make_object(p, (uint64_t)i->imm * n);
    vec_push(&fr->locals, at);
    out->i = address_of(at);
    return true;
}

// x86-64's va_list with its register areas used up, so that all arguments are
// taken from the overflow area, eight bytes each (sixteen for what is aligned
// so).
static bool start_varargs(struct interp *p, struct frame *fr, uint64_t list)
{
    uint64_t size = 0;
    for (uint32_t i = 0; i < fr->n_varargs; i++)
        size += 32;
    uint32_t area = make_object(p, size + 8);
    uint8_t *bytes = p->objects.at[area].bytes;
    uint64_t at = 0, start = address_of(area);
    vec_push(&fr->locals, area);
    for (uint32_t i = 0; i < fr->n_varargs; i++) {
        uint32_t n = ir_bytes(fr->vartypes[i]);
        if (fr->vartypes[i].bits > 64)
            at = (at + 15) & ~UINT64_C(15);
        memcpy(bytes + at, fr->varargs[i].b, n);
        at += n > 8 ? 16 : 8;
    }
    uint8_t *to = interp_bytes(p, list, 24);
    if (!to)
        return interp_stop(p, INTERP_BAD_ACCESS, NULL);
    memcpy(to, (uint32_t[]){48, 176}, 8);
    memcpy(to + 8, &start, 8);
    memset(to + 16, 0, 8);
    return true;
}

static bool memory(struct interp *p, struct frame *fr, const struct ir_inst *i,
                   const union ir_bits *a, union ir_bits *out)
{
    switch ((enum ir_op)i->op) {
    case IR_ALLOCA:
        return make_local(p, fr, i, a, out);
    case IR_LOAD:
        return load(p, i->type, (uint64_t)a[0].i, out);
    case IR_STORE:
        return store(p, i->type, (uint64_t)a[1].i, &a[0]);
    case IR_VASTART:
        return start_varargs(p, fr, (uint64_t)a[0].i);
    default:
        return move_bytes(p, (enum ir_op)i->op, a);
    }
}

// ---- calls --------------------------------------------------------------

static bool run(struct interp *p, uint32_t fn, const union ir_bits *args,
                const struct ir_type *types, uint32_t n, union ir_bits *result);

static bool call(struct interp *p, uint64_t callee, const union ir_bits *args,
                 const struct ir_type *types, uint32_t n, union ir_bits *result)
{
    uint32_t fn = interp_fn_at(p, callee);
    if (fn == IR_NOTHING)
        return interp_stop(p, INTERP_BAD_ACCESS, "a call of no function");
    const struct ir_fn *f = p->ir->fns.at[fn];
    if (f->defined)
        return run(p, fn, args, types, n, result);
    int done = interp_libc(p, f->name, n, types, args, result);
    if (done)
        return done > 0;
    if (p->host->call &&
        p->host->call(p->host->self, p, f->name, n, args, result))
        return true;
    return interp_stop(p, INTERP_UNSUPPORTED, f->name);
}

bool interp_again(struct interp *p, uint32_t fn, const union ir_bits *args,
                  uint32_t n, union ir_bits *result)
{
    struct ir_type types[8] = {{0}};
    const struct ir_fn *f = p->ir->fns.at[fn];
    for (uint32_t i = 0; i < n && i < 8; i++)
        types[i] = f->defined && i < f->n_params ? f->insts.at[i].type
                                                 : (struct ir_type){IR_PTR, 64};
    return call(p, interp_fn(p, fn), args, types, n, result);
}

static bool actor(struct interp *p, const struct ir_inst *i,
                  const union ir_bits *args, union ir_bits *result)
{
    if (p->host->actor && p->host->actor(p->host->self, p, i, args, result))
        return true;
    return interp_stop(p, INTERP_UNSUPPORTED, ir_op_text((enum ir_op)i->op));
}

// ---- running ------------------------------------------------------------

// The phis of a block read their arguments all at once.
static void enter_block(struct interp *p, struct frame *fr, uint32_t from,
                        uint32_t to)
{
    const struct ir_block *b = &fr->f->blocks.at[to];
    const uint32_t *preds = ir_preds(fr->f, b);
    uint32_t k = 0, n = 0;
    union ir_bits few[16], *next = few;
    while (n < b->n && fr->f->insts.at[b->first + n].op == IR_PHI)
        n++;
    if (!n)
        return;
    while (k + 1 < b->n_preds && preds[k] != from)
        k++;
    if (n > 16)
        next = need(n * sizeof *next);
    for (uint32_t i = 0; i < n; i++)
        next[i] =
            value(p, fr, ir_args(fr->f, &fr->f->insts.at[b->first + i])[k]);
    memcpy(fr->values + b->first, next, n * sizeof *next);
    if (next != few)
        free(next);
}

static uint32_t next_block(struct interp *p, struct frame *fr, uint32_t at,
                           const struct ir_inst *i)
{
    const uint32_t *s = ir_succs(fr->f, &fr->f->blocks.at[at]);
    const ir_id *args = ir_args(fr->f, i);
    if (i->op == IR_JUMP)
        return s[0];
    union ir_bits v = value(p, fr, args[0]);
    if (i->op == IR_BRANCH)
        return s[v.i & 1 ? 0 : 1];
    for (uint32_t k = 1; k < i->n; k++)
        if (value(p, fr, args[k]).i == v.i)
            return s[k];
    return s[0];
}

static bool execute(struct interp *p, struct frame *fr, uint32_t at,
                    const struct ir_inst *i)
{
    union ir_bits few[8], *args = few, out = {.i = 0};
    struct ir_type few_types[8], *types = few_types;
    bool ok;
    if (i->n > 8) {
        args = need(i->n * sizeof *args);
        types = need(i->n * sizeof *types);
    }
    for (uint32_t k = 0; k < i->n; k++) {
        ir_id v = ir_args(fr->f, i)[k];
        args[k] = value(p, fr, v);
        types[k] = ir_type_of(p->ir, fr->f, v);
    }
    switch (ir_op_group((enum ir_op)i->op)) {
    case IR_G_VALUE:
        ok = ir_eval(i, types, args, &out) ||
             interp_stop(p, INTERP_UNSUPPORTED, ir_op_text((enum ir_op)i->op));
        break;
    case IR_G_MEM:
        ok = memory(p, fr, i, args, &out);
        break;
    case IR_G_ACTOR:
        ok = actor(p, i, args, &out);
        break;
    case IR_G_CALL:
        ok = i->op == IR_UNSUPPORTED
                 ? interp_stop(p, INTERP_UNSUPPORTED, i->text)
                 : call(p, (uint64_t)args[0].i, args + 1, types + 1, i->n - 1,
                        &out);
        break;
    default:
        ok = false;
        break;
    }
    fr->values[at] = out;
    if (args != few) {
        free(args);
        free(types);
    }
    return ok;
}

static bool trap(struct interp *p, const struct ir_inst *i)
{
    interp_stop(p, INTERP_TRAPPED, i->text);
    p->outcome.trap = (enum ir_trap)i->sub;
    return false;
}

static bool tick(struct interp *p, uint32_t fn, uint32_t at)
{
    p->fn = fn;
    p->inst = at;
    p->steps++;
    if (p->host->step)
        p->host->step(p->host->self, fn, at);
    if (p->limited && p->left-- == 0)
        return interp_stop(p, INTERP_STEPS, NULL);
    return true;
}

static bool run_blocks(struct interp *p, struct frame *fr,
                       union ir_bits *result)
{
    uint32_t b = 0;
    for (;;) {
        const struct ir_block *k = &fr->f->blocks.at[b];
        const struct ir_inst *i = NULL;
        for (uint32_t at = k->first; at < k->first + k->n; at++) {
            i = &fr->f->insts.at[at];
            if (i->op == IR_PHI)
                continue;
            if (!tick(p, fr->f->id, at))
                return false;
            if (ir_op_group((enum ir_op)i->op) == IR_G_END)
                break;
            if (!execute(p, fr, at, i))
                return false;
        }
        assert(i); // a block has at least its end
        if (i->op == IR_TRAP)
            return trap(p, i);
        if (i->op == IR_RETURN) {
            *result = value(p, fr, i->n ? ir_args(fr->f, i)[0] : IR_NOTHING);
            return true;
        }
        uint32_t to = next_block(p, fr, b, i);
        enter_block(p, fr, b, to);
        b = to;
    }
}

static bool run(struct interp *p, uint32_t fn, const union ir_bits *args,
                const struct ir_type *types, uint32_t n, union ir_bits *result)
{
    const struct ir_fn *f = p->ir->fns.at[fn];
    struct frame fr = {.f = f};
    if (p->depth >= DEPTH_MAX)
        return interp_stop(p, INTERP_STEPS, "calls nest too deep");
    if (n < f->n_params)
        return interp_stop(p, INTERP_UNSUPPORTED, "too few arguments");
    p->depth++;
    fr.values = need((f->insts.n + 1) * sizeof *fr.values);
    memcpy(fr.values, args, f->n_params * sizeof *args);
    fr.varargs = args + f->n_params;
    fr.vartypes = types + f->n_params;
    fr.n_varargs = n - f->n_params;
    bool ok = run_blocks(p, &fr, result);
    for (uint32_t i = 0; i < fr.locals.n; i++)
        end_object(p, fr.locals.at[i]);
    vec_free(&fr.locals);
    free(fr.values);
    p->depth--;
    return ok;
}

struct interp_outcome interp_call(struct interp *p, uint32_t fn,
                                  const union ir_bits *args, uint32_t n,
                                  union ir_bits *result)
{
    union ir_bits none;
    p->outcome = (struct interp_outcome){.end = INTERP_RETURNED};
    if (!interp_again(p, fn, args, n, result ? result : &none) &&
        !interp_stopped(p))
        interp_stop(p, INTERP_UNSUPPORTED, NULL);
    return p->outcome;
}
