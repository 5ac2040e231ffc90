// The dominators of a graph, and its nodes in reverse postorder.
#ifndef IR_DOMINATORS_H
#define IR_DOMINATORS_H

#include "base/vec.h"

#include <stdint.h>

// All zero but for n is a graph of n nodes without edges.
struct dominators {
    uint32_t n;
    VEC(uint32_t) from, to; // edges
    // Found by dominators_find():
    uint32_t *number; // of a node in reverse postorder; IR_NOTHING: not reached
    uint32_t *order;  // the node with each number
    uint32_t reached; // nodes that are
    uint32_t *idom; // of a node; the root's is itself; IR_NOTHING: not reached
    // Scratch: the successors of v are out[out_at[v]..out_at[v + 1]), its
    // predecessors likewise.
    uint32_t *out, *out_at, *in, *in_at;
};

void dominators_edge(struct dominators *g, uint32_t from, uint32_t to);
void dominators_find(struct dominators *g, uint32_t root);
void dominators_free(struct dominators *g);

#endif
