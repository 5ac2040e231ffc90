// A test that is being written: the actors and the memory that it sets up.
#ifndef UNIT_TASK_WRITER_H
#define UNIT_TASK_WRITER_H

#include "base/text.h"
#include "ir/eval.h"
#include "unit/places.h"
#include "unit/task/task.h"

enum { ACTORS_MOST = 64, OBJECTS_MOST = 64, FIELDS_MOST = 400 };

struct cast { // an actor that the body creates
    uint32_t number, cls, behaviour;
    uint32_t given; // index of its SX_SELF cells, IR_NOTHING: none
    uint32_t actor; // in the scene, IR_NOTHING: it gets no message
    const char *name;
    const char *words; // "a#1"
    bool own_class;
    bool gone;   // it has stopped before
    bool linked; // references to actors that are created later come by a
                 // message of the test's own
    bool done;   // it was created
};

struct thing { // memory behind a pointer
    uint32_t number, type;
    uint64_t size;
    uint32_t owner; // cast whose heap it is in, IR_NOTHING: static
    const char *name;
};

struct writer_link { // a cell of a linked actor that comes by a message
    uint32_t cast, cell;
};

struct writer {
    const struct task_path *p;
    const struct ir *ir;
    struct arena *a;
    const char **why;
    const char *test; // its name
    bool said;        // values are for a reader, not for the compiler
    struct cast casts[ACTORS_MOST];
    uint32_t n_casts;
    struct thing things[OBJECTS_MOST];
    uint32_t n_things;
    VEC(const char *) names; // taken
    // Actors that an init refers to: their numbers.
    bool in_init;
    VEC(uint32_t) shared;
    VEC(struct writer_link) links;
};

u128 writer_value(const struct writer *w, term t);
// Note why the test cannot be written; returns false.
bool writer_fails(const struct writer *w, const char *why);
// Frees the arrays, not the arena.
void writer_release(struct writer *w);

// Find the actors and the memory of the path; false if a test cannot have them.
bool writer_gather(struct writer *w);
// NULL if there is none of this number.
struct cast *writer_cast(struct writer *w, uint32_t number);
struct thing *writer_thing(struct writer *w, uint32_t number);
// The object that a reference means.
uint32_t writer_number(const struct writer *w, uint32_t ref);
// The value of a reference as C; NULL: it is zero, or (*ok false) cannot be
// said. owner: the actor in whose state or heap it is, IR_NOTHING: a message.
const char *writer_cell(struct writer *w, const struct sx_cell *c,
                        uint32_t owner, bool *ok);
// A number as C; true and false where the type is bool.
void writer_literal(const struct writer *w, uint32_t type, uint32_t bits,
                    union ir_bits v, struct text *to);
// By what an init knows an actor.
const char *writer_shared(struct writer *w, const struct cast *x);
// The class that an actor is created with.
const char *writer_class(struct writer *w, const struct cast *c);
// Move the text to the writer's arena; *t is freed.
const char *writer_take(struct writer *w, struct text *t);

// ---- fields.c -----------------------------------------------------------

// What the cells of an object hold.
struct writer_fields {
    enum sx_from from;
    uint32_t index; // as in sx_place; SX_CELL: number of the object
    uint32_t type;  // of an element
    uint64_t size;
    uint32_t owner; // as for writer_cell()
    bool texts;     // arrays of characters may be told as texts
    // References that are set elsewhere, NULL: none.
    bool (*skips)(struct writer *w, uint32_t owner, const struct sx_cell *c);
};
typedef void writer_each(void *self, uint64_t element, const char *path,
                         const char *value);
// Each field that is not zero, in order; false: it cannot be said.
bool writer_fields(struct writer *w, const struct writer_fields *of,
                   writer_each *each, void *self);
// How many elements of an array of characters begin with the first of n places,
// 0: no such array does.
uint32_t writer_characters(const struct writer *w, const struct place *at,
                           uint32_t n);
// ".n = 1, .ft = 2" of the state of an actor, or of a message, each with a
// comma before it.
bool writer_list(struct writer *w, const struct writer_fields *of,
                 struct text *t);

// ---- tell.c -------------------------------------------------------------

// Write the end of the body, which waits and checks the answer and the states;
// returns the same for a reader.
const char *tell_result(struct writer *w, struct text *body);
// The order of receives in words.
const char *tell_steps(struct writer *w);
// What the handler decides; the name of the side that tells the case apart.
const char *tell_decisions(struct writer *w, struct text *name);
const char *tell_name(struct writer *w, const struct text *side);

#endif
