// Fuzzing the reader of coverage: whatever the lines, it ends, and what it reads
// it prints in a form that reads the same.
#include "base/text.h"
#include "cover/coverage_text.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct coverage c = {0}, again = {0};
    struct text in = {0}, one = {0}, two = {0};
    text_bytes(&in, data, size);
    if (!memchr(text_get(&in), 0, in.n) && !coverage_read(&c, text_get(&in))) {
        coverage_print(&c, &one);
        if (coverage_read(&again, text_get(&one)))
            abort();
        coverage_print(&again, &two);
        if (strcmp(text_get(&one), text_get(&two)) != 0)
            abort();
    }
    coverage_free(&c);
    coverage_free(&again);
    text_free(&in);
    text_free(&one);
    text_free(&two);
    return 0;
}
