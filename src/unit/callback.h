// Callbacks: functions that a test passes where the program takes a pointer to
// a function, but has no function of that type.
//
// The shared object has a callback for each such type.  A callback asks for its
// result as a stub does, under a name of its own (callback_name()).
#ifndef UNIT_CALLBACK_H
#define UNIT_CALLBACK_H

#include "ir/ir.h"
#include "unit/subject.h"

struct text;

// Types of pointers to functions that no function of the program has.  Strings
// live in a.
void callbacks_find(const struct ir *ir, struct arena *a,
                    struct unit_subject *s);
// Their definitions, for the file with the thunks, and a table of them and of
// those of the program's own functions that have the type of some pointer: a
// pointer can lead to a function whose address is taken.  unit_address_NAME()
// tells it: the function may be static.
void callbacks_print(const struct ir *ir, const struct unit_subject *s,
                     const struct ir_fn *const *own, uint32_t n_own,
                     struct text *to);
// If a callback asks for its result under this name: the name of the callback,
// else NULL.
const char *callback_name(const char *stub);
const struct unit_callback *callback_of(const struct unit_subject *s,
                                        const char *stub);

#endif
