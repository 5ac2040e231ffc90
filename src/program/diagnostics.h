// What a compiler said of sources that do not compile, in as few words as tell
// what to do.
#ifndef PROGRAM_DIAGNOSTICS_H
#define PROGRAM_DIAGNOSTICS_H

#include <stdbool.h>
#include <stddef.h>

struct text;

// The first error of each line, with its notes, then hints: one mistake in a
// macro of troupe.h is an error for each thing that the macro makes.  Behind
// one that leaves the compiler without its footing, as a missing semicolon, the
// rest is left out.  What was left out is counted.  whole: nothing is left out.
void diagnostics_shorten(const char *said, bool whole, struct text *to);
// The length of the "FILE:LINE" that a line begins with, 0 if it does not.
size_t diagnostics_place(const char *line);
// Text without what colours it.
void diagnostics_plain(const char *said, struct text *to);

#endif
