// Lines of the program's source.
#ifndef PROGRAM_SOURCE_H
#define PROGRAM_SOURCE_H

#include <stdbool.h>

struct text;

// A line of a file without its end, in *to; false if there is none.
bool source_line(const char *file, int line, struct text *to);

#endif
