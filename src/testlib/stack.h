// Where the program was when a signal came, or when it called exit().
#ifndef TESTLIB_STACK_H
#define TESTLIB_STACK_H

#include <stdint.h>

struct program;

// Do once, before signals can come, what is not safe in a signal handler.
void stack_prepare(void);
// The innermost instruction that belongs to the program: the interrupted one,
// or the call that led into a library.  context is the signal handler's, NULL
// outside one; p NULL is the executable.  0 if there is none.
uintptr_t stack_pc(const struct program *p, void *context);
// A timer of the process may interrupt a thread that waits.  Pass the signal on
// to a thread that runs; false if there is none.
int stack_pass_on(int signal);

#endif
