// A case followed once in a process of its own: what came of it, in short.
#ifndef CASES_REPLAY_APART_H
#define CASES_REPLAY_APART_H

#include "cases/subject.h"
#include "play/case.h"

struct replay_outcome {
    bool ran; // false: the process did not get so far; the error says why
    bool fits, complete; // as in struct replay
    uint32_t at;         // the word that did not fit
    const char *why;     // what was possible there
    struct bug bug;      // the first that is no warning; kind BUG_NONE: none
};

// Strings live in the arena.
struct replay_outcome replay_apart(struct subject *s, const struct test_case *c,
                                   struct arena *a, struct diag *d);

#endif
