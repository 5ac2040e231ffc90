// A unit of work of the strategy `optimal`, written down as bytes.
//
// It is a path through the tree of the search: the choices made, and where on
// it further choices are left to this unit (optimal_unit.c).  It holds no ids
// of the play, so another process can follow it through its own.
#ifndef EXPLORE_UNIT_H
#define EXPLORE_UNIT_H

#include "base/vec.h"
#include "explore/explore.h"

#include <stdbool.h>
#include <stdint.h>

struct pool_unit;
struct pool_units;

// All zero is empty.
struct unit {
    VEC(uint8_t) bytes;
};

void unit_free(struct unit *u);

// Numbers, small ones in one byte; hashes in eight.
void unit_put(struct unit *u, uint64_t number);
void unit_put_hash(struct unit *u, uint64_t hash);

// Reading: past the end everything is 0 and `bad` is set.
struct unit_reader {
    const uint8_t *at, *end;
    bool bad;
};

struct unit_reader unit_read(const struct unit *u);
uint64_t unit_get(struct unit_reader *r);
// A number below limit; otherwise 0 and bad.
uint32_t unit_get_below(struct unit_reader *r, uint64_t limit);
uint64_t unit_get_hash(struct unit_reader *r);

// Explore these units, or everything if there are none.  If the search ends
// early, what is left is appended to *rest.
void explore_units(struct play *p, const struct explore_options *o,
                   const struct pool_unit *units, uint32_t n,
                   const struct explore_sink *sink, struct explore_result *r,
                   struct pool_units *rest);

#endif
