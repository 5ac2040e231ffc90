// Sides that no run can take, because the value that is compared can only be
// one of a few constants: a state of a machine, a flag.
#ifndef UNIT_NEVER_H
#define UNIT_NEVER_H

#include "unit/sides.h"

// If the side can never be taken, whatever the input: the reason, in a, such as
// "its value is one of 0, 1, 3".  Else, or if it is not known, NULL.  Looks at
// phis and selects of constants only.
const char *never_taken(const struct ir *ir, const struct ir_fn *f,
                        const struct side *s, struct arena *a);

#endif
