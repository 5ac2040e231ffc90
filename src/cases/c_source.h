// A case as C source: a test that fails the same way without the tool.
#ifndef CASES_C_SOURCE_H
#define CASES_C_SOURCE_H

struct test_case;
struct text;

// A file to compile with the program's sources and libtroupe-test.
void case_source(const struct test_case *c, struct text *to);

#endif
