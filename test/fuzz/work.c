// Fuzzing the reader of units of work: whatever the bytes, it refuses them or
// explores a part of the program, and ends.  The first byte chooses the program.
#include "explore/optimal/work.h"
#include "toy/toy.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (!size)
        return 0;
    struct toy *t = toy_new_random(data[0] % 8, TOY_ALL);
    struct explore_options o = {.delivery = (enum delivery)(data[0] / 8 % 4),
                                .strategy = STRATEGY_OPTIMAL,
                                .keep_going = true,
                                .schedules = 20,
                                .steps = 100};
    struct explore_sink sink = {0};
    struct explore_result r;
    struct work_list unit = {0}, rest = {0};
    work_list_add(&unit, data + 1, (uint32_t)size - 1);
    explore_work(toy_play(t), &o, unit.list.at, 1, &sink, &r, &rest);
    work_list_free(&unit);
    work_list_free(&rest);
    toy_free(t);
    return 0;
}
