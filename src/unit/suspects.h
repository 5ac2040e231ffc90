// Cases that may go wrong without an end by a signal: an overrun of a local, of
// a variable or of memory from malloc().  A sanitizer decides.
#ifndef UNIT_SUSPECTS_H
#define UNIT_SUSPECTS_H

#include "unit/search.h"

// Which of these go wrong: wrong[i], and then the case has become one that a
// sanitizer reports.  A case that the engine expects to trap must be reported
// with that kind and line, others that return may be reported with any.
// False: there is no sanitizer.
bool suspects_settle(const struct unit_subject *s, struct arena *a,
                     struct unit_case *const *cases, uint32_t n, bool *wrong);

// Can a function, or what it calls, go wrong in silence?
bool suspects_possible(const struct ir *ir, const struct ir_fn *f);

#endif
