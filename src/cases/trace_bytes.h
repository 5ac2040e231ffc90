// Bugs and traces as bytes, for the way from one process to another.
#ifndef CASES_TRACE_BYTES_H
#define CASES_TRACE_BYTES_H

#include "base/wire.h"
#include "cases/trace.h"

struct text;

void bug_put(struct text *to, const struct bug *b);
struct bug bug_take(struct wire_reader *r, struct arena *a);

void trace_put(struct text *to, const struct trace *t);
// The strings live in a; the arrays are for trace_release().  What is damaged
// makes the reader bad; the trace is one to be released even then.
struct trace *trace_take(struct wire_reader *r, struct arena *a);

#endif
