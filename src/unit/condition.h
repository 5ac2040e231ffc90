// The text of a condition in the source, found from a position inside it.
#ifndef UNIT_CONDITION_H
#define UNIT_CONDITION_H

#include <stdbool.h>
#include <stdint.h>

struct arena;

// A source file in memory.  All zero: none was read.
struct condition_file {
    const char *name;
    char *at;
};

struct condition {
    const char *text; // "" if it is not known
    bool negated;     // the position is behind an odd number of '!'
};

// The condition around a line and column, blanks made one.  Remembers the file
// in *f.  Strings live in a.
struct condition condition_at(struct condition_file *f, struct arena *a,
                              const char *file, uint32_t line, uint32_t column);
// The expression around a position, on its line.
const char *condition_line(struct condition_file *f, struct arena *a,
                           const char *file, uint32_t line, uint32_t column);

// The name of parameter i of a function whose declaration begins around this
// line; "" if it is not found.
const char *condition_parameter(struct condition_file *f, struct arena *a,
                                const char *file, uint32_t line,
                                const char *function, uint32_t i);

// The count of elements that the source declares for it, 0 if it does not.
uint64_t condition_count(struct condition_file *f, struct arena *a,
                         const char *file, uint32_t line, const char *function,
                         uint32_t i);

#endif
