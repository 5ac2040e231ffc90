#include "testlib/solo_names.h"

static const enum solo_delivery deliveries[DELIVERIES_N] = {
    [DELIVERY_PAIR] = SOLO_PAIR,
    [DELIVERY_ANY] = SOLO_ANY,
    [DELIVERY_CAUSAL] = SOLO_CAUSAL,
    [DELIVERY_MAILBOX] = SOLO_MAILBOX,
};

enum solo_delivery solo_delivery_of(enum delivery d)
{
    return deliveries[d];
}

enum delivery delivery_of_solo(enum solo_delivery d)
{
    int i = 0;
    while (i < DELIVERIES_N && deliveries[i] != d)
        i++;
    return (enum delivery)i;
}

enum bug_kind bug_kind_of_solo(enum solo_kind k)
{
    static const enum bug_kind kinds[] = {
        [SOLO_MISUSE] = BUG_USE,
        [SOLO_INVARIANT] = BUG_INVARIANT,
        [SOLO_ENDLESS] = BUG_CYCLE,
        [SOLO_DEADLOCK] = BUG_DEADLOCK,
        [SOLO_UNANSWERED] = BUG_UNANSWERED,
        [SOLO_DEFERRED] = BUG_DEFERRED,
    };
    return kinds[k];
}
