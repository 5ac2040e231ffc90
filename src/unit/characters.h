// Characters that a run told one by one, joined to one text for a reader.
#ifndef UNIT_CHARACTERS_H
#define UNIT_CHARACTERS_H

#include "cases/call.h"

// Elements "p[0]", "p[1]", ... that are characters become one value "p" of kind
// CALL_TEXT with these bytes.  Returns how many values are left.
uint32_t characters_merge(struct arena *a, struct call_value *values,
                          uint32_t n);

#endif
