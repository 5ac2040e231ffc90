// How far a comparison is from its other outcome.
#ifndef REACH_DISTANCE_H
#define REACH_DISTANCE_H

#include "ir/ir.h"

#define HUGE_DISTANCE 1e300

// Each returns whether the comparison holds, and how much is missing for it to
// turn out otherwise: by value, and by bits that differ.
bool distance_numbers(enum ir_op op, uint32_t bits, uint64_t a, uint64_t b,
                      double out[2]);
bool distance_floats(uint32_t mask, double a, double b, double out[2]);
bool distance_texts(enum ir_text how, const char *a, const char *b, size_t n,
                    double out[2]);

#endif
