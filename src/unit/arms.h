// Which member of a union says best what its bytes hold.
#ifndef UNIT_ARMS_H
#define UNIT_ARMS_H

#include "unit/input.h"
#include "unit/places.h"

struct arms {
    const struct ir *ir;
    const struct input *in;
    const struct input_object *of; // whose known bytes and links decide
    uint64_t base;                 // where in it the type begins
    const char *now;               // what is there now, NULL: as in the object
};

// places(), but of each union one member only.
bool arms_places(const struct arms *w, uint32_t type, uint64_t more,
                 uint32_t most, places_each *each, void *self);

// Does it set bytes of a union that may be a number as well as a pointer, or
// pointers of several types?
bool arms_uncertain(const struct ir *ir, const struct input *in);

#endif
