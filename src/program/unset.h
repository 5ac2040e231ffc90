// Local variables that may be used before they are set, as the compiler says.
//
// On the stage such a variable is zero, so a verdict is weaker for it.  The
// places stand in a section of the built object, since a compiler is not asked
// again for what is in the cache.
#ifndef PROGRAM_UNSET_H
#define PROGRAM_UNSET_H

#include "base/text.h"

#include <stdint.h>

struct arena;

#define UNSET_SECTION "tr_unset"

struct unset {
    struct text places; // "bank.c:12, bank.c:30"
    uint32_t n;
};

// Add the places that a compiler warns of.
void unset_read(const char *said, struct unset *to);
// A source with the section, in this folder; NULL if there are no such places.
const char *unset_source(struct arena *a, const struct unset *u,
                         const char *folder);

#endif
