// A case made again natively: does the program still do what the case says?
//
// The answer is a value: the outcome, the bug that showed, the execution step
// by step and the race behind it.  It can be put into bytes, so a child process
// makes it and its parent shows it.
#ifndef CASES_CONFIRM_H
#define CASES_CONFIRM_H

#include "base/arena.h"
#include "play/play.h"

#include <stdbool.h>
#include <stdint.h>

struct diag;
struct subject;
struct test_case;

enum confirm_outcome {
    CONFIRM_SAME,   // as the case expects
    CONFIRM_PASSES, // the case expects a bug, and there is none
    CONFIRM_OTHER,  // a bug, but not the one that the case expects
    CONFIRM_MISFIT, // the case cannot be followed
    CONFIRM_LOST,   // the process that followed it died, or never began
};

// Two messages to one actor.
struct trace_swap {
    uint32_t first, second; // in the trace; second may be PLAY_NONE: unreceived
    uint32_t waiting;       // then: number of the send still in flight
};

// Two steps of one actor whose order decides.
struct trace_race {
    bool known;
    struct trace_swap pair;
    const struct trace_swap *others; // that make it pass, too; earliest first
    uint32_t n_others;
    const char *unsent; // or what was not sent yet: "a (from sender#1)"
    uint32_t more;      // other messages that had to come before the first
    bool other_passes;  // the other way round was run, and passed
};

// How a case is followed.
enum confirm_how {
    CONFIRM_STRICTLY, // each step must fit, and nothing else is done
    CONFIRM_LOOSELY,  // as far as it fits, then on to the end
};

// All zero is empty.  Strings live in the arena.
struct confirmed {
    enum confirm_outcome outcome;
    bool interrupted;    // with CONFIRM_LOST: there was no time for it
    bool found;          // a bug showed:
    struct bug bug;      // it is this one
    struct trace *trace; // the execution, as far as the case could be followed
    struct trace_race race;
    struct trace *passes; // the race the other way round; NULL: none is known
    const char *why; // NULL, or a step does not fit: what was possible there
    uint32_t at;     // then: its index in the case
    struct arena arena;
};
void confirmed_release(struct confirmed *c);

// The bug in a replay of the case: the one that it expects, else another that
// is more than a warning; NULL if there is none.
struct replay;
const struct bug *confirm_bug(const struct test_case *c,
                              const struct replay *r);

// Follow a case in this process, in which the subject is open.
void confirm_here(struct subject *s, const struct test_case *c,
                  enum confirm_how how, struct confirmed *out);
// Follow it in a child of its own, with handlers in yet another process.
// *d says why where the outcome is CONFIRM_LOST.
void confirm_apart(struct subject *s, const struct test_case *c,
                   enum confirm_how how, struct confirmed *out, struct diag *d);

#endif
