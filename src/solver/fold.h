// Building terms in normal form: what the files that do it share.
#ifndef SOLVER_FOLD_H
#define SOLVER_FOLD_H

#include "solver/store.h"

// One operation as it is, a constant if all its arguments are.
term fold_raw(struct terms *ts, unsigned op, unsigned sub, unsigned bits,
              term a, term b, term c);

// The operation of a node on other arguments.
term fold_again(struct terms *ts, const struct node *old, const term *a);

// Integer operations by group; a and b have the same width and are not both
// constants.
term fold_arithmetic(struct terms *ts, enum ir_op op, term a, term b);
term fold_shift(struct terms *ts, enum ir_op op, term a, term b);
term fold_bitwise(struct terms *ts, enum ir_op op, term a, term b);
term fold_compare(struct terms *ts, enum ir_op op, term a, term b);
// a | b where a has only low bits and b only bits above them: b beside a.
// TERM_NONE if they are not so.
term fold_beside(struct terms *ts, term a, term b);
term fold_sext(struct terms *ts, unsigned bits, term a);
term fold_zext(struct terms *ts, unsigned bits, term a);

static inline term negate(struct terms *ts, term a)
{
    return term_binary(ts, IR_SUB, term_const(ts, bits_of(ts, a), 0), a);
}

static inline u128 least_signed(unsigned bits)
{
    return (u128)1 << (bits - 1);
}

static inline bool is_zero(const struct terms *ts, term t)
{
    return is_const(ts, t) && value_of(ts, t) == 0;
}

static inline u128 all_ones(unsigned bits)
{
    return ir_cut(~(u128)0, bits);
}

// !x for a bit x that is not a constant.
static inline bool is_not(const struct terms *ts, term t)
{
    const struct node *n = node_of(ts, t);
    return n->op == IR_XOR && n->bits == 1 && is_const(ts, n->b);
}

// CONCAT with zeros on the left.
static inline bool is_zext(const struct terms *ts, term t)
{
    const struct node *n = node_of(ts, t);
    return n->op == TERM_CONCAT && is_zero(ts, n->a);
}

// The bit of the sign is surely clear, surely set.
static inline bool surely_plus(const struct terms *ts, term t)
{
    unsigned bits = bits_of(ts, t);
    return is_zext(ts, t) ||
           (bits <= 64 && ts->known.at[t].zeros >> (bits - 1) & 1);
}
static inline bool surely_minus(const struct terms *ts, term t)
{
    unsigned bits = bits_of(ts, t);
    return bits <= 64 && ts->known.at[t].ones >> (bits - 1) & 1;
}

#endif
