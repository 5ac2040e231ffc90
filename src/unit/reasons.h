// Why sides that no case takes are not: infeasible, or open and what stopped the
// search.
#ifndef UNIT_REASONS_H
#define UNIT_REASONS_H

#include "unit/engine.h"
#include "unit/search.h"

struct reasons {
    const struct unit_subject *s;
    struct arena *a;
    const struct ir_fn *f;
    const struct search_options *o;
    struct unit_result *out;
    const struct engine_result *engine;
    const char *const *never; // by side, as of never.h
};

// After the cases were chosen.
void reasons_say(const struct reasons *w);

#endif
