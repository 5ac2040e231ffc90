// Fuzzing what supervisor and workers read of each other: orders, returned work
// with its figures, and streams of messages.  The first byte chooses.
#include "base/wire.h"
#include "crew/words.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_stream(const uint8_t *data, size_t size)
{
    struct wire_in in = {0};
    struct wire_message m;
    text_bytes(&in.bytes, data, size);
    for (size_t n = 0; wire_next(&in, &m) == WIRE_HERE; n++)
        if (n > size)
            abort();
    wire_free(&in);
}

// What is taken out can be put in again, and is taken out alike.
static void read_return(struct wire_reader in)
{
    struct crew_return r = {0}, again = {0};
    struct text one = {0}, two = {0};
    struct wire_reader same;
    if (!crew_return_get(&in, &r))
        return;
    crew_return_put(&one, WORD_DONE, &r);
    wire_end(&one);
    if (!wire_open(one.at, one.n, WORD_DONE, &same) ||
        !crew_return_get(&same, &again))
        abort();
    crew_return_put(&two, WORD_DONE, &again);
    wire_end(&two);
    if (one.n != two.n || memcmp(one.at, two.at, one.n) != 0)
        abort();
    work_list_free(&r.rest);
    work_list_free(&again.rest);
    text_free(&one);
    text_free(&two);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct crew_order o = {0};
    if (!size)
        return 0;
    struct wire_reader in = {(const char *)data + 1, (const char *)data + size,
                             false};
    switch (data[0] % 3) {
    case 0: read_stream(data + 1, size - 1); break;
    case 1: read_return(in); break;
    case 2:
        if (crew_order_get(&in, &o)) {
            work_list_free(&o.units);
            vec_free(&o.known);
        }
        break;
    }
    return 0;
}
