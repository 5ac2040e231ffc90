// What the commands that read code share: from the words to a message flow
// graph.
#ifndef CLI_LLVM_ANALYSIS_H
#define CLI_LLVM_ANALYSIS_H

#include <stdbool.h>

struct flow;
struct ir;
struct session;

// Translate the files that the words name, or troupe.ini; NULL with diag set
// if that fails.
struct ir *analysis_ir(struct session *s);
// The graph, from --system if that is given; NULL with diag set.
struct flow *analysis_flow(struct session *s, const struct ir *ir,
                           bool baseline);

#endif
