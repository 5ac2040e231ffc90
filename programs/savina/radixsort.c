/* Radix sort (RDX): numbers flow through one actor per bit.
 *
 * The driver creates a validator, a source, and a chain of sorters for the bits
 * m/2, m/4, ..., 1, each pointing to the one before (the first to the
 * validator), and sends next_actor (the last) to the source, which sends it n
 * values and stops.  A sorter sends values without its bit on at once and keeps
 * the others; after n it sends those on, in order, and stops.
 *
 * Entry point: source.
 * Parameters n, m: values, their bound, a power of two (100000, 2^60; in the
 * test 3, 4); data: 0 draws them, 1 is (3,1), 2 (3,0,2), 3 (3,0,2,1) (in the
 * test 2).
 * Expected: the validator gets n values in order, with the sum of the source's;
 * all stop.
 *
 * Known defect:
 * RDX-1  values overtake each other ([6], [7], [9]): model any.  It is what
 *        ordered channels exclude, so there is no repair here.
 * Find it: troupe explore programs/savina/radixsort.c --delivery=any
 */
#include "savina.h"

TR_PROTOCOL(source, next_actor);
TR_PROTOCOL(sorter, value);
TR_PROTOCOL(validator, value);
TR_PROTOCOL(stage, value); /* no class: a sorter or the validator */

struct next_actor {
    stage_ref to;
};
TR_MESSAGE(next_actor);
struct value {
    uint64_t v;
};
TR_MESSAGE(value);

static const struct {
    int n;
    uint64_t at[4];
} fixed[] = {{2, {3, 1}}, {3, {3, 0, 2}}, {4, {3, 0, 2, 1}}};

struct source {
    int n, data;
    uint64_t max;
    struct draws draws;
};

/* The i-th value; called with i = 0, 1, ... */
static uint64_t value_of(struct source *self, int i)
{
    if (self->data > 0)
        return fixed[self->data - 1].at[i];
    return draw(&self->draws) % self->max;
}

TR_HANDLER(source, next_actor)
{
    for (int i = 0; i < self->n; i++) /* [1] */
        send(msg->to, value, .v = value_of(self, i));
    stop();
}

TR_BEHAVIOUR(source, open, TR_ON(next_actor, source_next_actor));
TR_CLASS(source, .start = &source_open);
TR_HOT(source, open);

struct sorter {
    int n, seen;
    uint64_t bit;
    stage_ref next;
    LIST(uint64_t) kept;
};

TR_FINI(sorter)
{
    list_free(&self->kept);
}

TR_HANDLER(sorter, value)
{
    if ((msg->v & self->bit) == 0) /* [2] */
        forward(self->next, value);
    else /* [3] */
        list_add(&self->kept, msg->v);
    if (++self->seen < self->n) /* [5] */
        return;
    for (uint32_t i = 0; i < self->kept.n; i++) /* [4] */
        send(self->next, value, .v = self->kept.at[i]);
    stop();
}

TR_BEHAVIOUR(sorter, open, TR_ON(value, sorter_value));
TR_CLASS(sorter, .start = &sorter_open, .fini = sorter_fini_);
TR_HOT(sorter, open);

struct validator {
    int n, seen;
    uint64_t previous, sum, expected_sum;
    int first_error; /* index + 1; 0: none */
};

TR_HANDLER(validator, value)
{
    self->seen++;
    if (msg->v < self->previous && !self->first_error) /* [6], [7] */
        self->first_error = self->seen;
    /* else [8] */
    self->previous = msg->v;
    self->sum += msg->v;
    if (self->seen < self->n) /* [11] */
        return;
    if (self->first_error) /* [9] */
        assert(false && "RDX-1: not sorted");
    else /* [10] */
        result("sum %llu", (unsigned long long)self->sum);
    assert(self->sum == self->expected_sum);
    stop();
}

TR_BEHAVIOUR(validator, open, TR_ON(value, validator_value));
TR_CLASS(validator, .start = &validator_open);
TR_HOT(validator, open);

static void begin(tr_ctx *ctx, int n, uint64_t max, int data, bool starting)
{
    struct source like = {.n = data ? fixed[data - 1].n : n,
                          .data = data,
                          .max = max,
                          .draws = {2048}};
    source_ref source = spawn_from(source, &like);
    uint64_t sum = 0;
    for (int i = 0; i < like.n; i++)
        sum += value_of(&like, i);
    stage_ref next =
        (stage_ref)spawn(validator, .n = like.n, .expected_sum = sum);
    for (uint64_t bit = max / 2; bit > 0; bit /= 2)
        next = (stage_ref)spawn(sorter, .n = like.n, .bit = bit, .next = next);
    expose(source);
    if (starting)
        send(source, next_actor, .to = next);
}

TR_SYSTEM(savina)
{
    begin(ctx, (int)param("n", 100000), (uint64_t)param("m", INT64_C(1) << 60),
          (int)param("data", 0), starts());
}

TR_TEST(radixsort)
{
    begin(ctx, (int)param("n", 3), (uint64_t)param("m", 4),
          (int)param("data", 2), true);
    drain();
}
