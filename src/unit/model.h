// From a path of the engine to an input: the objects that its model names, with
// what the path looked at in them.
#ifndef UNIT_MODEL_H
#define UNIT_MODEL_H

#include "symex/symex.h"
#include "unit/input.h"
#include "unit/subject.h"

struct model_of {
    const struct unit_subject *s;
    const struct ir_fn *f;
    struct sx_run *run;
    struct terms *ts;
    const struct sx_path *path;
    const struct model *model; // the path's, made plain
};

// False if the input cannot be laid out natively: *why.
bool model_input(const struct model_of *m, struct arena *a, struct input *out,
                 const char **why);

#endif
