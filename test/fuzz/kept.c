// Fuzzing what a search goes on from: a kept search and a change to one, as the
// run directory has them.  Two bytes say how many of the bytes are the search.
#include "base/arena.h"
#include "base/text.h"
#include "base/wire.h"
#include "crew/kept.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// What is taken out can be put in again, and is taken out alike.
static void same_again(const struct crew_figures *f,
                       const struct crew_rest *rest)
{
    struct arena a = {0};
    struct text one = {0}, two = {0};
    struct crew_figures figures;
    struct crew_rest again;
    crew_kept_put(&one, f, rest);
    struct wire_reader in = {one.at, one.at + one.n, false};
    if (!crew_kept_get(&in, &a, &figures, &again))
        abort();
    crew_kept_put(&two, &figures, &again);
    if (one.n != two.n || memcmp(one.at, two.at, one.n) != 0)
        abort();
    text_free(&one);
    text_free(&two);
    arena_free(&a);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena a = {0};
    struct crew_figures f;
    struct crew_rest rest;
    if (size < 2)
        return 0;
    const char *at = (const char *)data + 2, *end = (const char *)data + size;
    size_t n = data[0] | (size_t)data[1] << 8;
    const char *cut = n < (size_t)(end - at) ? at + n : end;
    struct wire_reader in = {at, cut, false}, change = {cut, end, false};
    if (crew_kept_get(&in, &a, &f, &rest)) {
        same_again(&f, &rest);
        if (crew_change_apply(&change, &a, &f, &rest))
            same_again(&f, &rest);
    }
    arena_free(&a);
    return 0;
}
