// Toy plays: small actor programs as C functions over short tuples.
//
// A toy stands behind a play in place of the stage, so that the engines can be
// tested, and measured, without compiled programs.  A state is an actor's
// class, flags, births, pending timers and up to TOY_VALUES numbers; a message
// is a type and a few numbers.  A number may name an actor: TOY_REF(actor). The
// programs are those whose counts are known from brute force, some for timers,
// choices and bodies in several segments, and random ones.
#ifndef TEST_TOY_H
#define TEST_TOY_H

#include "play/play.h"

#include <stdbool.h>
#include <stdint.h>

enum { TOY_VALUES = 40, TOY_IN = 4, TOY_TIMERS = 3, TOY_OUT = 64 };

#define TOY_REF(actor) ((int16_t)(0x4000 | (actor)))
#define TOY_ACTOR(value) ((uint32_t)((value)&0x3fff))
#define TOY_IS_REF(value) (((value)&0x4000) != 0)

struct toy;

// A tuple; hashed and compared up to n.
struct toy_state {
    int16_t actor, cls, flags, born, n_timers, timers[TOY_TIMERS];
    int16_t set, names[TOY_TIMERS]; // timers set so far; names of those pending
    int16_t n, v[TOY_VALUES];
};

struct toy_message {
    int16_t type, n, v[TOY_IN];
};

// One handler run: what it sees, and through toy_*() what it does.
struct toy_run {
    struct toy *toy;
    const int *param; // of the program
    uint32_t self;
    struct toy_state st; // a handler changes v and n
    struct toy_message in;
    // body only: the states of all actors, NULL where not born
    const struct toy_state *const *all;
    uint32_t n_all;
    // private
    uint32_t from;
    const uint16_t *picks;
    uint32_t n_picks, used_picks;
    struct effect *out;
};

typedef void toy_handler(struct toy_run *r);

uint32_t toy_spawn(struct toy_run *r, int cls, int n, const int *values);
// Likewise, and what `init` does, at once, is done by the new actor.
uint32_t toy_spawn_with(struct toy_run *r, int cls, int n, const int *values,
                        toy_handler *init);
void toy_send(struct toy_run *r, uint32_t to, int type, int n,
              const int *values);
// Who sent the message.
uint32_t toy_sender(struct toy_run *r);
// A number below n, explored.
uint32_t toy_choose(struct toy_run *r, uint32_t n);
// After this the actor absorbs what it gets.
void toy_crash(struct toy_run *r, const char *text);
void toy_stop(struct toy_run *r);
// Later a message of this type: not before those of such timers set earlier;
// or at any time, whatever other timers there are.
void toy_timer(struct toy_run *r, int type);
void toy_timer_free(struct toy_run *r, int type);
// For bodies: call the body again when all is quiet, or after one receive.
void toy_drain(struct toy_run *r);
void toy_one(struct toy_run *r);

// A program: class 0 is the body, called for every segment with st.v[0] the
// number of the segment; received messages go to `env` if there is one.
struct toy_program {
    const char *name;
    toy_handler *body, *env;
    toy_handler *classes[6]; // from class 1
    const char *names[6];
};

// A toy with the named program, NULL if there is none.  limit as in play_new().
struct toy *toy_new(const char *name, int a, int b, int c, int d);
struct toy *toy_new_limit(const char *name, int a, uint64_t limit);
void toy_free(struct toy *t);
// The play in front of it.
struct play *toy_play(const struct toy *t);

// Parts of random programs.
enum {
    TOY_BIRTHS = 1,
    TOY_USE_TIMERS = 2,
    TOY_PICKS = 4,
    TOY_CRASHES = 8,
    TOY_DRAINS = 16,      // body in several segments, messages to the body
    TOY_INITS = 32,       // new actors begin with a step of their own
    TOY_FREE_TIMERS = 64, // with timers: some that wait for no other
    TOY_ALL = 127
};

// A random program; the same seed gives the same program.
struct toy *toy_new_random(uint64_t seed, unsigned parts);

#endif
