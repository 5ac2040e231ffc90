// One call of the tool: its command, options, words, configuration, and what
// commands share: building the program, choosing tests, writing results.
#ifndef CLI_SESSION_H
#define CLI_SESSION_H

#include <stdbool.h>
#include <stdio.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/vec.h"
#include "cli/known.h"
#include "cli/shell/config.h"
#include "cli/shell/options.h"

struct command;
struct json;
struct program;
struct test_case;
struct text;
struct tr_test;

// The compiler that built the tool.
#ifdef __clang__
#define BUILT_BY __VERSION__
#else
#define BUILT_BY "gcc " __VERSION__
#endif

// A bug whose report was printed, and of which test.
struct told_bug {
    const char *id, *test;
};

struct session {
    struct arena arena;
    const struct command *command;
    struct options *options;
    struct config config;
    char **argv;       // the whole command line
    struct args words; // operands
    struct args flags; // behind --, for the compiler
    struct diag diag;
    // Filled by session_program: the words that are files, and the others.
    struct args inputs, names;
    struct program *program;
    struct known known;        // bugs of troupe.known, empty with --with-known
    VEC(struct told_bug) told; // bugs whose reports were printed
    bool told_json;            // the result in JSON was written
};

// Compile what the words name, or what troupe.ini names under [build]
// program, and load it.  NULL with diag set if that fails.  The session's.
struct program *session_program(struct session *s);
// The parts of it.  Tell words that name files from the others; false with diag
// set if there is no program.  And compile these files, and load what came of
// it.
bool session_inputs(struct session *s);
const char *session_build(struct session *s, const struct args *inputs);
// The same with another value than zero in local variables that are not set,
// without a word of the compiler; NULL if it fails.
const char *session_build_filled(struct session *s, const struct args *inputs);
struct program *session_load(struct session *s, const struct args *inputs);

struct tests {
    const struct tr_test **at; // as in VEC
    uint32_t n, cap;
};

// Functions the program calls that the stage does not control, "open, unlink";
// NULL if there are none.  And a warning of them, on stderr.
const char *session_uncontrolled(struct session *s);
void session_warn(struct session *s);

// The program's tests that names and --filter choose, all if there are none.
// False, with diag set, if nothing is chosen or a name is unknown.
bool session_tests(struct session *s, struct tests *out);

// The setup of a system as a test, NULL if there is none of this name.
const struct tr_test *session_system(struct session *s, const char *name);
// As session_tests, but names may be those of systems, and all systems are
// chosen where there is no test.
bool session_subjects(struct session *s, struct tests *out);

// The options as they are for one test: [test.NAME] of the configuration
// counts too.  To be freed with options_free.
struct options *session_options_for(struct session *s, const char *test);

// "n=10 m=4" from --param; the session's.
const char *session_params(struct session *s, const struct options *o);

// How the program is built, as a case says it.
void session_case(struct session *s, struct test_case *c);

// Colour on this stream?
bool session_colour(const struct session *s, FILE *to);
// Annotations for GitHub?
bool session_github(const struct session *s);

// The first members of every result in JSON: the schema it follows, the
// command, the version.
void session_json_head(const struct session *s, struct json *j);
// Where words for people go: stdout, unless a result in JSON or TAP goes there.
FILE *session_say(const struct session *s);
// A result in JSON, if one was asked for: an object with the first members, to
// be ended.  The end writes and frees t; false with diag set.
bool session_json_begin(const struct session *s, struct json *j,
                        struct text *t);
bool session_json_end(struct session *s, struct json *j);
// Is no option given that does not go with a result in JSON?  False with diag
// set.
bool session_json_without(struct session *s, const enum option_id *ids,
                          size_t n);
// Can the files be written that the options name?  False with diag set.
bool session_can_write(struct session *s);
// After an error: a result in JSON that says so, if one was asked for and none
// was written.
void session_json_error(struct session *s);
// Write a result to a file, - is stdout; false with diag set if it fails.
bool session_write(struct session *s, const char *path, const struct text *t);

#endif
