// Code that a symbolic run does not enter: what it may write.  For answers that
// must hold whatever it does (wide.c, skip.c).
#ifndef SYMEX_WIDE_H
#define SYMEX_WIDE_H

#include "symex/engine.h"

enum { WRITES_MOST = 16 };

// Bytes from `from` to `to` behind a pointer from before the code; `to` 0: the
// whole object.
struct write {
    ir_id root;
    uint64_t from, to;
};

struct writes {
    struct write at[WRITES_MOST];
    uint32_t n;
};

// The pointer from which v was computed by fields and indices.
ir_id root_of(const struct ir_fn *f, ir_id v);
// Where the bytes of an access lie, seen from its root.
struct write extent(const struct ir_fn *f, ir_id v, uint64_t bytes);
// What these blocks write to; false if that cannot be told.  `quiet`: they may
// not send, either.
bool find_writes(const struct sx_run *r, const struct ir_fn *f,
                 const bool *body, bool quiet, struct writes *w);
// From here on nothing is known of what is written.  False: it is not known
// where that is, and nothing has changed.
bool forget_writes(struct sx_run *r, struct sx_state *s, struct writes *w);
term unknown_value(struct sx_run *r, struct ir_type type);
// Is a call of this function, from itself, one of which only the result
// matters, and may that be unknown?
bool wide_recursion(struct sx_run *r, const struct sx_state *s,
                    const struct ir_fn *f);

#endif
