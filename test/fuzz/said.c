// Fuzzing what is read of a compiler's words: hints, and locals that may not be
// set.  What the latter gives is a source, in which the words are a string.
#include "base/arena.h"
#include "base/text.h"
#include "program/hints.h"
#include "program/unset.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena a = {0};
    struct text said = {0}, hints = {0};
    struct unset unset = {0};
    FILE *f = fopen("said", "w");
    if (!f || fwrite(data, 1, size, f) != size || fclose(f) != 0)
        abort();
    text_bytes(&said, data, size);
    hints_of(text_get(&said), &hints);
    unset_read("said", &unset);
    unset_source(&a, &unset, ".");
    text_free(&said);
    text_free(&hints);
    text_free(&unset.places);
    arena_free(&a);
    return 0;
}
