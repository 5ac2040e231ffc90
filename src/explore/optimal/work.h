// A unit of work of the strategy `optimal`, written down as bytes.
//
// It is a path through the tree of the search: the choices made, and where on
// it further choices are left to this unit (work_path.c).  It holds no ids
// of the play, so another process can follow it through its own.
#ifndef EXPLORE_OPTIMAL_WORK_H
#define EXPLORE_OPTIMAL_WORK_H

#include "base/vec.h"
#include "explore/explore.h"

#include <stdbool.h>
#include <stdint.h>

struct search;

// A unit of work, written down.
struct work {
    void *bytes; // malloc'ed
    uint32_t size;
};

struct work_list {
    VEC(struct work) list;
};

void work_list_add(struct work_list *u, const void *bytes, uint32_t size);
void work_list_free(struct work_list *u);

// All zero is empty.
struct work_bytes {
    VEC(uint8_t) bytes;
};

void work_free(struct work_bytes *u);

// Numbers, small ones in one byte; hashes in eight.
void work_put(struct work_bytes *u, uint64_t number);
void work_put_hash(struct work_bytes *u, uint64_t hash);

// Reading: past the end everything is 0 and `bad` is set.
struct work_reader {
    const uint8_t *at, *end;
    bool bad;
};

struct work_reader work_read(const struct work_bytes *u);
uint64_t work_get(struct work_reader *r);
// A number below limit; otherwise 0 and bad.
uint32_t work_get_below(struct work_reader *r, uint64_t limit);
uint64_t work_get_hash(struct work_reader *r);

// A search of units one after the other.
struct work_search;

// A search of these units, or of everything if there are none.
struct work_search *work_search_new(struct search *s, const struct work *units,
                                    uint32_t n);
// Go on until search_pauses(), or until the sink got the rest it wanted.
// False: nothing is left.
bool work_search_go(struct work_search *w);
// Go on with another unit, if there is one.  What is left of the present one is
// cut into units that come last.
void work_search_turn(struct work_search *w);
// Append what is left to *rest.  After that the search can only be freed.
void work_search_leave(struct work_search *w, struct work_list *rest);
void work_search_free(struct work_search *w);

// Explore these units, or everything if there are none.  If the search ends
// early, what is left is appended to *rest.
void explore_work(struct play *p, const struct explore_options *o,
                  const struct work *units, uint32_t n,
                  const struct explore_sink *sink, struct explore_result *r,
                  struct work_list *rest);

#endif
