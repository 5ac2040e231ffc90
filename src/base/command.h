// Other programs: argument lists, where they are, running them.
#ifndef BASE_COMMAND_H
#define BASE_COMMAND_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/vec.h"

struct arena;
struct text;

// An argument list; the strings are somebody else's.
struct args {
    const char **at; // as in VEC(const char *)
    uint32_t n, cap;
};

// Add the words of a command, as in CC="ccache gcc": separated by blanks, with
// a shell's quotes and backslashes, and nothing else of a shell.
void args_split(struct args *a, struct arena *arena, const char *words);

// Is this one word to a shell as it stands?
bool command_is_plain(const char *word);
// Add the word as a shell reads it, with quotes if they are needed.
void command_add_word(struct text *to, const char *word);

// The tool as it was called, for commands that are printed for the user to
// type: build/troupe, or troupe if it was found in PATH.  In other programs, as
// our own tests, troupe.
const char *command_typed(void);
// Quote what command_typed() returns, so that a shell reads it as one word.
// Call it once, at the start of main.
void command_quote_typed(struct arena *a);

// The file that a command name stands for, looked up in PATH; NULL if none.
const char *command_path(struct arena *a, const char *name);
// Start a program (argv need not end in NULL); -1 with errno if it cannot run.
// What it says on standard error goes to a descriptor.
pid_t command_start_to(const struct args *argv, int errors);
// Its exit status, 128 + signal if it was killed.  It is ended when we are
// interrupted.
int command_wait(pid_t pid);
// Start and wait, with standard output added to *out if that is not NULL.
int command_run(const struct args *argv, bool quiet, struct text *out);
// Start in this folder (NULL: here) and wait; what it says on standard error is
// added to *errors.
int command_run_in(const struct args *argv, const char *folder,
                   struct text *errors);

#endif
