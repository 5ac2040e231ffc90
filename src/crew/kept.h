// A search that has not ended, as bytes to be kept.
#ifndef CREW_KEPT_H
#define CREW_KEPT_H

#include "crew/crew.h"

struct arena;
struct text;
struct wire_reader;

void crew_kept_put(struct text *t, const struct crew_figures *f,
                   const struct crew_rest *rest);
// What is read lives in a.  False if the bytes are not what they should be.
bool crew_kept_get(struct wire_reader *in, struct arena *a,
                   struct crew_figures *f, struct crew_rest *rest);

#endif
