// Where in a source something is, in words that stay when lines above it come
// and go: the line that begins the function, the line itself, and which of
// several equal ones in that function it is.
#ifndef PLAY_SPOT_H
#define PLAY_SPOT_H

#include <stdbool.h>

struct text;

// Add the words for a line, counted from 1.  False, and nothing added, if the
// file cannot be read or is shorter.
bool spot_words(const char *file, int line, struct text *to);

// Is the line the one with these words?  Blanks do not count.
bool spot_is(const char *words, const char *file, int line);

// Are these the same but for blanks?
bool spot_same(const char *a, const char *b);

#endif
