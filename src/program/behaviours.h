// The behaviours of a class.
#ifndef PROGRAM_BEHAVIOURS_H
#define PROGRAM_BEHAVIOURS_H

#include "base/vec.h"

#include "troupe.h"

struct program;

struct behaviours {
    VEC(const tr_behaviour *) list; // the one it starts in first
};

// List the behaviours of a class.  No table names a behaviour that an actor
// only becomes; it is found by its symbol: CLASS_NAME, with the size of a
// behaviour and that name inside.  Release with vec_free(&out->list).
void program_behaviours(const struct program *p, const tr_class *cls,
                        struct behaviours *out);
// "on", "defer", "ignore".
const char *program_policy(const tr_handler *row);

#endif
