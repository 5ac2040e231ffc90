// A written test is built and run with both compilers before it is reported: by
// clang so that locals nobody sets hold something else than zeros.
#ifndef UNIT_VERIFY_H
#define UNIT_VERIFY_H

#include "base/vec.h"

#include <stdbool.h>
#include <stdint.h>

struct arena;
struct unit_options;

enum verify_outcome {
    VERIFY_PASSED,
    VERIFY_FAILED, // `failed` has the tests
    VERIFY_UNBUILT // `why` has the compiler's words
};

struct verified {
    enum verify_outcome outcome;
    VEC(const char *) failed;
    const char *why;
    const char *warned; // the first warning, NULL: none
    uint32_t compilers; // that built it
};

// path is the file as it will be included from its folder.  With sanitized it
// is built and run once more, with a sanitizer.
void verify(struct arena *a, const struct unit_options *o, const char *path,
            bool sanitized, struct verified *out);
void verified_free(struct verified *v);
// Is cmocka there?
bool verify_possible(struct arena *a);

#endif
