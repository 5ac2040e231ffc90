// What supervisor and workers say to each other, as messages of base/wire.
//
// A worker's figures and the units that are left come in one message, so that
// they are either both here or both lost.
#ifndef CREW_WORDS_H
#define CREW_WORDS_H

#include "crew/crew.h"

struct text;
struct wire_reader;

enum crew_word {
    // to the worker
    WORD_GO = 1, // explore these units
    WORD_YIELD,  // end the search, and return what is left
    WORD_WRITE,  // write down what is left, and go on
    WORD_KNOWN,  // a bug that was told already
    // to the supervisor
    WORD_FAILED,   // the program cannot be loaded
    WORD_BUG,      // a bug
    WORD_PROGRESS, // figures of the search under way
    WORD_WRITTEN,  // what is left, and the figures of what was done
    WORD_DONE,     // the same, of a search that has ended
};

// WORD_GO
struct crew_order {
    struct explore_options options;
    bool divisible;         // what is left can be handed back
    struct work_list units; // none: everything
};

// WORD_WRITTEN, WORD_DONE
struct crew_return {
    struct explore_result result;
    struct play_counts counts; // of all that this process did
    uint64_t peak_bytes;
    bool tainted;
    bool undivided; // what is left cannot be written as units
    struct work_list rest;
};

void crew_order_put(struct text *t, const struct crew_order *o);
void crew_return_put(struct text *t, enum crew_word word,
                     const struct crew_return *r);
void crew_units_put(struct text *t, const struct work *units, uint32_t n);

// False if the bytes are not what they should be; then nothing is to be freed.
bool crew_order_get(struct wire_reader *in, struct crew_order *out);
bool crew_return_get(struct wire_reader *in, struct crew_return *out);
bool crew_units_get(struct wire_reader *in, struct work_list *out);

#endif
