// Which steps may come before a path, as the files that say so share it.
#ifndef REACH_BACKWARD_EXPAND_H
#define REACH_BACKWARD_EXPAND_H

#include "reach/backward/backward.h"

enum { EXPAND_STRANGERS = 6, EXPAND_BINDINGS = 24 };

// Weights of H2: what a step costs beyond its length.
#define NEW_ACTOR 0.3
#define SECOND_HELPING 0.6
#define FILLER 0.8
#define MISSED 0.2 // an event that nothing asks for

struct expanding {
    struct backward *b;
    const struct node *n;
};

// What a step must fulfil: a request, or an actor that it makes; or nothing.
struct must {
    enum bind_kind kind;
    uint32_t to; // IR_NOTHING: nothing
};

struct who {
    uint32_t number; // ACTOR_NONE: a new one
    uint32_t cls;
    bool initial;
};

// ---- try.c: one step ------------------------------------------------------

// A segment of a case as a step of the actor, with all bindings of what it
// sends and makes.
void expand_case(struct expanding *x, struct who who, uint32_t handler,
                 const struct summary_case *c, uint32_t segment,
                 struct must must, double penalty);
// An earlier part of an activation.
void expand_part(struct expanding *x, const struct pending *w);
// The step as the plan says; what is in its way is filled.
void expand_plan(struct expanding *x, struct who who, struct step_plan plan,
                 double penalty);
// The receiver takes a message that would block its channel.
void expand_fill(struct expanding *x, uint32_t actor, uint32_t msg);
bool expand_too_long(struct expanding *x, const struct node *n, bool outside);
// Were the same segments, up to this one, tried as part of an earlier case?
bool expand_repeated(struct backward *b, uint32_t handler, uint32_t i,
                     uint32_t segment);
uint32_t expand_class(const struct node *n, uint32_t actor);
// May the message come from outside; from inside?
bool expand_outside(const struct backward *b, struct who who, uint32_t msg);
bool expand_inside(const struct backward *b, struct who who, uint32_t msg);

// ---- bindings.c -----------------------------------------------------------

struct choosing {
    struct expanding *x;
    const struct summary_case *c;
    struct instance *of; // of a part that waited, NULL: a new activation
    uint32_t segment;
    uint32_t actor;
    struct must must;
    bool spawns; // bind only creations
    struct bindings now;
    uint32_t n;
    struct bindings all[EXPAND_BINDINGS];
};

// All bindings of the segment's effects to what is open.
void expand_choose(struct choosing *g);
// May this effect bring what the request asks for?
bool expand_fits(struct choosing *g, uint32_t effect, const struct request *r);

// ---- writers.c, small.c ---------------------------------------------------

// Steps that change what is demanded.
void expand_writers(struct expanding *x, const bool *core);
// Without H1: the next transition of each handler that is half walked through.
void expand_opened(struct expanding *x);

#endif
