// Fuzzing the reader of troupe.known: it ends, with an error or without.
#include "base/arena.h"
#include "base/diag.h"
#include "cli/known.h"

#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena a = {0};
    struct diag d = {0};
    struct known k = {0};
    FILE *f = fopen("troupe.known", "w");
    if (!f || fwrite(data, 1, size, f) != size || fclose(f) != 0)
        abort();
    bool ok = known_read(&k, "troupe.known", &a, &d);
    if (ok != !d.status)
        abort();
    known_of_test(&k, "t");
    vec_free(&k.list);
    diag_free(&d);
    arena_free(&a);
    return 0;
}
