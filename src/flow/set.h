// Sets of small numbers: sorted words of 64 bits, empty ones left out.
// All zero is the empty set.
#ifndef FLOW_SET_H
#define FLOW_SET_H

#include <stdbool.h>
#include <stdint.h>

struct set_word {
    uint32_t index;
    uint64_t bits;
};

struct set {
    struct set_word *at;
    uint32_t n, cap;
};

// True if x was not in s before.
bool set_add(struct set *s, uint32_t x);
bool set_has(const struct set *s, uint32_t x);
// Add all of b to a; what is new in a is added to fresh too.  True if any is.
bool set_join(struct set *a, const struct set *b, struct set *fresh);
uint32_t set_count(const struct set *s);
void set_free(struct set *s);

// for (struct set_walk w = {s}; set_next(&w);) use(w.x): in ascending order.
// The set may not change meanwhile.
struct set_walk {
    const struct set *of;
    uint32_t word;
    uint64_t rest;
    uint32_t x;
};
bool set_next(struct set_walk *w);

#endif
