// What the files of the points-to solver share.
#ifndef FLOW_PTS_INNER_H
#define FLOW_PTS_INNER_H

#include "flow/pts.h"

// The sum, UINT32_MAX at most: an offset that wraps around would be another.
static inline uint32_t plus(uint32_t a, uint64_t b)
{
    return b > UINT32_MAX - a ? UINT32_MAX : a + (uint32_t)b;
}

// pts.c: the node that stands for this one
uint32_t pts_rep(struct pts *p, uint32_t node);
// Two nodes become one.
void pts_merge(struct pts *p, uint32_t a, uint32_t b);

// pts_memory.c: what an ON_INDEX at this location makes an array
void pts_index(struct pts *p, uint32_t loc, const struct pts_constraint *c);

// ... the node of the cell at an offset, IR_NOTHING if there is none yet
uint32_t pts_cell_find(const struct pts *p, uint32_t object, uint32_t offset);

// pts_cycles.c: are the nodes on one cycle of copies, steps and indices?  The
// answer may be out of date: a cycle that is not seen yet costs more locations,
// but nothing is lost by it.
bool pts_on_a_cycle(struct pts *p, uint32_t a, uint32_t b);
// Merge the nodes on each cycle of copies, if many are new.
void pts_merge_cycles(struct pts *p);

#endif
