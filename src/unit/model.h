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
    const struct model *model;     // the path's, made plain
    const struct input *signature; // input_signature() of f
};

// False if the input cannot be laid out natively: *why.
bool model_input(const struct model_of *m, struct arena *a, struct input *out,
                 const char **why);

// Let pointers be other than null, as far as the path allows; with `numbers`,
// let numbers be other than zero, too.  Then no null that comes later hides
// what goes wrong on the path, and no memory has no bytes.  *to must satisfy
// the path, and does so afterwards.
void model_fill(const struct model_of *m, struct model *to, bool numbers);
// Let enumerations have a value with a name where the path allows one, else the
// one behind the last.
void model_name(const struct model_of *m, struct model *to);

#endif
