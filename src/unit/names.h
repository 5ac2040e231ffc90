// The name of a test, and the comment above it.
#ifndef UNIT_NAMES_H
#define UNIT_NAMES_H

#include "unit/search.h"

// Name a case after what it adds to those before it, and tell its decisions.
void names_of(struct arena *a, const struct sides *sides,
              const struct side_result *before, struct unit_case *c);
// Change names of one file that are equal.
void names_unique(struct arena *a, struct unit_case *cases, uint32_t n);

#endif
