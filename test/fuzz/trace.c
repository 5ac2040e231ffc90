// Fuzzing the reader of traces that come from another process: what it takes, it
// puts in a form that is taken alike.
#include "base/arena.h"
#include "base/text.h"
#include "cases/trace_bytes.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena a = {0};
    struct text one = {0}, two = {0};
    struct wire_reader in = {(const char *)data, (const char *)data + size,
                             false};
    struct trace *t = trace_take(&in, &a);
    if (!in.bad) {
        trace_put(&one, t);
        struct wire_reader same = {one.at, one.at + one.n, false};
        struct trace *again = trace_take(&same, &a);
        trace_put(&two, again);
        if (!wire_done(&same) || one.n != two.n ||
            memcmp(one.at, two.at, one.n) != 0)
            abort();
        trace_release(again);
    }
    trace_release(t);
    text_free(&one);
    text_free(&two);
    arena_free(&a);
    return 0;
}
