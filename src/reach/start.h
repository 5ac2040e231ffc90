// The state in which a search begins: what the setup of a system leaves.
//
// The setup runs once, concretely, on the IR's interpreter, with the init hooks
// of the actors it makes.  Actors are numbered from 1 in the order of their
// making, as the native runtime does; a reference is that number, 0 is nobody.
#ifndef REACH_START_H
#define REACH_START_H

#include "base/arena.h"
#include "base/vec.h"
#include "ir/interp.h"

struct diag;

struct start_actor {
    uint32_t cls, behaviour;
    bool stopped;
    uint64_t state;   // an address of the interpreter
    const char *name; // under which it is exposed; NULL: it is not
};

// A message under way, in the order of the sends.
struct start_flight {
    enum ir_op op;     // SEND, ASK, AFTER or WATCH
    uint32_t from, to; // from 0: the setup itself
    uint32_t msg;
    uint64_t timer; // of AFTER: its number
    const uint8_t *bytes;
};

struct start {
    const struct ir *ir;
    const char *params; // "n=3 m=4", NULL: none given
    struct arena arena;
    struct interp_host host;
    struct interp *interp;
    VEC(struct start_actor) actors; // actor n is at n - 1
    VEC(struct start_flight) flights;
    uint32_t current; // whose code runs
    uint64_t timers;
    const char *failed;
    struct interp_outcome end; // of the setup
};

// False with d set if the setup does not come to its end.
bool start_open(struct start *s, const struct ir *ir, const char *system,
                const char *params, struct diag *d);
void start_close(struct start *s);

// The value of a parameter, `otherwise` where none is given.
int64_t start_param(const struct start *s, const char *name, int64_t otherwise);
// n bytes (16 at most) of an actor's state or of a global, as a number.
bool start_read(const struct start *s, uint32_t actor, uint64_t offset,
                uint32_t n, u128 *out);
bool start_global(const struct start *s, uint32_t global, uint64_t offset,
                  uint32_t n, u128 *out);

#endif
