// The bugs found in one test: each once, kept as a case, and confirmed by
// following the case again.
#ifndef CASES_FINDINGS_H
#define CASES_FINDINGS_H

#include "base/vec.h"
#include "play/case.h"
#include "cases/confirm.h"

struct finding {
    struct test_case c; // the case; c.bug is the bug
    char id[9];
    const char *path; // of the case, NULL: it could not be kept
    const char *name; // by which commands find it
    uint64_t nth;     // schedule of the search it was found in, 0: unknown
    bool known;       // listed in troupe.known: told, but no failure
    bool expected;    // the test is to show it: likewise
    struct confirmed confirmed;
};

// Does it fail the test: more than a warning, and not known?
bool finding_fails(const struct finding *f);

// What becomes of a finding.  Any member but self may be NULL.
struct findings_sink {
    void *self;
    // Keep the case: fill in path and name; and whether it is known.
    void (*keep)(void *self, struct finding *f);
    void (*tell)(void *self, const struct finding *f);
};

// All zero is empty.
struct findings {
    VEC(struct finding) list;
};

void findings_release(struct findings *f);

// Take a case in text, as subject_tell() makes it: keep it, confirm it, tell.
// Nothing is done about a bug of a kind to be ignored, or found before.
void findings_take(struct findings *f, struct subject *s, const char *text,
                   uint64_t nth, const struct findings_sink *sink,
                   struct arena *a);

// Was a bug found that fails the test?
bool findings_failed(const struct findings *f);
// Did every replay go as its case says?
bool findings_confirmed(const struct findings *f);

#endif
