// Whole files.
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include <stdbool.h>
#include <stddef.h>

struct diag;
struct text;

// Add what a file holds.  False with errno set if it cannot be read.
bool file_read(const char *path, struct text *to);

// Write a file as a whole: who reads the path sees the old file or the new one,
// also when several processes write it at once.  False with errno set, and the
// old file as it was.
bool file_replace(const char *path, const void *bytes, size_t size);
// The same with a text; false with d set.
bool file_put(const char *path, const struct text *t, struct diag *d);
// Write a result that was asked for, in place, to stdout if the path is "-".
// False with d set.
bool file_write(const char *path, const struct text *t, struct diag *d);

// Remove a folder with all that is in it; links are not followed.  False with
// errno set if something could not be removed.
bool file_remove_all(const char *path);

#endif
