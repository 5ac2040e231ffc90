// What a compiler's errors about the macros of troupe.h mean.
#ifndef PROGRAM_HINTS_H
#define PROGRAM_HINTS_H

struct text;

// Hints for what a compiler said: "hint: counter does not accept sub...", a line
// each, added to *to.
void hints_of(const char *said, struct text *to);

#endif
