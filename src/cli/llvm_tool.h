// Commands of troupe-llvm, the second executable, run for another command: lint
// before tests, reach and unit after them, the graph and the lines for a page.
#ifndef CLI_LLVM_TOOL_H
#define CLI_LLVM_TOOL_H

#include <stdbool.h>
#include <stdint.h>

struct session;
struct text;

// Lint what the session compiles, for at most `seconds`.  What lint says is
// added to *out.  False if it could not be done: *why says so.
bool llvm_tool_lint(struct session *s, double seconds, struct text *out,
                    uint32_t *warnings, const char **why);
// The flow graph in JSON, in the session's memory; NULL if it cannot be had.
const char *llvm_tool_graph(struct session *s);
// What native runs of each test say in JSON, with the blocks of the program
// that ran: in ten random orders, to the first that fails, or if that takes too
// long one run on one thread.  In the session's memory, NULL if it cannot be
// had.
const char *llvm_tool_blocks(struct session *s);
// Run `reach` on the session's sources, or `unit` on one of them; what they say
// goes where ours does.  The exit status, -1 if there is no such executable.
int llvm_tool_reach(struct session *s, double seconds);
int llvm_tool_unit(struct session *s, const char *source, double seconds);

#endif
