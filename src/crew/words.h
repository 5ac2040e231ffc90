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
    WORD_YIELD,  // end this part of the search, and return what is left
    WORD_END,    // the same at once: the search ends
    WORD_WRITE,  // write down what is left, and go on
    WORD_KNOWN,  // a bug that was told already
    // to the supervisor
    WORD_FAILED,   // the program cannot be loaded
    WORD_BUG,      // a bug
    WORD_PROGRESS, // figures of the search under way
    WORD_WRITTEN,  // what is left, and the figures of what was done
    WORD_DONE,     // the same, when the search has ended
    WORD_FINALS,   // final states that a far worker met
};

// WORD_GO
struct crew_order {
    struct explore_options options;
    bool divisible;         // what is left can be handed back
    struct work_list units; // none: everything
    // For a far worker:
    double slice;        // seconds after which it yields
    bool isolated;       // its handlers run in a process apart
    VEC(uint64_t) known; // bugs that were told already
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

// WORD_FINALS: hashes, or a sketch of them (shared_set.h) if there are many.
struct crew_finals {
    const void *hashes; // n times eight bytes
    uint64_t n;
    const unsigned char *sketch; // or NULL
};

void crew_order_put(struct text *t, const struct crew_order *o);
void crew_return_put(struct text *t, enum crew_word word,
                     const struct crew_return *r);
void crew_finals_put(struct text *t, const struct crew_finals *f);
void crew_units_put(struct text *t, const struct work *units, uint32_t n);

// False if the bytes are damaged: then nothing needs to be freed.
bool crew_order_get(struct wire_reader *in, struct crew_order *out);
bool crew_return_get(struct wire_reader *in, struct crew_return *out);
// What is read lies in the message.
bool crew_finals_get(struct wire_reader *in, struct crew_finals *out);
bool crew_units_get(struct wire_reader *in, struct work_list *out);

#endif
