// The part of a test file before its tests.
#ifndef UNIT_TESTFILE_HEAD_H
#define UNIT_TESTFILE_HEAD_H

#include <stdbool.h>

struct call_case;
struct call_value;
struct testfile;
struct text;

void testfile_head(const struct testfile *f, struct text *to);
// Is it memory that the call allocated and left to its caller?
bool testfile_is_left(const struct call_case *c, const struct call_value *v);

#endif
