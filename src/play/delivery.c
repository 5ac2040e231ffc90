#include "play/delivery.h"

#include <string.h>

static const char *const ids[] = {
#define DELIVERY_ID_(name, id, text) id,
    DELIVERIES(DELIVERY_ID_)
#undef DELIVERY_ID_
};

const char *delivery_id(enum delivery d)
{
    return ids[d];
}

enum delivery delivery_of(const char *id)
{
    int d = 0;
    while (d < DELIVERIES_N && strcmp(ids[d], id) != 0)
        d++;
    return (enum delivery)d;
}
