// An error to be told to the user, with the exit status it leads to.
//
// A function that can fail for the user's reasons takes a struct diag, notes
// the error there and returns false or NULL.  The first error is kept.
#ifndef BASE_DIAG_H
#define BASE_DIAG_H

#include "base/exits.h"

#include <stdbool.h>
#include <stdio.h>

struct diag {
    int status; // enum exit_status; 0: nothing wrong
    char *text; // "file:line: error: what" or "error: what"
    char *hint; // what to do about it, or NULL
    bool later; // another error came later: hints are now about the later one
};

// Note an error and return false.  Without a file there is no position; line 0
// is an unknown line.
bool diag_set(struct diag *d, int status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
bool diag_at(struct diag *d, int status, const char *file, int line,
             const char *format, ...) __attribute__((format(printf, 5, 6)));
// What to do about the error that was noted last.
void diag_hint(struct diag *d, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
// An error that was shown already, such as the compiler's own words.
bool diag_shown(struct diag *d, int status);
// Print what was noted and return the exit status.
int diag_print(const struct diag *d, FILE *to);
void diag_free(struct diag *d);

#endif
