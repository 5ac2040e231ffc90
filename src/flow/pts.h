// Points-to analysis: inclusion constraints over locations, field-sensitive.
//
// After Andersen (1994), with difference propagation.  A *location* is a byte
// in an abstract object; a *node* is a variable or a cell of an object and has
// the set of locations it may hold.  Integers are nodes too: a reference that
// travels in an integer is not lost.
//
// Arrays are collapsed to their first element, one array at a time: when an
// object is indexed with a stride, that stretch of it becomes a *region*, and
// offsets in it are taken modulo the stride.  The nodes of cells that are one
// cell from then on are merged, so that answers only ever grow.
//
// An object of too many regions, cells or locations is *blurred*: all of it is
// one cell.  So is one whose address took part in arithmetic.
#ifndef FLOW_PTS_H
#define FLOW_PTS_H

#include "base/map.h"
#include "base/vec.h"
#include "flow/set.h"
#include "ir/ir.h"

#define OBJECT_KINDS(X)                                                        \
    X(GLOBAL, "global")                                                        \
    X(FUNCTION, "function")                                                    \
    X(LOCAL, "local")                                                          \
    X(HEAP, "heap")                                                            \
    X(STATE, "state")     /* of the abstract actor of a class */               \
    X(MESSAGE, "message") /* of one type at one class */                       \
    X(REF, "reference")   /* to the abstract actor of a class */               \
    X(FUTURE, "future")   /* of one ask */                                     \
    X(REPLY, "reply")     /* what the future will hold */                      \
    X(OUTSIDE, "outside") /* memory of code that is not given */               \
    X(BUFFER, "buffer")   /* between the sources and targets of a memcpy */    \
    X(NUMBER, "number")   /* a constant, as the offset; or any number */

enum object_kind {
#define OBJECT_KIND_(name, text) OBJECT_##name,
    OBJECT_KINDS(OBJECT_KIND_)
#undef OBJECT_KIND_
};

struct pts_cell {
    uint32_t offset, node;
};

// Offsets in [from, to) are taken modulo stride, counted from `from`.
struct pts_region {
    uint32_t from, to, stride;
};

// Cells of this object at [from, from + n) are copied to `to`, shifted.
struct pts_copying {
    uint32_t from, n, to, at;
};

// Every cell at [from, to) holds what the node holds; with `both`, the node
// also holds what the cells hold.
struct pts_span {
    uint32_t from, to, node;
    bool both;
};

struct pts_object {
    uint8_t kind; // enum object_kind
    uint32_t of;  // GLOBAL, FUNCTION, STATE, REF: the index in the program
    uint32_t ctx; // MESSAGE: the class; LOCAL, HEAP, FUTURE: where it is made
    uint32_t fn, inst;
    uint32_t type; // debug type, IR_NOTHING if unknown
    uint32_t size; // UINT32_MAX if unknown
    uint32_t n_locs;
    bool blurred; // one cell, at offset 0
    bool is_one;  // ... and one location
    VEC(struct pts_cell) cells;
    VEC(struct pts_region) regions;
    VEC(struct pts_copying) copies;
    VEC(struct pts_span) spans;
};

struct pts_loc {
    uint32_t object, offset; // PTS_ANYWHERE: the result of arithmetic
};
#define PTS_ANYWHERE UINT32_MAX

// What happens when a node gets a location.
enum constraint_kind {
    ON_LOAD,    // other ⊇ *n, `size` bytes
    ON_STORE,   // *n ⊇ other; imm: other is several values in one
    ON_FIELD,   // other ⊇ n + imm
    ON_INDEX,   // other ⊇ n[...] with stride imm, of size elements
    ON_BLUR,    // other ⊇ n, at any offset
    ON_COPY_TO, // to `other`'s locations from n's: imm is the transfer
    ON_COPY_FROM,
    ON_FILL,  // numbers that count at *n or behind become any number
    ON_EVENT  // tell the owner: (other, imm) are its own
};

struct pts_constraint {
    uint8_t kind;
    uint32_t other, size;
    int64_t imm;
};

// memcpy of n bytes.  Where many sources meet many targets, all go by a buffer
// between them, an object of its own.
struct pts_transfer {
    uint32_t n;
    uint32_t buffer; // IR_NOTHING: none yet
};

struct pts_node {
    struct set has, todo;
    VEC(uint32_t) copies;
    VEC(struct pts_constraint) on;
    uint32_t merged; // the node that stands for this one; itself if none does
    uint32_t component; // of the graph of copies and steps; IR_NOTHING: unknown
    bool queued;
};

struct pts {
    VEC(struct pts_object) objects;
    VEC(struct pts_loc) locs;
    VEC(struct pts_node) nodes;
    VEC(struct pts_transfer) transfers;
    VEC(uint32_t) queue; // first in, first out
    uint32_t head;
    uint32_t asked_cycles, ask_again; // for components; when to find them anew
    uint32_t merged_at;               // copies when cycles were merged last
    struct map loc_ids, cell_ids, done_copies, done_pours, edges;
    const struct ir *ir;
    // Offsets in locals where small numbers count, and "any number": what a
    // store does not set exactly there becomes that.
    const uint32_t *tags;
    uint32_t n_tags, any;
    void *owner;
    void (*event)(void *owner, uint32_t event, int64_t role, uint32_t loc);
    uint64_t steps;
};

uint32_t pts_object(struct pts *p, struct pts_object o);
uint32_t pts_node(struct pts *p);
uint32_t pts_loc(struct pts *p, uint32_t object, uint32_t offset);
// The node of the cell that holds what is stored at a location.
uint32_t pts_cell(struct pts *p, uint32_t object, uint32_t offset);

void pts_add(struct pts *p, uint32_t node, uint32_t loc);
void pts_copy(struct pts *p, uint32_t from, uint32_t to);
void pts_on(struct pts *p, uint32_t node, struct pts_constraint c);
// memcpy of n bytes from where one node points to where the other does.
void pts_transfer(struct pts *p, uint32_t to, uint32_t from, uint32_t n);
// ... from one location to another, for good.
void pts_copy_range(struct pts *p, struct pts_loc to, struct pts_loc from,
                    uint32_t n);
// All cells of [from, to), those to come as well, take in what the node holds.
void pts_pour(struct pts *p, uint32_t object, struct pts_span s);
// Forget the offsets in an object.
void pts_blur(struct pts *p, uint32_t object);
// Where a location is, to be read or written: an object that is accessed
// anywhere is blurred.
struct pts_loc pts_place(struct pts *p, uint32_t loc);
void pts_solve(struct pts *p);
// Is this the end: is everything done, and every constraint satisfied?
void pts_check(const struct pts *p);
void pts_free(struct pts *p);

static inline const struct set *pts_of(const struct pts *p, uint32_t node)
{
    while (p->nodes.at[node].merged != node)
        node = p->nodes.at[node].merged;
    return &p->nodes.at[node].has;
}
static inline struct pts_loc pts_at(const struct pts *p, uint32_t loc)
{
    struct pts_loc l = p->locs.at[loc];
    if (l.offset == PTS_ANYWHERE)
        l.offset = 0;
    return l;
}
static inline const struct pts_object *pts_object_at(const struct pts *p,
                                                     uint32_t loc)
{
    return &p->objects.at[p->locs.at[loc].object];
}

#endif
