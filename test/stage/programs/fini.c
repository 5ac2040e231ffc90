/* Fini hooks when the test is over: each test has one bug, there. */
#include "troupe_short.h"
#include <assert.h>
#include <stdlib.h>

TR_SIGNAL(go);
TR_SIGNAL(more);
TR_SIGNAL(twofold);

/* ---- in one of two orders ------------------------------------------------ */

TR_PROTOCOL(sum, more, twofold);
struct sum {
    int n;
    int *p;
};
TR_INIT(sum)
{
    self->p = malloc(sizeof *self->p);
}
TR_FINI(sum)
{
    free(self->p);
    assert(self->n != 2);
}
TR_HANDLER(sum, more)
{
    self->n++;
}
TR_HANDLER(sum, twofold)
{
    self->n *= 2;
}
TR_BEHAVIOUR(sum, on, TR_ON(more, sum_more), TR_ON(twofold, sum_twofold));
TR_CLASS(sum, .start = &sum_on, .init = sum_init_, .fini = sum_fini_);

TR_PROTOCOL(doubler, go);
struct doubler {
    sum_ref sum;
};
TR_HANDLER(doubler, go)
{
    send(self->sum, twofold);
}
TR_BEHAVIOUR(doubler, on, TR_ON(go, doubler_go));
TR_CLASS(doubler, .start = &doubler_on);

TR_TEST(one_of_two_orders)
{
    sum_ref a = spawn(sum);
    send(spawn(doubler, .sum = a), go);
    send(a, more);
}

/* ---- a block freed twice -------------------------------------------------- */

TR_PROTOCOL(twice, go);
struct twice {
    int *p;
};
TR_HANDLER(twice, go)
{
    self->p = malloc(sizeof *self->p);
    free(self->p);
}
TR_FINI(twice)
{
    free(self->p);
}
TR_BEHAVIOUR(twice, on, TR_ON(go, twice_go));
TR_CLASS(twice, .start = &twice_on, .fini = twice_fini_);

TR_TEST(freed_twice)
{
    send(spawn(twice), go);
}

/* ---- a global -------------------------------------------------------------- */

static int ends;
TR_PROTOCOL(counter, go);
TR_STATELESS(counter);
TR_HANDLER(counter, go)
{
}
TR_FINI(counter)
{
    ends++;
}
TR_BEHAVIOUR(counter, on, TR_ON(go, counter_go));
TR_CLASS(counter, .start = &counter_on, .fini = counter_fini_);

TR_TEST(a_global)
{
    send(spawn(counter), go);
}

/* ---- what a hook may do without effect ------------------------------------- */

TR_PROTOCOL(talker, go, more);
struct talker {
    talker_ref self;
    int lost;
};
TR_HANDLER(talker, go)
{
    self->self = me(talker);
}
TR_HANDLER(talker, more)
{
    assert(!"never sent");
}
TR_FINI(talker)
{
    send(self->self, more);
    send_after(5, self->self, more);
    self->lost = !spawn(talker) && choose(3) < 2;
    assert(self->lost); /* the bug: one answer of three */
}
TR_BEHAVIOUR(talker, on, TR_ON(go, talker_go), TR_ON(more, talker_more));
TR_CLASS(talker, .start = &talker_on, .fini = talker_fini_);

TR_TEST(a_choice)
{
    send(spawn(talker), go);
}
