// Exploration of a test within the test program.
#include "testlib/testlib.h"

bool explore_in_process(const tr_test *test, const struct test_options *o,
                        struct report *report)
{
    (void)test, (void)o, (void)report;
    return false;
}
