// Switching stacks: what a suspended handler is made of.
#ifndef RUNTIME_SWITCH_H
#define RUNTIME_SWITCH_H

#include <stdbool.h>

// Save the callee-saved registers on the current stack, store the stack
// pointer in *save, and go on where `to` was saved (or prepared).
void tr__switch(void **save, void *to);

// Lay a first frame on an empty stack that ends below `top`, so that switching
// to the result calls fn(arg); fn must never return.  The frame is all zero
// but for fn and arg: nothing of the caller leaks into it.
void *tr__switch_prepare(void *top, void (*fn)(void *), void *arg);

// Does the suspended stack, where it was saved, have other floating-point
// control words (rounding, traps) than those it began with?
bool tr__switch_rounds(const void *saved);

#endif
