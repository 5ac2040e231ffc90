// A Z3 context with what was converted in it.
//
// No expression is freed before its context.  When a context has CONTEXT_MOST
// terms (z3.c), the next question begins a new one.
#ifndef SOLVER_Z3_CONTEXT_H
#define SOLVER_Z3_CONTEXT_H

#include "solver/backend.h"
#include "solver/store.h"

#include <z3.h>

// A term in up to three forms; those not needed yet are NULL.
struct forms {
    Z3_ast bits;  // a bit-vector
    Z3_ast truth; // a Boolean, of one bit
    Z3_ast real;  // a float
    Z3_ast side;  // what must hold for the fresh variables made for it
};

// A term as a number, an integer or a real.
struct numbers {
    Z3_ast value; // Int, Real, or Bool for one bit
    Z3_ast side;  // no wrap-around, and signs as the operations assume them
};

struct backend {
    struct terms *ts;
    Z3_context z;
    Z3_sort fp32, fp64;
    Z3_ast nearest, to_zero;
    VEC(struct forms) forms;
    VEC(struct numbers) numbers;
    uint32_t n_sides; // terms with a side condition in this context
    bool is_signed;   // how numbers read a bit-vector
    bool refused;     // an operation that numbers do not have
    Z3_error_code error;
    Z3_solver stacked; // of incremental queries
    VEC(term) asserted;
};

// A condition as a Boolean, with the side conditions of its parts.
Z3_ast z3_condition(struct backend *b, term t);
// The same over integers and reals; NULL where it is not possible.
Z3_ast z3_number_condition(struct backend *b, term t);
// Range of a variable as a number, and its value as bits.
Z3_ast z3_number_range(struct backend *b, term var);
u128 z3_number_bits(struct backend *b, term var, Z3_ast value);

// The value of a numeral of bits.
u128 z3_bits_value(struct backend *b, Z3_ast value);

// The constant that stands for a variable.
Z3_ast z3_variable(struct backend *b, uint32_t index);
Z3_ast z3_number_variable(struct backend *b, uint32_t index);
bool z3_is_float(const struct backend *b, uint32_t index);

// The conjunction of what side_of gives for t and all below it.
Z3_ast z3_sides(struct backend *b, term t,
                Z3_ast (*side_of)(struct backend *b, term t));
Z3_ast z3_and2(struct backend *b, Z3_ast x, Z3_ast y); // either may be NULL

#endif
