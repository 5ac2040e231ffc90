// The programs of toy.c.
#ifndef TEST_TOY_PROGRAMS_H
#define TEST_TOY_PROGRAMS_H

#include "toy/toy.h"

// NULL if there is none of that name.
const struct toy_program *toy_program_named(const char *name);

// The table of a random program, malloc'ed, and the program that follows it.
void *toy_random_table(uint64_t seed, unsigned parts,
                       const struct toy_program **program);
// The table of the running toy.
const void *toy_table(const struct toy_run *r);

#endif
