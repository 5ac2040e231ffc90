// A play over compiled code: one test of a loaded program.
//
// Handlers run inside this process, each in its actor's region (region.h), and
// come back as effects.  The caller must be prepared to lose the process: a
// program may smash what it likes.  What went wrong short of that is a verdict
// in the effect, and after one that may have left the C library in disorder
// native_tainted() says so: finish what is under way, then go on in a new
// process.
//
// With .isolated handlers run in a process apart, which is replaced when it is
// lost: what they do to memory that is not theirs is a verdict as well.
//
// One native at a time in a process: handlers find it through a global, since
// their malloc() has no context argument.
#ifndef STAGE_NATIVE_H
#define STAGE_NATIVE_H

#include "play/play.h"
#include "program/program.h"

#include "troupe.h"

struct diag;
struct native;
struct text;
struct values;

// A message to a receptionist of a system, after its setup.
struct native_post {
    const char *to; // the name it is exposed under
    const char *msg;
    const char *fields; // as values_parse() reads them
    uint32_t times;
};

struct native_options {
    const char *test;                // a test or a system of the program
    const struct native_post *posts; // what the body does then; copied
    uint32_t n_posts;
    const char *params; // "n=3 m=4", NULL: none
    uint32_t limit_ms;  // CPU time of one handler run, made again with ten
                        // times of it before it is believed; 0: 100
    bool shared;        // actors share the program's globals
    bool own_clocks;    // each actor has a clock of its own
    bool alloc_fails;   // each allocation is a choose(2): 1 if it fails
    uint32_t ticks;     // how often a timer that is set again and again may
                        // fire before it rests; 0: as often as it likes
    bool unchecked;     // no run is repeated to look for nondeterminism
    bool isolated;      // handlers run in a process of their own
    bool scattered;     // blocks and actors in another order of addresses
    bool explained;     // bugs tell the values at the failure, which takes long
};

// NULL with *d set if there is no such test.  Borrows the program.
struct native *native_open(const struct program *program,
                           const struct native_options *options,
                           struct diag *d);
void native_close(struct native *n);

// For play_new(native_ops(n), n, limit).
const struct play_ops *native_ops(const struct native *n);
bool native_tainted(const struct native *n);

// ---- for reports ----------------------------------------------------------

// The label that the program gave an actor, NULL if none.
const char *native_label(struct native *n, uint32_t actor);
// The behaviour an actor rests in, NULL if none.
const tr_behaviour *native_behaviour(struct native *n, uint32_t state);
// "deposit {.amount = 50}", "{.balance = 100}", "balance 100 -> 150".
void native_message_text(struct native *n, uint32_t msg, struct text *out);
void native_state_text(struct native *n, uint32_t state, struct text *out);
void native_diff_text(struct native *n, uint32_t before, uint32_t after,
                      struct text *out);
// All actors of a final state, as program/final.h has it; states[i] is that of
// actor i, PLAY_NONE if there is none.
void native_final_text(struct native *n, const char *test,
                       const uint32_t *states, uint32_t k, struct text *out);
// The i-th wait of an actor: the actor it asked (PLAY_NONE: a condition) and
// the name of the request (NULL likewise).  False if there is none.
bool native_waits(struct native *n, uint32_t state, uint32_t i, uint32_t *asked,
                  const char **request, bool *holds);
// Where in the source that is; all zero if unknown.
struct where native_waits_at(struct native *n, uint32_t state, uint32_t i);
// Where the program's code goes on when this state receives the message: the
// entry of a handler, or a task that waits for it (*resumes).  0 if no code
// runs, or that is not known.
uintptr_t native_next_pc(struct native *n, uint32_t state, uint32_t msg,
                         bool *resumes);
// The i-th message it keeps for another behaviour; PLAY_NONE if there is none.
uint32_t native_kept(struct native *n, uint32_t state, uint32_t i);
// The same of what waits until a task that holds the actor goes on.
uint32_t native_held(struct native *n, uint32_t state, uint32_t i);
// The message that the k-th timer that may fire in a state brings, and to whom;
// PLAY_NONE if it only ends the patience of an ask.
uint32_t native_timer(struct native *n, uint32_t state, uint32_t k,
                      uint32_t *to);
// The request of the ask that it ends then, and who was asked; else NULL.
const char *native_limit(struct native *n, uint32_t state, uint32_t k,
                         uint32_t *asked);
// Parameters that the runs so far asked for, by index; NULL: none.
const char *native_asked(struct native *n, uint32_t i, int64_t *otherwise);

#endif
