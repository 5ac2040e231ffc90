// The C text beside the source under test: a thunk for each function, which
// calls it with arguments from memory, stubs for what is missing, and what the
// program calls in place of malloc, free and the like.
#ifndef UNIT_THUNKS_H
#define UNIT_THUNKS_H

#include <stdbool.h>

struct arena;
struct args;
struct diag;
struct ir;
struct unit_options;
struct unit_subject;

// Finds the stubs and callbacks of the subject, too.  False with *d set.
bool thunks_write(struct arena *a, const struct unit_options *o,
                  const struct ir *ir, const char *path, struct unit_subject *s,
                  struct diag *d);
// The stubs are no part of what is translated: there these functions have no
// code, and their results are inputs.
bool thunks_write_stubs(const struct ir *ir, const char *path,
                        const struct unit_subject *s, struct diag *d);
// What the linker is told.
void thunks_wrap(struct arena *a, struct args *argv);

#endif
