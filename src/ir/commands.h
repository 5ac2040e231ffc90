// How a project compiles a source, from its compile_commands.json.
#ifndef IR_COMMANDS_H
#define IR_COMMANDS_H

#include <stdbool.h>

struct ir_options;
struct arena;
struct args;
struct diag;

// Add the flags of this source, and set the folder they are relative to.  A
// source that is not listed gets neither.  False with d set if the database
// cannot be read.  Strings live in a.
bool commands_find(struct arena *a, const char *database, const char *path,
                   struct args *flags, const char **folder, struct diag *d);

// The clang that makes bitcode and compiles it.
const char *ir_compiler(const struct ir_options *o);

#endif
