// troupe replay --gdb: a case under the debugger.
#ifndef CLI_GDB_H
#define CLI_GDB_H

#include <stdint.h>

struct open_case;

// A place for breakpoints: called before a step of a case is made.
__attribute__((visibility("default"))) void troupe_next_step(const char *step);

// Become gdb, stopped in the program's code: where the bug is told, or in the
// step that --break names.  Returns only if that fails: the exit status, with
// the session's diag set.
int gdb_exec(struct open_case *k);

#endif
