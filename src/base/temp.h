// Folders for files of a moment, in $TMPDIR or /tmp.
#ifndef BASE_TEMP_H
#define BASE_TEMP_H

struct arena;
struct diag;

// Make an empty folder of our own; its path lives in a.  NULL, with d set, if
// that is impossible.
const char *temp_new(struct arena *a, struct diag *d);
// Remove it with all that is in it.
void temp_remove(const char *path);

#endif
