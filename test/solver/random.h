// Random computations: each step is an instruction on earlier ones, computed by
// ir_eval() on values and by term_apply() on terms.
#ifndef TEST_SOLVER_RANDOM_H
#define TEST_SOLVER_RANDOM_H

#include "base/rng.h"
#include "ir/eval.h"
#include "solver/term.h"

#include <string.h>

enum { STEPS = 40, INPUTS = 5 };

struct step {
    struct ir_inst inst; // op IR_PARAM: input number imm; IR_PHI: constant imm
    struct ir_type types[3];
    uint32_t args[3];
};

struct computation {
    uint32_t n;
    struct step at[STEPS];
};

// What to draw from.
struct kinds {
    bool floats, wide, division;
    bool exact; // only what Z3 knows: no fmod, no fmin of two zeros
};

static inline u128 edge_value(struct rng *r, unsigned bits)
{
    static const uint64_t edges[] = {0, 1, 2, 3, 4, 7, 8, 10, 100, 255};
    u128 x = rng_next(r);
    switch (rng_below(r, 6)) {
    case 0:
        x |= (u128)rng_next(r) << 64;
        break;
    case 1:
        x = -(u128)edges[rng_below(r, 10)];
        break;
    case 2:
        x = (u128)1 << rng_below(r, bits);
        break;
    case 3:
        x = ((u128)1 << rng_below(r, bits)) - 1;
        break;
    default:
        x = edges[rng_below(r, 10)];
        break;
    }
    return ir_cut(x, bits);
}

static inline u128 float_value(struct rng *r, unsigned bits)
{
    static const double some[] = {0.0,  -0.0, 1.0,  -1.0, 0.5,         2.5,
                                  1e10, 3.0,  1e-3, 7.25, 1e300,       -1e-310,
                                  0.1,  -2.0, 1e20, 1e38, 2147483648.0};
    union ir_bits x = {.i = 0};
    double d = some[rng_below(r, sizeof some / sizeof *some)];
    if (rng_below(r, 8) == 0)
        d = rng_below(r, 2) ? (double)INFINITY : (double)NAN;
    if (bits == 32)
        x.f = (float)d;
    else
        x.d = d;
    return x.i;
}

static inline struct ir_type type_of(const struct computation *c, uint32_t i)
{
    return c->at[i].inst.type;
}

// An earlier step of this type; made of a constant if there is none.
static inline uint32_t find(struct computation *c, struct rng *r,
                            struct ir_type t)
{
    for (int turn = 0; turn < 12 && c->n; turn++) {
        uint32_t i = rng_below(r, c->n);
        if (type_of(c, i).kind == t.kind && type_of(c, i).bits == t.bits)
            return i;
    }
    u128 v =
        t.kind == IR_FLOAT ? float_value(r, t.bits) : edge_value(r, t.bits);
    struct step *s = &c->at[c->n];
    *s = (struct step){.inst = {.op = IR_PHI, .type = t}};
    memcpy(&s->inst.imm, &v, 8);
    if (t.bits > 64)
        s->inst.imm = (int64_t)v >> 1;
    return c->n++;
}

static inline struct ir_type random_int(struct rng *r, struct kinds k)
{
    static const uint8_t widths[] = {1, 8, 8, 16, 32, 32, 32, 64, 64, 5, 24};
    if (k.wide && rng_below(r, 12) == 0)
        return (struct ir_type){IR_INT, 128};
    return (struct ir_type){IR_INT, widths[rng_below(r, sizeof widths)]};
}

static inline struct ir_type random_float(struct rng *r)
{
    return (struct ir_type){IR_FLOAT, rng_below(r, 2) ? 32 : 64};
}

static inline void random_binary(struct computation *c, struct rng *r,
                                 struct kinds k, struct step *s)
{
    struct ir_type t = random_int(r, k);
    do
        s->inst.op = (uint8_t)(IR_ADD + rng_below(r, IR_SLE - IR_ADD + 1));
    while (!k.division && s->inst.op >= IR_UDIV && s->inst.op <= IR_SREM);
    s->inst.type = s->inst.op >= IR_EQ ? (struct ir_type){IR_INT, 1} : t;
    s->inst.n = 2;
    s->args[0] = find(c, r, t);
    s->args[1] = find(c, r, t);
}

static inline void random_select(struct computation *c, struct rng *r,
                                 struct kinds k, struct step *s)
{
    struct ir_type t = random_int(r, k);
    s->inst.op = IR_SELECT;
    s->inst.type = t;
    s->inst.n = 3;
    s->args[0] = find(c, r, (struct ir_type){IR_INT, 1});
    s->args[1] = find(c, r, t);
    s->args[2] = find(c, r, t);
}

static inline void random_extend(struct computation *c, struct rng *r,
                                 struct kinds k, struct step *s)
{
    struct ir_type a = random_int(r, k), b = random_int(r, k);
    s->inst.op = a.bits > b.bits    ? IR_TRUNC
                 : a.bits == b.bits ? IR_BITS
                 : rng_below(r, 2)  ? IR_ZEXT
                                    : IR_SEXT;
    s->inst.type = b;
    s->inst.n = 1;
    s->args[0] = find(c, r, a);
}

static inline void random_math(struct computation *c, struct rng *r,
                               struct step *s)
{
    struct kinds narrow = {0};
    struct ir_type t = random_int(r, narrow);
    s->inst.op = IR_MATH;
    s->inst.sub =
        (uint8_t)(IR_M_BSWAP + rng_below(r, IR_M_FSHR - IR_M_BSWAP + 1));
    if (s->inst.sub == IR_M_BSWAP && t.bits % 8)
        t.bits = 32;
    s->inst.type = t;
    s->inst.n = s->inst.sub >= IR_M_FSHL ? 3 : s->inst.sub >= IR_M_SMIN ? 2 : 1;
    for (uint32_t i = 0; i < s->inst.n; i++)
        s->args[i] = find(c, r, t);
}

static inline void random_float_step(struct computation *c, struct rng *r,
                                     struct kinds k, struct step *s)
{
    struct ir_type t = random_float(r);
    struct ir_type i = random_int(r, (struct kinds){0});
    s->inst.type = t;
    s->inst.n = 2;
    switch (rng_below(r, 7)) {
    case 0:
        s->inst.op = IR_FCMP;
        s->inst.sub = (uint8_t)rng_below(r, 16);
        s->inst.type = (struct ir_type){IR_INT, 1};
        break;
    case 1:
        s->inst.op = rng_below(r, 2) ? IR_FPTOSI : IR_FPTOUI;
        s->inst.type = i;
        s->inst.n = 1;
        break;
    case 2:
        s->inst.op = rng_below(r, 2) ? IR_SITOFP : IR_UITOFP;
        s->inst.n = 1;
        s->args[0] = find(c, r, i);
        return;
    case 3:
        s->inst.op = rng_below(r, 2) ? IR_FNEG : IR_FPCONV;
        s->inst.n = 1;
        if (s->inst.op == IR_FPCONV)
            t = random_float(r);
        break;
    case 4:
        s->inst.op = IR_MATH;
        s->inst.sub = (uint8_t)rng_below(r, k.exact ? IR_M_FMIN : IR_M_FMA);
        s->inst.n = s->inst.sub >= IR_M_COPYSIGN ? 2 : 1;
        break;
    default:
        s->inst.op = (uint8_t)(IR_FADD + rng_below(r, k.exact ? 4 : 5));
        break;
    }
    s->args[0] = find(c, r, t);
    s->args[1] = find(c, r, t);
}

static inline void random_step(struct computation *c, struct rng *r,
                               struct kinds k)
{
    struct step s = {.inst = {.op = IR_ADD}};
    uint32_t what = rng_below(r, k.floats ? 14 : 10);
    if (what >= 10)
        random_float_step(c, r, k, &s);
    else if (what == 9)
        random_math(c, r, &s);
    else if (what >= 7)
        random_extend(c, r, k, &s);
    else if (what == 6)
        random_select(c, r, k, &s);
    else
        random_binary(c, r, k, &s);
    for (uint32_t i = 0; i < s.inst.n; i++)
        s.types[i] = type_of(c, s.args[i]);
    c->at[c->n++] = s;
}

// Inputs first, then steps until it is full.
static inline void random_computation(struct computation *c, struct rng *r,
                                      struct kinds k, uint32_t most)
{
    c->n = 0;
    for (uint32_t i = 0; i < INPUTS; i++) {
        struct ir_type t =
            k.floats && i >= 3 ? random_float(r) : random_int(r, k);
        c->at[c->n++] = (struct step){
            .inst = {.op = IR_PARAM, .type = t, .imm = (int64_t)i}};
    }
    while (c->n + 5 < most)
        random_step(c, r, k);
}

static inline void random_inputs(const struct computation *c, struct rng *r,
                                 u128 *inputs)
{
    for (uint32_t i = 0; i < INPUTS; i++) {
        struct ir_type t = type_of(c, i);
        inputs[i] =
            t.kind == IR_FLOAT ? float_value(r, t.bits) : edge_value(r, t.bits);
    }
}

// A division that traps, as SMT-LIB has it.
static inline u128 total(const struct step *s, u128 a, u128 b)
{
    unsigned bits = s->inst.type.bits;
    if (b)
        return s->inst.op == IR_SDIV ? a : 0;
    if (s->inst.op == IR_UREM || s->inst.op == IR_SREM)
        return a;
    return s->inst.op == IR_SDIV && ir_signed(a, bits) < 0
               ? 1
               : ir_cut(~(u128)0, bits);
}

// The values of all steps.
static inline void compute_values(const struct computation *c,
                                  const u128 *inputs, u128 *values)
{
    for (uint32_t i = 0; i < c->n; i++) {
        const struct step *s = &c->at[i];
        union ir_bits args[3] = {{.i = 0}}, out = {.i = 0};
        for (uint32_t k = 0; k < s->inst.n; k++)
            args[k].i = values[s->args[k]];
        if (s->inst.op == IR_PARAM)
            out.i = inputs[s->inst.imm];
        else if (s->inst.op == IR_PHI)
            out.i = ir_cut((u128)(i128)s->inst.imm, s->inst.type.bits);
        else if (!ir_eval(&s->inst, s->types, args, &out))
            out.i = total(s, args[0].i, args[1].i);
        values[i] = ir_cut(out.i, s->inst.type.bits);
    }
}

// The terms of all steps over these variables.
static inline void compute_terms(const struct computation *c, struct terms *ts,
                                 const term *inputs, term *out)
{
    for (uint32_t i = 0; i < c->n; i++) {
        const struct step *s = &c->at[i];
        term args[3] = {0};
        for (uint32_t k = 0; k < s->inst.n; k++)
            args[k] = out[s->args[k]];
        if (s->inst.op == IR_PARAM)
            out[i] = inputs[s->inst.imm];
        else if (s->inst.op == IR_PHI)
            out[i] = term_const(ts, s->inst.type.bits, (u128)(i128)s->inst.imm);
        else
            out[i] = term_apply(ts, &s->inst, s->types, args);
    }
}

static inline void make_inputs(const struct computation *c, struct terms *ts,
                               term *inputs)
{
    for (uint32_t i = 0; i < INPUTS; i++) {
        char name[] = {(char)('a' + i), 0};
        struct ir_type t = type_of(c, i);
        inputs[i] = term_var(ts, name, t.bits,
                             t.kind == IR_FLOAT ? TERM_FLOAT : TERM_INT);
    }
}

#endif
