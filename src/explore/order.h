// Happens-before among the steps of one execution, as a stack beside a world.
//
// Steps of one actor are ordered and come after the step that created it, a
// receive comes after the step that sent the message, and the test body comes
// after all before it.  Where queues are filled at the send (`mailbox`), two
// steps that send to a common actor are ordered too: exchanging them would
// exchange the messages in its queue.  A step that depends on the clock is
// ordered with those that may move it.  Two executions with the same order
// reach the same states.
#ifndef EXPLORE_ORDER_H
#define EXPLORE_ORDER_H

#include "explore/world.h"

struct order_event {
    uint32_t actor, index;   // the index-th step of its actor
    uint32_t clock, n_clock; // steps of each actor up to this one
    uint32_t preds, n_preds; // steps it directly depends on
    uint32_t log;            // height of the undo log before
    uint32_t whole, shared;  // the last step before that is whole, or touches
                             // what actors share; PLAY_NONE: none
    bool is_whole;           // ordered with every other step
    bool by_clock;           // depends on the clock
    bool moves_clock;        // may move it
};

struct order {
    bool sends; // steps that send to a common actor are ordered
    uint32_t whole, shared;
    VEC(struct order_event) events;
    VEC(uint32_t) clocks;
    VEC(uint32_t) preds;
    VEC(uint32_t) last;    // step of each actor, or PLAY_NONE
    VEC(uint32_t) last_to; // step that sent to each actor, or PLAY_NONE
    VEC(uint32_t) log;     // (actor, last_to before) pairs
};

void order_init(struct order *o, bool sends);
void order_release(struct order *o);
void order_clear(struct order *o);
// Take in the world's newest step; drop the newest (before world_undo).
void order_push(struct order *o, const struct world *w);
void order_pop(struct order *o);

// Does step i happen before step j, i < j?
static inline bool order_before(const struct order *o, uint32_t i, uint32_t j)
{
    const struct order_event *a = &o->events.at[i], *b = &o->events.at[j];
    return a->actor < b->n_clock &&
           o->clocks.at[b->clock + a->actor] > a->index;
}

// Could the delivery model have brought the message of step j before that of
// the earlier step i, both received by one actor?
bool order_may_overtake(const struct world *w, uint32_t i, uint32_t j);

#endif
