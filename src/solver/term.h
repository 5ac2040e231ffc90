// Terms: what a symbolic run computes with, instead of values.
//
// A term is a bit-vector of 1 to 128 bits: a constant, a variable, or an
// operation of the IR on other terms.  A condition is a term of one bit.  A
// float is the bits it has in memory; operations on floats read their operands
// so (32 and 64 bits, 80 are refused).  The meaning of each operation is that
// of ir_eval(), with one addition that makes it total: a division that traps
// has the result that SMT-LIB gives it (x / 0 is all ones, x % 0 is x, the
// least number divided by -1 is itself).  A symbolic run has branched to the
// trap before.
//
// Equal terms are one number: terms are hash-consed and put into a normal form
// while they are built, so that comparing two is comparing their numbers.  In
// normal form
//   - what can be computed is a constant;
//   - a constant operand is the right one: 5 < x is !(x < 6);
//   - x - c is x + (-c); sums of one variable and constants are one sum; a
//     product by a power of two is a shift, so are division and remainder;
//   - there is no NE, ULE, SLE: a negation is XOR with the bit 1;
//   - TRUNC is a TERM_SLICE, ZEXT a TERM_CONCAT with zeros on the left: joining
//     the slices of a term gives the term;
//   - min, max, abs, funnel shifts and byte swaps are made of the others.
//
// Numbers are given in the order of creation and say nothing else: the same
// calls give the same numbers in every run.
#ifndef SOLVER_TERM_H
#define SOLVER_TERM_H

#include "ir/eval.h"
#include "ir/ir.h"

#include <stdbool.h>
#include <stdint.h>

struct text;

typedef uint32_t term;
#define TERM_NONE 0u // not a term: what 80-bit floats have

// Operations beyond those of the IR.  SLICE a: `bits` bits of a from bit `low`.
// CONCAT a, b: a to the left of (above) b.
enum { TERM_CONST = IR_OPS_N, TERM_VAR, TERM_SLICE, TERM_CONCAT };

// What a variable stands for: decides which values a test shows for it.
enum term_kind { TERM_INT, TERM_BYTE_TEXT, TERM_FLOAT, TERM_REFERENCE };

struct terms; // owns all its terms; opaque

struct terms *terms_new(void);
void terms_free(struct terms *ts);
uint32_t terms_count(const struct terms *ts);
uint32_t terms_variables(const struct terms *ts);

// ---- building -----------------------------------------------------------

// Constants.  Bits of the value beyond the width are ignored.
term term_const(struct terms *ts, unsigned bits, u128 value);
term term_bool(struct terms *ts, bool value);
term term_double(struct terms *ts, double value);
// A new variable; each call makes another.  The name is for people.
term term_var(struct terms *ts, const char *name, unsigned bits,
              enum term_kind kind);

// ADD to XOR and EQ to SLE of integers, FADD to FREM of floats.
term term_binary(struct terms *ts, enum ir_op op, term a, term b);
// TRUNC to BITS and PTRTOINT, INTTOPTR (both as if a pointer were its 64 bits),
// FNEG; `bits` of the result.
term term_convert(struct terms *ts, enum ir_op op, unsigned bits, term a);
// A comparison of floats, a mask as in IR_FCMP.
term term_fcmp(struct terms *ts, uint8_t mask, term a, term b);
// A function of IR_MATH with a result of these bits; n arguments, at most 3.
term term_math(struct terms *ts, enum ir_math m, unsigned bits, uint32_t n,
               const term *args);
term term_ite(struct terms *ts, term c, term a, term b);
term term_slice(struct terms *ts, term a, unsigned low, unsigned bits);
term term_concat(struct terms *ts, term high, term low);
term term_not(struct terms *ts, term c);
term term_and(struct terms *ts, term a, term b);
term term_or(struct terms *ts, term a, term b);
// a == b; a != b.
term term_eq(struct terms *ts, term a, term b);
term term_ne(struct terms *ts, term a, term b);
// Did the operation (ADD, SUB, MUL) lose bits?  The bit of IR_OVERFLOW.
term term_overflows(struct terms *ts, enum ir_op op, bool is_signed, term a,
                    term b);
// The result of a VALUE instruction other than PARAM and PHI, as ir_eval() has
// it; pointers are integers of 64 bits, blobs integers of their size.
// TERM_NONE: an operation on 80-bit floats.
term term_apply(struct terms *ts, const struct ir_inst *i,
                const struct ir_type *types, const term *args);

// ---- looking at one -----------------------------------------------------

uint8_t term_op(const struct terms *ts, term t); // enum ir_op or TERM_...
unsigned term_bits(const struct terms *ts, term t);
uint32_t term_n_args(const struct terms *ts, term t);
term term_arg(const struct terms *ts, term t, uint32_t i);
uint8_t term_sub(const struct terms *ts, term t);         // of FCMP, MATH
unsigned term_low(const struct terms *ts, term t);        // of SLICE
bool term_is_const(const struct terms *ts, term t);       // a constant
bool term_is(const struct terms *ts, term t, u128 value); // this constant
u128 term_value(const struct terms *ts, term t);          // of a constant
bool term_is_true(const struct terms *ts, term t);
bool term_is_false(const struct terms *ts, term t);

// A variable's number, from 0 in the order of creation; the variable with a
// number; its name and kind.
uint32_t term_var_index(const struct terms *ts, term var);
term term_of_var(const struct terms *ts, uint32_t index);
const char *term_var_name(const struct terms *ts, uint32_t index);
enum term_kind term_var_kind(const struct terms *ts, uint32_t index);

// Does the term contain an operation on floats; a division; a product or
// quotient of two non-constants?
enum { TERM_HAS_FLOAT = 1, TERM_HAS_DIVISION = 2, TERM_HAS_PRODUCT = 4 };
uint8_t term_has(const struct terms *ts, term t);

// All values of the term lie in lo..hi, unsigned, and have these bits clear and
// set.  Of a term with more than 64 bits nothing is known.
struct term_range {
    uint64_t lo, hi;
};
struct term_range term_range(const struct terms *ts, term t);
uint64_t term_zeros(const struct terms *ts, term t);
uint64_t term_ones(const struct terms *ts, term t);

// The numbers of the variables in it, rising; the terms' until they are freed.
// Found at the first call.
struct term_vars {
    const uint32_t *at;
    uint32_t n;
};
struct term_vars term_vars(struct terms *ts, term t);

// x as base + constant: base TERM_NONE if x is a constant.
struct term_sum {
    term base;
    uint64_t constant;
};
struct term_sum term_as_sum(const struct terms *ts, term t);
// The distance of the values it can have, as long as it does not wrap around:
// 4 for 20*i + 4*j + 7.  0: a constant.
uint64_t term_stride(const struct terms *ts, term t);

// ---- replacing ----------------------------------------------------------

// Replaces variables, or whole terms, by terms of equal width.  A substitution
// remembers its results: used on many terms, it visits each shared part once.
struct term_subst;
struct term_subst *term_subst_new(struct terms *ts);
void term_subst_free(struct term_subst *s);
// Before the first use: `var` becomes `by`.
void term_subst_set(struct term_subst *s, term var, term by);
term term_subst(struct term_subst *s, term t);

// ---- values -------------------------------------------------------------

// Values of variables; those not set are 0.  Reading is by number of variable.
struct model;

struct model *model_new(struct terms *ts);
struct model *model_copy(const struct model *m);
// A second owner of the same model; model_free() gives up one ownership.  A
// model with several owners must not be changed.
struct model *model_share(struct model *m);
bool model_shared(const struct model *m);
void model_free(struct model *m);
void model_set(struct model *m, uint32_t var, u128 value);
u128 model_get(const struct model *m, uint32_t var);
bool model_has(const struct model *m, uint32_t var);
uint32_t model_size(const struct model *m); // 1 + the highest number set

// The value of a term under a model.  Each shared part is computed once.
u128 term_eval(struct terms *ts, term t, const struct model *m);
// The same by ir_eval() alone, part by part: the judge of every model.
u128 term_judge(struct terms *ts, term t, const struct model *m);

// ---- showing ------------------------------------------------------------

// As C source: "self->balance >= msg->amount".  Signed where the operations
// are; too deep parts are "...".
void term_print(const struct terms *ts, term t, struct text *out);

#endif
