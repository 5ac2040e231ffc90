// Calls and returns; functions that have no body here.
#include "symex/summary.h"
#include "symex/wide.h"

#include "base/die.h"

#include <stdlib.h>
#include <string.h>

// ---- functions with a body ----------------------------------------------

// Re-entries of f below itself, each after a condition on inputs that the one
// before had not seen: recursion over constants is simply run.
static uint32_t reentries(const struct sx_state *s, const struct ir_fn *f)
{
    uint32_t n = 0, newest = s->n_symbolic;
    for (const struct frame *p = s->top; p; p = p->up)
        if (p->f == f) {
            n += p->real < newest;
            newest = p->real;
        }
    return n;
}

bool call_fn(struct sx_run *r, struct sx_state *s, const struct ir_fn *f,
             const term *args, uint32_t n, enum purpose purpose)
{
    if (n < f->n_params)
        return finish_unsupported(r, s, "a call with too few arguments");
    if (reentries(s, f) > r->o.recursion && !r->start.follow)
        return cut(r, s, f->id, 0);
    if (s->depth > 2000)
        return finish_unsupported(r, s, "calls nest too deep");
    term copy[64];
    if (n > 64)
        return finish_unsupported(r, s, "a call with over 64 arguments");
    memcpy(copy, args, n * sizeof *args); // args may lie in a frame
    state_push(r, s, f, purpose);
    s->top->real = s->n_symbolic;
    search_entered(r, s, f->id, 0);
    live_entered(r, f->id, 0);
    memcpy(s->top->values, copy, f->n_params * sizeof *copy);
    s->top->n_varargs = n - f->n_params;
    if (n > f->n_params) {
        s->top->varargs = need((n - f->n_params) * sizeof *copy);
        memcpy(s->top->varargs, copy + f->n_params,
               (n - f->n_params) * sizeof *copy);
    }
    return true;
}

// The precondition has returned: its result must be true.  Its decisions are
// not part of the path.
static bool after_pre(struct sx_run *r, struct sx_state *s, term result)
{
    struct terms *ts = r->ts;
    if (!result)
        return finish_unsupported(r, s, "a precondition without a result");
    term zero = term_const(ts, term_bits(ts, result), 0);
    if (!assume(r, s, term_ne(ts, result, zero)))
        return false;
    s->in_pre = false;
    s->n_pre = s->path.n;
    s->steps = 0;
    s->trail = 0;
    s->labels = 0;
    s->n_real = s->n_symbolic = 0;
    return start_fn(r, s);
}

bool call_return(struct sx_run *r, struct sx_state *s, term result)
{
    enum purpose purpose = (enum purpose)s->top->purpose;
    if (purpose == FOR_MODEL)
        return model_resume(r, s, result);
    if (purpose == FOR_INIT)
        return init_returned(r, s);
    if (purpose == FOR_CALLER && !s->top->up && r->live)
        return live_returned(r, s);
    if (purpose == FOR_CALLER && !s->top->up)
        return s->scene ? tasks_returned(r, s) : finish_return(r, s, result);
    state_pop(r, s);
    s->split = false;
    if (purpose == FOR_PRE)
        return after_pre(r, s, result);
    return advance(r, s, result);
}

// ---- functions without one ----------------------------------------------

// The result of a function without a body is an input.
static bool call_stub(struct sx_run *r, struct sx_state *s,
                      const struct ir_fn *f, const struct ir_inst *i,
                      const term *args, uint32_t n)
{
    if (r->live)
        return finish_unsupported(
            r, s, arena_format(&r->arena, "a call of %s", f->name));
    uint64_t calls = 0, key = met_key(MET_CALLS, f->id);
    pmap_get(&s->met, key, &calls);
    pmap_put(&s->met, key, calls + 1);
    s->labels |= SX_STUBBED;
    if (f->noreturn)
        return finish_trap(r, s, IR_TRAP_EXIT, f->name);
    if (!stub_writes(r, s, f, args, n, calls))
        return false;
    if (i->type.kind == IR_VOID)
        return advance(r, s, TERM_NONE);
    struct slot slot = {.bytes = ir_bytes(i->type),
                        .pointer = i->type.kind == IR_PTR,
                        .type = f->n_types ? f->types[0] : IR_NOTHING};
    struct sx_place at = {SX_STUB, f->id, (int64_t)calls};
    term v = input_value(r, s, at, &slot);
    if (i->type.kind == IR_INT && i->type.bits < slot.bytes * 8)
        v = term_slice(r->ts, v, 0, i->type.bits);
    return advance(r, s, v);
}

static bool call_external(struct sx_run *r, struct sx_state *s,
                          const struct ir_fn *f, const struct ir_inst *i,
                          const term *args, uint32_t n)
{
    term result = TERM_NONE;
    switch (unit_assumption(r, s, f, args, n, &result)) {
    case 1:
        return advance(r, s, result);
    case -1:
        return false;
    }
    switch (r->o.no_models ? 0 : libc_model(r, s, f, i, args, n, &result)) {
    case 1:
        return advance(r, s, result);
    case 2:
        return true;
    case -1:
        return false;
    }
    return call_stub(r, s, f, i, args, n);
}

// ---- which function -----------------------------------------------------

// The function that an address is on this path; IR_NOTHING with false: the
// state is put away.  A copy waits for each other function it may be.
static bool callee(struct sx_run *r, struct sx_state *s, term address,
                   uint32_t *fn)
{
    struct leaf ls[LEAVES_MAX];
    uint32_t n = leaves(r, s, known_value(r, s, address), ls);
    for (uint32_t k = 0; k < n; k++) {
        if (k + 1 < n && !decide(r, s, ls[k].condition))
            continue;
        term object = ls[k].object;
        if (!object)
            return finish_unsupported(r, s, "a call of a number");
        if (term_is_const(r->ts, object)) {
            *fn = (uint32_t)term_value(r->ts, object) - SX_FUNCTIONS;
            if (*fn == SX_STUB_FN - SX_FUNCTIONS)
                return true;
            return *fn < r->ir->fns.n ||
                   (term_is(r->ts, object, 0)
                        ? finish_trap(r, s, IR_TRAP_NULL, NULL)
                        : finish_unsupported(r, s, "a call of no function"));
        }
        uint64_t v;
        if (!pin(r, s, object, "a call of too many functions", &v))
            return false;
        *fn = (uint32_t)v - SX_FUNCTIONS;
        if (v == 0)
            return finish_trap(r, s, IR_TRAP_NULL, NULL);
        return *fn < r->ir->fns.n || v == SX_STUB_FN ||
               finish_unsupported(r, s, "a call of no function");
    }
    return finish_unsupported(r, s, "a call of too many functions");
}

// A function of the test's own making: its result is an input.
static bool call_callback(struct sx_run *r, struct sx_state *s,
                          const struct ir_inst *i)
{
    uint64_t calls = 0, key = met_key(MET_CALLS, UINT32_MAX);
    pmap_get(&s->met, key, &calls);
    pmap_put(&s->met, key, calls + 1);
    s->labels |= SX_STUBBED;
    if (i->type.kind == IR_VOID)
        return advance(r, s, TERM_NONE);
    struct slot slot = {.bytes = ir_bytes(i->type),
                        .pointer = i->type.kind == IR_PTR,
                        .type = IR_NOTHING};
    struct sx_place at = {SX_STUB, SX_CALLBACK, (int64_t)calls};
    term v = input_value(r, s, at, &slot);
    if (i->type.kind == IR_INT && i->type.bits < slot.bytes * 8)
        v = term_slice(r->ts, v, 0, i->type.bits);
    return advance(r, s, v);
}

bool call(struct sx_run *r, struct sx_state *s, const struct ir_inst *i)
{
    const struct ir_fn *f = s->top->f;
    uint32_t fn = IR_NOTHING;
    term args[64];
    if (i->n > 64)
        return finish_unsupported(r, s, "a call with over 63 arguments");
    if (!callee(r, s, operand(r, s, ir_args(f, i)[0]), &fn))
        return false;
    if (fn == SX_STUB_FN - SX_FUNCTIONS)
        return call_callback(r, s, i);
    for (uint32_t k = 1; k < i->n; k++)
        args[k - 1] = operand(r, s, ir_args(f, i)[k]);
    f = r->ir->fns.at[fn];
    if (!f->defined)
        return call_external(r, s, f, i, args, i->n - 1);
    bool goes;
    if (i->type.kind != IR_PTR && wide_recursion(r, s, f))
        return advance(r, s,
                       i->type.kind == IR_VOID ? TERM_NONE
                                               : unknown_value(r, i->type));
    struct sum_tree *m = r->making ? NULL : sum_of(r, s, f);
    return m && sum_call(r, s, m, args, i->n - 1, &goes)
               ? goes
               : call_fn(r, s, f, args, i->n - 1, FOR_CALLER);
}
