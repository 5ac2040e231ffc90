// Fuzzing the reader of inputs that a process sends which runs the function under
// test: what it takes has links inside its objects, and can be put again alike.
#include "base/arena.h"
#include "base/text.h"
#include "base/wire.h"
#include "unit/input_wire.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(const struct input *in)
{
    for (uint32_t i = 0; i < in->objects.n; i++) {
        const struct input_object *o = &in->objects.at[i];
        for (uint32_t k = 0; k < o->links.n; k++) {
            const struct input_link *l = &o->links.at[k];
            if ((l->object != IR_NOTHING && l->object >= in->objects.n) ||
                l->offset >= o->size)
                abort();
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena a = {0};
    struct input in = {0}, again = {0};
    struct text one = {0}, two = {0};
    struct wire_reader r = {(const char *)data, (const char *)data + size,
                            false};
    input_receive(&r, &a, &in);
    if (!r.bad) {
        check(&in);
        input_send(&in, &one);
        struct wire_reader same = {one.at, one.at + one.n, false};
        input_receive(&same, &a, &again);
        input_send(&again, &two);
        if (!wire_done(&same) || one.n != two.n ||
            memcmp(one.at, two.at, one.n) != 0)
            abort();
    }
    input_release(&in);
    input_release(&again);
    text_free(&one);
    text_free(&two);
    arena_free(&a);
    return 0;
}
