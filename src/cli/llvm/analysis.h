// What the commands that read code share: from the words to a message flow
// graph.
#ifndef CLI_LLVM_ANALYSIS_H
#define CLI_LLVM_ANALYSIS_H

#include <stdbool.h>

#include "ir/instrument.h"

struct args;
struct flow;
struct ir;
struct session;

// Translate the files that the words name, or troupe.ini; NULL with diag set
// if that fails.
struct ir *analysis_ir(struct session *s);
// Translate the session's inputs and instrument them from the same bitcode.
// What is to be linked is added to the list: sources as one object, objects and
// archives as they are.  NULL with diag set if that fails.
struct ir *analysis_objects(struct session *s, enum ir_watch watch,
                            struct args *inputs);
// The same, and load the program.
struct ir *analysis_instrumented(struct session *s, enum ir_watch watch);
// The graph, from --system if that is given; NULL with diag set.
struct flow *analysis_flow(struct session *s, const struct ir *ir,
                           bool baseline);

#endif
