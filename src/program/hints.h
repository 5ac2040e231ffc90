// What a compiler's errors about the macros of troupe.h mean.
#ifndef PROGRAM_HINTS_H
#define PROGRAM_HINTS_H

#include <stdbool.h>
#include <stddef.h>

struct text;

// Does this line tell of a mistake behind which a compiler understands nothing, so
// that its other errors mean nothing?  rest is what follows the line.
bool hints_upsets(const char *line, const char *rest);
// Is it a name that <troupe_short.h> makes, and no library has?
bool hints_short_form(const char *name, size_t n);
// Hints for what a compiler said: "hint: counter does not accept sub...", a line
// each, added to *to.
void hints_of(const char *said, struct text *to);

#endif
