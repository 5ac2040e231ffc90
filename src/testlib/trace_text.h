// An execution that failed, for the details of a test's report.
#ifndef TESTLIB_TRACE_TEXT_H
#define TESTLIB_TRACE_TEXT_H

struct bug;
struct text;
struct trace;

void trace_text(const struct trace *t, const struct bug *b, struct text *to);

#endif
