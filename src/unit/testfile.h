// The file with the tests of a function, for cmocka: plain C that needs nothing
// of ours.
#ifndef UNIT_TESTFILE_H
#define UNIT_TESTFILE_H

#include <stdbool.h>
#include <stdint.h>

struct arena;
struct call_case;
struct diag;
struct text;

struct testfile {
    const char *path;      // of the file to write, relative to here
    const char *source;    // relative to here
    const char *include;   // the source, as the file includes it
    const char *command;   // how to compile and run it
    const char *sanitized; // likewise, with a sanitizer
    bool has_main;
    bool remembers; // the source keeps something from call to call
    const struct call_case *const *calls; // all of one function
    uint32_t n;
    const char *const *notes; // said at the top: what was left out, and why
    uint32_t n_notes;
};

// The whole text; its first line has the hash of the rest.
void testfile_print(const struct testfile *f, struct text *to);
// A line with the hash of the rest, then the rest.
void testfile_sign(const struct text *rest, struct text *to);

// Write the text.  A file that was edited by hand is kept: the text then goes
// beside it, and *path is where.  False with *d set.
bool testfile_write(struct arena *a, const struct text *t, const char **path,
                    struct diag *d);

// From a folder to a file, both relative to here: "../src/list.c".  In a.
const char *testfile_relative(struct arena *a, const char *folder,
                              const char *file);

#endif
