// What the files of the engine share: one run over a function.
#ifndef UNIT_ENGINE_RUN_H
#define UNIT_ENGINE_RUN_H

#include "unit/engine.h"

struct engine {
    const struct unit_subject *s;
    const struct ir_fn *f;
    const struct sides *sides;
    const struct engine_options *o;
    struct arena *a;
    struct engine_result *out;
    struct terms *ts;
    struct solver *solver;
    struct symex *x;
    struct sx_run *run;
    uint8_t *taken;  // by side
    uint8_t *unsure; // by side: taken by paths that read what nobody wrote
    struct input signature;
    const char *unnamed; // why that cannot be written, NULL: it can
    VEC(uint64_t) traps; // function and instruction of those found
    double begin, end, slice;
    double least; // processor time that is not over yet, whatever the slice
    uint32_t loop;
    bool returned;           // some path did
    bool unknown;            // a question of this run was not answered
    bool apart;              // the cases of callees are not joined
    struct sx_hints hints;   // what pointers may be,
    uint32_t known;          // and how many of those this run began with
    struct sx_counts before; // of the run that did
};

// Say once what stopped it.
void engine_note(struct engine *e, const char *text);

// ---- a path (engine_path.c) -------------------------------------------------

// Each place once; where a parameter may be null, once more for other reasons.
bool engine_is_new_trap(struct engine *e, const struct sx_path *p);
// Does it end where the source says so?
bool engine_is_written(const struct sx_path *p);
bool engine_takes_new_side(struct engine *e, const struct sx_path *p);
// Its inputs, with values as plain as its conditions allow.
void engine_take_path(struct engine *e, const struct sx_path *p);
// With classes: what the path follows is kept apart and together as they say.
void engine_take_model(struct engine *e, const struct sx_path *p,
                       const uint32_t *classes, const struct model *from);
// Count the path.  Is it worth a case?
bool engine_look_at(struct engine *e, const struct sx_path *p);

// ---- runs (engine.c) --------------------------------------------------------

void engine_set_goals(struct engine *e);
// A question about joined cases can be too hard where those about each of them
// are not: begin again, with the cases apart.  False: they were not joined.
bool engine_begin_apart(struct engine *e);

// ---- lists (engine_list.c) --------------------------------------------------

// One bound after the other, each going on with what was cut.
void engine_list_all(struct engine *e);
// The first path of each trace.
void engine_follow_traces(struct engine *e);

#endif
