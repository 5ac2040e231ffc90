// Calls under a sanitizer: errors that a plain run of a call does not show,
// with their lines.
#ifndef UNIT_SANITIZED_H
#define UNIT_SANITIZED_H

#include <stdbool.h>
#include <stdint.h>

struct arena;
struct call_case;
struct text;
struct unit_options;

enum sanitized_checks {
    SANITIZED_MEMORY = 0,   // accesses and indices
    SANITIZED_OVERFLOW = 1, // signed overflow, too
    SANITIZED_ALL = SANITIZED_OVERFLOW
};

// What is reported of a call.
struct sanitized {
    const char *kind;  // "bounds", "freed", "null", "overflow", ...; "nonnull":
                       // a null pointer is passed where none may be, be it
                       // with no bytes.  NULL: nothing
    const char *file;  // the first frame that is no sanitizer's nor libc's, as
    uint32_t line;     // it was compiled; NULL, 0: unknown
    uint32_t column;   // 0: unknown
    const char *words; // of the sanitizer: "stack-buffer-overflow"
};

// Fill out[0..n) for calls of one function.  False: there is no sanitizer, or
// the calls cannot be built with it.
bool sanitized_calls(struct arena *a, const struct unit_options *o,
                     bool has_main, enum sanitized_checks checks,
                     const struct call_case *const *calls, uint32_t n,
                     struct sanitized *out);

// The compiler that has the sanitizer, NULL: none; its flags, separated by
// blanks.
const char *sanitized_compiler(struct arena *a);
const char *sanitized_flags(enum sanitized_checks checks);

#endif
