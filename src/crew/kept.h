// A search that has not ended, as bytes for the run directory.
#ifndef CREW_KEPT_H
#define CREW_KEPT_H

#include "crew/crew.h"

struct arena;
struct text;
struct wire_reader;

void crew_kept_put(struct text *t, const struct crew_figures *f,
                   const struct crew_rest *rest);
// What is read lives in a.  False if the bytes are damaged.
bool crew_kept_get(struct wire_reader *in, struct arena *a,
                   struct crew_figures *f, struct crew_rest *rest);

// What has changed since the search was kept, as bytes; and a kept search with
// that change applied.  If the bytes are damaged, nothing is changed.
void crew_change_put(struct text *t, const struct crew_figures *f,
                     const struct crew_change *change);
bool crew_change_apply(struct wire_reader *in, struct arena *a,
                       struct crew_figures *f, struct crew_rest *rest);

#endif
