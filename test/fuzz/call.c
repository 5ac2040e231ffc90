// Fuzzing the reader of calls: whatever the bytes, it ends, and what it reads it
// prints in a form that reads the same.
#include "base/arena.h"
#include "base/diag.h"
#include "base/text.h"
#include "cases/call.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena a = {0};
    struct diag d = {0};
    struct call_case c = {0}, again = {0};
    struct text in = {0}, one = {0}, two = {0}, shown = {0};
    text_bytes(&in, data, size);
    if (!memchr(text_get(&in), 0, in.n) &&
        call_parse(&a, "fuzz", text_get(&in), &c, &d)) {
        call_print(&c, &one);
        call_show(&c, &shown);
        if (!call_parse(&a, "again", text_get(&one), &again, &d))
            abort();
        call_print(&again, &two);
        if (strcmp(text_get(&one), text_get(&two)) != 0)
            abort();
        call_release(&again);
    }
    call_release(&c);
    text_free(&in);
    text_free(&one);
    text_free(&two);
    text_free(&shown);
    diag_free(&d);
    arena_free(&a);
    return 0;
}
