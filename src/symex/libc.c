// Which model on terms a function has, by the table of base/libc.h.
// libc_memory.c, libc_text.c and the other files of that beginning have them.
#include "symex/libc.h"

#include "base/libc.h"

#include <string.h>

struct model {
    libc_fn *run;
    uint8_t args;      // how many the call must have at least
    uint8_t precision; // enum sx_precision
    int detail;
};

// By row of the table of the C library.
#define TERMS_T(args, precision, name, detail)                                 \
    {                                                                          \
        do_##name, args, SX_##precision, detail                                \
    }
#define TERMS_NONE                                                             \
    {                                                                          \
        NULL, 0, SX_NO_MODEL, 0                                                \
    }
#define TERMS_(name, stage, does, model, terms) TERMS_##terms,
static const struct model models[] = {LIBC(TERMS_)};

// NULL: the function has none.
static const struct model *find(const char *name)
{
    const struct libc_row *row = libc_find(name);
    const struct model *m = row ? &models[row - libc_rows] : NULL;
    return m && m->run ? m : NULL;
}

enum sx_precision sx_precision(const char *function)
{
    const struct model *m = find(function);
    return m ? (enum sx_precision)m->precision : SX_NO_MODEL;
}

bool libc_is_used(const struct ir_fn *f, const struct ir_inst *value)
{
    ir_id v = (ir_id)(value - f->insts.at);
    for (uint32_t n = 0; n < f->insts.n; n++)
        for (uint32_t k = 0; k < f->insts.at[n].n; k++)
            if (ir_args(f, &f->insts.at[n])[k] == v)
                return true;
    return false;
}

// Output whose result nobody looks at has no effect on the program.
static bool leaves_no_trace(const struct sx_run *r, const struct ir_fn *caller,
                            const struct model_call *c)
{
    return !libc_is_used(caller, c->i) && ir_only_reads(r->ir, caller, c->i);
}

int libc_model(struct sx_run *r, struct sx_state *s, const struct ir_fn *f,
               const struct ir_inst *i, const term *args, uint32_t n,
               term *result)
{
    const struct model *m = find(f->name);
    if (!m || n < m->args)
        return 0;
    struct model_call c = {r, s, f, i, args, n, result, m->detail};
    *result = TERM_NONE;
    int done = m->run(&c);
    if (done == 1 && m->precision == SX_OPAQUE &&
        !(m->run == do_nothing && leaves_no_trace(r, s->top->f, &c)))
        s->labels |= SX_MODELLED;
    return done;
}

// ---- what models share --------------------------------------------------

const char *constant_text(struct model_call *c, uint32_t i)
{
    struct sx_pointer at;
    struct terms *ts = c->r->ts;
    if (!sx_pointer(ts, c->args[i], &at) || !term_is_const(ts, at.object) ||
        !term_is_const(ts, at.offset))
        return NULL;
    const struct object *o =
        object_at(c->r, c->s, (uint32_t)term_value(ts, at.object));
    uint64_t from = (uint64_t)term_value(ts, at.offset);
    if (!o || !o->constant || !o->global || !o->global->bytes ||
        o->global->n_relocs || from >= o->global->size)
        return NULL;
    const char *text = (const char *)o->global->bytes + from;
    return memchr(text, 0, o->global->size - from) ? text : NULL;
}

term arg_bits(struct model_call *c, uint32_t i, unsigned bits)
{
    term t = c->args[i];
    unsigned have = term_bits(c->r->ts, t);
    if (have > bits)
        return term_slice(c->r->ts, t, 0, bits);
    return have < bits ? term_convert(c->r->ts, IR_SEXT, bits, t) : t;
}

int give(struct model_call *c, term value)
{
    unsigned bits = c->i->type.kind == IR_PTR ? 64 : c->i->type.bits;
    unsigned have = term_bits(c->r->ts, value);
    if (c->i->type.kind == IR_VOID)
        *c->result = TERM_NONE;
    else if (have > bits)
        *c->result = term_slice(c->r->ts, value, 0, bits);
    else if (have < bits)
        *c->result = term_convert(c->r->ts, IR_SEXT, bits, value);
    else
        *c->result = value;
    return 1;
}

int give_int(struct model_call *c, uint64_t value)
{
    return give(c, term_const(c->r->ts, 64, value));
}

// Is a byte one of a set?  As few ranges as there are.
term byte_in(struct terms *ts, term byte, const bool *set)
{
    term any = term_bool(ts, false);
    for (unsigned lo = 0; lo < 256; lo++) {
        unsigned hi = lo;
        if (!set[lo])
            continue;
        while (hi < 255 && set[hi + 1])
            hi++;
        term from =
            term_not(ts, term_binary(ts, IR_ULT, byte, term_const(ts, 8, lo)));
        term to =
            term_not(ts, term_binary(ts, IR_ULT, term_const(ts, 8, hi), byte));
        any = term_or(ts, any,
                      lo == hi ? term_eq(ts, byte, term_const(ts, 8, lo))
                               : term_and(ts, from, to));
        lo = hi;
    }
    return any;
}
