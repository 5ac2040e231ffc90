// A schedule in words, and following it.
//
//     client#1 deposit<test; server withdraw<client; node#2 timer
//
// Steps are as in play/words.h; "times 3" behind one is the same step three
// times.  A bare class name is its first actor, `env` is the test body.
#ifndef TESTLIB_SCRIPT_H
#define TESTLIB_SCRIPT_H

#include "runtime/solo/solo.h"

#include "base/arena.h"
#include "base/vec.h"
#include "play/words.h"

struct text;

// The program may have changed since the schedule was written, for example
// because the bug was repaired.  A step that is not possible now is put off,
// and the steps after it are tried.  If no step is possible the oldest message
// is received.
struct script {
    struct arena arena;
    VEC(struct words_step) steps;
    VEC(bool) done;         // per step
    bool strict;            // a step that is not possible ends it
    uint32_t at;            // the next step
    uint32_t misfit;        // the first that was not possible, + 1; 0: none
    uint32_t picked;        // answers of the current step already given
    uint32_t current, body; // step + 1 that answers choose(), 0: none
    uint32_t body_picked;
};

// Is it a step of the test body, which goes on by itself?
static inline bool script_passes(const struct words_step *s)
{
    return words_is_body(s) && !words_is_early(s);
}

// Read the words; NULL, or what is wrong, in the script's memory.
const char *script_read(struct script *p, const char *schedule);
void script_free(struct script *p);
// The option that the next step names.  If it is not there: the next one that
// is, or UINT32_MAX if the script is strict.  After the last step: the oldest.
uint32_t script_choose(struct script *p, tr_runtime *r,
                       const struct solo_option *o, uint32_t n);
// Are there receives left that were not made?
bool script_left(struct script *p);
// The answer to choose(n); false if the schedule has none left.
bool script_pick(struct script *p, bool in_body, uint32_t n, uint32_t *pick);
// "step 3, 'server withdraw<client', does not fit; possible: ...", of the first
// that does not.
void script_misfit(struct script *p, tr_runtime *r, const struct solo_option *o,
                   uint32_t n, struct text *to);
// "client#1 deposit<test", "client#1 deposit:2<test" for the second of two in
// flight.
void script_words(tr_runtime *r, const struct solo_option *o, uint32_t twin,
                  struct text *to);
// Which of those options that look alike the i-th is, from 1.
uint32_t script_twin(const struct solo_option *o, uint32_t i);

#endif
