// troupe.known: bugs that are shown and do not fail, a file beside troupe.ini
// to be committed.
//
//     # a comment
//     7f3a91c2 deposit_then_withdraw assertion: 'self->balance >= 0' failed
#ifndef CLI_KNOWN_H
#define CLI_KNOWN_H

#include "base/vec.h"

#include <stdbool.h>
#include <stdio.h>

struct arena;
struct bug;
struct config;
struct diag;
struct findings;
struct test_case;

struct known_bug {
    char id[9];
    const char *test;
    const char *text; // kind and words
};

// All zero is empty.
struct known {
    VEC(struct known_bug) list;
};

// Where the file is, or would be.
const char *known_path(const struct config *c, struct arena *a);
// Read it; nothing if there is none.  False with a position in *d.
bool known_read(struct known *k, const char *path, struct arena *a,
                struct diag *d);
// Is the bug of a case known, by its id or by the one it had with the line's
// number?
bool known_is(const struct known *k, const struct test_case *c);
// The known bug of a test with these words, or NULL: what a native run says of a
// failure has no id.
const struct known_bug *known_by_words(const struct known *k, const char *test,
                                       const struct bug *b);
// Is a bug of this test known?
bool known_of_test(const struct known *k, const char *test);
// Say which known bugs of a test are gone, all of whose schedules were seen.
void known_tell_gone(const struct known *k, const char *test,
                     const struct findings *f, FILE *to);

#endif
