// Traces of a function through its own control flow graph, to guide symbolic
// execution: each names the sides that a path takes in the function itself.
// What callees do is left open, as are branches to checks (null, division,
// bounds).
#ifndef UNIT_GUIDE_H
#define UNIT_GUIDE_H

#include "symex/symex.h"

struct arena;

struct guide_trace {
    const struct sx_side *sides;
    uint32_t n;
    uint32_t line; // the point it leads to, 0: the end of the function
};

struct guide {
    VEC(struct guide_trace) traces; // shortest first, by point
    bool cut;                       // there are more
};

// All local paths, from the entry to an end, on which each loop turns back at
// most `loop` times.
void guide_local(const struct ir *ir, const struct ir_fn *f, uint32_t loop,
                 struct arena *a, struct guide *out);
// The ways from the entry to code of this line.  False: the function has none.
bool guide_point(const struct ir *ir, const struct ir_fn *f, uint32_t line,
                 uint32_t loop, struct arena *a, struct guide *out);
void guide_free(struct guide *g);

#endif
