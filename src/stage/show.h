// Names in what is shown, and the text that its pointers lead to.
#ifndef STAGE_SHOW_H
#define STAGE_SHOW_H

#include "program/values.h"
#include "stage/native_inner.h"

// Whose values are shown: a state's, a message's, or those in memory now.
struct show {
    struct native *native;
    uint32_t state, msg; // PLAY_NONE: none
};

// References by the names of their actors, timers by what they bring.  Borrows
// s.
struct values_names show_names(struct show *s);
struct show show_memory(struct native *n);

#endif
