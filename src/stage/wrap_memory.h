// Memory for the program under test, wherever it is asked for.
#ifndef STAGE_WRAP_MEMORY_H
#define STAGE_WRAP_MEMORY_H

#include <stddef.h>
#include <stdint.h>

// The calls have no context argument; whom they serve is told by this address.
#define MEMORY_CALLER ((uintptr_t)__builtin_return_address(0))

// As memalign, for the code at `caller`.  In task code a block of the actor
// that runs.
void *memory_get(size_t size, size_t align, uintptr_t caller);
// As free, for the code at `caller`; `what` names the function in a verdict.
void memory_put(void *p, const char *what, uintptr_t caller);

// In wrap_cxx.c: to be mentioned where that shall be taken along from an
// archive.
extern const char wrap_cxx_here;

#endif
