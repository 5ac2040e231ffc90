// Fuzzing the reader of traces that come from another process.
#include "base/arena.h"
#include "cases/trace_bytes.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena a = {0};
    struct wire_reader in = {(const char *)data, (const char *)data + size,
                             false};
    struct trace *t = trace_take(&in, &a);
    if (t)
        trace_release(t);
    arena_free(&a);
    return 0;
}
