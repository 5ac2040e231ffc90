// Delivery models: which of the messages in flight may be received next.
#ifndef PLAY_DELIVERY_H
#define PLAY_DELIVERY_H

#define DELIVERIES(X)                                                          \
    X(PAIR, "pair", "first in first out between each sender and receiver")     \
    X(ANY, "any", "no order")                                                  \
    X(CAUSAL, "causal", "no message overtakes one it depends on")              \
    X(MAILBOX, "mailbox", "one queue per actor, filled at the send")

enum delivery {
#define DELIVERY_(name, id, text) DELIVERY_##name,
    DELIVERIES(DELIVERY_)
#undef DELIVERY_
        DELIVERIES_N
};

const char *delivery_id(enum delivery d);
// The one with this id, or DELIVERIES_N.
enum delivery delivery_of(const char *id);

#endif
