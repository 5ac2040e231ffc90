// A case as C source: a test that fails the same way without the tool.
#ifndef CASES_C_SOURCE_H
#define CASES_C_SOURCE_H

struct test_case;
struct text;

// A file to compile with the program's sources and libtroupe-test.  A test that
// posts needs the structs of messages: it includes the header, or if that is
// NULL the sources themselves.
void case_source(const struct test_case *c, const char *header,
                 struct text *to);
// One more test for the same file: without what the file begins with.
void case_source_more(const struct test_case *c, struct text *to);

#endif
