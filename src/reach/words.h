// What the actors' code has as constants: texts and numbers that it may look for
// in what comes to it.
#ifndef REACH_WORDS_H
#define REACH_WORDS_H

#include "base/arena.h"
#include "base/vec.h"
#include "ir/ir.h"

enum { WORDS_MOST = 256, WORD_LONGEST = 47 };

struct words {
    VEC(const char *) texts;
    // Operands of comparisons, each once:
    VEC(unsigned char) chars;
    VEC(uint64_t) numbers;
    VEC(double) floats;
};

// Of the functions that actors may call; a test's own texts are left out.
void words_init(struct words *w, const struct ir *ir, struct arena *a);
void words_free(struct words *w);

#endif
